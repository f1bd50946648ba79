import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readClient } from "../../src/service/api/client.ts";
import { type Behaviour, answer, startFaultServer } from "./fault-server.ts";

const NEVER = new AbortController().signal;

let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

interface Hook {
  readonly _id: string;
  readonly targetUrl: string;
  readonly type?: string | null;
  readonly campaignId?: string | null;
}
const hook = (id: number | string, more: object = {}): Hook => ({
  _id: `hoo_${String(id)}`,
  targetUrl: "https://a.example/",
  ...more,
});
const hooks = (count: number): readonly Hook[] => Array.from({ length: count }, (_, index) => hook(index));
const offsets = (): readonly (string | null)[] => server.received().map(({ url }) => url.searchParams.get("offset"));
const queries = (): readonly string[] => server.received().map(({ url }) => url.search.slice(1));
/** A paged list that lacks something is read once more, by the parameter that was found. */
const twice = (...queried: readonly string[]): readonly string[] => [
  ...queried,
  ...queried.filter((query) => !query.startsWith("offset") || queried.length === 4),
];

async function listed(behaviour: Behaviour, expected: readonly string[] = []) {
  server.behave(behaviour);
  const listing = await readClient(server.caller()).listWebhooks(new Set(expected), NEVER);
  return { ...listing, ids: listing.webhooks.map(({ _id }) => _id) };
}

/** What pages a list; `refusal`: every parameter is refused. */
type By = "offset" | "page" | "page-from-0" | "nothing" | "refusal";

/** A list truncated by the service: at most `cap` records of it, from where the parameter says that it honours. */
function served(
  all: readonly Hook[],
  { cap = Number.POSITIVE_INFINITY, by = "offset" }: { readonly cap?: number; readonly by?: By } = {},
): Behaviour {
  return (response, count, received) => {
    const number = (name: string, otherwise: number): number =>
      Number(received.url.searchParams.get(name) ?? otherwise);
    if (by === "refusal" && received.url.search !== "")
      return answer(400, "Unknown parameter")(response, count, received);
    const start = {
      offset: number("offset", 0),
      page: (number("page", 1) - 1) * cap,
      "page-from-0": number("page", 0) * cap,
      nothing: 0,
      refusal: 0,
    }[by];
    return answer(200, all.slice(start || 0, (start || 0) + cap))(response, count, received);
  };
}

describe("the shape of the webhook list", () => {
  const one = hook(1);
  test.each<readonly [string, unknown, readonly string[]]>([
    ["an array", [one], ["hoo_1"]],
    ["an empty array", [], []],
    ["an object with one array of webhooks", { hooks: [one] }, ["hoo_1"]],
    [
      "an object with one array under any name, next to other fields",
      { total: 1, next: null, page: { size: 1 }, data: [one] },
      ["hoo_1"],
    ],
    ["an object with one empty array", { hooks: [] }, []],
    ["webhooks with unknown fields", [{ ...one, stepId: true, createdAt: null }], ["hoo_1"]],
    [
      "webhooks with optional fields of any form",
      [{ ...one, type: {}, campaignId: [], isFirst: "yes", automationId: {}, createdAt: 5 }],
      ["hoo_1"],
    ],
  ])("may be %s", async (_, body, ids) => {
    expect((await listed(answer(200, body))).ids).toEqual(ids);
  });

  test.each<readonly [string, unknown]>([
    ["an object with two arrays of webhooks", { active: [one], paused: [hook(2)] }],
    ["an object without an array", { total: 0 }],
    ["an empty object", {}],
    ["an object with an array of something else", { campaigns: [{ _id: "cam_1", name: "Q3" }] }],
    ["an array deeper down", { data: { hooks: [one] } }],
    ["one webhook", one],
    ["null", null],
    ["text", '"none"'],
    ["a number", 0],
    ["false", false],
    ["an array with something else in it", [one, "hoo_2"]],
    ["an array with null in it", [one, null]],
    ["webhooks without a URL", [{ _id: "hoo_1" }]],
    ["webhooks without an id", [{ targetUrl: "https://a.example/" }]],
    ["webhooks with invalid ids", [{ ...one, _id: "../1" }]],
  ])("is an error, never an empty list, when it is %s", async (_, body) => {
    server.behave(answer(200, body));
    await expect(readClient(server.caller()).listWebhooks(new Set(), NEVER)).rejects.toMatchObject({
      name: "ServiceError",
      message: expect.stringContaining("not a list of webhooks"),
    });
  });

  test("includes the service's clock", async () => {
    const date = "Sat, 21 Nov 2026 05:00:00 GMT";
    expect((await listed(answer(200, [], { date }))).serverDate).toBe(date);
  });
});

