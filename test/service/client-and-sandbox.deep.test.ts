import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { FaultAction } from "../../src/sandbox/faults.ts";
import { LISTED_FIELD_WORDS, PROFILE_WORDS, parseListProfile } from "../../src/sandbox/list-profile.ts";
import type { SandboxOptions } from "../../src/sandbox/runtime.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import type { CallerOptions, WireOutcome } from "../../src/service/api/caller.ts";
import { readSchedules } from "../../src/service/resources/schedules-data-source.ts";
import { listCampaigns } from "../../src/service/api/team-lists.ts";
import { type ReadClient, readClient, reserveWrites } from "../../src/service/api/client.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { slidingPacer } from "../../src/service/api/pacer.ts";
import type { NewWebhook, WireWebhook } from "../../src/service/api/webhook-calls.ts";

const NEVER = new AbortController().signal;
const HOOK: NewWebhook = {
  targetUrl: "https://crm.example.com/a",
  type: "emailsReplied",
  campaignId: "cam_000001",
  secret: "a-secret",
};

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(
  options: Partial<SandboxOptions> = {},
): Promise<{ readonly sandbox: Sandbox; readonly caller: CallerOptions; readonly client: ReadClient }> {
  const sandbox = await startSandbox({
    clock: { now: () => nodeClock.now(), sleep: (ms, signal) => nodeClock.sleep(ms, signal ?? NEVER) },
    random: () => 0.5,
    rateLimit: null,
    ...options,
  });
  const transport = nodeExchange(nodeClock);
  const quick = {
    now: () => nodeClock.now(),
    monotonicMs: () => nodeClock.monotonicMs(),
    sleep: () => Promise.resolve(),
  };
  const caller: CallerOptions = {
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    transport,
    pacer: slidingPacer(nodeClock),
    clock: quick,
    timeoutMs: 300,
    userAgent: "test",
    jitter: () => 0,
    redactor: redactor(),
  };
  opened.push(transport, sandbox);
  return { sandbox, caller, client: readClient(caller) };
}

async function add(caller: CallerOptions, hook: NewWebhook = HOOK): Promise<WireOutcome> {
  const { client, release } = await reserveWrites(caller, 1, NEVER);
  try {
    return await client.addWebhook(hook, NEVER);
  } finally {
    release();
  }
}

async function withHooks(sandbox: Sandbox, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const campaignId = index % 2 === 0 ? "cam_000001" : null;
    sandbox.add("webhooks", {
      _id: `hoo_x${String(index)}`,
      teamId: "tea_000001",
      targetUrl: `https://crm.example.com/${String(index)}`,
      type: "emailsSent",
      campaignId,
    });
  }
}

describe("the list of webhooks under every profile", () => {
  const ids = (webhooks: readonly WireWebhook[]): number => new Set(webhooks.map(({ _id }) => _id)).size;
  const rows: readonly {
    readonly profile: string;
    readonly live: number;
    readonly expected: "all" | readonly string[];
    readonly sees: number;
    readonly complete: boolean;
    readonly requests: number;
  }[] = [
    { profile: "array", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "array", live: 0, expected: [], sees: 0, complete: false, requests: 1 },
    { profile: "hooks", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "data", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "cap=10", live: 25, expected: "all", sees: 25, complete: true, requests: 4 },
    { profile: "cap=10,no-offset", live: 25, expected: "all", sees: 10, complete: false, requests: 4 },
    { profile: "cap=7,no-offset", live: 25, expected: "all", sees: 7, complete: false, requests: 2 },
    { profile: "cap=100", live: 250, expected: [], sees: 250, complete: true, requests: 4 },
    { profile: "cap=100,no-offset", live: 250, expected: [], sees: 100, complete: false, requests: 4 },
    { profile: "array", live: 100, expected: [], sees: 100, complete: true, requests: 2 },
    { profile: "normalized", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "duplicates", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "newest-first", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "no-created-at", live: 3, expected: [], sees: 3, complete: false, requests: 1 },
    { profile: "empty", live: 3, expected: "all", sees: 0, complete: true, requests: 2 },
  ];

  test.for(rows)(
    "$profile with $live live webhooks: sees $sees, complete: $complete, in $requests requests",
    async ({ profile, live, expected, sees, complete, requests }) => {
      const { sandbox, client } = await open({ profile: parseListProfile(profile).profile });
      await withHooks(sandbox, live);
      const wanted = new Set(expected === "all" ? sandbox.webhooks().map(({ _id }) => _id) : expected);
      const listing = await client.listWebhooks(wanted, NEVER);
      expect({ sees: ids(listing.webhooks), complete: listing.complete, requests: sandbox.requests().length }).toEqual({
        sees,
        complete,
        requests,
      });
    },
  );

  test("the client understands every profile word", async () => {
    const words = PROFILE_WORDS.flatMap(({ word }) =>
      word.includes("FIELD") ? LISTED_FIELD_WORDS.map((field) => word.replace("FIELD", field)) : [word],
    );
    for (const word of words) {
      const { profile, unknown } = parseListProfile(word.replace("stale=N", "stale=60000").replace("=N", "=20"));
      expect([word, unknown]).toEqual([word, []]);
      const { sandbox, client } = await open({ profile });
      await withHooks(sandbox, 2);
      const { webhooks } = await client.listWebhooks(new Set(), NEVER);
      expect([word, webhooks.length]).toEqual([word, word === "empty" || word.startsWith("stale") ? 0 : 2]);
    }
  });

  test("a field that no record has is unobserved; one that some records have is null where it is absent", async () => {
    const { sandbox, client } = await open({ profile: parseListProfile("no-type").profile });
    await withHooks(sandbox, 2);
    const { webhooks } = await client.listWebhooks(new Set(), NEVER);
    expect(webhooks.map(({ type, campaignId }) => [type, campaignId])).toEqual([
      [undefined, "cam_000001"],
      [undefined, null],
    ]);
  });
});

