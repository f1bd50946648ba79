import type { Schema } from "./check-schema.ts";
import { DEFAULT_CHOICES } from "./choices.ts";

const bytes: Schema = { type: "integer", minimum: 0, description: "bytes of the body" };
const ms: Schema = { type: "integer", minimum: 0, maximum: 86_400_000, description: "milliseconds" };

/** The JSON Schema of a fault as the control API accepts it (`Fault` without `where`). */
export const FAULT_SCHEMA: Schema = {
  type: "object",
  required: ["action"],
  additionalProperties: false,
  properties: {
    action: {
      type: "object",
      required: ["kind"],
      additionalProperties: false,
      properties: {
        kind: { enum: ["drop", "reset", "answer", "html", "truncate", "slow", "late"] },
        afterBytes: bytes,
        status: { type: "integer", minimum: 200, maximum: 599 },
        headers: { type: "object", additionalProperties: { type: ["string", "null"] } },
        body: { type: "string" },
        bodyBase64: { type: "string" },
        bytes: { ...bytes, minimum: 1 },
        pauseMs: ms,
        delayMs: ms,
      },
    },
    when: { enum: ["before", "after"] },
    times: { type: ["integer", "null"], minimum: 1 },
    skip: { type: "integer", minimum: 0 },
    probability: { type: "number", minimum: 0, maximum: 1 },
    method: { type: "string" },
    path: { type: "string" },
    operation: { enum: Object.keys(DEFAULT_CHOICES.errorForms) },
    key: { type: "string" },
  },
};
