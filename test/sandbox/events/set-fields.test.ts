import { describe, expect, test } from "vitest";
import type { EventTypeName } from "../../../src/service/events/event-catalog.ts";
import { problemsOf } from "../../service/openapi/event-validator.ts";
import { setFields } from "../../../src/sandbox/events/set-fields.ts";

const REPLY = {
  _id: "act_1",
  type: "emailsReplied",
  teamId: "tea_1",
  createdAt: "2026-07-01T12:00:00.000Z",
  campaignId: "cam_1",
  sequenceStep: 0,
  leadId: "lea_1",
  leadEmail: "ada@example.com",
  subject: "Re: Hello",
  to: [{ address: "grace@example.com", name: "Grace Hopper" }],
};
const THIRD_PARTY = {
  _id: "act_1",
  type: "emailsReplied",
  teamId: "tea_1",
  subject: "Re: Hello",
  isThirdPartyReply: true,
};

interface Event {
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly type?: EventTypeName;
}

function set(changes: Readonly<Record<string, unknown>>, { payload = REPLY, type = "emailsReplied" }: Event = {}) {
  return setFields(payload, changes, type);
}

describe("fields that can be set", () => {
  test.each([
    ["_id", "act_seen", "act_seen"],
    ["createdAt", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"],
    ["sequenceStep", "3", 3],
    ["sequenceStep", 4, 4],
    ["sequenceId", "anything", "anything"],
    ["leadEmail", "Other@Example.com", "Other@Example.com"],
    ["subject", "", ""],
    ["subject", 'a=b, "quoted" \u001b[2J', 'a=b, "quoted" \u001b[2J'],
    ["campaignName", "Another name", "Another name"],
    ["sendUserId", "usr_9", "usr_9"],
    [
      "cc",
      "Grace Hopper <Grace@Example.com>,alan@example.com",
      [
        { address: "grace@example.com", name: "Grace Hopper" },
        { address: "alan@example.com", name: "" },
      ],
    ],
    ["cc", '"Hopper, Grace" <grace@example.com>', [{ address: "grace@example.com", name: "Hopper, Grace" }]],
    [
      "cc",
      [{ address: "GRACE@example.com" }, "alan@example.com"],
      [
        { address: "grace@example.com", name: "" },
        { address: "alan@example.com", name: "" },
      ],
    ],
    ["cc[0]", "Alan <alan@example.com>", [{ address: "alan@example.com", name: "Alan" }]],
    ["to[0].name", "G.", [{ address: "grace@example.com", name: "G." }]],
    ["to[0].address", "GRACE@example.org", [{ address: "grace@example.org", name: "Grace Hopper" }]],
    ["to[1]", "alan@example.com", [REPLY.to[0], { address: "alan@example.com", name: "" }]],
  ])("%s=%j", (path, value, expected) => {
    const { payload, errors } = set({ [path]: value });
    expect(errors).toEqual([]);
    const [name = ""] = path.split("[");
    expect(payload).toEqual({ ...REPLY, [name]: expected });
    expect(problemsOf(payload)).toEqual([]);
  });

  test("they keep the specification's order", () => {
    const { payload } = set({
      cc: "a@example.com",
      campaignName: "C",
      "cc[1].name": "B",
      "cc[1].address": "b@example.com",
    });
    expect(Object.keys(payload)).toEqual([
      "_id",
      "type",
      "teamId",
      "createdAt",
      "campaignId",
      "campaignName",
      "sequenceStep",
      "leadId",
      "leadEmail",
      "subject",
      "to",
      "cc",
    ]);
    expect(payload["cc"]).toEqual([
      { address: "a@example.com", name: "" },
      { address: "b@example.com", name: "B" },
    ]);
  });

  test.each(["", "  ", []])("an empty list of recipients, %j, is absent", (value) => {
    const { payload, errors } = set({ to: value });
    expect(errors).toEqual([]);
    expect(payload).not.toHaveProperty("to");
  });

  test("values that the event has anyway are no error: a saved event can be given as a whole", () => {
    const { payload, errors } = set(REPLY);
    expect([payload, errors]).toEqual([REPLY, []]);
    expect(set({ isThirdPartyReply: "true" }, { payload: THIRD_PARTY }).errors).toEqual([]);
  });

  test("bcc of an event that can have it", () => {
    const { payload, errors } = set(
      { bcc: "crm@example.com" },
      { payload: { _id: "act_1", type: "emailsSent" }, type: "emailsSent" },
    );
    expect([payload["bcc"], errors]).toEqual([[{ address: "crm@example.com", name: "" }], []]);
  });
});

const FIELDS =
  "its fields are _id, createdAt, campaignName, sequenceId, sequenceStep, stepId, leadEmail, leadFirstName, leadLastName, sendUserId, sendUserEmail, sendUserName, subject, to, cc";

describe("mistakes", () => {
  test.each<readonly [string, unknown, string]>([
    ["subjct", "x", "subjct: an event of type emailsReplied has no such field; did you mean subject?"],
    [
      "leadFirstname",
      "x",
      "leadFirstname: an event of type emailsReplied has no such field; did you mean leadFirstName?",
    ],
    ["nothingLikeIt", "x", `nothingLikeIt: an event of type emailsReplied has no such field; ${FIELDS}`],
    ["bcc", "x@example.com", "bcc: an event of type emailsReplied has no bcc"],
    ["to.0.name", "x", "to.0.name: not a path; use a field such as subject, or an element such as to[0].name"],
    ["to[0", "x", "to[0: not a path; use a field such as subject, or an element such as to[0].name"],
    ["to[-1].name", "x", '"to[-1].name": not a path; use a field such as subject, or an element such as to[0].name'],
    ["to[0].mail", "x", "to[0].mail: a recipient has no mail, only address and name"],
    ["to[0].__proto__", "x", "to[0].__proto__: a recipient has no __proto__, only address and name"],
    ["to[2].name", "x", "to[2].name: to has 1 recipient, so the next one is to[1]"],
    ["cc[1]", "x@example.com", "cc[1]: cc has 0 recipients, so the next one is cc[0]"],
    ["cc[0].name", "x", "cc: a recipient needs an address"],
    ["subject[0]", "x", "subject[0]: subject is not a list"],
    ["subject", 5, "subject: must be text"],
    ["sequenceStep", "-1", "sequenceStep: must be a whole number, 0 or more"],
    ["sequenceStep", 1.5, "sequenceStep: must be a whole number, 0 or more"],
    ["sequenceStep", "", "sequenceStep: must be a whole number, 0 or more"],
    ["sequenceStep", null, "sequenceStep: must be a whole number, 0 or more"],
    ["createdAt", "yesterday", "createdAt: must be a date-time in UTC, as in 2026-07-01T12:00:00.000Z"],
    ["createdAt", "2026-02-30T00:00:00Z", "createdAt: must be a date-time in UTC, as in 2026-07-01T12:00:00.000Z"],
    ["_id", "", "_id: must be an id that starts with act_"],
    ["_id", "evt_1", "_id: must be an id that starts with act_"],
    ["_id", "act_\u001b", "_id: must be an id that starts with act_"],
    ["leadEmail", "nobody", "leadEmail: must be an email address"],
    ["to[0].address", "a\u001b[2J@example.com", "to[0].address: must be an email address"],
    ["to[0].address", "nobody", "to[0].address: must be an email address"],
    ["cc", "Ada", 'cc: "Ada" is not an email address, nor a name with one, as in Ada <ada@example.com>'],
    [
      "cc",
      "a@example.com,,b@example.com",
      'cc: "" is not an email address, nor a name with one, as in Ada <ada@example.com>',
    ],
    ["cc", 5, "cc: must be a list of recipients"],
    ["cc", [5], "cc: must be a recipient with address and name"],
    ["cc", [{ address: "a@example.com", mail: 1 }], 'cc: a recipient has no "mail", only address and name'],
    ["type", "emailsSent", "type: the event's type is emailsReplied"],
    ["teamId", "tea_2", "teamId: the event's team is tea_1, and its campaign decides that"],
    ["campaignId", "cam_2", "campaignId: the event's campaign is cam_1; choose another one with --campaign"],
    ["leadId", "lea_2", "leadId: the event's lead is lea_1; choose another one with --lead"],
    ["isThirdPartyReply", "true", "isThirdPartyReply: make a third-party reply with --third-party"],
    ["secret", "x", "secret: the sandbox adds the secret of each webhook"],
    ["__proto__", "x", `__proto__: an event of type emailsReplied has no such field; ${FIELDS}`],
    ["constructor", "x", `constructor: an event of type emailsReplied has no such field; ${FIELDS}`],
    [
      "\u001b[2J",
      "x",
      String.raw`"\u001b[2J": not a path; use a field such as subject, or an element such as to[0].name`,
    ],
    ["", "x", '"": not a path; use a field such as subject, or an element such as to[0].name'],
  ])("%j=%j", (path, value, message) => {
    // As JSON.parse makes it: __proto__ is a member like any other.
    const { errors } = set(Object.fromEntries([[path, value]]));
    expect(errors).toEqual([message]);
    expect({}).not.toHaveProperty("x");
  });

  test.each(["leadEmail", "leadFirstName", "campaignName", "sequenceId", "sequenceStep"])(
    "%s of a third-party reply",
    (name) => {
      expect(set({ [name]: "x" }, { payload: THIRD_PARTY }).errors).toEqual([
        `${name}: a third-party reply has no campaign, lead or sequence`,
      ]);
    },
  );

  test("all are reported", () => {
    expect(set({ subjct: "x", sequenceStep: "x", secret: "x" }).errors).toHaveLength(3);
  });
});
