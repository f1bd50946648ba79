import { type Attribute, attributesOf } from "../../../core/model/attribute.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import {
  type Diagnostic,
  type Result,
  DiagnosticsError,
  hasErrors,
  nearest,
  errorOf,
} from "../../../core/model/diagnostic.ts";
import type { Attributes, Value } from "../../../core/model/value.ts";
import type { ImportResourceState_Request } from "../generated/tfplugin6.ts";
import { type PrivateState, NO_PRIVATE_STATE, encodePrivate } from "../private-state.ts";
import type { Session } from "../provider-session.ts";
import type { Recorded } from "../type-session.ts";
import { encodeValue } from "../wire/terraform-values.ts";
import { checkAttributes } from "../../../core/model/check.ts";
import { parseIdentityText } from "../../../core/model/identity-text.ts";

/** Imports a live object. */
export async function importResourceState(session: Session, { typeName, id }: ImportResourceState_Request) {
  const definition = session.definition(typeName);
  const { value: attributes, diagnostics } = parseImportId(definition, id);
  if (attributes === null) return { importedResources: [], diagnostics };
  if (definition.list && typeof attributes["id"] === "string")
    await requireDecided(session, definition, { id: attributes["id"], attributes });
  const stored = importedPrivate(definition, attributes);
  return {
    importedResources: [
      { typeName, state: encodeValue(attributes, definition.schema), private: encodePrivate(stored) },
    ],
    diagnostics: [],
  };
}

/** The private state of an object that was not read yet, with the attributes that the user gave. */
function importedPrivate(definition: AnyResource, attributes: Attributes): PrivateState {
  const unobserved = definition.list ? unobservedIn(definition, attributes) : [];
  return { ...NO_PRIVATE_STATE, unobserved, ...(unobserved.length > 0 ? { imported: "unread" } : {}) };
}

/**
 * Terraform reads an imported object next and reports a missing one. If the list may be truncated, that read would keep an
 * object that has only an id.
 */
async function requireDecided(session: Session, definition: AnyResource, imported: Recorded): Promise<void> {
  const { object, isMissing } = await session.type(definition).find(imported);
  if (object === null && !isMissing) throw existenceUnknown(definition, imported.id);
}

/** Attributes without a value. Values that are configured with the import are recorded without a request, unless the read shows another value. */
function unobservedIn({ schema }: AnyResource, attributes: Attributes): readonly string[] {
  return attributesOf(schema, "terraform").flatMap(([name, { mode, writeOnly }]) =>
    mode === "computed" || writeOnly || name in attributes ? [] : [name],
  );
}

function existenceUnknown({ noun }: AnyResource, id: string): DiagnosticsError {
  return DiagnosticsError.of("list_maybe_truncated", `The ${noun} is not in a list that may be truncated`, {
    detail: `${id} is not in the service's list. The list may be truncated, so it does not prove that the ${noun} is gone. Whether the ${noun} exists is not known.`,
    hint: "Check the id. If it is right, delete the object by other means, and let Terraform create a new one.",
    ways: [{ kind: "check-list" }],
  });
}

/**
 * Parses the id of an import. For types that can be listed: `ID` or `ID,name=value,…`, with values that the service does
 * not show. For others: the parts of the identity, joined by `/`.
 */
export function parseImportId(definition: AnyResource, text: string): Result<Attributes | null> {
  return definition.list ? parseListed(definition, text) : parseIdentity(definition, text);
}

function parseListed(definition: AnyResource, text: string): Result<Attributes | null> {
  const [id = "", ...given] = text.split(",").map((part) => part.trim());
  const problem = definition.checkId?.(id);
  if (problem) return failed([problem]);
  const attributes: Record<string, Value> = { id };
  const diagnostics: Diagnostic[] = [];
  for (const part of given) {
    const { value, diagnostics: said } = parsePart(definition, part);
    diagnostics.push(...said);
    if (value === null) continue;
    if (value.name in attributes) diagnostics.push(invalid(`${value.name} is given twice.`, "Give it once."));
    attributes[value.name] = value.value;
  }
  const wrong = checkAttributes(
    { ...definition, schema: only(definition.schema, Object.keys(attributes)) },
    attributes,
  );
  return result(attributes, [...diagnostics, ...wrong]);
}

