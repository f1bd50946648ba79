import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { readCount, refuse, refuseForeign, refuseInput } from "./call.ts";
import type { Call } from "./call.ts";
import { unsubscribedActivity } from "./events/record-activities.ts";
import { CAMPAIGN_STATUSES } from "./sandbox-records.ts";
import type { CampaignRecord, CampaignStatus } from "./sandbox-records.ts";
import { findLead, changeRecord } from "./world.ts";
import { isoTime } from "./sandbox-time.ts";

const MAX_LIMIT = 100;

/** `GET /campaigns` (section "Endpoints"): a JSON array; sorted by `createdAt`, ascending unless `desc`. */
export function listCampaigns(call: Call): Answer {
  const page = readPage(call);
  if (typeof page === "string") return refuseInput(call, page);
  const { status, createdBy, sortOrder } = call.query;
  const found = [...call.world.campaigns.values()].filter(
    (campaign) =>
      campaign.teamId === call.teamId &&
      (status === undefined || statusesOf(campaign).includes(status as CampaignStatus)) &&
      (createdBy === undefined || campaign.createdBy === createdBy),
  );
  found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a._id < b._id ? -1 : 1));
  if (sortOrder === "desc") found.reverse();
  return jsonAnswer(found.slice(page.start, page.start + page.limit).map(campaignObject));
}

/** `GET /campaigns/{campaignId}/schedules/` (section "Endpoints"): a JSON array of Schedule objects. */
export function listSchedules(call: Call): Answer {
  const campaign = ownCampaign(call);
  if ("body" in campaign) return campaign;
  const schedules = campaign.scheduleIds.map((id) => call.world.schedules.get(id));
  return jsonAnswer(schedules.filter((schedule) => schedule !== undefined));
}

/**
 * `DELETE /campaigns/{campaignId}/leads/{email}` (section "Endpoints"). The only documented errors are
 * `Bad team` and `Lead not found`, so an unknown campaign gets the latter. Addresses compare without
 * case; `isPaused` does not change ("operations that change it: not shown"). The first unsubscription of a lead is an `emailsUnsubscribed`.
 */
export function unsubscribeLead(call: Call): Answer {
  const { campaignId = "", email = "" } = call.params;
  const campaign = call.world.campaigns.get(campaignId);
  if (campaign && campaign.teamId !== call.teamId) return refuseForeign(call, "leadNotFound");
  const lead = findLead(call.world, campaignId, email);
  if (!campaign || !lead) return refuse(call, "leadNotFound");
  if (lead.unsubscribedAt !== null && call.settings.choices.repeatedUnsubscribe === "not-found")
    return refuse(call, "leadNotFound");
  if (lead.unsubscribedAt === null) {
    changeRecord(call.world, "leads", lead._id, { unsubscribedAt: isoTime(call.source.now()) });
    call.deliveries.emit(unsubscribedActivity(call, campaign, lead));
  }
  return jsonAnswer({
    email: lead.email,
    _id: lead._id,
    isPaused: lead.isPaused,
    campaignId,
    contactId: lead.contactId,
  });
}

/** The campaign in the path if the caller's team owns it, or the refusal. */
export function ownCampaign(call: Call): CampaignRecord | Answer {
  const campaign = call.world.campaigns.get(call.params["campaignId"] ?? "");
  if (!campaign) return refuse(call, "campaignNotFound");
  return campaign.teamId === call.teamId ? campaign : refuseForeign(call, "campaignNotFound");
}

/** "A campaign can be in more than one status at a time (for example paused with errors)." */
function statusesOf(campaign: CampaignRecord): readonly CampaignStatus[] {
  return [campaign.status, ...campaign.alsoIn, ...(campaign.errors.length > 0 ? (["errors"] as const) : [])];
}

/** The Campaign object, list item of version v2 (section "Campaign"). */
function campaignObject(campaign: CampaignRecord): object {
  const { alsoIn: _, exportOutcome: __, errors, ...shown } = campaign;
  return errors.length > 0 ? { ...shown, hasError: true, errors } : shown;
}

function readPage(call: Call): { start: number; limit: number } | string {
  const { query, settings } = call;
  const { firstPage, overLimit } = settings.choices;
  if (query["version"] !== undefined && query["version"] !== "v2") return "version must be v2";
  if (query["sortBy"] !== undefined && query["sortBy"] !== "createdAt") return "sortBy must be createdAt";
  const { status } = query;
  if (status !== undefined && !(CAMPAIGN_STATUSES as readonly string[]).includes(status))
    return `status must be one of ${CAMPAIGN_STATUSES.join(", ")}`;
  const offset = readCount(query["offset"], 0);
  const page = readCount(query["page"], firstPage);
  const limit = readCount(query["limit"], MAX_LIMIT);
  if (offset === null) return "offset must be a whole number";
  if (page === null || page < firstPage) return `page must be a whole number, ${String(firstPage)} or more`;
  if (limit === null || limit < 1) return "limit must be a whole number, 1 or more";
  if (limit > MAX_LIMIT && overLimit === "refuse") return `limit must be at most ${String(MAX_LIMIT)}`;
  const size = Math.min(limit, MAX_LIMIT);
  return { start: offset + (page - firstPage) * size, limit: size };
}
