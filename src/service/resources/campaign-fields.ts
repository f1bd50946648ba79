import type { WireCampaign } from "../api/team-lists.ts";
import { readFlag } from "../api/answer-values.ts";
import { flag, id, ids, json, readShown, text, texts } from "./shown-fields.ts";

/** The statuses of a campaign (Campaign status). One campaign can be in several at once. */
export const CAMPAIGN_STATUSES = ["running", "paused", "draft", "ended", "archived", "errors"];

/** Every documented field of a campaign except id, name and status. Fields without a documented shape are JSON. */
export const CAMPAIGN_FIELDS = {
  labels: texts("Labels of the campaign."),
  created_at: text("Creation time (ISO 8601, UTC)."),
  created_by: id("Id of the user who created it."),
  sequence_id: id("Id of its main sequence."),
  schedule_ids: ids("Ids of its schedules."),
  team_id: id("Id of the team that owns it."),
  has_error: flag("Whether it has errors."),
  errors: texts("Error messages, for people to read."),
  creator_json: json("Creator as JSON; its fields are not documented."),
  senders_json: json("Senders as JSON; their fields are not documented."),
};

/** Every status that a campaign is in: errors can come on top of another one. */
export function statusesOf({ status, hasError }: WireCampaign): readonly string[] {
  const own = (Array.isArray(status) ? status : [status]).filter((one): one is string => typeof one === "string");
  return readFlag(hasError) === true && !own.includes("errors") ? [...own, "errors"] : own;
}

/** The attributes of a campaign. The fields that cannot be read are added to `unreadable`. */
export function campaignAttributes(wire: WireCampaign, unreadable: Set<string>) {
  const shown = readShown(CAMPAIGN_FIELDS, wire, unreadable);
  const { _id, name } = wire;
  return { id: _id, name, status: statusesOf(wire)[0] ?? null, ...shown, has_error: shown.has_error === true };
}
