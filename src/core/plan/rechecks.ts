import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, Catalog } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { durationMs } from "../model/iso-time.ts";
import type { Limits } from "../model/limits.ts";
import type { Attributes } from "../model/value.ts";
import { type IrreversibleRecords, isUnconfirmed, isWatched, personOf } from "./irreversible-records.ts";
import type { Waiting } from "./plan.ts";
import { hasOutcome } from "./resource.ts";

/** How many requests of one run look for what was not found, or repeat what is done. */
const DEFAULT_RECHECKS = 600;

/** The bound on these requests of one run. A share of nothing makes no sense here, so it is always a number. */
export function recheckLimit({ recheck }: Limits): number {
  return recheck?.kind === "count" ? recheck.count : DEFAULT_RECHECKS;
}

/** What waits to be looked for again: recorded as not found or unconfirmed, or covered by an approval and not sent yet. */
export interface WaitingWrite {
  readonly address: string;
  /** When it is due, in milliseconds since the epoch: at once for what was not sent yet, or got no answer to its first request. */
  readonly dueAtMs: number;
}

const AT_ONCE = 0;

/** The waiting write of a declaration; null where it is done, does not watch, or must be approved first. */
export function waitingWrite(
  definition: AnyResource,
  declaration: Declaration,
  {
    instance,
    isCovered,
  }: { readonly instance: RecordedInstance | undefined; readonly isCovered: (declaration: Declaration) => boolean },
): WaitingWrite | null {
  const { address, attributes, retained } = declaration;
  // Nobody looks in a place that has left its filter, until it is back.
  if (retained) return null;
  if (!instance)
    return isWatched(definition, attributes) && isCovered(declaration) ? { address, dueAtMs: AT_ONCE } : null;
  const repeat = repeatOf(definition, attributes, instance);
  return repeat?.kind === "recheck" ? { address, dueAtMs: repeat.dueAtMs } : null;
}

/** When an irreversible write is sent again, by its declared settings. `recheck`: it waits. `reassert`: it is done. Null: never. */
export function repeatOf(
  definition: AnyResource,
  declared: Attributes,
  recorded: Pick<RecordedInstance, "attributes" | "recordedAtMs" | "sentAtMs" | "settled">,
): { readonly kind: "recheck" | "reassert"; readonly dueAtMs: number } | null {
  const { irreversible } = definition;
  if (!irreversible) return null;
  const { watch, reassert } = irreversible;
  const lastMs = recorded.sentAtMs ?? recorded.recordedAtMs;
  const unconfirmed = isUnconfirmed(definition, recorded);
  if (unconfirmed || hasOutcome(recorded.attributes, irreversible.gone)) {
    if (!watch || !isWatched(definition, declared)) return null;
    // A first request without an answer is repeated by the next run. What is still unconfirmed then rests like the rest.
    const isFirst = unconfirmed && recorded.sentAtMs === undefined;
    return {
      kind: "recheck",
      dueAtMs: isFirst ? AT_ONCE : lastMs + (intervalOf(definition, declared, watch.interval) ?? 0),
    };
  }
  const interval = reassert === undefined ? null : intervalOf(definition, declared, reassert);
  return interval === null ? null : { kind: "reassert", dueAtMs: lastMs + interval };
}

function intervalOf({ schema }: AnyResource, attributes: Attributes, name: string): number | null {
  const text = attributes[name] ?? schema[name]?.default ?? null;
  return typeof text === "string" ? durationMs(text) : null;
}

/**
 * Whether the approval of a person on a list covers a write: the person is recorded for the same block, and the write differs
 * only in a value that a filter has found since.
 */
export function coverage(
  definition: AnyResource,
  instances: readonly RecordedInstance[],
): (declaration: Declaration) => boolean {
  const nameOf = (address: string, attributes: Attributes): string =>
    `${blockOf(address)}\n${personOf(definition, attributes) ?? ""}`;
  let approved: ReadonlySet<string> | undefined;
  return ({ address, attributes, isFiltered }) => {
    if (isFiltered !== true || personOf(definition, attributes) === null) return false;
    approved ??= new Set(instances.flatMap((one) => (one.undeclared ? [] : [nameOf(one.address, one.attributes)])));
    return approved.has(nameOf(address, attributes));
  };
}

/** What is done, and is sent again because its time has passed: the oldest first, within the limit. */
export function dueReasserts(
  definition: AnyResource,
  { owners, recorded }: IrreversibleRecords,
  { atMs, limits }: { readonly atMs: number; readonly limits: Limits },
): ReadonlySet<string> {
  const due = [...owners].flatMap(([key, { attributes }]) => {
    const instance = recorded.get(key);
    const repeat = instance ? repeatOf(definition, attributes, instance) : null;
    return repeat?.kind === "reassert" && repeat.dueAtMs <= atMs ? [{ key, dueAtMs: repeat.dueAtMs }] : [];
  });
  const sorted = due.toSorted((a, b) => a.dueAtMs - b.dueAtMs || (a.key < b.key ? -1 : 1));
  return new Set(sorted.slice(0, recheckLimit(limits)).map(({ key }) => key));
}

/** What waits by the records alone, as of a time: nothing of it is looked for now. */
export function recordedWaiting(
  catalog: Catalog,
  instances: readonly RecordedInstance[],
  atMs: number,
): Waiting | null {
  const writes = instances.flatMap((instance): readonly WaitingWrite[] => {
    const definition = catalog.resources.find(({ type }) => type === instance.type);
    const repeat = instance.undeclared || !definition ? null : repeatOf(definition, instance.attributes, instance);
    return repeat?.kind === "recheck" ? [{ address: instance.address, dueAtMs: repeat.dueAtMs }] : [];
  });
  return waitingOf(writes, { atMs, most: 0 });
}

/** What waits, and which of it a run looks for now: what is new first, then the oldest, as far as the limit allows. Null where nothing waits. */
export function waitingOf(
  writes: readonly WaitingWrite[],
  { atMs, most }: { readonly atMs: number; readonly most: number },
): Waiting | null {
  if (writes.length === 0) return null;
  const sorted = writes.toSorted((a, b) => a.dueAtMs - b.dueAtMs || (a.address < b.address ? -1 : 1));
  const due = sorted.filter(({ dueAtMs }) => dueAtMs <= atMs);
  const next = sorted[Math.min(most, due.length)];
  return {
    count: writes.length,
    due: due.length,
    now: due.slice(0, most).map(({ address }) => address),
    nextAtMs: next ? Math.max(next.dueAtMs, atMs) : null,
  };
}
