import type { ErrorObject } from "ajv";
import {
  type Diagnostic,
  MAX_MISTAKES,
  type Place,
  furtherMistakes,
  nearest,
  errorOf,
} from "../../core/model/diagnostic.ts";
import { PROTECTED_WARNINGS } from "../../core/model/ignored-warnings.ts";
import { type Path, formatPath } from "../../core/model/path.ts";
import { LOCAL_BACKEND, STATE_BACKENDS } from "../../core/state/backends.ts";
import { MASK } from "./excerpts.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import { SECTIONS, TEAM_NAMES_HINT } from "./sections.ts";

const SOURCES =
  "Write { env: NAME } for an environment variable, { file: path } for a file, or { command: [program, argument] } for what a program prints.";

/**
 * Turns ajv's errors into diagnostics. Missing attributes of a configuration are left to the check of the definitions, which knows why they
 * are needed.
 */
export function schemaProblems(errors: readonly ErrorObject[], parsed: ParsedYaml): SchemaProblems {
  const byPath = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    if (isLeftOut(error)) continue;
    const key = JSON.stringify(refusedPath(error));
    const before = byPath.get(key);
    if (before) before.push(error);
    else byPath.set(key, [error]);
  }
  const refused = [...byPath.values()].flatMap(([first]) => (first ? [refusedPath(first)] : []));
  parsed.hide(
    [...byPath.values()].flatMap(([first]) => (first?.keyword === "additionalProperties" ? [refusedPath(first)] : [])),
  );
  // A place and a near name take time: only for what is shown.
  const shownErrors = [...byPath.values()].slice(0, MAX_MISTAKES);
  const problems = shownErrors.flatMap(
    (found) => highest(ofForm(found).map((error) => problemOf(error, parsed))) ?? [],
  );
  const count = byPath.size - shownErrors.length;
  const { file } = parsed.locate([]);
  return {
    refused,
    diagnostics: count <= 0 ? problems : [...problems, furtherMistakes(file, { severity: "error", count })],
  };
}

export interface SchemaProblems {
  /** The paths whose values must not be used. */
  readonly refused: readonly Path[];
  /** One for each path; many are only counted. */
  readonly diagnostics: readonly Diagnostic[];
}

function isLeftOut({ keyword, instancePath, propertyName }: ErrorObject): boolean {
  return propertyName !== undefined || (keyword === "required" && instancePath !== "");
}

function refusedPath({ keyword, instancePath, params }: ErrorObject): readonly string[] {
  const given = params as { readonly [name: string]: unknown };
  if (keyword === "additionalProperties") return [...pathOf(instancePath), String(given["additionalProperty"])];
  return keyword === "propertyNames" ? [...pathOf(instancePath), String(given["propertyName"])] : pathOf(instancePath);
}

/** A map where a text or the source of a secret may stand is a source with a mistake. */
function ofForm(found: readonly ErrorObject[]): readonly ErrorObject[] {
  const ofSecret = found.filter((error) => isSecret(error) && !isScalar(error.data) && !Array.isArray(error.data));
  return ofSecret.length > 0 ? ofSecret : found;
}

function highest(problems: readonly Diagnostic[]): Diagnostic | undefined {
  return problems.reduce<Diagnostic | undefined>(
    (best, one) => (best && rank(best) >= rank(one) ? best : one),
    undefined,
  );
}

/** The file is something else, so its lines are not shown. */
function notAConfiguration({ text: _, ...place }: Place): Diagnostic {
  return errorOf("wrong_type", "Not a configuration", {
    detail: "The file does not hold a configuration: its top level is not a map.",
    hint: "Name an outreach configuration with -c; it begins with version: 1.",
    path: [],
    place,
  });
}

function rank({ code }: Diagnostic): number {
  return ["schema_invalid", "wrong_type", "secret_literal", "name_invalid", "unknown_key", "ignore_protected"].indexOf(
    code,
  );
}

/** Characters of a value that a message repeats. */
const MAX_SHOWN = 40;

