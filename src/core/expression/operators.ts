import { convert } from "./values/convert-value.ts";
import { calculate } from "./values/decimal.ts";
import { sameTerms } from "./values/equal.ts";
import { invalidValue } from "./expression-failure.ts";
import type { BinaryOperator } from "./syntax/syntax.ts";
import { type Term, UNKNOWN_TERM, bool, deepMarks, describe, joinMarks, marked, number } from "./syntax/term.ts";

type Typed<Kind extends "bool" | "number"> = Extract<Term, { readonly kind: Kind }> | null;

/** The value as a bool or a number; null if it is unknown. `what` names the operand in messages. */
export function operand<Kind extends "bool" | "number">(term: Term, kind: Kind, what: string): Typed<Kind> {
  if (term.kind === "unknown") return null;
  const converted = convert(term, kind);
  if (converted?.kind !== kind)
    throw invalidValue(
      `${what} must be ${kind === "bool" ? "true or false" : "a number"}, but it is ${describe(term)}.`,
    );
  return converted as Typed<Kind>;
}

export function applyUnary(operator: "!" | "-", of: Term): Term {
  const what = `The operand of ${operator}`;
  if (operator === "!") {
    const truth = operand(of, "bool", what);
    return marked(truth ? bool(!truth.value) : UNKNOWN_TERM, of.marks);
  }
  const amount = operand(of, "number", what);
  return marked(amount ? number(-amount.value) : UNKNOWN_TERM, of.marks);
}

export function applyBinary(operator: BinaryOperator, left: Term, right: Term): Term {
  const marks = joinMarks([deepMarks(left), deepMarks(right)]);
  switch (operator) {
    case "==":
    case "!=": {
      const same = compare(left, right);
      return marked(same === null ? UNKNOWN_TERM : bool(same === (operator === "==")), marks);
    }
    case "&&":
    case "||":
      return marked(combine(operator, left, right), marks);
    default: {
      const a = operand(left, "number", `The left side of ${operator}`);
      const b = operand(right, "number", `The right side of ${operator}`);
      return marked(a && b ? applyToNumbers(operator, a.value, b.value) : UNKNOWN_TERM, marks);
    }
  }
}

/** Whether the left side alone shortCircuits the result: `false && …`, `true || …`. */
export function shortCircuits(operator: BinaryOperator, side: Term): boolean {
  const deciding = operator === "&&" ? false : operator === "||" ? true : null;
  return deciding !== null && operand(side, "bool", `The left side of ${operator}`)?.value === deciding;
}

function compare(left: Term, right: Term): boolean | null {
  if ([left, right].some(({ kind }) => kind === "digest") && left.kind !== "null" && right.kind !== "null")
    throw invalidValue("A secret cannot be compared: only its fingerprint is known.");
  return sameTerms(left, right);
}

function combine(operator: "&&" | "||", left: Term, right: Term): Term {
  const a = operand(left, "bool", `The left side of ${operator}`);
  const b = operand(right, "bool", `The right side of ${operator}`);
  const deciding = operator === "||";
  if (a?.value === deciding || b?.value === deciding) return bool(deciding);
  return a && b ? bool(!deciding) : UNKNOWN_TERM;
}

function applyToNumbers(operator: Exclude<BinaryOperator, "==" | "!=" | "&&" | "||">, a: number, b: number): Term {
  switch (operator) {
    case "<":
      return bool(a < b);
    case "<=":
      return bool(a <= b);
    case ">":
      return bool(a > b);
    case ">=":
      return bool(a >= b);
    case "/":
    case "%":
      if (b === 0) throw invalidValue("A number cannot be divided by zero.");
      return number(calculate(operator, a, b));
    case "+":
    case "-":
    case "*":
      return number(calculate(operator, a, b));
  }
}
