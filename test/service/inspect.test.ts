import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspectService } from "../../src/service/api/inspect.ts";
import { OPTIONAL_FIELDS } from "../../src/service/api/webhook-calls.ts";
import { type Behaviour, answer, startFaultServer } from "./fault-server.ts";

const NEVER = new AbortController().signal;

let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

type Hooks = readonly { readonly _id: string }[];
const hooks = (count: number, from = 0): Hooks =>
  Array.from({ length: count }, (_, index) => ({
    _id: `hoo_${String(from + index)}`,
    targetUrl: "https://a.example/",
  }));

/** Answers each query by its own list; every other one by the list of the plain request. */
function listing(plain: unknown, byQuery: { readonly [query: string]: Hooks | Behaviour } = {}): Behaviour {
  return (response, count, received) => {
    const found = byQuery[received.url.search.slice(1)] ?? plain;
    (typeof found === "function" ? (found as Behaviour) : answer(200, found))(response, count, received);
  };
}

async function inspected(behaviour: Behaviour) {
  server.behave(behaviour);
  const { inspection, listing: list } = await inspectService(server.caller(), NEVER);
  return {
    ...inspection,
    complete: list.complete,
    ids: list.firstAnswer,
    queries: server.received().map(({ url }) => url.search.slice(1)),
  };
}

describe("what reads show of a service", () => {
  const NONE = Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, 0]));

  test("the fields that webhooks carry, the headers, and how far its clock is ahead", async () => {
    const list = [
      { ...hooks(1)[0], type: "emailsSent", campaignId: null, createdAt: "2026-01-01T00:00:00.000Z" },
      { ...hooks(1, 1)[0], type: "emailsSent", campaignId: "cam_1" },
      { ...hooks(1, 2)[0], type: null, isFirst: true, automationId: 7 },
    ];
    const headers = { date: new Date(1_700_000_005_000).toUTCString(), "x-ratelimit-limit": "20", "retry-after": "1" };
    expect(
      await inspected((response, count, received) =>
        answer(200, received.url.search === "" ? list : [], headers)(response, count, received),
      ),
    ).toEqual({
      listShape: "array",
      webhookCount: 3,
      carried: { ...NONE, type: 2, campaignId: 1, isFirst: 1, automationId: 1, createdAt: 1 },
      paging: "offset",
      extent: "whole",
      rateLimitHeaders: ["x-ratelimit-limit", "retry-after"],
      clockSkewMs: 5000,
      complete: true,
      ids: ["hoo_0", "hoo_1", "hoo_2"],
      queries: ["", "offset=3"],
    });
  });

  test("an empty list shows nothing of paging, and a service without a date nothing of its clock", async () => {
    const found = await inspected((response) => {
      response.sendDate = false;
      response.writeHead(200).end("[]");
    });
    expect(found).toMatchObject({
      paging: null,
      extent: "whole",
      clockSkewMs: null,
      rateLimitHeaders: [],
      queries: [""],
    });
  });

  test("the name of the field that holds the list", async () => {
    expect(await inspected(listing({ total: 1, hooks: hooks(1) }))).toMatchObject({
      listShape: "hooks",
      webhookCount: 1,
    });
  });

  test("a list whose length is no round number is whole also where offset and page are ignored", async () => {
    const found = await inspected(listing(hooks(7)));
    expect(found).toMatchObject({
      paging: null,
      extent: "whole",
      complete: false,
      queries: ["", "offset=7", "page=1", "page=2"],
    });
  });

  test.each<readonly [string, readonly string[], Parameters<typeof listing>[1]]>([
    ["offset", ["", "offset=7", "offset=8"], { "offset=7": hooks(1, 99), "offset=8": [] }],
    ["page", ["", "offset=7", "page=1", "page=2", "page=3"], { "page=2": hooks(1, 99), "page=3": [] }],
    ["page-from-0", ["", "offset=7", "page=1", "page=2"], { "page=1": hooks(1, 99), "page=2": [] }],
  ])("a list that is paged by %s has more than its first page", async (paging, queries, byQuery) => {
    expect(await inspected(listing(hooks(7), byQuery))).toMatchObject({
      paging,
      extent: "paged",
      complete: false,
      queries,
    });
  });
});

describe("a list of ten where the offset is ignored", () => {
  const TEN = hooks(10);
  const MORE = hooks(1, 99);
  const SORTED = "sortBy=createdAt&sortOrder=";
  const refused = answer(400, "Unknown parameter");

  test.each<readonly [string, string, Parameters<typeof listing>[1]]>([
    ["whole", "the second page is empty", { "page=2": [] }],
    ["whole", "the first and the second page are empty, as pages count from 0", { "page=1": [], "page=2": [] }],
    ["paged", "the first page has another one", { "page=1": MORE, "page=2": [] }],
    ["paged", "the second page has another one", { "page=2": MORE, "page=3": [] }],
  ])("is %s where %s", async (extent, _, byQuery) => {
    const found = await inspected(listing(TEN, byQuery));
    expect(found).toMatchObject({ extent, complete: extent === "whole" });
    expect(found.queries.filter((query) => query.startsWith("limit"))).toEqual([]);
  });

  test.each<readonly [string, string, Parameters<typeof listing>[1]]>([
    ["unknown", "no other request has an effect", {}],
    ["unknown", "the second page is empty, and the first lacks some", { "page=1": hooks(9), "page=2": [] }],
    ["unknown", "the first page is refused, and the second is empty", { "page=1": refused, "page=2": [] }],
    [
      "unknown",
      "every parameter is refused",
      { "page=1": refused, "page=2": refused, "limit=100": refused, [`${SORTED}desc`]: refused },
    ],
    ["truncated", "a larger limit shows another one", { "limit=100": [...TEN, ...MORE] }],
    ["truncated", "the newest are others", { [`${SORTED}desc`]: [...TEN.slice(1), ...MORE] }],
    ["truncated", "the oldest are others", { [`${SORTED}asc`]: [...TEN.slice(1), ...MORE] }],
  ])("is %s where %s", async (extent, _, byQuery) => {
    const found = await inspected(listing(TEN, byQuery));
    expect(found).toMatchObject({ paging: null, extent, complete: false });
    expect(found.queries.slice(-4)).toEqual(["limit=100", `${SORTED}desc`, `${SORTED}asc`, ""]);
  });

  test("does not count as truncated because of a webhook that is created meanwhile", async () => {
    const plain: Behaviour = (response, count, received) =>
      answer(200, count === 0 ? TEN : [...TEN, ...MORE])(response, count, received);
    const found = await inspected((response, count, received) =>
      listing(TEN, { "": plain, "limit=100": [...TEN, ...MORE] })(response, count, received),
    );
    expect(found).toMatchObject({ extent: "unknown" });
  });

  test("is judged by its first answer if the last one is refused", async () => {
    const plain: Behaviour = (response, count, received) =>
      (count === 0 ? answer(200, TEN) : refused)(response, count, received);
    expect(await inspected(listing(TEN, { "": plain }))).toMatchObject({ extent: "unknown" });
  });

  test("is asked for twice as many as it has shown, if those are more than 100", async () => {
    expect((await inspected(listing(hooks(60)))).queries).toContain("limit=120");
  });

  test("is no longer read once the run is interrupted", async () => {
    const stop = new AbortController();
    server.behave(
      listing(TEN, { "page=1": (...request) => (stop.abort(new Error("interrupted")), answer(200, TEN)(...request)) }),
    );
    await expect(inspectService(server.caller(), stop.signal)).rejects.toThrow("interrupted");
    expect(server.received()).toHaveLength(3);
  });
});