function problemOf(error: ErrorObject, parsed: ParsedYaml): Diagnostic {
  const path = pathOf(error.instancePath);
  const base = { severity: "error" as const };
  if (error.keyword === "additionalProperties") return unknownKey(error, parsed);
  if (error.keyword === "propertyNames") return invalidName(error, parsed);
  const place = parsed.locate(path);
  if (
    isSecret(error) &&
    error.keyword === "type" &&
    error.schemaPath === "#/$defs/secret/type" &&
    isScalar(error.data)
  ) {
    const detail = `${String(path.at(-1))} is written in plain text, so anyone who can read the configuration can read it.`;
    return {
      ...base,
      code: "secret_literal",
      summary: "A secret in plain text",
      detail,
      hint: SOURCES,
      path,
      place,
    };
  }
  if (error.keyword === "enum" && path.at(-2) === "ignore" && Object.hasOwn(PROTECTED_WARNINGS, String(error.data)))
    return protectedWarning(String(error.data), place, path);
  if (isLimit(path)) return { ...base, ...badLimit(error, path), path, place };
  const what = path.length === 0 ? "The configuration" : pathText(path);
  const hint = isSecret(error)
    ? { hint: SOURCES }
    : path.length === 0
      ? { hint: "Begin it with version: 1, and declare a webhook under webhooks." }
      : {};
  if (error.keyword === "type" && path.length === 0) return notAConfiguration(place);
  if (error.keyword === "type") {
    const wanted = [(error.params as { readonly type: string | readonly string[] }).type]
      .flat()
      .filter((type) => type !== "null");
    const detail = `${what} must be ${wanted.map(article).join(" or ")}, but is ${typeName(error.data)}.`;
    return {
      ...base,
      code: "wrong_type",
      summary: "Wrong type",
      detail,
      hint: keyHint(path, error.data) ?? typeHint(wanted, error.data),
      ...hint,
      path,
      place,
    };
  }
  const allowed =
    error.keyword === "const"
      ? {
          hint: `Write ${String(path.at(-1))}: ${String((error.params as { readonly allowedValue: unknown }).allowedValue)}.`,
        }
      : {};
  const choice = error.keyword === "enum" ? { hint: choiceHint(String(path.at(-1)), error) } : {};
  const empty = error.keyword === "minLength" ? { hint: typeHint([], null) } : {};
  return {
    ...base,
    code: "schema_invalid",
    summary: "Invalid configuration",
    detail:
      error.keyword === "enum" && isScalar(error.data)
        ? `${shownValue(error.data)} is not a value of ${what}.`
        : `${what} ${sentence(error)}.`,
    ...allowed,
    ...choice,
    ...empty,
    ...hint,
    path,
    place,
  };
}

function unknownKey(error: ErrorObject, parsed: ParsedYaml): Diagnostic {
  const path = pathOf(error.instancePath);
  const name = String((error.params as { readonly additionalProperty: unknown }).additionalProperty);
  const all = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
  const known = path.length === 1 && path[0] === "state" ? (keysOfBackend(parsed) ?? all) : all;
  const meant = nearest(name, known);
  const at = [...path, name];
  const where = path.length === 0 ? "at the top level" : `in ${pathText(path)}`;
  const hint = meant === null ? `Known keys here: ${known.join(", ")}.` : `Did you mean ${meant}?`;
  const place = parsed.locateKey(at);
  const hidden = place.text?.startsWith(MASK, (place.caret ?? place.column ?? 1) - 1) === true;
  const detail = `${hidden ? "This" : JSON.stringify(name)} is not a known key ${where}.`;
  return errorOf("unknown_key", "Unknown key", { detail, hint: isSecret(error) ? SOURCES : hint, path: at, place });
}

function protectedWarning(id: string, place: Place, path: Path): Diagnostic {
  return errorOf("ignore_protected", "A warning that cannot be ignored", {
    detail: `${id} protects the objects of this configuration. ${PROTECTED_WARNINGS[id] ?? ""}`,
    hint: "Remove it from ignore. The warning itself says how to end it.",
    path,
    place,
  });
}

/** The keys below state with the backend that it names; null if there is no such backend. */
function keysOfBackend({ value }: ParsedYaml): readonly string[] | null {
  const { state } = value as { readonly state?: { readonly backend?: unknown } };
  const backend = STATE_BACKENDS.find(({ name }) => name === (state?.backend ?? LOCAL_BACKEND.name));
  return backend ? ["backend", "encryption", ...Object.keys(backend.settings)] : null;
}

function invalidName(error: ErrorObject, parsed: ParsedYaml): Diagnostic {
  const path = pathOf(error.instancePath);
  const name = String((error.params as { readonly propertyName: unknown }).propertyName);
  const at = [...path, name];
  return errorOf("name_invalid", "Invalid name", {
    detail: `${JSON.stringify(name)} cannot be used as a name in ${pathText(path)}.`,
    hint:
      path[0] === "teams" && path.length === 1
        ? TEAM_NAMES_HINT
        : "Names are letters, digits, - and _, and begin with a letter or _.",
    path: at,
    place: parsed.locateKey(at),
  });
}

function isLimit(path: readonly string[]): boolean {
  return path.length === 2 && path[0] === "limits";
}

