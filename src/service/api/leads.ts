import { type CallerOptions, type WireOutcome, write } from "./caller.ts";
import type { Reservation } from "./pacing.ts";
import { isCampaignId, isEmail } from "./service-path.ts";

/** A lead as its unsubscription returns it (Lead). */
export interface WireLead {
  readonly _id: string;
  readonly email: string;
  readonly isPaused?: boolean;
  readonly campaignId?: string;
  readonly contactId?: string;
}

/**
 * `DELETE /campaigns/{campaignId}/leads/{email}`: removes a lead from a campaign, which nothing undoes. A 200 is a yes only
 * with the lead of this address in it.
 */
export async function unsubscribeLead(
  options: CallerOptions,
  { campaignId, email }: { readonly campaignId: string; readonly email: string },
  sending: { readonly slot: Reservation; readonly signal: AbortSignal },
): Promise<WireOutcome> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not the id of a campaign`);
  if (!isEmail(email)) throw new Error("the address of a lead is not safe in a path");
  const outcome = await write(
    options,
    { method: "DELETE", segments: ["campaigns", campaignId, "leads", email], shown: `DELETE /campaigns/${campaignId}/leads/…`, statuses: {} },
    sending,
  );
  if (outcome.kind !== "answered" || isLeadOf(outcome.json, email)) return outcome;
  return { kind: "unsure", cause: `DELETE /campaigns/${campaignId}/leads/…: answered 200 without the lead`, answered: true };
}

function isLeadOf(value: unknown, email: string): value is WireLead {
  if (typeof value !== "object" || value === null || !("_id" in value) || typeof value._id !== "string" || value._id === "") return false;
  return "email" in value && typeof value.email === "string" && value.email.toLowerCase() === email.toLowerCase();
}
