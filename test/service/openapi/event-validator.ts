import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { webhookProblems } from "./conformance.ts";

/**
 * The differences between the body of a callback and the `webhooks` section of the OpenAPI document, such as
 * `/to/0/address: must match pattern`. A field that the document does not show is one.
 */
export function problemsOf(body: unknown): readonly string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return ["the body is no JSON object"];
  const { type } = body as { readonly type?: unknown };
  const known = EVENT_TYPES.find(({ name }) => name === type);
  return known
    ? webhookProblems(known.name, body)
    : [`/type: the document has no webhook ${JSON.stringify(type) ?? "without a type"}`];
}
