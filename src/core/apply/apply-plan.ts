import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Clock } from "../model/ports.ts";
import type { Attributes } from "../model/value.ts";
import { identityKey } from "../plan/identity.ts";
import { observe } from "../plan/observe.ts";
import type { Plan, PlanCounts, Step } from "../plan/plan.ts";
import { allowsDuplicate } from "../plan/settings.ts";
import { type Journal, type PendingIntent, openRequest } from "../state/journal-event.ts";
import { changedSincePlan, heldBack, leftWithout, located, notApproved, olderOnesLeft, waiting } from "./apply-diagnostics.ts";
import { recordFacts } from "./record-steps.ts";
import type { Creation, WriteContext, WriteResult } from "./write.ts";
import { createOne, deleteDeposed, deleteOne, replaceOne } from "./write.ts";

/** What happens while a plan is applied, for people who watch. */
export interface Progress {
  /** `unsure`: whether it was carried out is not known yet. */
  readonly kind: "start" | "complete" | "errored" | "unsure";
  readonly phase: "create" | "delete" | "replace";
  readonly address: string;
  readonly id: string | null;
  readonly elapsedMs: number;
}

export interface ApplyContext {
  readonly catalog: Catalog;
  readonly instances: readonly RecordedInstance[];
  readonly declarations: readonly Declaration[];
  /** The writes of earlier runs whose outcome is still open. */
  readonly pending: readonly PendingIntent[];
  /** Whether a person has approved this very plan: by a typed yes, or by saving it. */
  readonly approved: boolean;
  /** The values of a declaration's secrets, by attribute. */
  readonly secretsOf: (address: string) => { readonly [attribute: string]: string };
  readonly write: (type: string) => WriteContext;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly report: (progress: Progress) => void;
  /** Aborted: start nothing more. What is in flight is finished. */
  readonly stop: AbortSignal;
}

export interface Applied {
  /** True counts: what was carried out. */
  readonly counts: PlanCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: boolean;
  /** The addresses that were not begun because of an undecided outcome. */
  readonly waiting: readonly string[];
  readonly interrupted: boolean;
}

type WriteStep = Extract<Step, { action: "create" | "delete" | "replace" }>;

const IN_FLIGHT = 4;

/**
 * Carries out a plan: first what is only recorded, then deletes (of older objects first), replaces, creates, each type by
 * type; at most four at a time, and one at a time of what the service's list could not tell apart. An undecided outcome
 * holds back only what could be taken for it.
 */
export async function applyPlan({ steps }: Pick<Plan, "steps">, context: ApplyContext): Promise<Applied> {
  const writes = steps.filter((step): step is WriteStep => step.action === "create" || step.action === "delete" || step.action === "replace");
  const run = await begin(context, writes);
  const hasDeposed = ({ address }: Step): boolean => (run.instances.get(address)?.deposed ?? []).length > 0;
  const late = steps.filter((step) => step.action === "forget" && hasDeposed(step));
  await record(run, late.length === 0 ? steps : steps.filter((step) => !late.includes(step)));
  const isDeposed = (step: WriteStep): boolean => step.action === "delete" && step.deposed === true;
  await each(run, writes.filter(isDeposed), ({ address }) => address);
  await forgetLate(run, late);
  await each(
    run,
    writes.filter((step) => step.action === "delete" && !isDeposed(step)),
    (step) => keyOf(run, step, "before"),
  );
  const replaces = writes.filter(({ action }) => action === "replace");
  const isMove = (step: WriteStep): boolean => keyOf(run, step, "after") !== keyOf(run, step, "before");
  await each(
    run,
    replaces.filter((step) => !isMove(step)),
    (step) => laneOf(run, step),
  );
  // Replaces that take another identity could meet each other's: they go one by one.
  await each(run, replaces.filter(isMove), () => "");
  await each(
    run,
    writes.filter(({ action }) => action === "create"),
    (step) => laneOf(run, step),
  );
  return result(run);
}

