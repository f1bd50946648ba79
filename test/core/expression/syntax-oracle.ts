import { type TFExpressionSyntaxTree, getExpressionAst } from "@cdktf/hcl2json";
import type { Expression } from "../../../src/core/expression/syntax/syntax.ts";
import { parseTemplate } from "../../../src/core/expression/syntax/template.ts";

/**
 * The structure that both parsers must agree on: nodes as arrays, steps as a chain, positions of references and calls.
 * It leaves out the values of strings, which the other tree keeps unparsed (Terraform's console covers them), and white
 * space between expressions, which `~` may strip.
 */
export type Structure = readonly unknown[];

type Node = TFExpressionSyntaxTree.ExpressionAst;

/** The structure from `@cdktf/hcl2json`; null if it refuses the expression. */
export async function structureThere(expression: string): Promise<Structure | null> {
  try {
    return structureOfNode((await getExpressionAst("here", expression)) as Node, Buffer.from(expression));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("getExpressionAst errors")) return null;
    throw error;
  }
}

/** The structure from our parser, or the problem. */
export function structureHere(expression: string): Structure | { readonly offset: number; readonly detail: string } {
  const template = parseTemplate(`\${ ${expression}\n}`);
  if ("detail" in template) return { ...template, offset: template.offset - 3 };
  const [only] = template.parts;
  if (template.parts.length !== 1 || typeof only !== "object")
    return { offset: 0, detail: "This is more than one expression." };
  return structureOf(only, (offset) => Buffer.byteLength(expression.slice(0, offset - 3)));
}

const OPERATORS: { readonly [name: string]: string } = {
  add: "+",
  multiply: "*",
  divide: "/",
  modulo: "%",
  equal: "==",
  notEqual: "!=",
  lessThan: "<",
  lessThanOrEqual: "<=",
  greaterThan: ">",
  greaterThanOrEqual: ">=",
  logicalAnd: "&&",
  logicalOr: "||",
  logicalNot: "!",
  negate: "-",
};

function structureOfNode(node: Node, source: Buffer): Structure {
  const children = (node.children as readonly Node[]).map((child) => structureOfNode(child, source));
  const [first = [], second = []] = children;
  const start = node.range.start.byte;
  // The tree has only a range for parentheses, the keys of objects, and the element of a splat.
  if (node.type === "")
    return children.length > 0 ? first : leaf(source.subarray(start, node.range.end.byte).toString());
  const meta = node.meta as { readonly [name: string]: unknown };
  switch (node.type) {
    case "literalValue":
      return meta["type"] === "string"
        ? ["text", String(meta["value"]).replaceAll(/\\[nrt]/g, " ")]
        : ["literal", literalOf(meta as { type: string; value: string })];
    case "template":
      return textOf(children);
    case "templateWrap":
      return first;
    case "scopeTraversal":
    case "relativeTraversal": {
      const [root, ...steps] = node.type === "scopeTraversal" ? traversalOf(meta) : [null, ...traversalOf(meta)];
      return steps.reduce<Structure>((of, step) => ["step", of, step], root === null ? first : ["name", root, start]);
    }
    case "index":
      return ["step", first, second[0] === "literal" ? keyOf(second[1]) : second];
    case "tuple":
    case "splat":
    case "conditional":
      return [node.type, ...children];
    case "object":
      return ["object", ...children];
    case "function":
      return ["call", meta["name"], meta["expandedFinalArgument"], start, ...children];
    case "unaryOp":
    case "binaryOp":
      // The tree does not name the subtraction.
      return ["operator", OPERATORS[String(meta["operator"])] ?? "-", ...children];
    case "for":
      return ["for", meta["openRangeValue"], meta["keyVar"], meta["valVar"], meta["groupedValue"], ...children];
    default:
      throw new Error(`unknown node type ${node.type}`);
  }
}

/** The bare key of an object, or the `*` of a splat. */
function leaf(written: string): Structure {
  return /^[.[]/.test(written) ? ["item"] : ["text"];
}

function literalOf({ type, value }: { readonly type: string; readonly value: string }): unknown {
  if (type === "number") return Number(value);
  return type === "bool" ? value === "true" : null;
}

function traversalOf({ traversal }: { readonly [name: string]: unknown }): readonly unknown[] {
  return (traversal as readonly { readonly type: string; readonly segment?: string }[]).map(({ type, segment }) => {
    if (type === "nameTraversal") return segment;
    if (segment === undefined) return keyOf(true);
    return segment.startsWith('"') ? segment.slice(1, -1) : Number(segment);
  });
}

/** The other tree does not show bools that are keys. */
function keyOf(value: unknown): unknown {
  return typeof value === "boolean" ? null : value;
}

/** Adjacent texts count as one, and the value of a text does not count. */
function textOf(parts: readonly Structure[]): Structure {
  const kept = parts.filter(([kind, value]) => kind !== "text" || String(value ?? "x").trim() !== "");
  const joined = kept.flatMap((part, index) =>
    part[0] !== "text" ? [part] : kept[index - 1]?.[0] === "text" ? [] : [["text"]],
  );
  return joined.every(([kind]) => kind === "text") ? ["text"] : ["template", ...joined];
}

function structureOf(expression: Expression, byteOf: (offset: number) => number): Structure {
  const all = (children: readonly (Expression | null)[]): readonly Structure[] =>
    children.flatMap((child) => (child ? [structureOf(child, byteOf)] : []));
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "string" ? ["text"] : ["literal", expression.value];
    case "reference": {
      const [root, ...steps] = expression.steps;
      return steps.reduce<Structure>((of, step) => ["step", of, step], ["name", root, byteOf(expression.offset)]);
    }
    case "template": {
      const [only] = expression.parts;
      if (expression.parts.length === 1 && typeof only === "object") return structureOf(only, byteOf);
      return textOf(
        expression.parts.map((part) => (typeof part === "string" ? ["text", part] : structureOf(part, byteOf))),
      );
    }
    case "attribute":
      return ["step", structureOf(expression.of, byteOf), expression.name];
    case "index": {
      const { of, key } = expression;
      const step = structureOf(key, byteOf);
      return [
        "step",
        structureOf(of, byteOf),
        key.kind === "literal" ? keyOf(key.value) : step[0] === "literal" ? keyOf(step[1]) : step,
      ];
    }
    case "splat":
      return ["splat", ...all([expression.of, expression.each])];
    case "item":
      return ["item"];
    case "tuple":
      return ["tuple", ...all(expression.items)];
    case "object":
      return ["object", ...all(expression.entries.flat())];
    case "call":
      return ["call", expression.name, expression.expand, byteOf(expression.offset), ...all(expression.args)];
    case "for": {
      const { keyName, valueName, collection, key, value, condition, group } = expression;
      return ["for", key ? "{" : "[", keyName ?? "", valueName, group, ...all([collection, key, value, condition])];
    }
    case "conditional":
      return ["conditional", ...all([expression.condition, expression.yes, expression.no])];
    case "unary":
      return ["operator", expression.operator, ...all([expression.of])];
    case "binary":
      return ["operator", expression.operator, ...all([expression.left, expression.right])];
  }
}
