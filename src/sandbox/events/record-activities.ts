import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../../service/events/event-catalog.ts";
import type { EventTypeName } from "../../service/events/event-catalog.ts";
import { fieldsOf, groupOf } from "../../service/events/payload.ts";
import type { SandboxChoices } from "../choices.ts";
import { didYouMean } from "../closest.ts";
import type { CampaignRecord, LeadRecord } from "../sandbox-records.ts";
import { isoTime } from "../sandbox-time.ts";
import { newId, noteIds } from "../world.ts";
import type { World, WorldSource } from "../world.ts";
import type { Activity } from "./activity.ts";
import { eventPayload } from "./event-payload.ts";
import type { Payload } from "./event-payload.ts";
import type { EventRequest } from "./event-request.ts";
import { chooseRecords, recordsOfLead } from "./event-records.ts";
import type { EventRecords } from "./event-records.ts";
import { setFields } from "./set-fields.ts";

/** Where activities happen. */
export type ActivitySource = {
  readonly world: World;
  readonly source: WorldSource;
  readonly settings: { readonly choices: Pick<SandboxChoices, "stepIds"> };
};

/**
 * The activities of `request.count` events, oldest first. Behind an event that changes a lead state group comes the group's, with an id of its own
 * (section "Event types", "Lead state groups"). Each error is a sentence without its full stop; with any error, there are no activities.
 */
export function recordActivities(
  { world, source, settings }: ActivitySource,
  request: EventRequest,
): { activities: readonly Activity[]; errors: readonly string[] } {
  const type = EVENT_TYPES.find(({ name }) => name === request.type)?.name;
  if (type === undefined) return { activities: [], errors: [unknownType(request.type)] };
  const records = chooseRecords(world, type, request);
  if ("error" in records) return { activities: [], errors: [records.error] };
  const event = {
    id: "",
    createdAt: isoTime(source.now()),
    thirdParty: request.thirdParty === true,
    hasStepId: hasStepIds(settings),
  };
  const { payload, errors } = setFields(eventPayload(type, records, event), request.set ?? {}, type);
  if (errors.length > 0) return { activities: [], errors };
  const hasId = payload["_id"] !== "";
  if (hasId) noteIds(world, payload);
  const nextId = (): string => newId(world, "act_", source);
  const activities = Array.from({ length: request.count ?? 1 }, () =>
    withGroup(type, records, hasId ? payload : { ...payload, _id: nextId() }, nextId),
  );
  return { activities: activities.flat(), errors };
}

/** The activity of an unsubscription through the API. */
export function unsubscribedActivity(
  { world, source, settings }: ActivitySource,
  campaign: CampaignRecord,
  lead: LeadRecord,
): Activity {
  const records = recordsOfLead(world, campaign, lead);
  const event = {
    id: newId(world, "act_", source),
    createdAt: isoTime(source.now()),
    thirdParty: false,
    hasStepId: hasStepIds(settings),
  };
  return activityOf("emailsUnsubscribed", records, eventPayload("emailsUnsubscribed", records, event));
}

function hasStepIds({ choices }: ActivitySource["settings"]): boolean {
  return choices.stepIds === "shown";
}

function withGroup(
  type: EventTypeName,
  records: EventRecords,
  payload: Payload,
  nextId: () => string,
): readonly Activity[] {
  const own = activityOf(type, records, payload);
  const group = groupOf(type);
  if (group === null || records.lead === null) return [own];
  const names = new Set(fieldsOf(group).map(({ name }) => name));
  const shared = Object.fromEntries(Object.entries(payload).filter(([name]) => names.has(name)));
  return [own, activityOf(group, records, { ...shared, _id: nextId(), type: group })];
}

function activityOf(type: EventTypeName, { teamId, campaign, lead }: EventRecords, payload: Payload): Activity {
  return { type, teamId, campaignId: campaign?._id ?? null, leadId: lead?._id ?? null, payload };
}

function unknownType(type: string): string {
  const removed = REMOVED_EVENT_TYPES.find(({ name }) => name === type);
  if (removed) return `event type ${removed.name} has been removed: ${removed.note}`;
  const shown = /^\w{1,100}$/.test(type) ? type : JSON.stringify(type.slice(0, 100));
  const meant = didYouMean(
    type,
    EVENT_TYPES.map(({ name }) => name),
  );
  return `no event type is named ${shown}${meant === "" ? "; run outreach events to list them" : meant}`;
}
