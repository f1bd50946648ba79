import type { Argument, Block, FanOutPart } from "../../core/config/block.ts";
import { type Scope, evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { onOneLine } from "./expression-text.ts";
import type { Repeated } from "./repeated.ts";
import { replaceReferences } from "./rewrite.ts";
import { soleExpression } from "./segments.ts";

type Secret = Extract<Argument, { readonly kind: "secret" }>;

/** An argument of a fan-out with Terraform's `each` in place of YAML's: `each.type` becomes `each.key` or `each.value.type`. */
export function withTerraformEach(argument: Argument, { own }: Repeated): Argument {
  return replaceReferences(argument, ({ steps: [root, name] }) => {
    const value = root === "each" && name !== "key" ? eachValue(String(name), own) : null;
    return value === null ? null : { steps: 2, by: value };
  });
}

function eachValue(attribute: string, own: Repeated["own"]): string | null {
  const value = own[attribute];
  return value?.kind === "template" ? soleExpression(value.text) : null;
}

/**
 * The secrets of the instances of a fan-out as a map of variables, indexed by what differs: `{ emailsSent = var.a }[each.key]`.
 * Null if they depend on values that only a plan reads. `variableOf` gives each source its variable.
 */
export function instanceSecrets(
  { source, own: name }: Secret & { readonly own: Argument },
  {
    block,
    repeated,
    scope,
    variableOf,
  }: { readonly block: Block; readonly repeated: Repeated; readonly scope: Scope; readonly variableOf: (source: SecretSource, key: string) => string },
): Argument | null {
  const used = new Set(referencesIn(name).flatMap(({ steps: [root, attribute] }) => (root === "each" ? [String(attribute)] : [])));
  const parts = (block.fanOut ?? []).filter(({ attribute }) => used.has(attribute) || used.has("key"));
  const lists = parts.map(literalTexts);
  if (!lists.every((list) => list !== null)) return null;
  const combinations = lists.reduce<readonly (readonly string[])[]>((all, list) => all.flatMap((before) => list.map((text) => [...before, text])), [[]]);
  const variables = combinations.map((texts): readonly [string, string] | null => {
    const key = texts.join("/");
    const values = new Map(parts.map(({ attribute }, index) => [attribute, { value: texts[index] ?? "", sensitive: false }]));
    const { value } = evaluateArgument(name, { ...scope, fanOut: { key, values } });
    if (typeof value !== "string") return null;
    return [key, variableOf(source.kind === "env" ? { kind: "env", name: value } : { kind: "file", path: value }, key)];
  });
  if (!variables.every((one) => one !== null)) return null;
  const [only, ...others] = parts;
  const index = only && others.length === 0 ? eachValue(only.attribute, repeated.own) : "each.key";
  const map: Argument = {
    kind: "object",
    entries: variables.map(([key, variable]) => [
      { kind: "literal", value: key },
      { kind: "template", text: `\${var.${variable}}` },
    ]),
  };
  return { kind: "template", text: `\${${onOneLine(map)}[${index ?? "each.key"}]}` };
}

function literalTexts({ values }: FanOutPart): readonly string[] | null {
  const texts = values.kind === "list" ? values.items.map((item) => (item.kind === "literal" && typeof item.value === "string" ? item.value : null)) : [null];
  return texts.every((text) => text !== null) ? [...new Set(texts)] : null;
}
