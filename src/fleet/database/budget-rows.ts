import type pg from "pg";
import type { PacingClock } from "../../service/api/pacer.ts";
import type { Part } from "../../service/api/shared-parts.ts";
import { FleetUnavailable } from "../fleet-store.ts";
import type { BudgetRow, BudgetRows } from "../shared-budget.ts";
import { type FleetDatabase, namesIn } from "./fleet-database.ts";

/** How long an exchange may take before it fails. */
const EXCHANGE_MS = 10_000;

/** A process that stops in the middle loses the row before the exchanges of the others fail. A lost budget only makes all wait. */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = off;
SET LOCAL idle_in_transaction_session_timeout = '5s'; SET LOCAL lock_timeout = '8s'`;

/** No key has this name. Its row has the time since which the table forgot nothing: a crash empties it. */
const SINCE = "";

const epochMs = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::float8`;

function statements(table: string) {
  return {
    /** The clock is read after the row is locked. */
    lock: `WITH locked AS MATERIALIZED (SELECT requests FROM ${table} WHERE key = $1 FOR UPDATE)
SELECT requests AS parts, ${epochMs("transaction_timestamp()")} AS "beganMs", ${epochMs("clock_timestamp()")} AS "lockedMs",
  (SELECT ${epochMs("changed")} FROM ${table} WHERE key = '${SINCE}') AS "sinceMs" FROM locked`,
    add: `INSERT INTO ${table} (key, requests, changed) VALUES ($1, '[]', clock_timestamp()) ON CONFLICT DO NOTHING`,
    store: `UPDATE ${table} SET requests = $2, changed = clock_timestamp() WHERE key = $1`,
  };
}

/** The rows in PostgreSQL. A change takes two round trips, the first one of a row four. */
export function budgetRows(database: Pick<FleetDatabase, "pool" | "schema">, clock: PacingClock): BudgetRows {
  const texts = statements(namesIn(database).budget);
  return {
    change: async (key, change) => {
      const over = new AbortController();
      const late = clock.sleep(EXCHANGE_MS, over.signal).then(() => {
        throw new Error("The database is not available.");
      });
      late.catch(() => undefined);
      try {
        const client = await connect(database.pool, late);
        await exchange(client, late, () => changeRow({ client, clock, texts }, key, change));
      } catch (error) {
        if (error instanceof ChangeFailed) throw error.cause;
        throw new FleetUnavailable("The database that keeps the budget of requests is not available.", {
          cause: error,
        });
      } finally {
        over.abort();
      }
    },
  };
}

/** `change` itself failed, not the database. */
class ChangeFailed extends Error {}

async function connect(pool: pg.Pool, late: Promise<never>): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

/** Returns the connection, or ends it after an error: nobody knows then what it still does. */
async function exchange(client: pg.PoolClient, late: Promise<never>, work: () => Promise<void>): Promise<void> {
  const working = work();
  try {
    await Promise.race([working, late]);
    client.release();
  } catch (error) {
    working.catch(() => undefined);
    client.release(true);
    client.connection.stream.destroy();
    throw error;
  }
}

interface Session {
  readonly client: pg.PoolClient;
  readonly clock: PacingClock;
  readonly texts: ReturnType<typeof statements>;
}

type LockedRow = Omit<BudgetRow, "sentMs">;

async function changeRow(session: Session, key: string, change: (row: BudgetRow) => readonly Part[]): Promise<void> {
  const { client, clock, texts } = session;
  const sentMs = clock.monotonicMs();
  const [, found] = await Promise.all([
    client.query(BEGIN),
    client.query<LockedRow>({ name: "fleet_budget_lock", text: texts.lock, values: [key] }),
  ]);
  const row = found.rows[0] ?? (await addRow(session, key));
  const parts = changeParts(change, { ...row, sentMs });
  await Promise.all([
    client.query({ name: "fleet_budget_store", text: texts.store, values: [key, JSON.stringify(parts)] }),
    client.query("COMMIT"),
  ]);
}

async function addRow({ client, texts }: Session, key: string): Promise<LockedRow> {
  const [, , { rows }] = await Promise.all([
    client.query(texts.add, [SINCE]),
    client.query(texts.add, [key]),
    client.query<LockedRow>({ name: "fleet_budget_lock", text: texts.lock, values: [key] }),
  ]);
  if (!rows[0]) throw new Error("the row is gone again");
  return rows[0];
}

function changeParts(change: (row: BudgetRow) => readonly Part[], row: BudgetRow): readonly Part[] {
  try {
    return change(row);
  } catch (error) {
    throw new ChangeFailed("", { cause: error });
  }
}
