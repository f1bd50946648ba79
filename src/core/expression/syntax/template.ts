import { parseExpression } from "./parse-expression.ts";
import { parseParts } from "./parse-parts.ts";
import { type Scanner, SyntaxFailure } from "./scan.ts";
import type { Expression, Reference, Template, TemplateProblem } from "./syntax.ts";

/**
 * Parses Terraform's template syntax: literal text, `${…}` with an expression, `$${` and `%%{` for a literal `${` and `%{`.
 * Stops at the first problem.
 */
export function parseTemplate(text: string): Template | TemplateProblem {
  const scanner: Scanner = { text, at: 0, depth: 0, lines: false };
  try {
    return { parts: parseParts(scanner, { quoted: false }, parseExpression) };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return { offset: error.offset, detail: error.detail };
  }
}

/** Whether a text contains references. An invalid template counts as one that does. */
export function hasReferences(text: string): boolean {
  const template = parseTemplate(text);
  return "detail" in template || referencesOf(template).length > 0;
}

/** All references in a template, in order, without the variables of its own `for` expressions. */
export function referencesOf({ parts }: Template): readonly Reference[] {
  return parts.flatMap((part) => (typeof part === "string" ? [] : referencesIn(part, new Set())));
}

function referencesIn(expression: Expression, bound: ReadonlySet<string>): readonly Reference[] {
  const all = (children: readonly Expression[], names = bound): readonly Reference[] =>
    children.flatMap((child) => referencesIn(child, names));
  switch (expression.kind) {
    case "reference":
      return bound.has(String(expression.steps[0])) ? [] : [expression];
    case "literal":
    case "item":
      return [];
    case "template":
      return all(expression.parts.filter((part) => typeof part !== "string"));
    case "attribute":
    case "unary":
      return all([expression.of]);
    case "index":
      return all([expression.of, expression.key]);
    case "splat":
      return all([expression.of, expression.each]);
    case "tuple":
      return all(expression.items);
    case "object":
      return all(expression.entries.flat());
    case "call":
      return all(expression.args);
    case "conditional":
      return all([expression.condition, expression.yes, expression.no]);
    case "binary":
      return all([expression.left, expression.right]);
    case "for": {
      const { collection, keyName, valueName, key, value, condition } = expression;
      const inner = new Set([...bound, valueName, ...(keyName === null ? [] : [keyName])]);
      return [
        ...all([collection]),
        ...all(
          [key, value, condition].filter((one) => one !== null),
          inner,
        ),
      ];
    }
  }
}
