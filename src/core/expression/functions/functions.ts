import { nearest } from "../../model/diagnostic.ts";
import { COLLECTION_FUNCTIONS } from "./collection-functions.ts";
import { CONVERSION_FUNCTIONS } from "./conversion-functions.ts";
import { convert } from "../values/convert-value.ts";
import { ExpressionFailure, at, invalidValue } from "../expression-failure.ts";
import type { Budget } from "../budget.ts";
import type { FunctionDefinition, Parameter } from "./function-definition.ts";
import { LIST_FUNCTIONS } from "./list-functions.ts";
import { type Term, UNKNOWN_TERM, deepMarks, describe, isSequence, joinMarks, marked } from "../syntax/term.ts";
import { TEXT_FUNCTIONS } from "./text-functions.ts";

/** All functions except `try`, which catches the failures of its arguments. */
export const FUNCTIONS: ReadonlyMap<string, FunctionDefinition> = new Map(
  [TEXT_FUNCTIONS, LIST_FUNCTIONS, COLLECTION_FUNCTIONS, CONVERSION_FUNCTIONS].flatMap((some) => Object.entries(some)),
);

interface Call {
  readonly args: readonly Term[];
  /** The positions of the arguments in the text. */
  readonly offsets: readonly number[];
  readonly budget: Budget;
}

/** Calls one of Terraform's functions. Throws an `ExpressionFailure`. */
export function callFunction(name: string, { args, offsets, budget }: Call): Term {
  const definition = FUNCTIONS.get(name);
  if (!definition) throw noSuchFunction(name);
  checkCount(name, definition, args.length);
  const converted = args.map((arg, index) => {
    const parameter = definition.parameters[index] ?? definition.rest;
    if (!parameter) throw new Error("the arguments were counted");
    const work = (): Term => convertArgument(name, parameter, arg);
    const offset = offsets[index];
    return offset === undefined ? work() : at(offset, work);
  });
  const isUnknown = converted.some((arg, index) => {
    const parameter = definition.parameters[index] ?? definition.rest;
    return (
      !parameter?.unknown &&
      (arg.kind === "unknown" ||
        (parameter?.type === "strings" && isSequence(arg) && arg.items.some(({ kind }) => kind === "unknown")))
    );
  });
  const marks =
    definition.marks === "outer" && !isUnknown
      ? args.map((arg) => arg.marks)
      : definition.marks === "none"
        ? []
        : args.map(deepMarks);
  const result = isUnknown ? UNKNOWN_TERM : definition.call(converted, budget);
  budget.spend(result.size);
  return marked(result, joinMarks(marks));
}

function noSuchFunction(name: string): ExpressionFailure {
  const detail = `The function ${name} does not exist, or is not supported.`;
  return new ExpressionFailure(
    { code: "function_unknown", summary: "Call to unknown function", detail, ways: [{ kind: "use-terraform" }] },
    () => {
      const names = [...FUNCTIONS.keys(), "try"].toSorted();
      const suggestion = nearest(name, names);
      return suggestion === null ? `Use one of ${names.join(", ")}.` : `Did you mean ${suggestion}?`;
    },
  );
}

function checkCount(
  name: string,
  { parameters, required = parameters.length, rest }: FunctionDefinition,
  count: number,
): void {
  const missing = parameters[count];
  if (count < required && missing) throw invalidValue(`${name} has too few arguments: ${missing.name} is missing.`);
  if (!rest && count > parameters.length)
    throw invalidValue(
      `${name} has too many arguments: it takes ${String(parameters.length)}, but has ${String(count)}.`,
    );
}

const WANTED = {
  any: "a value",
  string: "text",
  number: "a number",
  strings: "a list of strings",
} as const;

function convertArgument(name: string, { name: parameter, type, nullable }: Parameter, arg: Term): Term {
  const wrong = (): ExpressionFailure =>
    invalidValue(`The argument ${parameter} of ${name} must be ${WANTED[type]}, but it is ${describe(arg)}.`);
  if (arg.kind === "digest") throw wrong();
  if (arg.kind === "unknown" || type === "any") {
    if (arg.kind === "null" && !nullable) throw invalidValue(`The argument ${parameter} of ${name} must not be null.`);
    return arg;
  }
  if (arg.kind === "null") throw wrong();
  const converted = convert(arg, type === "strings" ? { kind: "list", of: "string" } : type);
  if (!converted) throw wrong();
  return converted;
}
