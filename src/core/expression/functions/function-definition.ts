import type { Budget } from "../budget.ts";
import type { Term } from "../syntax/term.ts";

/** `strings`: a list, set or tuple of strings or nulls. Arguments are converted as in Terraform. */
export interface Parameter {
  readonly name: string;
  readonly type: "any" | "string" | "number" | "strings";
  /** Whether null is accepted. */
  readonly nullable?: true;
  /** Whether the function handles an unknown argument; otherwise its result is unknown. */
  readonly unknown?: true;
}

export interface FunctionDefinition {
  readonly parameters: readonly Parameter[];
  /** The number of required parameters; all by default. */
  readonly required?: number;
  /** The type of any number of further arguments; absent: none. */
  readonly rest?: Parameter;
  /** The argument marks that the result gets: by default all, including nested ones; `outer`: only the arguments' own, because the result contains their elements with theirs. */
  readonly marks?: "outer" | "none";
  /** Gets converted arguments. Work beyond the size of the arguments and the result counts in the budget. Throws an `ExpressionFailure`. */
  call(args: readonly Term[], budget: Budget): Term;
}

/** A converted argument as a string. */
export function stringAt(args: readonly Term[], index: number): string {
  const term = args[index];
  if (term?.kind !== "string") throw new Error("a parameter that is not text was read as text");
  return term.value;
}

/** A converted argument as a number. */
export function numberAt(args: readonly Term[], index: number): number {
  const term = args[index];
  if (term?.kind !== "number") throw new Error("a parameter that is not a number was read as a number");
  return term.value;
}
