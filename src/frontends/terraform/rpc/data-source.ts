import { checkAttributes, prepareChecks } from "../../../core/model/check.ts";
import type { AnyDataSource, Catalog } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { answering, wireDiagnostics } from "../wire/wire-diagnostics.ts";
import type { ProviderDefinition, ReadDataSource_Request, ReadDataSource_Response } from "../generated/tfplugin6.ts";
import type { Handlers } from "../plugin/grpc.ts";
import type { Session } from "../provider-session.ts";
import { decodeValue, encodeValue } from "../wire/terraform-values.ts";
import { attributesIn } from "./validate-resource-config.ts";

/** Checks and reads data sources. */
export function dataSourceHandlers(session: Session): Pick<Handlers<typeof ProviderDefinition>, "validateDataResourceConfig" | "readDataSource"> {
  return {
    validateDataResourceConfig: ({ typeName, config }) =>
      answering(
        async () => {
          const definition = dataSourceOf(session.services.catalog, typeName);
          const attributes = attributesIn(config, definition);
          await prepareChecks(definition, attributes);
          return { diagnostics: wireDiagnostics(checkAttributes(definition, attributes)) };
        },
        (diagnostics) => ({ diagnostics }),
      ),
    readDataSource: (request) =>
      answering<ReadDataSource_Response>(
        () => readData(session, request),
        (diagnostics) => ({ state: undefined, diagnostics }),
      ),
  };
}

async function readData(session: Session, { typeName, config }: ReadDataSource_Request) {
  const definition = dataSourceOf(session.services.catalog, typeName);
  const { signal } = session.stop;
  const listing = (type: string) => session.type(session.definition(type)).writing.context.live.shown(signal);
  const context = { client: session.service().readClient, signal, listing };
  const { value, diagnostics } = await definition.read(decodeValue(config, definition.schema), context);
  return { state: encodeValue(value as Attributes | null, definition.schema), diagnostics: wireDiagnostics(diagnostics) };
}

function dataSourceOf({ dataSources }: Catalog, type: string): AnyDataSource {
  const found = dataSources.find((definition) => definition.type === type);
  if (!found) throw new Error(`no data source type ${type}`);
  return found;
}
