import type { Schema } from "../../../core/model/attribute.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { IDENTITY_VERSION, identitySchema, identityValues } from "../../../core/plan/identity.ts";
import type {
  DynamicValue,
  ImportResourceState_Request,
  ResourceIdentityData,
  ResourceIdentitySchema,
  UpgradeResourceIdentity_Request,
} from "../generated/tfplugin6.ts";
import { wireType } from "../wire/wire-schema.ts";
import { decodeState, decodeValue, encodeValue, encodedAttributes } from "../wire/terraform-values.ts";

/** Joins the values of an identity in an import id: `cam_000001/ada@example.com`. */
const ID_SEPARATOR = "/";

/** The identity schemas of all types: which object of the service a resource is (Terraform 1.12 and later). */
export function identitySchemasOf({ resources }: Catalog) {
  return Object.fromEntries(resources.map((definition) => [definition.type, wireIdentitySchema(definition)]));
}

/** The identity of an object in an answer; undefined where it has none. */
export type IdentityIn = (typeName: string, state: DynamicValue | undefined) => ResourceIdentityData | undefined;

export function identities({ resources }: Catalog): IdentityIn {
  const schemas = new Map(resources.map((definition) => [definition.type, identitySchema(definition)]));
  return (typeName, state) => {
    const schema = schemas.get(typeName);
    if (!schema) return undefined;
    const known = encodedAttributes(state);
    try {
      const attributes = known === undefined ? decodeValue(state, schema) : known;
      return attributes ? identityOf(schema, attributes) : undefined;
    } catch {
      // An unreadable state comes with its own error, which must reach the user.
      return undefined;
    }
  };
}

/** The identity of an object in its canonical form; undefined while any part is unknown. */
export function identityOf(schema: Schema, attributes: Attributes): ResourceIdentityData | undefined {
  const values = identityValues(schema, attributes);
  return values === null ? undefined : { identityData: encodeValue(values, schema) };
}

function wireIdentitySchema(definition: AnyResource): ResourceIdentitySchema {
  return {
    version: IDENTITY_VERSION,
    identityAttributes: Object.entries(identitySchema(definition)).map(([name, { type, docs }]) => ({
      name,
      type: wireType(type),
      requiredForImport: true,
      optionalForImport: false,
      description: docs,
    })),
  };
}

export function upgradeResourceIdentity(
  catalog: Catalog,
  { typeName, version, rawIdentity }: UpgradeResourceIdentity_Request,
) {
  if (version > IDENTITY_VERSION)
    throw new Error("a newer version of the provider has stored this identity; use that version");
  const schema = identitySchema(resourceOf(catalog, typeName));
  const identity = identityOf(schema, decodeState(rawIdentity?.json ?? new Uint8Array(), schema) ?? {});
  if (identity === undefined)
    throw new Error("the stored identity lacks an attribute; refresh the resource to store it again");
  return { upgradedIdentity: identity, diagnostics: [] };
}

/** The id of the import. An incomplete identity gives an invalid id, which the import reports. */
export function importId(catalog: Catalog, { typeName, id, identity }: ImportResourceState_Request): string {
  if (!identity) return id;
  const schema = identitySchema(resourceOf(catalog, typeName));
  const given = decodeValue(identity.identityData, schema);
  if (!given) return id;
  const parts = Object.keys(schema).map((name) => given[name]);
  return parts.map((part) => (typeof part === "string" ? part : "")).join(ID_SEPARATOR);
}
