import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROFILES } from "../../../src/sandbox/profiles.ts";
import type { SandboxOptions } from "../../../src/sandbox/runtime.ts";
import { type Reply, type Send, type UnderTest, startUnderTest } from "../../sandbox/sandbox-under-test.ts";
import {
  OPERATIONS,
  REQUESTS,
  documentedMessages,
  operationOf,
  responseProblems,
  schemaProblems,
} from "./conformance.ts";

type Row = readonly [what: string, request: Send, status: number];

const HOOK = { targetUrl: "https://crm.example.com/hook", type: "emailsReplied" };
const post = (body: unknown, query = ""): Send => ({ method: "POST", path: `/hooks${query}`, body });
const remove = (path: string): Send => ({ method: "DELETE", path });

/** The order matters: added webhooks are deleted later. */
const GOOD: readonly Row[] = [
  ...REQUESTS.flatMap(({ operationId, method, path }): readonly Row[] =>
    method === "GET" ? [[operationId, { path }, 200]] : [],
  ),
  ["a webhook for one event", post(HOOK), 200],
  [
    "a webhook for all events of a campaign",
    post({ targetUrl: HOOK.targetUrl, secret: "correct-horse" }, "?campaignId=cam_000001&isFirst=true"),
    200,
  ],
  ["deleting a webhook", remove("/hooks/hoo_000001"), 200],
  ["deleting a webhook of a campaign", remove("/hooks/hoo_000002"), 200],
  [
    "the campaigns in a status, last ones first",
    { path: "/campaigns?version=v2&status=errors&sortBy=createdAt&sortOrder=desc&limit=1&offset=1" },
    200,
  ],
  ["a deleted schedule", { path: "/campaigns/cam_000005/schedules/" }, 200],
  ["no schedules", { path: "/campaigns/cam_000004/schedules/" }, 200],
  ["warm-up settings, fields of the sample", { path: "/warmup/usm_000002/settings" }, 200],
  ["an unsubscription", remove("/campaigns/cam_000001/leads/ada%40example.com"), 200],
];

const REFUSED: readonly Row[] = [
  ["a webhook for another team's campaign", post(HOOK, "?campaignId=cam_000101"), 400],
  ["a webhook for an unknown campaign", post(HOOK, "?campaignId=cam_999999"), 404],
  ["deleting an unknown webhook", remove("/hooks/hoo_999999"), 404],
  ["deleting another team's webhook", remove("/hooks/hoo_other"), 400],
  ["an export of an unknown campaign", { path: "/campaigns/cam_999999/export/start" }, 404],
  ["an export of another team's campaign", { path: "/campaigns/cam_000101/export/start" }, 400],
  ["schedules of an unknown campaign", { path: "/campaigns/cam_999999/schedules/" }, 404],
  ["schedules of another team's campaign", { path: "/campaigns/cam_000101/schedules/" }, 400],
  ["another team's mailbox", { path: "/warmup/usm_000101/settings" }, 400],
  ["unsubscribing an unknown lead", remove("/campaigns/cam_000001/leads/nobody%40example.com"), 404],
  ["unsubscribing a lead of another team", remove("/campaigns/cam_000101/leads/ruby%40example.com"), 400],
];

/** Errors with the sandbox's own wording. */
const NOT_VALID: readonly Row[] = [
  ["a webhook without an address", post({}), 400],
  ["a webhook for a removed event", post({ ...HOOK, type: "skipped" }), 400],
  ["a webhook that is not JSON", { ...post("targetUrl"), headers: { "Content-Type": "text/plain" } }, 415],
  ["campaigns of another version", { path: "/campaigns?version=v1" }, 400],
];

const ONE_OF_EACH: readonly Send[] = REQUESTS.map(({ method, path }) =>
  method === "POST" ? post(HOOK) : { method, path },
);

/** Documented for all operations, but these have nothing of another team to request. */
const NEVER_SAID = ["listWebhooks: Bad team", "listCampaigns: Bad team"];

const asked = ({ method = "GET", path }: Send): { readonly method: string; readonly target: string } => ({
  method,
  target: path,
});
const message = (reply: Reply): string => (typeof reply.json === "string" ? reply.json : reply.text);

function start(options: Partial<SandboxOptions> = {}): Promise<UnderTest> {
  return startUnderTest({ rateLimit: { limit: 1000 }, ...options });
}

