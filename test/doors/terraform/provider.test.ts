import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { type Json, NO_BYTES, ProviderUnderTest, UNKNOWN, plain, said, sandboxForTest, value, webhook } from "./provider-under-test.ts";

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

describe("metadata", () => {
  it("names every resource and data source, and what may be skipped", async () => {
    const metadata = await provider.rpc.getMetadata({});
    expect(metadata.resources).toContainEqual({ typeName: "outreach_webhook" });
    expect(metadata.dataSources).toContainEqual({ typeName: "outreach_campaign" });
    expect(metadata.serverCapabilities).toEqual({ planDestroy: false, getProviderSchemaOptional: true, moveResourceState: false });
    expect((await provider.rpc.getFunctions({})).diagnostics).toEqual([]);
  });

  it("gives the same schemas as it names", async () => {
    const { resourceSchemas, dataSourceSchemas, provider: own } = await provider.rpc.getProviderSchema({});
    const { resources, dataSources } = await provider.rpc.getMetadata({});
    expect(Object.keys(resourceSchemas)).toEqual(resources.map(({ typeName }) => typeName));
    expect(Object.keys(dataSourceSchemas)).toEqual(dataSources.map(({ typeName }) => typeName));
    expect(own?.block?.attributes.map(({ name, sensitive }) => [name, sensitive])).toEqual([
      ["base_url", false],
      ["api_key", true],
    ]);
  });
});

describe("the provider block", () => {
  const environment = { baseUrl: "https://environment.example.com/api", apiKey: "from-environment" };
  const none = { baseUrl: undefined, apiKey: "" };
  const blocks: readonly [string, Json, typeof environment | typeof none, readonly string[]][] = [
    ["takes its attributes", { base_url: "https://api.example.com/api", api_key: "key" }, none, []],
    ["takes the environment for what is absent", { base_url: null, api_key: null }, environment, []],
    [
      "tells what is missing, on the attribute",
      { base_url: null, api_key: null },
      none,
      ["error at base_url: No address of the service", "error at api_key: No API key"],
    ],
    ["waits for what is unknown", { base_url: UNKNOWN, api_key: UNKNOWN }, none, []],
    ["sends no key in the clear", { base_url: "http://api.example.com", api_key: "key" }, none, ["error at base_url: Invalid address of the service"]],
    ["takes the attribute before the environment", { base_url: "nonsense", api_key: null }, environment, ["error at base_url: Invalid address of the service"]],
  ];
  it.each(blocks)("%s", async (_what, config, given, expected) => {
    const process = await another({ environment: given });
    const { diagnostics } = await process.rpc.configureProvider({ terraformVersion: "1.11.4", config: value(config), clientCapabilities: undefined });
    expect(said(diagnostics)).toEqual(expected);
  });

  it("is checked before it is used", async () => {
    const check = async (baseUrl: string) =>
      said((await provider.rpc.validateProviderConfig({ config: value({ base_url: baseUrl, api_key: null }) })).diagnostics);
    expect(await check("ftp://api.example.com")).toEqual(["error at base_url: Invalid address of the service"]);
    expect(await check(UNKNOWN)).toEqual([]);
  });

  it("plans while it is not known, reads nothing and sends nothing", async () => {
    const process = await another();
    await process.rpc.configureProvider({ terraformVersion: "1.11.4", config: value({ base_url: UNKNOWN, api_key: null }), clientCapabilities: undefined });
    const kept = { state: webhook({ id: "hoo_x", target_url: "https://a.example.com/" }), private: NO_BYTES };
    const seen = sandbox.requests().length;
    expect((await process.plan(null, { target_url: "https://a.example.com/" })).said).toEqual([]);
    expect(await process.read(kept)).toEqual({ ...kept, said: [] });
    const data = await process.rpc.readDataSource({ typeName: "outreach_campaign", config: value({ id: "cam_000001" }), clientCapabilities: undefined });
    expect(said(data.diagnostics)).toEqual(["error: The provider is not configured yet"]);
    expect((await process.create({ target_url: "https://a.example.com/" })).said).toEqual(["error: The provider is not configured yet"]);
    expect(sandbox.requests()).toHaveLength(seen);
  });
});

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

describe("stored states", () => {
  const upgrade = async (json: string, version = 0) => {
    const { upgradedState, diagnostics } = await provider.rpc.upgradeResourceState({
      typeName: "outreach_webhook",
      version,
      rawState: { json: new TextEncoder().encode(json), flatmap: {} },
    });
    return [plain(upgradedState), said(diagnostics)];
  };

  it("are read as they are, without what is no longer in the schema", async () => {
    expect(await upgrade('{"id":"hoo_1","target_url":"https://ü.example.com/","secret_wo_version":3,"gone":[1]}')).toEqual([
      webhook({ id: "hoo_1", target_url: "https://ü.example.com/", secret_wo_version: 3 }),
      [],
    ]);
  });

  it("of a newer version, or damaged, are refused", async () => {
    expect(await upgrade("{}", 1)).toEqual([null, ["error: The provider failed"]]);
    expect(await upgrade("{")).toEqual([null, ["error: The provider failed"]]);
  });
});

describe("data sources", () => {
  it("return what was asked for, whole", async () => {
    const { state, diagnostics } = await provider.rpc.readDataSource({
      typeName: "outreach_campaign",
      config: value({ name: "Q3 launch" }),
      clientCapabilities: undefined,
    });
    expect(diagnostics).toEqual([]);
    expect(plain(state)).toMatchObject({ id: "cam_000001", name: "Q3 launch", labels: ["launch", "emea"], has_error: false });
  });

  it("say what was not found", async () => {
    const { diagnostics } = await provider.rpc.readDataSource({
      typeName: "outreach_campaign",
      config: value({ name: "Q3 lunch" }),
      clientCapabilities: undefined,
    });
    expect(said(diagnostics)).toEqual(["error: No such campaign"]);
    expect(diagnostics[0]?.detail).toMatch(/Did you mean "Q3 launch"/);
  });
});
