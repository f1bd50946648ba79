import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Fault, FaultAction } from "../../../../src/sandbox/faults.ts";
import type { ListProfileChange } from "../../../../src/sandbox/list-profile.ts";
import { until, useProjects } from "../project.ts";
import { type Story, stateIn, storyOf } from "../story.ts";

const openProject = useProjects();
const [FIRST, SECOND] = ["first-secret-value", "second-secret-value"];

type Case = readonly [name: string, action: FaultAction, when?: "before" | "after"];
const answer = (status: number, more: Partial<Extract<FaultAction, { kind: "answer" }>> = {}): FaultAction => ({
  kind: "answer",
  status,
  ...more,
});
const NEVER_ANSWERED: FaultAction = { kind: "late", delayMs: 3_600_000 };

/** What leaves open whether a write was carried out. */
const INDEFINITE: readonly Case[] = [
  ["dropped before it was processed", { kind: "drop" }],
  ["dropped after it was processed", { kind: "drop" }, "after"],
  ["500 before it was processed", answer(500)],
  ["cut short", { kind: "truncate" }, "after"],
  ["never answered", NEVER_ANSWERED, "after"],
];
const MORE: readonly Case[] = [
  ["reset without an answer", { kind: "reset", afterBytes: 0 }, "after"],
  ["503 with Retry-After after it was processed", answer(503, { headers: { "retry-after": "1" } }), "after"],
  ["403 with Retry-After after it was processed", answer(403, { headers: { "retry-after": "1" } }), "after"],
  ["420 with Retry-After before it was processed", answer(420, { headers: { "retry-after": "1" } })],
  ["200 with two ids", answer(200, { body: '{"_id":"hoo_x","_id":"hoo_y"}' }), "after"],
  ["200 as HTML", { kind: "html", status: 200 }, "after"],
  ["200 with null", answer(200, { body: "null" }), "after"],
  ["200 with an id that is none", answer(200, { body: '{"_id":"../x"}' }), "after"],
  ["307 elsewhere", answer(307, { headers: { location: "https://elsewhere.example.com" } })],
  ["408", answer(408)],
  ["a byte a second", { kind: "slow" }, "after"],
  ["11 MB", answer(200, { body: `"${"x".repeat(11_000_000)}"` }), "after"],
  [
    "a gzip bomb",
    answer(200, {
      headers: { "content-encoding": "gzip" },
      bodyBase64: gzipSync(Buffer.alloc(40_000_000)).toString("base64"),
    }),
    "after",
  ],
];

const TYPES = ["emailsSent", "emailsOpened", "emailsReplied"];
const url = (index: number): string => `https://crm.example.com/${String(index)}`;

function webhooks(count: number, rotation = "delete_first"): string {
  const one = (index: number): string =>
    `  w${String(index)}: { target_url: "${url(index)}", rotation: ${rotation}, secret: { env: S } }\n`;
  return `version: 1\nwebhooks:\n${Array.from({ length: count }, (_, index) => one(index)).join("")}`;
}

async function openStory(configuration: string): Promise<Story> {
  const project = await openProject();
  Object.assign(project.environment, { OUTREACH_TIMEOUT: "700ms", S: FIRST });
  project.write("outreach.yaml", configuration);
  return storyOf(project, [FIRST, SECOND]);
}

/** Each case hits the create of the webhook with its number. */
function onCreates(cases: readonly Case[]): readonly Fault[] {
  return cases.map(([, action, when = "before"], index) => ({
    action,
    when,
    method: "POST",
    where: ({ body }) => (body as { readonly targetUrl: string }).targetUrl === url(index),
  }));
}

/** Each case hits the delete of the webhook with its number. */
function onDeletes({ project }: Story, cases: readonly Case[]): readonly Fault[] {
  const live = project.sandbox.webhooks();
  return cases.map(([, action, when = "before"], index) => {
    const id = live.find(({ targetUrl }) => targetUrl === url(index))?._id ?? "";
    return { action, when, method: "DELETE", path: `/hooks/${id}` };
  });
}

const targetsOf = (cases: readonly Case[]): readonly string[] => cases.map((_, index) => url(index));
const words = (err: string): readonly string[] => err.split("\n").filter((line) => line.startsWith("Error: "));

