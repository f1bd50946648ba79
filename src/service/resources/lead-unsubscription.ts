import type { Problem } from "../../core/model/attribute.ts";
import { defineResource } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { WayOut } from "../../core/model/way-out.ts";
import type { WriteClient } from "../api/client.ts";
import type { WireLead } from "../api/leads.ts";
import { canonicalEmail, cleanedEmail, isEmail } from "../api/email-address.ts";
import { fieldReader } from "../api/answer-values.ts";
import { checkCampaignId } from "./check-campaign-id.ts";
import { writeOutcome } from "./outcome.ts";
import { unreadableValues } from "./unreadable.ts";

const TYPE = "outreach_lead_unsubscription";

/**
 * The unsubscription of a lead from a campaign (DELETE /campaigns/{campaignId}/leads/{email}). Irreversible: no documented request
 * undoes it or reads it back, and it is sent once.
 */
export const leadUnsubscription = defineResource<never, WriteClient>()({
  type: TYPE,
  noun: "lead unsubscription",
  plural: "lead unsubscriptions",
  version: 0,
  docs: "Unsubscribes a lead from a campaign. The service documents no way to undo it: if you remove the declaration, it is only forgotten.",
  identity: ["campaign_id", "email"],
  destroy: "forget",
  irreversible: {
    done: { id: null, contact_id: null, is_paused: null, outcome: "unsubscribed" },
    unconfirmed: { id: null, contact_id: null, is_paused: null, outcome: "unconfirmed" },
    gone: { id: null, contact_id: null, is_paused: null, outcome: "not_found" },
    retry: { attribute: "on_not_found", value: "retry" },
  },
  schema: {
    campaign_id: {
      type: "string",
      mode: "required",
      docs: "Campaign to unsubscribe the lead from.",
      refersTo: { type: "outreach_campaign", yaml: "campaign" },
      check: checkCampaignId,
      examples: ["cam_000001"],
    },
    email: {
      type: "string",
      mode: "required",
      docs: "Email address of the lead. Case does not matter, nor does the form of an international address.",
      personal: true,
      canonical: (value) => (typeof value === "string" ? canonicalEmail(value) : value),
      check: checkEmail,
      examples: ["ada@example.com"],
    },
    on_not_found: {
      type: "string",
      mode: "optional-computed",
      default: "warn",
      onChange: "record",
      docs: "Result if the campaign has no such lead. `warn` (default) records it as done with a warning, `ignore` without one. `error` fails. `retry` fails, and every apply tries again until the lead exists.",
      oneOf: ["warn", "ignore", "error", "retry"],
    },
    id: { type: "string", mode: "computed", docs: "Id of the lead; null if not found." },
    contact_id: { type: "string", mode: "computed", docs: "Id of the lead's contact; null if not found." },
    is_paused: { type: "bool", mode: "computed", docs: "Whether the lead is paused; null if not found." },
    outcome: { type: "string", mode: "computed", docs: "`unsubscribed`, `not_found`, or `unconfirmed` if an answer was lost and no retry succeeded." },
  },

  async create({ campaign_id: campaignId, email, on_not_found: onNotFound }, { client, signal, beforeRetry, attempted }) {
    const wire = await client.unsubscribeLead({ campaignId, email }, signal, beforeRetry);
    // After a lost answer it may mean that the earlier attempt was carried out.
    const lacking = !attempted && wire.kind === "refused" && wire.known === "lead_not_found";
    if (lacking && (onNotFound === "warn" || onNotFound === "ignore")) {
      const returned = { id: null, contact_id: null, is_paused: null, outcome: "not_found" };
      return { kind: "done", id: null, returned, warnings: onNotFound === "warn" ? [notFound("warn", campaignId)] : [] };
    }
    if (lacking) return { kind: "refused", diagnostic: notFound(onNotFound === "retry" ? "retry" : "error", campaignId) };
    const unreadable = new Set<string>();
    const outcome = writeOutcome(wire, { returned: (json) => attributesOfWire(json as WireLead, unreadable) });
    return outcome.kind === "done" ? { ...outcome, warnings: unreadableValues("The answer to the unsubscription", unreadable) } : outcome;
  },
});

function attributesOfWire(wire: WireLead, unreadable: Set<string>) {
  const fields = fieldReader(wire, unreadable);
  return { id: wire._id, contact_id: fields.id("contactId"), is_paused: fields.flag("isPaused"), outcome: "unsubscribed" };
}

type Setting = "warn" | "error" | "retry";

const NOT_FOUND_HINTS: { readonly [setting in Setting]: string } = {
  warn: "It is recorded as not_found.",
  error: "Check the address and the campaign.",
  retry: "The next apply tries again. To stop that, remove the lead from the configuration.",
};

const NOT_FOUND_WAYS: { readonly [setting in Setting]: readonly WayOut[] } = {
  warn: [settingOf("retry", "To try again until the lead is there"), settingOf("ignore", "For no warning")],
  error: [settingOf("warn", "For a warning in place of an error")],
  retry: [settingOf("warn", "To record it as not found")],
};

function settingOf(value: string, purpose: string): WayOut {
  return { kind: "set-attribute", address: null, type: TYPE, attribute: "on_not_found", value, purpose };
}

function notFound(setting: Setting, campaignId: string): Diagnostic {
  return {
    code: "lead_not_found",
    severity: setting === "warn" ? "warning" : "error",
    summary: "No such lead in the campaign",
    detail: `The campaign ${campaignId} has no such lead, so there was nothing to unsubscribe.`,
    hint: NOT_FOUND_HINTS[setting],
    ways: NOT_FOUND_WAYS[setting],
    path: ["email"],
  };
}

const MAX_SEARCHED = 1000;

function checkEmail(value: unknown): Problem | undefined {
  if (isEmail(value)) return undefined;
  const text = typeof value === "string" ? value.slice(0, MAX_SEARCHED) : "";
  const isSeveral = /@.*[;,|\s].*@/s.test(text);
  const cleaned = cleanedEmail(text);
  return {
    code: "email_invalid",
    summary: "Invalid email address",
    detail: "The address is not of the form name@host: one @, no white space, brackets or quotes, and a host without empty parts.",
    hint: cleaned !== null ? `Did you mean ${cleaned}?` : isSeveral ? "Write each address as an item of its own." : "Write it as in name@example.com.",
  };
}