/** One `name=value`. */
function parsePart(
  { type, schema }: AnyResource,
  part: string,
): Result<{ readonly name: string; readonly value: Value } | null> {
  const at = part.indexOf("=");
  if (at < 0) return failed([invalid(`After the id comes ${JSON.stringify(part)}, but it must be name=value.`, FORM)]);
  const [name, written] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  const attribute = new Map(attributesOf(schema, "terraform")).get(name);
  if (attribute === undefined) {
    const names = unseenNames(schema);
    const meant = nearest(name, names);
    return failed([
      invalid(
        `${type} has no ${JSON.stringify(name)}.`,
        meant === null ? `Names that can be given: ${names.join(", ")}.` : `Did you mean ${meant}?`,
      ),
    ]);
  }
  if (attribute.sensitive) {
    return failed([
      invalid(
        `${name} cannot be part of the id, because the id is shown and stored.`,
        "Configure it: the next apply records it.",
      ),
    ]);
  }
  if (!unseenNames(schema).includes(name))
    return failed([invalid(`${name} comes from the service and cannot be given.`, "Leave it out.")]);
  const value = parseAs(attribute, written);
  if (value !== undefined) return { value: { name, value }, diagnostics: [] };
  const form = written === "" ? "empty" : JSON.stringify(written);
  return failed([invalid(`${name} is ${form}, but must be ${formOf(attribute)}.`, FORM)]);
}

const FORM = "Write it as in hoo_1,campaign_id=cam_1,is_first=true.";

function formOf({ type }: Attribute): string {
  return type === "bool" ? "true or false" : type === "number" ? "a whole number" : "a text";
}

/** The attributes that the service's list may not show. */
function unseenNames(schema: AnyResource["schema"]): readonly string[] {
  return attributesOf(schema, "terraform").flatMap(([name, { mode, observed = "always", sensitive }]) =>
    mode === "computed" || observed === "always" || sensitive ? [] : [name],
  );
}

function parseAs({ type }: Attribute, text: string): Value | undefined {
  if (text === "") return undefined;
  if (type === "bool") return text === "true" ? true : text === "false" ? false : undefined;
  if (type === "number") return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  return text;
}

/** `a***@example.com#1f3a9c02`, and without the end as the provider's messages show it. */
const MASKED = /^.?\*{3}@/u;

/** Attributes that the id does not name have their defaults. */
function parseIdentity(definition: AnyResource, text: string): Result<Attributes | null> {
  const { identity, schema, noun, irreversible } = definition;
  const named = parseIdentityText(definition, text);
  if (!named) {
    const example = identity
      .flatMap((name) => schema[name]?.examples?.slice(0, 1) ?? [])
      .filter((one) => typeof one === "string");
    return failed([
      invalid(`The id of a ${noun} is ${identity.join("/").toUpperCase()}.`, `Write it as in ${example.join("/")}.`),
    ]);
  }
  const masked = Object.entries(named).find(
    ([name, value]) => schema[name]?.personal && typeof value === "string" && MASKED.test(value),
  );
  if (masked) return failed([invalid(`${masked[0]} is masked, as output shows it.`, "Write the value itself.")]);
  const defaults = Object.entries(schema).flatMap(([name, attribute]) =>
    attribute.default === undefined ? [] : [[name, attribute.default] as const],
  );
  const attributes = { ...Object.fromEntries(defaults), ...named, ...irreversible?.done };
  return result(attributes, checkAttributes(definition, attributes));
}

function only(schema: AnyResource["schema"], names: readonly string[]): AnyResource["schema"] {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}

/** Nothing is configured here, so diagnostics have no path. */
function result(attributes: Attributes, diagnostics: readonly Diagnostic[]): Result<Attributes | null> {
  const plain = diagnostics.map(({ path: _, ...rest }) => rest);
  return { value: hasErrors(plain) ? null : attributes, diagnostics: plain };
}

function failed(diagnostics: readonly Diagnostic[]): Result<null> {
  return { value: null, diagnostics };
}

function invalid(detail: string, hint: string): Diagnostic {
  return errorOf("import_id_invalid", "Invalid import id", { detail, hint });
}
