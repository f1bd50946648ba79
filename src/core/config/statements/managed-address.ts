import { type Address, parseAddress } from "../../model/address.ts";
import type { Catalog } from "../../model/definition.ts";
import { type Result, nearest } from "../../model/diagnostic.ts";

/** The address of something managed, as a statement names it; null with a mistake at `path`. */
export function managedAddress(text: string, { resources }: Catalog, path: string): Result<Address | null> {
  const { value, diagnostics } = parseAddress(text);
  if (!value) return { value, diagnostics: diagnostics.map((one) => ({ ...one, path: [path] })) };
  const { mode, type } = value;
  if (mode === "data") {
    const detail = `${text} is a data source: it is only read, and never recorded.`;
    return mistaken(path, "Data source address not allowed", detail, "Name a resource: TYPE.NAME.");
  }
  const types = resources.map((resource) => resource.type);
  if (types.includes(type)) return { value, diagnostics: [] };
  const meant = nearest(type, types);
  const hint = meant === null ? `Known types: ${types.join(", ")}.` : `Did you mean ${meant}?`;
  return mistaken(path, "Unknown resource type", `There is no resource type ${type}.`, hint);
}

function mistaken(path: string, summary: string, detail: string, hint: string): Result<null> {
  return { value: null, diagnostics: [{ code: "address_invalid", severity: "error", summary, detail, hint, path: [path] }] };
}
