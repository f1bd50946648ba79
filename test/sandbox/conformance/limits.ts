import { expect } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { added, HOOK, items, ROUTES, type Row } from "./row.ts";

/** The section's table, retyped: category and names. */
export const EVENT_TABLE: Readonly<Record<string, string>> = {
  "Lead state groups": "contacted hooked attracted warmed interested notInterested",
  Email:
    "emailsSent emailsOpened emailsClicked emailsReplied emailsBounced emailsFailed emailsInterested emailsNotInterested emailsUnsubscribed",
  "Professional network":
    "networkSent networkOpened networkReplied networkInterested networkNotInterested networkSendFailed " +
    "networkVisitDone networkVisitFailed networkFollowDone networkFollowFailed networkFollowSkipped " +
    "networkInviteDone networkInviteFailed networkInviteAccepted networkEndorseDone networkEndorseFailed " +
    "networkEndorseSkipped networkVoiceNoteDone networkVoiceNoteFailed networkLikeLastPostDone " +
    "networkLikeLastPostNoPost networkLikeLastPostFailed networkWithdrawInvitationDone " +
    "networkWithdrawInvitationFailed",
  "Chat app": "chatMessageSent chatMessageDelivered chatMessageOpened chatReplied chatMessageFailed",
  SMS: "smsSent smsDelivered smsReplied smsFailed",
  Calls:
    "dialerCreated dialerEnded dialerDone dialerInterested dialerNotInterested callRecordingDone callTranscriptDone",
  "API step": "apiDone apiInterested apiNotInterested apiFailed",
  Manual: "manualInterested manualNotInterested",
  Task: "annotated",
  Workspace: "paused resumed stopped campaignComplete customDomainErrors connectionIssue sendLimitReached warmupPaused",
  Enrichment: "enrichmentDone enrichmentError",
  Inbox: "inboxLabelUpdated",
  "Signal agents": "signalRegistered",
  Deliverability: "deliverabilityAlertTriggered",
};

export const EVENTS: Row[] = [
  [
    "Event types: the allowed values of `type`, by category.",
    async () => {
      const catalogue: Record<string, string> = {};
      for (const { name, category } of EVENT_TYPES)
        catalogue[category] = category in catalogue ? `${catalogue[category] ?? ""} ${name}` : name;
      expect(catalogue).toEqual(EVENT_TABLE);
    },
  ],
  [
    "Removed event types are no longer accepted; the answer names the replacement.",
    async ({ addHook }) => {
      const answers: string[] = [];
      for (const type of ["skipped", "emailsSendFailed", "opportunitiesDone"]) {
        const reply = await addHook({ ...HOOK, type });
        expect(reply.status).toBe(400);
        answers.push(reply.text);
      }
      expect(answers[0]).toContain("no replacement");
      expect(answers[1]).toContain("emailsFailed");
      expect(answers[2]).toContain("annotated");
    },
  ],
  [
    "`secret` is stored with the webhook.",
    async (service) => {
      await added(service, { ...HOOK, secret: "correct-horse" });
      expect(service.sandbox.webhooks()[0]?.secret).toBe("correct-horse");
    },
  ],
];

export const ERRORS: Row[] = [
  [
    "Error responses are bare message strings (plain text or a JSON string), not structured objects.",
    async ({ get, addHook, send }) => {
      const replies = [
        await get("/campaigns", null),
        await get("/campaigns/cam_999999/schedules/"),
        await addHook({}),
        await addHook({ targetUrl: "x" }),
        await send({ method: "DELETE", path: "/hooks/hoo_999999" }),
        await get("/nowhere"),
      ];
      for (const reply of replies) {
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(["string", "undefined"]).toContain(typeof reply.json);
        expect(reply.text).not.toBe("");
      }
    },
  ],
  [
    "Campaign `errors` messages include: missing sender, a sender with no email provider, an invalid sender mailbox.",
    async ({ get }) => {
      const all = items(await get("/campaigns?status=errors")).flatMap((one) => one["errors"] as string[]);
      expect(all).toEqual(
        expect.arrayContaining(["missing sender", "a sender with no email provider", "an invalid sender mailbox"]),
      );
    },
  ],
];