/** An apply under way. */
interface Run {
  readonly context: ApplyContext;
  readonly instances: Map<string, RecordedInstance>;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** The attributes of the identity that the service's list shows, by type. */
  readonly observable: Map<string, readonly string[]>;
  readonly diagnostics: Diagnostic[];
  readonly counts: { -readonly [name in keyof PlanCounts]: number };
  /** Identities of objects that were to be deleted and are still there: what would double them is not created. */
  readonly notDeleted: Set<string>;
  /** Observable keys of creates whose outcome is open, with what is not begun because of them. */
  readonly unresolved: Map<string, { readonly type: string; readonly waits: string[] }>;
  /** What broke this run, such as a full disk under the journal: thrown once everything in flight has ended. */
  readonly faults: unknown[];
  undecided: boolean;
  skipped: boolean;
}

async function begin(context: ApplyContext, steps: readonly WriteStep[]): Promise<Run> {
  const { catalog, instances, declarations, pending, write, stop } = context;
  const observable = new Map<string, readonly string[]>();
  for (const type of new Set(steps.map((step) => step.type))) {
    const definition = resourceOf(catalog, type);
    if (definition.list && !stop.aborted) observable.set(type, await write(type).live.observable(stop));
  }
  const run: Run = {
    context,
    instances: new Map(instances.map((instance) => [instance.address, instance])),
    declarations: new Map(declarations.map((declaration) => [declaration.address, declaration])),
    observable,
    diagnostics: [],
    counts: { import: 0, add: 0, change: 0, destroy: 0, forget: 0 },
    notDeleted: new Set(),
    unresolved: new Map(),
    faults: [],
    undecided: false,
    skipped: false,
  };
  for (const { intent } of pending.filter((one) => openRequest(one).half === "create")) leaveUnresolved(run, intent.type, intent.key);
  return run;
}

function result({ context, counts, diagnostics, unresolved, undecided, skipped }: Run): Applied {
  const held = [...unresolved].flatMap(([, { type, waits }]) => (waits.length > 0 ? [waiting(resourceOf(context.catalog, type), waits)] : []));
  const addresses = [...unresolved].flatMap(([, { waits }]) => waits);
  return { counts, diagnostics: [...diagnostics, ...held], undecided: undecided || held.length > 0, waiting: addresses, interrupted: skipped };
}

function keyOf({ context }: Run, step: WriteStep, side: "before" | "after"): string {
  const before = "before" in step ? step.before : step.after;
  return identityKey(resourceOf(context.catalog, step.type), side === "after" && "after" in step ? step.after : before);
}

/** The same for creates that the service's list could not tell apart. */
function observableKeyOf({ context, observable }: Run, type: string, attributes: Attributes): string {
  return identityKey(resourceOf(context.catalog, type), attributes, observable.get(type));
}

function laneOf(run: Run, step: WriteStep): string {
  return observableKeyOf(run, step.type, "after" in step ? step.after : step.before);
}

function leaveUnresolved(run: Run, type: string, attributes: Attributes): void {
  const key = observableKeyOf(run, type, attributes);
  if (!run.unresolved.has(key)) run.unresolved.set(key, { type, waits: [] });
}

/** Changes of the record alone: nothing is sent. */
async function record({ context, instances, declarations, counts }: Run, steps: readonly Step[]): Promise<void> {
  const { catalog, clock, journal, write } = context;
  const { facts, counts: recorded } = recordFacts(steps, { catalog, instances, declarations, nowMs: clock.now() });
  if (facts.length === 0) return;
  await journal.settle(facts);
  for (const fact of facts) {
    const records = fact.kind === "moved" ? fact.records : fact.kind === "recorded" ? [fact] : [];
    for (const { address, record: now } of records) put(instances, address, now);
  }
  for (const step of steps) if (step.action === "adopt" && step.id !== null) write(step.type).live.added({ id: step.id, attributes: step.returned });
  for (const name of ["import", "change", "forget"] as const) counts[name] += recorded[name];
}

