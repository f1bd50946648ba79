import type { Argument } from "../../core/config/block.ts";
import type { Place, Result } from "../../core/model/diagnostic.ts";
import { stackMistake } from "./stack-problems.ts";
import { type Tree, isTree } from "./stack-tree.ts";

/** A JSON value as Terraform reads it: every string is a template, including those in lists and maps, and map keys. */
export function argumentOf(value: unknown): Argument {
  if (typeof value === "string") return textArgument(normal(value));
  if (typeof value === "number" || typeof value === "boolean") return { kind: "literal", value };
  if (Array.isArray(value)) return { kind: "list", items: value.map(argumentOf) };
  if (isTree(value))
    return {
      kind: "object",
      entries: Object.entries(value).map(([key, inner]) => [textArgument(normal(key)), argumentOf(inner)]),
    };
  return { kind: "literal", value: null };
}

/** Normalizes a string as Terraform does, so that equal-looking strings are equal. */
export function normal(text: string): string {
  return text.normalize("NFC").replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

function textArgument(text: string): Argument {
  return text.includes("${") || text.includes("%{") ? { kind: "template", text } : { kind: "literal", value: text };
}

export function optionalArgument(value: unknown): Argument | null {
  return value === undefined || value === null ? null : argumentOf(value);
}

/** Whether a string is a template with an expression or a directive. */
export function isTemplate(text: string): boolean {
  return /(?<!\$)\$\{|(?<!%)%\{/.test(text);
}

/** A setting that does not accept expressions. Any value except true and false is an error, never false. */
export function readFlag(
  body: Tree,
  key: string,
  {
    place,
    within = "",
    absent = false,
  }: { readonly place: Place; readonly within?: string; readonly absent?: boolean },
): Result<boolean> {
  const value = body[key];
  if (value === undefined) return { value: absent, diagnostics: [] };
  if (value === true || value === "true") return { value: true, diagnostics: [] };
  if (value === false || value === "false") return { value: false, diagnostics: [] };
  const detail = `${within}${key} must be true or false, without an expression.`;
  return {
    value: absent,
    diagnostics: [stackMistake("Invalid setting", { detail, hint: "Correct it, or remove it.", place })],
  };
}

/** The names in `depends_on`. */
export function readDependsOn(written: unknown, place: Place): Result<readonly string[]> {
  if (written === undefined) return { value: [], diagnostics: [] };
  const named: readonly unknown[] = Array.isArray(written) ? written : [null];
  const value = named.filter((one) => typeof one === "string");
  if (value.length === named.length) return { value, diagnostics: [] };
  const detail = "depends_on must be a list of block names, without expressions.";
  return {
    value,
    diagnostics: [stackMistake("Invalid depends_on", { detail, hint: 'Write it as ["outreach_webhook.crm"].', place })],
  };
}

/** Resolves the escapes of a string that is not a template, such as `$${` for a literal `${`. */
export function withoutEscapes(text: string): string {
  return text.replaceAll("$${", "${").replaceAll("%%{", "%{");
}
