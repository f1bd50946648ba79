import type { Argument, Block, Configuration, Variable } from "../../core/config/block.ts";
import type { VariableType } from "../../core/config/variables/variable-type.ts";
import { toValue } from "../../core/expression/syntax/term.ts";
import type { OutputValue } from "../../core/model/declaration.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { isUnknown } from "../../core/model/value.ts";
import { expressionText } from "./expression-text.ts";
import { addressOf, definitionOf } from "../../core/config/round.ts";
import { type SensitiveNames, holdsSensitive } from "./sensitive-values.ts";

/** Our provider's local name and source in a Terraform configuration. */
export const PROVIDER = { name: "outreach", source: "outreach-as-code/outreach" };

/** A block in Terraform's terms, with our settings in its lifecycle. Nulls are left out, because they mean the same as absence. */
export interface TerraformBlock {
  readonly attributes: readonly (readonly [name: string, argument: Argument])[];
  readonly lifecycle: {
    readonly create_before_destroy?: true;
    readonly prevent_destroy?: true;
    readonly ignore_changes?: readonly string[];
  } | null;
}

export function terraformBlock({ arguments: given, ignoreChanges }: Block): TerraformBlock {
  const { rotation, protect, ...attributes } = given;
  const says = (argument: Argument | undefined, value: string | boolean): boolean =>
    argument?.kind === "literal" && argument.value === value;
  const lifecycle = {
    ...(says(rotation, "create_first") ? { create_before_destroy: true as const } : {}),
    ...(says(protect, true) ? { prevent_destroy: true as const } : {}),
    ...(ignoreChanges ? { ignore_changes: ignoreChanges } : {}),
  };
  return {
    attributes: Object.entries(attributes).filter(
      ([, argument]) => argument.kind !== "literal" || argument.value !== null,
    ),
    lifecycle: Object.keys(lifecycle).length === 0 ? null : lifecycle,
  };
}

/** One configuration of the provider. */
interface ProviderSettings {
  readonly alias: string | null;
  readonly settings: readonly (readonly [
    name: "base_url" | "api_key" | "unique_target_url" | "mark",
    argument: Argument,
  ])[];
}

export function providersOf({
  service,
  blocks,
}: Pick<Configuration, "service" | "blocks">): readonly ProviderSettings[] {
  const [first = PROVIDER.name] = [...new Set(blocks.map(({ provider }) => provider))].toSorted();
  const { baseUrl: url, apiKey: key, exclusive, mark, others = [] } = service;
  const unique = exclusive === undefined ? [] : [["unique_target_url", { kind: "literal", value: exclusive }] as const];
  const marks = mark === undefined ? [] : [["mark", { kind: "literal", value: mark }] as const];
  return [{ name: first, baseUrl: url, apiKey: key }, ...others].map(({ name, baseUrl, apiKey }) => ({
    alias: name === PROVIDER.name ? null : name.slice(PROVIDER.name.length + 1),
    settings: [
      ...(baseUrl ? [["base_url", baseUrl] as const] : []),
      ...(apiKey ? [["api_key", apiKey] as const] : []),
      ...unique,
      ...marks,
    ],
  }));
}

/** A variable's type in Terraform's syntax; without a type, its default's type. */
export function variableTypeOf({ type, default: fallback }: Variable): string {
  if (type !== undefined) return typeText(type);
  return typeof fallback === "number" ? "number" : typeof fallback === "boolean" ? "bool" : "string";
}

/** The validation that lets a variable have only its allowed values, which compares their texts; null for any value. */
export function validationOf({
  name,
  allowed,
}: Variable): { readonly condition: Argument; readonly message: Argument } | null {
  if (!allowed) return null;
  const texts = allowed.map((one) => expressionText({ kind: "literal", value: String(one) })).join(", ");
  return {
    condition: { kind: "template", text: `\${contains([${texts}], tostring(var.${name}))}` },
    message: { kind: "literal", value: `The allowed values of ${name} are ${allowed.map(String).join(", ")}.` },
  };
}

function typeText(type: VariableType): string {
  if (typeof type === "string") return type;
  if (type.kind === "tuple") return `tuple([${type.of.map(typeText).join(", ")}])`;
  if (type.kind !== "object") return `${type.kind}(${typeText(type.of)})`;
  const attributes = [...type.of].map(([name, { type: inner, optional }]) => {
    if (!optional) return `${name} = ${typeText(inner)}`;
    const fallback = toValue(optional.default);
    const given = fallback === null ? "" : `, ${expressionText({ kind: "literal", value: fallback })}`;
    return `${name} = optional(${typeText(inner)}${given})`;
  });
  return `object({ ${attributes.join(", ")} })`;
}

/**
 * The outputs, marked as sensitive where Terraform requires it, because they hold sensitive values, as they were
 * `evaluated` or as their expressions say.
 */
export function markedOutputs(
  { variables, locals = [], blocks, outputs }: Configuration,
  { catalog, evaluated }: { readonly catalog: Catalog; readonly evaluated: readonly OutputValue[] },
): Configuration["outputs"] {
  const sensitive = new Set(variables.flatMap((variable) => (variable.sensitive ? [`var.${variable.name}`] : [])));
  const schemas = new Map(blocks.map((block) => [addressOf(block), definitionOf(block, catalog).schema]));
  for (const [address, schema] of schemas)
    for (const [name, attribute] of Object.entries(schema))
      if (attribute.sensitive) sensitive.add(`${address}.${name}`);
  const names: SensitiveNames = {
    isSensitive: (name) => sensitive.has(name),
    attributesOf: (address) => {
      const schema = schemas.get(address);
      return schema && Object.keys(schema);
    },
  };
  for (let before = -1; before < sensitive.size;) {
    before = sensitive.size;
    for (const { name, value } of locals) if (holdsSensitive(value, names)) sensitive.add(`local.${name}`);
    for (const block of blocks)
      for (const [attribute, argument] of Object.entries(block.arguments))
        if (holdsSensitive(argument, names)) sensitive.add(`${addressOf(block)}.${attribute}`);
  }
  return outputs.map((output) => {
    const known = evaluated.find(({ name, value }) => name === output.name && !isUnknown(value));
    return {
      ...output,
      sensitive: output.sensitive || known?.sensitive === true || holdsSensitive(output.value, names),
    };
  });
}
