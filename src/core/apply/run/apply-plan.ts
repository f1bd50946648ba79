import { groupBy } from "../../model/maps.ts";
import { resourceOf } from "../../model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../model/diagnostic.ts";
import type { Plan, PlanCounts, Step } from "../../plan/plan.ts";
import { waiting } from "./apply-diagnostics.ts";
import { isHeldBack, recordOutcome, send, storeStepIntent } from "./apply-step.ts";
import {
  type ApplyContext,
  IN_FLIGHT,
  type Run,
  type WriteStep,
  beginApply,
  holdForDeposed,
  keyOf,
  queueOf,
  put,
} from "./apply-context.ts";
import { type Following, followStep } from "./progress.ts";
import { recordFacts } from "./record-steps.ts";

export interface StepsOutcome {
  /** True counts: what was carried out. */
  readonly counts: PlanCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: boolean;
}

/** One pass over the steps; what it leaves undecided may still be found in the list. */
export interface Pass extends StepsOutcome {
  /** The diagnostics about undecided writes of this pass. */
  readonly unresolved: readonly Diagnostic[];
  /** The diagnostics that a look at the list answers: undecided writes, and what waits for them. */
  readonly provisional: readonly Diagnostic[];
  /** Whether the user has to resolve something that no list can decide. */
  readonly needsResolve: boolean;
  /** How many steps were not begun because the run was stopped. */
  readonly skipped: number;
  /** The addresses that did not start because of an undecided outcome. */
  readonly waiting: readonly string[];
}

/** Twice the requests in flight: the others store their outcomes, so that the disk and the service need not wait for each other. */
const WORKERS = 2 * IN_FLIGHT;

/**
 * Carries out a plan: first changes of the state, then deletes (older objects first), replaces and creates, each type by
 * type; at most four at a time, and one at a time where the service's list could not tell them apart. An undecided outcome
 * holds back only what the list could not tell from it.
 */
export async function applyPlan({ steps }: Pick<Plan, "steps">, context: ApplyContext): Promise<Pass> {
  const writes = steps.filter(
    (step): step is WriteStep => step.action === "create" || step.action === "delete" || step.action === "replace",
  );
  const run = await beginApply(context, writes);
  const hasDeposed = ({ address }: Step): boolean => (run.instances.get(address)?.deposed ?? []).length > 0;
  const late = steps.filter((step) => step.action === "forget" && !step.released && hasDeposed(step));
  await record(
    run,
    steps.filter((step) => !late.includes(step)),
  );
  const deletes = writes.filter((step) => step.action === "delete");
  await each(
    run,
    deletes.filter(({ deposed }) => deposed),
    ({ address }) => address,
  );
  await forgetLate(run, late);
  await each(
    run,
    deletes.filter(({ deposed }) => !deposed),
    ({ type, before }) => keyOf(run, type, before),
  );
  const replaces = writes.filter((step) => step.action === "replace");
  const isMove = ({ type, before, after }: (typeof replaces)[number]): boolean =>
    keyOf(run, type, after) !== keyOf(run, type, before);
  await each(
    run,
    replaces.filter((step) => !isMove(step)),
    (step) => queueOf(run, step),
  );
  // Replaces that take another identity could take each other's. They run one by one.
  await each(run, replaces.filter(isMove), () => "");
  await each(
    run,
    writes.filter(({ action }) => action === "create"),
    (step) => queueOf(run, step),
  );
  return result(run);
}

function result({ context, counts, diagnostics, unresolved, undecided, needsResolve, skipped }: Run): Pass {
  const held = [...unresolved].flatMap(([, { type, waits }]) =>
    waits.length > 0 ? [waiting(resourceOf(context.catalog, type), waits)] : [],
  );
  const addresses = [...unresolved].flatMap(([, { waits }]) => waits);
  return {
    counts,
    diagnostics: [...diagnostics, ...held],
    unresolved: undecided,
    provisional: [...undecided, ...held],
    needsResolve,
    undecided: needsResolve || undecided.length > 0 || held.length > 0,
    waiting: addresses,
    skipped,
  };
}

