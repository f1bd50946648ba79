import { type CallerOptions, type Sending, type WireOutcome, write } from "./caller.ts";
import { canonicalEmail, isEmail } from "./email-address.ts";
import { isCampaignId } from "./service-path.ts";
import { hasId } from "./answer-values.ts";

/** A lead, as returned by its unsubscription (Lead). */
export interface WireLead {
  readonly _id: string;
  readonly email: string;
  readonly [field: string]: unknown;
}

/**
 * `DELETE /campaigns/{campaignId}/leads/{email}`: removes a lead from a campaign, irreversibly. A 200 counts as success
 * only if it contains the lead with this address.
 */
export async function unsubscribeLead(
  options: CallerOptions,
  { campaignId, email }: { readonly campaignId: string; readonly email: string },
  sending: Sending,
): Promise<WireOutcome> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not a campaign id`);
  if (!isEmail(email)) throw new Error("the lead's address is not safe in a path");
  const outcome = await write(
    options,
    {
      method: "DELETE",
      segments: ["campaigns", campaignId, "leads", email],
      label: `DELETE /campaigns/${campaignId}/leads/…`,
      statuses: {},
    },
    sending,
  );
  if (outcome.kind !== "answered" || isLeadOf(outcome.json, email)) return outcome;
  return {
    kind: "unsure",
    cause: `DELETE /campaigns/${campaignId}/leads/…: answered 200 without the lead`,
    answered: true,
  };
}

function isLeadOf(value: unknown, email: string): value is WireLead {
  return hasId(value) && typeof value["email"] === "string" && canonicalEmail(value["email"]) === canonicalEmail(email);
}
