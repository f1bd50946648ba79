import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, type Server, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { TLSSocket, createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DiagnosticsError } from "../../../../src/core/model/diagnostic.ts";
import { type Certificate, createCertificate } from "../../../../src/frontends/terraform/plugin/certificate.ts";
import type { StateStore } from "../../../../src/core/state/state-store.ts";
import { type FakePooler, startPooler } from "./fake-pooler.ts";
import { usePgStores } from "./pg-fixtures.ts";
import { usePostgres } from "./shared-postgres.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const postgres = usePostgres();
const open = usePgStores();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const failure = (code: string) => ({ diagnostics: [{ code, severity: "error" }] });
let database: Awaited<ReturnType<typeof postgres.database>>;
const poolers: FakePooler[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  database = await postgres.database();
});
afterAll(async () => {
  for (const pooler of poolers) await pooler.close();
  for (const server of servers) server.close();
});

async function pooled(mode: "transaction" | "session"): Promise<string> {
  const pooler = await startPooler(database.url, mode);
  poolers.push(pooler);
  return at(pooler);
}

function at({ port }: FakePooler): string {
  const own = new URL(database.url);
  own.port = String(port);
  return own.href;
}

const advisoryLocks = async (): Promise<number> =>
  Number(
    (
      await postgres.query(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        database.url,
      )
    )[0]?.["count"],
  );

