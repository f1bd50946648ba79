import { defineDataSource } from "../../core/model/definition.ts";
import type { ReadClient } from "../api/client.ts";
import { bool, number, text } from "./campaign-fields.ts";
import { checkCampaignId } from "./check-campaign-id.ts";

/** The schedules of one campaign (Resources and their fields, Schedule; GET /campaigns/{campaignId}/schedules/). */
export const schedules = defineDataSource<ReadClient>()({
  type: "outreach_schedules",
  docs: "Reads the schedules of a campaign: when it sends.",
  schema: {
    campaign_id: {
      type: "string",
      mode: "required",
      docs: "Id of the campaign.",
      refersTo: { type: "outreach_campaign", yaml: "campaign" },
      check: checkCampaignId,
      examples: ["cam_000001"],
    },
    schedules: {
      type: {
        list: {
          object: {
            id: { type: "string", mode: "computed", docs: "Id of the schedule." },
            name: { type: "string", mode: "computed", docs: "Name of the schedule." },
            seconds_to_wait: { type: "number", mode: "computed", docs: "Seconds between two messages." },
            timezone: { type: "string", mode: "computed", docs: "IANA time zone of the times." },
            start: { type: "string", mode: "computed", docs: "Start of the day's sending, as HH:mm." },
            end: { type: "string", mode: "computed", docs: "End of the day's sending, as HH:mm." },
            weekdays: { type: { list: "number" }, mode: "computed", docs: "Days on which the campaign sends: 1 is Monday, 7 is Sunday." },
            public: { type: "bool", mode: "computed", docs: "Whether other users can use it as a template." },
            team_id: { type: "string", mode: "computed", docs: "Id of the team that owns it." },
            created_by: { type: "string", mode: "computed", docs: "Id of the user who created it." },
            created_at: { type: "string", mode: "computed", docs: "Creation time (ISO 8601, UTC)." },
            deleted_at: { type: "string", mode: "computed", docs: "Deletion time; null if it exists." },
            deleted_by: { type: "string", mode: "computed", docs: "Id of the user who deleted it; null if it exists." },
          },
        },
      },
      mode: "computed",
      docs: "Schedules, in the service's order.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Ids of the schedules, in the same order." },
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
