import type { Catalog } from "../../../core/model/definition.ts";
import type { ProviderDefinition, Schema } from "../generated/tfplugin6.ts";
import type { Handlers } from "../routes.ts";
import { PROVIDER_SCHEMA, wireSchema } from "../schema.ts";

const PROVIDER_DOCS = "Webhooks of the outreach automation service.";

const CAPABILITIES = { planDestroy: false, getProviderSchemaOptional: true, moveResourceState: false };

/** What the provider has. Called before it is configured. */
export function metadataHandlers({
  resources,
  dataSources,
}: Catalog): Pick<Handlers<typeof ProviderDefinition>, "getMetadata" | "getProviderSchema" | "getFunctions"> {
  return {
    getMetadata: async () => ({
      serverCapabilities: CAPABILITIES,
      diagnostics: [],
      resources: resources.map(({ type }) => ({ typeName: type })),
      dataSources: dataSources.map(({ type }) => ({ typeName: type })),
    }),
    getProviderSchema: async () => ({
      ...schemasOf({ resources, dataSources }),
      diagnostics: [],
      serverCapabilities: CAPABILITIES,
    }),
    getFunctions: async () => ({ diagnostics: [] }),
  };
}

export interface Schemas {
  readonly provider: Schema;
  readonly resourceSchemas: { [type: string]: Schema };
  readonly dataSourceSchemas: { [type: string]: Schema };
}

/** Every schema of the provider. */
export function schemasOf({ resources, dataSources }: Catalog): Schemas {
  return {
    provider: wireSchema(PROVIDER_SCHEMA, { docs: PROVIDER_DOCS, version: 0 }),
    resourceSchemas: Object.fromEntries(resources.map((definition) => [definition.type, wireSchema(definition.schema, definition)])),
    dataSourceSchemas: Object.fromEntries(dataSources.map(({ type, schema, docs }) => [type, wireSchema(schema, { docs, version: 0 })])),
  };
}
