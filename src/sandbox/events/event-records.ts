import type { EventTypeName } from "../../service/events/event-catalog.ts";
import { subjectOf } from "../../service/events/payload.ts";
import type { CampaignRecord, LeadRecord, UserRecord } from "../sandbox-records.ts";
import { findLead } from "../world.ts";
import type { World } from "../world.ts";
import type { EventRequest } from "./event-request.ts";

/** The records that an event is about. Null: the event has none. */
export type EventRecords = {
  readonly teamId: string;
  readonly campaign: CampaignRecord | null;
  readonly lead: LeadRecord | null;
  readonly sender: UserRecord | null;
};

/** Names at most this many records in a message. */
const MAX_NAMED = 5;

/** Chooses the records of an event of this type. An error is a sentence without its full stop. */
export function chooseRecords(
  world: World,
  type: EventTypeName,
  request: EventRequest,
): EventRecords | { readonly error: string } {
  const subject = subjectOf(type);
  const isThirdParty = request.thirdParty === true;
  if (isThirdParty && type !== "emailsReplied")
    return { error: `only emailsReplied has third-party replies, not ${type}` };
  const named = isThirdParty ? "a third-party reply" : `an event of type ${type}`;
  const hasCampaign = !isThirdParty && (subject === "campaign-lead" || subject === "campaign");
  const hasLead = !isThirdParty && (subject === "campaign-lead" || subject === "lead");
  if (request.campaignId !== undefined && !hasCampaign)
    return { error: `${named} has no campaign: leave out ${request.campaignId}` };
  if (request.lead !== undefined && !hasLead) return { error: `${named} has no lead: leave out ${request.lead}` };
  if (request.teamId !== undefined && !world.teams.has(request.teamId))
    return { error: `team ${request.teamId} does not exist; the teams are ${some([...world.teams.keys()])}` };
  const found = hasCampaign
    ? chooseCampaign(world, request, hasLead)
    : hasLead
      ? chooseLead(world, request)
      : { teamId: teamOf(world, request), campaign: null, lead: null };
  if ("error" in found) return found;
  const hasSender = subject === "campaign-lead" || subject === "sender";
  return { ...found, sender: hasSender ? senderOf(world, found.teamId, found.campaign) : null };
}

/** The records of an event about a lead of a campaign. */
export function recordsOfLead(world: World, campaign: CampaignRecord, lead: LeadRecord): EventRecords {
  return { teamId: campaign.teamId, campaign, lead, sender: senderOf(world, campaign.teamId, campaign) };
}

type Found = Omit<EventRecords, "sender"> | { readonly error: string };

function chooseCampaign(world: World, request: EventRequest, hasLead: boolean): Found {
  const { campaignId, lead: email } = request;
  if (campaignId !== undefined) {
    const campaign = world.campaigns.get(campaignId);
    if (!campaign) return { error: unknownCampaign(world, campaignId) };
    if (request.teamId !== undefined && campaign.teamId !== request.teamId)
      return { error: `campaign ${campaignId} is not of team ${request.teamId}` };
    const lead = hasLead ? leadOf(world, campaign, email) : null;
    return lead !== null && "error" in lead ? lead : { teamId: campaign.teamId, campaign, lead };
  }
  const campaigns = preferredCampaigns(world, request);
  if (!hasLead) {
    const [campaign] = campaigns;
    return campaign
      ? { teamId: campaign.teamId, campaign, lead: null }
      : { error: `${owner(request)} has no campaigns` };
  }
  for (const campaign of campaigns) {
    const lead = leadOf(world, campaign, email);
    if (!("error" in lead)) return { teamId: campaign.teamId, campaign, lead };
  }
  return { error: unknownLead(world, request, campaigns) };
}

function chooseLead(world: World, request: EventRequest): Found {
  const found = chooseCampaign(world, request, true);
  return "error" in found ? found : { ...found, campaign: null };
}

/** Running campaigns first, of the first team first unless the request has a team. */
function preferredCampaigns(world: World, request: EventRequest): readonly CampaignRecord[] {
  const teamId = teamOf(world, request);
  const rank = (campaign: CampaignRecord): number =>
    (campaign.teamId === teamId ? 0 : 2) + (campaign.status === "running" ? 0 : 1);
  const campaigns = [...world.campaigns.values()].filter(
    (campaign) => request.teamId === undefined || campaign.teamId === teamId,
  );
  return campaigns.toSorted((a, b) => rank(a) - rank(b));
}

function teamOf(world: World, { teamId }: EventRequest): string {
  return teamId ?? world.teams.keys().next().value ?? "";
}

function leadOf(
  world: World,
  campaign: CampaignRecord,
  email: string | undefined,
): LeadRecord | { readonly error: string } {
  const leads = [...world.leads.values()].filter(({ campaignId }) => campaignId === campaign._id);
  const [first] = leads;
  if (!first) return { error: `campaign ${campaign._id} has no leads` };
  if (email === undefined)
    return leads.find(({ unsubscribedAt, isPaused }) => unsubscribedAt === null && !isPaused) ?? first;
  const lead = findLead(world, campaign._id, email);
  return (
    lead ?? {
      error: `campaign ${campaign._id} has no lead ${email}; its leads are ${some(leads.map((one) => one.email))}`,
    }
  );
}

/** Names the campaign with this name, because people remember names. */
function unknownCampaign({ campaigns }: World, id: string): string {
  const named = [...campaigns.values()].find(({ name }) => name === id);
  return `campaign ${id} does not exist; ${named ? `did you mean ${named._id}?` : `the campaigns are ${some([...campaigns.keys()])}`}`;
}

function unknownLead(world: World, request: EventRequest, campaigns: readonly CampaignRecord[]): string {
  const ids = new Set(campaigns.map((campaign) => campaign._id));
  const leads = [...world.leads.values()].filter(({ campaignId }) => ids.has(campaignId));
  if (leads.length === 0) return `${owner(request)} has no leads`;
  const ofTeam = request.teamId === undefined ? "" : ` of team ${request.teamId}`;
  return `no campaign${ofTeam} has a lead ${request.lead ?? ""}; the leads are ${some([...new Set(leads.map((lead) => lead.email))])}`;
}

/** Whose records are chosen from, in messages. */
function owner({ teamId }: EventRequest): string {
  return teamId === undefined ? "the sandbox" : `team ${teamId}`;
}

/** The campaign's first sender, else its creator, else the first user of the team who is not blocked. */
function senderOf(world: World, teamId: string, campaign: CampaignRecord | null): UserRecord | null {
  const [first] = campaign?.senders ?? [];
  const ids = [first && "userId" in first ? first.userId : null, campaign?.createdBy];
  const named = ids.flatMap((id) => (typeof id === "string" ? (world.users.get(id) ?? []) : []));
  return named[0] ?? [...world.users.values()].find((user) => user.teamId === teamId && !user.blocked) ?? null;
}

function some(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${String(more)} more` : "");
}
