import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readFlag, readNumber, readText } from "../../../src/service/api/answer-values.ts";
import {
  type EventFields,
  eventHandler,
  isKnownEvent,
  type OutreachEvent,
  parseEvent,
} from "../../../src/service/receiver/index.ts";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { type Body, lawfulBody } from "./lawful-events.ts";

const SECRET = "whsec-new";

const TEXTS =
  "_id type teamId createdAt campaignId campaignName sequenceId stepId leadId leadEmail leadFirstName leadLastName sendUserId sendUserEmail sendUserName subject";

/** What the types promise about the value of each field. */
const PROMISED: { readonly [field: string]: (value: unknown) => boolean } = {
  ...Object.fromEntries(TEXTS.split(" ").map((field) => [field, (value: unknown) => typeof value === "string"])),
  sequenceStep: (value) => typeof value === "number",
  isThirdPartyReply: (value) => typeof value === "boolean",
  to: areRecipients,
  cc: areRecipients,
  bcc: areRecipients,
};

function areRecipients(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one: { address: unknown; name: unknown }) => typeof one.address === "string" && typeof one.name === "string",
    )
  );
}

/** The documented fields that an event has with a value that their type does not allow. */
function brokenPromises(event: OutreachEvent): readonly string[] {
  return Object.entries(event).flatMap(([field, value]) =>
    PROMISED[field]?.(value) === false ? [`${field}: ${JSON.stringify(value) ?? "undefined"}`] : [],
  );
}

/** A receiver that compiles with the types, and checks nothing that they do not ask for. */
function summary(event: OutreachEvent): string {
  const seen: EventFields = event;
  const lead = [seen.leadFirstName?.trim(), seen.leadLastName?.trim(), seen.leadEmail?.toLowerCase()].join(" ");
  const where = `${seen.campaignName?.toUpperCase() ?? "no campaign"} ${seen.sequenceStep?.toFixed(0) ?? ""} ${seen.stepId?.trim() ?? ""}`;
  const when = seen.createdAt === undefined ? "" : new Date(seen.createdAt).toISOString();
  const what = [seen._id.trim(), seen.type.trim(), seen.teamId?.trim() ?? ""].join(" ");
  const rest =
    isKnownEvent(event) && event.type === "emailsReplied" && !event.isThirdPartyReply
      ? (event.campaignId?.trim() ?? "")
      : "";
  const mail =
    event.type === "emailsSent"
      ? [...(event.to ?? []), ...(event.cc ?? []), ...(event.bcc ?? [])].map((to) => `${to.name.trim()} ${to.address}`)
      : [];
  return [what, when, lead, where, rest, ...mail].join("\n");
}

const body = { _id: "act_1", type: "emailsReplied", secret: SECRET };
const to = (list: unknown): Body => ({ ...body, type: "emailsSent", to: list });

