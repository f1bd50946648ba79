import { afterEach, describe, expect, it } from "vitest";
import { catalog } from "../../../../src/service/resources/catalog.ts";
import { webhooks } from "../../../../src/service/resources/webhooks-data-source.ts";
import { exampleConfig } from "../../../catalog/catalog-requests.ts";
import { type Json, ProviderUnderTest, UNKNOWN, plain, said, value, useProvider } from "../provider-under-test.ts";

const { sandbox, provider } = await useProvider();
const extra: ProviderUnderTest[] = [];
afterEach(async () => {
  for (const one of extra.splice(0)) await one.kill();
});

async function another(
  options: Partial<Parameters<typeof ProviderUnderTest.start>[0]> = {},
): Promise<ProviderUnderTest> {
  const started = await ProviderUnderTest.start({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    folder: provider.folder,
    ...options,
  });
  extra.push(started);
  return started;
}

async function read(typeName: string, config: Json, process = provider) {
  const { state, diagnostics } = await process.rpc.readDataSource({
    typeName,
    config: value(config),
    clientCapabilities: undefined,
  });
  return { state: plain(state), said: said(diagnostics), diagnostics };
}

function objects(state: Json | null, name: string): readonly Json[] {
  return (state?.[name] ?? []) as readonly Json[];
}

function sent(): readonly string[] {
  return sandbox.requests().map(({ method, path }) => `${method} ${path}`);
}

it.each(catalog.dataSources)("$type is read with the examples of its attributes", async (source) => {
  const { state, said: told } = await read(source.type, exampleConfig(source));
  expect(told).toEqual([]);
  expect(Object.keys(state ?? {}).toSorted()).toEqual(Object.keys(source.schema).toSorted());
});

describe("outreach_campaign", () => {
  it("has every documented field", async () => {
    const { creator, senders } = sandbox.records("campaigns").find(({ _id }) => _id === "cam_000001") ?? {};
    const { state, said: told } = await read("outreach_campaign", { name: "Q3 launch" });
    expect(told).toEqual([]);
    expect(state).toEqual({
      id: "cam_000001",
      name: "Q3 launch",
      status: "running",
      labels: ["launch", "emea"],
      created_at: "2026-06-01T08:00:00.000Z",
      created_by: "usr_000001",
      sequence_id: expect.stringMatching(/./) as string,
      schedule_ids: ["skd_000001", "skd_000002"],
      team_id: "tea_000001",
      has_error: false,
      errors: [],
      creator_json: JSON.stringify(creator),
      senders_json: JSON.stringify(senders),
    });
  });

  it("is found by any status that it is in, and keeps the one that was asked for", async () => {
    expect(await read("outreach_campaign", { name: "Win-back 2026", status: "errors" })).toMatchObject({
      said: [],
      state: { id: "cam_000003", status: "errors", has_error: true, errors: ["missing sender"] },
    });
    expect((await read("outreach_campaign", { id: "cam_000003" })).state).toMatchObject({
      name: "Win-back 2026",
      status: "paused",
    });
  });

  it("says what was not found, and what could be meant", async () => {
    const lacking = await read("outreach_campaign", { name: "Q3 lunch" });
    expect(lacking.said).toEqual(["error: No such campaign"]);
    expect(lacking.diagnostics[0]?.detail).toMatch(/Did you mean "Q3 launch"/);
    expect((await read("outreach_campaign", { id: "cam_000101" })).said).toEqual(["error: No such campaign"]);
    expect((await read("outreach_campaign", { name: "Q3 launch", status: "draft" })).said).toEqual([
      "error: No such campaign",
    ]);
  });
});

