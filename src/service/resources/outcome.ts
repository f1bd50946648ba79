import type { WriteOutcome } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { WireOutcome } from "../api/caller.ts";
import type { KnownError } from "../api/service-errors.ts";

const HINTS: { readonly [error in KnownError]?: string } = {
  bad_team: "The object belongs to another team than the API key's user. Check the ids, or use that team's key.",
  campaign_not_found: "Check the id of the campaign, and that the API key belongs to the right team.",
  no_key: "Give an API key: api_key, or OUTREACH_API_KEY.",
  wrong_key: "Check the API key (api_key, or OUTREACH_API_KEY): it is not one of this service.",
  key_blocked: "Use the key of another user of the same team.",
  key_without_user: "The service finds no user for this key. Create a key in the integration settings.",
  unauthorized: "Check the API key (api_key, or OUTREACH_API_KEY).",
};

/** Turns what came over the wire into what the engine understands. `goneOn` is the error that says that there is no such object. */
export function writeOutcome(
  wire: WireOutcome,
  {
    returned,
    goneOn,
  }: { readonly returned: (json: unknown) => Attributes & { readonly id: string }; readonly goneOn?: KnownError },
): WriteOutcome {
  switch (wire.kind) {
    case "answered": {
      const attributes = returned(wire.json);
      return { kind: "done", id: attributes.id, returned: attributes };
    }
    case "unsure":
      return wire;
    case "refused": {
      const { known, status } = wire;
      return {
        kind: "refused",
        diagnostic: refusal(wire),
        ...(known !== null && known === goneOn ? { gone: true } : {}),
        ...(status === undefined ? {} : { rejected: status === CONFLICT ? "conflict" : "plain" }),
      };
    }
  }
}

/** The service has an object that excludes the new one. */
const CONFLICT = 409;

/** The diagnostic for a request that was not carried out. */
export function refusal({ known, status, message }: Extract<WireOutcome, { readonly kind: "refused" }>): Diagnostic {
  const hint = known === null ? undefined : HINTS[known];
  const said = { detail: /[.?!]$/.test(message) ? message : `${message}.`, hint };
  if (status === undefined) return errorOf("service_not_reached", "The request was not carried out", said);
  return errorOf(known === null ? "service_rejected" : `service_${known}`, "The service refused the request", said);
}
