import { type BudgetRow, type BudgetRows, sharedBudget } from "../../src/fleet/shared-budget.ts";
import { FleetUnavailable } from "../../src/fleet/fleet-store.ts";
import type { PacingClock } from "../../src/service/api/pacer.ts";
import type { Part } from "../../src/service/api/shared-parts.ts";
import type { Machines } from "../service/pacing-world.ts";

const NEVER = new AbortController().signal;

/** One row of a database in virtual time. */
export interface Database {
  /** Its clock, by the milliseconds since the start. */
  clockMs(nowMs: number): number;
  /** One way to the database, or back. */
  wayMs(): number;
  /** What happens to the next change. `unconfirmed`: it is stored, and its answer is lost. */
  fault(nowMs: number): "none" | "down" | "unconfirmed";
  /** When a crash empties the table. */
  readonly crashedMs?: number;
}

export const QUICK: Database = { clockMs: (nowMs) => 1_700_000_000_000 + nowMs, wayMs: () => 0.5, fault: () => "none" };

/** The machines' monotonic clocks, by the milliseconds since the start. */
export function machines(
  database: Database,
  monotonicMs: Machines["monotonicMs"] = (nowMs, process) => (process + 1) * 3.6e6 + nowMs,
): Machines {
  const row = virtualRow(database);
  return {
    monotonicMs,
    log: (own, process, world) =>
      sharedBudget(own, row(own, world), { key: "key", participant: `p${String(process)}` }),
    isTemporary: (error) => error instanceof FleetUnavailable,
  };
}

function virtualRow({
  clockMs,
  wayMs,
  fault,
  crashedMs = Number.POSITIVE_INFINITY,
}: Database): (own: PacingClock, world: PacingClock) => BudgetRows {
  let content: string | null = null;
  let sinceMs: number | null = null;
  let lock: Promise<unknown> = Promise.resolve();
  return (own, world) => {
    const way = async (): Promise<void> => world.sleep(wayMs(), NEVER);
    const databaseMs = (): number => clockMs(world.monotonicMs());
    async function locked(
      times: Pick<BudgetRow, "sentMs" | "beganMs">,
      change: (row: BudgetRow) => readonly Part[],
    ): Promise<void> {
      const happens = fault(world.monotonicMs());
      if (happens === "down") throw new FleetUnavailable("down");
      const lockedMs = databaseMs();
      if (world.monotonicMs() >= crashedMs && (sinceMs ?? 0) < clockMs(crashedMs))
        [content, sinceMs] = [null, lockedMs];
      await way();
      const parts = change({ ...times, lockedMs, sinceMs, parts: JSON.parse(content ?? "[]") as unknown });
      await way();
      content = JSON.stringify(parts);
      if (happens === "unconfirmed") throw new FleetUnavailable("unconfirmed");
    }
    return {
      change: async (_, change) => {
        const sentMs = own.monotonicMs();
        await way();
        const beganMs = databaseMs();
        sinceMs ??= 0;
        const changing = lock.then(async () => locked({ sentMs, beganMs }, change));
        lock = changing.catch(() => undefined);
        await changing;
        await way();
      },
    };
  };
}
