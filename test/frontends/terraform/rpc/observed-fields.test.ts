import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ListProfileChange } from "../../../../src/sandbox/list-profile.ts";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { ProviderUnderTest, plain, said, sandboxForTest, value } from "../provider-under-test.ts";
import { unsubscriptionCalls } from "./unsubscription-calls.ts";

const URL_OF = { crm: "https://crm.example.com/hook", other: "https://other.example.com/hook" };
const BASE = { target_url: URL_OF.crm, type: "emailsSent" };
const FIELDS = { isFirst: "where-set", automationId: "where-set" } as const;

let sandbox: Sandbox;
let provider: ProviderUnderTest;

beforeEach(async () => {
  sandbox = await sandboxForTest();
  show(FIELDS);
  sandbox.add("webhooks", {
    _id: "hoo_other",
    targetUrl: URL_OF.other,
    type: "emailsSent",
    campaignId: "cam_000001",
    isFirst: true,
    automationId: "1",
  });
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

function show(fields: NonNullable<ListProfileChange["fields"]>): void {
  sandbox.configure({ profile: { fields } });
}

/** The same object in the next process, which reads the list again. */
async function next(): Promise<void> {
  const { folder } = provider;
  await provider.kill();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good, folder });
}

function change(id: unknown, fields: object): void {
  sandbox.change("webhooks", String(id), fields);
}

describe("is_first and automation_id that the list shows", () => {
  it("are compared with what was sent: a number by its value, and false as none", async () => {
    const config = { ...BASE, automation_id: "0037709957" };
    const created = await provider.create(config);
    await next();
    const read = await provider.read(created);
    expect(read).toMatchObject({ said: [], state: { automation_id: "0037709957", is_first: null } });
    expect(await provider.plan(read, config)).toMatchObject({ replaces: [], planned: read.state });
  });

  it.each([
    ["is_first", { isFirst: true }, { is_first: true }],
    ["automation_id", { automationId: "8" }, { automation_id: "8" }],
  ])("are drift where they changed: %s", async (name, changed, shown) => {
    const config = { ...BASE, automation_id: "7" };
    const created = await provider.create(config);
    await next();
    const read = await provider.read(created);
    change(read.state?.["id"], changed);
    await next();
    const again = await provider.read(read);
    expect(again).toMatchObject({ said: [], state: shown });
    expect((await provider.plan(again, config)).replaces).toEqual([name]);
  });

  it("that differ from those sent are recorded with one warning, and are no drift", async () => {
    const config = { ...BASE, automation_id: "crm-sync" };
    const created = await provider.create(config);
    change(created.state?.["id"], { automationId: "0" });
    await next();
    const read = await provider.read(created);
    expect(read).toMatchObject({
      said: ["warning: The service returns a different value than the one sent"],
      state: { automation_id: "crm-sync" },
    });
    await next();
    const again = await provider.read(read);
    expect(again).toMatchObject({ said: [], state: { automation_id: "crm-sync" } });
    expect((await provider.plan(again, config)).replaces).toEqual([]);
    change(created.state?.["id"], { automationId: "9" });
    await next();
    expect(await provider.read(again)).toMatchObject({ said: [], state: { automation_id: "9" } });
  });

  it("are imported as they are, so that nothing changes where the configuration leaves out a default", async () => {
    sandbox.add("webhooks", { _id: "hoo_tool", targetUrl: URL_OF.crm, type: "emailsSent", automationId: "37709957" });
    const imported = await provider.import("hoo_tool");
    expect(imported.state).toMatchObject({ automation_id: "37709957", is_first: null });
    expect(await provider.plan(imported, { ...BASE, automation_id: "37709957" })).toMatchObject({
      replaces: [],
      planned: imported.state,
    });
    expect((await provider.plan(imported, BASE)).replaces).toEqual(["automation_id"]);
    expect((await provider.import("hoo_other,is_first=false")).state).toMatchObject({ is_first: true });
  });

  it("keep a create from being taken for an identical one, and are in the data source", async () => {
    sandbox.add("webhooks", { _id: "hoo_first", targetUrl: URL_OF.crm, type: "emailsSent", isFirst: true });
    expect((await provider.create(BASE)).said).toEqual(["error: A similar unmanaged webhook exists"]);
    const { state } = await provider.rpc.readDataSource({
      typeName: "outreach_webhooks",
      config: value({ webhooks: null, ids: null }),
      clientCapabilities: undefined,
    });
    expect(plain(state)).toMatchObject({
      webhooks: [
        { is_first: true, automation_id: "1" },
        { is_first: true, automation_id: null },
      ],
    });
  });
});

it.each(["null", "empty"] as const)("a field that is %s on every record is unobserved", async (form) => {
  show({ type: form, campaignId: form, isFirst: form, automationId: form });
  const config = { ...BASE, campaign_id: "cam_000001", is_first: true, automation_id: "7" };
  const created = await provider.create(config);
  await next();
  const read = await provider.read(created);
  expect(read).toMatchObject({ said: [], state: created.state });
  expect((await provider.plan(read, config)).replaces).toEqual([]);
});

it("a field of a listed webhook that cannot be read is unobserved, with one warning", async () => {
  const created = await provider.create(BASE);
  const body = JSON.stringify([
    { _id: created.state?.["id"], targetUrl: URL_OF.crm, type: [] },
    { _id: "hoo_other", targetUrl: URL_OF.other, type: "emailsSent" },
  ]);
  sandbox.addFault({ action: { kind: "answer", status: 200, body }, operation: "listWebhooks", times: null });
  await next();
  const read = await provider.read(created);
  expect(read).toMatchObject({
    said: ["warning: The service returned values that cannot be read"],
    state: created.state,
  });
  expect((await provider.plan(read, BASE)).replaces).toEqual([]);
});

describe("an unsubscription", () => {
  it("is recorded where the service writes booleans as text and ids as numbers", async () => {
    sandbox.configure({ profile: { values: "text" } });
    const email = String(sandbox.records("leads").find(({ campaignId }) => campaignId === "cam_000001")?.email);
    const done = await unsubscriptionCalls(provider).apply(null, { campaign_id: "cam_000001", email });
    expect(done).toMatchObject({
      said: [],
      state: { is_paused: expect.any(Boolean) as boolean, contact_id: expect.stringMatching(/^\d+$/) as string },
    });
  });

  it("is recorded where the answer cannot be read, with a warning", async () => {
    const email = "ada@example.com";
    const body = JSON.stringify({ _id: "lea_1", email, isPaused: {}, contactId: ["con_1"] });
    sandbox.addFault({ action: { kind: "answer", status: 200, body }, operation: "unsubscribeLead" });
    const done = await unsubscriptionCalls(provider).apply(null, { campaign_id: "cam_000001", email });
    expect(done.state).toMatchObject({ id: "lea_1", is_paused: null, contact_id: null, outcome: "unsubscribed" });
    expect(said(done.diagnostics)).toEqual(["warning: The service returned values that cannot be read"]);
  });
});
