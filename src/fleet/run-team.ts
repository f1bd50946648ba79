import { timeLimit } from "../core/model/async.ts";
import { errorText } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import { durationText } from "../output/content/progress-text.ts";
import type { FleetStore } from "./database/pg-fleet-store.ts";
import { type BegunRun, FleetUnavailable } from "./fleet-store.ts";
import type { FleetLog, FleetLogLevel } from "./observe/fleet-log.ts";
import type { FleetMetrics } from "./observe/fleet-metrics.ts";
import type { RetryDatabase } from "./retry-database.ts";
import { holdAt } from "./freeze.ts";
import { nextRun } from "./schedule.ts";
import type { TeamResult, TeamWork } from "./team-work.ts";

export interface RunPorts {
  readonly store: Pick<FleetStore, "endRun">;
  readonly work: TeamWork;
  readonly clock: Clock;
  /** From 0 to less than 1. */
  readonly chance: () => number;
  readonly log: FleetLog;
  readonly metrics: Pick<FleetMetrics, "runEnded">;
  readonly retry: RetryDatabase;
}

/** No run takes longer, unless the interval is longer. */
const LONGEST_RUN_MS = 10 * 60_000;
/** A service that answers nothing for so long hangs: a twentieth of the interval, so that many such teams leave workers for the others. */
const [LEAST_HANG_MS, MOST_HANG_MS] = [5000, 30_000];

const NOTHING = {
  counts: { import: 0, add: 0, change: 0, destroy: 0, forget: 0 },
  drifted: 0,
  messages: [],
  plan: null,
  requests: 0,
};

/** Carries a run out that has begun: plans or applies, and records what it was and when the next one is due. */
export async function runTeam(
  begun: BegunRun,
  { ports, signal }: { readonly ports: RunPorts; readonly signal: AbortSignal },
): Promise<void> {
  const { store, clock } = ports;
  const { team } = begun;
  const sinceMs = clock.monotonicMs();
  const result = await resultOf(begun, { ports, signal });
  const next = nextRun(result, begun, ports.chance());
  await ports.retry(() => store.endRun(begun, result, next), signal);
  const durationMs = clock.monotonicMs() - sinceMs;
  ports.metrics.runEnded({ ...result, durationMs });
  ports.log(levelOf(result), "run-ended", messageOf(result), {
    team,
    run: begun.id,
    outcome: result.outcome,
    durationMs,
    ...(begun.approved ? { plan: begun.approved.id, approvedBy: begun.approved.by } : {}),
  });
}

/** What is not about the team, as a database that goes away, interrupts the run. */
async function resultOf(
  { team, trigger, approved, auto, intervalMs, seen, beganMs, freeze }: BegunRun,
  { ports: { work, clock }, signal: stop }: { readonly ports: RunPorts; readonly signal: AbortSignal },
): Promise<TeamResult> {
  const limitMs = Math.max(intervalMs, LONGEST_RUN_MS);
  const facts = {
    seen,
    hangsAfterMs: Math.max(LEAST_HANG_MS, Math.min(MOST_HANG_MS, intervalMs / 20)),
    hold: holdAt({ freeze }, beganMs),
    adopts: trigger === "adopt",
  };
  const limit = timeLimit(limitMs, clock, () => new Error("The run takes too long"));
  const signal = AbortSignal.any([stop, limit.signal]);
  try {
    return await (approved
      ? work.applyPlan(team, approved.bytes, signal, facts)
      : work.reconcile(team, auto, signal, facts));
  } catch (error) {
    if (stop.aborted || error instanceof FleetUnavailable) return { ...NOTHING, outcome: "interrupted" };
    const message = limit.signal.aborted
      ? tooLong(limitMs)
      : ({ severity: "error", code: "internal_error", summary: "Internal error", detail: errorText(error) } as const);
    return { ...NOTHING, outcome: "failed", messages: [message] };
  } finally {
    limit.end();
  }
}

function tooLong(limitMs: number): TeamResult["messages"][number] {
  return {
    severity: "error",
    code: "run_too_long",
    summary: "The run took too long",
    detail: `The run was interrupted after ${durationText(limitMs)}. What it has sent is recorded, and the next run continues.`,
    hint: "Check whether the service, the state and the programs of secrets answer.",
  };
}

function levelOf({ outcome }: TeamResult): FleetLogLevel {
  if (outcome === "failed" || outcome === "undecided") return "error";
  return outcome === "unchanged" || outcome === "interrupted" ? "debug" : "info";
}

function messageOf({ outcome, messages }: TeamResult): string {
  const first =
    messages.find(({ severity }) => severity === "error") ?? messages.find(({ severity }) => severity === "warning");
  return first ? `${first.summary}: ${first.detail}` : outcome;
}
