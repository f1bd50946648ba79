import { type Diagnostic, type Result, nearest } from "../model/diagnostic.ts";
import type { Value } from "../model/value.ts";
import type { Variable } from "./block.ts";

/** The value of a variable, and whether what is made of it is masked. */
export interface VariableValue {
  readonly value: Value;
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
  for (const { name, default: fallback, sensitive, locate } of variables) {
    const value = assigned.get(name) ?? ambient.get(name) ?? fallback;
    if (value !== undefined) {
      values.set(name, { value, sensitive });
      continue;
    }
    const place = locate([]);
    diagnostics.push({
      code: "variable_missing",
      severity: "error",
      summary: "No value for required variable",
      detail: `The variable ${name} has no default and was not given.`,
      hint: `Give it with --var ${name}=VALUE, or set OUTREACH_VAR_${name}.`,
      ...(place ? { place } : {}),
    });
  }
  return { value: values, diagnostics };
}

function undeclared(name: string, names: readonly string[]): Diagnostic {
  const meant = nearest(name, names);
  return {
    code: "variable_undeclared",
    severity: "error",
    summary: "Value for undeclared variable",
    detail: `A value was given for the variable ${name}, but the configuration declares no such variable.`,
    hint: meant === null ? "Declare it under variables, or take it out." : `Did you mean ${meant}?`,
  };
}
