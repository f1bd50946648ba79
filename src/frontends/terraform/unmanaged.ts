import type { LiveList } from "../../core/apply/live/live-list.ts";
import type { AnyResource, LiveObject } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import { type Attributes, hasUnknown } from "../../core/model/value.ts";
import { identityKey } from "../../core/plan/identity.ts";
import { diagnosticsOf } from "./wire/wire-diagnostics.ts";
import {
  type Doubled,
  duplicatesLive,
  holderLive,
  lookalikeLive,
  notCompared,
  appearedLate,
} from "./journal/duplicate-messages.ts";
import type { AppliedPlan } from "./terraform-command.ts";
import { untilQuiet } from "./terraform-objects.ts";
import { type LiveIndex, indexLive } from "../../core/plan/live-index.ts";
import { LOST_CREATE_LIFETIME_MS, lateDuplicates } from "../../core/apply/recovery/lost-creates.ts";
import type { LostCreate } from "../../core/state/lost-create.ts";
import { madeIds } from "./journal/known-creates.ts";
import type { CreateRecoveryPorts } from "./journal/create-recovery.ts";

export interface UnmanagedPorts {
  readonly live: LiveList;
  readonly exclusive: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The ids in Terraform's state that this process was shown. */
  readonly managed: ReadonlySet<string>;
  readonly isNoted: (id: string) => Promise<boolean>;
  readonly late: LateDuplicates;
  readonly appliedPlan: AppliedPlan;
}

/** Warns in a plan about live objects that are not known to be managed. */
export interface Unmanaged {
  /** After an object was read. One of the reads reports for all of them: null for the others. */
  afterRead(id: string, attributes: Attributes): Promise<readonly Diagnostic[]> | null;
  /** The warnings for a planned create, which such objects would stop. A list that cannot be read fails the apply; the plan only warns, once. */
  beforeCreate(attributes: Attributes, isMarked: boolean): Promise<readonly Diagnostic[]>;
}

/** Terraform sends ten calls at once. The others must go on, so that it shows the rest of its state. */
const MOST_WAITING = 4;

export function openUnmanaged(definition: AnyResource, ports: UnmanagedPorts): Unmanaged {
  const { live, signal, managed, late } = ports;
  /** Managed objects that may have duplicates. */
  const allowed = new Set<string>();
  let isReported = false;
  let isUnreadableReported = false;
  let waiting = 0;

  async function report(): Promise<readonly Diagnostic[]> {
    const { warnings = [] } = await live.get(signal);
    return [...warnings, ...(await reportDuplicates())];
  }
  async function reportDuplicates(): Promise<readonly Diagnostic[]> {
    const groups = await identicalIn(definition, live, signal);
    if (groups.length === 0 && !(await late.isNeeded())) return [];
    await untilQuiet(managed, ports);
    const appeared = await late.report();
    const doubled: Doubled[] = groups.flatMap((ids) => {
      const id = ids.find((one) => managed.has(one));
      if (id === undefined || ids.some((one) => allowed.has(one))) return [];
      return ids
        .filter((one) => !managed.has(one) && !late.isLateReported(one))
        .map((duplicate) => ({ id, duplicate }));
    });
    return doubled.length === 0 ? appeared : [...appeared, duplicatesLive(definition, doubled)];
  }
  async function stoppedBy(wanted: Planned): Promise<readonly Diagnostic[]> {
    if (waiting >= MOST_WAITING || (await stoppers(definition, wanted, ports)).length === 0) return [];
    waiting++;
    await untilQuiet(managed, ports).finally(() => waiting--);
    return stoppers(definition, wanted, ports);
  }
  return {
    afterRead: (id, attributes) => {
      if (attributes["allow_duplicate"] === true) allowed.add(id);
      if (isReported) return null;
      isReported = true;
      return report();
    },
    beforeCreate: async (attributes, isMarked) => {
      if (definition.identity.some((name) => hasUnknown(attributes[name] ?? null))) return [];
      try {
        return await stoppedBy({ attributes, isMarked });
      } catch (error) {
        if (isUnreadableReported || signal.aborted) return [];
        isUnreadableReported = true;
        return [notCompared(definition, diagnosticsOf(error))];
      }
    },
  };
}

/** A planned create. */
interface Planned {
  readonly attributes: Attributes;
  /** Its exclusive value is its own. */
  readonly isMarked: boolean;
}

