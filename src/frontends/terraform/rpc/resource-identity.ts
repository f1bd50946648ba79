import type { Schema } from "../../../core/model/attribute.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../core/model/definition.ts";
import { type Attributes, hasUnknown } from "../../../core/model/value.ts";
import { answering, mapAnswer } from "../wire/wire-diagnostics.ts";
import type {
  DynamicValue,
  ImportResourceState_Request,
  ImportResourceState_Response,
  ProviderDefinition,
  ResourceIdentityData,
  ResourceIdentitySchema,
  UpgradeResourceIdentity_Request,
  UpgradeResourceIdentity_Response,
} from "../generated/tfplugin6.ts";
import type { Handlers } from "../plugin/grpc.ts";
import { wireType } from "../wire/wire-schema.ts";
import { decodeState, decodeValue, encodeValue, encodedAttributes } from "../wire/terraform-values.ts";

/** Rises when the attributes of an identity change. */
const VERSION = 0;

/** Joins the values of an identity in an import id: `cam_000001/ada@example.com`. */
const ID_SEPARATOR = "/";

/** Resource identity: which object of the service a resource is (Terraform 1.12 and later). */
export function identityHandlers(catalog: Catalog): Pick<Handlers<typeof ProviderDefinition>, "getResourceIdentitySchemas" | "upgradeResourceIdentity"> {
  return {
    getResourceIdentitySchemas: async () => ({
      identitySchemas: Object.fromEntries(catalog.resources.map((definition) => [definition.type, wireIdentitySchema(definition)])),
      diagnostics: [],
    }),
    upgradeResourceIdentity: (request) =>
      answering<UpgradeResourceIdentity_Response>(
        () => upgrade(resourceOf(catalog, request.typeName), request),
        (diagnostics) => ({ diagnostics }),
      ),
  };
}

/** The calls whose answers hold an object. */
type Bearing = Pick<Handlers<typeof ProviderDefinition>, "readResource" | "planResourceChange" | "applyResourceChange" | "importResourceState">;

/** Adds the identity to the answers of these handlers, and lets import take an identity in place of an id. */
export function withIdentity<H extends Bearing>(catalog: Catalog, handlers: H): H {
  const schemas = new Map(catalog.resources.map((definition) => [definition.type, identitySchema(definition)]));
  const identityIn = (typeName: string, state: DynamicValue | undefined): ResourceIdentityData | undefined => {
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
  return {
    ...handlers,
    readResource: (request) =>
      mapAnswer(handlers.readResource(request), (response) => ({ ...response, newIdentity: identityIn(request.typeName, response.newState) })),
    planResourceChange: (request) =>
      mapAnswer(handlers.planResourceChange(request), (response) => ({ ...response, plannedIdentity: identityIn(request.typeName, response.plannedState) })),
    applyResourceChange: (request) =>
      mapAnswer(handlers.applyResourceChange(request), (response) => ({ ...response, newIdentity: identityIn(request.typeName, response.newState) })),
    importResourceState: (request) =>
      answering<ImportResourceState_Response>(
        async () => {
          const { importedResources, diagnostics } = await handlers.importResourceState({ ...request, id: importId(request, schemas.get(request.typeName)) });
          return { importedResources: importedResources.map((one) => ({ ...one, identity: identityIn(one.typeName, one.state) })), diagnostics };
        },
        (diagnostics) => ({ importedResources: [], diagnostics }),
      ),
  };
}

/** Objects with an id of the service are identified by it, others by their identity attributes. */
export function identitySchema({ schema, identity, list }: AnyResource): Schema {
  const names = list ? ["id"] : identity;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}

/** The identity of an object in its canonical form; undefined while any part is unknown. */
export function identityOf(schema: Schema, attributes: Attributes): ResourceIdentityData | undefined {
  const values = Object.entries(schema).map(([name, { canonical }]) => {
    const value = attributes[name] ?? null;
    return [name, canonical && !hasUnknown(value) ? canonical(value) : value] as const;
  });
  if (values.some(([, value]) => value === null || hasUnknown(value))) return undefined;
  return { identityData: encodeValue(Object.fromEntries(values), schema) };
}

function wireIdentitySchema(definition: AnyResource): ResourceIdentitySchema {
  return {
    version: VERSION,
    identityAttributes: Object.entries(identitySchema(definition)).map(([name, { type, docs }]) => ({
      name,
      type: wireType(type),
      requiredForImport: true,
      optionalForImport: false,
      description: docs,
    })),
  };
}

function upgrade(definition: AnyResource, { version, rawIdentity }: UpgradeResourceIdentity_Request): UpgradeResourceIdentity_Response {
  if (version > VERSION) throw new Error("a newer version of the provider has stored this identity; use that version");
  const schema = identitySchema(definition);
  const identity = identityOf(schema, decodeState(rawIdentity?.json ?? new Uint8Array(), schema) ?? {});
  if (identity === undefined) throw new Error("the stored identity lacks an attribute; refresh the resource to store it again");
  return { upgradedIdentity: identity, diagnostics: [] };
}

/** The id of the import. An incomplete identity gives an invalid id, which the import reports. */
function importId({ id, identity }: ImportResourceState_Request, schema: Schema | undefined): string {
  const given = schema && decodeValue(identity?.identityData, schema);
  if (!given) return id;
  const parts = Object.keys(schema).map((name) => given[name]);
  return parts.map((part) => (typeof part === "string" ? part : "")).join(ID_SEPARATOR);
}
