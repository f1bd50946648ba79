import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import {
  CONFIGURABLE,
  type Kept,
  NO_BYTES,
  ProviderUnderTest,
  UNKNOWN,
  sandboxForTest,
  webhook,
} from "./provider-under-test.ts";

const URL_A = "https://a.example.com/hook";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
let processes: ProviderUnderTest[];

beforeEach(async () => {
  sandbox = await sandboxForTest();
  processes = [];
  provider = await start();
});
afterEach(async () => {
  for (const one of processes) await one.kill();
  provider.removeFolder();
  await sandbox.close();
});

async function start(options: Partial<Parameters<typeof ProviderUnderTest.start>[0]> = {}): Promise<ProviderUnderTest> {
  const folder = processes[0]?.folder;
  const started = await ProviderUnderTest.start({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    ...(folder === undefined ? {} : { folder }),
    ...options,
  });
  processes.push(started);
  return started;
}

function idOf(kept: Pick<Kept, "state">): string {
  return String(kept.state?.["id"]);
}

function sent(): readonly string[] {
  return sandbox.requests().map(({ method, path }) => `${method} ${path}`);
}

describe("create, read, delete", () => {
  it("sends what was planned, records it, and finds no difference", async () => {
    const attributes = {
      target_url: URL_A,
      type: "emailsReplied",
      campaign_id: "cam_000001",
      is_first: true,
      automation_id: "auto",
      secret: "s3cret",
    };
    const created = await provider.create(attributes);
    expect(created.said).toEqual([]);
    expect(sandbox.webhooks()).toMatchObject([
      {
        _id: idOf(created),
        targetUrl: URL_A,
        type: "emailsReplied",
        campaignId: "cam_000001",
        isFirst: true,
        automationId: "auto",
        secret: "s3cret",
      },
    ]);
    const read = await provider.read(created);
    expect(read.state).toEqual(created.state);
    expect((await provider.plan(read, attributes)).planned).toEqual(created.state);
    expect((await provider.delete(read)).state).toBeNull();
    expect(sandbox.webhooks()).toEqual([]);
  });

  it("says at the campaign what to check, when the service refuses an unknown one", async () => {
    const refused = await provider.create({ target_url: URL_A, campaign_id: "cam_999999" });
    expect(refused).toMatchObject({ state: null, said: ["error at campaign_id: The service refused the request"] });
  });

  it("takes the write-only secret from the configuration, and stores it nowhere", async () => {
    const created = await provider.create({ target_url: URL_A, secret_wo: "wr1te-only", secret_wo_version: 1 });
    expect(sandbox.webhooks()[0]?.secret).toBe("wr1te-only");
    expect(created.state).toMatchObject({ secret: null, secret_wo: null, secret_wo_version: 1 });
    expect(Buffer.from(created.private).toString()).not.toContain("wr1te-only");
  });

  it("keeps the declared way of writing, whatever the service returns", async () => {
    sandbox.configure({ profile: { normalizeUrls: true } });
    const created = await provider.create({ target_url: "https://A.example.com" });
    expect(created.state?.["target_url"]).toBe("https://A.example.com");
    expect((await provider.read(created)).state).toEqual(created.state);
  });

  it("sees what others have changed, and what is gone", async () => {
    const [changed, gone] = [
      await provider.create({ target_url: URL_A }),
      await provider.create({ target_url: "https://b.example.com/" }),
    ];
    sandbox.change("webhooks", idOf(changed), { targetUrl: "https://evil.example.com/" });
    sandbox.remove("webhooks", idOf(gone));
    const later = await start();
    expect((await later.read(changed)).state?.["target_url"]).toBe("https://evil.example.com/");
    expect((await later.read(gone)).state).toBeNull();
    expect((await later.plan(await later.read(changed), { target_url: URL_A })).replaces).toEqual(["target_url"]);
  });

  it("deletes what is already gone", async () => {
    const created = await provider.create({ target_url: URL_A });
    sandbox.remove("webhooks", idOf(created));
    expect(await provider.delete(created)).toMatchObject({ state: null, said: [] });
  });

  it("records a setting of ours without a request", async () => {
    const created = await provider.create({ target_url: URL_A });
    const {
      planned,
      private: bytes,
      replaces,
    } = await provider.plan(created, { target_url: URL_A, allow_duplicate: true });
    const before = sent().length;
    const applied = await provider.apply(created, planned, {
      config: { target_url: URL_A, allow_duplicate: true },
      private: bytes,
    });
    expect([replaces, applied.state?.["allow_duplicate"], sent().length]).toEqual([[], true, before]);
  });
});

