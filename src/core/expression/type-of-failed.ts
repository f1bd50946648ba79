import type { Expression } from "./syntax/syntax.ts";
import { type Term, isSequence } from "./syntax/term.ts";
import { type TermType, typeOf, unify } from "./values/convert-value.ts";

/** The type of an expression that failed, as far as Terraform derives one. `valueOf` is null for a part that fails too. */
export function typeOfFailed(expression: Expression, valueOf: (expression: Expression) => Term | null): TermType {
  switch (expression.kind) {
    case "binary":
      return ["+", "-", "*", "/", "%"].includes(expression.operator) ? "number" : "bool";
    case "unary":
      return expression.operator === "-" ? "number" : "bool";
    case "template":
      return expression.parts.length > 1 ? "string" : "dynamic";
    case "tuple":
      return { kind: "tuple", of: expression.items.map((item) => typeOfFailed(item, valueOf)) };
    case "splat":
      return { kind: "list", of: "dynamic" };
    case "conditional": {
      const results = [expression.yes, expression.no].map((result) => {
        const term = valueOf(result);
        const type = term ? typeOf(term) : typeOfFailed(result, valueOf);
        return !term && type === "dynamic" ? null : type;
      });
      return results.includes(null) ? "dynamic" : (unify(results.filter((type) => type !== null)) ?? "dynamic");
    }
    case "for": {
      // If duplicate keys caused the failure, the first value of each key counts.
      const all = valueOf({ ...expression, group: true });
      return all?.kind === "object"
        ? { kind: "object", of: new Map([...all.entries].map(([key, group]) => [key, typeOfFirst(group)])) }
        : "dynamic";
    }
    default:
      return "dynamic";
  }
}

function typeOfFirst(group: Term): TermType {
  const [first] = isSequence(group) ? group.items : [];
  return first ? typeOf(first) : "dynamic";
}
