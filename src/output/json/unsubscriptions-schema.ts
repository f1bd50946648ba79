import { OUTCOMES } from "../../core/plan/person-report.ts";
import { COUNT, type JsonSchema, TEXT, TEXT_OR_NULL, record, recordsOf } from "./json-schema.ts";

const TIME: JsonSchema = { ...TEXT_OR_NULL, description: "ISO 8601, in UTC; null if not known." };

/** The JSON Schema of what `outreach report unsubscriptions --format json` prints. */
export const UNSUBSCRIPTIONS_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://outreach-as-code.example/schemas/unsubscriptions-report.schema.json",
  title: "outreach report of unsubscriptions",
  ...record({
    format_version: {
      type: "string",
      pattern: "^1\\.\\d+$",
      description: "Version of this format. New members increase its second number.",
    },
    outreach_version: { type: "string", description: "Version of outreach." },
    as_of: { ...TEXT, description: "When the report was made." },
    counts: {
      ...record({
        people: { ...COUNT, description: "Number of addresses." },
        ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, COUNT])),
        undecided: {
          ...COUNT,
          description: "Requests of an earlier run without a recorded outcome. They are not in the report.",
        },
      }),
      description: "Number of addresses, and of unsubscriptions with each outcome: one for each address and campaign.",
    },
    request_to_done: {
      ...record({
        unit: { const: "seconds" },
        count: { ...COUNT, description: "Number of unsubscriptions that are done and measured." },
        from_list: {
          ...COUNT,
          description:
            "How many of them begin with the request that the list has. The others begin with the first record.",
        },
        median: { type: ["integer", "null"] },
        longest: { type: ["integer", "null"] },
      }),
      description: "Time from the request of a person to each unsubscription that is done.",
    },
    people: {
      ...recordsOf({
        email: { ...TEXT, description: "Masked, unless --show-emails is given." },
        asked: {
          ...TEXT_OR_NULL,
          description: "When the person asked, as the list says it; otherwise the time of the first record.",
        },
        asked_from: { enum: ["list", "record"] },
        reason: TEXT_OR_NULL,
        source: TEXT_OR_NULL,
        declared: { type: "boolean", description: "Whether the configuration of the last apply has the address." },
        first_sent: TIME,
        campaigns: recordsOf({
          campaign_id: TEXT,
          outcome: {
            enum: OUTCOMES,
            description:
              "done: the service confirmed it. assumed: recorded as done by a user, and not sent. accepted: taken as done, as on_not_found or outreach resolve says. waiting: not found yet, and looked for again. not_found: not found, and not looked for. unconfirmed: an answer was lost.",
          },
          declared: { type: "boolean" },
          first_sent: TIME,
          last_sent: TIME,
          done: TIME,
          waiting_since: TIME,
        }),
      }),
      description: "Sorted by address.",
    },
  }),
};
