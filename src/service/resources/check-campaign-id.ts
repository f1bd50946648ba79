import type { Problem } from "../../core/model/attribute.ts";
import type { Value } from "../../core/model/value.ts";
import { isCampaignId } from "../api/service-path.ts";

export function checkCampaignId(value: Value): Problem | undefined {
  if (isCampaignId(value)) return undefined;
  return {
    code: "campaign_id_invalid",
    summary: "Invalid campaign id",
    detail: `${JSON.stringify(value)} is not the id of a campaign.`,
    hint: "Ids of campaigns begin with cam_. To give a campaign by its name, look it up as data (outreach_campaign), and refer to its id.",
  };
}

/** An attribute that is the id of a campaign. */
export const CAMPAIGN_ID = {
  type: "string",
  refersTo: { type: "outreach_campaign", yaml: "campaign" },
  check: checkCampaignId,
  examples: ["cam_000001"],
} as const;
