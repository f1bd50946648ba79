import { DiagnosticsError } from "../core/model/diagnostic.ts";
import type { PgFleetStore } from "./database/fleet-store.ts";
import { type LookOptions, type LookPorts, lookAt } from "./look.ts";
import { openPatience } from "./patience.ts";
import type { QueueOptions, TeamQueue } from "./queue.ts";
import type { FleetConfiguration } from "./team-work.ts";

export interface ControllerPorts extends Omit<LookPorts, "store" | "patience"> {
  readonly store: PgFleetStore;
  /** Takes the teams that are due. */
  readonly openQueue: (handle: QueueOptions["handle"]) => TeamQueue;
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
export function openController(options: LookOptions, ports: ControllerPorts): Controller {
  const { store, work, log } = ports;
  const patience = openPatience(ports);
  let [isInForce, isStopping] = [false, false];

  async function run(stop: AbortSignal): Promise<void> {
    let configuration = await work.read(stop);
    let registration = await patience.persistently(() => store.register(stop), stop);
    const adopt = async (why: "start" | "change"): Promise<void> => {
      isInForce = await patience.persistently(() => store.adopt(configuration, why, options.intervalMs), stop);
      if (!isInForce)
        log("warn", "configuration", "Another configuration is in force: this process looks at no team until that one is gone, or its own changes.");
    };
    await adopt("start");
    log("info", "started", `${String(configuration.teams.length)} teams, commit ${configuration.commit ?? "unknown"}.`);
    const queue = ports.openQueue((team, signal) => lookAt(team, configuration.commit, options, { ports: { ...ports, patience }, signal }));
    const follow = (): void => (isInForce && !registration.lost.aborted ? queue.resume() : queue.pause());
    follow();
    const over = new AbortController();
    const ends = AbortSignal.any([stop, over.signal]);
    const watch = patience.every(READ_EVERY_MS, ends, async () => {
      const read = await readAgain(ends);
      const isChanged = read !== null && read.digest !== configuration.digest;
      if (read) configuration = read;
      if (isChanged) log("info", "configuration", `The configuration has changed, commit ${configuration.commit ?? "unknown"}.`);
      if (isChanged || !isInForce) await adopt(isChanged ? "change" : "start");
      follow();
    });
    const sweep = patience.every(SWEEP_EVERY_MS, ends, async () => {
      if (registration.lost.aborted) {
        follow();
        await registration.close();
        registration = await patience.persistently(() => store.register(ends), ends);
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

  return { state: () => ({ isInForce, isStopping }), run };
}
