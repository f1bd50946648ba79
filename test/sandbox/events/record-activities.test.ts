import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { DEFAULT_CHOICES } from "../../../src/sandbox/choices.ts";
import { DEFAULT_SEED } from "../../../src/sandbox/default-seed.ts";
import type { Activity } from "../../../src/sandbox/events/activity.ts";
import type { EventRequest } from "../../../src/sandbox/events/event-request.ts";
import { recordActivities } from "../../../src/sandbox/events/record-activities.ts";
import type { SandboxSeed } from "../../../src/sandbox/seed.ts";
import { problemsOf } from "../../service/openapi/event-validator.ts";
import { emptyWorld, loadSeed } from "../../../src/sandbox/world.ts";

const NOW = Date.parse("2026-07-01T12:00:00.000Z");
const SOURCE = { now: () => NOW, random: () => 0.5, ids: () => "counter" as const };

function openWorld(seed: SandboxSeed = DEFAULT_SEED) {
  const { world, errors } = loadSeed(seed, SOURCE, emptyWorld());
  expect(errors).toEqual([]);
  const record = (request: EventRequest) =>
    recordActivities({ world, source: SOURCE, settings: { choices: DEFAULT_CHOICES } }, request);
  return {
    world,
    record,
    activities: (request: EventRequest): readonly Activity[] => {
      const recorded = record(request);
      expect(recorded.errors).toEqual([]);
      return recorded.activities;
    },
    /** The payload of the first activity. */
    payload: (request: EventRequest): Readonly<Record<string, unknown>> => {
      const recorded = record(request);
      expect(recorded.errors).toEqual([]);
      return recorded.activities[0]?.payload ?? {};
    },
  };
}

const COMMON = ["_id", "type", "teamId", "createdAt"];
const LEAD = ["leadId", "leadEmail", "leadFirstName", "leadLastName"];
const SENDER = ["sendUserId", "sendUserEmail", "sendUserName"];
const CAMPAIGN = ["campaignId", "campaignName"];
const TASK = [...COMMON, ...CAMPAIGN, "sequenceId", "sequenceStep", ...LEAD, ...SENDER];

