import type { ErrorObject } from "ajv";
import {
  type Diagnostic,
  MAX_MISTAKES,
  type Place,
  furtherMistakes,
  nearest,
  errorOf,
} from "../../core/model/diagnostic.ts";
import { type Path, formatPath } from "../../core/model/path.ts";
import { MASK } from "./excerpts.ts";
import { type Form, formAt } from "./form.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import { isTree } from "./plain-values.ts";

export interface SchemaProblems {
  /** The paths whose values must not be used. */
  readonly refused: readonly Path[];
  /** One for each path; many are only counted. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns ajv's errors into diagnostics, with the hints of the form at each path. */
export function schemaProblems(
  errors: readonly ErrorObject[],
  { form, parsed }: { readonly form: Form; readonly parsed: ParsedYaml },
): SchemaProblems {
  const byPath = new Map<string, readonly [Refusal, ...Refusal[]]>();
  for (const error of errors) {
    if (error.propertyName !== undefined) continue;
    const refusal = refusalOf(error, { form, parsed });
    if (error.keyword === "required" && refusal.form?.missingHint === undefined) continue;
    const key = JSON.stringify(refusal.path);
    const [first, ...more] = byPath.get(key) ?? [];
    byPath.set(key, first ? [first, ...more, refusal] : [refusal]);
  }
  const found = [...byPath.values()];
  parsed.hide(found.flatMap(([{ error, path }]) => (error.keyword === "additionalProperties" ? [path] : [])));
  // A place and a near name take time: only for what is shown.
  const shown = found.slice(0, MAX_MISTAKES);
  const problems = shown.flatMap(
    (refusals) => highest(ofAlternative(refusals).map((one) => problemOf(one, parsed))) ?? [],
  );
  const count = found.length - shown.length;
  const { file } = parsed.locate([]);
  return {
    refused: found.map(([{ path }]) => path),
    diagnostics: count <= 0 ? problems : [...problems, furtherMistakes(file, { severity: "error", count })],
  };
}

/** A value or key that the schema rejects. */
interface Refusal {
  readonly error: ErrorObject;
  /** The path of an unknown, missing or badly named key, or else of the value. */
  readonly path: readonly string[];
  /** The path of the value with the violated rule. */
  readonly at: readonly string[];
  readonly form: Form | undefined;
  /** The value at `at`. */
  readonly data: unknown;
}

/** Keywords about one key of a map, with ajv's parameter that names it. */
const KEY_OF: { readonly [keyword: string]: string } = {
  additionalProperties: "additionalProperty",
  propertyNames: "propertyName",
  required: "missingProperty",
};

function refusalOf(
  error: ErrorObject,
  { form, parsed }: { readonly form: Form; readonly parsed: ParsedYaml },
): Refusal {
  const at = pathOf(error.instancePath);
  const key = KEY_OF[error.keyword];
  return {
    error,
    at,
    path: key === undefined ? at : [...at, String(paramsOf(error)[key])],
    form: formAt(form, at),
    data: at.reduce<unknown>((value, step) => (value as { readonly [step: string]: unknown })[step], parsed.value),
  };
}

function paramsOf({ params }: ErrorObject): { readonly [name: string]: unknown } {
  return params as { readonly [name: string]: unknown };
}

/** A map where a text or the source of a secret may stand is a source with a mistake. */
function ofAlternative(refusals: readonly [Refusal, ...Refusal[]]): readonly Refusal[] {
  const [{ form, data }] = refusals;
  if (!form?.isSecret || !(isTree(data) || data === null)) return refusals;
  const ofSource = refusals.filter(({ error }) => error.keyword !== "anyOf" && paramsOf(error)["type"] !== "string");
  return ofSource.length > 0 ? ofSource : refusals;
}

function highest(problems: readonly Diagnostic[]): Diagnostic | undefined {
  return problems.reduce<Diagnostic | undefined>(
    (best, one) => (best && rank(best) >= rank(one) ? best : one),
    undefined,
  );
}

function rank({ code }: Diagnostic): number {
  return ["schema_invalid", "wrong_type", "secret_literal", "name_invalid", "unknown_key", "ignore_protected"].indexOf(
    code,
  );
}

/** Characters of a value that a message repeats. */
const MAX_SHOWN = 40;

function problemOf(refusal: Refusal, parsed: ParsedYaml): Diagnostic {
  const { error, path, form, data } = refusal;
  const key = String(path.at(-1));
  switch (error.keyword) {
    case "additionalProperties":
      return unknownKey(refusal, parsed);
    case "propertyNames":
      return invalidName(refusal, parsed);
    case "required":
      return missingKey(refusal, parsed);
  }
  const place = parsed.locate(path);
  if (path.length === 0 && error.keyword === "type") return notAConfiguration(place);
  if (form?.isSecret && isScalar(data) && error.keyword === "type" && paramsOf(error)["type"] === "object")
    return errorOf("secret_literal", "A secret in plain text", {
      detail: `${key} is written in plain text, so anyone who can read the configuration can read it.`,
      ...(form.hint === undefined ? {} : { hint: form.hint }),
      path,
      place,
    });
  const own = form?.problem?.(inWords(data), key, data);
  if (own) return { severity: "error", ...own, path, place };
  const said = error.keyword === "type" ? wrongType(refusal) : invalidValue(refusal);
  const hint = isOfText(refusal) ? said.hint : (form?.hint ?? said.hint);
  return { severity: "error", ...said, ...(hint === undefined ? {} : { hint }), path, place };
}

/** Whether the error is about the text that may replace a secret. */
function isOfText({ form, error }: Refusal): boolean {
  return form?.isSecret === true && (paramsOf(error)["type"] === "string" || error.keyword === "minLength");
}

type Said = Pick<Diagnostic, "code" | "summary" | "detail" | "hint">;

function wrongType({ error, path, form, data }: Refusal): Said {
  const wanted = [paramsOf(error)["type"] as string | readonly string[]].flat().filter((type) => type !== "null");
  return {
    code: "wrong_type",
    summary: "Wrong type",
    detail: `${pathText(path)} must be ${wanted.map(article).join(" or ")}, but is ${typeName(data)}.`,
    hint: form?.typeHint?.(data, String(path.at(-1))) ?? typeHint(wanted, data),
  };
}

function invalidValue({ error, path, form, data }: Refusal): Said {
  const what = path.length === 0 ? "The configuration" : pathText(path);
  const key = String(path.at(-1));
  const hint = hintFor(error, { key, data });
  return {
    code: "schema_invalid",
    summary: "Invalid configuration",
    detail:
      error.keyword === "enum" && isScalar(data)
        ? `${JSON.stringify(typeof data === "string" ? data.slice(0, MAX_SHOWN) : data)} is not a value of ${what}.`
        : `${what} ${sentence(error, form)}.`,
    ...(hint === null ? {} : { hint }),
  };
}

function hintFor(error: ErrorObject, { key, data }: { readonly key: string; readonly data: unknown }): string | null {
  switch (error.keyword) {
    case "const":
      return `Write ${key}: ${String(paramsOf(error)["allowedValue"])}.`;
    case "enum":
      return choiceHint(key, { allowed: (paramsOf(error)["allowedValues"] as readonly unknown[]).map(String), data });
    case "minLength":
      return typeHint([], null);
    default:
      return null;
  }
}

function sentence(error: ErrorObject, form: Form | undefined): string {
  switch (error.keyword) {
    case "pattern":
      return `is not written as it must be, as in ${((form?.schema["examples"] ?? []) as readonly string[]).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(paramsOf(error)["allowedValue"])}`;
    case "minProperties":
    case "not":
      return `must have exactly one of ${listed(form?.choices ?? [], "and")}`;
    case "minItems":
    case "minLength":
      return "must not be empty";
    case "minimum":
      return `must be >= ${String(paramsOf(error)["limit"])}`;
    case "enum":
      return "must be equal to one of the allowed values";
    default:
      return "is not valid";
  }
}

/** Shows no line: the file is not a configuration. */
function notAConfiguration({ text: _, ...place }: Place): Diagnostic {
  return errorOf("wrong_type", "Not a configuration", {
    detail: "The file does not hold a configuration: its top level is not a map.",
    hint: "Name an outreach configuration with -c; it begins with version: 1.",
    path: [],
    place,
  });
}

function unknownKey({ path, at, form, data }: Refusal, parsed: ParsedYaml): Diagnostic {
  const name = path.at(-1) ?? "";
  const known = (isTree(data) ? form?.suggestedKeys?.(data) : undefined) ?? Object.keys(form?.keys ?? {});
  const meant = nearest(name, known);
  const where = at.length === 0 ? "at the top level" : `in ${pathText(at)}`;
  const place = parsed.locateKey(path);
  const hidden = place.text?.startsWith(MASK, (place.caret ?? place.column ?? 1) - 1) === true;
  return errorOf("unknown_key", "Unknown key", {
    detail: `${hidden ? "This" : JSON.stringify(name)} is not a known key ${where}.`,
    hint: form?.isSecret
      ? (form.hint ?? "")
      : meant === null
        ? `Known keys here: ${known.join(", ")}.`
        : `Did you mean ${meant}?`,
    path,
    place,
  });
}

function invalidName({ path, at, form }: Refusal, parsed: ParsedYaml): Diagnostic {
  return errorOf("name_invalid", "Invalid name", {
    detail: `${JSON.stringify(path.at(-1))} cannot be used as a name in ${pathText(at)}.`,
    ...(form?.namesHint === undefined ? {} : { hint: form.namesHint }),
    path,
    place: parsed.locateKey(path),
  });
}

function missingKey({ path, at, form }: Refusal, parsed: ParsedYaml): Diagnostic {
  const key = path.at(-1) ?? "";
  const hint = form?.missingHint ?? "";
  if (at.length === 0)
    return errorOf("schema_invalid", "Invalid configuration", {
      detail: `The configuration must have ${key}.`,
      hint,
      path: [],
      place: parsed.locate([]),
    });
  const where = at.filter((step) => !/^\d+$/.test(step)).join(".");
  return errorOf("attribute_missing", "Missing required argument", {
    detail: `${key} is required in ${where}, but is not set.`,
    hint,
    place: parsed.locateKey(at),
  });
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== "object";
}

/** A path for people: list indices as numbers. */
function pathText(path: readonly string[]): string {
  return formatPath(path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

/** A scalar value for a sentence; for other values, their type. */
function inWords(data: unknown): string {
  if (typeof data === "string") return data.slice(0, MAX_SHOWN);
  return isScalar(data) ? JSON.stringify(data) : typeName(data);
}

/** `a, b and c`. */
function listed(words: readonly string[], last: "and" | "or"): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(` ${last} `);
}

function choiceHint(
  key: string,
  { allowed, data }: { readonly allowed: readonly string[]; readonly data: unknown },
): string {
  const meant = typeof data === "string" ? nearest(data, allowed) : null;
  return meant === null
    ? `Write ${/^\d+$/.test(key) ? "" : `${key}: `}${listed(allowed, "or")}.`
    : `Did you mean ${meant}?`;
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