function badLimit(
  { data, parentSchema }: ErrorObject,
  path: readonly string[],
): Pick<Diagnostic, "code" | "summary" | "detail" | "hint"> {
  const given = isScalar(data)
    ? `is ${typeof data === "string" ? data.slice(0, MAX_SHOWN) : JSON.stringify(data)}`
    : `is ${typeName(data)}`;
  const [example = ""] = (parentSchema?.["examples"] ?? []) as readonly (string | number)[];
  return {
    code: "schema_invalid",
    summary: "Invalid limit",
    detail: `${pathText(path)} ${given}, but must be a whole number from 0, or a percentage from 0% to 100%.`,
    hint: `Write ${String(path.at(-1))}: ${String(example)}, for example.`,
  };
}

/** Whether the error is about a reference to a secret, or about something in one. */
function isSecret({ schemaPath }: ErrorObject): boolean {
  return schemaPath.startsWith("#/$defs/secret/");
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== "object";
}

/** A path for people: list indices as numbers. */
function pathText(path: readonly string[]): string {
  return formatPath(path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

function sentence({ keyword, params, message, parentSchema }: ErrorObject): string {
  const given = params as { readonly [name: string]: unknown };
  switch (keyword) {
    case "pattern":
      return `is not written as it must be, as in ${((parentSchema?.["examples"] ?? []) as readonly string[]).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(given["allowedValue"])}`;
    case "required":
      return `must have ${String(given["missingProperty"])}`;
    case "minProperties":
    case "not":
      return `must have exactly one of ${alternatives(parentSchema)}`;
    case "minItems":
    case "minLength":
      return "must not be empty";
    default:
      return message ?? "is not valid";
  }
}

/** The keys of an encryption, or the sources of a secret. */
function alternatives(schema: ErrorObject["parentSchema"]): string {
  return "passphrase" in ((schema?.["properties"] ?? {}) as object) ? "passphrase and key" : "env, file and command";
}

function choiceHint(key: string, { params, data }: ErrorObject): string {
  const allowed = (params as { readonly allowedValues: readonly unknown[] }).allowedValues.map(String);
  const meant = typeof data === "string" ? nearest(data, allowed) : null;
  if (meant !== null) return `Did you mean ${meant}?`;
  const choices = [allowed.slice(0, -1).join(", "), ...allowed.slice(-1)].filter((part) => part !== "").join(" or ");
  return `Write ${/^\d+$/.test(key) ? "" : `${key}: `}${choices}.`;
}

function shownValue(data: unknown): string {
  return JSON.stringify(typeof data === "string" ? data.slice(0, MAX_SHOWN) : data);
}

/** What was probably meant by a value of another type, by its place; null where only the type tells. */
function keyHint(path: readonly string[], given: unknown): string | null {
  const key = path.at(-1) ?? "";
  const isList = Array.isArray(given);
  if (path.length === 2 && path[0] === "variables" && isScalar(given)) return `Write ${key}: { default: VALUE }.`;
  if (isList && SECTIONS.some((section) => section.path.join() === path.join()))
    return "Give each entry a name in place of the dash, and indent its keys below it.";
  const section = SECTIONS.find((one) => one.path.join() === path.slice(0, -2).join());
  if (!section) return null;
  const list = isList ? section.fanOut?.find((one) => one.attribute === key || one.key === `${key}s`) : undefined;
  if (list) return `For a list, write ${list.key} in place of ${key}.`;
  const isSource =
    !isList &&
    typeof given === "object" &&
    given !== null &&
    Object.keys(given).some((name) => ["env", "file", "command"].includes(name));
  return isSource
    ? "Only secrets have env, file and command. Declare a variable, and refer to it as in ${var.NAME}."
    : null;
}

function typeHint(wanted: readonly string[], given: unknown): string {
  if (given === null && wanted.every((type) => type === "object") && wanted.length > 0)
    return "Indent its keys further than its name, or remove it.";
  if (wanted.includes("object") && typeof given === "string" && /^\w+:(?!\/\/)\S/.test(given))
    return "Write a space after the colon, as in KEY: VALUE.";
  if (wanted.includes("object") && typeof given === "string" && /^\w+ +\S+$/.test(given))
    return "Write a colon after the key, as in KEY: VALUE.";
  if (given === null) return "Give it a value, or remove the key.";
  if (wanted.includes("array"))
    return wanted.includes("string") ? "Write a name, or a list of names as in [a, b]." : "Write a list, as in [a, b].";
  if (wanted.includes("string") && typeof given !== "object") return "Put it in quotes.";
  if (wanted.includes("boolean") && typeof given === "string") return "Write true or false, without quotes.";
  if (wanted.includes("object")) return "Write a line KEY: VALUE for each of its parts, indented below it.";
  return "Write a single value.";
}

function typeName(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  return article(typeof value);
}

function article(type: string): string {
  const names: { readonly [type: string]: string } = {
    object: "a map",
    array: "a list",
    boolean: "true or false",
    string: "text",
    integer: "a whole number",
  };
  return names[type] ?? `a ${type}`;
}

/** `/webhooks/a~1b/0` → steps. */
function pathOf(pointer: string): readonly string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