describe("outreach_campaigns", () => {
  const ids = async (filters: Json): Promise<unknown> => (await read("outreach_campaigns", filters)).state?.["ids"];

  it("filters by status, creator, labels and name, all at once", async () => {
    expect(await ids({ status: "errors" })).toContain("cam_000003");
    expect(await ids({ status: "paused" })).toContain("cam_000003");
    expect(await ids({ created_by: "usr_000002" })).toContain("cam_000002");
    expect(await ids({ labels: ["emea"] })).toEqual(["cam_000003", "cam_000001"]);
    expect(await ids({ labels: ["emea", "launch"] })).toEqual(["cam_000001"]);
    expect(await ids({ name_regex: "^Q3 l" })).toEqual(["cam_000001"]);
    expect(await ids({ labels: ["emea"], name_regex: "^W" })).toEqual(["cam_000003"]);
    expect(await ids({ labels: ["emea"], created_by: "usr_000004" })).toEqual([]);
    expect(await ids({ name_regex: String.raw`^((((([\w -]+)+)+)+)+)+!` })).toEqual([]);
  });

  it("sorts by the time of creation, either way", async () => {
    const ascending = await ids({});
    expect(ascending).toContain("cam_000001");
    expect(await ids({ sort_order: "asc" })).toEqual(ascending);
    expect(await ids({ sort_order: "desc" })).toEqual((ascending as string[]).toReversed());
  });

  it("has the campaigns whole, in the order of the ids, and the filters as they were given", async () => {
    const { state } = await read("outreach_campaigns", { labels: ["emea"], sort_order: "asc" });
    expect(state).toMatchObject({
      labels: ["emea"],
      sort_order: "asc",
      status: null,
      created_by: null,
      name_regex: null,
    });
    const { state: one } = await read("outreach_campaign", { id: "cam_000001" });
    expect(objects(state, "campaigns")[1]).toEqual(one);
  });
});

describe("outreach_schedules", () => {
  it("has every field, absent ones null", async () => {
    const { state } = await read("outreach_schedules", { campaign_id: "cam_000005" });
    expect(state).toMatchObject({ campaign_id: "cam_000005", ids: ["skd_000003"] });
    expect(objects(state, "schedules")[0]).toMatchObject({
      timezone: "Europe/London",
      deleted_by: "usr_000002",
      deleted_at: "2026-02-01T08:00:00.000Z",
    });
    const { state: other } = await read("outreach_schedules", { campaign_id: "cam_000001" });
    expect(objects(other, "schedules")[0]).toMatchObject({
      seconds_to_wait: 120,
      start: "09:00",
      weekdays: [1, 2, 3, 4, 5],
      deleted_at: null,
    });
  });

  it("of another team is an error in the service's words", async () => {
    const { said: told, diagnostics } = await read("outreach_schedules", { campaign_id: "cam_000101" });
    expect(told).toEqual(["error: The service could not be read"]);
    expect(diagnostics[0]?.detail).toMatch(/GET \/campaigns\/cam_000101\/schedules\/: 4\d\d /);
  });
});

describe("outreach_warmup_settings", () => {
  it("has the union of both sets of fields, absent ones null", async () => {
    const [mailbox] = sandbox.records("mailboxes");
    const { state, said: told } = await read("outreach_warmup_settings", { user_mailbox_id: mailbox?._id });
    expect(told).toEqual([]);
    expect(Object.keys(state ?? {}).toSorted()).toEqual(
      [
        "active",
        "active_at",
        "daily_limit",
        "deliverability",
        "user_mailbox_id",
        "warm_email_max",
        "warm_email_rampup",
        "warmup_template",
      ].toSorted(),
    );
    expect(Object.values(state ?? {}).filter((one) => one === null).length).toBeGreaterThan(0);
  });
});