/** The fields of each type, read from the tables "Payload common fields" and "Email recipients". All other types: those of a task. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  emailsSent: [...TASK, "subject", "to"],
  emailsOpened: [...TASK, "subject"],
  emailsClicked: [...TASK, "subject"],
  emailsReplied: [...TASK, "subject", "to"],
  emailsBounced: [...TASK, "subject", "to"],
  emailsFailed: [...TASK, "subject"],
  emailsInterested: [...TASK, "subject"],
  emailsNotInterested: [...TASK, "subject"],
  emailsUnsubscribed: [...TASK, "subject"],
  campaignComplete: [...COMMON, ...CAMPAIGN],
  customDomainErrors: COMMON,
  connectionIssue: [...COMMON, ...SENDER],
  sendLimitReached: [...COMMON, ...SENDER],
  warmupPaused: [...COMMON, ...SENDER],
  deliverabilityAlertTriggered: [...COMMON, ...SENDER],
  enrichmentDone: [...COMMON, ...LEAD],
  enrichmentError: [...COMMON, ...LEAD],
  inboxLabelUpdated: [...COMMON, ...LEAD],
  signalRegistered: [...COMMON, ...LEAD],
};

describe("the payload of an event", () => {
  test.each(EVENT_TYPES.map(({ name }) => name))("of type %s has its fields in the specification's order", (type) => {
    const [own, ...others] = openWorld().activities({ type });
    expect(Object.keys(own?.payload ?? {})).toEqual(FIELDS[type] ?? TASK);
    for (const one of [own, ...others]) expect(problemsOf(one?.payload)).toEqual([]);
  });

  test("names the records of the world", () => {
    expect(openWorld().payload({ type: "emailsSent" })).toEqual({
      _id: "act_000001",
      type: "emailsSent",
      teamId: "tea_000001",
      createdAt: "2026-07-01T12:00:00.000Z",
      campaignId: "cam_000001",
      campaignName: "Q3 launch",
      sequenceId: "seq_000001",
      sequenceStep: 0,
      leadId: "lea_000001",
      leadEmail: "ada@example.com",
      leadFirstName: "Ada",
      leadLastName: "Lovelace",
      sendUserId: "usr_000001",
      sendUserEmail: "grace@northwind.example.com",
      sendUserName: "Grace Hopper",
      subject: "Q3 launch",
      to: [{ address: "ada@example.com", name: "Ada Lovelace" }],
    });
  });

  test("addresses of recipients are in lower case", () => {
    const { payload } = openWorld({
      users: [{ _id: "usr_1", email: "Grace@Example.COM", hiddenBcc: "CRM@Example.com", name: "Grace" }],
      teams: [{ _id: "tea_1" }],
      campaigns: [{ _id: "cam_1", name: "One" }],
      leads: [{ campaignId: "cam_1", email: "Ada.King-Noel@Example.com" }],
    });
    const lead = { address: "ada.king-noel@example.com", name: "Ada King Noel" };
    expect(payload({ type: "emailsSent" })).toMatchObject({
      to: [lead],
      bcc: [{ address: "crm@example.com", name: "" }],
    });
    expect(payload({ type: "emailsBounced" })).toMatchObject({ to: [lead] });
    expect(payload({ type: "emailsReplied" })).toMatchObject({ to: [{ address: "grace@example.com", name: "Grace" }] });
    expect(problemsOf(payload({ type: "emailsSent" }))).toEqual([]);
  });

  test("bcc is only on emailsSent, and only if the sender has one", () => {
    const { payload } = openWorld();
    const withBcc = EVENT_TYPES.filter(
      ({ name, category }) => category === "Email" && "bcc" in payload({ type: name, campaignId: "cam_000002" }),
    );
    expect(withBcc.map(({ name }) => name)).toEqual(["emailsSent"]);
    expect(payload({ type: "emailsSent", campaignId: "cam_000002" })["bcc"]).toEqual([
      { address: "crm@northwind.example.com", name: "" },
    ]);
    expect(payload({ type: "emailsSent", campaignId: "cam_000001" })).not.toHaveProperty("bcc");
  });

  test("a third-party reply has no campaign, lead or sequence", () => {
    const { activities } = openWorld();
    const [only, ...others] = activities({ type: "emailsReplied", thirdParty: true });
    expect(others).toEqual([]);
    expect(only).toMatchObject({ campaignId: null, leadId: null, payload: { isThirdPartyReply: true } });
    expect(Object.keys(only?.payload ?? {})).toEqual([...COMMON, ...SENDER, "subject", "to", "isThirdPartyReply"]);
    expect(problemsOf(only?.payload)).toEqual([]);
  });
});

describe("the choice of campaign and lead", () => {
  const chosen = (request: Omit<EventRequest, "type">, type = "smsSent") => {
    const { campaignId, leadEmail, teamId } = openWorld().payload({ type, ...request });
    return [teamId, campaignId, leadEmail];
  };

  test.each([
    ["the first running campaign and its first lead", {}, ["tea_000001", "cam_000001", "ada@example.com"]],
    ["a campaign", { campaignId: "cam_000007" }, ["tea_000001", "cam_000007", "edsger@example.org"]],
    ["a lead", { lead: "katherine@example.net" }, ["tea_000001", "cam_000002", "katherine@example.net"]],
    ["a lead in upper case", { lead: "KATHERINE@example.net" }, ["tea_000001", "cam_000002", "katherine@example.net"]],
    [
      "a lead of several campaigns",
      { campaignId: "cam_000002", lead: "ada@example.com" },
      ["tea_000001", "cam_000002", "ada@example.com"],
    ],
    ["a paused lead", { lead: "linus@example.org" }, ["tea_000001", "cam_000001", "linus@example.org"]],
    ["a campaign of another team", { campaignId: "cam_000101" }, ["tea_000002", "cam_000101", "ruby@example.com"]],
    ["a lead of another team", { lead: "ruby@example.com" }, ["tea_000002", "cam_000101", "ruby@example.com"]],
    ["a team", { teamId: "tea_000002" }, ["tea_000002", "cam_000101", "ruby@example.com"]],
  ])("%s", (_, request, expected) => {
    expect(chosen(request)).toEqual(expected);
  });

  test("the default is a lead that is neither unsubscribed nor paused; another one can be named", () => {
    const { payload } = openWorld({
      campaigns: [{ _id: "cam_1", name: "One" }],
      leads: [
        { campaignId: "cam_1", email: "left@example.com", unsubscribedAt: "2026-01-01T00:00:00Z" },
        { campaignId: "cam_1", email: "paused@example.com", isPaused: true },
        { campaignId: "cam_1", email: "active@example.com" },
      ],
    });
    expect(payload({ type: "emailsSent" })["leadEmail"]).toBe("active@example.com");
    expect(payload({ type: "emailsSent", lead: "left@example.com" })["leadEmail"]).toBe("left@example.com");
  });

  test.each([
    [{ type: "emailReplied" }, "no event type is named emailReplied; did you mean emailsReplied?"],
    [{ type: "EMAILSREPLIED" }, "no event type is named EMAILSREPLIED; did you mean emailsReplied?"],
    [{ type: "nonsense" }, "no event type is named nonsense; run outreach events to list them"],
    [{ type: "__proto__" }, "no event type is named __proto__; run outreach events to list them"],
    [{ type: "bad\u001b[2J" }, String.raw`no event type is named "bad\u001b[2J"; run outreach events to list them`],
    [{ type: "emailsSendFailed" }, "event type emailsSendFailed has been removed: use emailsFailed"],
    [{ type: "skipped" }, "event type skipped has been removed: there is no replacement"],
    [
      { type: "smsSent", campaignId: "cam_000009" },
      "campaign cam_000009 does not exist; the campaigns are cam_000001, cam_000002, cam_000003, cam_000004, cam_000005 and 4 more",
    ],
    [{ type: "smsSent", campaignId: "Q3 launch" }, "campaign Q3 launch does not exist; did you mean cam_000001?"],
    [{ type: "smsSent", campaignId: "cam_000004" }, "campaign cam_000004 has no leads"],
    [
      { type: "smsSent", campaignId: "cam_000007", lead: "ada@example.com" },
      "campaign cam_000007 has no lead ada@example.com; its leads are edsger@example.org",
    ],
    [{ type: "smsSent", campaignId: "cam_000004", lead: "ada@example.com" }, "campaign cam_000004 has no leads"],
    [
      { type: "smsSent", lead: "nobody@example.com" },
      /^no campaign has a lead nobody@example.com; the leads are ada@example.com, .* and 1 more$/,
    ],
    [
      { type: "campaignComplete", lead: "ada@example.com" },
      "an event of type campaignComplete has no lead: leave out ada@example.com",
    ],
    [
      { type: "sendLimitReached", campaignId: "cam_000001" },
      "an event of type sendLimitReached has no campaign: leave out cam_000001",
    ],
    [
      { type: "enrichmentDone", campaignId: "cam_000001" },
      "an event of type enrichmentDone has no campaign: leave out cam_000001",
    ],
    [
      { type: "emailsReplied", thirdParty: true, lead: "ada@example.com" },
      "a third-party reply has no lead: leave out ada@example.com",
    ],
    [
      { type: "emailsReplied", thirdParty: true, campaignId: "cam_000001" },
      "a third-party reply has no campaign: leave out cam_000001",
    ],
    [{ type: "emailsSent", thirdParty: true }, "only emailsReplied has third-party replies, not emailsSent"],
    [{ type: "smsSent", teamId: "tea_9" }, "team tea_9 does not exist; the teams are tea_000001, tea_000002"],
    [
      { type: "smsSent", teamId: "tea_000002", lead: "ada@example.com" },
      "no campaign of team tea_000002 has a lead ada@example.com; the leads are ruby@example.com",
    ],
    [
      { type: "smsSent", teamId: "tea_000002", campaignId: "cam_000001" },
      "campaign cam_000001 is not of team tea_000002",
    ],
  ])("%j is an error", (request, message) => {
    const { activities, errors } = openWorld().record(request);
    expect(activities).toEqual([]);
    expect(errors).toEqual([typeof message === "string" ? message : (expect.stringMatching(message) as string)]);
  });
});

test.each([
  [{ type: "smsSent" }, "the sandbox has no leads"],
  [{ type: "smsSent", lead: "ada@example.com" }, "the sandbox has no leads"],
  [{ type: "smsSent", teamId: "tea_1" }, "team tea_1 has no leads"],
  [{ type: "campaignComplete" }, "the sandbox has no campaigns"],
])("%j in an empty world is an error", (request, message) => {
  expect(openWorld({ teams: [{ _id: "tea_1" }] }).record(request).errors).toEqual([message]);
});

test("an event of a team without users has no sender", () => {
  const { payload } = openWorld({ teams: [{ _id: "tea_1" }] });
  expect(Object.keys(payload({ type: "connectionIssue" }))).toEqual(COMMON);
});

describe("the groups of lead states", () => {
  /** "contacted by any channel", "opened a message", "clicked a link or accepted a network invite", "replied". */
  test.each([
    ["emailsSent", "contacted"],
    ["smsSent", "contacted"],
    ["emailsOpened", "hooked"],
    ["chatMessageOpened", "hooked"],
    ["emailsClicked", "attracted"],
    ["networkInviteAccepted", "attracted"],
    ["emailsReplied", "warmed"],
    ["smsReplied", "warmed"],
    ["manualInterested", "interested"],
    ["dialerNotInterested", "notInterested"],
  ])("%s is followed by %s", (type, group) => {
    const [own, second, ...others] = openWorld().activities({ type });
    expect(others).toEqual([]);
    expect([own?.payload["_id"], second?.payload["_id"]]).toEqual(["act_000001", "act_000002"]);
    const { subject: _, to: __, ...shared } = own?.payload ?? {};
    expect(second).toEqual({ ...own, type: group, payload: { ...shared, _id: "act_000002", type: group } });
  });

  test.each(["emailsBounced", "emailsFailed", "contacted", "paused", "campaignComplete", "enrichmentDone"])(
    "%s is alone",
    (type) => {
      expect(
        openWorld()
          .activities({ type })
          .map((activity) => activity.type),
      ).toEqual([type]);
    },
  );

  test("changes of the lead are in both; the id of the first is its own", () => {
    const [own, group] = openWorld().activities({
      type: "emailsReplied",
      set: { leadFirstName: "Augusta", subject: "Hi", _id: "act_same" },
    });
    expect(own?.payload).toMatchObject({ _id: "act_same", leadFirstName: "Augusta", subject: "Hi" });
    expect(group?.payload).toMatchObject({ _id: "act_000001", leadFirstName: "Augusta" });
    expect(group?.payload).not.toHaveProperty("subject");
  });
});

describe("a number of events", () => {
  test("each has an id of its own, groups included", () => {
    const ids = openWorld()
      .activities({ type: "emailsReplied", count: 100 })
      .map(({ payload }) => payload["_id"]);
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
  });

  test("with an id, all are deliveries of the same event, and no later one gets its id", () => {
    const { activities } = openWorld();
    expect(
      activities({ type: "emailsBounced", count: 3, set: { _id: "act_000007" } }).map(({ payload }) => payload["_id"]),
    ).toEqual(Array(3).fill("act_000007"));
    expect(activities({ type: "emailsBounced" })[0]?.payload["_id"]).toBe("act_000008");
  });
});
