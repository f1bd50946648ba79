import { errorText } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import { type BegunRun, type FleetStore, FleetUnavailable } from "./fleet-store.ts";
import type { Patiently } from "./patience.ts";
import { nextLook } from "./schedule.ts";
import type { TeamResult, TeamWork } from "./team-work.ts";
import type { FleetLog, FleetLogLevel } from "./web/log.ts";
import type { FleetMetrics } from "./web/metrics.ts";
import type { FleetTraces } from "./web/traced-run.ts";

export interface LookPorts {
  readonly store: Pick<FleetStore, "beginRun" | "endRun">;
  readonly work: TeamWork;
  readonly clock: Clock;
  /** From 0 to less than 1. */
  readonly chance: () => number;
  readonly log: FleetLog;
  readonly metrics: Pick<FleetMetrics, "runEnded">;
  readonly traces: Pick<FleetTraces, "runEnded">;
  readonly patiently: Patiently;
}

const NOTHING = { counts: { import: 0, add: 0, change: 0, destroy: 0, forget: 0 }, drifted: 0, messages: [], plan: null, requests: 0 };

/** One look at one team: begins a run, plans or applies, and records what it was and when the next one is due. */
export async function lookAt(
  team: string,
  commit: string | null,
  { ports, signal }: { readonly ports: LookPorts; readonly signal: AbortSignal },
): Promise<void> {
  const { store, clock } = ports;
  const begun = await store.beginRun(team);
  if (!begun) return;
  const [beganMs, sinceMs] = [clock.now(), clock.monotonicMs()];
  const result = await resultOf(team, begun, { ports, signal });
  const next = nextLook(result, begun, ports.chance());
  await ports.patiently(() => store.endRun(begun, team, result, next), signal);
  const durationMs = clock.monotonicMs() - sinceMs;
  ports.metrics.runEnded({ ...result, durationMs });
  ports.traces.runEnded({ ...result, id: begun.id, team, trigger: begun.trigger, beganMs, endedMs: beganMs + durationMs, commit });
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
  team: string,
  { approved, auto, seen }: BegunRun,
  { ports: { work }, signal }: { readonly ports: LookPorts; readonly signal: AbortSignal },
): Promise<TeamResult> {
  try {
    return await (approved ? work.applyPlan(team, approved.bytes, signal, seen) : work.reconcile(team, auto, signal, seen));
  } catch (error) {
    if (signal.aborted || error instanceof FleetUnavailable) return { ...NOTHING, outcome: "interrupted" };
    const message = { severity: "error", code: "internal_error", summary: "Internal error", detail: errorText(error) } as const;
    return { ...NOTHING, outcome: "failed", messages: [message] };
  }
}

function levelOf({ outcome }: TeamResult): FleetLogLevel {
  if (outcome === "failed" || outcome === "undecided") return "error";
  return outcome === "unchanged" || outcome === "interrupted" ? "debug" : "info";
}

function messageOf({ outcome, messages }: TeamResult): string {
  const first = messages.find(({ severity }) => severity === "error") ?? messages.find(({ severity }) => severity === "warning");
  return first ? `${first.summary}: ${first.detail}` : outcome;
}
