import type { AnyResource } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";

/** An object, or the address for it, is recorded already; `holder` is the address that it is recorded at. */
export function alreadyManaged(
  holder: { readonly address: string; readonly id: string | null },
  wanted: { readonly address: string; readonly id: string },
): Diagnostic {
  const { address, id } = wanted;
  const detail =
    holder.address === address
      ? `${address} is already managed${holder.id === null ? "" : `, with the id ${holder.id}`}.`
      : `${id} is already managed, as ${holder.address}.`;
  return { code: "import_managed", severity: "error", summary: "Resource already managed", detail, hint: "Nothing was changed. Check the address and the id." };
}

export function notLive({ noun }: AnyResource, id: string): Diagnostic {
  return {
    code: "import_not_found",
    severity: "error",
    summary: "Cannot import what does not exist",
    detail: `The service's list holds no ${noun} with the id ${id}.`,
    hint: "Check the id, and that the API key belongs to the right team.",
  };
}

/** An id names another thing than the one that is declared at the address. */
export function otherThanDeclared({ address, id, declared }: { readonly address: string; readonly id: string; readonly declared: string }): Diagnostic {
  return {
    code: "import_differs",
    severity: "error",
    summary: "Not what is declared at this address",
    detail: `${address} declares ${declared}, but the id is ${id}.`,
    hint: "Name the address that declares it.",
  };
}
