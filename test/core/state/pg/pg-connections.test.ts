import { afterEach, beforeEach, expect, test } from "vitest";
import type { PgConnection } from "../../../../src/core/state/pg/pg-connection.ts";
import { type PgConnections, keptConnections } from "../../../../src/core/state/pg/pg-connections.ts";
import { type PgServer, pgServer } from "../../../../src/core/state/pg/pg-server.ts";
import { pgStore } from "../../../../src/core/state/pg/pg-store.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { nodeRandom } from "../../../../src/platform/node-random.ts";
import { HOLDER, processOf, storePorts } from "../state-fixtures.ts";
import { usePostgres } from "./shared-postgres.ts";

const postgres = usePostgres();
const NEVER = new AbortController().signal;
const PORTS = storePorts({ clock: nodeClock, files: nodeFiles(), random: nodeRandom, process: processOf() });

let server: PgServer;
let connections: PgConnections;

beforeEach(async () => {
  const { value } = pgServer((await postgres.database()).url, {});
  if (!value) throw new Error("not a server");
  server = value;
  connections = keptConnections(nodeClock, nodeRandom.bytes(32));
});

afterEach(() => connections.close());

const connect = (): Promise<PgConnection> => connections.connect(server, PORTS, NEVER);
const pidOf = async (connection: PgConnection): Promise<unknown> =>
  (await connection.query({ text: "SELECT pg_backend_pid() AS pid" }, NEVER))[0]?.["pid"];

test("a connection goes from one user to the next, and never to two at once", async () => {
  const [one, two] = [await connect(), await connect()];
  const pids = [await pidOf(one), await pidOf(two)];
  expect(new Set(pids).size).toBe(2);
  await one.close();
  const next = await connect();
  expect(await pidOf(next)).toBe(pids[0]);
  await expect(one.query({ text: "SELECT 1" }, NEVER)).rejects.toThrow("another user");
  await Promise.all([two, next].map((connection) => connection.close()));
});

test("a connection of another user of the server is not taken", async () => {
  const own = await connect();
  const pid = await pidOf(own);
  await own.close();
  const other = await connections.connect({ ...server, applicationName: "other" }, PORTS, NEVER);
  expect(await pidOf(other)).not.toBe(pid);
  await other.close();
});

test("locks and channels end with their user", async () => {
  const first = await connect();
  const pid = await pidOf(first);
  const heard: string[] = [];
  first.listen("channel", (payload) => heard.push(payload));
  await first.query({ text: "SELECT pg_advisory_lock(17)" }, NEVER);
  await first.close();
  const second = await connect();
  expect(await pidOf(second)).toBe(pid);
  expect(
    await second.query(
      { text: "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()" },
      NEVER,
    ),
  ).toEqual([{ count: 0 }]);
  expect(await second.query({ text: "SELECT pg_listening_channels()" }, NEVER)).toEqual([]);
  second.listen("channel", () => undefined);
  await second.query({ text: "SELECT pg_notify('channel', 'to the second')" }, NEVER);
  await pidOf(second);
  expect(heard).toEqual([]);
  await second.close();
});

test.each([
  [
    "that was lost",
    async (connection: PgConnection) =>
      void (await postgres.query(`SELECT pg_terminate_backend(${String(await pidOf(connection))})`)),
  ],
  ["whose user has given it up", async (connection: PgConnection) => Promise.resolve(connection.destroy())],
  [
    "with a statement that failed",
    async (connection: PgConnection) =>
      void (await connection.query({ text: "SELECT 1 / 0" }, NEVER).catch(() => undefined)),
  ],
  [
    "with a statement that nobody waits for",
    async (connection: PgConnection) => {
      const stop = new AbortController();
      const asked = connection.query({ text: "SELECT pg_sleep(0.2)" }, stop.signal).catch(() => undefined);
      stop.abort();
      await asked;
    },
  ],
])("a connection %s is not kept", async (_, spoil) => {
  const connection = await connect();
  const pid = await pidOf(connection);
  await spoil(connection);
  await connection.close();
  const next = await connect();
  expect(await pidOf(next)).not.toBe(pid);
  await next.close();
});

test("two states after each other use one session, and the lock of the first one ends", async () => {
  const store = (name: string) => pgStore(server, { schema: "states", name }, { ...PORTS, pgConnections: connections });
  for (const name of ["one", "two", "one"]) {
    const one = store(name);
    const lock = await one.lock(HOLDER, 0, NEVER);
    expect(lock.lost.aborted).toBe(false);
    // As in a run that ends without releasing it.
    if (name === "two") await lock.release();
    await one.close();
  }
  const sessions = await postgres.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    `postgres://x/${server.database}`,
  );
  expect(sessions).toEqual([{ count: 1 }]);
});
