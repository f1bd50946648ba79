import { attributesOf } from "../../../core/model/attribute.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { answering, wireDiagnostics } from "../diagnostics.ts";
import type { ImportResourceState_Request, ImportResourceState_Response, ProviderDefinition } from "../generated/tfplugin6.ts";
import { parseImportId } from "../import-id.ts";
import { NO_PRIVATE_STATE, type PrivateState, encodePrivate } from "../private-state.ts";
import type { Handlers } from "../routes.ts";
import type { Session } from "../session.ts";
import type { Recorded } from "../type-session.ts";
import { encodeValue } from "../values.ts";

/** Imports live objects. */
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
  if (definition.list && typeof attributes["id"] === "string") await requireDecided(session, definition, { id: attributes["id"], attributes });
  const unobserved = definition.list ? unobservedIn(definition, attributes) : [];
  const stored: PrivateState = { ...NO_PRIVATE_STATE, unobserved, ...(unobserved.length > 0 ? { imported: "unread" } : {}) };
  return { importedResources: [{ typeName, state: encodeValue(attributes, definition.schema), private: encodePrivate(stored) }], diagnostics: [] };
}

/**
 * Terraform reads an imported object next and reports a missing one. If the list may be truncated, that read would keep an
 * object that has only an id.
 */
async function requireDecided(session: Session, definition: AnyResource, imported: Recorded): Promise<void> {
  session.connection();
  const { object, isMissing } = await session.find(definition, imported);
  if (object === null && !isMissing) throw new DiagnosticsError([existenceUnknown(definition, imported.id)]);
}

/** Attributes without a value. Values that are configured with the import are recorded without a request, unless the read shows another value. */
function unobservedIn({ schema }: AnyResource, attributes: Attributes): readonly string[] {
  return attributesOf(schema, "terraform").flatMap(([name, { mode, writeOnly }]) => (mode === "computed" || writeOnly || name in attributes ? [] : [name]));
}

function existenceUnknown({ noun }: AnyResource, id: string): Diagnostic {
  return {
    code: "list_maybe_truncated",
    severity: "error",
    summary: `The ${noun} is not in a list that may be truncated`,
    detail: `${id} is not in the service's list. The list may be truncated, so it does not prove that the ${noun} is gone. Whether the ${noun} exists is not known.`,
    hint: "Check the id. If it is right, delete the object by other means, and let Terraform create a new one.",
    ways: [{ kind: "check-list" }],
  };
}
