import type { Argument } from "../../core/config/block.ts";
import { isTree } from "./stack-tree.ts";

/** A JSON value as Terraform reads it: every text is a template, in lists and maps too, and so are their keys. */
export function argumentOf(value: unknown): Argument {
  if (typeof value === "string") return textArgument(value);
  if (typeof value === "number" || typeof value === "boolean") return { kind: "literal", value };
  if (Array.isArray(value)) return { kind: "list", items: value.map(argumentOf) };
  if (isTree(value)) return { kind: "object", entries: Object.entries(value).map(([key, inner]) => [textArgument(key), argumentOf(inner)]) };
  return { kind: "literal", value: null };
}

function textArgument(text: string): Argument {
  return text.includes("${") || text.includes("%{") ? { kind: "template", text } : { kind: "literal", value: text };
}

export function optionalArgument(value: unknown): Argument | null {
  return value === undefined || value === null ? null : argumentOf(value);
}

/** Whether a text is a template with something to evaluate in it. */
export function isTemplate(text: string): boolean {
  return /(?<!\$)\$\{|(?<!%)%\{/.test(text);
}