describe("a connection pool", () => {
  test("in transaction mode is refused before a lock stays behind in it", async () => {
    const url = await pooled("transaction");
    await expect(open(url).lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_pooled"));
    expect(await advisoryLocks()).toBe(0);
    await (await open(database.url).lock(HOLDER, 0, NEVER)).release();
  });

  test("in session mode holds locks", async () => {
    const url = await pooled("session");
    const store = open(url);
    const lock = await store.lock(HOLDER, 0, NEVER);
    await expect(open(database.url).lock(HOLDER, 0, NEVER)).rejects.toMatchObject(failure("state_locked"));
    await store.write(bytes("one"), (await store.read(NEVER))?.version ?? null, NEVER);
    await lock.release();
    expect(await advisoryLocks()).toBe(0);
  });

  test("that gives a write another session than the lock has, loses the lock: nothing is written", async () => {
    const store = open(database.url, { name: "moved" });
    const lock = await store.lock(HOLDER, 0, NEVER);
    await postgres.query(
      "UPDATE states.managed_states SET lock_session = lock_session + 1 WHERE name = 'moved'",
      database.url,
    );
    await expect(store.write(bytes("one"), null, NEVER)).rejects.toMatchObject(failure("state_pooled"));
    expect([lock.lost.aborted, await open(database.url, { name: "moved" }).read(NEVER)]).toEqual([true, null]);
    await lock.release();
    await (await open(database.url, { name: "moved" }).lock(HOLDER, 0, NEVER)).release();
  });

  test("that gives the release another session than the lock has, is reported, and the lock that stays there blocks nobody", async () => {
    const pooler = await startPooler(database.url, "session");
    poolers.push(pooler);
    const store = open(at(pooler), { name: "switched" });
    const lock = await store.lock(HOLDER, 0, NEVER);
    pooler.switchSessions();
    await expect(lock.release()).rejects.toMatchObject(failure("state_pooled"));
    expect(await advisoryLocks()).toBe(1);
    await (await open(database.url, { name: "switched" }).lock(HOLDER, 0, NEVER)).release();
  });
});

/** A user, with these rights and no others. */
async function userWith(name: string, ...grants: readonly string[]): Promise<string> {
  await postgres.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret-of-${name}'`);
  for (const grant of grants) await postgres.query(`GRANT ${grant} TO ${name}`, database.url);
  const own = new URL(database.url);
  [own.username, own.password] = [name, `secret-of-${name}`];
  return own.href;
}

const problemOf = async (store: StateStore, work: (store: StateStore) => Promise<unknown>): Promise<string> =>
  work(store).then(
    () => "no problem",
    (error: unknown) =>
      error instanceof DiagnosticsError
        ? error.diagnostics.map(({ code, detail, hint = "" }) => `${code}: ${detail} ${hint}`).join("\n")
        : String(error),
  );
const lockOf = (store: StateStore): Promise<unknown> => store.lock(HOLDER, 0, NEVER);

describe("a user", () => {
  test("who may use the schema and its tables needs no right to create anything", async () => {
    await open(database.url, { schema: "shared" }).write(bytes("one"), null, NEVER);
    const url = await userWith(
      "reader_and_writer",
      "USAGE ON SCHEMA shared",
      "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shared",
    );
    const store = open(url, { schema: "shared", name: "second" });
    const lock = await store.lock(HOLDER, 0, NEVER);
    await store.write(bytes("two"), null, NEVER);
    expect(await open(database.url, { schema: "shared", name: "second" }).heldLock(NEVER)).toMatchObject({
      id: lock.id,
    });
    await open(database.url, { schema: "shared", name: "second" }).forceUnlock(lock.id, NEVER);
    await expect.poll(() => lock.lost.aborted).toBe(true);
  });

  test("reads with the rights that the hint names for reading, and needs those for writing to lock and write", async () => {
    const write = async (store: StateStore): Promise<unknown> =>
      store.write(bytes("two"), (await store.read(NEVER))?.version ?? null, NEVER);
    await open(database.url, { schema: "granted" }).write(bytes("one"), null, NEVER);
    const url = await userWith("reader");
    const hint = await problemOf(open(url, { schema: "granted" }), (store) => store.read(NEVER));
    const [toRead, toWrite] = [/To read.*?: (.*)/, /To write.*?: (.*)/].map((line) => line.exec(hint)?.[1] ?? "") as [
      string,
      string,
    ];
    await postgres.query(toRead, database.url);
    expect(Buffer.from((await open(url, { schema: "granted" }).read(NEVER))?.bytes ?? []).toString()).toBe("one");
    for (const work of [lockOf, write])
      expect(await problemOf(open(url, { schema: "granted" }), work)).toMatch(/^state_denied: .*permission denied/);
    await postgres.query(toWrite, database.url);
    for (const work of [lockOf, write])
      expect(await problemOf(open(url, { schema: "granted" }), work)).toBe("no problem");
  });

  test.each<readonly [string, string, readonly string[], RegExp]>([
    [
      "who may create no schema",
      "nobody_1",
      [],
      /^state_denied: .*permission denied for database.* CREATE SCHEMA missing AUTHORIZATION nobody_1; or: GRANT CREATE ON DATABASE/,
    ],
    [
      "who may not use the schema",
      "nobody_2",
      [],
      /^state_denied: .*permission denied for schema existing[^]*GRANT USAGE ON SCHEMA existing TO nobody_2; GRANT SELECT ON [^]* GRANT USAGE, CREATE ON SCHEMA existing TO nobody_2;/,
    ],
    [
      "who may not use the tables",
      "nobody_3",
      ["USAGE ON SCHEMA existing"],
      /^state_denied: .*permission denied for table managed_states[^]*GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA existing TO nobody_3;/,
    ],
  ])("%s is told the statement to run", async (_, name, grants, problem) => {
    await open(database.url, { schema: "existing" })
      .lock(HOLDER, 0, NEVER)
      .then((lock) => lock.release());
    const url = await userWith(name, ...grants);
    expect(await problemOf(open(url, { schema: name === "nobody_1" ? "missing" : "existing" }), lockOf)).toMatch(
      problem,
    );
  });

  test("of a server that only reads is told so", async () => {
    const url = await userWith("on_replica");
    await postgres.query("ALTER ROLE on_replica SET default_transaction_read_only = on");
    await postgres.query("GRANT CREATE ON DATABASE " + database.name + " TO on_replica");
    expect(await problemOf(open(url, { schema: "replica" }), lockOf)).toMatch(
      /read-only transaction.*Name the primary server/,
    );
  });
});

/** TLS in front of the server, as the protocol begins it: the client asks, and the server agrees with one byte. */
async function startTls({ key, certificate }: Certificate): Promise<number> {
  const secureContext = createSecureContext({ key, cert: certificate });
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write("S");
      const client = new TLSSocket(socket, { isServer: true, secureContext });
      const upstream = connect(Number(new URL(database.url).port), "127.0.0.1");
      for (const one of [client, upstream]) one.on("error", () => [client, upstream].forEach((end) => end.destroy()));
      client.pipe(upstream).pipe(client);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("a connection with TLS", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-tls-"));
  const file = path.join(folder, "authority.pem");
  let port = 0;
  beforeAll(async () => {
    const certificate = createCertificate("localhost");
    writeFileSync(file, certificate.certificate);
    port = await startTls(certificate);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const url = (host: string, query: string): string => {
    const own = new URL(`${database.url}?${query}`);
    [own.hostname, own.port] = [host, String(port)];
    return own.href;
  };
  const ready = (of: string): Promise<string> => problemOf(open(of), (store) => store.read(NEVER));

  test("needs a server whose certificate an authority signed that is known or named", async () => {
    expect(await ready(url("localhost", "sslmode=verify-full"))).toMatch(
      /^state_unreachable: .*no known authority signed the server's certificate.* sslrootcert=PATH/,
    );
    expect(await ready(url("localhost", `sslmode=verify-full&sslrootcert=${file}`))).toBe("no problem");
  });

  test("needs a certificate for the host of the URL", async () => {
    expect(await ready(url("127.0.0.1", `sslmode=require&sslrootcert=${file}`))).toMatch(
      /^state_unreachable: .*the server's certificate is for another host name/,
    );
  });

  test("takes any certificate only with no-verify", async () => {
    expect(await ready(url("127.0.0.1", "sslmode=no-verify"))).toBe("no problem");
  });
});

describe("a connection that is refused is explained", () => {
  const changed = (change: (url: URL) => void): string => {
    const own = new URL(database.url);
    change(own);
    return own.href;
  };
  test.each<readonly [string, () => string, RegExp]>([
    [
      "a wrong password",
      () => changed((url) => (url.password = "hunter2")),
      /^state_denied: postgres:\/\/127.0.0.1:\d+\/test_\S+ refused the user test_\S+: wrong user or password\./,
    ],
    [
      "no password",
      () => changed((url) => (url.password = "")),
      /^state_denied: .* asks for a password, and the URL has none\./,
    ],
    [
      "an unknown database",
      () => changed((url) => (url.pathname = "/nowhere")),
      /^state_unreachable: .* the database nowhere does not exist\. Create it: CREATE DATABASE nowhere;/,
    ],
    [
      "a port where nothing listens",
      () => changed((url) => (url.port = "1")),
      /^state_unreachable: .* the connection was refused\./,
    ],
    [
      "an unknown host",
      () => changed((url) => (url.hostname = "db.invalid")),
      /^state_unreachable: .* the host name (is unknown|could not be looked up)\./,
    ],
    [
      "a server without TLS",
      () => changed((url) => (url.search = "?sslmode=require")),
      /^state_unreachable: .* the server does not support TLS\. .*sslmode=disable/,
    ],
    [
      "a file that is not there",
      () => changed((url) => (url.search = "?sslmode=require&sslrootcert=/nowhere.pem")),
      /^state_setting_invalid: .* the file \/nowhere.pem, which cannot be read/,
    ],
  ])("%s", async (_, url, problem) => {
    const text = await problemOf(open(url()), (store) => store.assertReady(NEVER));
    expect(text).toMatch(problem);
    expect(text).not.toMatch(/hunter2|secret-of/);
  });
});
