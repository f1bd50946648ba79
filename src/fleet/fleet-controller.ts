import { DiagnosticsError } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import { whereText } from "../output/content/diagnostic-text.ts";
import type { FleetStore } from "./database/pg-fleet-store.ts";
import { FleetUnavailable } from "./fleet-store.ts";
import { countText } from "./page/fleet-words.ts";
import type { QueueOptions, TeamQueue } from "./queue.ts";
import { retryDatabase } from "./retry-database.ts";
import { type RunPorts, runTeam } from "./run-team.ts";
import type { FleetConfiguration } from "./team-work.ts";

export interface ControllerPorts extends Omit<RunPorts, "store" | "retry"> {
  readonly store: FleetStore;
  /** Reconciles the teams that are due. */
  readonly openQueue: (ports: Pick<QueueOptions, "begin" | "run">) => TeamQueue;
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
/** How long runs in flight may take when the process is asked to end. */
const GRACE_MS = 25_000;

/** Keeps the teams of a configuration reconciled, together with any number of others over the same database. */
export function openController(ports: ControllerPorts): Controller {
  const { store, clock, log } = ports;
  const retry = retryDatabase(ports);
  const readAgain = rereader(ports);
  let [isInForce, isStopping] = [false, false];

  async function run(stop: AbortSignal): Promise<void> {
    let configuration = await retry(() => ports.work.read(stop), stop);
    let registration = await retry(() => store.register(stop), stop);
    const adopt = async (why: "start" | "change"): Promise<void> => {
      isInForce = await retry(() => store.adopt(configuration, why), stop);
      if (!isInForce)
        log(
          "warn",
          "configuration",
          "Another configuration is in force: this process reconciles no team until that one is gone, or its own changes.",
        );
    };
    await adopt("start");
    log(
      "info",
      "started",
      `${countText(configuration.teams.length, "team")}, commit ${configuration.commit ?? "unknown"}.`,
    );
    const queue = ports.openQueue({
      begin: (most, stopping) => retry(() => store.beginRuns(most), stopping),
      run: (begun, signal) => runTeam(begun, { ports: { ...ports, retry }, signal }),
    });
    let isListed = true;
    const follow = (): void => (isInForce && isListed && !registration.lost.aborted ? queue.resume() : queue.pause());
    follow();
    const over = new AbortController();
    const ends = AbortSignal.any([stop, over.signal]);
    const watch = every(READ_EVERY_MS, { clock, ends }, async () => {
      const read = await readAgain(ends);
      const isChanged = read !== null && read.digest !== configuration.digest;
      const isOther = isChanged || (read !== null && read.commit !== configuration.commit);
      if (read) configuration = read;
      if (isChanged)
        log("info", "configuration", `The configuration has changed, commit ${configuration.commit ?? "unknown"}.`);
      if (isOther || !isInForce) await adopt(isChanged ? "change" : "start");
      follow();
    });
    const sweep = every(SWEEP_EVERY_MS, { clock, ends, isAtOnce: true }, async () => {
      if (registration.lost.aborted || !isListed) {
        follow();
        await registration.close();
        registration = await retry(() => store.register(ends), ends);
      }
      const swept = await retry(() => store.sweep(), ends);
      for (const process of swept.gone)
        log("warn", "process-gone", `The process ${process} is gone: its teams are taken over.`);
      isInForce = swept.isCurrent;
      ({ isListed } = swept);
      follow();
    });
    try {
      await Promise.race([Promise.all([watch, sweep]), queue.failed]);
    } finally {
      over.abort();
      isStopping = true;
      log("info", "stopping", `Waiting for ${countText(queue.running, "run")}.`);
      await queue.stop(GRACE_MS);
      await registration.close();
    }
  }

  return { state: () => ({ isInForce, isStopping }), run };
}

interface Every {
  readonly clock: Clock;
  readonly ends: AbortSignal;
  /** No pause before the first turn. */
  readonly isAtOnce?: boolean;
}

/** Takes a turn after each pause, until `ends` is aborted. */
async function every(
  pauseMs: number,
  { clock, ends, isAtOnce = false }: Every,
  turn: () => Promise<void>,
): Promise<void> {
  for (let pauses = isAtOnce ? 0 : pauseMs; !ends.aborted; pauses = pauseMs) {
    try {
      await clock.sleep(pauses, ends);
      await turn();
    } catch (error) {
      if (!ends.aborted) throw error;
    }
  }
}

/** Reads the configuration again and again. Null while it cannot be read, which is logged once. */
function rereader({ work, log }: ControllerPorts): (stop: AbortSignal) => Promise<FleetConfiguration | null> {
  let before = "";
  return async (stop) => {
    try {
      const read = await work.read(stop);
      if (before !== "") log("info", "configuration", "The configuration can be read again.");
      before = "";
      return read;
    } catch (error) {
      // Everything else that asks the database says so.
      if (error instanceof FleetUnavailable) return null;
      if (!(error instanceof DiagnosticsError)) throw error;
      const problem = error.diagnostics
        .map(({ summary, detail, place }) => `${summary}${place ? `, on ${whereText(place)}` : ""}: ${detail}`)
        .join(" ");
      if (problem !== before)
        log("error", "configuration", `The configuration cannot be used, so the one before stays in force. ${problem}`);
      before = problem;
      return null;
    }
  };
}