/** An address is not forgotten before its older objects are deleted. */
async function forgetLate(run: Run, steps: readonly Step[]): Promise<void> {
  const isFree = (step: Step): boolean => !run.context.stop.aborted && !holdForDeposed(run, step);
  await record(run, steps.filter(isFree));
}

function holdForDeposed(run: Run, { address, type }: Step): boolean {
  const { deposed = [] } = run.instances.get(address) ?? {};
  if (deposed.length === 0) return false;
  const ids = deposed.map(({ id }) => id);
  run.diagnostics.push(located(olderOnesLeft(address, resourceOf(run.context.catalog, type), ids), address, run.declarations.get(address)));
  return true;
}

function put(instances: Map<string, RecordedInstance>, address: string, now: RecordedInstance | null): void {
  if (now) instances.set(now.address, now);
  else instances.delete(address);
}

/** Type by type, in the catalog's order. Steps of one lane follow each other; the lanes run side by side. */
async function each(run: Run, steps: readonly WriteStep[], lane: (step: WriteStep) => string): Promise<void> {
  for (const { type } of run.context.catalog.resources) {
    const lanes = new Map<string, WriteStep[]>();
    for (const step of steps) {
      if (step.type !== type) continue;
      const key = lane(step);
      const before = lanes.get(key);
      if (before) before.push(step);
      else lanes.set(key, [step]);
    }
    const waitingLanes = lanes.values();
    const work = async (): Promise<void> => {
      for (const one of waitingLanes) for (const step of one) await carryOut(run, step);
    };
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, lanes.size) }, work));
    if (run.faults.length > 0) throw combined(run.faults);
  }
}

async function carryOut(run: Run, step: WriteStep): Promise<void> {
  const { stop, report, clock } = run.context;
  if (run.faults.length > 0 || stop.aborted) {
    run.skipped = true;
    return;
  }
  const begunMs = clock.monotonicMs();
  const say = (kind: Progress["kind"], id: string | null): void =>
    report({ kind, phase: step.action, address: step.address, id, elapsedMs: clock.monotonicMs() - begunMs });
  let isSaid = false;
  try {
    if (await isHeldBack(run, step)) return;
    say("start", "id" in step ? step.id : null);
    isSaid = true;
    const outcome = await send(run, step);
    take(run, step, outcome);
    const id = outcome.kind === "done" && step.action !== "delete" ? (outcome.record?.id ?? null) : null;
    say(ENDINGS[outcome.kind], id);
  } catch (error) {
    if (isSaid) say("errored", null);
    run.skipped = true;
    // What was about to wait when the run was interrupted ends with the interruption; anything else is a fault all the same.
    if (!isInterruption(error, stop)) run.faults.push(error);
  }
}

const ENDINGS = { done: "complete", failed: "errored", undecided: "unsure", unconfirmed: "unsure" } as const;

/** Whether a step must not be begun now; says why. */
async function isHeldBack(run: Run, step: WriteStep): Promise<boolean> {
  const { address, type } = step;
  const definition = resourceOf(run.context.catalog, type);
  const tell = (diagnostic: Diagnostic): true => {
    run.diagnostics.push(located(diagnostic, address, run.declarations.get(address)));
    return true;
  };
  if (step.action === "create" && step.again === "unconfirmed" && !run.context.approved) {
    run.undecided = true;
    return tell(notApproved(address, definition));
  }
  if (step.action !== "delete") {
    if (run.notDeleted.has(keyOf(run, step, "after"))) return tell(heldBack(address));
    const unresolved = run.unresolved.get(laneOf(run, step));
    if (unresolved) return unresolved.waits.push(address) > 0;
  }
  if (step.action === "create" || (step.action === "delete" && step.deposed)) return false;
  const names = await changedNames(run, definition, step);
  if (names.length > 0) {
    run.undecided = true;
    run.notDeleted.add(keyOf(run, step, "before"));
    return tell(changedSincePlan(address, definition, { id: step.id, names }));
  }
  const isCreateFirst = step.action === "replace" && step.order === "create-first";
  if (isCreateFirst || !holdForDeposed(run, step)) return false;
  run.notDeleted.add(keyOf(run, step, "before"));
  return true;
}

