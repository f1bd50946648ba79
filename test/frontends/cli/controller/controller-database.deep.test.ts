import pg from "pg";
import { describe, expect, test } from "vitest";
import { startPooler } from "../../../core/state/pg/fake-pooler.ts";
import { PGBOUNCER, startPgBouncer } from "../../../core/state/pg/pgbouncer.ts";
import { startPostgres } from "../../../core/state/pg/postgres-server.ts";
import { usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import { type Fleet, useFleets } from "./fleet-project.ts";
import { type Way, useWays } from "./way-to.ts";

const openFleet = useFleets();
const postgres = usePostgres();
const wayTo = useWays();
const WEBHOOKS = '  crm: { target_url: "https://crm.example.com/${team.name}" }\n';
const PATIENT = { timeout: 20_000 };
const GOOD = [0, false];

/** A controller whose way to its database the test has in its hands. */
async function controlled(fleet: Fleet, url: string) {
  const way = await wayTo(url);
  Object.assign(fleet.project.environment, { PG_CONN_STR: way.url, OUTREACH_LOG: "debug" });
  await fleet.declare(WEBHOOKS);
  const controller = fleet.controller(`--database ${way.url} --interval 10h`);
  const log = (): string => controller.written.map(({ text }) => text).join("");
  const says = async (text: string): Promise<void> => {
    await expect.poll(() => log().includes(text) || log(), PATIENT).toBe(true);
  };
  await says('"event":"started"');
  return {
    way,
    says,
    /** Has a team reconciled, and waits for the end of that run. */
    reconcile: async (team: string, outcome: string): Promise<void> => {
      const ended = `"team":"${team}","run":"`;
      const before = log().split(ended).length;
      await fleet.project.run(`controller run ${team} --database ${way.url}`);
      await expect
        .poll(
          () =>
            log()
              .split(ended)
              .slice(before)
              .some((line) => line.includes(`"outcome":"${outcome}"`)) || log(),
          PATIENT,
        )
        .toBe(true);
    },
    /** Its exit code, and whether it has found a mistake of its own. */
    end: async (): Promise<readonly [number, boolean]> => {
      controller.interrupt();
      const { code, err } = await controller.ended;
      return [code, err.includes("bug in outreach")];
    },
  };
}

async function ask(url: string, text: string): Promise<readonly pg.QueryResultRow[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(text)).rows;
  } finally {
    await client.end();
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Nothing comes through while this is done, and all connections are new after it. */
async function meanwhile({ lead }: Way, url: string, work: (name: string) => Promise<unknown>): Promise<void> {
  lead(null);
  await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${nameOf(url)}'`);
  await work(nameOf(url));
  lead(url);
}

describe("a controller waits, and continues, where its database", () => {
  const FULL =
    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '53100' USING message = 'could not extend file'; END $$";
  const TABLES = ["outreach_fleet.process", "outreach_fleet.run"];
  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    [
      "only reads",
      "in a read-only transaction",
      ["ALTER DATABASE THIS SET default_transaction_read_only = on"],
      ["BEGIN READ WRITE; ALTER DATABASE THIS RESET ALL; COMMIT"],
    ],
    [
      "has no room on its disk",
      "could not extend file",
      [
        FULL,
        ...TABLES.map(
          (table) =>
            `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`,
        ),
      ],
      ["DROP FUNCTION full_disk CASCADE"],
    ],
    [
      "has lost its tables, as while it is restored",
      "has no tables of a fleet, or not all of them. Waiting for a restore.",
      ["ALTER SCHEMA outreach_fleet RENAME TO away"],
      ["ALTER SCHEMA away RENAME TO outreach_fleet"],
    ],
  ])("%s", async (_, why, spoil, mend) => {
    const fleet = await openFleet();
    const { url } = fleet;
    const { way, says, reconcile, end } = await controlled(fleet, url);
    const run = async (texts: readonly string[]): Promise<void> => {
      for (const text of texts) await postgres.query(text.replace("THIS", nameOf(url)), url);
    };
    await meanwhile(way, url, () => run(spoil));
    await says(why);
    await says("The database is not available: ");
    await meanwhile(way, url, () => run(mend));
    await says("The database is available again.");
    await reconcile("emea", "applied");
    expect(await end()).toEqual(GOOD);
  });

  test("is an older one: a team whose state was newer is parked until somebody resumes it, and the others continue", async () => {
    const fleet = await openFleet();
    const { url, project } = fleet;
    const { way, says, reconcile, end } = await controlled(fleet, url);
    const backup = `${nameOf(url)}_backup`;
    const stateOf = async (team: string): Promise<string> =>
      new RegExp(`^${team} +(\\w+)`, "m").exec(
        (await project.run(`controller status --database ${way.url}`)).out,
      )?.[1] ?? "none";
    for (const team of ["emea", "apac"]) await reconcile(team, "applied");
    await project.run(`controller pause apac --database ${way.url}`);
    await meanwhile(way, url, (name) => postgres.query(`CREATE DATABASE ${backup} TEMPLATE ${name}`));
    // What is sent now is not in the backup.
    await fleet.declare(`${WEBHOOKS}  second: { target_url: "https://crm.example.com/second" }\n`);
    const sent = project.sandbox.webhooks().length;
    await says('"event":"configuration"');
    await expect.poll(() => project.sandbox.webhooks(), PATIENT).toHaveLength(sent + 1);
    await reconcile("emea", "unchanged");
    const webhooks = project.sandbox.webhooks().length;
    await meanwhile(way, url, async (name) => {
      await postgres.query(`DROP DATABASE ${name}`);
      await postgres.query(`ALTER DATABASE ${backup} RENAME TO ${name}`);
    });
    await reconcile("apac", "applied");
    // The configuration is newer than the backup, so every team is due.
    await says("An older state was restored");
    expect([await stateOf("emea"), await stateOf("apac")]).toEqual(["parked", "paused"]);
    expect(project.sandbox.webhooks()).toHaveLength(webhooks + 1);
    const { err } = await project.run(`controller run emea --database ${way.url}`);
    for (const part of [
      "An older state was restored",
      "a controller has seen serial",
      "outreach controller resume emea",
    ])
      expect(err).toContain(part);
    await project.run(`controller resume emea --database ${way.url}`);
    await expect.poll(() => stateOf("emea"), PATIENT).toMatch(/waiting|applied|unchanged|failed/);
    expect(await end()).toEqual(GOOD);
  }, 90_000);

  test("fails over to a standby, which only reads until it is promoted", async () => {
    const fleet = await openFleet();
    const primary = await startPostgres();
    const { way, says, reconcile, end } = await controlled(fleet, primary.url);
    await reconcile("emea", "applied");
    const standby = await startPostgres({ standbyOf: primary });
    try {
      const [head] = await ask(primary.url, "SELECT pg_current_wal_lsn()::text AS lsn");
      await expect
        .poll(
          async () =>
            (await ask(standby.url, `SELECT pg_last_wal_replay_lsn() >= '${String(head?.["lsn"])}' AS is_there`))[0]?.[
              "is_there"
            ],
          PATIENT,
        )
        .toBe(true);
      await primary.kill();
      way.lead(standby.url);
      await says("The database is not available: ");
      await ask(standby.url, "SELECT pg_promote()");
      await says("The database is available again.");
      await reconcile("emea", "unchanged");
      expect(await end()).toEqual(GOOD);
    } finally {
      await standby.stop();
      await primary.stop();
    }
  }, 90_000);
});

