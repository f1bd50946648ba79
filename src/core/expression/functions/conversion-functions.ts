import type { Value } from "../../model/value.ts";
import { convert } from "../values/convert-value.ts";
import { invalidValue } from "../expression-failure.ts";
import { type FunctionDefinition, type Parameter, stringAt } from "./function-definition.ts";
import { jsonText } from "../values/json-text.ts";
import {
  MAX_DEPTH,
  NULL,
  type Term,
  UNKNOWN_TERM,
  bool,
  describe,
  hasUnknownIn,
  mapping,
  masked,
  number,
  sequence,
  text,
  unmasked,
} from "../syntax/term.ts";

const ANY: Parameter = { name: "value", type: "any", nullable: true };

export const CONVERSION_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  tostring: { parameters: [ANY], call: ([value = UNKNOWN_TERM]) => converted("tostring", value, "string") },
  tonumber: { parameters: [ANY], call: ([value = UNKNOWN_TERM]) => converted("tonumber", value, "number") },
  jsonencode: {
    parameters: [ANY],
    call: ([value = UNKNOWN_TERM]) => (hasUnknownIn(value) ? UNKNOWN_TERM : text(jsonText(value))),
  },
  jsondecode: {
    parameters: [{ name: "str", type: "string" }],
    call: (args) => {
      try {
        return fromJson(JSON.parse(stringAt(args, 0)) as Value);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw invalidValue("The argument of jsondecode is not valid JSON.");
      }
    },
  },
  sensitive: {
    parameters: [{ ...ANY, unknown: true }],
    marks: "none",
    call: ([value = UNKNOWN_TERM]) => masked(value),
  },
  nonsensitive: {
    parameters: [{ ...ANY, unknown: true }],
    marks: "none",
    call: ([value = UNKNOWN_TERM]) => unmasked(value),
  },
};

const WANTED = { string: "text", number: "a number" } as const;
const UNSUITABLE = { string: "", number: " that is not a decimal number" } as const;

function converted(name: string, value: Term, type: "string" | "number"): Term {
  const found = convert(value, type);
  if (found) return found;
  throw invalidValue(
    `${name} cannot convert this to ${WANTED[type]}: it is ${describe(value)}${value.kind === "string" ? UNSUITABLE[type] : ""}.`,
  );
}

/** Terraform's strings cannot contain half a character. */
function wellFormed(value: string): string {
  return value.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** Unlike a `Value`, JSON has no marks: here `$unknown` is an ordinary key. */
function fromJson(value: Value, depth = 0): Term {
  if (depth > MAX_DEPTH)
    throw invalidValue(`The JSON for jsondecode is nested more than ${String(MAX_DEPTH)} levels deep.`);
  if (value === null) return NULL;
  if (typeof value === "boolean") return bool(value);
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return text(wellFormed(value));
  const inner = (child: Value): Term => fromJson(child, depth + 1);
  if (Array.isArray(value)) return sequence("tuple", (value as readonly Value[]).map(inner));
  return mapping(
    "object",
    Object.entries(value as { readonly [name: string]: Value }).map(([key, child]) => [wellFormed(key), inner(child)]),
  );
}