describe("whatever the answer to a write, the run finds out what became of it", () => {
  const ALL = [...INDEFINITE, ...MORE];

  test("creates", async () => {
    const story = await openStory(webhooks(ALL.length));
    story.faults(...onCreates(ALL));
    const { code, out, err } = await story.run("apply --auto-approve");
    expect([code, words(err)]).toEqual([0, []]);
    expect(out).toContain(`Apply complete! Resources: ${String(ALL.length)} added, 0 changed, 0 destroyed.`);
    await story.judge(targetsOf(ALL));
  });

  test("a create that is answered with the id of another webhook", async () => {
    const story = await openStory(webhooks(1));
    await story.run("apply --auto-approve");
    const [first] = story.project.sandbox.webhooks();
    story.project.write("outreach.yaml", webhooks(2));
    story.faults({
      action: answer(200, { body: JSON.stringify({ _id: first?._id, targetUrl: url(1) }) }),
      when: "after",
      method: "POST",
    });
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("Error") as string,
    });
    await story.judge([url(0), url(1)]);
  });

  test("deletes", async () => {
    const story = await openStory(webhooks(ALL.length));
    await story.run("apply --auto-approve");
    story.faults(...onDeletes(story, ALL));
    const { code, out, err } = await story.run("destroy --auto-approve");
    // What a delete returns is only kept: any 200 that is a whole answer of the service's says that it is done.
    expect([code, words(err)]).toEqual([0, []]);
    expect(out).toContain(`Destroy complete! Resources: ${String(ALL.length)} destroyed.`);
    story.project.write("outreach.yaml", "version: 1\n");
    await story.judge([]);
  });

  test.each(["delete_first", "create_first"])("both halves of a replace, %s", async (rotation) => {
    const cases = [...INDEFINITE, ...INDEFINITE];
    const story = await openStory(webhooks(cases.length, rotation));
    await story.run("apply --auto-approve");
    const [creates, deletes] = [
      onCreates(cases).slice(INDEFINITE.length),
      onDeletes(story, cases).slice(0, INDEFINITE.length),
    ];
    story.faults(...creates, ...deletes);
    story.project.environment["S"] = SECOND;
    const { code, out, err } = await story.run("apply --auto-approve");
    expect([code, words(err)]).toEqual([0, []]);
    expect(out).toContain(
      `Apply complete! Resources: ${String(cases.length)} added, 0 changed, ${String(cases.length)} destroyed.`,
    );
    await story.judge(targetsOf(cases));
    expect(story.project.sandbox.webhooks().map(({ secret }) => secret)).toEqual(cases.map(() => SECOND));
  });

  test("unsubscriptions are sent again twice at most", async () => {
    const cases = INDEFINITE;
    const emails = cases.map((_, index) => `lead${String(index)}@example.com`);
    const story = await openStory(
      `version: 1\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [${emails.join(", ")}] }\n`,
    );
    for (const email of emails) story.project.sandbox.add("leads", { email, campaignId: "cam_000001" });
    story.faults(
      ...cases.map(([, action, when = "before"], index): Fault => ({
        action,
        when,
        times: 2,
        path: `/campaigns/cam_000001/leads/lead${String(index)}%40*`,
      })),
    );
    const { code, out, sent } = await story.run("apply --auto-approve");
    expect(code).toBe(0);
    expect(sent).toHaveLength(1 + 3 * cases.length);
    expect(out).toContain(`Resources: ${String(cases.length)} added, 0 changed, 0 destroyed.`);
    await story.judge([]);
  });

  test("after a third answer that says nothing an unsubscription is unconfirmed, and unwatched only sent again where somebody approves it", async () => {
    const story = await openStory(
      "version: 1\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [ada@example.com], on_not_found: error }\n",
    );
    story.faults({ action: { kind: "drop" }, when: "after", method: "DELETE", times: null });
    const first = await story.run("apply --auto-approve");
    expect([first.code, first.sent.length]).toEqual([3, 1 + 3]);
    expect(first.err).toMatch(
      /outreach resolve 'outreach_lead_unsubscription\.gone\["a\*\*\*@example\.com#[0-9a-f]{8}"\]' --retry/,
    );
    expect(first.out).toContain("Apply incomplete.");
    for (let again = 0; again < 2; again++)
      expect(await story.run("apply --auto-approve")).toMatchObject({ code: 3, sent: [] });
    story.faults();
    await story.run("plan --out the.plan");
    expect(await story.run("apply the.plan")).toMatchObject({
      code: 0,
      sent: ["DELETE /campaigns/cam_000001/leads/ada%40example.com 200"],
    });
    await story.judge([]);
  });
});

