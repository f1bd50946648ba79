import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redactor } from "../../../src/core/secrets/redactor.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import type { CallerOptions } from "../../../src/service/api/caller.ts";
import { listCampaigns } from "../../../src/service/api/team-lists.ts";
import { startExport } from "../../../src/service/api/campaign-exports.ts";
import { unsubscribeLead } from "../../../src/service/api/leads.ts";
import { nodeExchange } from "../../../src/service/api/node-exchange.ts";
import { type Reservation, slidingPacer } from "../../../src/service/api/pacer.ts";
import { type NewWebhook, addWebhook, deleteWebhook, listWebhooks } from "../../../src/service/api/webhook-calls.ts";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { readSource } from "../../catalog/catalog-requests.ts";
import { virtualClock } from "../../core/virtual-clock.ts";
import { type UnderTest, startUnderTest } from "../../sandbox/sandbox-under-test.ts";
import { OPERATIONS, type SentRequest, operationOf, propertiesOf, requestProblems } from "./conformance.ts";

const { signal } = new AbortController();
const WEBHOOK = {
  targetUrl: "https://crm.example.com/hook?a=1&b=%20",
  secret: null,
};
const FULL: Required<NewWebhook> = {
  ...WEBHOOK,
  type: "emailsReplied",
  campaignId: "cam_000001",
  isFirst: true,
  automationId: "flow 7&x=ü",
  secret: "correct-horse",
};
const EMAILS = ["ada@example.com", "ada+tag@example.com", "o'neil@example.com", "a/b?c#d%e@example.com"];

/** The calls of the client with everything they can send, besides what the data sources read. */
const CALLS: { readonly [operationId: string]: (options: CallerOptions) => Promise<unknown> } = {
  addWebhook: async (options) => {
    for (const webhook of [
      WEBHOOK,
      FULL,
      { ...FULL, isFirst: false },
      ...EVENT_TYPES.map(({ name }) => ({ ...WEBHOOK, type: name })),
    ]) {
      expect(await addWebhook(options, webhook, await sending(options))).toMatchObject({ kind: "answered" });
    }
  },
  listWebhooks: async (options) => {
    expect(await listWebhooks(options, { expectedIds: new Set(["hoo_missing"]) }, signal)).toMatchObject({
      complete: true,
    });
  },
  deleteWebhook: async (options) => {
    expect(await deleteWebhook(options, "hoo_000001", await sending(options))).toMatchObject({ kind: "answered" });
  },
  listCampaigns: async (options) => {
    expect((await listCampaigns(options, {}, signal)).length).toBeGreaterThan(100);
    for (const sortOrder of ["asc", "desc"] as const) {
      expect(
        await listCampaigns(
          options,
          { status: "errors", createdBy: "usr_000001", sortBy: "createdAt", sortOrder },
          signal,
        ),
      ).toHaveLength(2);
    }
  },
  startExport: async (options) => {
    expect(await startExport(options, "cam_000001", await sending(options))).toMatchObject({ kind: "answered" });
  },
  unsubscribeLead: async (options) => {
    for (const email of EMAILS)
      expect(await unsubscribeLead(options, { campaignId: "cam_000001", email }, await sending(options))).toMatchObject(
        { kind: "answered" },
      );
  },
};

