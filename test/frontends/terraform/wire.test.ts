import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProviderDefinition } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import type { Handlers } from "../../../src/frontends/terraform/plugin/grpc.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { type ProtocolClient, eventsOf } from "./protocol-client.ts";
import { NO_BYTES, ProviderUnderTest, UNKNOWN, sandboxForTest, said, value, webhook } from "./provider-under-test.ts";

type Rpc = ProtocolClient["provider"];

const WEBHOOK = { typeName: "outreach_webhook" };
const HOOK = webhook({ target_url: "https://wire.example.com/" });
const NULL = value(null);
const EXPORT = { actionType: "outreach_campaign_export", config: value({ campaign_id: "cam_1" }) };
const json = (object: object) => ({ json: new TextEncoder().encode(JSON.stringify(object)), flatmap: {} });

/** A case for every RPC that is served; each answers with diagnostics, or with what holds its events. */
const SERVED: { readonly [M in keyof Handlers<typeof ProviderDefinition>]: (rpc: Rpc) => unknown } = {
  getMetadata: (rpc) => rpc.getMetadata({}),
  getProviderSchema: (rpc) => rpc.getProviderSchema({}),
  validateProviderConfig: (rpc) => rpc.validateProviderConfig({ config: value({ base_url: null, api_key: null }) }),
  validateResourceConfig: (rpc) => rpc.validateResourceConfig({ ...WEBHOOK, config: value(HOOK) }),
  validateDataResourceConfig: (rpc) =>
    rpc.validateDataResourceConfig({ typeName: "outreach_webhooks", config: value({}) }),
  upgradeResourceState: (rpc) => rpc.upgradeResourceState({ ...WEBHOOK, version: 0, rawState: json({ id: "hoo_1" }) }),
  getResourceIdentitySchemas: (rpc) => rpc.getResourceIdentitySchemas({}),
  upgradeResourceIdentity: (rpc) =>
    rpc.upgradeResourceIdentity({ ...WEBHOOK, version: 0, rawIdentity: json({ id: "hoo_1" }) }),
  configureProvider: (rpc) =>
    rpc.configureProvider({ terraformVersion: "1.14.0", config: value({ base_url: UNKNOWN, api_key: UNKNOWN }) }),
  readResource: (rpc) =>
    rpc.readResource({ ...WEBHOOK, currentState: value(webhook({ id: "hoo_1" })), private: NO_BYTES }),
  planResourceChange: (rpc) =>
    rpc.planResourceChange({
      ...WEBHOOK,
      priorState: NULL,
      proposedNewState: value(HOOK),
      config: value(HOOK),
      priorPrivate: NO_BYTES,
    }),
  applyResourceChange: (rpc) =>
    rpc.applyResourceChange({
      ...WEBHOOK,
      priorState: NULL,
      plannedState: NULL,
      config: NULL,
      plannedPrivate: NO_BYTES,
    }),
  importResourceState: (rpc) =>
    rpc.importResourceState({ typeName: "outreach_lead_unsubscription", id: "cam_1/ada@example.com" }),
  moveResourceState: (rpc) =>
    rpc.moveResourceState({
      sourceProviderAddress: "registry.terraform.io/mastercard/restapi",
      sourceTypeName: "restapi_object",
      sourceSchemaVersion: 0,
      sourceState: json({ id: "hoo_1" }),
      targetTypeName: "outreach_webhook",
    }),
  generateResourceConfig: (rpc) =>
    rpc.generateResourceConfig({ typeName: "outreach_lead_unsubscription", state: NULL }),
  readDataSource: (rpc) =>
    rpc.readDataSource({ typeName: "outreach_webhooks", config: value({ webhooks: null, ids: null }) }),
  validateListResourceConfig: (rpc) => rpc.validateListResourceConfig({ ...WEBHOOK, config: value({}) }),
  listResource: (rpc) =>
    eventsOf(rpc.listResource({ ...WEBHOOK, config: value({}), includeResourceObject: true, limit: 100 })),
  validateActionConfig: (rpc) => rpc.validateActionConfig({ typeName: EXPORT.actionType, config: EXPORT.config }),
  planAction: (rpc) => rpc.planAction(EXPORT),
  invokeAction: (rpc) => eventsOf(rpc.invokeAction(EXPORT)),
  getFunctions: (rpc) => rpc.getFunctions({}),
  callFunction: (rpc) => rpc.callFunction({ name: "event_types", arguments: [] }),
  stopProvider: (rpc) => rpc.stopProvider({}),
};

