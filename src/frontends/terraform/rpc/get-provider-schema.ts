import type { Catalog } from "../../../core/model/definition.ts";
import type { ActionSchema, FunctionMessage as WireFunction, Schema } from "../generated/tfplugin6.ts";
import { PROVIDER_SCHEMA, wireSchema } from "../wire/wire-schema.ts";
import { wireFunctions } from "./call-function.ts";
import { searchable } from "./list-resource.ts";

const PROVIDER_DOCS = "Webhooks of the outreach automation service.";

export const CAPABILITIES = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

/** The contents of the provider. Called before it is configured. */
export function metadataOf(catalog: Catalog) {
  const { resources, dataSources, actions = [], functions = [] } = catalog;
  const typeName = ({ type }: { readonly type: string }) => ({ typeName: type });
  return {
    resources: resources.map(typeName),
    dataSources: dataSources.map(typeName),
    listResources: searchable(catalog).map(typeName),
    actions: actions.map(typeName),
    functions: functions.map(({ name }) => ({ name })),
  };
}

export interface Schemas {
  readonly provider: Schema;
  readonly resourceSchemas: { [type: string]: Schema };
  readonly dataSourceSchemas: { [type: string]: Schema };
  readonly listResourceSchemas: { [type: string]: Schema };
  readonly actionSchemas: { [type: string]: ActionSchema };
  readonly functions: { [name: string]: WireFunction };
}

/** Every schema of the provider. */
export function schemasOf(catalog: Catalog): Schemas {
  const { resources, dataSources, actions = [], functions = [] } = catalog;
  return {
    provider: wireSchema(PROVIDER_SCHEMA, { docs: PROVIDER_DOCS, version: 0 }),
    resourceSchemas: Object.fromEntries(
      resources.map((definition) => [definition.type, wireSchema(definition.schema, definition)]),
    ),
    dataSourceSchemas: Object.fromEntries(
      dataSources.map(({ type, schema, docs }) => [type, wireSchema(schema, { docs, version: 0 })]),
    ),
    listResourceSchemas: Object.fromEntries(
      searchable(catalog).map(({ type, search: { filters, docs } }) => [
        type,
        wireSchema(filters, { docs, version: 0 }),
      ]),
    ),
    actionSchemas: Object.fromEntries(
      actions.map(({ type, schema, docs }) => [type, { schema: wireSchema(schema, { docs, version: 0 }) }]),
    ),
    functions: wireFunctions(functions),
  };
}
