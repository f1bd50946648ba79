import { checkAttributes } from "../../../core/model/check.ts";
import type { AnyResource, Catalog, LiveObject, SearchDefinition } from "../../../core/model/definition.ts";
import { type Diagnostic, warningOf } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { visible } from "../../../core/model/visible.ts";
import { sameMeaning } from "../../../core/model/attribute.ts";
import { identitySchema } from "../../../core/plan/identity.ts";
import { mayBeTruncated } from "../../../core/plan/missing.ts";
import { diagnosticsOf, wireDiagnostics } from "../wire/wire-diagnostics.ts";
import type {
  ListResource_Event,
  ListResource_Request,
  ValidateListResourceConfig_Request,
} from "../generated/tfplugin6.ts";
import type { Session } from "../provider-session.ts";
import { decodeValue, encodeValue } from "../wire/terraform-values.ts";
import { notShown } from "./generate-resource-config.ts";
import { identityOf } from "./resource-identity.ts";

type Searchable = AnyResource & { readonly search: SearchDefinition };

export function validateListResourceConfig(catalog: Catalog, { typeName, config }: ValidateListResourceConfig_Request) {
  const { filters } = searchableOf(catalog, typeName).search;
  return { diagnostics: checkAttributes({ type: typeName, schema: filters }, decodeValue(config, filters) ?? {}) };
}

/** Live objects for `terraform query` (Terraform 1.14 and later). */
export async function* listResource(
  session: Session,
  request: ListResource_Request,
): AsyncGenerator<ListResource_Event> {
  try {
    yield* search(session, searchableOf(session.services.catalog, request.typeName), request);
  } catch (error) {
    yield withoutObject(diagnosticsOf(error));
  }
}

/** The types that support search. */
export function searchable({ resources }: Catalog): readonly Searchable[] {
  return resources.filter((definition): definition is Searchable => definition.search !== undefined);
}

function searchableOf(catalog: Catalog, type: string): Searchable {
  const found = searchable(catalog).find((definition) => definition.type === type);
  if (!found) throw new Error(`no list resource type ${type}`);
  return found;
}

/** Searches the list that all reads share. A limit of 0 means no limit. */
async function* search(
  session: Session,
  definition: Searchable,
  { config, includeResourceObject, limit }: ListResource_Request,
): AsyncGenerator<ListResource_Event> {
  const { schema, search: searching } = definition;
  const wanted = decodeValue(config, searching.filters) ?? {};
  const listing = await session.type(definition).writing.context.live.get(session.stop.signal);
  const { objects } = listing;
  const warnings = [
    ...(mayBeTruncated(definition, listing, []) ? [maybeMore(definition)] : []),
    ...unseenFilters(definition, wanted, objects),
  ];
  const all = objects.filter((object) => hasAll(definition, wanted, object));
  const found = limit > 0 ? all.slice(0, limit) : all;
  const said = [...warnings, ...(includeResourceObject ? notShown(definition, found) : [])];
  if (said.length > 0) yield withoutObject(said);
  for (const { id, attributes } of found) {
    const whole = { ...attributes, id };
    yield {
      identity: identityOf(identitySchema(definition), whole),
      displayName: visible(searching.title(whole)),
      ...(includeResourceObject ? { resourceObject: encodeValue(whole, schema) } : {}),
      diagnostic: [],
    };
  }
}

function withoutObject(diagnostics: readonly Diagnostic[]): ListResource_Event {
  return { displayName: "", diagnostic: wireDiagnostics(diagnostics) };
}

function hasAll({ schema, search: { filters } }: Searchable, wanted: Attributes, { attributes }: LiveObject): boolean {
  return Object.keys(filters).every((name) => {
    const [value, seen, attribute] = [wanted[name] ?? null, attributes[name], schema[name]];
    return value === null || (seen !== undefined && attribute !== undefined && sameMeaning(attribute, seen, value));
  });
}

/** Warns about filters on attributes that the list shows for no object: an empty result would be misleading. */
function unseenFilters(
  { noun, search: { filters } }: Searchable,
  wanted: Attributes,
  objects: readonly LiveObject[],
): readonly Diagnostic[] {
  if (objects.length === 0) return [];
  return Object.keys(filters).flatMap((name): readonly Diagnostic[] => {
    if ((wanted[name] ?? null) === null || objects.some(({ attributes }) => attributes[name] !== undefined)) return [];
    return [
      warningOf("filter_unobserved", "The list does not show a filtered attribute", {
        detail: `The service's list shows no ${name} of any ${noun}, so the filter finds none.`,
        hint: `Leave ${name} out.`,
        path: [name],
      }),
    ];
  });
}

function maybeMore({ noun }: AnyResource): Diagnostic {
  return warningOf("list_maybe_truncated", "The list may be truncated", {
    detail: `The service's list may be truncated: its length may be the most that it ever shows, or it has lacked something before. A ${noun} that the search does not find may exist anyway.`,
    ways: [{ kind: "check-list" }],
  });
}