/** Changes only the record. Sends nothing. */
async function record({ context, instances, declarations, counts }: Run, steps: readonly Step[]): Promise<void> {
  const { catalog, clock, journal, write, isApplied } = context;
  const { facts, counts: recorded } = recordFacts(steps, {
    catalog,
    instances,
    declarations,
    nowMs: clock.now(),
    isApplied,
  });
  if (facts.length === 0) return;
  await journal.record(facts);
  for (const fact of facts) {
    for (const { address, record: now } of fact.kind === "moved" ? fact.records : [fact]) put(instances, address, now);
  }
  for (const step of steps) {
    const returned = step.action === "adopt" ? step.returned : step.action === "replace" ? step.imported : undefined;
    if (returned && "id" in step && step.id !== null)
      write(step.type).live.added({ id: step.id, attributes: returned });
  }
  for (const name of ["import", "change", "forget"] as const) counts[name] += recorded[name];
}

/** An address is not forgotten before its older objects are deleted. */
async function forgetLate(run: Run, steps: readonly Step[]): Promise<void> {
  if (run.context.stop.aborted) {
    run.skipped += steps.length;
    return;
  }
  await record(
    run,
    steps.filter((step) => !holdForDeposed(run, step)),
  );
}

/** Type by type, in the catalog's order. The steps of a queue run one after the other, the queues in parallel. */
async function each<S extends WriteStep>(run: Run, steps: readonly S[], queue: (step: S) => string): Promise<void> {
  for (const { type } of run.context.catalog.resources) {
    const ofType = steps.filter((step) => step.type === type);
    const workers = Math.max(WORKERS, run.context.journal.windows?.ahead ?? 0);
    const waitingQueues = groupBy(ofType, queue).values();
    const work = async (): Promise<void> => {
      for (const one of waitingQueues) for (const step of one) await carryOut(run, step);
    };
    await Promise.all(Array.from({ length: workers }, work));
    if (run.faults.length > 0) throw combined(run.faults);
  }
}

async function carryOut(run: Run, step: WriteStep): Promise<void> {
  const { windows } = run.context.journal;
  const ahead = windows ? await storeAhead(run, step) : undefined;
  if (ahead === null) return;
  const leave = await run.inFlight.enter();
  try {
    await sendAndRecord(run, step, { answered: leave, ahead });
  } finally {
    if (ahead !== undefined) windows?.withdraw(ahead);
    leave();
  }
}

/** Where intents are stored by windows, a step is begun ahead of its turn to be sent. Null when it must not be begun. */
async function storeAhead(run: Run, step: WriteStep): Promise<number | null> {
  if (isOver(run)) return null;
  try {
    return (await isHeldBack(run, step)) ? null : await storeStepIntent(run, step);
  } catch (error) {
    endWith(run, error);
    return null;
  }
}

async function sendAndRecord(
  run: Run,
  step: WriteStep,
  { answered, ahead }: { readonly answered: () => void; readonly ahead: number | undefined },
): Promise<void> {
  if (isOver(run)) return;
  let following: Following | null = null;
  try {
    if (ahead === undefined && (await isHeldBack(run, step))) return;
    following = followStep(step, run.context);
    const outcome = await send(run, step, { answered, onHalf: following.half, intentSeq: ahead });
    recordOutcome(run, step, outcome);
    if (outcome.kind === "done") following.end("complete", outcome.record?.id ?? null, outcome.gapMs);
    else following.end(ENDINGS[outcome.kind], null);
  } catch (error) {
    following?.end("errored", null);
    endWith(run, error);
  }
}

/** Whether nothing more is begun: then a step is skipped. */
function isOver(run: Run): boolean {
  const isEnded = run.faults.length > 0 || run.context.stop.aborted;
  if (isEnded) run.skipped++;
  return isEnded;
}

/** What was about to wait when the run was interrupted ends with the interruption; anything else is a fault. */
function endWith(run: Run, error: unknown): void {
  run.skipped++;
  if (!isInterruption(error, run.context.stop)) run.faults.push(error);
}

const ENDINGS = { failed: "errored", undecided: "unsure", unconfirmed: "unsure" } as const;

/** All diagnostics about objects that exist and are not recorded; without any, the first fault. */
function combined(faults: readonly unknown[]): unknown {
  const known = [...new Set(faults)].filter((fault) => fault instanceof DiagnosticsError);
  if (known.length === 0) return faults[0];
  return new DiagnosticsError(
    known.flatMap(({ diagnostics }) => diagnostics),
    { undecided: known.some(({ undecided }) => undecided) },
  );
}

function isInterruption(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === "AbortError"));
}
