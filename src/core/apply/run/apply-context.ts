import type { Declaration } from "../../model/declaration.ts";
import { type Catalog, resourceOf } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Clock } from "../../model/ports.ts";
import type { Attributes } from "../../model/value.ts";
import { identityKey } from "../../plan/identity.ts";
import { type PlanCounts, type Step, isRemoval } from "../../plan/plan.ts";
import { type Journal, type PendingIntent, mayCreate, openRequest } from "../../state/journal-event.ts";
import { withPlace, olderOnesLeft } from "./apply-diagnostics.ts";
import { type Semaphore, semaphore } from "../../model/async.ts";
import type { MarkOf } from "../write/marks.ts";
import type { Progress } from "./progress.ts";
import type { WriteContext } from "../write/write-context.ts";

export interface ApplyContext {
  readonly catalog: Catalog;
  readonly instances: readonly RecordedInstance[];
  readonly declarations: readonly Declaration[];
  /** The writes of earlier runs whose outcome is still undecided. */
  readonly pending: readonly PendingIntent[];
  /** Whether a person has approved this very plan: by a typed yes, or by saving it. */
  readonly approved: boolean;
  /** Whether the steps apply the configuration: a refresh and a bare import do not. */
  readonly isApplied: boolean;
  /** The values of a declaration's secrets, by attribute. */
  readonly secretsOf: (address: string) => { readonly [attribute: string]: string };
  readonly markOf: MarkOf;
  readonly write: (type: string) => WriteContext;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly report: (progress: Progress) => void;
  /** Called when an irreversible write gets no definite answer. */
  readonly silent?: (() => void) | undefined;
  /** Aborted: start nothing more. What is in flight is finished. */
  readonly stop: AbortSignal;
}

export type WriteStep = Extract<Step, { action: "create" | "delete" | "replace" }>;

export const IN_FLIGHT = 4;

/** An apply under way. */
export interface Run {
  readonly context: ApplyContext;
  readonly instances: Map<string, RecordedInstance>;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** The attributes of the identity that the service's list shows, by type. */
  readonly observable: Map<string, readonly string[]>;
  readonly diagnostics: Diagnostic[];
  readonly counts: { -readonly [name in keyof PlanCounts]: number };
  /** Identities of objects that could not be deleted: no duplicates of them are created. */
  readonly notDeleted: Set<string>;
  /** Keys of undecided writes, observable ones of creates and whole ones of deletes, with the addresses that wait for them. */
  readonly unresolved: Map<string, { readonly type: string; readonly waits: string[] }>;
  /** Errors that end this run, such as a full disk under the journal: thrown once everything in flight has ended. */
  readonly faults: unknown[];
  readonly inFlight: Semaphore;
  /** The diagnostics about undecided writes of this run: a list may still decide them. */
  readonly undecided: Diagnostic[];
  /** Whether the user has to resolve something that no list can decide. */
  needsResolve: boolean;
  /** How many steps were not begun because the run was stopped. */
  skipped: number;
}

export async function beginApply(context: ApplyContext, steps: readonly WriteStep[]): Promise<Run> {
  const { catalog, instances, declarations, pending, write, stop } = context;
  if (!context.approved && steps.some(isRemoval)) throw new Error("a removal is not approved");
  const observable = new Map<string, readonly string[]>();
  for (const type of new Set(steps.map((step) => step.type))) {
    const definition = resourceOf(catalog, type);
    if (definition.list && !stop.aborted) observable.set(type, await write(type).live.observable(stop));
  }
  const run: Run = {
    context,
    instances: new Map([...instances, ...steps.flatMap(removedObject)].map((instance) => [instance.address, instance])),
    declarations: new Map(declarations.map((declaration) => [declaration.address, declaration])),
    observable,
    diagnostics: [],
    counts: { import: 0, add: 0, change: 0, destroy: 0, forget: 0 },
    notDeleted: new Set(),
    unresolved: new Map(),
    faults: [],
    inFlight: semaphore(IN_FLIGHT),
    undecided: [],
    needsResolve: false,
    skipped: 0,
  };
  for (const one of pending) {
    const { type, key, id } = one.intent;
    if (mayCreate(one)) leaveUnresolved(run, observableKeyOf(run, type, key), type);
    if (openRequest(one).half === "delete")
      for (const attributes of recordedWith(instances, id))
        leaveUnresolved(run, identityKey(resourceOf(catalog, type), attributes), type);
  }
  return run;
}

/** An object that nothing records, as the plan has shown it: in memory alone, so that its delete is like any other. */
function removedObject(step: WriteStep): readonly RecordedInstance[] {
  if (!isRemoval(step)) return [];
  const { address, type, provider, id, before } = step;
  return [
    {
      address,
      type,
      provider,
      schemaVersion: 0,
      id,
      attributes: before,
      returned: before,
      unobserved: [],
      assumed: [],
      recordedAtMs: 0,
    },
  ];
}

export function keyOf({ context }: Run, type: string, attributes: Attributes): string {
  return identityKey(resourceOf(context.catalog, type), attributes);
}

/** A key that is equal for creates that the service's list could not tell apart. */
function observableKeyOf({ context, observable }: Run, type: string, attributes: Attributes): string {
  return identityKey(resourceOf(context.catalog, type), attributes, observable.get(type));
}

/** The queue of a step. The list cannot tell the objects of one queue apart, so their writes run one after the other. */
export function queueOf(run: Run, step: WriteStep): string {
  return observableKeyOf(run, step.type, "after" in step ? step.after : step.before);
}

/** Lets nothing similar start from now on: its duplicates, and what the list could not tell from it, wait. */
export function leaveUnresolved(run: Run, key: string, type: string): void {
  if (!run.unresolved.has(key)) run.unresolved.set(key, { type, waits: [] });
}

function recordedWith(instances: readonly RecordedInstance[], id: string | null): readonly Attributes[] {
  return instances.flatMap((instance) =>
    [instance, ...(instance.deposed ?? [])].flatMap((object) => (object.id === id ? [object.attributes] : [])),
  );
}

/** Whether an address waits for its older objects to be deleted; adds a diagnostic that says so. */
export function holdForDeposed(run: Run, { address, type }: Step): boolean {
  const { deposed = [] } = run.instances.get(address) ?? {};
  if (deposed.length === 0) return false;
  const ids = deposed.map(({ id }) => id);
  run.diagnostics.push(
    withPlace(
      olderOnesLeft(address, resourceOf(run.context.catalog, type), ids),
      address,
      run.declarations.get(address),
    ),
  );
  return true;
}

export function put(instances: Map<string, RecordedInstance>, address: string, now: RecordedInstance | null): void {
  if (now) instances.set(now.address, now);
  else instances.delete(address);
}
