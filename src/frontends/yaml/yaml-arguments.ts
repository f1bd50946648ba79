import type { Argument } from "../../core/config/block.ts";
import { hasReferences } from "../../core/expression/syntax/template.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import type { Value } from "../../core/model/value.ts";
import { type Tree, isTree } from "./plain-values.ts";

/** A value as written: text may hold expressions, lists may hold such text. */
export function argumentOf(value: unknown): Argument {
  if (typeof value === "string") return textArgument(value);
  return Array.isArray(value)
    ? { kind: "list", items: value.map(argumentOf) }
    : { kind: "literal", value: value as Value };
}

/** Text without expressions stays as it is, but for the escapes that every template has. */
export function textArgument(text: string): Argument {
  return text.includes("${") || text.includes("%{") || hasReferences(text)
    ? { kind: "template", text }
    : { kind: "literal", value: text };
}

/** A reference to a secret; other values are left to the evaluation, which refuses them. */
export function secretArgument(value: unknown): Argument {
  return isTree(value) ? { kind: "secret", source: secretSource(value) } : argumentOf(value);
}

export function secretSource({ env, file, command }: Tree): SecretSource {
  if (typeof env === "string") return { kind: "env", name: env };
  if (typeof file === "string") return { kind: "file", path: file };
  return { kind: "command", command: Array.isArray(command) ? command.map(String) : [] };
}
