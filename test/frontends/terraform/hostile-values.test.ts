import { ExtData, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Schema, attributesOf } from "../../../src/core/model/attribute.ts";
import type { DynamicValue } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import { PROVIDER_SCHEMA } from "../../../src/frontends/terraform/wire/wire-schema.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import {
  type Json,
  NO_BYTES,
  ProviderUnderTest,
  UNKNOWN,
  plain,
  said,
  sandboxForTest,
  value,
  webhook,
} from "./provider-under-test.ts";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
beforeAll(async () => {
  sandbox = await sandboxForTest({ random: Math.random });
  // The process knows the ids of all the tests, which name some that the sandbox would count up to.
  sandbox.configure({ choices: { ids: "random" } });
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterAll(async () => {
  await provider.shutdown();
  provider.removeFolder();
  await sandbox.close();
});

const URL_A = "https://crm.example.com/a";
const NO_CAPABILITIES = { clientCapabilities: undefined };

/** All attributes, absent but for what is required. */
function smallest(schema: Schema): Json {
  return Object.fromEntries(
    attributesOf(schema, "terraform").map(([name, { mode, examples = [] }]) => [
      name,
      mode === "required" ? examples[0] : null,
    ]),
  );
}

/** A campaign is looked for by its id or its name. Two equal webhooks in one plan are an error. */
const ALSO_GIVEN: { readonly [type: string]: (unknown: string) => Json } = {
  outreach_webhook: (unknown) => ({ target_url: `${URL_A}/${unknown}` }),
  outreach_campaign: (unknown) => (unknown === "name" ? {} : { id: "cam_000001" }),
};

const declared = (schema: Schema): readonly string[] =>
  attributesOf(schema, "terraform").flatMap(([name, { mode }]) => (mode === "computed" ? [] : [name]));

const eachOf = (types: readonly { readonly type: string; readonly schema: Schema }[]) =>
  types.flatMap(({ type, schema }) =>
    declared(schema).map((name) => ({
      type,
      name,
      config: { ...smallest(schema), ...ALSO_GIVEN[type]?.(name), [name]: UNKNOWN },
    })),
  );

const validateResource = (typeName: string, config: DynamicValue) =>
  provider.rpc.validateResourceConfig({
    typeName,
    config,
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
  });

const planNew = (typeName: string, config: DynamicValue, proposedNewState = config) =>
  provider.rpc.planResourceChange({
    typeName,
    priorState: value(null),
    proposedNewState,
    config,
    priorPrivate: NO_BYTES,
    ...NO_CAPABILITIES,
  });

describe("unknown in every attribute", () => {
  it.each(eachOf(catalog.resources))(
    "$type.$name passes validation, and is planned as unknown",
    async ({ type, name, config }) => {
      const schema = catalog.resources.find((definition) => definition.type === type)?.schema ?? {};
      expect(said((await validateResource(type, value(config))).diagnostics)).toEqual([]);
      const computed = Object.fromEntries(
        attributesOf(schema, "terraform").flatMap(([other, { mode }]) =>
          mode === "computed" ? [[other, UNKNOWN]] : [],
        ),
      );
      const { plannedState, diagnostics } = await planNew(type, value(config), value({ ...config, ...computed }));
      expect(said(diagnostics)).toEqual([]);
      expect(plain(plannedState)?.[name]).toBe(schema[name]?.writeOnly ? null : UNKNOWN);
    },
  );

  it.each(eachOf(catalog.resources))(
    "$type.$name of a change is planned, as a change in place or as a replace",
    async ({ type, name, config }) => {
      const schema = catalog.resources.find((definition) => definition.type === type)?.schema ?? {};
      const known: Json = { ...smallest(schema), ...("id" in schema ? { id: "hoo_000001" } : {}) };
      const { plannedState, diagnostics } = await provider.rpc.planResourceChange({
        typeName: type,
        priorState: value(known),
        proposedNewState: value({ ...known, ...config }),
        config: value(config),
        priorPrivate: NO_BYTES,
        ...NO_CAPABILITIES,
      });
      expect(said(diagnostics).filter((text) => text !== "warning: The lead unsubscription is only forgotten")).toEqual(
        [],
      );
      expect(plain(plannedState)?.[name]).toBe(schema[name]?.writeOnly ? null : UNKNOWN);
    },
  );

  it.each(eachOf(catalog.dataSources))(
    "$type.$name passes validation; a read without validation is answered",
    async ({ type, config }) => {
      expect(
        said((await provider.rpc.validateDataResourceConfig({ typeName: type, config: value(config) })).diagnostics),
      ).toEqual([]);
      await provider.rpc.readDataSource({ typeName: type, config: value(config), ...NO_CAPABILITIES });
    },
  );

  it.each(eachOf(catalog.actions ?? []))(
    "$type.$name of an action passes validation and plan",
    async ({ type, config }) => {
      expect(
        said((await provider.rpc.validateActionConfig({ typeName: type, config: value(config) })).diagnostics),
      ).toEqual([]);
      expect(
        said(
          (await provider.rpc.planAction({ actionType: type, config: value(config), ...NO_CAPABILITIES })).diagnostics,
        ),
      ).toEqual([]);
    },
  );

  it.each(eachOf(catalog.resources.flatMap(({ type, search }) => (search ? [{ type, schema: search.filters }] : []))))(
    "$type.$name of a search passes validation",
    async ({ type, config }) => {
      expect(
        said((await provider.rpc.validateListResourceConfig({ typeName: type, config: value(config) })).diagnostics),
      ).toEqual([]);
    },
  );

  /** An unknown setting counts as one that is not given; nothing else works without the service and the key. */
  const optional = new Set(["unique_target_url", "mark"]);
  const created = (name: string): readonly string[] =>
    optional.has(name) ? [] : ["error: The provider is not configured yet"];
  it.each(declared(PROVIDER_SCHEMA).map((name) => ({ name })))(
    "$name of the provider block: what needs it says so, the rest works",
    async ({ name }) => {
      const other = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
      const url = `${URL_A}?${name}`;
      try {
        const config = value({ base_url: sandbox.baseUrl, api_key: sandbox.keys.good, [name]: UNKNOWN });
        expect(said((await other.rpc.validateProviderConfig({ config })).diagnostics)).toEqual([]);
        expect(
          said(
            (await other.rpc.configureProvider({ terraformVersion: "1.11.4", config, ...NO_CAPABILITIES })).diagnostics,
          ),
        ).toEqual([]);
        expect((await other.plan(null, { target_url: url })).said).toEqual([]);
        expect((await other.create({ target_url: url })).said).toEqual(created(name));
        const kept = { state: webhook({ id: "hoo_000001", target_url: url }), private: NO_BYTES };
        // Only a provider that is configured reads from the service.
        expect(await other.read(kept)).toEqual(
          optional.has(name) ? expect.objectContaining({ said: [] }) : { ...kept, said: [], diagnostics: [] },
        );
      } finally {
        await other.shutdown();
        other.removeFolder();
      }
    },
  );

  it("takes what Terraform knows of an unknown value for an unknown value", async () => {
    const refined = new ExtData(12, encode({ 1: false, 2: "https://" }));
    const config = {
      msgpack: encode({ ...webhook({}), target_url: refined, secret_wo_version: refined }),
      json: NO_BYTES,
    };
    expect(said((await validateResource("outreach_webhook", config)).diagnostics)).toEqual([]);
    const { plannedState } = await planNew("outreach_webhook", config);
    expect(plain(plannedState)).toMatchObject({ target_url: UNKNOWN, secret_wo_version: UNKNOWN });
  });
});

describe("texts", () => {
  const texts: readonly [string, string][] = [
    ["beyond the first plane", "\u{1F4E8}\u{10FFFF}"],
    ["combining marks, in either order", "e\u0301\u0327 \u1E1D"],
    ["right to left, with marks of direction", "\u202Eשלום\u200F مرحبا"],
    ["control characters and NUL", "a\u0000b\u0007\u001B[31m"],
    ["white space at its ends", " \t\n x \u00A0"],
    ["what looks like a template, a path or JSON", '${x} %{if} ../.. {"$unknown":true} \\"'],
    ["nothing", ""],
  ];
  it.each(texts)("of %s go to the service as they are", async (_what, text) => {
    const target_url = `${URL_A}/text-${String(texts.findIndex(([, one]) => one === text))}`;
    const created = await provider.create({ target_url, secret: text, automation_id: text });
    expect(created.said).toEqual([]);
    expect(created.state).toMatchObject({ secret: text, automation_id: text });
    const record = sandbox.webhooks().find(({ targetUrl }) => targetUrl === target_url);
    expect(record).toMatchObject({ secret: text, automationId: text });
    await provider.delete(created);
  });

  it.each([
    ["NUL", "https://crm.example.com/a\u0000b"],
    ["white space", "https://crm.example.com/a b"],
  ])("of %s in an address are an error on it", async (_what, target_url) => {
    expect(await provider.validate({ target_url })).toEqual(["error at target_url: Invalid target URL"]);
  });

  it("an address in other scripts is kept as it was written", async () => {
    const target_url = "https://bücher.example/日本語/\u{1F4E8}";
    const created = await provider.create({ target_url });
    expect([created.said, created.state?.["target_url"]]).toEqual([[], target_url]);
    expect((await provider.read(created)).state?.["target_url"]).toBe(target_url);
    await provider.delete(created);
  });

  it("a secret of nearly a million bytes arrives whole", async () => {
    const secret = "\u{1F511}".repeat(249_000);
    const target_url = `${URL_A}/long`;
    const created = await provider.create({ target_url, secret });
    expect(created.said).toEqual([]);
    expect(sandbox.webhooks().find((record) => record.targetUrl === target_url)?.secret === secret).toBe(true);
    await provider.delete(created);
  });

  it("a secret that is too long for the service is planned, and told when it is applied", async () => {
    const target_url = `${URL_A}/too-long`;
    const secret = "s".repeat(3_000_000);
    const created = await provider.create({ target_url, secret });
    expect(created.said).toEqual([expect.stringMatching(/^error: /)]);
    expect(created.diagnostics.some(({ detail }) => detail.includes(secret.slice(0, 20)))).toBe(false);
    expect(sandbox.webhooks().filter((record) => record.targetUrl === target_url)).toEqual([]);
  });
});

describe("numbers", () => {
  const numbers: readonly [string, unknown, unknown][] = [
    ["zero", 0, 0],
    ["a negative one", -1, -1],
    ["the largest of 64 bits", 2n ** 64n - 1n, "18446744073709551615"],
    ["the smallest of 64 bits", -(2n ** 63n), "-9223372036854775808"],
    ["one that no float holds", "123456789012345678901234567890", "123456789012345678901234567890"],
    ["one with hundreds of digits", `1${"0".repeat(400)}`, `1${"0".repeat(400)}`],
    ["a fraction", "0.1", "0.1"],
    ["a fraction of many digits", "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
    ["an exponent", "1e-400", "1e-400"],
  ];
  it.each(numbers)("%s is planned as it was given", async (_what, given, expected) => {
    const config = value(
      webhook({ target_url: `${URL_A}/${String(given)}`, secret_wo: "s", secret_wo_version: given }),
    );
    expect(said((await validateResource("outreach_webhook", config)).diagnostics)).toEqual([]);
    const { plannedState, diagnostics } = await planNew("outreach_webhook", config);
    expect(said(diagnostics)).toEqual([]);
    expect(sameNumber(plain(plannedState)?.["secret_wo_version"], expected)).toBe(true);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("%d is refused", async (secret_wo_version) => {
    const { diagnostics } = await validateResource(
      "outreach_webhook",
      value(webhook({ target_url: URL_A, secret_wo_version })),
    );
    expect(said(diagnostics)).toEqual(["error: The provider failed"]);
  });
});

/** Integers by their digits; what a float cannot hold comes as its text. */
function sameNumber(seen: unknown, expected: unknown): boolean {
  const text = String(expected);
  if (typeof seen === "string") return seen === text;
  return /^-?\d+$/.test(text) ? BigInt(seen as number) === BigInt(text) : String(seen) === text;
}

describe("objects that are not quite what the schema says", () => {
  it("absent attributes are null, and others are left out", async () => {
    const given = await planNew(
      "outreach_webhook",
      value({ target_url: `${URL_A}/absent`, nobody: "knows", __wakeup__: [1, { a: null }] }),
    );
    const whole = await planNew("outreach_webhook", value(webhook({ target_url: `${URL_A}/whole` })));
    expect(said(given.diagnostics)).toEqual([]);
    expect(plain(given.plannedState)).toEqual({ ...plain(whole.plannedState), target_url: `${URL_A}/absent` });
  });

  it("JSON is understood as msgpack is", async () => {
    const attributes = webhook({ target_url: URL_A, secret_wo: "s", secret_wo_version: 7, is_first: true });
    const json = { msgpack: NO_BYTES, json: Buffer.from(JSON.stringify(attributes)) };
    const given = await planNew("outreach_webhook", json);
    expect(plain(given.plannedState)).toEqual(
      plain((await planNew("outreach_webhook", value(attributes))).plannedState),
    );
    expect(said((await validateResource("outreach_webhook", json)).diagnostics)).toEqual([]);
    const name = "verify_secret";
    const texts = ['{"secret":"s"}', "s"].map((text) => ({
      msgpack: NO_BYTES,
      json: Buffer.from(JSON.stringify(text)),
    }));
    const { result, error } = await provider.rpc.callFunction({ name, arguments: texts });
    expect([error, plain(result)]).toEqual([undefined, true]);
  });

  const wrong: readonly [string, unknown][] = [
    ["a text for an object", "text"],
    ["a list for an object", [1]],
    ["bytes for an object", new Uint8Array([1, 2, 3])],
    ["a time for an object", new Date(0)],
    ["an extension that nobody knows", new ExtData(99, new Uint8Array(4))],
    ["unknown for the whole of it", new ExtData(0, new Uint8Array([0]))],
    ["a number for a text", { target_url: 5 }],
    ["bytes for a text", { target_url: new Uint8Array([104, 105]) }],
    ["an object for a text", { target_url: { a: 1 } }],
    ["a text for a truth value", { target_url: URL_A, is_first: "true" }],
    ["a word for a number", { target_url: URL_A, secret_wo_version: "seven" }],
  ];
  it.each(wrong)("%s is reported, and nothing else happens", async (_what, given) => {
    sandbox.clearRequests();
    const config = { msgpack: encode(given), json: NO_BYTES };
    const request = { typeName: "outreach_webhook", priorState: value(null), config };
    const applied = await provider.rpc.applyResourceChange({
      ...request,
      plannedState: config,
      plannedPrivate: NO_BYTES,
    });
    const answers = [
      await validateResource("outreach_webhook", config),
      await planNew("outreach_webhook", config),
      applied,
    ];
    expect(answers.map(({ diagnostics }) => said(diagnostics))).toEqual(
      answers.map(() => ["error: The provider failed"]),
    );
    expect(plain(applied.newState)).toBeNull();
    expect(sandbox.requests()).toEqual([]);
  });
});

describe("anything at all", () => {
  const { tree } = fc.letrec((again) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(
        null,
        true,
        false,
        undefined,
        new ExtData(0, new Uint8Array([0])),
        new ExtData(12, new Uint8Array([0x80])),
        new ExtData(3, new Uint8Array(2)),
      ),
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.uint8Array(),
      fc.array(again("tree")),
      fc.dictionary(fc.string(), again("tree")),
    ),
  }));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    tree.map((one) => encode(one, { useBigInt64: true })),
    ...[...catalog.resources, ...catalog.dataSources].map(({ schema }) =>
      fc
        .record(Object.fromEntries(attributesOf(schema, "terraform").map(([name]) => [name, tree])), {
          requiredKeys: [],
        })
        .map((one) => encode(one, { useBigInt64: true })),
    ),
  );
  const dynamic: fc.Arbitrary<DynamicValue> = fc.oneof(
    bytes.map((msgpack) => ({ msgpack, json: NO_BYTES })),
    fc.oneof(fc.json(), fc.string()).map((text) => ({ msgpack: NO_BYTES, json: Buffer.from(text) })),
  );
  const types = [...catalog.resources, ...catalog.dataSources, ...(catalog.actions ?? [])].map(({ type }) => type);

  it(
    "is answered, with diagnostics where it makes no sense, and the next call works",
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...types, "nobody"),
          dynamic,
          dynamic,
          fc.uint8Array({ maxLength: 20 }),
          async (typeName, config, state, priorPrivate) => {
            await Promise.all([
              validateResource(typeName, config),
              provider.rpc.validateDataResourceConfig({ typeName, config }),
              provider.rpc.validateProviderConfig({ config }),
              provider.rpc.validateActionConfig({ typeName, config }),
              provider.rpc.validateListResourceConfig({ typeName, config }),
              provider.rpc.planAction({ actionType: typeName, config, ...NO_CAPABILITIES }),
              provider.rpc.callFunction({ name: "verify_secret", arguments: [config, state] }),
              provider.rpc.upgradeResourceState({
                typeName,
                version: 0,
                rawState: { json: config.msgpack, flatmap: {} },
              }),
              provider.rpc.readResource({ typeName, currentState: state, private: priorPrivate, ...NO_CAPABILITIES }),
              provider.rpc.importResourceState({
                typeName,
                id: Buffer.from(priorPrivate).toString("latin1"),
                ...NO_CAPABILITIES,
              }),
              provider.rpc.planResourceChange({
                typeName,
                priorState: state,
                proposedNewState: config,
                config,
                priorPrivate,
                ...NO_CAPABILITIES,
              }),
            ]);
            expect(await provider.validate({ target_url: URL_A })).toEqual([]);
          },
        ),
        { numRuns: 200 },
      );
    },
  );
});
