import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import {
  type Json,
  NO_BYTES,
  ProviderUnderTest,
  plain,
  said,
  sandboxForTest,
  webhook,
} from "../provider-under-test.ts";

const URL = "https://moved.example.com/";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
let id: string;

beforeEach(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
  id = sandbox.add("webhooks", { targetUrl: URL, type: "emailsSent", campaignId: "cam_000001" })._id;
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

async function move(state: Json | string, { from = "restapi_object", to = "outreach_webhook" } = {}) {
  const json = new TextEncoder().encode(typeof state === "string" ? state : JSON.stringify(state));
  const { targetState, targetPrivate, targetIdentity, diagnostics } = await provider.rpc.moveResourceState({
    sourceProviderAddress: "registry.terraform.io/mastercard/restapi",
    sourceTypeName: from,
    sourceSchemaVersion: 0,
    sourceState: { json, flatmap: {} },
    targetTypeName: to,
  });
  return {
    state: plain(targetState),
    private: targetPrivate,
    identity: plain(targetIdentity?.identityData),
    said: said(diagnostics),
    details: diagnostics.map(({ detail }) => detail).join(),
  };
}

/** What the other provider has in the state: the body that was sent, with the secret, and the answer. */
function restObject(): Json {
  const data = JSON.stringify({ targetUrl: URL, type: "emailsSent", secret: "s3cret" });
  return {
    id,
    path: "/hooks",
    data,
    api_response: "{}",
    api_data: { _id: id },
    create_response: "{}",
    id_attribute: "_id",
    debug: null,
  };
}

describe("a move from another provider's resource", () => {
  it("takes over the id of a restapi_object, and the next read the rest, without a request that writes", async () => {
    const moved = await move(restObject());
    expect(moved).toMatchObject({ state: webhook({ id }), identity: { id }, said: [] });
    const read = await provider.read(moved);
    const known = { target_url: URL, type: "emailsSent", campaign_id: "cam_000001" };
    expect([read.state, read.said]).toEqual([
      webhook({ ...known, id, created_at: sandbox.webhooks()[0]?.createdAt }),
      [],
    ]);
    const planned = await provider.plan(read, { ...known, secret: "s3cret" });
    expect([planned.replaces, planned.said]).toEqual([
      [],
      ["warning at secret: Imported values assumed, not verified"],
    ]);
    expect(sandbox.requests().every(({ method }) => method === "GET")).toBe(true);
  });

  it("needs no configured provider: Terraform moves before it configures", async () => {
    const configured = provider;
    provider = await ProviderUnderTest.start({ baseUrl: "", apiKey: "", folder: configured.folder });
    expect(await move(restObject())).toMatchObject({ state: webhook({ id }), said: [] });
    await configured.kill();
  });

  it("keeps the object of a planned webhook that was deleted meanwhile out of the state", async () => {
    const moved = await move({ ...restObject(), id: "hoo_nothere" });
    expect(await provider.read(moved)).toMatchObject({ state: null, said: [] });
  });

  it.each<readonly [string, Json, { readonly from?: string; readonly to?: string }, RegExp]>([
    [
      "another type",
      { id: "hoo_000001" },
      { from: "terraform_data" },
      /^error: The state of terraform_data does not identify the webhook$/,
    ],
    [
      "a state without an id",
      { path: "/hooks" },
      {},
      /^error: The state of restapi_object does not identify the webhook$/,
    ],
    ["an id that is a number", { id: 7 }, {}, /^error: The state of restapi_object does not identify the webhook$/],
    ["an object of another kind", { id: "cam_000001" }, {}, /^error: Invalid webhook id$/],
    [
      "what has no id of the service",
      { id: "lea_1" },
      { to: "outreach_lead_unsubscription" },
      /does not identify the lead unsubscription$/,
    ],
  ])("refuses %s", async (_what, state, types, expected) => {
    const refused = await move(state, types);
    expect(refused).toMatchObject({
      state: null,
      private: NO_BYTES,
      identity: null,
      said: [expect.stringMatching(expected)],
    });
  });

  it("says which import to write instead", async () => {
    const [hook, lead] = [
      await move({}, { from: "null_resource" }),
      await move({}, { from: "null_resource", to: "outreach_lead_unsubscription" }),
    ];
    expect(hook.details).toContain('to = outreach_webhook.NAME\n    id = "ID"');
    expect(lead.details).toContain('to = outreach_lead_unsubscription.NAME\n    id = "CAMPAIGN_ID/EMAIL"');
  });

  it("does not fail as a call where the state is damaged", async () => {
    for (const damaged of ["", "{", "null", "[]"])
      expect((await move(damaged)).said).toEqual([expect.stringMatching(/^error: /)]);
    expect((await move('{"id":"hoo_1"}', { to: "outreach_nothing" })).said).toEqual(["error: The provider failed"]);
  });
});