describe("the end of the webhook list", () => {
  const cases: readonly (readonly [
    string,
    { readonly all: number; readonly cap?: number; readonly by?: By; readonly missing?: boolean },
    { readonly queries: readonly string[]; readonly count: number; readonly complete: boolean },
  ])[] = [
    ["is not looked for when nothing is missing", { all: 7 }, { queries: [""], count: 7, complete: false }],
    ["is not looked for when the list is empty", { all: 0 }, { queries: [""], count: 0, complete: false }],
    ["is not looked for at a round number", { all: 50 }, { queries: [""], count: 50, complete: false }],
    [
      "is checked at a multiple of 100, and confirmed",
      { all: 100 },
      { queries: ["", "offset=100"], count: 100, complete: true },
    ],
    ["is checked at 200 in one page, too", { all: 200 }, { queries: ["", "offset=200"], count: 200, complete: true }],
    [
      "is checked at a multiple of 100, and found later",
      { all: 150, cap: 100 },
      { queries: ["", "offset=100", "offset=150"], count: 150, complete: true },
    ],
    [
      "is checked page by page",
      { all: 300, cap: 100 },
      { queries: ["", "offset=100", "offset=200", "offset=300"], count: 300, complete: true },
    ],
    [
      "is unknown when offset and page are ignored at a multiple of 100",
      { all: 150, cap: 100, by: "nothing" },
      { queries: ["", "offset=100", "page=1", "page=2"], count: 100, complete: false },
    ],
    [
      "is checked when something is missing, and confirmed",
      { all: 7, missing: true },
      { queries: ["", "offset=7"], count: 7, complete: true },
    ],
    [
      "is checked when something is missing from an empty list",
      { all: 0, missing: true },
      { queries: ["", "offset=0"], count: 0, complete: true },
    ],
    [
      "is checked when something is missing, found later, and read twice",
      { all: 25, cap: 10, missing: true },
      { queries: twice("", "offset=10", "offset=20", "offset=25"), count: 25, complete: true },
    ],
    [
      "is unknown when the offset is ignored at an odd count",
      { all: 7, by: "nothing", missing: true },
      { queries: ["", "offset=7"], count: 7, complete: false },
    ],
    [
      "is unknown when the offset is ignored at 5",
      { all: 5, by: "nothing", missing: true },
      { queries: ["", "offset=5"], count: 5, complete: false },
    ],
    [
      "is unknown when offset and page are ignored at 15",
      { all: 16, cap: 15, by: "nothing", missing: true },
      { queries: ["", "offset=15", "page=1", "page=2"], count: 15, complete: false },
    ],
    [
      "is found by page, counted from 1",
      { all: 25, cap: 10, by: "page", missing: true },
      { queries: twice("", "offset=10", "page=1", "page=2", "page=3", "page=4"), count: 25, complete: true },
    ],
    [
      "is found by page, counted from 0",
      { all: 25, cap: 10, by: "page-from-0", missing: true },
      { queries: twice("", "offset=10", "page=1", "page=2", "page=3"), count: 25, complete: true },
    ],
    [
      "is found by page where all fit on one",
      { all: 10, cap: 10, by: "page", missing: true },
      { queries: ["", "offset=10", "page=1", "page=2"], count: 10, complete: true },
    ],
    [
      "is found by page where all fit on one, counted from 0",
      { all: 10, cap: 10, by: "page-from-0", missing: true },
      { queries: ["", "offset=10", "page=1"], count: 10, complete: true },
    ],
    [
      "is unknown where every parameter is refused",
      { all: 10, by: "refusal", missing: true },
      { queries: ["", "offset=10", "page=1"], count: 10, complete: false },
    ],
  ];
  test.each(cases)("%s", async (_, { all, missing = false, ...how }, expected) => {
    const { ids, complete } = await listed(served(hooks(all), how), missing ? ["hoo_gone"] : []);
    expect({ queries: queries(), count: new Set(ids).size, complete }).toEqual(expected);
    expect(ids).toHaveLength(expected.count);
  });

  test("is not checked when everything expected is in the list", async () => {
    await listed(served(hooks(7)), ["hoo_0", "hoo_6"]);
    expect(queries()).toEqual([""]);
  });

  test("is reached when a later page contains the expected webhook", async () => {
    const { ids, complete } = await listed(served(hooks(15), { cap: 10 }), ["hoo_12"]);
    expect({ count: ids.length, complete }).toEqual({ count: 15, complete: true });
  });

  test("is counted in records, not in distinct ids, so that a duplicate does not hide a cap", async () => {
    const doubled = [...hooks(99), hook(0)];
    const { complete, ids } = await listed(served([...doubled, hook("late")], { cap: 100 }));
    expect(ids).toContain("hoo_late");
    expect(complete).toBe(true);
    const capped = await listed(served([...hooks(49), hook(0), hook("late")], { cap: 50, by: "nothing" }), [
      "hoo_late",
    ]);
    expect(capped.complete).toBe(false);
  });

  test("fails when the list never ends", async () => {
    server.behave((response, count, received) => answer(200, [hook(count)])(response, count, received));
    const caller = server.caller({
      pacer: {
        reserve: () => Promise.resolve({ take: () => () => undefined, release: () => undefined }),
        pause: () => undefined,
      },
    });
    await expect(readClient(caller).listWebhooks(new Set(["hoo_gone"]), NEVER)).rejects.toThrow("more than");
  });
});

