import { defineFunction } from "../../core/model/definition.ts";
import type { Diagnostic, Result } from "../../core/model/diagnostic.ts";
import { isRecord } from "../../core/model/shape.ts";

const PAYLOAD = 0;
const SECRET = 1;

/** Whether an event came from the service: it carries the webhook's secret as the field `secret` (Payload common fields). */
export const verifySecret = defineFunction({
  name: "verify_secret",
  summary: "Checks the secret in an event",
  docs: "Returns whether the body of an event contains this secret in its field `secret`. Without that field, it returns false. The comparison takes constant time.",
  parameters: [
    { name: "payload_json", type: "string", docs: "Body of the event as received: a JSON object." },
    { name: "secret", type: "string", docs: "Secret of the webhook. It cannot be empty." },
  ],
  returns: "bool",
  call: ([payload, secret]): Result<boolean> => {
    if (secret === "") return { value: false, diagnostics: [EMPTY_SECRET] };
    const fields = parseObject(payload);
    if (fields === null) return { value: false, diagnostics: [NO_OBJECT] };
    const carried = Object.hasOwn(fields, "secret") ? fields["secret"] : undefined;
    return { value: typeof carried === "string" && sameText(carried, secret), diagnostics: [] };
  },
});

function parseObject(json: string): { readonly [name: string]: unknown } | null {
  try {
    const parsed: unknown = JSON.parse(json);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Compares every character, so that the time reveals only the length of the secret. */
function sameText(carried: string, secret: string): boolean {
  let difference = carried.length ^ secret.length;
  for (let at = 0; at < secret.length; at++) difference |= carried.charCodeAt(at) ^ secret.charCodeAt(at);
  return difference === 0;
}

/** Quotes nothing of the payload, which may contain the secret. */
const NO_OBJECT: Diagnostic = {
  code: "payload_invalid",
  severity: "error",
  summary: "Invalid payload",
  detail: "payload_json is not a JSON object.",
  hint: "Pass the body of the event as it was received.",
  path: [PAYLOAD],
};

const EMPTY_SECRET: Diagnostic = {
  code: "secret_empty",
  severity: "error",
  summary: "Empty secret",
  detail: "secret is empty, so it verifies nothing.",
  hint: "Pass the secret of the webhook.",
  path: [SECRET],
};
