import type { EventTypeName } from "../../service/events/event-catalog.ts";
import type { World } from "../world.ts";
import type { Activity } from "./activity.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import type { EventRequest } from "./event-request.ts";
import { recordActivities, type ActivitySource } from "./record-activities.ts";

/** The recorded events of a request, and their deliveries. */
export type Triggered = {
  /** All recorded events, those of lead state groups included, in the order of their recording. */
  readonly events: readonly TriggeredEvent[];
  /** How many deliveries the sandbox has not finished, those of other events included. */
  readonly unfinished: number;
  /** Why no webhook receives the first event, as a sentence without its full stop; null if one does. */
  readonly unmatched: string | null;
};

/** A recorded event. */
export type TriggeredEvent = {
  readonly _id: string;
  readonly type: EventTypeName;
  /** The ids of its deliveries, in the log of deliveries. */
  readonly deliveries: readonly number[];
  /** The ids of webhooks that match, but whose host the settings do not allow. */
  readonly skipped: readonly string[];
};

/** Records the events of a request, and delivers them. With any error, nothing is recorded. */
export function triggerEvents(
  place: ActivitySource & { readonly deliveries: Pick<Deliveries, "emit" | "unfinished"> },
  request: EventRequest,
): { triggered: Triggered; errors: readonly string[] } {
  const { activities, errors } = recordActivities(place, request);
  const events = activities.map((activity) => {
    const { deliveries, skipped } = place.deliveries.emit(activity);
    return { _id: String(activity.payload["_id"]), type: activity.type, deliveries, skipped };
  });
  const [first] = activities;
  const isReceived = events[0] === undefined || events[0].deliveries.length + events[0].skipped.length > 0;
  const unmatched = first && !isReceived ? whyUnmatched(place.world, first) : null;
  return { triggered: { events, unfinished: place.deliveries.unfinished, unmatched }, errors };
}

/** By the webhooks of the team: none, other types, other campaigns, disabled; all others are for first activities. */
function whyUnmatched({ webhooks }: World, { teamId, type, campaignId }: Activity): string {
  const own = [...webhooks.values()].filter((webhook) => webhook.teamId === teamId);
  if (own.length === 0) return `team ${teamId} has no webhooks`;
  const ofType = own.filter((webhook) => webhook.type === null || webhook.type === type);
  if (ofType.length === 0) return `no webhook of team ${teamId} is for ${type}`;
  const ofCampaign = ofType.filter((webhook) => webhook.campaignId === null || webhook.campaignId === campaignId);
  if (ofCampaign.length === 0)
    return campaignId === null
      ? `the webhooks for ${type} are for single campaigns, and this event has none`
      : `the webhooks for ${type} are for other campaigns than ${campaignId}`;
  if (ofCampaign.every(({ disabledAt }) => disabledAt !== null))
    return `the webhooks for ${type} are disabled, because their receiver answered 410`;
  return `the webhooks for ${type} receive only first activities, and this is not the first one`;
}
