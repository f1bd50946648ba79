import type { OutputValue } from "../core/model/declaration.ts";
import { type Value, isSecretDigest } from "../core/model/value.ts";
import { SENSITIVE } from "./json-value.ts";
import { visible } from "./visible.ts";

/** Output values, one `name = value` each; sensitive ones hidden. */
export function outputsText(outputs: readonly OutputValue[]): string {
  return outputs.map(({ name, value, sensitive }) => `${name} = ${sensitive ? "<sensitive>" : valueText(value)}\n`).join("");
}

/** A value as Terraform writes it. `indent` is what the lines after the first begin with. */
export function valueText(value: Value, indent = ""): string {
  if (isSecretDigest(value)) return SENSITIVE;
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
