import type { Attribute, Problem, Schema } from "./attribute.ts";
import { type Diagnostic, nearest } from "./diagnostic.ts";
import { type Attributes, type Value, hasUnknown } from "./value.ts";

/** Checks the values of one resource or data source against its schema. Unknown values pass until they are known. */
export function checkAttributes(
  definition: { readonly schema: Schema; readonly type: string; check?(attributes: Attributes): readonly Diagnostic[] },
  attributes: Attributes,
): readonly Diagnostic[] {
  const each = Object.entries(definition.schema).flatMap(([name, attribute]): readonly Diagnostic[] => {
    const problem = problemWith(name, attribute, attributes[name] ?? null);
    return problem ? [{ severity: "error", path: [name], ...problem }] : [];
  });
  return [...each, ...(definition.check?.(attributes) ?? [])];
}

function problemWith(name: string, attribute: Attribute, value: Value): Problem | undefined {
  if (value === null) {
    if (attribute.mode !== "required") return undefined;
    return {
      code: "attribute_missing",
      summary: "Missing required argument",
      detail: `${name} is required, but is not set.`,
      hint: `Add ${name}: ${attribute.docs}`,
    };
  }
  if (hasUnknown(value)) return undefined;
  if (attribute.check) return attribute.check(value);
  if (attribute.oneOf && typeof value === "string" && !attribute.oneOf.includes(value)) {
    const meant = nearest(value, attribute.oneOf);
    return {
      code: "value_not_allowed",
      summary: "Value not allowed",
      detail: `${name} is ${JSON.stringify(value)}, but must be one of ${attribute.oneOf.join(", ")}.`,
      ...(meant === null ? {} : { hint: `Did you mean ${meant}?` }),
    };
  }
  return undefined;
}