describe("what comes to nothing", () => {
  test("a delete that is never answered well is undecided after three attempts, with the ways on; later it is done", async () => {
    const story = await openStory(webhooks(1, "create_first"));
    await story.run("apply --auto-approve");
    story.faults({ action: answer(500), method: "DELETE", times: null });
    story.project.environment["S"] = SECOND;
    const { code, out, err, sent } = await story.run("apply --auto-approve");
    expect([code, sent.filter((line) => line.startsWith("DELETE")).length]).toEqual([3, 3]);
    expect(out).toContain("Apply incomplete. Resources: 1 added, 0 changed, 0 destroyed.");
    expect(err).toContain(
      "The delete of outreach_webhook.w0 may or may not have been carried out: DELETE /hooks/hoo_000001: answered 500 Internal Server Error. This is recorded.\nThe next apply looks for it before it sends anything.\nApply again: outreach apply\nRetry:       outreach resolve outreach_webhook.w0 --retry\n",
    );
    await story.judge([]);
    story.faults();
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge([url(0)]);
  });

  test("the next list shows that an id is another's", async () => {
    const story = await openStory(webhooks(1));
    story.faults({
      action: answer(200, { body: `{"_id":"hoo_wrong","targetUrl":"${url(0)}"}` }),
      when: "after",
      method: "POST",
    });
    await story.run("apply --auto-approve");
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, sent.filter((line) => line.startsWith("POST"))]).toEqual([1, []]);
    expect(err).toContain(
      "Import it: outreach state rm outreach_webhook.w0 && outreach import outreach_webhook.w0 hoo_000001",
    );
  });

  test("what the service says about a webhook that is there is not believed against its list", async () => {
    const story = await openStory(webhooks(1));
    await story.run("apply --auto-approve");
    story.faults({ action: answer(404, { body: "Webhook not found" }), method: "DELETE" });
    expect(await story.run("destroy --auto-approve")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Webhook not found") as string,
    });
    await story.judge([url(0)]);
  });

  test.each([
    ["what the list can tell from it is created anyway", (index: number) => `{ target_url: "${url(index)}" }`, 2],
    [
      "what the list cannot tell from it waits",
      (index: number) => `{ target_url: "${url(0)}", type: ${TYPES[index] ?? ""} }`,
      0,
    ],
  ] as const)("a create that cannot be looked for stays undecided, and %s", async (_, one, added) => {
    const story = await openStory(
      `version: 1\nwebhooks:\n${[0, 1, 2].map((index) => `  w${String(index)}: ${one(index)}\n`).join("")}`,
    );
    story.faults(
      { action: { kind: "drop" }, when: "after", method: "POST" },
      { action: { kind: "drop" }, method: "GET", path: "/hooks", skip: 1, times: null },
    );
    const { code, out, err, sent } = await story.run("apply --auto-approve");
    expect([code, out]).toEqual([
      3,
      expect.stringContaining(`Apply incomplete. Resources: ${String(added)} added, 0 changed, 0 destroyed.`),
    ]);
    // Creates that are sent at once arrive in any order.
    expect(err).toMatch(/outreach resolve outreach_webhook\.w[012] --retry/);
    expect(err.includes("Not started, because a similar write is undecided")).toBe(added === 0);
    expect(sent.filter((line) => line.startsWith("POST"))).toHaveLength(added + 1);
    story.faults();
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge([0, 1, 2].map((index) => url(added === 0 ? 0 : index)));
  });

  test("the rest of the plan is carried out", async () => {
    const story = await openStory(webhooks(8));
    story.faults({
      action: answer(500),
      method: "POST",
      times: null,
      where: ({ body }) => (body as { readonly targetUrl: string }).targetUrl === url(3),
    });
    const { code, out, err } = await story.run("apply --auto-approve");
    expect([code, out]).toEqual([
      3,
      expect.stringContaining("Apply incomplete. Resources: 7 added, 0 changed, 0 destroyed."),
    ]);
    expect(err).toContain("outreach resolve outreach_webhook.w3 --retry");
    await story.judge([]);
    story.faults();
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added, 0 changed, 0 destroyed") as string,
    });
    await story.judge(Array.from({ length: 8 }, (_, index) => url(index)));
  });
});

