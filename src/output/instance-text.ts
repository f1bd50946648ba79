import { parseAddress } from "../core/model/address.ts";
import type { Schema } from "../core/model/attribute.ts";
import type { RecordedInstance } from "../core/model/instance.ts";
import { type Attributes, type Value, isSecretDigest } from "../core/model/value.ts";
import { SENSITIVE } from "./json-value.ts";
import { valueText } from "./outputs-text.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";

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
    Object.fromEntries(Object.entries(from).map(([one, value]) => [one, isHidden(one, value, { schema, masked }) ? SENSITIVE : value]));
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
  return shown.map(([name, value]) => `    ${name.padEnd(width)} = ${isHidden(name, value, { schema, masked }) ? SENSITIVE : valueText(value, "    ")}`);
}

function isHidden(name: string, value: Value, { schema, masked }: { readonly schema: Schema; readonly masked: readonly string[] }): boolean {
  return value !== null && (isSecretDigest(value) || schema[name]?.sensitive === true || masked.includes(name));
}
