import { expect } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import type { EventRequest } from "../../../src/sandbox/events/event-request.ts";
import type { Received } from "../delivery/receiver.ts";
import { openReceiver } from "../delivery/receiver.ts";
import { realClock, startUnderTest } from "../sandbox-under-test.ts";
import { DATE_TIME } from "./row.ts";
import type { Row } from "./row.ts";

type Body = Received["body"];

/** What a receiver gets of these events, in the order of their ids, without the groups of lead states. */
async function received(requests: readonly EventRequest[], webhook: object = {}): Promise<readonly Received[]> {
  const service = await startUnderTest({ clock: realClock });
  const receiver = await openReceiver();
  service.sandbox.add("webhooks", { targetUrl: receiver.url, ...webhook });
  const own = new Set(requests.map((request) => service.sandbox.trigger(request)[0]?._id));
  await service.sandbox.whenIdle();
  await service.close();
  receiver.close();
  const id = ({ body }: Received): string => String(body["_id"]);
  return receiver.received
    .filter(({ body }) => own.has(String(body["_id"])))
    .toSorted((a, b) => id(a).localeCompare(id(b)));
}

async function bodies(requests: readonly EventRequest[], webhook: object = {}): Promise<readonly Body[]> {
  return (await received(requests, webhook)).map(({ body }) => body);
}

const EACH_TYPE = EVENT_TYPES.map(({ name }) => ({ type: name }));
const EMAIL_TYPES = EVENT_TYPES.filter(({ category }) => category === "Email").map(({ name }) => name);

/** The types of the bodies that have a field. */
const typesWith = (field: string, found: readonly Body[]): unknown[] =>
  found.filter((body) => Object.hasOwn(body, field)).map(({ type }) => type);

export const CALLBACKS: Row[] = [
  [
    "A webhook subscribes to one event type (`type`) or, when `type` is omitted, to all events.",
    async () => {
      expect(await bodies(EACH_TYPE)).toHaveLength(EVENT_TYPES.length);
      expect((await bodies(EACH_TYPE, { type: "smsReplied" })).map(({ type }) => type)).toEqual(["smsReplied"]);
    },
  ],
  [
    "Each event is delivered as an HTTP POST with a JSON body to the webhook's `targetUrl`.",
    async () => {
      const [request] = await received([{ type: "smsSent" }]);
      expect(request).toMatchObject({ method: "POST", url: "/hook", headers: { "content-type": "application/json" } });
    },
  ],
  [
    "Payload common fields: each with its prefix and form.",
    async () => {
      const id = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_\\w+$`));
      const text = expect.any(String) as string;
      expect(await bodies([{ type: "smsSent" }])).toEqual([
        {
          _id: id("act"),
          type: "smsSent",
          teamId: id("tea"),
          createdAt: expect.stringMatching(DATE_TIME) as string,
          campaignId: id("cam"),
          campaignName: text,
          sequenceId: text,
          sequenceStep: 0,
          leadId: id("lea"),
          leadEmail: text,
          leadFirstName: text,
          leadLastName: text,
          sendUserId: id("usr"),
          sendUserEmail: text,
          sendUserName: text,
        },
      ]);
    },
  ],
  [
    "`campaignId`: source campaign; absent for non-campaign events.",
    async () => {
      const found = await bodies([
        { type: "smsSent" },
        { type: "campaignComplete" },
        { type: "sendLimitReached" },
        { type: "customDomainErrors" },
      ]);
      expect(typesWith("campaignId", found)).toEqual(["smsSent", "campaignComplete"]);
    },
  ],
  [
    "`subject`: email events only.",
    async () => {
      expect(typesWith("subject", await bodies(EACH_TYPE)).toSorted()).toEqual(EMAIL_TYPES.toSorted());
    },
  ],
  [
    "`emailsSent`, `emailsReplied` and `emailsBounced` carry `to`, `cc`, `bcc`. A list that is empty is omitted.",
    async () => {
      expect(typesWith("to", await bodies(EACH_TYPE)).toSorted()).toEqual([
        "emailsBounced",
        "emailsReplied",
        "emailsSent",
      ]);
      const empty = await bodies(
        ["emailsSent", "emailsReplied", "emailsBounced"].map((type) => ({ type, set: { to: "" } })),
      );
      for (const list of ["to", "cc", "bcc"]) expect(typesWith(list, empty)).toEqual([]);
    },
  ],
  [
    "Recipients: `address` (string, lowercased) and `name` (string, may be empty).",
    async () => {
      const [body] = await bodies([{ type: "emailsSent", set: { cc: "Grace <GRACE@Example.com>, Alan@Example.com" } }]);
      expect(body?.["cc"]).toEqual([
        { address: "grace@example.com", name: "Grace" },
        { address: "alan@example.com", name: "" },
      ]);
    },
  ],
  [
    "`to`: for outbound sends, the lead; for inbound replies, the mailbox owner. Multiple recipients on a reply are preserved.",
    async () => {
      const [sent, reply, several] = await bodies([
        { type: "emailsSent" },
        { type: "emailsReplied" },
        { type: "emailsReplied", set: { "to[1]": "alan@example.com" } },
      ]);
      const owner = { address: "grace@northwind.example.com", name: "Grace Hopper" };
      expect(sent?.["to"]).toEqual([{ address: "ada@example.com", name: "Ada Lovelace" }]);
      expect(reply?.["to"]).toEqual([owner]);
      expect(several?.["to"]).toEqual([owner, { address: "alan@example.com", name: "" }]);
    },
  ],
  [
    "`bcc`: present only on outbound `emailsSent` when the sender has a hidden BCC configured. Inbound BCC is never visible.",
    async () => {
      const ofSender = (campaignId: string): EventRequest[] => EMAIL_TYPES.map((type) => ({ type, campaignId }));
      expect(typesWith("bcc", await bodies(ofSender("cam_000002")))).toEqual(["emailsSent"]);
      expect(typesWith("bcc", await bodies(ofSender("cam_000001")))).toEqual([]);
    },
  ],
  [
    "Third-party reply: carries `isThirdPartyReply` (boolean, `true`) and omits `campaignId`, `leadId` and `sequenceId`.",
    async () => {
      const [body] = await bodies([{ type: "emailsReplied", thirdParty: true }]);
      expect(body).toMatchObject({ type: "emailsReplied", isThirdPartyReply: true });
      for (const field of ["campaignId", "leadId", "sequenceId"]) expect(body).not.toHaveProperty(field);
    },
  ],
  [
    "Every callback for a webhook with a secret includes `secret` in the JSON body.",
    async () => {
      const requests = [...EACH_TYPE, { type: "emailsReplied", thirdParty: true }];
      expect(
        (await bodies(requests, { secret: "correct-horse" })).filter(({ secret }) => secret !== "correct-horse"),
      ).toEqual([]);
      expect(typesWith("secret", await bodies(requests))).toEqual([]);
    },
  ],
];
