import { type Address, parseAddress } from "../../model/address.ts";
import type { Catalog } from "../../model/definition.ts";
import { type Diagnostic, type Result, nearest } from "../../model/diagnostic.ts";

/** Parses the resource address in a statement; null with an error at `path`. */
export function managedAddress(text: string, { resources }: Catalog, path: string): Result<Address | null> {
  const { value, diagnostics } = parseAddress(text);
  if (!value) return { value, diagnostics: diagnostics.map((one) => ({ ...one, path: [path] })) };
  const { mode, type } = value;
  if (mode === "data") {
    const detail = `${text} is a data source, which is read but never recorded.`;
    return invalidAddress(path, {
      summary: "Data source address not allowed",
      detail,
      hint: "Use the address of a resource.",
      ways: [{ kind: "write-address", isKeyed: false }],
    });
  }
  const types = resources.map((resource) => resource.type);
  if (types.includes(type)) return { value, diagnostics: [] };
  const suggestion = nearest(type, types);
  const hint = suggestion === null ? `Known types: ${types.join(", ")}.` : `Did you mean ${suggestion}?`;
  return invalidAddress(path, {
    summary: "Unknown resource type",
    detail: `The resource type ${type} does not exist.`,
    hint,
  });
}

function invalidAddress(path: string, mistake: Pick<Diagnostic, "summary" | "detail" | "hint" | "ways">): Result<null> {
  return { value: null, diagnostics: [{ code: "address_invalid", severity: "error", ...mistake, path: [path] }] };
}