describe("an answer of the sandbox follows the document", () => {
  let service: UnderTest;
  const seen = new Set<string>();
  beforeAll(async () => {
    service = await start();
    service.sandbox.add("webhooks", { _id: "hoo_other", teamId: "tea_000002", targetUrl: HOOK.targetUrl });
  });
  afterAll(() => service.close());

  test.each([...GOOD, ...NOT_VALID])("%s", async (_, request, status) => {
    const reply = await service.send(request);
    expect(reply.status).toBe(status);
    expect(responseProblems(asked(request), replyAsReceived(reply))).toEqual([]);
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
      expect(reply.headers).toHaveProperty(name);
  });

  test.each(REFUSED)("%s, with its documented message", async (_, request, status) => {
    const reply = await service.send(request);
    expect(reply.status).toBe(status);
    expect(responseProblems(asked(request), replyAsReceived(reply))).toEqual([]);
    const operation = operationOf(asked(request)) ?? "";
    expect(documentedMessages(operation, status)).toContain(message(reply));
    seen.add(`${operation}: ${message(reply)}`);
  });

  test.each(["none", "wrong", "blocked", "withoutUser"] as const)(
    "a key that is refused (%s), for every operation",
    async (kind) => {
      for (const request of ONE_OF_EACH) {
        const reply = await service.send({ ...request, key: kind === "none" ? null : service.sandbox.keys[kind] });
        expect(responseProblems(asked(request), replyAsReceived(reply))).toEqual([]);
        const operation = operationOf(asked(request)) ?? "";
        expect(documentedMessages(operation, reply.status)).toContain(message(reply));
        seen.add(`${operation}: ${message(reply)}`);
      }
    },
  );

  test("the cases cover every operation and every documented message", () => {
    expect(new Set(GOOD.map(([, request]) => operationOf(asked(request))))).toEqual(
      new Set(OPERATIONS.map(({ operationId }) => operationId)),
    );
    const documented = OPERATIONS.flatMap(({ operationId }) =>
      documentedMessages(operationId).map((text) => `${operationId}: ${text}`),
    );
    expect([...seen, ...NEVER_SAID].toSorted()).toEqual(documented.toSorted());
  });

  test("the status of an export has the documented fields and those observed once it is done, at an undocumented path", async () => {
    service.sandbox.configure({ choices: { exportStatus: "shown" } });
    const { _id } = (await service.get("/campaigns/cam_000001/export/start")).json as { readonly _id: string };
    service.clock.advance(60_000);
    const target = `/campaigns/cam_000001/export/${_id}/status`;
    const { status } = (await service.get(target)).json as { readonly status: { readonly [name: string]: unknown } };
    const { endedAt, fileSize, url, ...documented } = status;
    expect([endedAt, fileSize, url]).toEqual([expect.any(String), expect.any(Number), expect.any(String)]);
    expect(schemaProblems("CampaignExport", documented)).toEqual([]);
    expect(documented).toMatchObject({ status: "done" });
    expect(operationOf({ method: "GET", target })).toBeNull();
  });
});