export const LIMITS: Row[] = [
  [
    "20 requests per 2 seconds.",
    async ({ get, clock, sandbox }) => {
      sandbox.configure({ rateLimit: {} });
      for (let count = 0; count < 20; count++) expect((await get("/hooks")).status).toBe(200);
      expect((await get("/hooks")).status).toBe(429);
      clock.advance(1999);
      expect((await get("/hooks")).status).toBe(429);
      clock.advance(1);
      expect((await get("/hooks")).status).toBe(200);
    },
  ],
  [
    "The limit is per API key.",
    async ({ get, sandbox }) => {
      sandbox.configure({ rateLimit: { limit: 1 } });
      const { sameTeam, otherTeam } = sandbox.keys;
      const statuses: number[] = [];
      for (const key of [undefined, undefined, sameTeam, otherTeam, sameTeam])
        statuses.push((await get("/hooks", key)).status);
      expect(statuses).toEqual([200, 429, 200, 200, 429]);
    },
  ],
  [
    "The limit is applied on all routes, together; a refused request has no effect.",
    async ({ send, sandbox }) => {
      const without = ROUTES.filter(([method]) => method !== "POST");
      sandbox.configure({ rateLimit: { limit: without.length } });
      const statuses: number[] = [];
      for (const [method, path] of [...without, ...ROUTES])
        statuses.push((await send({ method, path, ...(method === "POST" ? { body: HOOK } : {}) })).status);
      expect(statuses.slice(0, without.length)).not.toContain(429);
      expect(new Set(statuses.slice(without.length))).toEqual(new Set([429]));
      expect(sandbox.webhooks()).toEqual([]);
    },
  ],
  [
    "Campaign list `limit`: default 100, maximum 100.",
    async ({ get, sandbox }) => {
      for (let index = 0; index < 100; index++)
        sandbox.add("campaigns", { _id: `cam_more${String(index)}`, name: "More" });
      expect(items(await get("/campaigns"))).toHaveLength(100);
      expect(items(await get("/campaigns?limit=100"))).toHaveLength(100);
      expect(items(await get("/campaigns?limit=101"))).toHaveLength(100);
      expect(items(await get("/campaigns?offset=100"))).toHaveLength(8);
      expect(items(await get("/campaigns?page=2"))).toHaveLength(8);
    },
  ],
  [
    "`X-RateLimit-Limit`, `-Remaining` and `-Reset` are on every route, errors included.",
    async ({ send, sandbox, clock }) => {
      sandbox.configure({ rateLimit: {} });
      let remaining = 20;
      const reset = clock.now() + 2000;
      for (const [method, path] of [...ROUTES, ["GET", "/nowhere"] as const]) {
        const reply = await send({ method, path, ...(method === "POST" ? { body: HOOK } : {}) });
        expect(reply.headers).toMatchObject({
          "x-ratelimit-limit": "20",
          "x-ratelimit-remaining": String(--remaining),
        });
        expect(Date.parse(String(reply.headers["x-ratelimit-reset"]))).toBe(reset);
      }
    },
  ],
  [
    "`Retry-After`: seconds until retry is possible.",
    async ({ get, sandbox, clock }) => {
      sandbox.configure({ rateLimit: { limit: 1 } });
      expect((await get("/hooks")).headers).not.toHaveProperty("retry-after");
      clock.advance(500);
      const refused = await get("/hooks");
      expect(refused.headers).toMatchObject({ "retry-after": "2", "x-ratelimit-remaining": "0" });
      clock.advance(Number(refused.headers["retry-after"]) * 1000);
      expect((await get("/hooks")).status).toBe(200);
    },
  ],
];

export const VERSIONING: Row[] = [
  [
    "`version` has the single allowed value `v2`, which is also its default.",
    async ({ get }) => {
      for (const version of ["v1", "v3", "V2", ""])
        expect((await get(`/campaigns?version=${version}`)).status).toBe(400);
    },
  ],
];
