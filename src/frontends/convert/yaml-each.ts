import type { Argument } from "../../core/config/block.ts";
import type { Expression } from "../../core/expression/syntax/syntax.ts";
import { replaceReferences } from "./rewrite.ts";
import { escapedText, expressionIn, writtenText } from "./segments.ts";

/** The argument with YAML's `each` in place of Terraform's: `each.type` for `each.key` or `each.value.type`. Null if YAML's has no such value. */
export function withYamlEach(argument: Argument, takes: ReadonlyMap<string, string>): Argument | null {
  const [[attribute] = [""]] = takes;
  let isExpressible = true;
  const made = replaceReferences(argument, ({ steps: [root, which, name] }) => {
    if (root !== "each" || (which === "key" && takes.size > 1)) return null;
    if (takes.size === 1 && name === undefined) return { steps: 2, by: `each.${attribute}` };
    if (takes.size > 1 && which === "value" && takes.has(String(name))) return { steps: 3, by: `each.${String(name)}` };
    isExpressible = false;
    return null;
  });
  return isExpressible ? made : null;
}

/** The forms of a value in the name of a variable. */
const FORMS: readonly (readonly [write: (reference: string) => string, of: (text: string) => string])[] = [
  [(reference) => reference, (text) => text],
  [(reference) => `lower(${reference})`, (text) => text.toLowerCase()],
];

/** One secret for each instance, in YAML: `{ a = var.hook_a, b = var.hook_b }[each.type]` is `TF_VAR_hook_${each.type}`. Null for any other expression. */
export function secretPerInstance(
  text: string,
): { readonly secret: Argument; readonly variables: readonly string[] } | null {
  const index = expressionIn(text);
  if (index?.kind !== "index" || index.of.kind !== "object") return null;
  const { key, of } = index;
  if (key.kind !== "reference" || key.steps[0] !== "each") return null;
  const pairs = of.entries.map(([name, value]) => [writtenText(name), variableName(value)] as const);
  if (!pairs.every((pair): pair is readonly [string, string] => pair[0] !== null && pair[1] !== null)) return null;
  for (const [write, form] of FORMS) {
    const affixes = affixesOf(pairs.map(([name, variable]) => [form(name), variable]));
    if (!affixes) continue;
    const name = `TF_VAR_${escapedText(affixes.before)}\${${write(key.text)}}${escapedText(affixes.after)}`;
    return {
      secret: { kind: "secret", source: { kind: "env", name }, own: { kind: "template", text: name } },
      variables: pairs.map(([, variable]) => variable),
    };
  }
  return null;
}

/** The texts around each first text in its second one, if they are the same in all pairs. */
function affixesOf(
  pairs: readonly (readonly [part: string, whole: string])[],
): { readonly before: string; readonly after: string } | null {
  const [[part, whole] = ["", ""]] = pairs;
  const at = whole.indexOf(part);
  const [before, after] = [whole.slice(0, at), whole.slice(at + part.length)];
  return at >= 0 && pairs.every((pair) => pair[1] === `${before}${pair[0]}${after}`) ? { before, after } : null;
}

function variableName(expression: Expression): string | null {
  const [root, name, ...rest] = expression.kind === "reference" ? expression.steps : [];
  return root === "var" && typeof name === "string" && rest.length === 0 ? name : null;
}
