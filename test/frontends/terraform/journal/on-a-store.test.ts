import { rmSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import type { OpenStore } from "../../../../src/core/state/state-store.ts";
import { type MemoryPlace, memoryPlace, memoryStore } from "../../../core/state/memory-store.ts";
import { decodeLedger } from "../../../../src/frontends/provider-journal/ledger.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { SERVER_PASSWORD, startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { type LoggedS3Request, startS3Server } from "../../../core/state/s3/s3-server.ts";
import { usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import { storePorts } from "../../../core/state/state-fixtures.ts";
import type { Kept, ProviderUnderTest } from "../provider-under-test.ts";
import { URL_A, dying, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const TAKEN = "warning: An earlier run already created this webhook";
const PENDING = "warning: The outcome of an earlier write is not known yet";
const LATER = { ...nodeClock, now: () => nodeClock.now() + 240_000 };

/** A store that all runners reach. */
function storeAt(place: MemoryPlace): OpenStore {
  return () => Promise.resolve(memoryStore(nodeClock, place));
}

/** Each runner has a host and a disk of its own; the disk goes with it. */
async function runner(
  host: string,
  place: MemoryPlace,
  options: Parameters<typeof story.start>[0] = {},
): Promise<ProviderUnderTest> {
  rmSync(story.folder, { recursive: true, force: true });
  return story.start({ place: { host }, store: storeAt(place), ...options });
}

describe("a runner that dies with its disk", () => {
  it("after it sent a create: the next one finds the webhook once the create is certainly over", async () => {
    const place = memoryPlace();
    const first = await runner("one", place);
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", where: dying(first) });
    first.create(ATTRIBUTES).catch(() => undefined);
    await vi.waitFor(() => expect(story.live()).toHaveLength(1), { timeout: 20_000 });
    const next = await runner("two", place, { clock: LATER });
    expect(next.greeting).toEqual([PENDING]);
    const created = await next.create(ATTRIBUTES);
    expect([created.said, [idOf(created)], story.posts()]).toEqual([[TAKEN], story.live(), 1]);
  });

  it("after a create that Terraform did not record: the next one returns its webhook at once", async () => {
    const place = memoryPlace();
    const first = await runner("one", place);
    const made = await first.create(ATTRIBUTES);
    await first.kill();
    const created = await (await runner("two", place)).create(ATTRIBUTES);
    expect([idOf(created), created.said, story.posts()]).toEqual([idOf(made), [TAKEN], 1]);
  });

  it("with an object without an id in Terraform's state: the next one gets its id", async () => {
    const place = memoryPlace();
    const first = await runner("one", place);
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
    story.sandbox.addFault({
      method: "GET",
      action: { kind: "answer", status: 400, body: "Bad team" },
      times: null,
      skip: 1,
    });
    const kept: Kept = await first.create(ATTRIBUTES);
    expect(kept.state?.["id"]).toBeNull();
    await first.kill();
    story.sandbox.clearFaults();
    expect((await (await runner("two", place)).read(kept)).state?.["id"]).toBe(story.live()[0]);
  });
});

describe.each(["plain", "gitlab"] as const)("on a server of the http backend (%s)", (dialect) => {
  it("a runner that died is recovered by the next one, and each leaves the journal unlocked", async () => {
    const server = await startHttpStateServer(dialect);
    const { value: open } = chooseStore(
      { backend: "http", settings: { ...server.settings(), password: { env: "PASSWORD" } } },
      {},
    );
    const store: OpenStore = (ports) =>
      open?.(storePorts(ports, { PASSWORD: SERVER_PASSWORD })) ?? expect.fail("no store");
    const first = await story.start({ place: { host: "one" }, store });
    const made = await first.create(ATTRIBUTES);
    await first.kill();
    const next = await story.start({ place: { host: "two" }, store });
    const created = await next.create(ATTRIBUTES);
    expect([idOf(created), created.said, story.posts()]).toEqual([idOf(made), [TAKEN], 1]);
    await next.shutdown();
    const planning = await story.start({ store });
    await planning.read(created);
    await planning.shutdown();
    expect(JSON.parse(String(server.state()))).toMatchObject({ journal: 1, processes: {}, scopes: [] });
    expect([server.lock(), server.violations]).toEqual([null, []]);
    await server.close();
  });
});

describe("in a bucket", () => {
  it("a runner that died is recovered by the next one, lost answers of the store included, and nothing is locked", async () => {
    const server = await startS3Server();
    const environment = {
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
      AWS_REGION: server.region,
      AWS_ENDPOINT_URL_S3: server.url,
    };
    const { value: open } = chooseStore({ named: `s3://${server.bucket}/journal.json` }, environment);
    const store: OpenStore = (ports) => open?.(storePorts(ports, environment)) ?? expect.fail("no store");
    const isWrite = ({ method, key }: LoggedS3Request): boolean => method === "PUT" && key === "journal.json";
    let lost = 2;
    server.setFault((request) => (isWrite(request) && lost-- > 0 ? { kind: "lost", when: "after" } : null));
    const first = await story.start({ place: { host: "one" }, store });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", where: dying(first) });
    first.create(ATTRIBUTES).catch(() => undefined);
    await vi.waitFor(() => expect(story.live()).toHaveLength(1), { timeout: 20_000 });
    const next = await story.start({ place: { host: "two" }, store, clock: LATER });
    expect(next.greeting).toEqual([PENDING]);
    const [here, beside] = await Promise.all([
      next.create(ATTRIBUTES),
      next.create({ target_url: "https://b.example.com/" }),
    ]);
    expect([here.said, story.live().includes(idOf(here)), beside.said, story.posts()]).toEqual([[TAKEN], true, [], 2]);
    await next.shutdown();
    const planning = await story.start({ store });
    for (const one of [here, beside]) await planning.read(one);
    await planning.shutdown();
    expect([...server.objects.keys()]).toEqual(["journal.json"]);
    const { processes, scopes } = decodeLedger(
      server.objects.get("journal.json")?.body ?? new Uint8Array(),
      "journal.json",
    );
    expect([
      processes,
      scopes.flatMap(({ creates }) => Object.values(creates).map(({ outcome }) => outcome.kind)),
    ]).toEqual([{}, ["over", "over"]]);
    expect(lost).toBeLessThanOrEqual(0);
    await server.close();
  });
});

describe("in PostgreSQL, by its URL", () => {
  const postgres = usePostgres();

  it("a runner that died is recovered by the next one, and no message shows the password", async () => {
    const { url, password } = await postgres.database();
    const variables = { OUTREACH_JOURNAL: url };
    const first = await story.start({ place: { host: "one" }, variables });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", where: dying(first) });
    first.create(ATTRIBUTES).catch(() => undefined);
    await vi.waitFor(() => expect(story.live()).toHaveLength(1), { timeout: 20_000 });
    const soon = await story.start({
      place: { host: "two" },
      variables,
      clock: { ...nodeClock, now: () => nodeClock.now() + 90_000 },
    });
    const blocked = await soon.create(ATTRIBUTES);
    expect(blocked.said).toEqual(["error: The outcome of an earlier create is undecided"]);
    expect(JSON.stringify([blocked.diagnostics, soon.greetings])).not.toContain(password);
    await soon.shutdown();
    const next = await story.start({ place: { host: "two" }, variables, clock: LATER });
    const created = await next.create(ATTRIBUTES);
    expect([created.said, [idOf(created)], story.posts()]).toEqual([[TAKEN], story.live(), 1]);
    await next.shutdown();
  });
});

it("a plan reads the journal, and writes nothing", async () => {
  const place = memoryPlace();
  const applying = await runner("one", place);
  const kept = await applying.create(ATTRIBUTES);
  await applying.shutdown();
  const refreshing = await runner("two", place);
  await refreshing.read(kept);
  await refreshing.shutdown();
  const { writes } = place.counts;
  const planning = await runner("three", place);
  const read = await planning.read(kept);
  expect((await planning.plan(read, ATTRIBUTES)).said).toEqual([]);
  await planning.shutdown();
  expect(place.counts).toEqual({ writes, locks: 0 });
});

it("a store that cannot be reached is reported, and nothing is sent", async () => {
  const unreachable: OpenStore = () =>
    Promise.resolve({
      ...memoryStore(nodeClock),
      read: () => Promise.reject(new Error("the store refused the connection")),
    });
  const provider = await story.start({ store: unreachable });
  expect(provider.greeting).toEqual(["warning: The journal cannot be read"]);
  expect(await provider.create(ATTRIBUTES)).toMatchObject({
    state: null,
    said: ["error: The journal could not be written"],
  });
  expect(story.posts()).toBe(0);
});
