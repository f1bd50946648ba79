import type { Attribute, Problem, Schema } from "./attribute.ts";
import { type Diagnostic, nearest } from "./diagnostic.ts";
import { PatternError, compilePattern, loadPatterns } from "./pattern.ts";
import { type Attributes, type Value, hasUnknown, textsIn } from "./value.ts";

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

/** Loads what the checks of these attributes need. */
export async function prepareChecks({ schema }: { readonly schema: Schema }, attributes: Attributes): Promise<void> {
  if (Object.entries(attributes).some(([name, value]) => value !== null && schema[name]?.isPattern))
    await loadPatterns();
}

function patternProblem(name: string, value: Value): Problem | undefined {
  if (typeof value !== "string") return undefined;
  try {
    compilePattern(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return {
      code: "regex_invalid",
      summary: "Invalid regular expression",
      detail: `${name} is not a valid regular expression: ${error.message}.`,
      hint: "Write it in RE2's syntax, as in Terraform. It has no lookahead, no lookbehind and no backreferences.",
    };
  }
}

/** `${TfToken[TOKEN.7]}` of CDK in any notation, its numbers, and how it begins in base64. The synthesis replaces only the plain ones. */
const ENCODED_TOKEN = /TfToken.{0,12}TOKEN\.\d|8\.1095622\d*e.{0,12}298|JHtUZlRva2Vu|R7VGZUb2tlb|ke1RmVG9rZW5/i;

function encodedToken(name: string): Problem {
  return {
    code: "token_encoded",
    summary: "An encoded token",
    detail: `${name} contains a token of CDK that was encoded, so the synthesis could not replace it by its value.`,
    hint: "Encode it with Fn.urlencode(…), or write it into the text as it is: `https://…?event=${Each.type}`.",
  };
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
  if (textsIn(value).some((text) => ENCODED_TOKEN.test(text))) return encodedToken(name);
  if (attribute.isPattern) return patternProblem(name, value);
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
