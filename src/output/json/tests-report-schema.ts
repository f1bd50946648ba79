import { COUNT, type JsonSchema, TEXT, TEXTS, TEXT_OR_NULL, orNull, record, recordsOf } from "./json-schema.ts";

const STATUS: JsonSchema = {
  enum: ["pass", "fail", "error"],
  description: "error: it could not run, because of a mistake in its file or in the configuration.",
};

/** The JSON Schema of what `outreach test --json` prints. */
export const TESTS_REPORT_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://outreach-as-code.example/schemas/tests-report.schema.json",
  title: "outreach test",
  ...record({
    format_version: {
      type: "string",
      pattern: "^1\\.\\d+$",
      description: "Version of this format. New members increase its second number.",
    },
    outreach_version: { type: "string", description: "Version of outreach." },
    status: {
      enum: ["pass", "fail"],
      description: "pass: exit code 0. fail: a test has failed or could not run (exit code 1).",
    },
    summary: {
      ...record({ passed: COUNT, failed: COUNT, errored: COUNT }),
      description: "Number of tests with each status.",
    },
    files: recordsOf({
      file: { ...TEXT, description: "Path of the test file." },
      status: STATUS,
      tests: recordsOf({
        name: TEXT,
        status: STATUS,
        line: { type: ["integer", "null"], description: "Where the test begins in its file." },
        event: {
          ...orNull(
            record({
              type: TEXT,
              campaign_id: TEXT_OR_NULL,
              campaign_name: TEXT_OR_NULL,
              first: { type: "boolean", description: "Whether it is the first of its type for the lead." },
              third_party: { type: "boolean", description: "Whether it is a reply from outside of the campaign." },
            }),
          ),
          description: "The event; null if the test could not run.",
        },
        receivers: {
          ...recordsOf({
            target: { ...TEXT, description: "URL or address, as the test names it." },
            met: { type: "boolean", description: "Whether it gets what the test expects." },
            expected: COUNT,
            delivered: COUNT,
            webhooks: { ...TEXTS, description: "Addresses of the webhooks that deliver." },
            secret: {
              ...orNull(record({ expected: TEXT, differing: recordsOf({ address: TEXT, secret: TEXT }) })),
              description: "References of secrets, never values; null if the test does not name one.",
            },
          }),
          description: "Receivers in the order of the test, then those that it does not expect.",
        },
      }),
      diagnostics: {
        type: "array",
        description: "Mistakes in the file, or of the configuration with its variables and campaigns.",
        items: {
          type: "object",
          required: ["severity", "code", "summary", "detail"],
          properties: {
            severity: { enum: ["error", "warning", "note"] },
            code: TEXT,
            summary: TEXT,
            detail: TEXT,
            address: TEXT,
          },
        },
      },
    }),
  }),
};
