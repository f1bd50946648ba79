import type { AnyResource } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { ServiceMark } from "./private-state.ts";
import type { Services } from "./services.ts";

/** The mark of the configured service. Different spellings of its address give the same mark. */
export async function markOf(
  { baseUrl: written, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  { fingerprinter }: Pick<Services, "fingerprinter">,
): Promise<ServiceMark> {
  const baseUrl = new URL(written).href.replace(/\/+$/, "");
  return { baseUrl, key: await fingerprinter(Buffer.from(baseUrl).toString("hex"))(apiKey) };
}

/** What differs between the object's recorded service and the configured one. */
export function serviceChanged(recorded: ServiceMark | null, now: ServiceMark): "nothing" | "address" | "key" {
  if (recorded === null) return "nothing";
  if (recorded.baseUrl !== now.baseUrl) return "address";
  return recorded.key === now.key ? "nothing" : "key";
}

/** An object was recorded at another address than the provider speaks to. */
export function belongsElsewhere({ noun }: Pick<AnyResource, "noun">, id: string, recorded: ServiceMark | null, now: ServiceMark): Diagnostic {
  return {
    code: "service_changed",
    severity: "error",
    summary: `The ${noun} belongs to another service`,
    detail: `${id} was recorded at ${recorded?.baseUrl ?? "another base_url"}, and base_url is ${now.baseUrl} now. An object with that id on this service is a different one.`,
    hint: "Restore base_url. To start over at the new address, remove the resource from the state (terraform state rm) and apply.",
  };
}

/** Another key of the same team sees the same objects. If one is missing, the key may belong to another team. */
export function missingWithAnotherKey({ noun }: Pick<AnyResource, "noun">, id: string): Diagnostic {
  return {
    code: "key_changed",
    severity: "error",
    summary: `The ${noun} is not visible with this API key`,
    detail: `${id} was recorded with another API key, and the list of this key does not show it. It may belong to another team, so it is not treated as deleted.`,
    hint: "Use a key of the team that owns the object. If you are sure that it is gone, remove it from the state (terraform state rm) and apply.",
  };
}
