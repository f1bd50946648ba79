import { attributesOf } from "../../../core/model/attribute.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { answering, wireDiagnostics } from "../diagnostics.ts";
import type { ImportResourceState_Request, ImportResourceState_Response, ProviderDefinition } from "../generated/tfplugin6.ts";
import { NO_PRIVATE_STATE, encodePrivate } from "../private-state.ts";
import type { Handlers } from "../routes.ts";
import type { Session } from "../session.ts";
import { encodeValue } from "../values.ts";

/** Takes over what is live. */
export function importHandlers(session: Session): Pick<Handlers<typeof ProviderDefinition>, "importResourceState"> {
  return {
    importResourceState: (request) =>
      answering<ImportResourceState_Response>(
        () => importOne(session, request),
        (diagnostics) => ({ importedResources: [], diagnostics }),
      ),
  };
}

/** An object of which only the id is known. Terraform reads it next, which fills in what the service shows. */
function importOne(session: Session, { typeName, id }: ImportResourceState_Request) {
  const definition = session.definition(typeName);
  const problem = definition.checkId?.(id);
  if (problem) return { importedResources: [], diagnostics: wireDiagnostics([problem]) };
  const attributes: Attributes = { id };
  const unobserved = attributesOf(definition.schema, "terraform").flatMap(([name, { mode, writeOnly }]) => (mode === "computed" || writeOnly ? [] : [name]));
  return {
    importedResources: [{ typeName, state: encodeValue(attributes, definition.schema), private: encodePrivate({ ...NO_PRIVATE_STATE, unobserved }) }],
    diagnostics: [],
  };
}
