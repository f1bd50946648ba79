import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ListResource_Event } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { eventsOf } from "./protocol-client.ts";
import {
  type Json,
  ProviderUnderTest,
  UNKNOWN,
  plain,
  said,
  sandboxForTest,
  value,
  webhook,
} from "./provider-under-test.ts";

const WEBHOOK = { typeName: "outreach_webhook" };
const NO_FILTER = { target_url: null, type: null, campaign_id: null };
const HOOKS = [
  { targetUrl: "https://a.example.com/", type: "emailsSent", campaignId: "cam_000001" },
  { targetUrl: "https://a.example.com", type: "emailsReplied" },
  { targetUrl: "https://b.example.com/hook" },
];

let sandbox: Sandbox;
let provider: ProviderUnderTest;
let ids: readonly string[];
beforeEach(async () => {
  sandbox = await sandboxForTest();
  ids = HOOKS.map((hook) => sandbox.add("webhooks", hook)._id);
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

async function query(filters: Json = {}, { limit = 100, includeResourceObject = false, of = provider } = {}) {
  const config = value({ ...NO_FILTER, ...filters });
  return eventsOf(of.rpc.listResource({ ...WEBHOOK, config, includeResourceObject, limit }));
}

/** Which of the webhooks above were found, by their places. */
function found(events: readonly ListResource_Event[]): readonly number[] {
  return events.flatMap(({ identity }) =>
    identity ? [ids.indexOf(String(plain(identity.identityData)?.["id"]))] : [],
  );
}

function told(events: readonly ListResource_Event[]): readonly string[] {
  return events.flatMap(({ diagnostic }) => said(diagnostic));
}

describe("a query of webhooks", () => {
  it("finds them all, each with its identity and a name for people", async () => {
    const events = await query();
    expect([found(events), told(events)]).toEqual([[0, 1, 2], []]);
    expect(events.map(({ displayName }) => displayName)).toEqual([
      "https://a.example.com/ (emailsSent, cam_000001)",
      "https://a.example.com (emailsReplied, all campaigns)",
      "https://b.example.com/hook (all events, all campaigns)",
    ]);
    expect(events.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
  });

  it("shows is_first and automation_id of each where the list does", async () => {
    sandbox.configure({ profile: { fields: { isFirst: "where-set", automationId: "where-set" } } });
    sandbox.add("webhooks", {
      targetUrl: "https://c.example.com/",
      type: "emailsSent",
      isFirst: true,
      automationId: "37709957",
    });
    const events = await query({}, { includeResourceObject: true });
    expect(events.at(-1)?.displayName).toBe(
      "https://c.example.com/ (emailsSent, all campaigns, first activities, automation 37709957)",
    );
    expect(plain(events.at(-1)?.resourceObject)).toMatchObject({ is_first: true, automation_id: "37709957" });
    expect(plain(events.find(({ resourceObject }) => resourceObject)?.resourceObject)).toMatchObject({
      is_first: false,
      automation_id: null,
    });
  });

  const filters: readonly [string, Json, readonly number[]][] = [
    ["an address, however it is written", { target_url: "https://a.example.com" }, [0, 1]],
    ["an event type", { type: "emailsReplied" }, [1]],
    ["a campaign", { campaign_id: "cam_000001" }, [0]],
    ["several of them", { target_url: "https://a.example.com/", campaign_id: "cam_000001" }, [0]],
    ["what no webhook has", { target_url: "https://a.example.com/", type: "smsSent" }, []],
  ];
  it.each(filters)("finds by %s", async (_what, given, expected) => {
    const events = await query(given);
    expect([found(events), told(events)]).toEqual([expected, []]);
  });

  it.each([
    [1, [0]],
    [2, [0, 1]],
    [0, [0, 1, 2]],
  ])("ends at its limit (%i; 0 is none)", async (limit, expected) => {
    expect(found(await query({}, { limit }))).toEqual(expected);
  });

  it("gives the whole objects when asked for, with null for what is not shown, and says so", async () => {
    const [warning, event] = await query({ type: "emailsSent" }, { includeResourceObject: true });
    const created = sandbox.webhooks()[0]?.createdAt;
    expect(said(warning?.diagnostic ?? [])).toEqual([
      "warning: Generated configuration lacks values that the service does not show",
    ]);
    expect(plain(event?.resourceObject)).toEqual(
      webhook({
        id: ids[0],
        target_url: "https://a.example.com/",
        type: "emailsSent",
        campaign_id: "cam_000001",
        created_at: created,
      }),
    );
  });

  it("asks the service for one list, however many queries there are", async () => {
    sandbox.clearRequests();
    await Promise.all([query(), query({ type: "emailsSent" }), query({ campaign_id: "cam_000001" })]);
    await query({}, { limit: 1 });
    expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /hooks"]);
  });

  it("says so when the service does not show a filtered attribute", async () => {
    sandbox.addFault({
      action: {
        kind: "answer",
        status: 200,
        body: JSON.stringify([{ _id: ids[0], targetUrl: "https://a.example.com/" }]),
      },
      method: "GET",
      times: null,
    });
    const events = await query({ campaign_id: "cam_000001" });
    expect([found(events), told(events)]).toEqual([
      [],
      ["warning at campaign_id: The list does not show a filtered attribute"],
    ]);
    expect((await query()).map(({ displayName }) => displayName)).toEqual(["https://a.example.com/"]);
  });

  it("says so when the list may be cut off, and gives what it shows", async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => ({
      _id: `hoo_x${String(index)}`,
      targetUrl: "https://many.example.com/",
    }));
    sandbox.addFault({
      action: { kind: "answer", status: 200, body: JSON.stringify(hundred) },
      method: "GET",
      times: null,
    });
    const events = await query();
    expect([found(events).length, told(events)]).toEqual([100, ["warning: The list may be truncated"]]);
  });

  it("fails with a diagnostic, not as a call", async () => {
    sandbox.addFault({
      action: { kind: "answer", status: 401, body: "No API key provided" },
      method: "GET",
      times: null,
    });
    expect(told(await query())).toEqual([expect.stringMatching(/^error: /)]);
    const unconfigured = await ProviderUnderTest.start({ baseUrl: UNKNOWN, apiKey: "key", folder: provider.folder });
    expect(told(await query({}, { of: unconfigured }))).toEqual(["error: The provider is not configured yet"]);
    await unconfigured.kill();
    const other = provider.rpc.listResource({
      typeName: "outreach_lead_unsubscription",
      config: value({}),
      includeResourceObject: false,
      limit: 1,
    });
    expect(told(await eventsOf(other))).toEqual(["error: The provider failed"]);
  });
});

describe("the configuration of a query", () => {
  const cases: readonly [string, Json, readonly string[]][] = [
    ["nothing", {}, []],
    ["everything", { target_url: "http://insecure.example.com/", type: "emailsSent", campaign_id: "cam_1" }, []],
    ["a removed event type, which an old webhook may have", { type: "skipped" }, []],
    ["a mistyped event type", { type: "emailSent" }, ["error at type: Unknown event type"]],
    ["another kind of id", { campaign_id: "lea_1" }, ["error at campaign_id: Invalid campaign id"]],
    ["what is not known yet", { target_url: UNKNOWN, type: UNKNOWN, campaign_id: UNKNOWN }, []],
  ];
  it.each(cases)("may hold %s, or reports a mistake", async (_what, filters, expected) => {
    const { diagnostics } = await provider.rpc.validateListResourceConfig({
      ...WEBHOOK,
      config: value({ ...NO_FILTER, ...filters }),
    });
    expect(said(diagnostics)).toEqual(expected);
  });

  it("has the schema of the filters, of a type that is managed and has an identity", async () => {
    const { listResourceSchemas, resourceSchemas } = await provider.rpc.getProviderSchema({});
    const { identitySchemas } = await provider.rpc.getResourceIdentitySchemas({});
    const { listResources } = await provider.rpc.getMetadata({});
    expect(listResources).toEqual([WEBHOOK]);
    expect(
      Object.entries(listResourceSchemas).map(([type, { block }]) => [
        type,
        block?.attributes.map(({ name, optional }) => [name, optional]),
      ]),
    ).toEqual([
      [
        "outreach_webhook",
        [
          ["target_url", true],
          ["type", true],
          ["campaign_id", true],
        ],
      ],
    ]);
    for (const type of Object.keys(listResourceSchemas))
      expect([type in resourceSchemas, type in identitySchemas]).toEqual([true, true]);
  });
});
