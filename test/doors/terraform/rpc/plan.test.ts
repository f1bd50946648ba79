import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type Json, NO_BYTES, ProviderUnderTest, UNKNOWN, plain, said, sandboxForTest, value, webhook } from "../provider-under-test.ts";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
const extra: ProviderUnderTest[] = [];

beforeAll(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  for (const one of extra.splice(0)) await one.kill();
});
afterAll(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

async function another(options: Partial<Parameters<typeof ProviderUnderTest.start>[0]> = {}): Promise<ProviderUnderTest> {
  const started = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good, folder: provider.folder, ...options });
  extra.push(started);
  return started;
}

describe("planning", () => {
  const url = "https://plan.example.com/";
  const prior = { state: webhook({ id: "hoo_1", created_at: "t", target_url: url, type: "emailsSent", secret: "s", secret_wo_version: 1 }), private: NO_BYTES };
  const same = { target_url: url, type: "emailsSent", secret: "s", secret_wo_version: 1 };

  it("a new webhook knows all but what the service gives it", async () => {
    const planned = await provider.plan(null, { target_url: url, secret: "s", secret_wo: null, campaign_id: UNKNOWN });
    expect(planned.planned).toEqual(webhook({ target_url: url, secret: "s", campaign_id: UNKNOWN, id: UNKNOWN, created_at: UNKNOWN }));
  });

  const changes: readonly [string, Json, readonly string[]][] = [
    ["nothing", {}, []],
    ["the address", { target_url: "https://other.example.com/" }, ["target_url"]],
    ["the same address written differently", { target_url: "https://plan.example.com" }, []],
    ["the type", { type: null }, ["type"]],
    ["a value that is not known yet", { campaign_id: UNKNOWN }, ["campaign_id"]],
    ["the secret", { secret: "t" }, ["secret"]],
    ["the write-only secret alone", { secret: "s", secret_wo: "new" }, []],
    ["the write-only secret's version", { secret_wo: "new", secret_wo_version: 2 }, ["secret_wo_version"]],
    ["is_first from absent to false", { is_first: false }, []],
    ["is_first from absent to true", { is_first: true }, ["is_first"]],
    ["our own setting", { allow_duplicate: true }, []],
  ];
  it.each(changes)("a change of %s replaces what it must", async (_what, change, replaces) => {
    const plan = await provider.plan(prior, { ...same, ...change });
    expect(plan.said).toEqual([]);
    expect(plan.replaces).toEqual(replaces);
    const computed = replaces.length > 0 ? { id: UNKNOWN, created_at: UNKNOWN } : { id: "hoo_1", created_at: "t" };
    expect(plan.planned).toEqual(webhook({ ...same, ...change, secret_wo: null, ...computed }));
  });

  it("a destroy plans nothing", async () => {
    const { plannedState, diagnostics } = await provider.rpc.planResourceChange({
      typeName: "outreach_webhook",
      priorState: value(prior.state),
      proposedNewState: value(null),
      config: value(null),
      priorPrivate: NO_BYTES,
      clientCapabilities: undefined,
    });
    expect([plain(plannedState), diagnostics]).toEqual([null, []]);
  });
});
