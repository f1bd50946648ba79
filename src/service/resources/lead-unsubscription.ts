import type { Problem } from "../../core/model/attribute.ts";
import { defineResource } from "../../core/model/definition.ts";
import { type Diagnostic, nearest, errorOf } from "../../core/model/diagnostic.ts";
import { durationMs } from "../../core/model/iso-time.ts";
import type { WriteClient } from "../api/client.ts";
import type { WireLead } from "../api/leads.ts";
import { canonicalEmail, cleanedEmail, isEmail } from "../api/email-address.ts";
import { CAMPAIGN_ID } from "./check-campaign-id.ts";
import { writeOutcome } from "./outcome.ts";
import { flag, id, readShown } from "./shown-fields.ts";
import { unreadableValues } from "./unreadable.ts";

const TYPE = "outreach_lead_unsubscription";
const ON_NOT_FOUND = ["watch", "accept", "error"];

const ANSWERED = {
  contact_id: id("Id of the lead's contact; null if not found."),
  is_paused: flag("Whether the lead is paused; null if not found."),
};

/**
 * The unsubscription of a lead from a campaign (DELETE /campaigns/{campaignId}/leads/{email}). Irreversible: no documented request
 * undoes it or reads it back. It is sent once where the campaign has the lead; a watched address that it lacks is looked for again.
 */
export const leadUnsubscription = defineResource<never, WriteClient>()({
  type: TYPE,
  noun: "lead unsubscription",
  plural: "lead unsubscriptions",
  version: 0,
  docs: "Unsubscribes a lead from a campaign, now or as soon as the campaign has the lead. The service documents no way to undo it: if you remove the declaration, nothing is sent.",
  identity: ["campaign_id", "email"],
  destroy: "forget",
  irreversible: {
    done: { id: null, contact_id: null, is_paused: null, outcome: "unsubscribed" },
    unconfirmed: { id: null, contact_id: null, is_paused: null, outcome: "unconfirmed" },
    gone: { id: null, contact_id: null, is_paused: null, outcome: "not_found" },
    watch: { attribute: "on_not_found", value: "watch", interval: "recheck", accept: "accept" },
    reassert: "reassert",
  },
  schema: {
    campaign_id: { ...CAMPAIGN_ID, mode: "required", docs: "Campaign to unsubscribe the lead from." },
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
      default: "watch",
      onChange: "record",
      docs: "What to do if the campaign has no such lead. `watch` (default) looks for the lead again, as often as `recheck` says: that is no failure and no change. `accept` records it as done. `error` fails.",
      oneOf: ON_NOT_FOUND,
      check: checkOnNotFound,
    },
    recheck: {
      type: "string",
      mode: "optional-computed",
      default: "24h",
      onChange: "record",
      docs: "How long a watched lead that was not found rests before outreach looks for it again, as in `30m`, `24h` (default) or `7d`. `0s` looks in each apply. limits.recheck bounds the requests of one run.",
      check: checkRecheck,
      examples: ["24h"],
    },
    reassert: {
      type: "string",
      mode: "optional-computed",
      default: "never",
      onChange: "record",
      docs: "When to send a done unsubscription again, for leads that may have been imported again: `never` (default), or a duration since it was sent, as in `90d`.",
      check: checkReassert,
      examples: ["90d"],
    },
    id: { type: "string", mode: "computed", docs: "Id of the lead; null if not found." },
    ...ANSWERED,
    outcome: {
      type: "string",
      mode: "computed",
      docs: "`unsubscribed`, `not_found`, or `unconfirmed` if an answer was lost and no retry succeeded.",
    },
  },

  async create({ campaign_id: campaignId, email, on_not_found: onNotFound }, { client, signal, retry, attempted }) {
    const wire = await client.unsubscribeLead({ campaignId, email }, signal, retry);
    // After a lost answer it may mean that the earlier attempt was carried out.
    const lacking = !attempted && wire.kind === "refused" && wire.known === "lead_not_found";
    if (lacking && onNotFound !== "error")
      return {
        kind: "done",
        id: null,
        returned: { id: null, contact_id: null, is_paused: null, outcome: "not_found" },
      };
    if (lacking) return { kind: "refused", diagnostic: notFound(campaignId) };
    const unreadable = new Set<string>();
    const outcome = writeOutcome(wire, { returned: (json) => attributesOfWire(json as WireLead, unreadable) });
    return outcome.kind === "done"
      ? { ...outcome, warnings: unreadableValues("The answer to the unsubscription", unreadable) }
      : outcome;
  },
});

function attributesOfWire(wire: WireLead, unreadable: Set<string>) {
  return { id: wire._id, ...readShown(ANSWERED, wire, unreadable), outcome: "unsubscribed" };
}

function notFound(campaignId: string): Diagnostic {
  return errorOf("lead_not_found", "No such lead in the campaign", {
    detail: `The campaign ${campaignId} has no such lead, so there was nothing to unsubscribe.`,
    hint: "Check the address and the campaign.",
    ways: [
      {
        kind: "set-attribute",
        address: null,
        type: TYPE,
        attribute: "on_not_found",
        value: "watch",
        purpose: "To unsubscribe the lead as soon as the campaign has it",
      },
    ],
    path: ["email"],
  });
}

/** What to write in place of the values of earlier versions. */
const RETIRED: { readonly [value: string]: string } = {
  warn: "Use watch, which looks for the lead again, or accept, which records it as done.",
  ignore: "Use accept, which records it as done, or watch, which looks for the lead again.",
  retry: "Use watch, which looks for the lead again without failing.",
};

function checkOnNotFound(value: unknown): Problem | undefined {
  const text = String(value);
  if (ON_NOT_FOUND.includes(text)) return undefined;
  const meant = nearest(text, ON_NOT_FOUND);
  const hint = RETIRED[text] ?? (meant === null ? undefined : `Did you mean ${meant}?`);
  return {
    code: "value_not_allowed",
    summary: "Value not allowed",
    detail: `on_not_found is ${JSON.stringify(value)}, but must be one of ${ON_NOT_FOUND.join(", ")}.`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Longer than this is probably a mistake in the unit. */
const MAX_DURATION_MS = 10 * 365 * 86_400_000;

function checkRecheck(value: unknown): Problem | undefined {
  const ms = durationMs(String(value));
  return ms !== null && ms <= MAX_DURATION_MS ? undefined : durationProblem("recheck", value, "30m, 24h or 7d");
}

function checkReassert(value: unknown): Problem | undefined {
  const ms = durationMs(String(value));
  return value === "never" || (ms !== null && ms > 0 && ms <= MAX_DURATION_MS)
    ? undefined
    : durationProblem("reassert", value, "90d, or never");
}

function durationProblem(name: string, value: unknown, examples: string): Problem {
  return {
    code: "duration_invalid",
    summary: "Invalid duration",
    detail: `${name} is ${JSON.stringify(value)}, which is not a duration of at most ten years.`,
    hint: `Write a number and a unit (s, m, h, d), as in ${examples}.`,
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
    detail:
      "The address is not of the form name@host: one @, no white space, brackets or quotes, and a host without empty parts.",
    hint:
      cleaned !== null
        ? `Did you mean ${cleaned}?`
        : isSeveral
          ? "Write each address as an item of its own."
          : "Write it as in name@example.com.",
  };
}