describe("import", () => {
  it("records what the service does not show without a request, then finds no difference", async () => {
    const { _id: id } = sandbox.add("webhooks", {
      targetUrl: URL_A,
      type: "emailsSent",
      campaignId: "cam_000001",
      secret: "old",
    });
    sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const attributes = {
      target_url: URL_A,
      type: "emailsSent",
      campaign_id: "cam_000001",
      secret: "old",
      is_first: false,
      secret_wo_version: null,
    };
    const imported = await provider.import(id);
    expect(imported.state).toEqual(
      webhook({ id, target_url: URL_A, type: "emailsSent", created_at: imported.state?.["created_at"] }),
    );
    const { planned, private: bytes, replaces } = await provider.plan(imported, attributes);
    expect([replaces, planned]).toEqual([
      [],
      webhook({ ...attributes, id, created_at: imported.state?.["created_at"] }),
    ]);
    const applied = await provider.apply(imported, planned, { config: attributes, private: bytes });
    const read = await (await start()).read(applied);
    expect((await provider.plan(read, attributes)).planned).toEqual(read.state);
    expect((await provider.plan(read, { ...attributes, campaign_id: "cam_000002" })).replaces).toEqual(["campaign_id"]);
    expect(sent().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  it("of an id that is not one, or not there", async () => {
    expect(await provider.import("../campaigns")).toMatchObject({ state: null, said: ["error: Invalid webhook id"] });
    expect(await provider.import("hoo_nothere")).toMatchObject({ state: null, said: [] });
  });
});

describe("what goes wrong", () => {
  it("a refused create leaves nothing behind", async () => {
    const created = await provider.create({ target_url: URL_A, campaign_id: "cam_000101" });
    expect(created).toMatchObject({ state: null, said: ["error: The service refused the request"] });
  });

  it("an undecided delete stays in the state", async () => {
    const created = await provider.create({ target_url: URL_A });
    sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "DELETE" });
    const deleted = await provider.delete(created);
    expect(deleted).toMatchObject({ state: created.state, said: ["error: The outcome of a write is undecided"] });
    expect(deleted.diagnostics[0]?.detail).toMatch(
      /The webhook stays recorded: the next apply looks for it, and deletes it if it still exists\.$/,
    );
    expect(deleted.diagnostics[0]?.detail).not.toContain("duplicate");
  });

  it("an HTML page that says 404 is not gone", async () => {
    const created = await provider.create({ target_url: URL_A });
    sandbox.addFault({ action: { kind: "html", status: 404 }, method: "DELETE" });
    expect((await provider.delete(created)).state).toEqual(created.state);
  });

  it("a list that cannot be read changes nothing", async () => {
    const created = await provider.create({ target_url: URL_A });
    sandbox.addFault({ action: { kind: "answer", status: 400, body: "Bad team" }, times: null });
    const later = await start();
    expect(await later.read(created)).toEqual({
      state: created.state,
      private: created.private,
      said: ["error: The service could not be read"],
      diagnostics: expect.anything() as unknown,
    });
  });

  it("a list that cannot be read says nothing about what it was asked for", async () => {
    const created = await provider.create({ target_url: URL_A });
    const later = await start();
    await later.read(created);
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://b.example.com/" });
    const state = webhook({ id, target_url: "https://b.example.com/" });
    await later.rpc.upgradeResourceState({
      typeName: "outreach_webhook",
      version: 0,
      rawState: { json: Buffer.from(JSON.stringify(state)), flatmap: {} },
    });
    sandbox.addFault({ action: { kind: "answer", status: 400, body: "Bad team" } });
    expect((await later.read({ state: webhook({ id: "hoo_1", target_url: URL_A }), private: NO_BYTES })).said).toEqual([
      "error: The service could not be read",
    ]);
    expect((await later.read({ state, private: NO_BYTES })).state).toMatchObject({ id });
  });

  it("nothing counts as missing from a list that may be truncated", async () => {
    const created = await provider.create({ target_url: URL_A });
    sandbox.remove("webhooks", idOf(created));
    for (let index = 0; index < 10; index++)
      sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` });
    sandbox.configure({ profile: { offset: false } });
    expect(await (await start()).read(created)).toMatchObject({
      state: created.state,
      said: ["warning: A webhook is missing from a list that may be truncated"],
    });
  });

  it("an unknown type is an answer, not a broken call", async () => {
    const { diagnostics } = await provider.rpc.applyResourceChange({
      typeName: "outreach_nothing",
      priorState: undefined,
      plannedState: undefined,
      config: undefined,
      plannedPrivate: NO_BYTES,
    });
    expect(diagnostics).toHaveLength(1);
  });
});

describe("keys and addresses", () => {
  it("another team's key is an error, not gone", async () => {
    const created = await provider.create({ target_url: URL_A });
    const other = await start({ apiKey: sandbox.keys.otherTeam });
    expect(await other.read(created)).toMatchObject({
      state: created.state,
      said: ["error: The webhook is not visible with this API key"],
    });
    expect(await other.delete(created)).toMatchObject({
      state: created.state,
      said: ["error: The webhook is not visible with this API key"],
    });
    expect(sandbox.webhooks()).toHaveLength(1);
  });

  it("another key of the same team goes on", async () => {
    const created = await provider.create({ target_url: URL_A });
    const other = await start({ apiKey: sandbox.keys.sameTeam });
    const read = await other.read(created);
    expect(read).toMatchObject({ state: created.state, said: [] });
    sandbox.remove("webhooks", idOf(created));
    expect((await (await start({ apiKey: sandbox.keys.sameTeam })).read(read)).state).toBeNull();
  });

  it("another address is an error, even where the same id exists", async () => {
    const created = await provider.create({ target_url: URL_A });
    const elsewhere = await sandboxForTest();
    const other = await start({ baseUrl: elsewhere.baseUrl });
    elsewhere.add("webhooks", { _id: idOf(created), targetUrl: URL_A });
    expect(await other.read(created)).toMatchObject({
      state: created.state,
      said: ["error: The webhook belongs to another service"],
    });
    expect(await other.delete(created)).toMatchObject({
      state: created.state,
      said: ["error: The webhook belongs to another service"],
    });
    expect(elsewhere.webhooks()).toHaveLength(1);
    await elsewhere.close();
  });
});

describe("duplicates", () => {
  it("an identical unmanaged webhook stops a create, with an import block to copy", async () => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: URL_A });
    const created = await provider.create({ target_url: URL_A });
    expect(created).toMatchObject({ state: null, said: ["error: An identical unmanaged webhook exists"] });
    expect(created.diagnostics[0]?.detail).toMatch(
      new RegExp(`import \\{\\s+to = outreach_webhook\\.NAME\\s+id = "${id}"`),
    );
    expect((await provider.create({ target_url: URL_A, allow_duplicate: true })).said).toEqual([]);
  });

  it("the old object of a create_before_destroy is none, although the applying process never sees it", async () => {
    const created = await provider.create({ target_url: URL_A, secret: "one" });
    const changed = { target_url: URL_A, secret: "two" };
    const planning = await start();
    expect((await planning.plan(await planning.read(created), changed)).replaces).toEqual(["secret"]);
    await planning.shutdown();
    const applying = await start();
    const replacement = await applying.create(changed);
    expect(replacement.said).toEqual([]);
    expect(sandbox.webhooks()).toHaveLength(2);
    expect((await applying.delete(created)).state).toBeNull();
    expect(sandbox.webhooks()).toMatchObject([{ _id: idOf(replacement), secret: "two" }]);
    expect((await applying.create(changed)).said).toEqual(["error: The same webhook is declared twice"]);
    expect(sandbox.webhooks()).toHaveLength(1);
  });
});

describe("requests", () => {
  it("one list serves thousands of reads at a time", async () => {
    const records = Array.from({ length: 1050 }, (_, index) =>
      sandbox.add("webhooks", { targetUrl: `${URL_A}/${String(index)}` }),
    );
    sandbox.clearRequests();
    const reads = await Promise.all(
      records.flatMap(({ _id: id, targetUrl }) =>
        Array.from({ length: 5 }, () =>
          provider.read({ state: webhook({ id, target_url: targetUrl }), private: NO_BYTES }),
        ),
      ),
    );
    expect(reads.every(({ state, said }) => state !== null && said.length === 0)).toBe(true);
    expect(sent()).toEqual(["GET /hooks"]);
  });

  it("what was not asked for with the list is looked for once more, all together", async () => {
    const present = await provider.create({ target_url: URL_A });
    const later = await start();
    sandbox.clearRequests();
    await later.read(present);
    const gone = await Promise.all(
      ["hoo_1", "hoo_2", "hoo_3"].map((id) =>
        later.read({ state: webhook({ id, target_url: URL_A }), private: NO_BYTES }),
      ),
    );
    expect(gone.map(({ state }) => state)).toEqual([null, null, null]);
    expect(sent().length).toBeLessThanOrEqual(3);
  });

  it("stopping ends what waits", async () => {
    sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "GET" });
    const created = await start();
    const reading = created.read({ state: webhook({ id: "hoo_1" }), private: NO_BYTES });
    await delay(50);
    expect(await created.rpc.stopProvider({})).toEqual({ Error: "" });
    expect((await reading).said).toEqual(["error: Stopped"]);
    expect(await created.create({ target_url: URL_A })).toMatchObject({ state: null, said: ["error: Stopped"] });
    expect(sandbox.webhooks()).toEqual([]);
  });

  it.each(["POST", "DELETE"])(
    "stopping ends the wait of a %s that the rate limit refuses, and nothing is open",
    async (method) => {
      const one = await start();
      const kept = method === "DELETE" ? await one.create({ target_url: URL_A }) : null;
      const before = sent().length;
      const writes = (): readonly string[] =>
        sent()
          .slice(before)
          .filter((line) => line.startsWith(method));
      sandbox.addFault({ action: { kind: "answer", status: 429, headers: { "retry-after": "300" } }, method });
      const writing = kept ? one.delete(kept) : one.create({ target_url: URL_A });
      while (writes().length === 0) await delay(5);
      await one.rpc.stopProvider({});
      expect(await writing).toMatchObject({
        state: kept?.state ?? null,
        said: ["error: The request was not carried out"],
      });
      const later = await start();
      expect((kept ? await later.delete(kept) : await later.create({ target_url: URL_A })).said).toEqual([]);
      expect([writes().length, sandbox.webhooks().length]).toEqual([2, kept ? 0 : 1]);
    },
  );
});

it("an unknown value may stand in any attribute of a plan", async () => {
  for (const name of CONFIGURABLE.filter((one) => one !== "secret_wo")) {
    const plan = await provider.plan(null, { target_url: `${URL_A}/${name}`, [name]: UNKNOWN });
    expect(plan.said).toEqual([]);
    expect(plan.planned?.[name]).toBe(UNKNOWN);
  }
});
