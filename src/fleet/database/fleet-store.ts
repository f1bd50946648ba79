import type { FleetStore } from "../fleet-store.ts";
import { adopt } from "./adopt.ts";
import type { FleetDatabase, FleetPorts } from "./fleet-database.ts";
import type { FleetProcess, Registration, Sweep } from "./processes.ts";
import { register, sweep } from "./processes.ts";
import { readingsOf } from "./readings.ts";
import { requestsTo } from "./requests.ts";
import { beginRun, endRun } from "./runs.ts";
import { seenStates } from "./seen-states.ts";
import { settingsOf } from "./settings.ts";

export interface PgFleetStore extends FleetStore {
  /** Shows this process to the others as long as its connection lasts: see `Registration`. Register again after it is lost. */
  register(signal: AbortSignal): Promise<Registration>;
  /** Call it every few seconds: see `sweep`. */
  sweep(): Promise<Sweep>;
}

/** More than any process has. */
const MOST_WORKERS = 1_000_000;

/** The fleet in PostgreSQL, as one process uses it. Its schema must be there: see `migrateFleet`. */
export function pgFleetStore(database: FleetDatabase, self: FleetProcess, ports: FleetPorts): PgFleetStore {
  const process = self.id;
  const teams = new Set<string>();
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
    beginRun: async (team, mostFailing = MOST_WORKERS) => {
      teams.add(team);
      const run = await beginRun(database, team, { process, digest, mostFailing }).catch((error: unknown) => {
        teams.delete(team);
        throw error;
      });
      if (!run) teams.delete(team);
      return run && { ...run, seen: states.newest(team, run) };
    },
    endRun: async (run, team, result, next) => {
      if (result.seen) states.note(team, result.seen, run);
      await endRun(database, run, { team, result, next });
      teams.delete(team);
    },
    sweep: () => sweep(database, { process, digest, teams: [...teams] }),
    ...requestsTo(database),
    ...settingsOf(database),
    ...readingsOf(database),
  };
}
