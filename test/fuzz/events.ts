import * as fc from "fast-check";
import { EventError } from "../../src/service/receiver/event-error.ts";
import { parseEvent } from "../../src/service/receiver/parse-event.ts";
import { type Json, VALUE, jsonText, mutatedJson } from "./arbitraries.ts";
import { expectPrintable } from "./product.ts";
import { target } from "./target.ts";

const SECRET = "the-secret-of-the-hook";
const EVENT: Json = {
  _id: "act_000001",
  type: "emailsReplied",
  teamId: "tea_000001",
  createdAt: "2026-01-01T00:00:00.000Z",
  campaignId: "cam_000001",
  leadEmail: "ada@example.com",
  sequenceStep: 0,
  to: [{ address: "ada@example.com", name: "Ada" }],
  secret: SECRET,
};

const BYTES = fc.uint8Array({ maxLength: 200 });

export const EVENTS = target({
  name: "events",
  share: 10,
  cases: fc.record({
    body: fc.oneof(
      { weight: 6, arbitrary: jsonText(mutatedJson([EVENT])) },
      { weight: 1, arbitrary: BYTES },
      { weight: 2, arbitrary: mutatedJson([EVENT]) },
      { weight: 1, arbitrary: VALUE },
    ),
    verified: fc.boolean(),
    asBytes: fc.boolean(),
  }),
  run: ({ body, verified, asBytes }) => {
    const given = asBytes && typeof body === "string" ? new TextEncoder().encode(body) : (body as object);
    try {
      const event = parseEvent(given, verified ? { secrets: [SECRET] } : { unverified: true });
      if ("secret" in event) throw new Error("the event has its secret");
      return true;
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      expectPrintable(error.message);
      return false;
    }
  },
});
