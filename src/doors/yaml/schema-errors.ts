import type { ErrorObject } from "ajv";
import { type Diagnostic, nearest } from "../../core/model/diagnostic.ts";
import { type Path, formatPath } from "../../core/model/path.ts";
import type { ParsedYaml } from "./parse-yaml.ts";

/** One complaint a place; `path` names what must not be used. */
export type SchemaComplaint = Diagnostic & { readonly path: Path };

/** Turns ajv's errors into diagnostics. What is missing is left to the check of the definitions, which knows why it is needed. */
export function schemaComplaints(errors: readonly ErrorObject[], parsed: ParsedYaml): readonly SchemaComplaint[] {
  const complaints = new Map<string, SchemaComplaint>();
  for (const error of errors) {
    const complaint = complaintOf(error, parsed);
    if (!complaint) continue;
    const key = JSON.stringify(complaint.path);
    const before = complaints.get(key);
    if (!before || rank(complaint) > rank(before)) complaints.set(key, complaint);
  }
  return [...complaints.values()];
}

function rank({ code }: Diagnostic): number {
  return ["schema_invalid", "wrong_type", "secret_literal", "unknown_key"].indexOf(code);
}

function complaintOf(error: ErrorObject, parsed: ParsedYaml): SchemaComplaint | null {
  const path = pathOf(error.instancePath);
  const base = { severity: "error" as const };
  if (error.keyword === "required" && path.length > 0) return null;
  if (error.keyword === "additionalProperties") {
    const name = String((error.params as { readonly additionalProperty: unknown }).additionalProperty);
    const known = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
    const meant = nearest(name, known);
    const at = [...path, name];
    const where = path.length === 0 ? "at the top level" : `in ${formatPath(path)}`;
    const hint = meant === null ? `Known keys here: ${known.join(", ")}.` : `Did you mean ${meant}?`;
    return { ...base, code: "unknown_key", summary: "Unknown key", detail: `${JSON.stringify(name)} is not a key that is known ${where}.`, hint, path: at, place: parsed.locateKey(at) };
  }
  const place = parsed.locate(path);
  if (isSecret(error) && typeof error.data === "string") {
    const detail = `${String(path.at(-1))} is written out, so everybody who can read the configuration can read it.`;
    const hint = "Write { env: NAME } for an environment variable, { file: path } for a file, or { command: [program, argument] } for what a program prints.";
    return { ...base, code: "secret_literal", summary: "A secret in plain text", detail, hint, path, place: { ...place, ...(place.text === undefined ? {} : { text: maskedLine(place.text, error.data) }) } };
  }
  const what = path.length === 0 ? "The configuration" : formatPath(path);
  if (error.keyword === "type") {
    const wanted = [(error.params as { readonly type: string | readonly string[] }).type].flat().filter((type) => type !== "null");
    const detail = `${what} must be ${wanted.map(article).join(" or ")}, but is ${typeName(error.data)}.`;
    return { ...base, code: "wrong_type", summary: "Wrong type", detail, path, place };
  }
  return { ...base, code: "schema_invalid", summary: "Invalid configuration", detail: `${what} ${sentence(error)}.`, path, place };
}

function isSecret({ schemaPath, parentSchema }: ErrorObject): boolean {
  return schemaPath.includes("secret") || (parentSchema?.["properties"] as { readonly command?: unknown } | undefined)?.command !== undefined;
}

function maskedLine(text: string, secret: string): string {
  return text.replace(secret, "(sensitive value)");
}

function sentence({ keyword, params, message }: ErrorObject): string {
  const given = params as { readonly [name: string]: unknown };
  switch (keyword) {
    case "const":
      return `must be ${JSON.stringify(given["allowedValue"])}`;
    case "required":
      return `must have ${String(given["missingProperty"])}`;
    case "minProperties":
    case "maxProperties":
      return "must have exactly one of env, file and command";
    case "propertyNames":
      return `has the name ${JSON.stringify(given["propertyName"])}: names are letters, digits, - and _, and begin with a letter or _`;
    default:
      return message ?? "is not valid";
  }
}

function typeName(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  return article(typeof value);
}

function article(type: string): string {
  const names: { readonly [type: string]: string } = { object: "a map", array: "a list", boolean: "true or false", string: "text", integer: "a whole number" };
  return names[type] ?? `a ${type}`;
}

/** `/webhooks/a~1b/0` → steps. */
function pathOf(pointer: string): readonly string[] {
  return pointer === "" ? [] : pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
