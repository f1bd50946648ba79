import type { Term } from "../syntax/term.ts";

/** `strings`: a list, set or tuple whose elements are text or null. Arguments are converted as Terraform does. */
export interface Parameter {
  readonly name: string;
  readonly type: "any" | "string" | "number" | "strings";
  /** Whether null is let through; otherwise it is refused. */
  readonly nullable?: true;
  /** Whether an unknown argument is let through; otherwise the result is unknown. */
  readonly unknown?: true;
}

export interface FunctionDefinition {
  readonly parameters: readonly Parameter[];
  /** How many of the parameters must be given; all of them when absent. */
  readonly required?: number;
  /** What any number of further arguments are; none are taken when absent. */
  readonly rest?: Parameter;
  /** Which marks of its arguments the result gets: `all`, also those of what is in them; `outer`, only their own, since the result holds their elements with theirs; or none. */
  readonly marks: "all" | "outer" | "none";
  /** The arguments are converted. Throws an `ExpressionFailure`. */
  call(args: readonly Term[]): Term;
}

/** A converted argument as text. */
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