/** Debian's PgBouncer where it is installed, and a pool of the tests that takes and refuses the same everywhere. */
const POOLS = [startPooler, ...(PGBOUNCER === null ? [] : [startPgBouncer])];

describe.each(POOLS.map((start) => [start.name, start] as const))("behind a connection pool (%s)", (_, start) => {
  const through = async (mode: "session" | "transaction") => {
    const fleet = await openFleet();
    const pool = await start(fleet.url, mode);
    return { fleet, pool, url: Object.assign(new URL(fleet.url), { port: String(pool.port) }).href };
  };

  test("in session mode, a controller works", async () => {
    const { fleet, pool, url } = await through("session");
    const { reconcile, end } = await controlled(fleet, url);
    await reconcile("emea", "applied");
    expect(await end()).toEqual(GOOD);
    await pool.close();
  });

  test("in transaction mode, a controller is refused before its lock stays behind in it", async () => {
    const { fleet, pool, url } = await through("transaction");
    await fleet.declare(WEBHOOKS);
    const { code, err } = await fleet.controller(`--database ${url}`).ended;
    expect(code).toBe(1);
    expect(err).toContain("Name the server itself in the URL, or a pool in session mode.");
    const held =
      "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    expect(await postgres.query(held, fleet.url)).toEqual([{ count: 0 }]);
    await pool.close();
  });
});
