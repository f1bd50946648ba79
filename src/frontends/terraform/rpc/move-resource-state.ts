import { type Catalog, resourceOf } from "../../../core/model/definition.ts";
import { DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import type { MoveResourceState_Request } from "../generated/tfplugin6.ts";

/** Refuses a `moved` block from a resource of another type or provider: an import shows what is taken over. Called before the provider is configured. */
export function moveResourceState(
  catalog: Catalog,
  { sourceTypeName, targetTypeName }: MoveResourceState_Request,
): never {
  const { noun, type, list, identity } = resourceOf(catalog, targetTypeName);
  throw new DiagnosticsError([
    errorOf("cannot_move", `A ${noun} cannot be moved from ${sourceTypeName}`, {
      detail: "A moved block takes over no object from a resource of another type or provider.",
      hint: "Remove the moved block. Release the old resource with a removed block that has destroy = false.",
      ways: [{ kind: "import", address: null, type, ids: list ? [] : [identity.join("/").toUpperCase()] }],
    }),
  ]);
}
