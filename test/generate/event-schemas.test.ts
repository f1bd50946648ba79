import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES, type EventTypeName } from "../../src/service/events/catalog.ts";
import { exampleOf, thirdPartyExample } from "../../src/service/events/example.ts";
import { PAYLOAD_FIELDS, fieldsOf } from "../../src/service/events/payload.ts";
import { fencesOf } from "../docs/markdown.ts";

const FOLDER = new URL("../../schemas/events/", import.meta.url);
const TYPES = EVENT_TYPES.map(({ name }) => name);
const EMAIL_TYPES = EVENT_TYPES.flatMap(({ name, category }): readonly EventTypeName[] => (category === "Email" ? [name] : []));
const RECIPIENT_TYPES: readonly EventTypeName[] = ["emailsSent", "emailsReplied", "emailsBounced"];

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** Where a schema, by the name of its file, rejects an event. */
function rejectedAt(schema: string, event: unknown): readonly string[] {
  const validate = validators.get(schema) ?? compile(schema);
  validators.set(schema, validate);
  // The rule within an if is among the errors too.
  return validate(event)
    ? []
    : (validate.errors ?? []).filter(({ keyword }) => keyword !== "if").map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
}

function compile(schema: string): ValidateFunction {
  return ajv.compile(JSON.parse(readFileSync(new URL(`${schema}.schema.json`, FOLDER), "utf8")) as object);
}

const reply = exampleOf("emailsReplied");
const sent = exampleOf("emailsSent");
const without = (event: object, name: string): object => Object.fromEntries(Object.entries(event).filter(([other]) => other !== name));

test("there is a schema for each event type, and one for any event", () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(["event", ...TYPES].map((name) => `${name}.schema.json`).toSorted());
});

test("the package exports the schemas under the path of their files", () => {
  const require = createRequire(import.meta.url);
  for (const name of ["event", "emailsSent"]) {
    const schema = require(`outreach-as-code/schemas/events/${name}.schema.json`) as { readonly $id: string };
    expect(schema.$id).toBe(`https://outreach-as-code.example/schemas/events/${name}.schema.json`);
  }
});

describe("the example of an event", () => {
  test.each(TYPES)("%s is valid against the schema of its type and that of any event, also with a secret", (type) => {
    for (const event of [exampleOf(type), { ...exampleOf(type), secret: "correct-horse" }])
      expect([rejectedAt(type, event), rejectedAt("event", event)]).toEqual([[], []]);
  });

  test("of a third party's reply is valid, and has no field of a campaign, a sequence or a lead", () => {
    const event = thirdPartyExample();
    expect([rejectedAt("emailsReplied", event), rejectedAt("event", event)]).toEqual([[], []]);
    expect(Object.keys(event).filter((name) => /^(campaign|sequence|lead)/.test(name))).toEqual([]);
  });

  test("is valid for no other type", () => {
    for (const type of TYPES)
      expect(rejectedAt(type, exampleOf(type === "emailsSent" ? "smsSent" : "emailsSent")), type).toContain("/type must be equal to constant");
  });

  test("has its own id and a time, the same in each call", () => {
    const examples = TYPES.map(exampleOf);
    expect(new Set(examples.map(({ _id }) => _id)).size).toBe(TYPES.length);
    expect(new Set(examples.map(({ createdAt }) => createdAt)).size).toBe(TYPES.length);
    expect(TYPES.map(exampleOf)).toEqual(examples);
  });

  test("has the fields of its type in the documented order; an optional list of recipients can be missing", () => {
    for (const type of TYPES) {
      const names = fieldsOf(type).flatMap(({ name }) => (["secret", "isThirdPartyReply"].includes(name) ? [] : [name]));
      const example = Object.keys(exampleOf(type));
      expect(example, type).toEqual(names.filter((name) => example.includes(name)));
      expect(
        names.filter((name) => !example.includes(name)),
        type,
      ).toEqual(type === "emailsBounced" ? ["cc"] : []);
    }
  });

  test("is sent to the lead, and replied to the owner of the mailbox", () => {
    expect(sent).toMatchObject({ to: [{ address: sent["leadEmail"] }] });
    expect(reply).toMatchObject({ to: [{ address: reply["sendUserEmail"] }, {}] });
    expect(thirdPartyExample()).toMatchObject({ to: [{ address: reply["sendUserEmail"] }] });
  });
});

test("the reference has an example of each type, and one of a third party's reply", () => {
  const page = readFileSync(new URL("../../docs/reference/events.md", import.meta.url), "utf8");
  const examples = fencesOf(page).map(({ language, text }) => {
    expect(language).toBe("json");
    return JSON.parse(text) as { readonly type: string };
  });
  expect(examples.map(({ type }) => type)).toEqual(["emailsReplied", ...TYPES]);
  for (const example of examples) expect(rejectedAt(example.type, example), example.type).toEqual([]);
});

