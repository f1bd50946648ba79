import type { Budget } from "../budget.ts";
import type { Term } from "../syntax/term.ts";

/** `strings`, `bools`: a list, set or tuple of strings, bools or nulls. Arguments are converted as in Terraform. */
export interface Parameter {
  readonly name: string;
  readonly type: "any" | "string" | "number" | "strings" | "bools";
  /** Whether null is accepted. */
  readonly nullable?: true;
  /** Whether the function handles an unknown argument; otherwise its result is unknown. */
  readonly unknown?: true;
}

/** The texts of the files that expressions can read, by path; a problem is a sentence. */
export type TextFiles = ReadonlyMap<string, { readonly text: string } | { readonly problem: string }>;

/** What some functions need besides their arguments. */
export interface CallContext {
  readonly budget: Budget;
  readonly files: TextFiles | undefined;
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
  call(args: readonly Term[], context: CallContext): Term;
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
