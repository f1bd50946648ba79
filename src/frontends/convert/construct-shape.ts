import { writtenText } from "./segments.ts";
import type { Expression } from "../../core/expression/syntax/syntax.ts";

/** One list of a fan-out over two attributes: literal values, or an expression for a list. */
export interface Level {
  readonly name: string;
  readonly values: readonly string[] | Expression;
}

/**
 * Recognizes the synthesised form of `WebhookSet` and `SuppressionList` over two lists, with the levels in the order of the
 * key: `{ for key, val in flatten([for key, val in LIST : [{ type = "a", campaign_id = val }, …]]) : join("/", [val.type, val.campaign_id]) => val }`.
 */
export function constructLevels(expression: Expression): readonly Level[] | null {
  if (expression.kind !== "for" || !expression.key || expression.condition || expression.group || !isReference(expression.value, [expression.valueName]))
    return null;
  const rows = argumentsOf(expression.collection, "flatten");
  const [inner] = rows ?? [];
  if (rows?.length !== 1 || inner?.kind !== "for" || inner.key || inner.condition || inner.value.kind !== "tuple") return null;
  const known = new Map<string, string[]>();
  const listed = new Set<string>();
  for (const row of inner.value.items) {
    if (row.kind !== "object") return null;
    for (const [key, value] of row.entries) {
      const [name, text] = [writtenText(key), writtenText(value)];
      if (name === null) return null;
      if (text !== null) known.set(name, [...(known.get(name) ?? []), text]);
      else if (isReference(value, [inner.valueName])) listed.add(name);
      else return null;
    }
  }
  const names = keyNames(expression.key, expression.valueName);
  const [[knownName, values] = ["", []]] = known;
  const [listName = ""] = listed;
  if (known.size !== 1 || listed.size !== 1 || names?.length !== 2 || !names.includes(knownName) || !names.includes(listName)) return null;
  return names.map((name) => ({ name, values: name === knownName ? values : inner.collection }));
}

/** The attributes in `join("/", [val.type, val.campaign_id])`. */
function keyNames(key: Expression, variable: string): readonly string[] | null {
  const [separator, list] = argumentsOf(key, "join") ?? [];
  if (!separator || writtenText(separator) !== "/" || list?.kind !== "tuple") return null;
  const names = list.items.map((item) => (item.kind === "reference" && item.steps.length === 2 && item.steps[0] === variable ? String(item.steps[1]) : null));
  return names.every((name) => name !== null) ? names : null;
}

function argumentsOf(expression: Expression, name: string): readonly Expression[] | null {
  return expression.kind === "call" && expression.name === name && !expression.expand ? expression.args : null;
}

function isReference(expression: Expression, steps: readonly string[]): boolean {
  return expression.kind === "reference" && expression.steps.join("\n") === steps.join("\n");
}
