import { convert, setOf, toCollection } from "../../expression/values/convert-value.ts";
import { evaluateTemplate } from "../../expression/evaluate-template.ts";
import { ExpressionFailure, invalidValue } from "../../expression/expression-failure.ts";
import type { Expression } from "../../expression/syntax/syntax.ts";
import { parseTemplate } from "../../expression/syntax/template.ts";
import {
  NULL,
  type Term,
  describe,
  fromValue,
  isMapping,
  isSequence,
  itemsOf,
  mapping,
  marked,
  sequence,
  toValue,
} from "../../expression/syntax/term.ts";
import type { Value } from "../../model/value.ts";

/** Terraform's type constraints. */
export type VariableType =
  | "any"
  | "string"
  | "number"
  | "bool"
  | { readonly kind: "list" | "set" | "map"; readonly of: VariableType }
  | { readonly kind: "tuple"; readonly of: readonly VariableType[] }
  | { readonly kind: "object"; readonly of: ReadonlyMap<string, ObjectAttribute> };

interface ObjectAttribute {
  readonly type: VariableType;
  /** Absent: the attribute is required. */
  readonly optional?: { readonly default: Term };
}

/** The problem of a type or a value, as a sentence. */
export class TypeMismatch {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}

/** Legacy names of collections without an element type. */
const OLD_NAMES: ReadonlySet<string> = new Set(["list", "map"]);
const PRIMITIVES: readonly string[] = ["any", "string", "number", "bool"];

/** Parses a type constraint such as `list(string)`. */
export function parseVariableType(text: string): VariableType | TypeMismatch {
  const expression = soleExpression(OLD_NAMES.has(text) ? `${text}(any)` : text);
  return expression === null
    ? new TypeMismatch(`${JSON.stringify(text)} is not a type.`)
    : attempt(() => typeOf(expression));
}

function soleExpression(text: string): Expression | null {
  const template = parseTemplate(`\${${text}}`);
  if ("detail" in template || template.parts.length !== 1) return null;
  const [only] = template.parts;
  return typeof only === "object" ? only : null;
}

function attempt<T>(work: () => T): T | TypeMismatch {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    return new TypeMismatch(error.problem.detail);
  }
}

function typeOf(expression: Expression): VariableType {
  if (expression.kind === "reference" && expression.steps.length === 1) {
    const [name] = expression.steps;
    if (typeof name === "string" && PRIMITIVES.includes(name)) return name as VariableType;
    throw invalidValue(
      `The type ${expression.text} does not exist. Use string, number, bool, any, list, set, map, tuple or object.`,
    );
  }
  if (expression.kind !== "call" || expression.args.length !== 1)
    throw invalidValue("A type is a name, or a name with an element type in parentheses, such as list(string).");
  const { name, args } = expression;
  const [inner] = args;
  if (!inner) throw invalidValue(`${name} takes one type.`);
  if (name === "list" || name === "set" || name === "map") return { kind: name, of: typeOf(inner) };
  if (name === "tuple" && inner.kind === "tuple") return { kind: "tuple", of: inner.items.map(typeOf) };
  if (name === "object" && inner.kind === "object")
    return { kind: "object", of: new Map(inner.entries.map(objectAttribute)) };
  throw invalidValue(`The type ${name}(…) does not exist in this form.`);
}

function objectAttribute([key, value]: readonly [Expression, Expression]): readonly [string, ObjectAttribute] {
  if (key.kind !== "literal" || typeof key.value !== "string")
    throw invalidValue("The attributes of an object type must be plain names.");
  if (value.kind !== "call" || value.name !== "optional") return [key.value, { type: typeOf(value) }];
  const [inner, fallback, ...further] = value.args;
  if (further.length > 0) throw invalidValue("optional takes a type and, if needed, a default.");
  if (!inner) throw invalidValue("optional takes a type and, if needed, a default.");
  const type = typeOf(inner);
  return [
    key.value,
    {
      type,
      optional: { default: fallback ? conform(constantValue(fallback), type, "The default of optional") : NULL },
    },
  ];
}

/** The value of an expression without references. */
function constantValue(expression: Expression): Term {
  const { term, problems } = evaluateTemplate({ parts: [expression] }, ({ text }) => {
    throw invalidValue(`${text} is a reference, but this must be a value. Write strings in double quotes.`);
  });
  if (term) return term;
  throw invalidValue(problems.map(({ detail }) => detail).join(" "));
}

/** The value of a text from the environment or the command line: an expression, unless the type is primitive or absent. */
export function valueOfText(text: string, type: VariableType | undefined): Value | TypeMismatch {
  if (type === undefined || (typeof type === "string" && type !== "any")) return text;
  const expression = soleExpression(text);
  if (expression === null) return new TypeMismatch('It is not a value in Terraform\'s syntax, such as ["a", "b"].');
  return attempt(() => toValue(constantValue(expression)));
}

/** Converts a value as Terraform does. The problem of an unsuitable value never shows the value. */
export function convertTo(value: Value, type: VariableType): Term | TypeMismatch {
  return attempt(() => conform(fromValue(value), type, "It"));
}

function conform(term: Term, type: VariableType, subject: string): Term {
  if (term.kind === "null" || term.kind === "unknown" || type === "any") return term;
  const mismatch = (): ExpressionFailure =>
    invalidValue(`${subject} must be ${typeName(type)}, but is ${describe(term)}.`);
  if (typeof type === "string") {
    const converted = convert(term, type);
    if (!converted) throw mismatch();
    return converted;
  }
  if (type.kind === "object") {
    if (!isMapping(term)) throw mismatch();
    return marked(
      mapping(
        "object",
        [...type.of].map(([name, attribute]) => [
          name,
          attributeOf(term.entries.get(name), attribute, `${subject}.${name}`),
        ]),
      ),
      term.marks,
    );
  }
  if (type.kind === "map") {
    if (!isMapping(term)) throw mismatch();
    if (type.of === "any")
      return toCollection(term, "map") ?? fail(`The values of a map must have one type. ${subject} has several.`);
    const { of } = type;
    return marked(
      mapping(
        "map",
        [...term.entries].map(([key, inner]) => [key, conform(inner, of, `${subject}[${JSON.stringify(key)}]`)]),
      ),
      term.marks,
    );
  }
  if (!isSequence(term) || (type.kind === "tuple" && term.items.length !== type.of.length)) throw mismatch();
  if (type.kind !== "tuple" && type.of === "any")
    return (
      toCollection(term, type.kind) ??
      fail(`The elements of a ${type.kind} must have one type. ${subject} has several.`)
    );
  const items = itemsOf(term).map((item, index) =>
    conform(item, type.kind === "tuple" ? (type.of[index] ?? "any") : type.of, `${subject}[${String(index)}]`),
  );
  return type.kind === "set" ? setOf(items) : sequence(type.kind, items);
}

function fail(detail: string): never {
  throw invalidValue(detail);
}

function attributeOf(given: Term | undefined, { type, optional }: ObjectAttribute, subject: string): Term {
  if (given && (given.kind !== "null" || !optional)) return conform(given, type, subject);
  if (optional) return optional.default;
  return given ?? fail(`${subject} is missing.`);
}

function typeName(type: VariableType): string {
  if (type === "bool") return "true or false";
  if (type === "string") return "text";
  if (typeof type === "string") return type === "number" ? "a number" : "a value";
  if (type.kind === "tuple") return `a list of ${String(type.of.length)}`;
  return type.kind === "object" ? "a map with the declared attributes" : `a ${type.kind}`;
}
