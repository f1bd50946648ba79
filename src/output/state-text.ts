import { parseAddress } from "../core/model/address.ts";
import type { Schema } from "../core/model/attribute.ts";
import type { OutputValue } from "../core/model/declaration.ts";
import type { RecordedInstance } from "../core/model/instance.ts";
import { type Attributes, type Value, isSecretDigest } from "../core/model/value.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";

const HIDDEN = "(sensitive value)";

/** What is recorded at an address, as people read it: the object itself, then those that it has replaced and that are still to be deleted. */
export function instanceText({ address, type, attributes, masked = [], deposed = [] }: RecordedInstance, schema: Schema, paint: Paint): string {
  const name = parseAddress(address).value?.name ?? "";
  const block = (title: string, values: Attributes): string =>
    [
      paint("bold", `# ${visible(title)}:`),
      `resource ${JSON.stringify(type)} ${JSON.stringify(name)} {`,
      ...attributeLines(values, schema, masked),
      "}",
      "",
    ].join("\n");
  return [block(address, attributes), ...deposed.map((one) => block(`${address} (deposed ${one.id})`, one.attributes))].join("\n");
}

/** The same as Terraform shows a resource in JSON. */
export function instanceJson({ address, type, provider, schemaVersion, attributes, masked = [], deposed = [] }: RecordedInstance, schema: Schema): Value {
  const { name = "", key = null } = parseAddress(address).value ?? {};
  const values = (from: Attributes): Attributes =>
    Object.fromEntries(Object.entries(from).map(([one, value]) => [one, isHidden(one, value, { schema, masked }) ? HIDDEN : value]));
  const hidden = Object.entries(attributes).filter(([one, value]) => isHidden(one, value, { schema, masked }));
  return {
    address,
    mode: "managed",
    type,
    name,
    ...(key === null ? {} : { index: key }),
    provider_name: provider,
    schema_version: schemaVersion,
    values: values(attributes),
    sensitive_values: Object.fromEntries(hidden.map(([one]) => [one, true])),
    deposed: deposed.map((one) => ({ id: one.id, values: values(one.attributes) })),
  };
}

function attributeLines(attributes: Attributes, schema: Schema, masked: readonly string[]): readonly string[] {
  const shown = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `    ${name.padEnd(width)} = ${isHidden(name, value, { schema, masked }) ? HIDDEN : valueText(value, "    ")}`);
}

function isHidden(name: string, value: Value, { schema, masked }: { readonly schema: Schema; readonly masked: readonly string[] }): boolean {
  return value !== null && (isSecretDigest(value) || schema[name]?.sensitive === true || masked.includes(name));
}

/** Output values, one `name = value` each; sensitive ones hidden. */
export function outputsText(outputs: readonly OutputValue[]): string {
  return outputs.map(({ name, value, sensitive }) => `${name} = ${sensitive ? "<sensitive>" : valueText(value)}\n`).join("");
}

/** A value as Terraform writes it. `indent` is what the lines after the first begin with. */
export function valueText(value: Value, indent = ""): string {
  if (isSecretDigest(value)) return HIDDEN;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value as readonly Value[];
    return items.length === 0 ? "[]" : `[\n${items.map((item) => `${inner}${valueText(item, inner)},\n`).join("")}${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    return entries.length === 0
      ? "{}"
      : `{\n${entries.map(([key, item]) => `${inner}${visible(JSON.stringify(key))} = ${valueText(item, inner)}\n`).join("")}${indent}}`;
  }
  return visible(JSON.stringify(value));
}

/** A Terraform type for a value, as its JSON names it. */
export function typeOfValue(value: Value): Value {
  if (value === null) return "dynamic";
  if (Array.isArray(value)) return ["tuple", (value as readonly Value[]).map(typeOfValue)];
  if (typeof value === "object") return ["object", Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typeOfValue(item)]))];
  return typeof value === "boolean" ? "bool" : (typeof value as "string" | "number");
}