describe("the client's requests", () => {
  let service: UnderTest;
  let requests: readonly LoggedRequest[];
  beforeAll(async () => {
    service = await startUnderTest();
    for (let number = 0; number < 120; number++)
      service.sandbox.add("campaigns", { _id: `cam_more_${String(number)}`, name: `More ${String(number)}` });
    for (const email of EMAILS.slice(1)) service.sandbox.add("leads", { campaignId: "cam_000001", email });
    requests = await record(service);
  });
  afterAll(() => service.close());

  test("cover every operation, parameter and field of the document, except the `page` and `limit` of campaigns", () => {
    expect(new Set(requests.map(({ operation }) => operation))).toEqual(
      new Set(OPERATIONS.map(({ operationId }) => operationId)),
    );
    const sent = (operation: string): readonly string[] =>
      [
        ...new Set(requests.filter((one) => one.operation === operation).flatMap(({ query }) => Object.keys(query))),
      ].toSorted();
    const documented = (operation: string): readonly string[] =>
      OPERATIONS.find(({ operationId }) => operationId === operation)?.query.toSorted() ?? [];
    expect(sent("addWebhook")).toEqual(documented("addWebhook"));
    expect([...sent("listCampaigns"), "limit", "page"].toSorted()).toEqual(documented("listCampaigns"));
    expect(sent("listWebhooks")).toEqual(["offset"]);
    const fields = requests.flatMap(({ body }) => Object.keys(body ?? {}));
    expect([...new Set(fields)].toSorted()).toEqual(propertiesOf("NewWebhook").toSorted());
  });

  test("follow the document, and the sandbox assigns each to the documented operation", () => {
    for (const request of requests) {
      expect({ target: request.target, problems: requestProblems(sentRequest(service, request)) }).toEqual({
        target: request.target,
        problems: [],
      });
      expect(operationOf(sentRequest(service, request))).toBe(request.operation);
    }
  });

  test("with an unknown query parameter are detected, except where no parameters are documented", () => {
    for (const request of requests) {
      const sent = sentRequest(service, request);
      const problems = requestProblems({
        ...sent,
        target: `${sent.target}${sent.target.includes("?") ? "&" : "?"}unknown=1`,
      });
      expect(problems).toEqual(request.operation === "listWebhooks" ? [] : ["query unknown: not documented"]);
    }
  });

  test.each<[string, string, (sent: SentRequest) => Partial<SentRequest>]>([
    ["a repeated parameter", "listCampaigns", ({ target }) => ({ target: `${target}&version=v2` })],
    ["another version", "listCampaigns", () => ({ target: "/campaigns?version=v1" })],
    ["a limit that is too high", "listCampaigns", () => ({ target: "/campaigns?limit=101" })],
    ["an offset that is not a number", "listCampaigns", () => ({ target: "/campaigns?offset=ten" })],
    ["a flag that is neither true nor false", "addWebhook", () => ({ target: "/hooks?isFirst=1" })],
    ["a body without its required field", "addWebhook", () => ({ body: { type: "emailsSent" } })],
    ["a body with an unknown field", "addWebhook", () => ({ body: { targetUrl: "https://example.com", url: "" } })],
    ["a removed event", "addWebhook", () => ({ body: { targetUrl: "https://example.com", type: "skipped" } })],
    ["no body", "addWebhook", () => ({ body: null })],
    [
      "another type of body",
      "addWebhook",
      ({ headers }) => ({ headers: { ...headers, "content-type": "application/x-www-form-urlencoded" } }),
    ],
    ["an undocumented body", "deleteWebhook", () => ({ body: {} })],
    ["another method", "deleteWebhook", () => ({ method: "PUT" })],
    ["the id of another type", "deleteWebhook", () => ({ target: "/hooks/cam_000001" })],
    ["no slash at the end", "listSchedules", ({ target }) => ({ target: target.slice(0, -1) })],
    ["an invalid address", "unsubscribeLead", () => ({ target: "/campaigns/cam_000001/leads/ada" })],
    ["an empty segment", "readWarmup", () => ({ target: "/warmup//settings" })],
    ["no key", "readWarmup", ({ headers }) => ({ headers: { ...headers, authorization: undefined } })],
    [
      "a key without the colon before it",
      "readWarmup",
      ({ headers }) => ({ headers: { ...headers, authorization: `Basic ${Buffer.from("key").toString("base64")}` } }),
    ],
    ["an undocumented content type", "readWarmup", ({ headers }) => ({ headers: { ...headers, accept: "text/csv" } })],
  ])("with %s are detected", (_, operation, change) => {
    const found = requests.find((request) => request.operation === operation);
    if (!found) throw new Error(`no request for ${operation}`);
    const sent = sentRequest(service, found);
    expect(requestProblems({ ...sent, ...change(sent) })).not.toEqual([]);
  });
});

async function sending({
  pacer,
}: CallerOptions): Promise<{ readonly slot: Reservation; readonly signal: AbortSignal }> {
  return { slot: await pacer.reserve(1, signal), signal };
}

/** Makes every call of the client and returns the requests that the sandbox received. */
async function record({ sandbox }: UnderTest): Promise<readonly LoggedRequest[]> {
  const transport = nodeExchange(nodeClock);
  const clock = virtualClock();
  const pacer = slidingPacer(clock);
  const options: CallerOptions = {
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    transport,
    pacer,
    clock,
    timeoutMs: 10_000,
    userAgent: "test",
    jitter: () => 0,
    redactor: redactor(),
  };
  sandbox.clearRequests();
  for (const call of Object.values(CALLS)) await call(options);
  for (const source of catalog.dataSources) await readSource(catalog, source, options);
  transport.close();
  return sandbox.requests();
}

function sentRequest({ sandbox }: UnderTest, { method, target, headers, body }: LoggedRequest): SentRequest {
  const { pathname } = new URL(sandbox.baseUrl);
  return { method, target: target.startsWith(`${pathname}/`) ? target.slice(pathname.length) : target, headers, body };
}