describe("a field that a webhook in the list lacks", () => {
  test.each<readonly [string, readonly Hook[], readonly (readonly (string | null | undefined)[])[]]>([
    [
      "is unobserved when no record has it",
      [hook(1), hook(2)],
      [
        [undefined, undefined],
        [undefined, undefined],
      ],
    ],
    [
      "is null when another record has it",
      [hook(1, { type: "paused", campaignId: "cam_1" }), hook(2)],
      [
        ["paused", "cam_1"],
        [null, null],
      ],
    ],
    [
      "is unobserved when every other record has it as null or empty",
      [hook(1, { type: null, campaignId: "" }), hook(2, { campaignId: null })],
      [
        [undefined, undefined],
        [undefined, undefined],
      ],
    ],
    [
      "is null when it is null or empty, and another record has it",
      [hook(1, { type: "", campaignId: null }), hook(2, { type: "paused", campaignId: "cam_1" })],
      [
        [null, null],
        ["paused", "cam_1"],
      ],
    ],
    [
      "is unobserved where it cannot be read, although another record has it",
      [hook(1, { type: ["paused"], campaignId: { name: "Q3" } }), hook(2, { type: "paused", campaignId: "cam_1" })],
      [
        [undefined, undefined],
        ["paused", "cam_1"],
      ],
    ],
    [
      "is decided field by field",
      [hook(1, { campaignId: "cam_1" }), hook(2)],
      [
        [undefined, "cam_1"],
        [undefined, null],
      ],
    ],
  ])("%s", async (_, all, expected) => {
    const { webhooks } = await listed(served(all));
    expect(webhooks.map(({ type, campaignId }) => [type, campaignId])).toEqual(expected);
  });

  test.each<readonly [string, object, object]>([
    ["a number", { automationId: 37_709_957 }, { automationId: "37709957" }],
    ["a number as text", { automationId: "007" }, { automationId: "007" }],
    ["a flag", { isFirst: true }, { isFirst: true }],
    ["a flag as text", { isFirst: "TRUE" }, { isFirst: true }],
    ["a flag as a number", { isFirst: 1 }, { isFirst: true }],
    ["an object with an id", { campaignId: { _id: "cam_1", name: "Q3" } }, { campaignId: "cam_1" }],
  ])("is read as what it means when it is %s", async (_, shown, expected) => {
    const { webhooks } = await listed(served([hook(1, { isFirst: false, ...shown }), hook(2)]));
    expect(webhooks[0]).toMatchObject(expected);
    expect(webhooks[1]).toMatchObject({ isFirst: null });
  });

  test("is unobserved where it is a number that JSON cannot carry exactly", async () => {
    const { webhooks } = await listed(served([hook(1, { automationId: 2 ** 60 }), hook(2, { automationId: 7 })]));
    expect(webhooks.map((webhook) => webhook.automationId)).toEqual([undefined, "7"]);
  });

  test("is decided by the whole list, not by its page", async () => {
    const { webhooks } = await listed(served([...hooks(100), hook("x", { type: "paused" })], { cap: 100 }));
    expect(webhooks[0]?.type).toBeNull();
  });
});