/** What is live differently from what the plan has shown of an object that is to be deleted. */
async function changedNames(run: Run, definition: AnyResource, step: Exclude<WriteStep, { action: "create" }>): Promise<readonly string[]> {
  const instance = run.instances.get(step.address);
  const live = definition.list ? await run.context.write(step.type).live.find(step.id, run.context.stop) : undefined;
  return instance && live ? observe(definition, { ...instance, attributes: step.before }, live).drifted : [];
}

function send(run: Run, step: WriteStep): Promise<WriteResult> {
  const { address, type } = step;
  const definition = resourceOf(run.context.catalog, type);
  const write = run.context.write(type);
  const instance = run.instances.get(address);
  if (step.action === "create") {
    const again = step.again ? { attempted: true as const } : {};
    const deposed = instance?.deposed ? { deposed: instance.deposed } : {};
    return createOne(definition, { ...creationOf(run, step), ...again, ...deposed }, write);
  }
  if (!instance) throw new Error(`${address} is not recorded`);
  if (step.action === "replace") return replaceOne(definition, { instance, creation: creationOf(run, step), order: step.order }, write);
  return step.deposed ? deleteDeposed(definition, { instance, id: step.id }, write) : deleteOne(definition, instance, write);
}

function creationOf({ context, declarations }: Run, { address, after }: Extract<WriteStep, { action: "create" | "replace" }>): Creation {
  const declaration = declarations.get(address);
  if (!declaration) throw new Error(`${address} is not declared`);
  const { provider, masked, lookups } = declaration;
  return {
    address,
    provider,
    masked,
    ...(lookups ? { lookups } : {}),
    attributes: after,
    secrets: context.secretsOf(address),
    allowTwin: allowsDuplicate(after),
  };
}

/** Takes note of what became of a step. */
function take(run: Run, step: WriteStep, outcome: WriteResult): void {
  const { instances, counts } = run;
  const { address, type } = step;
  const tell = (...diagnostics: readonly Diagnostic[]): void =>
    void run.diagnostics.push(...diagnostics.map((one) => located(one, address, run.declarations.get(address))));
  if (outcome.kind === "done") {
    tell(...outcome.warnings);
    put(instances, address, outcome.record);
    if (step.action !== "delete") counts.add++;
    if (step.action !== "create") counts.destroy++;
    return;
  }
  tell(outcome.diagnostic);
  if (outcome.kind !== "failed") run.undecided = true;
  if (outcome.kind === "unconfirmed") return put(instances, address, outcome.record);
  if (outcome.created) {
    counts.add++;
    put(instances, address, outcome.created);
  }
  if (outcome.gone) {
    counts.destroy++;
    put(instances, address, null);
    if (outcome.kind === "failed") tell(leftWithout(address, resourceOf(run.context.catalog, type)));
  } else if (step.action !== "create") run.notDeleted.add(keyOf(run, step, "before"));
  if (outcome.kind === "undecided" && step.action !== "delete" && !outcome.created) leaveUnresolved(run, type, step.after);
}

/** Everything that is known of what is there and not recorded is said; without any of that the first fault stands for all. */
function combined(faults: readonly unknown[]): unknown {
  const known = faults.flatMap((fault) => (fault instanceof DiagnosticsError ? fault.diagnostics : []));
  return known.length === 0 ? faults[0] : new DiagnosticsError(known, { undecided: true });
}

function isInterruption(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === "AbortError"));
}
