import { checkAttributes, prepareChecks } from "../../../core/model/check.ts";
import { type Catalog, dataSourceOf } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import type { ReadDataSource_Request, ValidateDataResourceConfig_Request } from "../generated/tfplugin6.ts";
import type { Session } from "../provider-session.ts";
import { decodeValue, encodeValue } from "../wire/terraform-values.ts";
import { attributesIn } from "./validate-resource-config.ts";

export async function validateDataResourceConfig(
  catalog: Catalog,
  { typeName, config }: ValidateDataResourceConfig_Request,
) {
  const definition = dataSourceOf(catalog, typeName);
  const attributes = attributesIn(config, definition);
  await prepareChecks(definition, attributes);
  return { diagnostics: checkAttributes(definition, attributes) };
}

export async function readDataSource(session: Session, { typeName, config }: ReadDataSource_Request) {
  const definition = dataSourceOf(session.services.catalog, typeName);
  const { signal } = session.stop;
  const listing = (type: string) => session.type(session.definition(type)).writing.context.live.shown(signal);
  const context = { client: session.service().readClient, signal, listing };
  const { value, diagnostics } = await definition.read(decodeValue(config, definition.schema), context);
  return { state: encodeValue(value as Attributes | null, definition.schema), diagnostics };
}
