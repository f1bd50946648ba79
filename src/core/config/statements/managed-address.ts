import { type Address, parseAddress } from "../../model/address.ts";
import type { Catalog } from "../../model/definition.ts";
import { type Result, nearest } from "../../model/diagnostic.ts";

/** Parses the resource address in a statement; null with an error at `path`. */
export function managedAddress(text: string, { resources }: Catalog, path: string): Result<Address | null> {
  const { value, diagnostics } = parseAddress(text);
  if (!value) return { value, diagnostics: diagnostics.map((one) => ({ ...one, path: [path] })) };
  const { mode, type } = value;
  if (mode === "data") {
    const detail = `${text} is a data source, which is read but never recorded.`;
    return invalidAddress(path, "Data source address not allowed", detail, "Use the address of a resource: TYPE.NAME.");
  }
  const types = resources.map((resource) => resource.type);
  if (types.includes(type)) return { value, diagnostics: [] };
  const suggestion = nearest(type, types);
  const hint = suggestion === null ? `Known types: ${types.join(", ")}.` : `Did you mean ${suggestion}?`;
  return invalidAddress(path, "Unknown resource type", `The resource type ${type} does not exist.`, hint);
}

function invalidAddress(path: string, summary: string, detail: string, hint: string): Result<null> {
  return { value: null, diagnostics: [{ code: "address_invalid", severity: "error", summary, detail, hint, path: [path] }] };
}
