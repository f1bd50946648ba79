import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import {
  type Breach,
  canonicalEmail,
  createSuppressionWatch,
  eventHandler,
  type OutreachEvent,
  type SuppressionWatchOptions,
} from "../../../src/service/receiver/index.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { sandboxForTest } from "../../frontends/terraform/provider-under-test.ts";
import { serveHandler } from "./receivers.ts";

const SECRET = "a-secret-of-the-test";
const SENT_TYPES = [
  "contacted",
  "emailsSent",
  "networkSent",
  "networkInviteDone",
  "networkVoiceNoteDone",
  "chatMessageSent",
  "smsSent",
  "dialerDone",
];

let breaches: Breach[];
beforeEach(() => {
  breaches = [];
});
const onBreach = (breach: Breach): void => void breaches.push(breach);

/** A sandbox whose events reach a watch of this list, through a receiver. */
async function watched(
  list: SuppressionWatchOptions["list"],
  tell: SuppressionWatchOptions["onBreach"] = onBreach,
): Promise<Sandbox> {
  const sandbox = await sandboxForTest({ delivery: { retriesMs: [1] } });
  onTestFinished(() => sandbox.close());
  const watch = createSuppressionWatch({ list, onBreach: tell });
  const targetUrl = await serveHandler(
    "node:http",
    eventHandler({ secrets: [SECRET], onEvent: watch, onError: () => undefined }),
  );
  for (const teamId of ["tea_000001", "tea_000002"]) sandbox.add("webhooks", { targetUrl, secret: SECRET, teamId });
  return sandbox;
}

