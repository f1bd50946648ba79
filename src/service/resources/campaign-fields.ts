import type { WireCampaign } from "../api/team-lists.ts";
import { fieldReader, readFlag, readId, readText } from "../api/answer-values.ts";

/** The statuses of a campaign (Campaign status). One campaign can be in several at once. */
export const CAMPAIGN_STATUSES = ["running", "paused", "draft", "ended", "archived", "errors"];

/** Every documented field of a campaign except id, name and status. Fields without a documented shape are JSON. */
export const CAMPAIGN_FIELDS = {
  labels: { type: { list: "string" }, mode: "computed", docs: "Labels of the campaign." },
  created_at: { type: "string", mode: "computed", docs: "Creation time (ISO 8601, UTC)." },
  created_by: { type: "string", mode: "computed", docs: "Id of the user who created it." },
  sequence_id: { type: "string", mode: "computed", docs: "Id of its main sequence." },
  schedule_ids: { type: { list: "string" }, mode: "computed", docs: "Ids of its schedules." },
  team_id: { type: "string", mode: "computed", docs: "Id of the team that owns it." },
  has_error: { type: "bool", mode: "computed", docs: "Whether it has errors." },
  errors: { type: { list: "string" }, mode: "computed", docs: "Error messages, for people to read." },
  creator_json: { type: "string", mode: "computed", docs: "Creator as JSON; its fields are not documented." },
  senders_json: { type: "string", mode: "computed", docs: "Senders as JSON; their fields are not documented." },
} as const;

/** Every status that a campaign is in: errors can come on top of another one. */
export function statusesOf({ status, hasError }: WireCampaign): readonly string[] {
  const own = (Array.isArray(status) ? status : [status]).filter((one): one is string => typeof one === "string");
  return readFlag(hasError) === true && !own.includes("errors") ? [...own, "errors"] : own;
}

/** The attributes of a campaign. The fields that cannot be read are added to `unreadable`. */
export function campaignAttributes(wire: WireCampaign, unreadable: Set<string>) {
  const fields = fieldReader(wire, unreadable);
  return {
    id: wire._id,
    name: wire.name,
    status: statusesOf(wire)[0] ?? null,
    labels: fields.list("labels", readText),
    created_at: fields.text("createdAt"),
    created_by: fields.id("createdBy"),
    sequence_id: fields.id("sequenceId"),
    schedule_ids: fields.list("scheduleIds", readId),
    team_id: fields.id("teamId"),
    has_error: fields.flag("hasError") === true,
    errors: fields.list("errors", readText),
    creator_json: json(wire["creator"]),
    senders_json: json(wire["senders"]),
  };
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
