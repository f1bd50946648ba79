import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import type { LoggedRequest } from "../../../../src/sandbox/request-log.ts";
import { usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import { read } from "../../../docs/pages.ts";
import { type Project, type Running, until, useProjects } from "../project.ts";

// Some stories start many processes.
vi.setConfig({ testTimeout: 180_000 });

const postgres = usePostgres();
const openProject = useProjects();
const url = (name: string): string => `https://crm.example.com/${name}`;
const configuration = (...names: readonly string[]): string =>
  `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: "${url(name)}" }\n`).join("")}`;
const CONFIGURATION = "outreach.yaml";
/** Creates that an apply sends at once. */
const IN_FLIGHT = 4;

let project: Project;
let database: Awaited<ReturnType<typeof postgres.database>>;

beforeEach(async () => {
  database = await postgres.database();
  project = await openProject({ realTime: "a connection does not wait by a clock that jumps" });
  Object.assign(project.environment, {
    OUTREACH_STATE: `${database.url}?schema=automation&name=prod`,
    OUTREACH_TIMEOUT: "10s",
  });
  project.write(CONFIGURATION, configuration("one", "two", "three"));
});

const live = (): readonly string[] =>
  project.sandbox
    .webhooks()
    .map(({ targetUrl }) => targetUrl)
    .toSorted();
const targets = (...names: readonly string[]): readonly string[] => names.map(url).toSorted();

/** Longer than a request may be sent after it was announced. */
const LATER_MS = 11_000;

/** What a new runner has, some time later: the configuration, and nothing else. */
function newRunner(text: string): void {
  project.clock.pass(LATER_MS);
  for (const file of Object.keys(project.files())) rmSync(path.join(project.folder, file));
  project.write(CONFIGURATION, text);
}

function writes(): readonly LoggedRequest[] {
  return project.sandbox.requests().filter(({ method }) => method !== "GET");
}

/** Starts an apply, and resolves when its write number `count` is held at the service: before it is processed, or after. All later ones are held, too. */
async function heldApply(count: number, when: "before" | "after"): Promise<Running> {
  const from = writes().length;
  const isHeld = ({ id }: LoggedRequest): boolean =>
    writes()
      .slice(from + count - 1)
      .some((one) => one.id === id);
  project.sandbox.addFault({ action: { kind: "late", delayMs: 3_600_000 }, times: null, where: isHeld, when });
  const running = project.start("apply --auto-approve");
  const over = new AbortController();
  void running.ended.then(() => over.abort());
  const hasCome = (): boolean => {
    const request = writes()[from + count - 1];
    return request !== undefined && (when === "before" || request.processed);
  };
  while (!over.signal.aborted && !hasCome()) await delay(2);
  if (over.signal.aborted) expect.fail(`the apply was over before: ${(await running.ended).err}`);
  return running;
}

test("a state in PostgreSQL is planned, applied, listed, pulled and pushed, and nothing of it is on the disk", async () => {
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 2 });
  const applied = await project.run("apply --auto-approve");
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("Resources: 3 added") as string });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  expect((await project.run("state list")).out.trim().split("\n").toSorted()).toEqual(
    ["one", "three", "two"].map((name) => `outreach_webhook.${name}`),
  );
  const pulled = await project.run("state pull");
  expect(JSON.parse(pulled.out)).toMatchObject({ serial: expect.any(Number) as number });
  expect(Object.keys(project.files())).toEqual([CONFIGURATION]);
  project.write("pulled.json", pulled.out);
  expect(await project.run("state push pulled.json")).toMatchObject({ code: 0 });
  expect(await project.run("state lock")).toMatchObject({ code: 0 });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  expect(live()).toEqual(targets("one", "two", "three"));
  const elsewhere = await project.run("state list", { OUTREACH_STATE: `${database.url}?schema=automation` });
  expect(elsewhere).toMatchObject({
    code: 1,
    err: expect.stringContaining("schema=automation&name=default") as string,
  });
  expect(JSON.stringify([applied, pulled, elsewhere])).not.toContain(database.password);
});

test("a second run is told who holds the lock, and with a time-out waits for it", async () => {
  const first = await heldApply(1, "before");
  const refused = await project.run("apply --auto-approve");
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/is locked by .*apply, since/) as string });
  const waiting = project.start("apply --auto-approve --lock-timeout 60s");
  let told = "";
  waiting.child.stderr?.on("data", (chunk: string) => (told += chunk));
  await until(() => /Waiting up to \S+ for the lock/.test(told), "the second run waits");
  project.sandbox.clearFaults();
  first.child.kill("SIGKILL");
  await first.ended;
  expect(await waiting.ended).toMatchObject({ code: 0 });
  expect(live()).toEqual(targets("one", "two", "three"));
});

test.each([
  ["before it is processed", "before"],
  ["after it was processed", "after"],
] as const)(
  "an apply that is killed at a write, %s, with its disk thrown away, is recovered by the next runner without a stale lock",
  async (_, when) => {
    for (const count of [1, 2, 3]) {
      const names = ["one", "two", "three"].map((name) => `${name}${String(count)}`);
      newRunner(configuration(...names));
      const { child, ended } = await heldApply(count, when);
      child.kill("SIGKILL");
      await ended;
      newRunner(configuration(...names));
      project.sandbox.clearFaults();
      expect(await project.run("apply --auto-approve --lock-timeout 10s")).toMatchObject({ code: 0 });
      expect(live()).toEqual(targets(...names));
      expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    }
  },
);

test("a run whose session is ended stops sending, and the next one recovers what it had announced", async () => {
  project.write(CONFIGURATION, configuration(...Array.from({ length: 30 }, (_, index) => `w${String(index)}`)));
  const { ended } = await heldApply(2, "after");
  await until(() => writes().length === 1 + IN_FLIGHT, "as many requests as may be in flight");
  await postgres.query("SELECT pg_terminate_backend(lock_session) FROM automation.managed_states", database.url);
  const ran = await ended;
  expect(ran).toMatchObject({
    code: 1,
    err: expect.stringMatching(/The lock .* ended with its session.*an administrator ended the connection/s) as string,
  });
  expect(writes().length).toBe(1 + IN_FLIGHT);
  project.sandbox.clearFaults();
  newRunner(configuration("one"));
  expect(await project.run("apply --auto-approve --allow-deletes")).toMatchObject({ code: 0 });
  expect(live()).toEqual(targets("one"));
});

test("force-unlock releases the lock that was shown, and its holder sends and stores nothing more", async () => {
  const { ended } = await heldApply(1, "after");
  const { id } = JSON.parse((await project.run("state lock --json")).out) as { readonly id: string };
  expect(await project.run("force-unlock --force 00000000-0000-0000-0000-000000000000")).toMatchObject({
    code: 1,
    err: expect.stringContaining(id) as string,
  });
  expect(await project.run(`force-unlock --force ${id}`)).toMatchObject({ code: 0 });
  const ran = await ended;
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("The state lock was lost") as string });
  project.sandbox.clearFaults();
  newRunner(configuration("one", "two", "three"));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(live()).toEqual(targets("one", "two", "three"));
});

test("the settings come from the configuration, and the URL from a secret, which no output contains", async () => {
  project.environment["OUTREACH_STATE"] = undefined;
  project.write(CONFIGURATION, `${configuration("one")}state: { backend: pg, schema: automation, name: eu }\n`);
  expect(await project.run("plan")).toMatchObject({ code: 1, err: expect.stringContaining("PG_CONN_STR") as string });
  project.environment["PG_CONN_STR"] = database.url;
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(await postgres.query("SELECT name FROM automation.managed_states", database.url)).toEqual([{ name: "eu" }]);
  const wrong = await project.run("plan", { PG_CONN_STR: database.url.replace(database.password, "another-password") });
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringMatching(/refused the user .*: wrong user or password/) as string,
  });
  expect(wrong.err).not.toMatch(/another-password/);
});

test("the guide's two roles suffice: the one that reads for plan --lock=false and drift --lock=false, the other one to apply", async () => {
  const [, sql = ""] = /```sql\n(CREATE ROLE [^`]*)```/.exec(read("docs/guides/state-postgresql.md")) ?? [];
  await postgres.query(sql, database.url);
  const as = (user: string): { readonly OUTREACH_STATE: string } => {
    const state = new URL(database.url);
    [, state.password = ""] = new RegExp(`ROLE ${user} LOGIN PASSWORD '(.*?)'`).exec(sql) ?? [];
    state.username = user;
    return { OUTREACH_STATE: state.href };
  };
  expect(await project.run("plan --lock=false --detailed-exitcode", as("outreach_reader"))).toMatchObject({ code: 2 });
  expect(await project.run("apply --auto-approve", as("outreach"))).toMatchObject({ code: 0 });
  expect(await project.run("plan --lock=false --detailed-exitcode", as("outreach_reader"))).toMatchObject({ code: 0 });
  expect(await project.run("drift --lock=false", as("outreach_reader"))).toMatchObject({ code: 0, err: "" });
  const locked = await project.run("plan", as("outreach_reader"));
  expect([locked.code, locked.err]).toEqual([
    1,
    expect.stringMatching(/To read, which suffices without a lock: GRANT USAGE ON SCHEMA/),
  ]);
});

