import { attributesOf } from "../../../core/model/attribute.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { answering, wireDiagnostics } from "../diagnostics.ts";
import type { ImportResourceState_Request, ImportResourceState_Response, ProviderDefinition } from "../generated/tfplugin6.ts";
import { parseImportId } from "../import-id.ts";
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

async function importOne(session: Session, { typeName, id }: ImportResourceState_Request) {
  const definition = session.definition(typeName);
  const { value: attributes, diagnostics } = parseImportId(definition, id);
  if (attributes === null) return { importedResources: [], diagnostics: wireDiagnostics(diagnostics) };
  if (definition.list && typeof attributes["id"] === "string") await mustBeTold(session, definition, attributes["id"]);
  const stored = { ...NO_PRIVATE_STATE, unobserved: definition.list ? unobservedIn(definition, attributes) : [] };
  return { importedResources: [{ typeName, state: encodeValue(attributes, definition.schema), private: encodePrivate(stored) }], diagnostics: [] };
}

/**
 * Terraform reads what is imported next, and says so when it is not there. A read that cannot tell would keep it with
 * nothing but its id.
 */
async function mustBeTold(session: Session, definition: AnyResource, id: string): Promise<void> {
  session.connection();
  const { object, complete } = await session.find(definition, id);
  if (object === null && !complete) throw new DiagnosticsError([notTold(definition, id)]);
}

/** What is configured later is recorded without a request, unless the read shows another value. */
function unobservedIn({ schema }: AnyResource, attributes: Attributes): readonly string[] {
  return attributesOf(schema, "terraform").flatMap(([name, { mode, writeOnly }]) => (mode === "computed" || writeOnly || name in attributes ? [] : [name]));
}

function notTold({ noun }: AnyResource, id: string): Diagnostic {
  return {
    code: "list_maybe_truncated",
    severity: "error",
    summary: `The ${noun} may be cut off from the list`,
    detail: `${id} is not in the service's list, but the list ignores paging and its length is a multiple of 10, so there may be more. It cannot be told whether it exists.`,
    hint: "Check the id. Otherwise delete it by other means, and let Terraform create a new one.",
  };
}
