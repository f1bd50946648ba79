import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { ROUTES } from "../../../src/sandbox/routes.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { EVENT_CATEGORIES, listEvents } from "../../../src/service/events/event-list.ts";
import { exampleOf, thirdPartyExample } from "../../../src/service/events/example.ts";
import { PAYLOAD_FIELDS, type PayloadField } from "../../../src/service/events/payload.ts";
import { createConfig, lintFromString } from "../../deep/linters.ts";
import { OPERATIONS, SERVICE_OPEN_API, schemaProblems } from "./conformance.ts";

const FILE = new URL("../../../schemas/service.openapi.json", import.meta.url);

/** Exceptions from the linter's rules, with reasons. */
const EXCEPTIONS = {
  "info-license": "the licence of the service is not documented",
  "no-path-trailing-slash": "the path of a campaign's schedules does end in a slash",
};

const byPath = (one: { path: string; method: string }, other: typeof one): number =>
  `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1;

describe("the OpenAPI document of the service", () => {
  test("passes a linter, except for the service's own peculiarities", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: await readFile(FILE, "utf8"), absoluteRef: FILE.pathname, config });
    const found = problems.map(({ ruleId, location }) => ({ ruleId, place: location[0]?.pointer }));
    expect(found).toEqual([
      { ruleId: "info-license", place: "#/info" },
      { ruleId: "no-path-trailing-slash", place: "#/paths/~1campaigns~1{campaignId}~1schedules~1" },
    ]);
    expect(new Set(found.map(({ ruleId }) => ruleId))).toEqual(new Set(Object.keys(EXCEPTIONS)));
  });

  test("is OpenAPI 3.1 of the API's version 1.0.0, with HTTP basic authentication", () => {
    expect(SERVICE_OPEN_API).toMatchObject({
      openapi: "3.1.0",
      info: { version: "1.0.0" },
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: "http", scheme: "basic" } } },
    });
  });

  test("has every documented operation and no other", () => {
    const inSandbox = ROUTES.filter(({ operation }) => operation !== "exportStatus");
    expect(OPERATIONS.map(({ query: _, ...one }) => one).toSorted(byPath)).toEqual(
      inSandbox.map(({ operation, method, path }) => ({ operationId: operation, method, path })).toSorted(byPath),
    );
  });
});

/** The parts of the document that tell what the event catalogue tells. */
const DOCUMENT = SERVICE_OPEN_API as {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly webhooks: { readonly [type: string]: { readonly post: ReceivedEvent } };
  readonly components: {
    readonly schemas: {
      readonly [name: string]: object;
      readonly Activity: { readonly properties: { readonly [field: string]: object } };
    };
  };
};
type ReceivedEvent = {
  readonly requestBody: { readonly content: { readonly "application/json": { readonly examples: object } } };
};

describe("the document and the event catalogue agree", () => {
  test("about the types, their categories, and the removed types", () => {
    expect(DOCUMENT.components.schemas["EventType"]).toMatchObject({
      enum: EVENT_TYPES.map(({ name }) => name),
      "x-enumDescriptions": Object.fromEntries(EVENT_TYPES.map(({ name, description }) => [name, description])),
      "x-categories": Object.fromEntries(
        EVENT_CATEGORIES.map((category) => [category, listEvents(category).map(({ name }) => name)]),
      ),
      "x-removed": REMOVED_EVENT_TYPES,
    });
    expect(DOCUMENT.tags.filter(({ name }) => name.startsWith("Events: "))).toEqual(
      EVENT_CATEGORIES.map((category) => ({
        name: `Events: ${category}`,
        description: `Events of the category ${category}.`,
      })),
    );
  });

  test("about the webhook of each type, and its example", () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual(EVENT_TYPES.map(({ name }) => name));
    for (const { name, category, description } of EVENT_TYPES) {
      expect(DOCUMENT.webhooks[name], name).toMatchObject({
        post: {
          operationId: `receive${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
          tags: [`Events: ${category}`],
          summary: description.replace(/\.$/, ""),
          requestBody: { content: { "application/json": { schema: { properties: { type: { const: name } } } } } },
        },
      });
      expect(DOCUMENT.webhooks[name]?.post.requestBody.content["application/json"].examples, name).toEqual({
        [name]: { value: exampleOf(name) },
        ...(name === "emailsReplied"
          ? { thirdPartyReply: { summary: "The reply of a third party.", value: thirdPartyExample() } }
          : {}),
      });
    }
  });

  test("about the fields, and which types never have them", () => {
    const { properties } = DOCUMENT.components.schemas.Activity;
    expect(Object.keys(properties)).toEqual(PAYLOAD_FIELDS.map(({ name }) => name));
    for (const { name, description, form } of PAYLOAD_FIELDS)
      if (form !== "type") expect(properties[name], name).toMatchObject({ description });
    const rejected = EVENT_TYPES.flatMap(({ name: type }) =>
      PAYLOAD_FIELDS.flatMap(({ name, form, prefix = "" }) =>
        form === "type" ||
        schemaProblems("Activity", { _id: "act_1", type, [name]: valueOf(form, prefix) }).length === 0
          ? []
          : [`${type}: ${name}`],
      ),
    );
    const excluded = EVENT_TYPES.flatMap(({ name: type }) =>
      PAYLOAD_FIELDS.flatMap((field) => (field.isExcluded?.(type) ? [`${type}: ${field.name}`] : [])),
    );
    expect(rejected).toEqual(excluded);
    expect(excluded).toContain("smsSent: subject");
  });
});

