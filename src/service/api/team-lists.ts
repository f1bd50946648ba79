import { isRecord } from "../../core/model/shape.ts";
import { isCampaignId, isId } from "./service-path.ts";
import { readNamedList } from "./answer-values.ts";
import { type CallerOptions, read } from "./caller.ts";
import { ServiceError } from "./service-errors.ts";

/** A campaign in the list (Campaign). The fields of `creator` and `senders` are not documented. */
export interface WireCampaign {
  readonly _id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 500;

/** The filters of `GET /campaigns`, without paging; absent fields are not sent. */
export interface CampaignQuery {
  readonly status?: string;
  readonly createdBy?: string;
  readonly sortBy?: "createdAt";
  readonly sortOrder?: "asc" | "desc";
}

/**
 * Reads all matching campaigns (`GET /campaigns`), page by page with `offset` only. Stops at a page shorter than 100, or
 * without new ids. Throws `ServiceError`, also after 500 pages.
 */
export async function listCampaigns(
  options: CallerOptions,
  filter: CampaignQuery,
  signal: AbortSignal,
): Promise<readonly WireCampaign[]> {
  const found = new Map<string, WireCampaign>();
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { version: "v2", ...filter, ...(page === 0 ? {} : { offset: String(page * PAGE_SIZE) }) };
    const { json } = await read(options, { method: "GET", segments: ["campaigns"], query, statuses: {} }, signal);
    const campaigns = readNamedList(json);
    if (campaigns === null) throw new ServiceError("GET /campaigns: the answer is not a list of campaigns");
    const before = found.size;
    for (const campaign of campaigns) found.set(campaign._id, campaign);
    if (campaigns.length < PAGE_SIZE || found.size === before) return [...found.values()];
  }
  throw new ServiceError(`GET /campaigns: the list has more than ${String(MAX_PAGES)} pages`);
}

/** A schedule of a campaign (Resources and their fields, Schedule). */
export interface WireSchedule {
  readonly _id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** `GET /campaigns/{campaignId}/schedules/`, with its trailing slash. Throws `ServiceError`. */
export async function listSchedules(
  options: CallerOptions,
  campaignId: string,
  signal: AbortSignal,
): Promise<readonly WireSchedule[]> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not a campaign id`);
  const { json } = await read(
    options,
    { method: "GET", segments: ["campaigns", campaignId, "schedules", ""], statuses: {} },
    signal,
  );
  const schedules = readNamedList(json);
  if (schedules === null)
    throw new ServiceError(`GET /campaigns/${campaignId}/schedules/: the answer is not a list of schedules`);
  return schedules;
}

/** The warm-up settings of a mailbox: any fields of the two documented field sets (Warm-up settings). */
export type WireWarmupSettings = { readonly [field: string]: unknown };

/** `GET /warmup/{userMailboxId}/settings`. Throws `ServiceError`. */
export async function readWarmupSettings(
  options: CallerOptions,
  mailboxId: string,
  signal: AbortSignal,
): Promise<WireWarmupSettings> {
  if (!isId(mailboxId)) throw new Error(`${JSON.stringify(mailboxId)} is not a mailbox id`);
  const { json } = await read(
    options,
    { method: "GET", segments: ["warmup", mailboxId, "settings"], statuses: {} },
    signal,
  );
  if (!isRecord(json)) throw new ServiceError(`GET /warmup/${mailboxId}/settings: the answer is not an object`);
  return json;
}