describe("a create without an answer, by what the service's list is like", () => {
  const decided: readonly (readonly [string, ListProfileChange])[] = [
    [
      "under a name, newest first, each twice, without offset",
      { envelope: "hooks", sortOrder: "desc", duplicates: true, offset: false },
    ],
    ["in pages", { cap: 10 }],
    [
      "with the bare minimum, and addresses normalised",
      { fields: { type: "omitted", campaignId: "omitted", createdAt: "omitted" }, normalizeUrls: true },
    ],
    ["late by less than the listing delay", { staleMs: 59_000 }],
  ];
  /** Eleven of others make the list longer than a page of ten. */
  async function oneOpen(profile: ListProfileChange, others = 11): Promise<Story> {
    const story = await openStory(
      `version: 1\nwebhooks:\n  w0: { target_url: "HTTPS://CRM.example.com:443/0", type: emailsSent, campaign_id: cam_000001 }\n`,
    );
    const { sandbox, environment } = story.project;
    // Every request is answered or dropped here.
    environment["OUTREACH_TIMEOUT"] = "20s";
    for (let index = 0; index < others; index++) {
      story.foreign.add(
        sandbox.add("webhooks", { targetUrl: `https://other.example.com/${String(index)}`, type: "emailsReplied" })._id,
      );
    }
    sandbox.configure({ profile });
    story.faults({ action: { kind: "drop" }, when: "after", method: "POST" });
    return story;
  }
  test.each(decided)("%s: it is found", async (_name, profile) => {
    const story = await oneOpen(profile);
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, sent.filter((line) => line.startsWith("POST")).length]).toEqual([0, 1]);
    expect(err).toContain("The create of outreach_webhook.w0 was carried out");
    expect(err).toMatch(/Waiting (1m00s|5\ds) for the service's list to catch up with the last write\./);
    await story.judge([url(0)]);
  });

  test("cut off: what it shows is found", async () => {
    const story = await oneOpen({ cap: 10, offset: false, sortOrder: "desc" });
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 0,
      err: expect.stringContaining("hoo_000012 is recorded") as string,
    });
    await story.judge([url(0)]);
  });

  test("cut off before it: nothing is sent again, and the message says what would decide it", async () => {
    const story = await oneOpen({ cap: 10, offset: false });
    const { code, err } = await story.run("apply --auto-approve");
    expect([code, err]).toEqual([
      3,
      expect.stringContaining("The service's list may be truncated: it shows 10 webhooks"),
    ]);
    expect(err).toContain("A longer list, or one that shows something created later, would decide it.");
    await story.judge([]);
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 3,
      out: expect.stringContaining("Apply incomplete.") as string,
    });
    story.project.sandbox.configure({ profile: { cap: null } });
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge([url(0)]);
  });

  test("unreadable: it stays open, and the next run finds it", async () => {
    const story = await oneOpen({});
    story.faults(
      { action: { kind: "drop" }, when: "after", method: "POST" },
      { action: answer(403, { body: "no" }), method: "GET", skip: 1, times: null },
    );
    const { code, err } = await story.run("apply --auto-approve");
    expect([code, err]).toEqual([3, expect.stringContaining("The service's list could not be read")]);
    await story.judge([]);
    story.faults();
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge([url(0)]);
  });

  test("late by more than the listing delay: the one that appears is reported with its id, in every run until it is resolved", async () => {
    const story = await oneOpen({ staleMs: 61_000 }, 0);
    expect((await story.run("apply --auto-approve")).sent.filter((line) => line.startsWith("POST"))).toHaveLength(2);
    story.project.sandbox.configure({ profile: { staleMs: 0 } });
    for (const command of ["plan", "apply --auto-approve"]) {
      const { code, err } = await story.run(command);
      expect([code, err]).toEqual([
        0,
        expect.stringContaining("Warning: A webhook has appeared late [late_duplicate]\n"),
      ]);
      expect(err).toContain("outreach resolve outreach_webhook.w0 --adopt hoo_000001");
    }
    expect(story.project.sandbox.webhooks()).toHaveLength(2);
  });
});

