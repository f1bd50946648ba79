import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES, type EventTypeName } from "../../src/service/events/event-catalog.ts";
import { exampleOf, thirdPartyExample } from "../../src/service/events/example.ts";
import { PAYLOAD_FIELDS, fieldsOf } from "../../src/service/events/payload.ts";
import { fencesOf } from "../docs/markdown.ts";

const FOLDER = new URL("../../schemas/events/", import.meta.url);
const TYPES = EVENT_TYPES.map(({ name }) => name);

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
    : (validate.errors ?? [])
        .filter(({ keyword }) => keyword !== "if")
        .map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
}

function compile(schema: string): ValidateFunction {
  return ajv.compile(JSON.parse(readFileSync(new URL(`${schema}.schema.json`, FOLDER), "utf8")) as object);
}

const reply = exampleOf("emailsReplied");
const sent = exampleOf("emailsSent");
const without = (event: object, name: string): object =>
  Object.fromEntries(Object.entries(event).filter(([other]) => other !== name));

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
      expect(rejectedAt(type, exampleOf(type === "emailsSent" ? "smsSent" : "emailsSent")), type).toContain(
        "/type must be equal to constant",
      );
  });

  test("has its own id and a time, the same in each call", () => {
    const examples = TYPES.map(exampleOf);
    expect(new Set(examples.map(({ _id }) => _id)).size).toBe(TYPES.length);
    expect(new Set(examples.map(({ createdAt }) => createdAt)).size).toBe(TYPES.length);
    expect(TYPES.map(exampleOf)).toEqual(examples);
  });

  test("has the fields of its type in the documented order; an optional list of recipients can be missing", () => {
    for (const type of TYPES) {
      const names = fieldsOf(type).flatMap(({ name }) =>
        ["secret", "isThirdPartyReply", "stepId"].includes(name) ? [] : [name],
      );
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

describe("the reference of events", () => {
  const page = readFileSync(new URL("../../docs/reference/events.md", import.meta.url), "utf8");
  const examples = fencesOf(page).map(({ text, from }) => ({
    heading: page.split("\n")[from - 3] ?? "",
    event: JSON.parse(text) as { readonly type: string },
  }));

  test("has one example of each shape, and one of a third party's reply", () => {
    const shapes = examples.map(({ event }) => Object.keys(event).join());
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(shapes.length).toBeLessThan(TYPES.length / 4);
    for (const { event } of examples) expect(rejectedAt(event.type, event), event.type).toEqual([]);
  });

  test.each(TYPES)("names an example for %s that has all its fields", (type) => {
    const [, shape] = new RegExp(`^\\| \`${type}\` \\|[^|]*\\| ([^|]+) \\|`, "m").exec(page) ?? [];
    const example = examples.find(({ heading }) => heading.toLowerCase() === `#### ${String(shape)}`);
    expect(Object.keys(example?.event ?? {})).toEqual(expect.arrayContaining(Object.keys(exampleOf(type))));
    expect(rejectedAt(type, { ...example?.event, type })).toEqual([]);
  });
});

describe("a schema rejects", () => {
  test.each<readonly [what: string, event: object, at: readonly string[]]>([
    [
      "an address in upper case",
      { ...sent, to: [{ address: "Ada@example.com", name: "" }] },
      ['/to/0/address must match pattern "^[^A-Z]*$"'],
    ],
    [
      "a recipient without a name",
      { ...sent, cc: [{ address: "ada@example.com" }] },
      ["/cc/0 must have required property 'name'"],
    ],
    ["an empty list of recipients", { ...reply, to: [] }, ["/to must NOT have fewer than 1 items"]],
    ["hidden recipients of a reply", { ...reply, bcc: sent["bcc"] }, ["/bcc must be null"]],
    [
      "a third party's reply with a campaign",
      { ...thirdPartyExample(), campaignId: "cam_000001" },
      ["/campaignId must be null"],
    ],
    ["a third party's reply with a lead", { ...thirdPartyExample(), leadId: "lea_000001" }, ["/leadId must be null"]],
    [
      "a third party's reply with a sequence",
      { ...thirdPartyExample(), sequenceId: "seq_000001" },
      ["/sequenceId must be null"],
    ],
    ["an id of something else", { ...sent, campaignId: "usr_000001" }, ['/campaignId must match pattern "^cam_"']],
    ["a time that is none", { ...sent, createdAt: "yesterday" }, ['/createdAt must match format "date-time"']],
    ["a step below 0", { ...sent, sequenceStep: -1 }, ["/sequenceStep must be >= 0"]],
    ["an event without _id", without(sent, "_id"), [" must have required property '_id'"]],
    ["an event whose _id is null", { ...sent, _id: null }, ["/_id must be string"]],
  ])("%s", (_, event, at) => {
    const { type } = event as { readonly type: string };
    // One error can cause others, as a third party's campaign does.
    expect(rejectedAt(type, event)).toEqual(expect.arrayContaining([...at]));
    expect(rejectedAt("event", event)).toEqual(expect.arrayContaining([...at]));
  });

  test("a subject and hidden recipients on the types that the specification excludes, and no field on any other", () => {
    const values = { subject: "Hello", to: sent["to"], cc: sent["cc"], bcc: sent["bcc"], isThirdPartyReply: true };
    const excluded: { readonly [field: string]: (type: EventTypeName) => boolean } = {
      subject: (type) => /^(?:network|chat|sms|dialer|call)/.test(type),
      bcc: (type) =>
        ![
          "emailsSent",
          "emailsBounced",
          "contacted",
          "hooked",
          "attracted",
          "warmed",
          "interested",
          "notInterested",
        ].includes(type),
    };
    for (const [field, value] of Object.entries(values)) {
      for (const type of TYPES) {
        const expected = excluded[field]?.(type) === true ? [`/${field} must be null`] : [];
        const event = { _id: "act_1", type, [field]: value };
        expect([rejectedAt(type, event), rejectedAt("event", event)], `${type}: ${field}`).toEqual([
          expected,
          expected,
        ]);
      }
    }
  });
});

describe("a schema accepts", () => {
  test("an id and a type alone, and null for every other field", () => {
    const nulls = Object.fromEntries(PAYLOAD_FIELDS.map(({ name }) => [name, null]));
    for (const type of TYPES)
      for (const event of [
        { _id: "act_1", type },
        { ...nulls, _id: "act_1", type },
      ])
        expect([rejectedAt(type, event), rejectedAt("event", event)], type).toEqual([[], []]);
  });

  test("fields that the specification does not show, and a campaign on any event", () => {
    for (const type of TYPES) {
      const event = {
        ...exampleOf(type),
        campaignId: "cam_000001",
        leadId: "lea_000001",
        stepId: "stp_1",
        isThirdPartyReply: false,
        anything: { at: "all" },
      };
      expect([rejectedAt(type, event), rejectedAt("event", event)], type).toEqual([[], []]);
    }
  });

  test("any event of a type that the catalogue does not know, with the form of the known fields", () => {
    expect(rejectedAt("event", { ...sent, type: "emailsForwarded" })).toEqual([]);
    expect(rejectedAt("event", { ...sent, type: "emailsForwarded", to: [] })).toEqual([
      "/to must NOT have fewer than 1 items",
    ]);
    expect(rejectedAt("event", without(sent, "type"))).toEqual([" must have required property 'type'"]);
  });
});

test("the schemas describe every field of the catalogue", () => {
  const { properties } = JSON.parse(readFileSync(new URL("event.schema.json", FOLDER), "utf8")) as {
    readonly properties: { readonly [name: string]: object };
  };
  expect(Object.keys(properties)).toEqual(PAYLOAD_FIELDS.map(({ name }) => name));
  for (const [name, schema] of Object.entries(properties)) expect(schema, name).toHaveProperty("description");
});
