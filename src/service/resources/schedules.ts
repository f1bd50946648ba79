import { defineDataSource } from "../../core/model/definition.ts";
import type { ReadClient } from "../api/client.ts";
import { bool, number, text } from "./campaign-fields.ts";
import { checkCampaignId } from "./check-campaign-id.ts";

/** The schedules of one campaign (Resources and their fields, Schedule; GET /campaigns/{campaignId}/schedules/). */
export const schedules = defineDataSource<ReadClient>()({
  type: "outreach_schedules",
  docs: "The schedules of a campaign: when it sends.",
  schema: {
    campaign_id: {
      type: "string",
      mode: "required",
      docs: "The campaign's id.",
      refersTo: { type: "outreach_campaign", yaml: "campaign" },
      check: checkCampaignId,
      examples: ["cam_000001"],
    },
    schedules: {
      type: {
        list: {
          object: {
            id: { type: "string", mode: "computed", docs: "The schedule's id." },
            name: { type: "string", mode: "computed", docs: "The schedule's name." },
            seconds_to_wait: { type: "number", mode: "computed", docs: "Seconds between two sends." },
            timezone: { type: "string", mode: "computed", docs: "The IANA time zone that the times are in." },
            start: { type: "string", mode: "computed", docs: "When a day's sending begins, as HH:mm." },
            end: { type: "string", mode: "computed", docs: "When it ends, as HH:mm." },
            weekdays: { type: { list: "number" }, mode: "computed", docs: "The days that it sends on: 1 is Monday, 7 is Sunday." },
            public: { type: "bool", mode: "computed", docs: "Whether other users can take it as a template." },
            team_id: { type: "string", mode: "computed", docs: "The id of the team that owns it." },
            created_by: { type: "string", mode: "computed", docs: "The id of the user who created it." },
            created_at: { type: "string", mode: "computed", docs: "When it was created (ISO 8601, UTC)." },
            deleted_at: { type: "string", mode: "computed", docs: "When it was deleted; null when it is not." },
            deleted_by: { type: "string", mode: "computed", docs: "Who deleted it; null when it is not." },
          },
        },
      },
      mode: "computed",
      docs: "The schedules, in the service's order.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Their ids, in the same order." },
  },

  async read(config, { client, signal }) {
    const found = await client.schedules(config.campaign_id, signal);
    const all = found.map((wire) => ({
      id: wire._id,
      name: wire.name,
      seconds_to_wait: number(wire["secondsToWait"]),
      timezone: text(wire["timezone"]),
      start: text(wire["start"]),
      end: text(wire["end"]),
      weekdays: Array.isArray(wire["weekdays"]) ? wire["weekdays"].filter((day): day is number => typeof day === "number") : [],
      public: bool(wire["public"]),
      team_id: text(wire["teamId"]),
      created_by: text(wire["createdBy"]),
      created_at: text(wire["createdAt"]),
      deleted_at: text(wire["deletedAt"]),
      deleted_by: text(wire["deletedBy"]),
    }));
    return { value: { ...config, schedules: all, ids: all.map(({ id }) => id) }, diagnostics: [] };
  },
});