describe("an event that carries the accepted secret, and a type and an id", () => {
  test("is accepted, handled and true to its types, whatever the specification allows", async () => {
    await fc.assert(
      fc.asyncProperty(lawfulBody(SECRET), async (lawful) => {
        const text = JSON.stringify(lawful);
        const event = parseEvent(text, { secrets: [SECRET] });
        expect(event).toMatchObject({ _id: lawful["_id"], type: lawful["type"] });
        expect(brokenPromises(event)).toEqual([]);
        // Nothing that the service sent is lost, but nulls.
        const { secret: _, ...sent } = lawful;
        for (const [field, value] of Object.entries(sent))
          if (value !== null) expect(event).toHaveProperty([field], JSON.parse(JSON.stringify(value)));
        const handled: string[] = [];
        const handler = eventHandler({
          secrets: [SECRET],
          onEvent: (one) => handled.push(summary(one)),
          onError: (error) => handled.push(String(error)),
        });
        const answer = await handler(new Request("https://crm.example.com/hook", { method: "POST", body: text }));
        expect([answer.status, handled]).toEqual([204, [summary(event)]]);
      }),
      { numRuns: 500 },
    );
  });

  test.for<[what: string, sent: Body, read: Body]>([
    ["has nothing else", body, {}],
    ["has no team", { ...body, createdAt: "2026-07-01T12:00:00Z" }, { createdAt: "2026-07-01T12:00:00Z" }],
    ["has null everywhere", { ...body, ...nulls() }, {}],
    ["has an empty team", { ...body, teamId: "" }, { teamId: "" }],
    ["has a step as text", { ...body, sequenceStep: "2" }, { sequenceStep: 2 }],
    ["has a step that is no number", { ...body, sequenceStep: "second" }, {}],
    ["has ids that are numbers", { ...body, leadId: 5, teamId: 1e3 }, { leadId: "5", teamId: "1000" }],
    ["has ids that JSON cannot carry exactly", { ...body, leadId: 2 ** 53, teamId: -(2 ** 60) }, {}],
    ["has a step in another notation than JSON's", { ...body, sequenceStep: "0x10" }, {}],
    ["has a time that is a number", { ...body, createdAt: 1_782_900_000_000 }, {}],
    ["has a name that is an object", { ...body, leadFirstName: { given: "Ada" } }, {}],
    [
      "says that it is no third party's reply",
      { ...body, isThirdPartyReply: false, campaignId: "cam_1" },
      { isThirdPartyReply: false, campaignId: "cam_1" },
    ],
    ["says so as text", { ...body, isThirdPartyReply: "false" }, { isThirdPartyReply: false }],
    ["is a third party's reply, as text", { ...body, isThirdPartyReply: "true" }, { isThirdPartyReply: true }],
    ["is one in Python's words", { ...body, isThirdPartyReply: "True" }, { isThirdPartyReply: true }],
    ["is one as a number", { ...body, isThirdPartyReply: 1 }, { isThirdPartyReply: true }],
    ["is none as a number in a text", { ...body, isThirdPartyReply: "0" }, { isThirdPartyReply: false }],
    ["is one or none, nobody knows", { ...body, isThirdPartyReply: 2 }, {}],
    [
      "has recipients without a name",
      to([{ address: "ada@example.com" }]),
      { to: [{ address: "ada@example.com", name: "" }] },
    ],
    [
      "has recipients whose name is null",
      to([{ address: "ada@example.com", name: null }]),
      { to: [{ address: "ada@example.com", name: "" }] },
    ],
    ["has recipients as text", to(["ada@example.com"]), { to: [{ address: "ada@example.com", name: "" }] }],
    [
      "has recipients with more",
      to([{ address: "ada@example.com", name: "Ada", id: 5 }]),
      { to: [{ address: "ada@example.com", name: "Ada", id: 5 }] },
    ],
    [
      "has recipients that are none",
      to([null, {}, { address: 5 }, { address: "ada@example.com", name: "Ada" }]),
      { to: [{ address: "ada@example.com", name: "Ada" }] },
    ],
    ["has no recipients", to([]), { to: [] }],
    ["has a recipient that is no list", to({ address: "ada@example.com", name: "Ada" }), {}],
    [
      "has undocumented fields",
      { ...body, brandNew: null, deep: [{ a: "1" }], toString: 5 },
      { brandNew: null, deep: [{ a: "1" }], toString: 5 },
    ],
  ])("is accepted if it %s", ([, sent, read]) => {
    const event = parseEvent(JSON.stringify(sent), { secrets: [SECRET] });
    expect(event).toEqual({ _id: "act_1", type: sent["type"], ...read });
    expect(brokenPromises(event)).toEqual([]);
    expect(summary(event)).toContain("act_1");
  });
});

test("an id that is too large for a number is left out", () => {
  const sent = JSON.stringify({ ...body, leadId: 0 }).replace('"leadId":0', '"leadId":1e400');
  expect(sent).toContain("1e400");
  expect(parseEvent(sent, { secrets: [SECRET] })).toEqual({ _id: "act_1", type: "emailsReplied" });
});

test("a value means the same in an event as in an answer of the service", () => {
  const words = fc.constantFrom<unknown>(
    "",
    " ",
    "2",
    "-1.5e3",
    "0x10",
    "1e400",
    Infinity,
    2 ** 53,
    -(2 ** 60),
    "True",
    "FALSE",
    "0",
    "1",
    0,
    1,
    2,
    "yes",
    [],
    {},
  );
  fc.assert(
    fc.property(fc.oneof(words, fc.jsonValue({ maxDepth: 1 })), (value) => {
      const event = parseEvent(
        { ...body, leadId: value, sequenceStep: value, isThirdPartyReply: value },
        { secrets: [SECRET] },
      );
      const read = { leadId: readText(value), sequenceStep: readNumber(value), isThirdPartyReply: readFlag(value) };
      for (const [field, one] of Object.entries(read))
        expect((event as unknown as Body)[field], field).toEqual(one ?? undefined);
    }),
    { numRuns: 1000 },
  );
});

test("the JSON Schemas accept whatever the specification allows", () => {
  fc.assert(
    fc.property(lawfulBody(SECRET), (lawful) => {
      expect(schemaProblems(JSON.parse(JSON.stringify(lawful)) as Body)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

function nulls(): Body {
  return Object.fromEntries(
    Object.keys(PROMISED).flatMap((field) => (field === "_id" || field === "type" ? [] : [[field, null]])),
  );
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** What the schema of any event, and that of its type, reject. */
function schemaProblems(sent: Body): readonly string[] {
  return ["event", String(sent["type"])].flatMap((schema) => {
    const file = new URL(`../../../schemas/events/${schema}.schema.json`, import.meta.url);
    if (schema !== "event" && !EVENT_TYPES.some(({ name }) => name === schema)) return [];
    const validate = validators.get(schema) ?? ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object);
    validators.set(schema, validate);
    return validate(sent)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message = "" }) => `${schema}: ${instancePath} ${message}`);
  });
}