test("a typo in the name of the state is said first by plan, and drift does not pass", async () => {
  await project.run("apply --auto-approve");
  const typo = { OUTREACH_STATE: `${database.url}?schema=automation&name=prdo` };
  const planned = await project.run("plan", typo);
  expect([planned.code, planned.err]).toEqual([
    1,
    expect.stringMatching(
      /^Warning: No state exists at this place[^]*name=prdo does not exist[^]*A typo in OUTREACH_STATE[^]*Error: An identical unmanaged webhook exists/,
    ),
  ]);
  const drifted = await project.run("drift", typo);
  expect([drifted.code, drifted.out.split("\n")[0], drifted.err]).toEqual([
    1,
    "Drift cannot be determined. 3 unmanaged.",
    expect.stringMatching(
      /Error: No state was found[^]*name=prdo does not exist[^]*compared nothing[^]*A typo in OUTREACH_STATE/,
    ),
  ]);
  // Nothing to destroy may also be the wrong place.
  const destroyed = await project.run("destroy --auto-approve", typo);
  expect([destroyed.code, destroyed.err]).toEqual([
    0,
    expect.stringMatching(/^Note: No state exists yet[^]*name=prdo does not exist: outreach manages nothing yet/),
  ]);
  expect((await project.run("plan")).err).toBe("");
});

