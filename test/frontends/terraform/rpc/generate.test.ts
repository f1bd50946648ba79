import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type Json, ProviderUnderTest, plain, said, sandboxForTest, value, webhook } from "../provider-under-test.ts";

const URL = "https://generated.example.com/";

let sandbox: Sandbox;
let provider: ProviderUnderTest;

beforeEach(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

async function generate(state: Json | null, typeName = "outreach_webhook") {
  const { config, diagnostics } = await provider.rpc.generateResourceConfig({ typeName, state: value(state) });
  return { config: plain(config), said: said(diagnostics) };
}

describe("a generated configuration", () => {
  it("has what can be configured, as it was read, without the secret", async () => {
    sandbox.configure({ profile: { fields: { isFirst: "where-set", automationId: "where-set" } } });
    const { _id: id } = sandbox.add("webhooks", {
      targetUrl: URL,
      type: "emailsSent",
      campaignId: "cam_000001",
      isFirst: true,
      automationId: "7",
    });
    const { state } = await provider.import(id);
    const configured = {
      target_url: URL,
      type: "emailsSent",
      campaign_id: "cam_000001",
      is_first: true,
      automation_id: "7",
    };
    expect((await generate({ ...state, secret: "s3cret", secret_wo_version: 2 })).config).toEqual(
      webhook({ ...configured, secret_wo_version: 2 }),
    );
  });

  it("is one that the next plan finds no difference to", async () => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: URL, type: "emailsSent", campaignId: "cam_000001" });
    const imported = await provider.import(id);
    const { config } = await generate(imported.state);
    const { planned, replaces } = await provider.plan(imported, config ?? {});
    expect([replaces, planned]).toEqual([[], imported.state]);
  });

  it("lacks what the service does not show, which the next plan says, once: Terraform drops warnings of the call itself", async () => {
    sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const ids = ["a", "b"].map(
      (name) =>
        sandbox.add("webhooks", { targetUrl: `${URL}${name}`, type: "emailsSent", campaignId: "cam_000001" })._id,
    );
    const imported = await Promise.all(ids.map((id) => provider.import(id)));
    const configs = await Promise.all(imported.map(({ state }) => generate(state)));
    expect(configs.map((one) => [one.said, one.config?.["campaign_id"]])).toEqual([
      [[], null],
      [[], null],
    ]);
    const plans = [];
    for (const [index, kept] of imported.entries()) plans.push(await provider.plan(kept, configs[index]?.config ?? {}));
    expect(plans.map(({ said: warnings, replaces }) => [warnings, replaces])).toEqual([
      [["warning: Generated configuration lacks values that the service does not show"], []],
      [[], []],
    ]);
    expect(plans[0]?.diagnostics[0]?.detail).toMatch(
      /^The service does not show campaign_id, is_first, automation_id, secret of every webhook\./,
    );
  });

  it("of an unsubscription has its settings where they are not the default", async () => {
    const state = {
      id: null,
      contact_id: null,
      is_paused: null,
      outcome: "unsubscribed",
      campaign_id: "cam_000001",
      email: "ada@example.com",
    };
    const settings = { on_not_found: "accept", recheck: "24h", reassert: "never" };
    const { config, said: warnings } = await generate({ ...state, ...settings }, "outreach_lead_unsubscription");
    expect(warnings).toEqual([]);
    expect(config).toEqual({ ...state, outcome: null, on_not_found: "accept", recheck: null, reassert: null });
  });

  it("is null where the search did not ask for the object", async () => {
    expect(await generate(null)).toEqual({ config: null, said: [] });
  });

  it("needs no configured provider, and fails with a diagnostic", async () => {
    const unconfigured = await ProviderUnderTest.start({ baseUrl: "", apiKey: "", folder: provider.folder });
    const state = value(webhook({ id: "hoo_1", target_url: URL }));
    const { config, diagnostics } = await unconfigured.rpc.generateResourceConfig({
      typeName: "outreach_webhook",
      state,
    });
    expect([plain(config), diagnostics]).toEqual([webhook({ target_url: URL }), []]);
    await unconfigured.kill();
    sandbox.addFault({
      action: { kind: "answer", status: 401, body: "No API key provided" },
      method: "GET",
      times: null,
    });
    expect((await generate(webhook({ id: "hoo_1", target_url: URL }))).said).toEqual([
      expect.stringMatching(/^error: /),
    ]);
  });
});
