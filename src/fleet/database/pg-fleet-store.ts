import { semaphore } from "../../core/model/async.ts";
import { type FleetStore, FleetUnavailable } from "../fleet-store.ts";
import { adopt } from "./adopt.ts";
import type { FleetDatabase, FleetPorts } from "./fleet-database.ts";
import type { FleetProcess, Registration, Sweep } from "./processes.ts";
import { register, sweep } from "./processes.ts";
import { readingsOf } from "./readings.ts";
import { requestsTo } from "./requests.ts";
import { beginRuns, endRun } from "./runs.ts";
import { seenStates } from "./seen-states.ts";
import { settingsOf } from "./stored-settings.ts";

export interface PgFleetStore extends FleetStore {
  /** Shows this process to the others as long as its connection lasts: see `Registration`. Register again after it is lost. */
  register(signal: AbortSignal): Promise<Registration>;
  /** Call it every few seconds: see `sweep`. */
  sweep(): Promise<Sweep>;
}

/** The fleet in PostgreSQL, as one process uses it. Its schema must be there: see `migrateFleet`. */
export function pgFleetStore(database: FleetDatabase, self: FleetProcess, ports: FleetPorts): PgFleetStore {
  const process = self.id;
  /** The ids of the runs that this process is at work on. */
  const runs = new Set<string>();
  const turns = semaphore(1);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await turns.enter();
    return work().finally(leave);
  };
  const states = seenStates();
  let digest: string | null = null;
  let times = 0;
  return {
    register: async (signal) => {
      await states.publish(database);
      return register(database, self, { ...ports, digest, time: ++times }, signal);
    },
    adopt: async (configuration, why) => {
      const isInForce = await adopt(database, configuration, { process, why });
      ({ digest } = configuration);
      return isInForce;
    },
    // A sweep that came between the begin of a run and its answer would take the run for a lost one.
    beginRuns: (most) =>
      inTurn(async () => {
        const begun = await beginRuns(database, most, { process, digest });
        for (const { id } of begun) runs.add(id);
        return begun.map((run) => ({ ...run, seen: states.newest(run.team, run) }));
      }),
    endRun: async (run, result, next) => {
      if (result.seen) states.note(run.team, result.seen, run);
      try {
        await endRun(database, run, { result, next });
      } catch (error) {
        // Then it is asked for again.
        if (error instanceof FleetUnavailable) throw error;
        runs.delete(run.id);
        throw error;
      }
      runs.delete(run.id);
    },
    sweep: () => inTurn(() => sweep(database, { process, digest, runs: [...runs] })),
    ...requestsTo(database),
    ...settingsOf(database),
    ...readingsOf(database),
  };
}