describe("requests", () => {
  it("campaigns are paged once, for any number of reads at a time", async () => {
    for (let index = 0; index < 150; index++)
      sandbox.add("campaigns", {
        _id: `cam_page${String(index)}`,
        name: `Page ${String(index)}`,
        teamId: "tea_000001",
      });
    const walk = await another();
    sandbox.clearRequests();
    const found = await Promise.all(
      Array.from({ length: 40 }, (_, index) => read("outreach_campaign", { name: `Page ${String(index)}` }, walk)),
    );
    await read("outreach_campaigns", { labels: ["emea"] }, walk);
    await read("outreach_campaign", { name: "Page 99" }, walk);
    expect(found.every(({ state }) => state !== null)).toBe(true);
    expect(sent()).toEqual(["GET /campaigns", "GET /campaigns"]);
  });

  it("outreach_webhooks is the list that the webhooks are read from", async () => {
    const walk = await another();
    const kept = await Promise.all(
      ["b", "a"].map((name) => walk.create({ target_url: `https://${name}.example.com/`, campaign_id: "cam_000001" })),
    );
    const next = await another();
    sandbox.clearRequests();
    const [live] = await Promise.all([read("outreach_webhooks", {}, next), ...kept.map((one) => next.read(one))]);
    expect(sent()).toEqual(["GET /hooks"]);
    expect(live.state?.["ids"]).toEqual(kept.map(({ state }) => state?.["id"]));
    expect(live.state?.["webhooks"]).toEqual(
      kept.map(({ state }) => ({
        ...Object.fromEntries(Object.keys(webhooks.schema.webhooks.type.list.object).map((name) => [name, null])),
        id: state?.["id"],
        target_url: state?.["target_url"],
        campaign_id: "cam_000001",
        created_at: state?.["created_at"],
      })),
    );
  });

  it("outreach_webhooks shows what was made since, as the service shows it", async () => {
    const walk = await another();
    await read("outreach_webhooks", {}, walk);
    const created = await walk.create({ target_url: "https://since.example.com/", campaign_id: "cam_000001" });
    const { state } = await read("outreach_webhooks", {}, walk);
    expect(state?.["webhooks"]).toContainEqual(
      expect.objectContaining({ id: created.state?.["id"], campaign_id: "cam_000001" }),
    );
    sandbox.clearRequests();
    await read("outreach_webhooks", {}, walk);
    expect(sent()).toEqual([]);
  });
});

describe("validation", () => {
  const cases: readonly [string, string, Json, readonly string[]][] = [
    ["id and name", "outreach_campaign", { id: "cam_1", name: "x" }, ["error: A campaign with id and name"]],
    ["neither id nor name", "outreach_campaign", {}, ["error: A campaign without id and name"]],
    ["an unknown id next to a name", "outreach_campaign", { id: UNKNOWN, name: "x" }, []],
    ["a wrong id", "outreach_campaign", { id: "hoo_1" }, ["error at id: Invalid campaign id"]],
    [
      "a mistyped status next to an unknown name",
      "outreach_campaign",
      { name: UNKNOWN, status: "runing" },
      ["error at status: Value not allowed"],
    ],
    ["a mistyped status", "outreach_campaigns", { status: "runing" }, ["error at status: Value not allowed"]],
    ["a mistyped order", "outreach_campaigns", { sort_order: "up" }, ["error at sort_order: Value not allowed"]],
    [
      "a broken pattern",
      "outreach_campaigns",
      { name_regex: "(" },
      ["error at name_regex: Invalid regular expression"],
    ],
    [
      "a pattern with a lookahead",
      "outreach_campaigns",
      { name_regex: "Q(?=3)" },
      ["error at name_regex: Invalid regular expression"],
    ],
    [
      "unknown filters",
      "outreach_campaigns",
      { status: UNKNOWN, created_by: UNKNOWN, labels: UNKNOWN, name_regex: UNKNOWN, sort_order: UNKNOWN },
      [],
    ],
    ["a wrong campaign", "outreach_schedules", { campaign_id: "x" }, ["error at campaign_id: Invalid campaign id"]],
    ["an unknown campaign", "outreach_schedules", { campaign_id: UNKNOWN }, []],
    [
      "a wrong mailbox",
      "outreach_warmup_settings",
      { user_mailbox_id: "../x" },
      ["error at user_mailbox_id: Invalid mailbox id"],
    ],
    ["nothing to be wrong", "outreach_webhooks", {}, []],
  ];
  it.each(cases)("of %s, in %s", async (_what, typeName, config, expected) => {
    const { diagnostics } = await provider.rpc.validateDataResourceConfig({ typeName, config: value(config) });
    expect(said(diagnostics)).toEqual(expected);
  });
});
