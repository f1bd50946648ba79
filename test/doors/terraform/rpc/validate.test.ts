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

describe("validation", () => {
  const url = "https://a.example.com/";
  const cases: readonly [string, Json, readonly string[]][] = [
    ["a whole webhook", { target_url: url, type: "emailsReplied", campaign_id: "cam_1", secret: "s" }, []],
    ["an address without https", { target_url: "http://a.example.com/" }, ["error at target_url: Invalid target URL"]],
    ["a mistyped event", { target_url: url, type: "emailReplied" }, ["error at type: Unknown event type"]],
    ["a removed event", { target_url: url, type: "skipped" }, ["error at type: Removed event type"]],
    ["another kind of id", { target_url: url, campaign_id: "lea_1" }, ["error at campaign_id: Invalid campaign id"]],
    ["two secrets", { target_url: url, secret: "a", secret_wo: "b" }, ["error at secret_wo: Two secrets for one webhook"]],
    ["several mistakes", { target_url: "x", type: "x" }, ["error at target_url: Invalid target URL", "error at type: Unknown event type"]],
  ];
  it.each(cases)("of %s", async (_what, attributes, expected) => {
    expect(await provider.validate(attributes)).toEqual(expected);
  });

  it.each(["target_url", "type", "campaign_id", "is_first", "automation_id", "secret", "secret_wo", "secret_wo_version", "allow_duplicate"])(
    "lets an unknown %s pass",
    async (name) => {
      expect(await provider.validate({ target_url: url, [name]: UNKNOWN })).toEqual([]);
    },
  );

  it("keeps write-only values from a Terraform that would store them", async () => {
    expect(await provider.validate({ target_url: url, secret_wo: "s" }, { writeOnly: false })).toEqual([
      "error at secret_wo: Write-only attributes need a newer Terraform",
    ]);
  });

  it("of a data source names the rule over several attributes", async () => {
    const { diagnostics } = await provider.rpc.validateDataResourceConfig({ typeName: "outreach_campaign", config: value({ id: "cam_1", name: "x" }) });
    expect(said(diagnostics)).toEqual(["error: A campaign with id and name"]);
  });
});