function valueOf(form: PayloadField["form"], prefix: string): unknown {
  if (form === "time") return "2026-07-01T12:00:00.000Z";
  if (form === "index") return 0;
  if (form === "flag") return false;
  return form === "recipients" ? [{ address: "ada@example.com", name: "" }] : `${prefix}1`;
}

describe("the payload of an event", () => {
  const common = { _id: "act_1", type: "emailsReplied", teamId: "tea_1", createdAt: "2026-07-01T12:00:00.000Z" };
  const lead = {
    campaignId: "cam_1",
    leadId: "lea_1",
    leadEmail: "ada@example.com",
    sequenceId: "seq_1",
    sequenceStep: 0,
  };
  const to = [{ address: "grace@example.com", name: "" }];

  test.each([
    ["the smallest payload", { _id: "act_1", type: "emailsReplied" }],
    [
      "one with null for what it has not",
      { ...common, teamId: null, campaignId: null, to: null, isThirdPartyReply: null },
    ],
    ["a reply that is no third party's", { ...common, ...lead, isThirdPartyReply: false }],
    ["an event of a campaign's lead with a secret", { ...common, ...lead, type: "networkSent", secret: "s" }],
    [
      "an email with all its recipients",
      { ...common, ...lead, type: "emailsSent", subject: "Hello", to, cc: to, bcc: to },
    ],
    ["a third party's reply", { ...common, to, isThirdPartyReply: true }],
  ])("can be %s", (_, payload) => expect(schemaProblems("Activity", payload)).toEqual([]));

  test.each([
    ["of a removed type", { ...common, type: "skipped" }],
    ["without an id", { ...common, _id: null }],
    ["with a subject for an event other than an email", { ...common, type: "smsSent", subject: "Hello" }],
    ["with hidden recipients of a reply", { ...common, bcc: to }],
    ["with an empty list of recipients", { ...common, cc: [] }],
    ["with an address in upper case", { ...common, to: [{ address: "Grace@example.com", name: "" }] }],
    ["of a third party's reply with a lead", { ...common, ...lead, isThirdPartyReply: true }],
    ["with a text as isThirdPartyReply", { ...common, isThirdPartyReply: "no" }],
  ])("cannot be one %s", (_, payload) => expect(schemaProblems("Activity", payload)).not.toEqual([]));
});
