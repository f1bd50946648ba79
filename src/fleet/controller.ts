import { DiagnosticsError, errorText } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import type { PgFleetStore } from "./database/fleet-store.ts";
import { type BegunRun, FleetUnavailable } from "./fleet-store.ts";
import type { QueueOptions, TeamQueue } from "./queue.ts";
import { nextLook } from "./schedule.ts";
import type { Auto, FleetConfiguration, TeamResult, TeamWork } from "./team-work.ts";
import type { FleetLog } from "./web/log.ts";
import type { FleetMetrics } from "./web/metrics.ts";
import type { FleetTraces } from "./web/trace.ts";

export interface ControllerOptions {
  readonly auto: Auto;
  /** How often each team is looked at. */
  readonly intervalMs: number;
}

export interface ControllerPorts {
  readonly store: PgFleetStore;
  readonly work: TeamWork;
  /** The process's own store of jobs. */
  readonly openQueue: (handle: QueueOptions["handle"]) => TeamQueue;
  readonly clock: Clock;
  /** From 0 to less than 1. */
  readonly chance: () => number;
  readonly log: FleetLog;
  readonly metrics: Pick<FleetMetrics, "runEnded">;
  readonly traces: Pick<FleetTraces, "runEnded">;
}

export interface Controller {
  /** Whether the configuration of this process is the one in force, and whether it is about to end. */
  state(): { readonly isInForce: boolean; readonly isStopping: boolean };
  /** Works until `stop` is aborted and the runs in flight have ended. Throws `DiagnosticsError` for a configuration that is wrong from the start. */
  run(stop: AbortSignal): Promise<void>;
}

/** A change of the configuration is seen after so long. */
const READ_EVERY_MS = 5000;
/** The teams of a process that was killed are taken over within three of these. */
const SWEEP_EVERY_MS = 4000;
const DATABASE_RETRY_MS = 1000;
/** How long runs in flight may take when the process is asked to end. */
const GRACE_MS = 25_000;

const NOTHING = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

