import type { Catalog } from "../core/model/definition.ts";
import {
  type FunctionMessage,
  type Schema,
  type Schema_Attribute,
  Schema_Object_NestingMode,
  StringKind,
} from "../frontends/terraform/generated/tfplugin6.ts";
import { schemasOf } from "../frontends/terraform/rpc/get-provider-schema.ts";

/** The provider's address in Terraform. */
export const PROVIDER_ADDRESS = "registry.terraform.io/outreach-as-code/outreach";

type Json = { readonly [name: string]: unknown };

interface BlockJson {
  readonly block: { readonly attributes: Json; readonly description: string; readonly description_kind: string };
  readonly version: number;
}

export interface ProviderSchemaJson {
  readonly format_version: string;
  readonly provider_schemas: {
    readonly [PROVIDER_ADDRESS]: {
      readonly data_source_schemas: { readonly [type: string]: BlockJson };
      readonly functions: Json;
      readonly provider: BlockJson;
      readonly resource_schemas: { readonly [type: string]: BlockJson };
    };
  };
}

/** The output of `terraform providers schema -json` for the provider (Terraform 1.11), with sorted keys. */
export function providerSchema(catalog: Catalog): ProviderSchemaJson {
  const { provider, resourceSchemas, dataSourceSchemas, functions } = schemasOf(catalog);
  return {
    format_version: "1.0",
    provider_schemas: {
      [PROVIDER_ADDRESS]: {
        data_source_schemas: mapValues(dataSourceSchemas, schemaJson),
        functions: mapValues(functions, functionJson),
        provider: schemaJson(provider),
        resource_schemas: mapValues(resourceSchemas, schemaJson),
      },
    },
  };
}

function schemaJson({ version, block }: Schema): BlockJson {
  const { attributes, description, descriptionKind } = block ?? {
    attributes: [],
    description: "",
    descriptionKind: StringKind.PLAIN,
  };
  return {
    block: { attributes: attributesJson(attributes), description, description_kind: kind(descriptionKind) },
    version,
  };
}

function attributesJson(attributes: readonly Schema_Attribute[]): Json {
  return mapValues(Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute])), attributeJson);
}

/** Terraform prints only true flags. */
function attributeJson({ type, nestedType, description, descriptionKind, ...flags }: Schema_Attribute): Json {
  const { computed, deprecated, optional, required, sensitive, writeOnly } = flags;
  return {
    ...(computed ? { computed } : {}),
    ...(deprecated ? { deprecated } : {}),
    description,
    description_kind: kind(descriptionKind),
    ...(nestedType
      ? {
          nested_type: {
            attributes: attributesJson(nestedType.attributes),
            nesting_mode: nestingMode(nestedType.nesting),
          },
        }
      : {}),
    ...(optional ? { optional } : {}),
    ...(required ? { required } : {}),
    ...(sensitive ? { sensitive } : {}),
    ...(nestedType ? {} : { type: typeJson(type) }),
    ...(writeOnly ? { write_only: true } : {}),
  };
}

function functionJson({ description, parameters, return: returned, summary }: FunctionMessage): Json {
  return {
    description,
    ...(parameters.length === 0
      ? {}
      : {
          parameters: parameters.map(({ name, description: docs, type }) => ({
            description: docs,
            name,
            type: typeJson(type),
          })),
        }),
    return_type: typeJson(returned?.type ?? new Uint8Array()),
    summary,
  };
}

function typeJson(type: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(type));
}

function kind(stringKind: StringKind): string {
  return stringKind === StringKind.MARKDOWN ? "markdown" : "plain";
}

function nestingMode(mode: Schema_Object_NestingMode): string {
  return mode === Schema_Object_NestingMode.LIST ? "list" : "single";
}

function mapValues<T, J>(
  record: { readonly [name: string]: T },
  convert: (value: T) => J,
): { readonly [name: string]: J } {
  const names = Object.keys(record).toSorted();
  return Object.fromEntries(names.map((name) => [name, convert(record[name] as T)]));
}