describe("the campaigns", () => {
  const campaign = (id: number): object => ({ _id: `cam_${String(id)}`, name: `c${String(id)}`, status: "running" });
  const campaigns = (count: number): readonly object[] => Array.from({ length: count }, (_, index) => campaign(index));
  const pages =
    (all: readonly object[], step = (offset: number) => offset): Behaviour =>
    (response, count, received) => {
      const offset = step(Number(received.url.searchParams.get("offset") ?? 0));
      answer(200, all.slice(offset, offset + 100))(response, count, received);
    };

  test.each([
    [0, [null]],
    [99, [null]],
    [100, [null, "100"]],
    [101, [null, "100"]],
    [250, [null, "100", "200"]],
  ])("a team's %i are read up to a short page, with offset only", async (count, expected) => {
    server.behave(pages(campaigns(count)));
    expect(await readClient(server.caller()).campaigns({}, NEVER)).toHaveLength(count);
    expect(offsets()).toEqual(expected);
    for (const { url } of server.received())
      expect([...url.searchParams.keys()].filter((name) => name !== "offset")).toEqual(["version"]);
  });

  test("end at a page that repeats known records, when the offset is ignored", async () => {
    server.behave(pages(campaigns(150), () => 0));
    expect(await readClient(server.caller()).campaigns({}, NEVER)).toHaveLength(100);
    expect(offsets()).toEqual([null, "100"]);
  });

  test("without an end are given up after 500 pages, with the route", async () => {
    server.behave(pages(campaigns(50_000)));
    await expect(readClient(server.caller()).campaigns({}, NEVER)).rejects.toThrow(
      "GET /campaigns: the list has more than 500 pages",
    );
    expect(server.received()).toHaveLength(500);
  });

  test("continue when a page overlaps the one before", async () => {
    server.behave(pages(campaigns(180), (offset) => Math.max(0, offset - 10)));
    expect(await readClient(server.caller()).campaigns({}, NEVER)).toHaveLength(180);
  });

  test("are read once for many calls, but again after a failure", async () => {
    const client = readClient(server.caller());
    server.behave(answer(400, "Bad team"));
    await expect(client.campaigns({}, NEVER)).rejects.toMatchObject({ known: "bad_team" });
    server.behave(pages(campaigns(3)));
    expect(await Promise.all([client.campaigns({}, NEVER), client.campaigns({}, NEVER)])).toHaveLength(2);
    await client.campaigns({}, NEVER);
    expect(server.received()).toHaveLength(1);
  });

  test("are read once per filter, which goes to the service", async () => {
    const client = readClient(server.caller());
    server.behave(pages(campaigns(1)));
    await Promise.all([
      client.campaigns({}, NEVER),
      client.campaigns({ status: "draft" }, NEVER),
      client.campaigns({ status: "draft" }, NEVER),
    ]);
    expect(server.received().map(({ url }) => url.searchParams.get("status"))).toEqual([null, "draft"]);
  });

  test.each<readonly [string, unknown]>([
    ["an object", { campaigns: [] }],
    ["null", null],
    ["a list with something else in it", [campaign(1), { _id: "cam_2" }]],
  ])("are an error when the answer is %s", async (_, body) => {
    server.behave(answer(200, body));
    await expect(readClient(server.caller()).campaigns({}, NEVER)).rejects.toThrow("not a list of campaigns");
  });
});