describe("creates that the service carries out after it was given up on them", () => {
  const COUNT = 7;

  /** Every first create comes late, so that there are two of each in the end. */
  async function late(): Promise<Story> {
    const story = await openStory(webhooks(COUNT));
    story.faults({ action: { kind: "late", delayMs: 90_000 }, method: "POST", times: COUNT });
    const { code, sent } = await story.run("apply --auto-approve", { OUTREACH_TIMEOUT: "300ms" });
    expect([code, sent.filter((line) => line.startsWith("POST")).length]).toEqual([0, 2 * COUNT]);
    story.faults();
    story.project.clock.pass(90_000);
    await until(() => story.project.sandbox.webhooks().length === 2 * COUNT, "all of them turn up");
    return story;
  }

  test("are each said with its id, however many, and deleted once somebody has said that they are ours", async () => {
    const story = await late();
    const current = new Set(stateIn(story.project.folder)?.instances.map(({ id }) => id));
    const duplicates = story.project.sandbox.webhooks().filter(({ _id }) => !current.has(_id));
    for (const command of ["plan", "apply --auto-approve"]) {
      const { code, err, sent } = await story.run(command);
      expect([code, sent]).toEqual([0, ["GET /hooks 200"]]);
      for (const { _id } of duplicates)
        expect(err).toMatch(new RegExp(`delete it: +outreach resolve outreach_webhook\\.w\\d --adopt ${_id}\n`));
    }
    const [first, second, ...others] = duplicates.map(({ _id, targetUrl }) => ({
      id: _id,
      address: `outreach_webhook.w${targetUrl.at(-1) ?? ""}`,
    }));
    expect((await story.run(`resolve ${first?.address ?? ""} --adopt ${first?.id ?? ""}`)).out).toContain(
      "The next apply deletes it.",
    );
    const { out } = await story.run("plan");
    expect(out).toContain(`${first?.address ?? ""} (deposed object ${first?.id ?? ""}) will be destroyed`);
    expect(out).toContain("Plan: 0 to add, 0 to change, 1 to destroy.");
    const { sent } = await story.run("apply --auto-approve");
    expect(sent.filter((line) => !line.startsWith("GET"))).toEqual([`DELETE /hooks/${first?.id ?? ""} 200`]);
    await story.run(`resolve ${[second, ...others].map((one) => one?.address).join(" ")} --forget`);
    for (const one of [second, ...others]) story.foreign.add(one?.id ?? "");
    const last = await story.run("apply --auto-approve");
    expect([last.code, last.err]).toEqual([0, expect.not.stringContaining("appeared late")]);
    await story.judge(Array.from({ length: COUNT }, (_, index) => url(index)));
  });
});

describe("a refusal is definite", () => {
  test.each([
    ["seconds", { "retry-after": "1" }],
    ["a date", { "retry-after": "Sat, 21 Nov 2020 08:00:00 GMT" }],
    ["a negative number", { "retry-after": "-5" }],
  ])("a 429 with %s in Retry-After is waited for, and the create is sent once more", async (_name, headers) => {
    const story = await openStory(webhooks(1));
    story.faults({ action: answer(429, { headers, body: "Too many requests" }), method: "POST" });
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200", "POST /hooks 429", "POST /hooks 200", "GET /hooks 200"],
    });
    await story.judge([url(0)]);
  });

  test("a wait longer than anybody wants is an error that nothing is sent after", async () => {
    const story = await openStory(webhooks(1));
    story.faults({
      action: answer(429, { headers: { "retry-after": "86400" }, body: "" }),
      method: "POST",
      times: null,
    });
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 1,
      sent: ["GET /hooks 200", "POST /hooks 429"],
      err: expect.stringContaining("refused by the rate limit") as string,
    });
    story.faults();
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge([url(0)]);
  });

  test("the limit of the service is kept: forty webhooks are made without a refusal", async () => {
    const project = await openProject({ rateLimit: {} });
    project.environment["S"] = FIRST;
    project.write("outreach.yaml", webhooks(40));
    const { code, sent } = await project.run("apply --auto-approve");
    expect([code, sent.filter((line) => line.endsWith(" 429"))]).toEqual([0, []]);
    expect(project.sandbox.webhooks()).toHaveLength(40);
  });
});
