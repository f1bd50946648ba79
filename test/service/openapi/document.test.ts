import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { serviceOpenApi } from "../../../src/generate/openapi.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../../../src/service/events/catalog.ts";
import { OPERATIONS, schemaProblems } from "./conformance.ts";

const FILE = new URL("../../../schemas/service.openapi.json", import.meta.url);

/** Exceptions from the linter's rules, with reasons. */
const EXCEPTIONS = {
  "info-license": "the licence of the service is not documented",
  "no-path-trailing-slash": "the path of a campaign's schedules does end in a slash",
};

describe("the OpenAPI document of the service", () => {
  test("equals the output of the definitions", async () => {
    expect(await readFile(FILE, "utf8")).toBe(`${JSON.stringify(serviceOpenApi(), null, 2)}\n`);
  });

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
    expect(serviceOpenApi()).toMatchObject({
      openapi: "3.1.0",
      info: { version: "1.0.0" },
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: "http", scheme: "basic" } } },
    });
  });

  test("has every documented operation and no other", () => {
    expect(OPERATIONS.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      "DELETE /campaigns/{campaignId}/leads/{email}",
      "DELETE /hooks/{hookId}",
      "GET /campaigns",
      "GET /campaigns/{campaignId}/export/start",
      "GET /campaigns/{campaignId}/schedules/",
      "GET /hooks",
      "GET /warmup/{userMailboxId}/settings",
      "POST /hooks",
    ]);
  });

  test("has every event type of the catalogue, and none that was removed", () => {
    for (const { name } of EVENT_TYPES) expect(schemaProblems("EventType", name)).toEqual([]);
    for (const name of [...REMOVED_EVENT_TYPES.map((removed) => removed.name), "anything"]) expect(schemaProblems("EventType", name)).not.toEqual([]);
  });
});

describe("the payload of an event", () => {
  const common = { _id: "act_1", type: "emailsReplied", teamId: "tea_1", createdAt: "2026-07-01T12:00:00.000Z" };
  const lead = { campaignId: "cam_1", leadId: "lea_1", leadEmail: "ada@example.com", sequenceId: "seq_1", sequenceStep: 0 };
  const to = [{ address: "grace@example.com", name: "" }];

  test.each([
    ["the smallest payload", { _id: "act_1", type: "emailsReplied" }],
    ["one with null for what it has not", { ...common, teamId: null, campaignId: null, to: null, isThirdPartyReply: null }],
    ["a reply that is no third party's", { ...common, ...lead, isThirdPartyReply: false }],
    ["an event of a campaign's lead with a secret", { ...common, ...lead, type: "networkSent", secret: "s" }],
    ["an email with all its recipients", { ...common, ...lead, type: "emailsSent", subject: "Hello", to, cc: to, bcc: to }],
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