/** Keeps the teams of a configuration reconciled, together with any number of others over the same database. */
export function openController(options: ControllerOptions, ports: ControllerPorts): Controller {
  const { store, work, clock, log } = ports;
  let [isInForce, isStopping] = [false, false];

  async function run(stop: AbortSignal): Promise<void> {
    let configuration = await work.read(stop);
    let registration = await persistently("register", () => store.register(stop), stop);
    const adopt = async (why: "start" | "change"): Promise<void> => {
      isInForce = await persistently("adopt", () => store.adopt(configuration, why, options.intervalMs), stop);
      if (!isInForce)
        log("warn", "configuration", "Another configuration is in force: this process looks at no team until that one is gone, or its own changes.");
    };
    await adopt("start");
    log("info", "started", `${String(configuration.teams.length)} teams, commit ${configuration.commit ?? "unknown"}.`);
    const queue = ports.openQueue((team, signal) => look(team, configuration, signal));
    const follow = (): void => (isInForce && !registration.lost.aborted ? queue.resume() : queue.pause());
    follow();
    const over = new AbortController();
    const ends = AbortSignal.any([stop, over.signal]);
    const watch = every(READ_EVERY_MS, ends, async () => {
      const read = await readAgain(ends);
      const isChanged = read !== null && read.digest !== configuration.digest;
      if (read) configuration = read;
      if (isChanged) log("info", "configuration", `The configuration has changed, commit ${configuration.commit ?? "unknown"}.`);
      if (isChanged || !isInForce) await adopt(isChanged ? "change" : "start");
      follow();
    });
    const sweep = every(SWEEP_EVERY_MS, ends, async () => {
      if (registration.lost.aborted) {
        follow();
        await registration.close();
        registration = await persistently("register", () => store.register(ends), ends);
      }
      const { gone, isCurrent } = await store.sweep();
      for (const process of gone) log("warn", "process-gone", `The process ${process} is gone: its teams are taken over.`);
      isInForce = isCurrent;
      follow();
    });
    try {
      await Promise.all([watch, sweep]);
    } finally {
      over.abort();
      isStopping = true;
      log("info", "stopping", `Waiting for ${String(queue.running)} runs.`);
      await queue.stop(GRACE_MS);
      await registration.close();
    }
  }

  let readProblem = "";
  /** Null while it cannot be read: then the one before stays in force. */
  async function readAgain(stop: AbortSignal): Promise<FleetConfiguration | null> {
    try {
      const read = await work.read(stop);
      if (readProblem !== "") log("info", "configuration", "The configuration can be read again.");
      readProblem = "";
      return read;
    } catch (error) {
      if (!(error instanceof DiagnosticsError)) throw error;
      const problem = error.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join(" ");
      if (problem !== readProblem) log("error", "configuration", `The configuration cannot be used, so the one before stays in force. ${problem}`);
      readProblem = problem;
      return null;
    }
  }

  /** One look at one team. */
  async function look(team: string, { commit }: FleetConfiguration, signal: AbortSignal): Promise<void> {
    const begun = await store.beginRun(team);
    if (!begun) return;
    const beganMs = clock.now();
    const sinceMs = clock.monotonicMs();
    const result = await resultOf(team, begun, signal);
    const failures = result.outcome === "failed" ? begun.failures + 1 : 0;
    const next = nextLook(result, failures, options.intervalMs, ports.chance());
    await persistently("endRun", () => store.endRun(begun, team, result, next), signal);
    const durationMs = clock.monotonicMs() - sinceMs;
    const { outcome, messages, requests } = result;
    ports.metrics.runEnded({ outcome, requests, durationMs });
    ports.traces.runEnded({ ...result, id: begun.id, team, trigger: begun.trigger, beganMs, endedMs: beganMs + durationMs, commit });
    const first = messages.find(({ severity }) => severity === "error") ?? messages.find(({ severity }) => severity === "warning");
    const isNews = outcome !== "unchanged" && outcome !== "interrupted";
    const level = outcome === "failed" || outcome === "undecided" ? "error" : isNews ? "info" : "debug";
    log(level, "run-ended", first ? `${first.summary}: ${first.detail}` : outcome, { team, run: begun.id, outcome, durationMs });
  }

  async function resultOf(team: string, { approved }: BegunRun, signal: AbortSignal): Promise<TeamResult> {
    try {
      return await (approved ? work.applyPlan(team, approved.bytes, signal) : work.reconcile(team, options.auto, signal));
    } catch (error) {
      const nothing = { counts: NOTHING, drifted: 0, messages: [], plan: null, requests: 0 };
      if (signal.aborted || error instanceof FleetUnavailable) return { ...nothing, outcome: "interrupted" };
      const message = { severity: "error", code: "internal_error", summary: "Internal error", detail: errorText(error) } as const;
      return { ...nothing, outcome: "failed", messages: [message] };
    }
  }

  /** Does what asks the database, again and again while it is away. */
  async function persistently<T>(what: string, ask: () => Promise<T>, stop: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof FleetUnavailable) || stop.aborted) throw error;
        if (attempt === 1) log("warn", "database-away", `The database does not answer: ${error.message} Waiting for it.`);
        log("debug", "database-away", `${what}, attempt ${String(attempt)}`);
      }
      await clock.sleep(DATABASE_RETRY_MS, stop);
    }
  }

  /** Until `stop` is aborted. While the database is away, the next turn tries again. */
  async function every(durationMs: number, stop: AbortSignal, turn: () => Promise<void>): Promise<void> {
    while (!stop.aborted) {
      try {
        await clock.sleep(durationMs, stop);
        await turn();
      } catch (error) {
        if (stop.aborted) return;
        if (!(error instanceof FleetUnavailable)) throw error;
        log("debug", "database-away", error.message);
      }
    }
  }

  return { state: () => ({ isInForce, isStopping }), run };
}
