import { type CallerOptions, read } from "./caller.ts";
import { ServiceError } from "./service-errors.ts";
import { isCampaignId } from "./service-path.ts";
import { readNamedList } from "./wire-values.ts";

/** A schedule of a campaign (Resources and their fields, Schedule). */
export interface WireSchedule {
  readonly _id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** `GET /campaigns/{campaignId}/schedules/`, with its trailing slash. Throws `ServiceError`. */
export async function listSchedules(options: CallerOptions, campaignId: string, signal: AbortSignal): Promise<readonly WireSchedule[]> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not a campaign id`);
  const { json } = await read(options, { method: "GET", segments: ["campaigns", campaignId, "schedules", ""], statuses: {} }, signal);
  const schedules = readNamedList(json);
  if (schedules === null) throw new ServiceError(`GET /campaigns/${campaignId}/schedules/: the answer is not a list of schedules`);
  return schedules;
}