/** Identical objects that are not known to be managed, or else one that has the exclusive value: each would stop a create. */
async function stoppers(
  definition: AnyResource,
  { attributes, isMarked }: Planned,
  { live, exclusive, signal, managed, isNoted, appliedPlan }: UnmanagedPorts,
) {
  const unmanagedOf = async (objects: readonly LiveObject[]): Promise<readonly LiveObject[]> => {
    const found: LiveObject[] = [];
    for (const object of objects) if (!managed.has(object.id) && !(await isNoted(object.id))) found.push(object);
    return found;
  };
  const same = mayAllowDuplicate(attributes) ? [] : await unmanagedOf(await live.duplicates(attributes, signal));
  const ids = same.map(({ id }) => id);
  // Terraform plans again when it applies. A saved plan that cannot be read probably removes them: the create says so.
  if (ids.length > 0)
    return (await appliedPlan.removedBy(definition)) === "unreadable" ? [] : [lookalikeLive(definition, ids)];
  const isExclusive = exclusive && definition.exclusive !== undefined && !isMarked;
  const [holder] = isExclusive ? await unmanagedOf(await live.holders(attributes, signal)) : [];
  return holder ? [holderLive(definition, holder)] : [];
}

/** An unknown value may allow it. */
function mayAllowDuplicate({ allow_duplicate: allows = null }: Attributes): boolean {
  return allows !== null && allows !== false;
}

/** The ids of live objects that the list cannot tell apart. */
async function identicalIn(
  definition: AnyResource,
  live: LiveList,
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const { objects } = await live.get(signal);
  const byKey = new Map<string, string[]>();
  for (const { id, attributes } of objects) {
    const key = identityKey(definition, attributes);
    const same = byKey.get(key);
    if (same) same.push(id);
    else byKey.set(key, [id]);
  }
  return [...byKey.values()].filter((ids) => ids.length > 1);
}

/** An object of a lost create, or one that was missing and has returned (`wasManaged`), that a list shows. */
export interface Late {
  readonly id: string;
  readonly wasManaged: boolean;
  /** Whether a known create made it. */
  readonly isMade: boolean;
}

/** The objects that appeared late, managed ones included, each once. */
export function lateIn(
  index: LiveIndex,
  lostCreates: readonly LostCreate[],
  made: ReadonlySet<string>,
): readonly Late[] {
  const late = new Map<string, Late>();
  for (const lostCreate of lostCreates) {
    for (const { id } of lateDuplicates(lostCreate, index)) {
      const wasManaged = lostCreate.id === id || late.get(id)?.wasManaged === true;
      late.set(id, { id, wasManaged, isMade: !wasManaged && made.has(id) });
    }
  }
  return [...late.values()];
}

export interface LateDuplicatePorts extends Omit<CreateRecoveryPorts, "listingDelayMs" | "made"> {
  /** The objects that were reported when the provider was configured. */
  readonly reportedBefore: () => Promise<readonly { readonly id: string }[]>;
}

/** Objects of lost creates, and missing objects, that the last list shows. */
export interface LateDuplicates {
  /** Whether there is anything to look for. It never fails. */
  isNeeded(): Promise<boolean>;
  /** Reports each object once. It never fails. */
  report(): Promise<readonly Diagnostic[]>;
  isLateReported(id: string): boolean;
}

export function openLateDuplicates(definition: AnyResource, ports: LateDuplicatePorts): LateDuplicates {
  const { live, journal, clock, signal, isManaged, isNoted, reportedBefore } = ports;
  const reported = new Set<string>();
  let looked: readonly LiveObject[] | null = null;

  /** A journal that cannot be read is reported when the provider is configured. */
  async function lostCreates(): Promise<readonly LostCreate[]> {
    const known = await journal.known().catch(() => ({ lostCreates: [] }));
    return known.lostCreates.filter(
      ({ type, sentAtMs }) => type === definition.type && clock.now() - sentAtMs < LOST_CREATE_LIFETIME_MS,
    );
  }
  async function report(lost: readonly LostCreate[]): Promise<readonly Diagnostic[]> {
    for (const { id } of await reportedBefore()) reported.add(id);
    const { objects } = await live.get(signal);
    if (objects === looked) return [];
    looked = objects;
    const said: Diagnostic[] = [];
    for (const late of lateIn(indexLive(definition, objects), lost, madeIds(await journal.known()))) {
      const { id, isMade } = late;
      if (isMade || isManaged(id) || reported.has(id) || (await isNoted(id))) continue;
      reported.add(id);
      said.push(appearedLate(definition, late));
    }
    return said;
  }
  return {
    isNeeded: async () => (await lostCreates()).length > 0,
    isLateReported: (id) => reported.has(id),
    report: async () => {
      const lost = await lostCreates();
      // After a failure, the next list is searched again.
      return lost.length === 0 ? [] : report(lost).catch(() => []);
    },
  };
}