describe("events that the sandbox delivers", () => {
  test("a message to an address on the list is a breach, with its campaign, sender and time; one to another address is none", async () => {
    const sandbox = await watched(["Ada@Example.com"]);
    sandbox.trigger({ type: "emailsSent", lead: "charles@example.com" });
    sandbox.trigger({ type: "emailsSent", lead: "ada@example.com", campaignId: "cam_000002" });
    await sandbox.whenIdle();
    const who = {
      email: "ada@example.com",
      campaign: "Spring webinar follow-up",
      sender: "alan@northwind.example.com",
    };
    expect(breaches.toSorted((a, b) => a.event.type.localeCompare(b.event.type))).toEqual([
      {
        ...who,
        at: breaches[0]?.event.createdAt,
        event: expect.objectContaining({ type: "contacted", leadEmail: "ada@example.com" }),
      },
      {
        ...who,
        at: breaches[1]?.event.createdAt,
        event: expect.objectContaining({ type: "emailsSent", campaignId: "cam_000002" }),
      },
    ]);
    expect(breaches[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test("a lead that is on the list is found in each team, in every channel, and in no other event", async () => {
    const sandbox = await watched(new Set(["ada@example.com", "ruby@example.com"]));
    sandbox.add("leads", { campaignId: "cam_000101", email: "ADA@example.com" });
    for (const { name } of EVENT_TYPES) sandbox.trigger({ type: name });
    sandbox.trigger({ type: "emailsReplied", thirdParty: true });
    await sandbox.whenIdle();
    expect([...new Set(breaches.map(({ event }) => event.type))].toSorted()).toEqual(SENT_TYPES.toSorted());
    expect([...new Set(breaches.map(({ email }) => email))]).toEqual(["ada@example.com"]);
    breaches = [];
    for (const lead of ["ada@example.com", "ruby@example.com"])
      sandbox.trigger({ type: "smsSent", teamId: "tea_000002", lead });
    await sandbox.whenIdle();
    const texts = breaches.filter(({ event }) => event.type === "smsSent");
    expect(texts.map(({ email, campaign }) => [email, campaign]).toSorted()).toEqual([
      ["ada@example.com", "Southern summer"],
      ["ruby@example.com", "Southern summer"],
    ]);
  });

  test("an email in copy to an address on the list is a breach for each such address", async () => {
    const sandbox = await watched(["mary@example.net", "john@example.org", "hidden@example.com"]);
    sandbox.trigger({
      type: "emailsSent",
      lead: "ada@example.com",
      set: { cc: "Mary <MARY@example.net>, John <john@example.org>, grace@example.net" },
    });
    sandbox.trigger({ type: "emailsSent", lead: "ada@example.com", set: { bcc: "hidden@example.com" } });
    await sandbox.whenIdle();
    expect(breaches.map(({ email }) => email).toSorted()).toEqual([
      "hidden@example.com",
      "john@example.org",
      "mary@example.net",
    ]);
  });

  test("a function looks an address up, in one form, and can compare the time of the event with the time of the request", async () => {
    const list = new Map([["jos\u00E9@xn--mnchen-3ya.example", "2020-01-01T00:00:00.000Z"]]);
    const asked: string[] = [];
    const sandbox = await watched(async (email, { createdAt = "" }) => {
      await Promise.resolve();
      asked.push(email);
      const since = list.get(email);
      return since !== undefined && createdAt > since;
    });
    const lead = "Jose\u0301@M\u00FCnchen.example";
    sandbox.add("leads", { campaignId: "cam_000001", email: lead });
    sandbox.trigger({ type: "chatMessageSent", lead, set: { createdAt: "2019-12-31T00:00:00.000Z" } });
    sandbox.trigger({ type: "chatMessageSent", lead });
    await sandbox.whenIdle();
    expect(new Set(asked)).toEqual(new Set(list.keys()));
    expect(breaches.filter(({ event }) => event.type === "chatMessageSent")).toHaveLength(1);
    expect(canonicalEmail(lead)).toBe(breaches[0]?.email);
  });

  test.for(["list", "alarm"])("if the %s fails, the service delivers the event again", async (failing) => {
    const failed = new Set<string>();
    const failOnce = (what: string): void => {
      if (what !== failing || failed.has(what)) return;
      failed.add(what);
      throw new Error(`the ${what} fails`);
    };
    const isListed = (): boolean => {
      failOnce("list");
      return true;
    };
    const sandbox = await watched(isListed, (breach) => {
      failOnce("alarm");
      onBreach(breach);
    });
    sandbox.trigger({ type: "contacted", lead: "ada@example.com" });
    await sandbox.whenIdle();
    expect(sandbox.deliveries().map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([[500, 204]]);
    expect(breaches).toMatchObject([{ email: "ada@example.com" }]);
  });
});

describe("events with less than the usual fields", () => {
  const told = async (event: object): Promise<readonly Breach[]> => {
    await createSuppressionWatch({ list: ["ada@example.com"], onBreach })({ _id: "act_1", ...event } as OutreachEvent);
    return breaches;
  };

  test("an email whose lead is missing is judged by its recipients", async () => {
    expect(await told({ type: "emailsSent", to: [{ address: "ADA@example.com", name: "" }] })).toMatchObject([
      { email: "ada@example.com", campaign: undefined, sender: undefined, at: undefined },
    ]);
  });

  test("ids stand for names that are missing", async () => {
    const ids = { campaignId: "cam_1", sendUserId: "usr_1" };
    expect(await told({ type: "smsSent", leadEmail: "ada@example.com", ...ids })).toMatchObject([
      { campaign: "cam_1", sender: "usr_1" },
    ]);
  });

  test.for([{ type: "contacted" }, { type: "faxSent", leadEmail: "ada@example.com" }, { type: "emailsSent", to: [] }])(
    "%j shows nothing",
    async (event) => {
      expect(await told(event)).toEqual([]);
    },
  );
});

test.for<[string, unknown, string]>([
  ["a text", "ada@example.com", "list must be a function, or a list of addresses."],
  ["nothing", undefined, "list must be a function, or a list of addresses."],
  ["an object", { email: "ada@example.com" }, "list must be a function, or a list of addresses."],
  [
    "the header of a file",
    ["ada@example.com", "email"],
    "list must contain email addresses: number 1, counted from 0, is none.",
  ],
  [
    "an address that was not trimmed",
    ["secret-person@example.com "],
    "list must contain email addresses: number 0, counted from 0, is none.",
  ],
  ["rows", [{ email: "ada@example.com" }], "list must contain email addresses: number 0, counted from 0, is none."],
])("a list that is %s is an error at the start, which names no address", ([, list, message]) => {
  expect(() => createSuppressionWatch({ list: list as string[], onBreach })).toThrow(new TypeError(message));
});

test("a watch without onBreach is an error at the start", () => {
  expect(() => createSuppressionWatch({ list: [] } as unknown as SuppressionWatchOptions)).toThrow(
    new TypeError("onBreach must be a function."),
  );
});