const SPOILED: readonly FaultAction[] = [
  { kind: "drop" },
  { kind: "reset" },
  { kind: "reset", afterBytes: 0 },
  { kind: "answer", status: 500 },
  { kind: "answer", status: 503, headers: { "Retry-After": "0" } },
  { kind: "answer", status: 301, headers: { Location: "http://127.0.0.1:1/elsewhere" } },
  { kind: "answer", status: 307, headers: { Location: "http://127.0.0.1:1/elsewhere" } },
  { kind: "answer", status: 408 },
  { kind: "answer", status: 200, body: "[]" },
  { kind: "answer", status: 200, body: "null" },
  { kind: "answer", status: 200, body: '{"_id":"cam_1"}' },
  { kind: "answer", status: 200, headers: { "Content-Encoding": "gzip" } },
  { kind: "html" },
  { kind: "html", status: 200 },
  { kind: "truncate" },
  { kind: "slow" },
  { kind: "late" },
];

describe("a create under every fault, compared with the sandbox's log", () => {
  const rows = SPOILED.flatMap((action) =>
    (["before", "after"] as const).map((when) => ({
      action,
      when,
      name: `${JSON.stringify(action)} ${when} processing`,
    })),
  );

  test.for(rows)("$name leaves the outcome open, and it is never sent again", async ({ action, when }) => {
    const { sandbox, caller } = await open();
    sandbox.addFault({ action, when, times: null, method: "POST" });
    const outcome = await add(caller);
    expect(outcome.kind).toBe("unsure");
    expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(JSON.stringify(outcome)).not.toContain("a-secret");
  });

  test.for([
    { action: { kind: "answer", status: 429, headers: { "Retry-After": "0" } } },
    { action: { kind: "answer", status: 429, headers: { "Retry-After": null } } },
    { action: { kind: "answer", status: 429, headers: { "Retry-After": "-5" } } },
  ] as const)(
    "$action is a definite refusal: it is sent again, and done once",
    { timeout: 20_000 },
    async ({ action }) => {
      const { sandbox, caller } = await open();
      sandbox.addFault({ action, when: "before", times: 2, method: "POST" });
      expect((await add(caller)).kind).toBe("answered");
      expect(sandbox.webhooks()).toHaveLength(1);
      expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(3);
    },
  );

  test.for([
    { status: 400, body: "Bad team", known: "bad_team" },
    { status: 404, body: '"Webhook not found"', known: "webhook_not_found" },
    { status: 401, body: "", known: "unauthorized" },
    { status: 403, body: "User linked to this API key is blocked", known: "key_blocked" },
  ])("$status $body is a documented refusal", async ({ status, body, known }) => {
    const { sandbox, caller } = await open();
    sandbox.addFault({ action: { kind: "answer", status, body }, when: "before", method: "POST" });
    expect(await add(caller)).toMatchObject({ kind: "refused", known });
  });

  test("without a running service nothing is sent", async () => {
    const { sandbox, caller } = await open();
    await sandbox.close();
    expect(await add(caller)).toMatchObject({ kind: "refused", known: null });
  });
});

describe("reads under every fault", () => {
  const passing = SPOILED.filter((action) => !(action.kind === "answer" && (action.status ?? 200) < 500));
  test.for(passing.map((action) => ({ action, name: JSON.stringify(action) })))(
    "$name is temporary: the read is retried and succeeds",
    { timeout: 20_000 },
    async ({ action }) => {
      const { sandbox, client } = await open();
      await withHooks(sandbox, 3);
      sandbox.addFault({ action, when: "before", times: 2, method: "GET" });
      const listed = client.listWebhooks(new Set(), NEVER);
      if (action.kind === "html" && action.status === 404) await expect(listed).rejects.toThrow("404");
      else expect((await listed).webhooks).toHaveLength(3);
    },
  );

  test("a permanent fault ends the read after four requests", async () => {
    const { sandbox, client } = await open();
    sandbox.addFault({ action: { kind: "html" }, times: null });
    await expect(client.listWebhooks(new Set(), NEVER)).rejects.toThrow("GET /hooks: 502");
    expect(sandbox.requests()).toHaveLength(4);
  });

  test("an export, which starts something, is sent once", async () => {
    const { sandbox, caller } = await open();
    sandbox.addFault({ action: { kind: "html" }, times: null });
    const { client, release } = await reserveWrites(caller, 1, NEVER);
    expect(await client.startExport("cam_000001", NEVER)).toMatchObject({
      kind: "unsure",
      cause: expect.stringContaining("502"),
    });
    release();
    expect(sandbox.requests()).toHaveLength(1);
  });
});