describe("where the specification leaves a choice, the sandbox's alternatives follow the document too", () => {
  test.each<[string, Partial<SandboxOptions>]>([
    ["another team's resources are not found", { choices: { foreign: "not-found" } }],
    [
      "errors in the other form",
      {
        choices: {
          errorForms: {
            deleteWebhook: "json",
            listWebhooks: "json",
            startExport: "text",
            listSchedules: "text",
            readWarmup: "text",
            unsubscribeLead: "text",
          },
        },
      },
    ],
    [
      "errors with other statuses",
      {
        choices: {
          statuses: {
            badTeam: 403,
            webhookNotFound: 410,
            campaignNotFound: 400,
            leadNotFound: 400,
            noKey: 403,
            wrongKey: 403,
            noUser: 403,
          },
        },
      },
    ],
    [
      "headers of the rate limit as dates, always all of them",
      { choices: { retryAfter: "always", resetFormat: "http-date" } },
    ],
    [
      "headers of the rate limit in JavaScript's long form, never with Retry-After",
      { choices: { retryAfter: "never", resetFormat: "js-date" } },
    ],
    ["headers of the rate limit as seconds", { choices: { resetFormat: "epoch-seconds" } }],
    ["the other warm-up fields", { choices: { warmupShape: "sample" } }],
    ["webhooks under a name, some fields missing", { profile: { envelope: "data", fields: { type: "omitted" } } }],
    ["the published profile", PROFILES.published],
    ["the rate limit refuses everything", { rateLimit: { limit: 0 } }],
    ["the rate limit refuses with its own status", { rateLimit: { limit: 0 }, choices: { rateLimitStatus: 503 } }],
  ])("%s", async (_, options) => {
    const service = await start(options);
    for (const [, request] of [...GOOD, ...REFUSED])
      expect(responseProblems(asked(request), replyAsReceived(await service.send(request)))).toEqual([]);
    for (const request of ONE_OF_EACH)
      expect(responseProblems(asked(request), replyAsReceived(await service.send({ ...request, key: null })))).toEqual(
        [],
      );
    await service.close();
  });

  test("the published profile refuses a second webhook on a URL as the document says, and lists what it says", async () => {
    const service = await start(PROFILES.published);
    const request = post(HOOK, "?campaignId=cam_000001&isFirst=true&automationId=7");
    await service.send(request);
    const refused = await service.send(request);
    expect([refused.status, responseProblems(asked(request), replyAsReceived(refused))]).toEqual([409, []]);
    const listed = (await service.get("/hooks")).json as readonly object[];
    expect(listed.at(-1)).toMatchObject({ isFirst: true, automationId: 7 });
    for (const webhook of listed) expect(schemaProblems("Webhook", webhook)).toEqual([]);
    await service.close();
  });
});

describe("an answer that differs from the document is detected", () => {
  let service: UnderTest;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());

  /** The optional fields of each good answer. */
  const MAY_BE_MISSING: { readonly [what: string]: readonly string[] } = {
    "a webhook for one event": ["type"],
    "deleting a webhook": ["type"],
    "deleting a webhook of a campaign": ["campaignId"],
    "a deleted schedule": ["deletedAt", "deletedBy"],
  };

  const PLAIN_TEXT = ["name", "sequenceId", "campaignName", "timezone", "progressType", "warmupTemplate"];

  test.each(GOOD.filter(([what]) => !["listWebhooks", "no schedules"].includes(what)))(
    "%s, without one of its fields, or with one more",
    async (what, request) => {
      const reply = await service.send(request);
      const list = Array.isArray(reply.json);
      const [first] = (list ? reply.json : [reply.json]) as readonly { readonly [name: string]: unknown }[];
      const problemsOf = (object: object): readonly string[] =>
        responseProblems(asked(request), { ...replyAsReceived(reply), text: JSON.stringify(list ? [object] : object) });
      const names = Object.keys(first ?? {});
      expect(names.length).toBeGreaterThan(2);
      const unnoticed = names.filter(
        (name) =>
          problemsOf(Object.fromEntries(Object.entries(first ?? {}).filter(([other]) => other !== name))).length === 0,
      );
      expect(unnoticed).toEqual(MAY_BE_MISSING[what] ?? (names.includes("hasError") ? ["hasError"] : []));
      expect(problemsOf({ ...first })).toEqual([]);
      expect(problemsOf({ ...first, secret: "correct-horse" })).not.toEqual([]);
      expect(
        names
          .filter((name) => problemsOf({ ...first, [name]: "" }).length === 0)
          .every((name) => PLAIN_TEXT.includes(name)),
      ).toBe(true);
    },
  );

  test.each<[string, Partial<ReturnType<typeof replyAsReceived>>]>([
    ["another type of body", { headers: { "content-type": "text/html; charset=utf-8" } }],
    ["an error that is not a message", { status: 404, text: '{"error":"Not found"}' }],
    [
      "an error in another operation's form",
      { status: 401, headers: { "content-type": "text/plain" }, text: "No API key provided" },
    ],
    ["a limit that is not a number", { headers: { "content-type": "application/json", "x-ratelimit-limit": "many" } }],
    ["an undocumented success", { status: 202, text: "[]" }],
  ])("%s", (_, wrong) => {
    const right = { status: 200, headers: { "content-type": "application/json" }, text: "[]" };
    const request = { method: "GET", target: "/campaigns" };
    expect(responseProblems(request, right)).toEqual([]);
    expect(responseProblems(request, { ...right, ...wrong })).not.toEqual([]);
  });
});

function replyAsReceived({ status, headers, text }: Reply): {
  readonly status: number;
  readonly headers: Reply["headers"];
  readonly text: string;
} {
  return { status, headers, text };
}
