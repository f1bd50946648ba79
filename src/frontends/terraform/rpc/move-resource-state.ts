import { type AnyResource, type Catalog, resourceOf } from "../../../core/model/definition.ts";
import { DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import { isRecord } from "../../../core/model/shape.ts";
import { identitySchema } from "../../../core/plan/identity.ts";
import type { MoveResourceState_Request } from "../generated/tfplugin6.ts";
import { encodePrivate } from "../private-state.ts";
import { encodeValue } from "../wire/terraform-values.ts";
import { importedPrivate } from "./import-resource-state.ts";
import { identityOf } from "./resource-identity.ts";

/** The resource of the provider for any REST API (Mastercard/restapi). Its `id` is the service's. */
const REST_OBJECT = "restapi_object";

/** Takes over an object from a resource of another provider, as an import by its id would. Called before the provider is configured. */
export function moveResourceState(
  catalog: Catalog,
  { sourceTypeName, sourceState, targetTypeName }: MoveResourceState_Request,
) {
  const definition = resourceOf(catalog, targetTypeName);
  const id = definition.list && sourceTypeName === REST_OBJECT ? idIn(sourceState?.json) : null;
  if (id === null) throw cannotMove(definition, sourceTypeName);
  const problem = definition.checkId?.(id);
  if (problem) throw new DiagnosticsError([problem]);
  const attributes = { id };
  return {
    targetState: encodeValue(attributes, definition.schema),
    targetPrivate: encodePrivate(importedPrivate(definition, attributes)),
    targetIdentity: identityOf(identitySchema(definition), attributes),
    diagnostics: [],
  };
}

function idIn(json: Uint8Array | undefined): string | null {
  const state: unknown = JSON.parse(new TextDecoder().decode(json));
  return isRecord(state) && typeof state["id"] === "string" ? state["id"] : null;
}

function cannotMove({ noun, type, list, identity }: AnyResource, source: string): DiagnosticsError {
  return new DiagnosticsError([
    errorOf("cannot_move", `The state of ${source} does not identify the ${noun}`, {
      detail: `A moved block can take over a ${noun} only from a resource whose state has its id: ${REST_OBJECT}.`,
      hint: `Remove the moved block. Release the old resource with a removed block that has destroy = false.`,
      ways: [{ kind: "import", address: null, type, ids: list ? [] : [identity.join("/").toUpperCase()] }],
    }),
  ]);
}
