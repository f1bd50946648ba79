import { type Term, masked, toValue } from "../../expression/syntax/term.ts";
import { type Diagnostic, type Result, nearest } from "../../model/diagnostic.ts";
import type { Value } from "../../model/value.ts";
import type { Variable } from "../block.ts";
import { Unfit, convertTo, valueOfText } from "./variable-type.ts";

/** The value of a variable, and whether what is made of it is masked. */
export interface VariableValue {
  readonly value: Value;
  /** The same with Terraform's types, where the variable has one. */
  readonly term?: Term;
  readonly sensitive: boolean;
}

/** What was given from outside: `assigned` by name (command line, files), where an undeclared name is an error, and `ambient` (the environment), where it is not. */
export interface VariableInput {
  readonly assigned: ReadonlyMap<string, Value>;
  readonly ambient: ReadonlyMap<string, string>;
}

export function resolveVariables(variables: readonly Variable[], { assigned, ambient }: VariableInput): Result<ReadonlyMap<string, VariableValue>> {
  const diagnostics: Diagnostic[] = [];
  const values = new Map<string, VariableValue>();
  const names = variables.map(({ name }) => name);
  for (const name of assigned.keys()) {
    if (!names.includes(name)) diagnostics.push(undeclared(name, names));
  }
  for (const variable of variables) {
    const { name, default: fallback, nullable = true } = variable;
    const given = assigned.get(name) ?? ambient.get(name);
    const value = given === undefined || (given === null && !nullable) ? fallback : given;
    const found =
      value === undefined
        ? missing(
            variable,
            [...ambient.keys()].filter((one) => !names.includes(one)),
          )
        : valueOf(variable, value, { isGiven: given !== undefined });
    if ("summary" in found) diagnostics.push(found);
    else values.set(name, found);
  }
  return { value: values, diagnostics };
}

function valueOf(variable: Variable, value: Value, { isGiven }: { readonly isGiven: boolean }): VariableValue | Diagnostic {
  const { sensitive, type, default: fallback, nullable = true } = variable;
  const read = isGiven && typeof value === "string" ? valueOfText(value, type) : value;
  if (read instanceof Unfit) return invalid(variable, read.detail);
  if (read === null && !nullable)
    return isGiven && fallback !== undefined ? valueOf(variable, fallback, { isGiven: false }) : invalid(variable, "It must not be null.");
  if (type === undefined) return { value: read, sensitive };
  const term = convertTo(read, type);
  if (term instanceof Unfit) return invalid(variable, term.detail);
  const all = sensitive ? masked(term) : term;
  return { value: toValue(all), term: all, sensitive };
}

function invalid({ name, sensitive, locate }: Variable, detail: string): Diagnostic {
  const place = locate([]);
  return {
    code: "variable_invalid",
    severity: "error",
    summary: "Invalid value for variable",
    detail: `The value of the variable ${name} does not fit its type. ${detail}`,
    hint: "Correct its default, or the value that is given for it.",
    ways: [{ kind: "set-variable", name, sensitive }],
    ...(place ? { place } : {}),
  };
}

/** A secret on a command line can be read by others on the machine, and stays in the shell's history. */
function missing({ name, sensitive, locate }: Variable, others: readonly string[]): Diagnostic {
  const place = locate([]);
  const misspelled = nearest(name, others);
  return {
    code: "variable_missing",
    severity: "error",
    summary: "No value for required variable",
    detail: `The variable ${name} has no default and was not given.${misspelled === null ? "" : ` The environment gives one for ${misspelled}.`}`,
    ways: [{ kind: "set-variable", name, sensitive }],
    unknown: "value",
    ...(place ? { place } : {}),
  };
}

function undeclared(name: string, names: readonly string[]): Diagnostic {
  const meant = nearest(name, names);
  return {
    code: "variable_undeclared",
    severity: "error",
    summary: "Value for undeclared variable",
    detail: `A value was given for the variable ${name}, but the configuration declares no such variable.`,
    hint: meant === null ? "Declare it under variables, or remove the value." : `Did you mean ${meant}?`,
    unknown: "everything",
  };
}
