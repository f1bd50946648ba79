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

/** The ids in a path, by their names there. */
type Ids = { readonly [name: string]: string };

/** Reads of one answer: `GET` of a path such as `/campaigns/{campaignId}/schedules/`. Each throws `ServiceError`. */
export function plainReads(options: CallerOptions) {
  async function get(path: string, ids: Ids, signal: AbortSignal) {
    const [, ...parts] = path.split("/");
    const segments = parts.map((part) => (part.startsWith("{") ? idIn(part.slice(1, -1), ids) : part));
    const { json } = await read(options, { method: "GET", segments, statuses: {} }, signal);
    return { json, wrong: (what: string) => new ServiceError(`GET /${segments.join("/")}: the answer is not ${what}`) };
  }
  return {
    /** A list of objects with an id and a name each. */
    list: async (path: string, ids: Ids, signal: AbortSignal) => {
      const { json, wrong } = await get(path, ids, signal);
      const records = readNamedList(json);
      if (records === null) throw wrong(`a list of ${path.split("/").findLast((part) => part !== "") ?? ""}`);
      return records;
    },
    object: async (path: string, ids: Ids, signal: AbortSignal) => {
      const { json, wrong } = await get(path, ids, signal);
      if (!isRecord(json)) throw wrong("an object");
      return json;
    },
  };
}

/** Throws before anything is sent for what would be no id in the path. */
function idIn(name: string, ids: Ids): string {
  const id = ids[name];
  if (isId(id) && (name !== "campaignId" || isCampaignId(id))) return id;
  throw new Error(`${JSON.stringify(id)} is not a ${name.replace("Id", " id")}`);
}
