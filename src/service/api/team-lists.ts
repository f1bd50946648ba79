import { isRecord } from "../../core/model/shape.ts";
import { isCampaignId, isId } from "./service-path.ts";
import { type NamedRecord, readNamedList } from "./answer-values.ts";
import { type CallerOptions, read } from "./caller.ts";
import { ServiceError } from "./service-errors.ts";

/** A campaign in the list (Campaign). The fields of `creator` and `senders` are not documented. */
export type WireCampaign = NamedRecord;

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

/** The reads of one answer each. Each throws `ServiceError`. */
export function teamReads(options: CallerOptions) {
  const get = async (segments: readonly string[], signal: AbortSignal): Promise<unknown> =>
    (await read(options, { method: "GET", segments, statuses: {} }, signal)).json;
  const wrong = (segments: readonly string[], what: string) =>
    new ServiceError(`GET /${segments.join("/")}: the answer is not ${what}`);
  const list = async (segments: readonly string[], what: string, signal: AbortSignal) => {
    const records = readNamedList(await get(segments, signal));
    if (records === null) throw wrong(segments, `a list of ${what}`);
    return records;
  };
  return {
    /** `GET /campaigns/{campaignId}/schedules/`, with its trailing slash. */
    schedules: async (campaignId: string, signal: AbortSignal): Promise<readonly NamedRecord[]> => {
      if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not a campaign id`);
      return list(["campaigns", campaignId, "schedules", ""], "schedules", signal);
    },
    /** `GET /warmup/{userMailboxId}/settings`: any fields of the two documented field sets (Warm-up settings). */
    warmupSettings: async (mailboxId: string, signal: AbortSignal): Promise<{ readonly [field: string]: unknown }> => {
      if (!isId(mailboxId)) throw new Error(`${JSON.stringify(mailboxId)} is not a mailbox id`);
      const segments = ["warmup", mailboxId, "settings"];
      const json = await get(segments, signal);
      if (!isRecord(json)) throw wrong(segments, "an object");
      return json;
    },
  };
}
