import { type Term, masked, toValue } from "../../expression/syntax/term.ts";
import {
  type Diagnostic,
  MAX_FOUND,
  type Place,
  type Result,
  checkEnded,
  nearest,
  errorOf,
} from "../../model/diagnostic.ts";
import { isQuoted } from "../../model/words.ts";
import { type Value, isUnknown } from "../../model/value.ts";
import type { Variable } from "../block.ts";
import { TypeMismatch, convertTo, valueOfText } from "./variable-type.ts";

/** The value of a variable, and whether values that depend on it are masked. */
export interface VariableValue {
  readonly value: Value;
  /** The value with Terraform's types, if the variable has a type. */
  readonly term?: Term;
  readonly sensitive: boolean;
}

/** A value from outside. */
export interface GivenValue {
  readonly value: Value;
  /** Where the user sets it, in words. */
  readonly from: string;
  readonly place?: Place;
  /** A shell or a CI passes it, which was to take its quotation marks away. */
  readonly isPassed?: true;
}

/** Values from outside: `assigned` (command line, files), where an undeclared name is an error, and `ambient` (the environment), where it is not. */
export interface VariableInput {
  readonly assigned: ReadonlyMap<string, GivenValue>;
  readonly ambient: Pick<ReadonlyMap<string, GivenValue>, "get" | "keys">;
}

export function resolveVariables(
  variables: readonly Variable[],
  { assigned, ambient }: VariableInput,
): Result<ReadonlyMap<string, VariableValue>> {
  const diagnostics: Diagnostic[] = [];
  const values = new Map<string, VariableValue>();
  const names = variables.map(({ name }) => name);
  const declared = new Set(names);
  const others = names.length === 0 ? [] : [...ambient.keys()].filter((name) => !declared.has(name));
  const inOtherCase = new Map(others.map((name) => [name.toLowerCase(), ambient.get(name)]));
  for (const [name, { place }] of assigned) {
    if (declared.has(name)) continue;
    if (diagnostics.length >= MAX_FOUND) return { value: values, diagnostics: [...diagnostics, checkEnded()] };
    diagnostics.push({ ...undeclared(name, names), ...(place ? { place } : {}) });
  }
  for (const variable of variables) {
    const { name, default: fallback, nullable = true } = variable;
    const given = assigned.get(name) ?? ambient.get(name);
    const alike = inOtherCase.get(name.toLowerCase());
    if (alike) diagnostics.push(otherCase(variable, alike));
    const value = given === undefined || (given.value === null && !nullable) ? fallback : given.value;
    const found =
      value === undefined
        ? missing(variable, others)
        : given?.isPassed && given.value === value && isQuotedText(variable, value)
          ? inQuotes(variable, given)
          : valueOf(variable, value, { isGiven: given !== undefined });
    const refused =
      "summary" in found
        ? alike && found.code === "variable_missing"
          ? null
          : found
        : notAllowed(variable, found, given?.value === value ? given : undefined);
    if (refused) diagnostics.push(refused);
    else if (!("summary" in found)) values.set(name, found);
  }
  return { value: values, diagnostics };
}

/** A name that differs from the variable's in case only. */
function otherCase({ name, locate }: Variable, { from }: GivenValue): Diagnostic {
  return errorOf("variable_other_case", "Environment variable in another case", {
    detail: `The environment sets ${from}, but the variable is called ${name}: its value would be ignored.`,
    hint: `Set ${from.slice(0, -name.length)}${name} instead, and unset ${from}.`,
    unknown: "everything",
    place: locate([]),
  });
}

function valueOf(
  variable: Variable,
  value: Value,
  { isGiven }: { readonly isGiven: boolean },
): VariableValue | Diagnostic {
  const { sensitive, type, default: fallback, nullable = true } = variable;
  const read = isGiven && typeof value === "string" ? valueOfText(value, type) : value;
  if (read instanceof TypeMismatch) return invalid(variable, read.detail);
  if (read === null && !nullable)
    return isGiven && fallback !== undefined
      ? valueOf(variable, fallback, { isGiven: false })
      : invalid(variable, "It must not be null.");
  if (type === undefined) return { value: read, sensitive };
  const term = convertTo(read, type);
  if (term instanceof TypeMismatch) return invalid(variable, term.detail);
  const all = sensitive ? masked(term) : term;
  return { value: toValue(all), term: all, sensitive };
}

function notAllowed(
  { name, sensitive, allowed, defaultFrom = "its default", locate }: Variable,
  { value }: VariableValue,
  given: GivenValue | undefined,
): Diagnostic | null {
  if (!allowed || isUnknown(value) || allowed.some((one) => textOf(one) === textOf(value))) return null;
  const listed = allowed.map((one) => JSON.stringify(one)).join(", ");
  const suggestion = sensitive ? null : nearest(textOf(value), allowed.map(textOf));
  const place = given ? (given.place ?? locate(["allowed"])) : locate(["default"]);
  return errorOf("variable_not_allowed", "Value not allowed for variable", {
    detail: `The variable ${name} ${sensitive ? "has another value than" : `is ${JSON.stringify(value)}, which is not one of`} the allowed ${listed}. The value comes from ${given ? given.from : defaultFrom}.`,
    ...(suggestion === null ? {} : { hint: `Did you mean ${suggestion}?` }),
    ...(given ? { ways: [{ kind: "set-variable", name, sensitive }] } : {}),
    unknown: "refused value",
    place,
  });
}

/** A value of the environment is text, where the configuration may have a number. */
function textOf(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function invalid({ name, sensitive, locate }: Variable, detail: string): Diagnostic {
  return errorOf("variable_invalid", "Invalid value for variable", {
    detail: `The value of the variable ${name} does not fit its type. ${detail}`,
    hint: "Correct its default, or the value that is given for it.",
    ways: [{ kind: "set-variable", name, sensitive }],
    unknown: "refused value",
    place: locate([]),
  });
}

/** In a value of another type, the quotation marks are those of the expression. */
function isQuotedText({ type }: Variable, value: Value): boolean {
  return typeof value === "string" && isQuoted(value) && valueOfText(value, type) === value;
}

function inQuotes({ name, sensitive, locate }: Variable, { from }: GivenValue): Diagnostic {
  return errorOf("variable_invalid", "Invalid value for variable", {
    detail: `The value of the variable ${name} from ${from} is in quotation marks. They would be part of it.`,
    hint: "Give the value without them. If they belong to it, give it in a file of variables.",
    ways: [{ kind: "set-variable", name, sensitive }],
    unknown: "refused value",
    place: locate([]),
  });
}

/** Does not suggest the command line for secrets: other users could read them there, and the shell's history keeps them. */
function missing({ name, sensitive, locate }: Variable, others: readonly string[]): Diagnostic {
  const misspelled = nearest(name, others);
  return errorOf("variable_missing", "No value for required variable", {
    detail: `The variable ${name} has no default and no value.${misspelled === null ? "" : ` The environment sets the variable ${misspelled}, which is not declared.`}`,
    ways: [{ kind: "set-variable", name, sensitive }],
    unknown: "value",
    place: locate([]),
  });
}

function undeclared(name: string, names: readonly string[]): Diagnostic {
  const suggestion = nearest(name, names);
  return errorOf("variable_undeclared", "Value for undeclared variable", {
    detail: `The variable ${name} has a value, but the configuration does not declare it.`,
    hint: suggestion === null ? "Declare the variable, or remove the value." : `Did you mean ${suggestion}?`,
    unknown: "everything",
  });
}
