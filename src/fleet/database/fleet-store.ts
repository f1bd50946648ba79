import type { FleetStore } from "../fleet-store.ts";
import { adopt } from "./adopt.ts";
import type { FleetDatabase, FleetPorts } from "./fleet-database.ts";
import type { FleetProcess, Registration, Sweep } from "./processes.ts";
import { register, sweep } from "./processes.ts";
import { readingsOf } from "./readings.ts";
import { requestsTo } from "./requests.ts";
import { beginRun, endRun } from "./runs.ts";
import { settingsOf } from "./settings.ts";

export interface PgFleetStore extends FleetStore {
  /** Shows this process to the others as long as its connection lasts: see `Registration`. Register again after it is lost. */
  register(signal: AbortSignal): Promise<Registration>;
  /** Call it every few seconds: see `sweep`. */
  sweep(): Promise<Sweep>;
}

/** The fleet in PostgreSQL, as one process uses it. Its schema must be there: see `migrateFleet`. */
export function pgFleetStore(database: FleetDatabase, self: FleetProcess, ports: FleetPorts): PgFleetStore {
  const process = self.id;
  let digest: string | null = null;
  let times = 0;
  return {
    register: (signal) => register(database, self, { ...ports, digest, time: ++times }, signal),
    adopt: async (configuration, why) => {
      const isInForce = await adopt(database, configuration, { process, why });
      ({ digest } = configuration);
      return isInForce;
    },
    beginRun: (team) => beginRun(database, team, { process, digest }),
    endRun: (run, team, result, next) => endRun(database, run, { team, result, next }),
    sweep: () => sweep(database, { process, digest }),
    ...requestsTo(database),
    ...settingsOf(database),
    ...readingsOf(database),
  };
}
