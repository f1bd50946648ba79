import type { WireCampaign } from "../api/campaigns.ts";

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
  return hasError === true && !own.includes("errors") ? [...own, "errors"] : own;
}

export function campaignAttributes(wire: WireCampaign) {
  return {
    id: wire._id,
    name: wire.name,
    status: statusesOf(wire)[0] ?? null,
    labels: texts(wire["labels"]),
    created_at: text(wire["createdAt"]),
    created_by: text(wire["createdBy"]),
    sequence_id: text(wire["sequenceId"]),
    schedule_ids: texts(wire["scheduleIds"]),
    team_id: text(wire["teamId"]),
    has_error: wire["hasError"] === true,
    errors: texts(wire["errors"]),
    creator_json: json(wire["creator"]),
    senders_json: json(wire["senders"]),
  };
}

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

export function bool(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
