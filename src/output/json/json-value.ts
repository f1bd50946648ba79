import type { Schema } from "../../core/model/attribute.ts";
import type { AnyResource } from "../../core/model/definition.ts";
import { type Attributes, type Value, isSecretDigest, isUnknown } from "../../core/model/value.ts";
import { IDENTITY_VERSION, identitySchema, identityValues } from "../../core/plan/identity.ts";
import { hiddenText } from "../content/value-text.ts";
import type { Json, JsonObject } from "./escaped-json.ts";

/**
 * Replaces a sensitive value in JSON. Terraform prints the value; our plans hold only fingerprints. A text,
 * not null, so that a policy can see whether a webhook has a secret.
 */
export const SENSITIVE = "(sensitive value)";

/** The known part of a value: unknown members of objects are absent, unknown elements of lists are null. */
export function knownJson(value: Value): Json {
  if (isUnknown(value)) return null;
  if (isSecretDigest(value)) return SENSITIVE;
  if (Array.isArray(value)) return value.map(knownJson);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as { readonly [name: string]: Value });
  return Object.fromEntries(
    entries.flatMap(([name, inner]) => (isUnknown(inner) ? [] : [[name, knownJson(inner)] as const])),
  );
}

/** The unknown parts of a value: true for a whole unknown value; objects keep only members with something unknown. */
export function unknownMask(value: Value): Json {
  if (isUnknown(value)) return true;
  if (isSecretDigest(value) || typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.map(unknownMask);
  const entries = Object.entries(value as { readonly [name: string]: Value }).map(
    ([name, inner]) => [name, unknownMask(inner)] as const,
  );
  return Object.fromEntries(entries.filter(([, mask]) => mask !== false));
}

/** One side of a change, split into values, unknown and sensitive parts as in Terraform. */
interface SideJson {
  readonly values: Json;
  readonly unknown: JsonObject;
  readonly sensitive: Json;
}

/** `masked` names the attributes with a value from a sensitive variable. */
export function sideJson(attributes: Attributes | null, schema: Schema, masked: readonly string[]): SideJson {
  if (attributes === null) return { values: null, unknown: {}, sensitive: false };
  const hidden = Object.keys(schema).filter((name) => schema[name]?.sensitive === true || masked.includes(name));
  const shown: Record<string, Value> = {};
  for (const name of Object.keys(schema)) {
    const value = attributes[name] ?? null;
    shown[name] = value !== null && !isUnknown(value) && hidden.includes(name) ? hiddenText(value) : value;
  }
  return {
    values: knownJson(shown),
    unknown: unknownMask(shown) as JsonObject,
    sensitive: Object.fromEntries([
      ...Object.entries(shown).flatMap(([name, value]) => lists(name, value)),
      ...hidden.map((name) => [name, true] as const),
    ]),
  };
}

/** The identity of an object, which Terraform 1.12 and later print; undefined while a part of it is unknown. */
export function identityJson(
  definition: AnyResource,
  attributes: Attributes | null,
  masked: readonly string[],
): Json | undefined {
  const schema = identitySchema(definition);
  const values = attributes && identityValues(schema, attributes);
  return values ? sideJson(values, schema, masked).values : undefined;
}

/** The identity of an object in a state. */
export function recordedIdentityJson(
  definition: AnyResource,
  attributes: Attributes,
  masked: readonly string[],
): JsonObject {
  const identity = identityJson(definition, attributes, masked);
  return identity === undefined ? {} : { identity_schema_version: IDENTITY_VERSION, identity };
}

/** Terraform names each list and object next to the sensitive values. */
function lists(name: string, value: Value): readonly (readonly [string, Json])[] {
  return isUnknown(value) || isSecretDigest(value) || typeof value !== "object" || value === null
    ? []
    : [[name, unknownMask(value)]];
}

/** The type of a value in Terraform's notation. */
export function typeJson(value: Json): Json {
  if (value === null) return "dynamic";
  if (Array.isArray(value)) return ["tuple", (value as readonly Json[]).map(typeJson)];
  if (typeof value === "object")
    return ["object", Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typeJson(inner)]))];
  return typeof value === "boolean" ? "bool" : typeof value;
}