describe("the other operations", () => {
  test("campaigns are paged to the end, with the given filters", async () => {
    const { sandbox, caller, client } = await open();
    const before = sandbox.records("campaigns").filter(({ teamId }) => teamId === "tea_000001").length;
    for (let index = 0; index < 230; index++)
      sandbox.add("campaigns", {
        _id: `cam_y${String(index)}`,
        name: `Many ${String(index)}`,
        teamId: "tea_000001",
        status: "draft",
        createdBy: "usr_000002",
      } as never);
    sandbox.clearRequests();
    expect(await client.campaigns({}, NEVER)).toHaveLength(before + 230);
    expect(sandbox.requests().map(({ query }) => query["offset"])).toEqual(
      Array.from({ length: Math.ceil((before + 230) / 100) }, (_, page) =>
        page === 0 ? undefined : String(page * 100),
      ),
    );
    const own = await listCampaigns(
      caller,
      { status: "draft", createdBy: "usr_000002", sortBy: "createdAt", sortOrder: "desc" },
      NEVER,
    );
    expect(own.length).toBeGreaterThanOrEqual(230);
    expect(new Set(own.map(({ createdBy }) => createdBy))).toEqual(new Set(["usr_000002"]));
  });

  test("schedules, warm-up settings in both shapes, and an export", async () => {
    const { caller, client, sandbox } = await open();
    const [schedule] = await readSchedules(client, "cam_000001", NEVER);
    expect(schedule).toMatchObject({ _id: "skd_000001", secondsToWait: 120 });
    const shapes = await Promise.all(
      sandbox
        .records("mailboxes")
        .map(({ _id }) =>
          client
            .object("/warmup/{mailboxId}/settings", { mailboxId: _id }, NEVER)
            .then(Object.keys, (): string[] => []),
        ),
    );
    expect(shapes.some((fields) => fields.includes("dailyLimit"))).toBe(true);
    expect(shapes.some((fields) => fields.includes("warmEmailMax"))).toBe(true);
    const { client: writer, release } = await reserveWrites(caller, 1, NEVER);
    expect(await writer.startExport("cam_000001", NEVER)).toMatchObject({
      kind: "answered",
      json: { campaignId: "cam_000001", status: "pending" },
    });
    release();
  });
});

describe("ids, addresses and bodies", () => {
  const segment = fc.string({ unit: "grapheme" });

  test("an address reaches the path unchanged, or is not sent", async () => {
    const { sandbox, caller } = await open();
    const email = fc.oneof(
      fc.tuple(segment, segment).map((parts) => parts.join("@")),
      fc.constantFrom(
        "..",
        "../..@x",
        "a@b",
        "a/b@c.example",
        "%2e%2e@x.example",
        "a?b@c#d",
        "ü@ß.example",
        "a@b@c",
        "a b@c",
        "a\u0000@b",
      ),
    );
    await fc.assert(
      fc.asyncProperty(email, async (address) => {
        sandbox.clearRequests();
        const { client, release } = await reserveWrites({ ...caller, pacer: unpaced }, 1, NEVER);
        const sent = await client.unsubscribeLead({ campaignId: "cam_000001", email: address }, NEVER).then(
          () => true,
          () => false,
        );
        release();
        const paths = sandbox.requests().map(({ path }) => path);
        expect(paths).toEqual(sent ? [`/campaigns/cam_000001/leads/${encodeURIComponent(address)}`] : []);
      }),
      { numRuns: 150 },
    );
  });

  test("any text arrives unchanged", async () => {
    const { sandbox, caller } = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.option(fc.boolean()),
        fc.option(fc.string({ unit: "grapheme", minLength: 1 })),
        async (secret, isFirst, automationId) => {
          sandbox.clearRequests();
          const outcome = await add({ ...caller, pacer: unpaced }, { ...HOOK, secret, isFirst, automationId });
          expect(outcome.kind).toBe("answered");
          const [request] = sandbox.requests();
          expect(request?.body).toEqual({
            targetUrl: HOOK.targetUrl,
            type: HOOK.type,
            campaignId: HOOK.campaignId,
            ...(isFirst === null ? {} : { isFirst }),
            secret,
          });
          expect(request?.query["automationId"]).toBe(automationId ?? undefined);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Allows any number of requests: for tests without a limit. */
const unpaced: CallerOptions["pacer"] = {
  ...slidingPacer(nodeClock),
  reserve: () =>
    Promise.resolve({ renew: () => Promise.resolve(), take: () => () => undefined, release: () => undefined }),
};
