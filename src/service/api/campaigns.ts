import { type CallerOptions, read } from "./caller.ts";
import { ServiceError } from "./service-errors.ts";
import { readNamedList } from "./wire-values.ts";

/** A campaign in the list (Campaign). The fields of `creator` and `senders` are not documented. */
export interface WireCampaign {
  readonly _id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 10_000;

/** The filters of `GET /campaigns`, without paging; absent fields are not sent. */
export interface CampaignQuery {
  readonly status?: string;
  readonly createdBy?: string;
  readonly sortBy?: "createdAt";
  readonly sortOrder?: "asc" | "desc";
}

/**
 * Reads all matching campaigns (`GET /campaigns`), page by page with `offset` only. Stops at a page shorter than 100, or
 * without new ids. Throws `ServiceError`.
 */
export async function listCampaigns(options: CallerOptions, filter: CampaignQuery, signal: AbortSignal): Promise<readonly WireCampaign[]> {
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
