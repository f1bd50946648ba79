import type { Argument } from "../../core/config/block.ts";
import type { Place, Result } from "../../core/model/diagnostic.ts";
import { mistaken } from "./outside.ts";
import { type Tree, isTree } from "./stack-tree.ts";

/** A JSON value as Terraform reads it: every text is a template, in lists and maps too, and so are their keys. */
export function argumentOf(value: unknown): Argument {
  if (typeof value === "string") return textArgument(normal(value));
  if (typeof value === "number" || typeof value === "boolean") return { kind: "literal", value };
  if (Array.isArray(value)) return { kind: "list", items: value.map(argumentOf) };
  if (isTree(value)) return { kind: "object", entries: Object.entries(value).map(([key, inner]) => [textArgument(normal(key)), argumentOf(inner)]) };
  return { kind: "literal", value: null };
}

/** One way to write each text, as Terraform has it: what looks the same is the same. */
export function normal(text: string): string {
  return text.normalize("NFC").replaceAll(/\p{Surrogate}/gu, "\ufffd");
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

/** A setting that Terraform takes no expression for. What is neither true nor false is a mistake, and never taken for false. */
export function readFlag(
  body: Tree,
  key: string,
  { place, within = "", absent = false }: { readonly place: Place; readonly within?: string; readonly absent?: boolean },
): Result<boolean> {
  const value = body[key];
  if (value === undefined) return { value: absent, diagnostics: [] };
  if (value === true || value === "true") return { value: true, diagnostics: [] };
  if (value === false || value === "false") return { value: false, diagnostics: [] };
  const detail = `${within}${key} must be true or false, written out.`;
  return { value: absent, diagnostics: [mistaken("Invalid setting", { detail, hint: "Correct it, or take it out.", place })] };
}

/** The names in a `depends_on`. */
export function readDependsOn(written: unknown, place: Place): Result<readonly string[]> {
  if (written === undefined) return { value: [], diagnostics: [] };
  const named: readonly unknown[] = Array.isArray(written) ? written : [null];
  const value = named.filter((one) => typeof one === "string");
  if (value.length === named.length) return { value, diagnostics: [] };
  const detail = "depends_on must be a list of the names of blocks, written out.";
  return { value, diagnostics: [mistaken("Invalid depends_on", { detail, hint: 'Write it as ["outreach_webhook.crm"].', place })] };
}

/** A text that is no template, with what is written for a literal `${` as that. */
export function withoutEscapes(text: string): string {
  return text.replaceAll("$${", "${").replaceAll("%%{", "%{");
}
