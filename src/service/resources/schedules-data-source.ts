import { defineDataSource } from "../../core/model/definition.ts";
import type { ReadClient } from "../api/client.ts";
import { CAMPAIGN_ID } from "./check-campaign-id.ts";
import { flag, id, number, numbers, readShown, text } from "./shown-fields.ts";
import { unreadableValues } from "./unreadable.ts";

const FIELDS = {
  seconds_to_wait: number("Seconds between sends."),
  timezone: text("IANA time zone of the times."),
  start: text("Daily start time, as HH:mm."),
  end: text("Daily end time, as HH:mm."),
  weekdays: numbers("Active weekdays: 1 is Monday, 7 is Sunday."),
  public: flag("Whether it is available as a template for other users."),
  team_id: id("Id of the team that owns it."),
  created_by: id("Id of the user who created it."),
  created_at: text("Creation time (ISO 8601, UTC)."),
  deleted_at: text("Deletion time; null if it exists."),
  deleted_by: id("Id of the user who deleted it; null if it exists."),
};

/** The schedules of one campaign (Resources and their fields, Schedule; GET /campaigns/{campaignId}/schedules/). */
export const schedules = defineDataSource<ReadClient>()({
  type: "outreach_schedules",
  docs: "Reads the schedules of a campaign.",
  schema: {
    campaign_id: { ...CAMPAIGN_ID, mode: "required", docs: "Id of the campaign." },
    schedules: {
      type: {
        list: {
          object: { id: text("Id of the schedule."), name: text("Name of the schedule."), ...FIELDS },
        },
      },
      mode: "computed",
      docs: "Schedules, in the service's order.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Ids of the schedules, in the same order." },
  },

  async read(config, { client, signal }) {
    const found = await readSchedules(client, config.campaign_id, signal);
    const unreadable = new Set<string>();
    const all = found.map((wire) => ({
      id: wire._id,
      name: wire.name,
      ...readShown(FIELDS, wire, unreadable),
    }));
    const diagnostics = unreadableValues(`The list of schedules of ${config.campaign_id}`, unreadable);
    return { value: { ...config, schedules: all, ids: all.map((one) => one.id) }, diagnostics };
  },
});

/** A campaign that the service does not know is a documented error here. */
export function readSchedules(client: ReadClient, campaignId: string, signal: AbortSignal) {
  return client.list("/campaigns/{campaignId}/schedules/", { campaignId }, signal);
}
