import type { Attributes } from "../../../core/model/value.ts";
import { answering, wireDiagnostics } from "../diagnostics.ts";
import type { ProviderDefinition, ReadDataSource_Request, ReadDataSource_Response } from "../generated/tfplugin6.ts";
import type { Handlers } from "../routes.ts";
import type { Session } from "../session.ts";
import { decodeValue, encodeValue } from "../values.ts";
import { dataSourceOf } from "./validate.ts";

/** Reads data sources. */
export function dataHandlers(session: Session): Pick<Handlers<typeof ProviderDefinition>, "readDataSource"> {
  return {
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
  const listing = (type: string) => session.writeContext(session.definition(type)).live.shown(signal);
  const context = { client: session.connection().readClient, signal, listing };
  const { value, diagnostics } = await definition.read(decodeValue(config, definition.schema), context);
  return { state: encodeValue(value as Attributes | null, definition.schema), diagnostics: wireDiagnostics(diagnostics) };
}
