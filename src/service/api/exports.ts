import { type CallerOptions, read } from "./caller.ts";
import { ServiceError } from "./service-errors.ts";
import { isCampaignId } from "./service-path.ts";

/** A campaign statistics export as its start returns it (Campaign export). */
export interface WireExport {
  readonly _id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/**
 * `GET /campaigns/{campaignId}/export/start`. A GET that starts something: it is sent once, because several exports of one
 * campaign can run at once. Throws `ServiceError`.
 */
export async function startExport(options: CallerOptions, campaignId: string, signal: AbortSignal): Promise<WireExport> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not the id of a campaign`);
  const { json } = await read(options, { method: "GET", segments: ["campaigns", campaignId, "export", "start"], statuses: {}, attempts: 1 }, signal);
  if (isWireExport(json)) return json;
  throw new ServiceError(`GET /campaigns/${campaignId}/export/start: the answer is not an export; whether one was started is not known`);
}

function isWireExport(value: unknown): value is WireExport {
  return (
    typeof value === "object" && value !== null && "_id" in value && typeof value._id === "string" && "status" in value && typeof value.status === "string"
  );
}