/** The rest of the protocol up to 6.11. */
const NOT_SERVED = [
  "ValidateEphemeralResourceConfig",
  "OpenEphemeralResource",
  "RenewEphemeralResource",
  "CloseEphemeralResource",
  "ValidateStateStoreConfig",
  "ConfigureStateStore",
  "ReadStateBytes",
  "WriteStateBytes",
  "LockState",
  "UnlockState",
  "GetStates",
  "DeleteState",
];

describe("the protocol", () => {
  let sandbox: Sandbox;
  let provider: ProviderUnderTest;
  beforeAll(async () => {
    sandbox = await sandboxForTest();
    provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
  });
  afterAll(async () => {
    await provider.kill();
    provider.removeFolder();
    await sandbox.close();
  });

  it("has 36 methods of the provider, each of them served or not", () => {
    const served = Object.values(ProviderDefinition.methods).map(({ name }) => name as string);
    expect(Object.keys(SERVED)).toEqual(Object.keys(ProviderDefinition.methods));
    expect(served.filter((name) => NOT_SERVED.includes(name))).toEqual([]);
    expect(served.length + NOT_SERVED.length).toBe(36);
  });

  it.each(Object.entries(SERVED))("serves %s", async (_name, call) => {
    expect(await call(provider.rpc)).toBeTypeOf("object");
  });

  it.each(NOT_SERVED)("answers UNIMPLEMENTED to %s, with and without a message", async (name) => {
    for (const body of [Buffer.alloc(0), Buffer.alloc(5), Buffer.alloc(100_000)]) {
      expect(await provider.call(`/tfplugin6.Provider/${name}`, body)).toMatchObject({
        status: 12,
        message: `unknown method /tfplugin6.Provider/${name}`,
      });
    }
  });

  it.each(["/grpc.health.v1.Health/Check", "/tfplugin5.Provider/GetSchema", "/plugin.GRPCController/Restart", "/"])(
    "answers UNIMPLEMENTED to %s of other services",
    async (path) => {
      expect(await provider.call(path, Buffer.alloc(5))).toMatchObject({ status: 12 });
    },
  );

  type Said = { readonly diagnostics: Parameters<typeof said>[0] };
  const unknownType = { typeName: "outreach_other" };
  const strangers: readonly [string, (rpc: Rpc) => Said | Promise<Said>][] = [
    ["ReadResource", (rpc) => rpc.readResource({ ...unknownType, currentState: NULL, private: NO_BYTES })],
    [
      "PlanResourceChange",
      (rpc) =>
        rpc.planResourceChange({
          ...unknownType,
          priorState: NULL,
          proposedNewState: NULL,
          config: NULL,
          priorPrivate: NO_BYTES,
        }),
    ],
    [
      "ApplyResourceChange",
      (rpc) =>
        rpc.applyResourceChange({
          ...unknownType,
          priorState: NULL,
          plannedState: NULL,
          config: NULL,
          plannedPrivate: NO_BYTES,
        }),
    ],
    ["ImportResourceState", (rpc) => rpc.importResourceState({ ...unknownType, id: "hoo_1" })],
    ["GenerateResourceConfig", (rpc) => rpc.generateResourceConfig({ ...unknownType, state: NULL })],
    [
      "UpgradeResourceIdentity",
      (rpc) => rpc.upgradeResourceIdentity({ ...unknownType, version: 0, rawIdentity: json({ id: "hoo_1" }) }),
    ],
    ["ValidateListResourceConfig", (rpc) => rpc.validateListResourceConfig({ ...unknownType, config: value({}) })],
    ["ValidateActionConfig", (rpc) => rpc.validateActionConfig({ ...unknownType, config: value({}) })],
    ["PlanAction", (rpc) => rpc.planAction({ actionType: "outreach_other", config: value({}) })],
  ];
  it.each(strangers)("%s says that a type is unknown, and does not fail as a call", async (_name, call) => {
    expect(said((await call(provider.rpc)).diagnostics)).toEqual(["error: The provider failed"]);
  });
});
