import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkSchema } from "../../src/sandbox/check-schema.ts";
import { DEFAULT_SEED } from "../../src/sandbox/default-seed.ts";
import { SEED_SCHEMA, parseSandboxSeed, parseSandboxSeedText } from "../../src/sandbox/seed.ts";
import type { SandboxSeed } from "../../src/sandbox/seed.ts";
import { startUnderTest } from "./sandbox-under-test.ts";

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false }).compile(SEED_SCHEMA);

describe("the seed file", () => {
  test("the default seed conforms to the schema", () => {
    expect(parseSandboxSeed(DEFAULT_SEED)).toEqual({ seed: DEFAULT_SEED, errors: [] });
    expect(validate(DEFAULT_SEED)).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ["not an object", [], "must be object, not array"],
    ["an unknown collection", { hooks: [] }, "hooks: is unknown; known names: $schema, version"],
    ["another version", { version: 2 }, "version: must be 1"],
    ["a missing field", { campaigns: [{ _id: "cam_1" }] }, "campaigns[0].name: is missing"],
    ["an unknown field", { teams: [{ _id: "tea_1", nam: "x" }] }, "teams[0].nam: is unknown"],
    ["a wrong prefix", { campaigns: [{ _id: "usr_1", name: "x" }] }, "campaigns[0]._id: must match ^cam_"],
    ["a wrong hidden BCC", { users: [{ _id: "usr_1", hiddenBcc: "crm" }] }, "users[0].hiddenBcc: must match"],
    [
      "a wrong status",
      { campaigns: [{ _id: "cam_1", name: "x", status: "on" }] },
      'campaigns[0].status: must be one of "running"',
    ],
    ["a wrong time", { schedules: [{ _id: "skd_1", start: "9:00" }] }, "schedules[0].start: must match"],
    [
      "a wrong weekday",
      { schedules: [{ _id: "skd_1", weekdays: [1, 8] }] },
      "schedules[0].weekdays[1]: must be at most 7",
    ],
    ["a wrong date-time", { webhooks: [{ targetUrl: "x", createdAt: "now" }] }, "webhooks[0].createdAt: must match"],
    ["an unknown event type", { webhooks: [{ targetUrl: "x", type: "skipped" }] }, "webhooks[0].type: must be one of"],
    ["a wrong email", { leads: [{ campaignId: "cam_1", email: "ada" }] }, "leads[0].email: must match"],
    ["an unknown choice", { settings: { choices: { foreign: "maybe" } } }, "settings.choices.foreign: must be one of"],
    ["a wrong number", { settings: { rateLimit: { limit: 0 } } }, "settings.rateLimit.limit: must be at least 1"],
    ["prototype names", JSON.parse('{"__proto__":{},"constructor":1}'), "__proto__: is unknown"],
  ])("%s is refused, with its path", (_, value, message) => {
    const { seed, errors } = parseSandboxSeed(value);
    expect(seed).toBeNull();
    expect(errors.join("\n")).toContain(message);
  });

  test("text that is not JSON is refused", () => {
    expect(parseSandboxSeedText("{").errors[0]).toContain("the seed is not JSON");
    expect(parseSandboxSeedText("{}").errors).toEqual([]);
  });

  test("the number of errors is limited", () => {
    const campaigns = Array.from({ length: 1000 }, () => ({}));
    expect(parseSandboxSeed({ campaigns }).errors).toHaveLength(50);
  });

  test("a full validator agrees", () => {
    const seeds = fc.record(
      {
        version: fc.constantFrom(1, 2),
        teams: fc.array(fc.record({ _id: fc.constantFrom("tea_1", "tea_", "x"), name: fc.anything() })),
        campaigns: fc.array(
          fc.record(
            {
              _id: fc.constantFrom("cam_1", "cam_2", "usr_1", 7),
              name: fc.constantFrom("", "x", null),
              status: fc.constantFrom("running", "on"),
              labels: fc.array(fc.oneof(fc.string(), fc.integer())),
              createdAt: fc.constantFrom("2026-01-01T00:00:00Z", "2026"),
              more: fc.integer(),
            },
            { requiredKeys: [] },
          ),
        ),
        settings: fc.record(
          {
            latency: fc.record({ minMs: fc.integer(), maxMs: fc.double() }, { requiredKeys: [] }),
            rateLimit: fc.constantFrom(null, {}, { limit: 1.5 }, { kind: "fixed" }),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(checkSchema(seed, SEED_SCHEMA, SEED_SCHEMA.$defs).length === 0).toBe(validate(seed));
      }),
    );
  });
});

describe("loading a seed", () => {
  const WRONG: readonly [string, SandboxSeed, string][] = [
    [
      "a reference to a missing team",
      { campaigns: [{ _id: "cam_1", name: "x", teamId: "tea_9" }] },
      'campaigns[0].teamId: "tea_9" does not exist in teams',
    ],
    [
      "a reference to a missing schedule",
      { campaigns: [{ _id: "cam_1", name: "x", scheduleIds: ["skd_1"] }] },
      '"skd_1" does not exist in schedules',
    ],
    [
      "a duplicate id",
      {
        campaigns: [
          { _id: "cam_1", name: "x" },
          { _id: "cam_1", name: "y" },
        ],
      },
      "campaigns[1]._id: already exists",
    ],
    [
      "a duplicate lead",
      {
        campaigns: [{ _id: "cam_1", name: "x" }],
        leads: [
          { campaignId: "cam_1", email: "ada@example.com" },
          { campaignId: "cam_1", email: "ADA@example.com" },
        ],
      },
      "leads[1].email: already exists",
    ],
  ];
  test.each(WRONG)("%s is refused at start", async (_, seed, message) => {
    await expect(startUnderTest({ seed })).rejects.toThrow(message);
  });

  test("campaigns alone are enough: teams, users and keys come from the default seed", async () => {
    const service = await startUnderTest({ seed: { campaigns: [{ _id: "cam_1", name: "Only one" }] } });
    expect((await service.get("/campaigns")).json).toMatchObject([
      { _id: "cam_1", name: "Only one", teamId: "tea_000001", createdBy: "usr_000001", status: "running", labels: [] },
    ]);
    expect(service.sandbox.keys.good).toBe("sandbox-key-good");
    await service.close();
  });

  test("the seed's own teams, users and keys replace the default ones", async () => {
    const seed: SandboxSeed = {
      teams: [{ _id: "tea_1" }],
      users: [{ _id: "usr_1" }],
      keys: [{ key: "mine", userId: "usr_1" }],
    };
    const service = await startUnderTest({ seed });
    expect(service.sandbox.keys).toEqual({
      good: "mine",
      sameTeam: "",
      otherTeam: "",
      blocked: "",
      withoutUser: "",
      wrong: "sandbox-key-wrong",
    });
    expect((await service.get("/campaigns")).json).toEqual([]);
    await service.close();
  });

  test.each([
    ["ada@example.com", "Ada", ""],
    ["ada.king-noel@example.com", "Ada", "King Noel"],
    ["émile_zola2@example.com", "Émile", "Zola2"],
    ["+@example.com", "", ""],
  ])("the names of the lead %s are %j and %j, unless the seed has others", async (email, firstName, lastName) => {
    const leads = [{ campaignId: "cam_1", email }];
    const campaigns = [
      { _id: "cam_1", name: "x" },
      { _id: "cam_2", name: "x" },
    ];
    const service = await startUnderTest({
      seed: { campaigns, leads: [...leads, { campaignId: "cam_2", email, firstName: "", lastName: "Own" }] },
    });
    expect(service.sandbox.records("leads")).toMatchObject([
      { firstName, lastName },
      { firstName: "", lastName: "Own" },
    ]);
    const answer = await service.send({
      method: "DELETE",
      path: `/campaigns/cam_1/leads/${encodeURIComponent(email)}`,
    });
    expect(Object.keys(answer.json as object).toSorted()).toEqual([
      "_id",
      "campaignId",
      "contactId",
      "email",
      "isPaused",
    ]);
    await service.close();
  });

  test("ids continue after the seed's", async () => {
    const seed: SandboxSeed = {
      campaigns: [{ _id: "cam_1", name: "x" }],
      leads: [
        { campaignId: "cam_1", email: "first@example.com" },
        { campaignId: "cam_1", email: "second@example.com", _id: "lea_000004" },
      ],
      webhooks: [{ targetUrl: "https://x.example.com/" }, { targetUrl: "https://x.example.com/", _id: "hoo_000007" }],
    };
    const service = await startUnderTest({ seed });
    await service.addHook({ targetUrl: "https://x.example.com/" });
    expect(service.sandbox.webhooks().map((hook) => hook._id)).toEqual(["hoo_000008", "hoo_000007", "hoo_000009"]);
    expect(service.sandbox.records("leads").map((lead) => lead._id)).toEqual(["lea_000005", "lea_000004"]);
    await service.close();
  });

  test("the seed's settings apply, and options override them", async () => {
    const seed: SandboxSeed = {
      settings: { profile: { envelope: "data", cap: 3 }, rateLimit: { limit: 5 }, choices: { firstPage: 0 } },
    };
    const service = await startUnderTest({ seed, profile: { envelope: "hooks" } });
    expect(service.sandbox.settings()).toMatchObject({
      profile: { envelope: "hooks", cap: 3 },
      rateLimit: null,
      choices: { firstPage: 0, foreign: "bad-team" },
    });
    await service.close();
  });
});
