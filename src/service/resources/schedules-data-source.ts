import { defineDataSource } from "../../core/model/definition.ts";
import type { ReadClient } from "../api/client.ts";
import type { WireSchedule } from "../api/team-lists.ts";
import { fieldReader, readNumber } from "../api/answer-values.ts";
import { checkCampaignId } from "./check-campaign-id.ts";
import { unreadableValues } from "./unreadable.ts";

/** The schedules of one campaign (Resources and their fields, Schedule; GET /campaigns/{campaignId}/schedules/). */
export const schedules = defineDataSource<ReadClient>()({
  type: "outreach_schedules",
  docs: "Reads the schedules of a campaign.",
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
            seconds_to_wait: { type: "number", mode: "computed", docs: "Seconds between sends." },
            timezone: { type: "string", mode: "computed", docs: "IANA time zone of the times." },
            start: { type: "string", mode: "computed", docs: "Daily start time, as HH:mm." },
            end: { type: "string", mode: "computed", docs: "Daily end time, as HH:mm." },
            weekdays: {
              type: { list: "number" },
              mode: "computed",
              docs: "Active weekdays: 1 is Monday, 7 is Sunday.",
            },
            public: { type: "bool", mode: "computed", docs: "Whether it is available as a template for other users." },
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
    const unreadable = new Set<string>();
    const all = found.map((wire) => attributesOfWire(wire, unreadable));
    const diagnostics = unreadableValues(`The list of schedules of ${config.campaign_id}`, unreadable);
    return { value: { ...config, schedules: all, ids: all.map(({ id }) => id) }, diagnostics };
  },
});

function attributesOfWire(wire: WireSchedule, unreadable: Set<string>) {
  const fields = fieldReader(wire, unreadable);
  return {
    id: wire._id,
    name: wire.name,
    seconds_to_wait: fields.number("secondsToWait"),
    timezone: fields.text("timezone"),
    start: fields.text("start"),
    end: fields.text("end"),
    weekdays: fields.list("weekdays", readNumber),
    public: fields.flag("public"),
    team_id: fields.id("teamId"),
    created_by: fields.id("createdBy"),
    created_at: fields.text("createdAt"),
    deleted_at: fields.text("deletedAt"),
    deleted_by: fields.id("deletedBy"),
  };
}