test("a role that only reads is refused with advice to use the URL of a role that writes, before any GRANT", async () => {
  await project.run("apply --auto-approve");
  const role = `reader_of_${database.name}`;
  await postgres.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  await postgres.query(
    `GRANT USAGE ON SCHEMA automation TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA automation TO ${role}`,
    database.url,
  );
  const url = new URL(`${database.url}?schema=automation&name=prod`);
  [url.username, url.password] = [role, "x"];
  const reader = { OUTREACH_STATE: url.href };
  expect(await project.run("plan --lock=false", reader)).toMatchObject({ code: 0 });
  const order =
    /Is OUTREACH_STATE set in the environment of this job, to the URL of a role that may do this\?\nTo lock and write, use the URL of a role that writes\.[^]*GRANT/;
  expect(await project.run("apply --auto-approve", reader)).toMatchObject({
    code: 1,
    err: expect.stringMatching(order) as string,
  });
  // A place in the configuration has no such variable.
  project.write(
    CONFIGURATION,
    `version: 1\nstate: { backend: pg, url: { env: READER }, schema: automation, name: prod }\nwebhooks: {}\n`,
  );
  const configured = await project.run("apply --auto-approve", {
    OUTREACH_STATE: undefined,
    READER: url.href.replace(/\?.*/, ""),
  });
  expect([configured.code, configured.err]).toEqual([
    1,
    expect.stringMatching(/To lock and write, use the URL of a role that writes\.[^]*GRANT/),
  ]);
  expect(configured.err).not.toContain("OUTREACH_STATE");
});

test("a line end behind the URL is ignored, and the placeholder of a secret that is not set names the secret", async () => {
  expect(
    await project.run("apply --auto-approve", { OUTREACH_STATE: `${database.url}?schema=automation&name=prod\n` }),
  ).toMatchObject({ code: 0 });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  const unset = await project.run("plan", { OUTREACH_STATE: "set-the-secret://OUTREACH_STATE" });
  expect([unset.code, unset.err]).toEqual([
    1,
    expect.stringMatching(
      /^Error: A secret of this job is not set \[state_place\][^]*the secret OUTREACH_STATE does not exist, or this job cannot read it/,
    ),
  ]);
  expect(unset.err).not.toContain("://");
  expect(await project.run("plan", { OUTREACH_STATE: "\n" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("has only spaces") as string,
  });
});