describe("a schema rejects", () => {
  test.each<readonly [what: string, event: object, at: readonly string[]]>([
    ["an address in upper case", { ...sent, to: [{ address: "Ada@example.com", name: "" }] }, ['/to/0/address must match pattern "^[^A-Z]*$"']],
    ["a recipient without a name", { ...sent, cc: [{ address: "ada@example.com" }] }, ["/cc/0 must have required property 'name'"]],
    ["an empty list of recipients", { ...reply, to: [] }, ["/to must NOT have fewer than 1 items"]],
    ["hidden recipients of a reply", { ...reply, bcc: sent["bcc"] }, ["/bcc boolean schema is false"]],
    ["a third party's reply with a campaign", { ...thirdPartyExample(), campaignId: "cam_000001" }, ["/campaignId boolean schema is false"]],
    ["a third party's reply with a lead", { ...thirdPartyExample(), leadId: "lea_000001" }, ["/leadId boolean schema is false"]],
    ["a third party's reply with a sequence", { ...thirdPartyExample(), sequenceId: "seq_000001" }, ["/sequenceId boolean schema is false"]],
    ["an isThirdPartyReply that is false", { ...reply, isThirdPartyReply: false }, ["/isThirdPartyReply must be equal to constant"]],
    ["a third party without a reply", { ...sent, isThirdPartyReply: true }, ["/isThirdPartyReply boolean schema is false"]],
    ["an id of something else", { ...sent, campaignId: "usr_000001" }, ['/campaignId must match pattern "^cam_"']],
    ["a time that is none", { ...sent, createdAt: "yesterday" }, ['/createdAt must match format "date-time"']],
    ["a step below 0", { ...sent, sequenceStep: -1 }, ["/sequenceStep must be >= 0"]],
    ...["_id", "teamId", "createdAt"].map((name) => [`an event without ${name}`, without(sent, name), [` must have required property '${name}'`]] as const),
  ])("%s", (_, event, at) => {
    const { type } = event as { readonly type: string };
    // One error can cause others, as a third party's campaign does.
    expect(rejectedAt(type, event)).toEqual(expect.arrayContaining([...at]));
    expect(rejectedAt("event", event)).toEqual(expect.arrayContaining([...at]));
  });

  test("a subject, recipients and a third party on all types that cannot have them, and on no other", () => {
    const values = { subject: "Hello", to: sent["to"], cc: sent["cc"], bcc: sent["bcc"], isThirdPartyReply: true };
    const allowed: { readonly [field: string]: readonly string[] } = {
      subject: EMAIL_TYPES,
      to: RECIPIENT_TYPES,
      cc: RECIPIENT_TYPES,
      bcc: ["emailsSent"],
      isThirdPartyReply: ["emailsReplied"],
    };
    for (const [field, value] of Object.entries(values)) {
      for (const type of TYPES) {
        const { _id, teamId, createdAt } = exampleOf(type);
        const expected = allowed[field]?.includes(type) ? [] : [`/${field} boolean schema is false`];
        const event = { _id, type, teamId, createdAt, [field]: value };
        expect([rejectedAt(type, event), rejectedAt("event", event)], `${type}: ${field}`).toEqual([expected, expected]);
      }
    }
  });
});

describe("a schema accepts", () => {
  test("the four fields that every event has", () => {
    for (const type of TYPES) {
      const { _id, teamId, createdAt } = exampleOf(type);
      expect(rejectedAt(type, { _id, type, teamId, createdAt }), type).toEqual([]);
    }
  });

  test("fields that the specification does not show, and a campaign on any event", () => {
    for (const type of TYPES) {
      const event = { ...exampleOf(type), campaignId: "cam_000001", leadId: "lea_000001", anything: { at: "all" } };
      expect([rejectedAt(type, event), rejectedAt("event", event)], type).toEqual([[], []]);
    }
  });

  test("any event of a type that the catalogue does not know, with the form of the known fields", () => {
    const event = { ...sent, type: "emailsForwarded", isThirdPartyReply: undefined };
    expect(rejectedAt("event", JSON.parse(JSON.stringify(event)))).toEqual([]);
    expect(rejectedAt("event", { ...sent, type: "emailsForwarded", to: [] })).toEqual(["/to must NOT have fewer than 1 items"]);
    expect(rejectedAt("event", without(sent, "type"))).toEqual([" must have required property 'type'"]);
  });
});

test("the schemas describe every field that the specification shows", () => {
  const { properties } = JSON.parse(readFileSync(new URL("event.schema.json", FOLDER), "utf8")) as { readonly properties: { readonly [name: string]: object } };
  expect(Object.keys(properties)).toEqual(PAYLOAD_FIELDS.map(({ name }) => name));
  for (const [name, schema] of Object.entries(properties)) expect(schema, name).toHaveProperty("description");
});
