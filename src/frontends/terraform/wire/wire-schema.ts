import { type Attribute, type Schema, type Type, attributesOf } from "../../../core/model/attribute.ts";
import {
  type Schema as WireSchema,
  type Schema_Attribute,
  Schema_Object_NestingMode,
  StringKind,
} from "../generated/tfplugin6.ts";

/** The arguments of a provider block. */
export const PROVIDER_SCHEMA = {
  base_url: {
    type: "string",
    mode: "optional",
    docs: "Base address of the service's API, with its path prefix. Default: the environment variable `OUTREACH_BASE_URL`.",
    examples: ["https://api.example.com/api"],
  },
  api_key: {
    type: "string",
    mode: "optional",
    sensitive: true,
    docs: "API key of a user of the team. Default: the environment variable `OUTREACH_API_KEY`.",
  },
  unique_target_url: {
    type: "bool",
    mode: "optional",
    docs: "Whether the service allows one webhook per target URL, as users observed. If true, plans stop before they create a second one. Default: false.",
  },
  mark: {
    type: "bool",
    mode: "optional",
    docs: "Whether each create carries a mark, a random query parameter `outreach` in the target URL, by which the provider decides a lost answer. The state keeps the declared `target_url`. Default: false. Turning it on replaces nothing.",
  },
} as const satisfies Schema;

/** The schema of a provider block, a resource or a data source, as Terraform asks for it. Only a resource has a `noun`. */
export function wireSchema(
  schema: Schema,
  { docs, version, noun }: { readonly docs: string; readonly version: number; readonly noun?: string },
): WireSchema {
  return {
    version,
    block: {
      version,
      attributes: wireAttributes(schema, noun),
      description: docs,
      descriptionKind: StringKind.MARKDOWN,
      deprecated: false,
    },
  };
}

function wireAttributes(schema: Schema, noun?: string): Schema_Attribute[] {
  return attributesOf(schema, "terraform").map(([name, attribute]) => wireAttribute(name, attribute, noun));
}

function wireAttribute(name: string, attribute: Attribute, noun?: string): Schema_Attribute {
  const { type, mode, sensitive, writeOnly } = attribute;
  const nested = typeof type === "object" ? nestedSchema(type) : null;
  return {
    name,
    type: nested === null ? wireType(type) : new Uint8Array(),
    nestedType: nested === null ? undefined : { attributes: wireAttributes(nested.schema), nesting: nested.nesting },
    description: describedAttribute(attribute, allowedWords(attribute), noun),
    descriptionKind: StringKind.MARKDOWN,
    required: mode === "required",
    optional: mode === "optional" || mode === "optional-computed",
    computed: mode === "computed" || mode === "optional-computed",
    sensitive: sensitive ?? false,
    deprecated: false,
    writeOnly: writeOnly !== undefined,
  };
}

/** The description of an attribute: editors show nothing else. */
export function describedAttribute(attribute: Attribute, words: string, noun?: string): string {
  return [attribute.docs, words, noun === undefined ? "" : changeEffect(attribute, noun)]
    .filter((part) => part !== "")
    .join(" ");
}

/** The allowed words as a sentence; empty where the docs explain them. */
export function allowedWords({ docs, oneOf = [] }: Attribute): string {
  return oneOf.every((word) => docs.includes(word)) ? "" : `One of ${oneOf.map((word) => `\`${word}\``).join(", ")}.`;
}

function changeEffect({ docs, mode, writeOnly, onChange }: Attribute, noun: string): string {
  if (mode === "computed" || writeOnly) return "";
  if (onChange === "record") return "Changes in place, without a request.";
  return docs.includes(`replaces the ${noun}`) ? "" : `A change replaces the ${noun}.`;
}

function nestedSchema(
  type: Exclude<Type, string>,
): { readonly schema: Schema; readonly nesting: Schema_Object_NestingMode } | null {
  if ("object" in type) return { schema: type.object, nesting: Schema_Object_NestingMode.SINGLE };
  const { list: element } = type;
  return typeof element === "object" && "object" in element
    ? { schema: element.object, nesting: Schema_Object_NestingMode.LIST }
    : null;
}

/** A type constraint, which Terraform asks for in JSON. */
export function wireType(type: Type): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(typeConstraint(type)));
}

function typeConstraint(type: Type): unknown {
  if (typeof type === "string") return type;
  if ("list" in type) return ["list", typeConstraint(type.list)];
  return [
    "object",
    Object.fromEntries(
      attributesOf(type.object, "terraform").map(([name, attribute]) => [name, typeConstraint(attribute.type)]),
    ),
  ];
}
