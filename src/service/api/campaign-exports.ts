import { type CallerOptions, type Sending, type WireOutcome, write } from "./caller.ts";
import { hasId } from "./answer-values.ts";
import { isCampaignId } from "./service-path.ts";

/** A campaign statistics export, as returned by its start (Campaign export). */
export interface WireExport {
  readonly _id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/**
 * `GET /campaigns/{campaignId}/export/start`. A GET that starts something, so it is sent as a write: several exports of one
 * campaign can run at the same time. A 200 counts as success only if it contains the export.
 */
export async function startExport(options: CallerOptions, campaignId: string, sending: Sending): Promise<WireOutcome> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not a campaign id`);
  const outcome = await write(
    options,
    { method: "GET", segments: ["campaigns", campaignId, "export", "start"], statuses: {} },
    sending,
  );
  if (outcome.kind !== "answered" || isWireExport(outcome.json)) return outcome;
  return {
    kind: "unsure",
    cause: `GET /campaigns/${campaignId}/export/start: answered 200 without the export`,
    answered: true,
  };
}

function isWireExport(value: unknown): value is WireExport {
  return hasId(value) && typeof value["status"] === "string";
}
