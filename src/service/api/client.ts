import type { RetryRule } from "../../core/model/definition.ts";
import type { CallerOptions } from "./caller.ts";
import { type CampaignQuery, type WireCampaign, listCampaigns, plainReads } from "./team-lists.ts";
import { startExport } from "./campaign-exports.ts";
import { unsubscribeLead } from "./leads.ts";
import type { Reservation } from "./pacer.ts";
import { type ListRequest, type NewWebhook, addWebhook, deleteWebhook, listWebhooks } from "./webhook-calls.ts";

/** The service for a plan: without any method that writes. */
export type ReadClient = ReturnType<typeof readClient>;

export function readClient(caller: CallerOptions) {
  let requests = 0;
  const options = { ...caller, onRead: () => void requests++ };
  const campaigns = new Map<string, Promise<readonly WireCampaign[]>>();
  return {
    /** How many reads were sent. */
    requests: () => requests,
    listWebhooks: (expectedIds: ReadonlySet<string>, signal: AbortSignal, request?: Omit<ListRequest, "expectedIds">) =>
      listWebhooks(options, { expectedIds, ...request }, signal),
    /** Reads the pages once per filter and client. */
    campaigns: (filter: CampaignQuery, signal: AbortSignal): Promise<readonly WireCampaign[]> => {
      const key = JSON.stringify(filter);
      const before = campaigns.get(key);
      if (before) return before;
      const reading = listCampaigns(options, filter, signal).catch((error: unknown) => {
        campaigns.delete(key);
        throw error;
      });
      campaigns.set(key, reading);
      return reading;
    },
    /** All campaigns, if they have been read. */
    campaignsRead: () => campaigns.get(JSON.stringify({})) ?? null,
    /** Every campaign that a finished or running request has read, whatever its filter. */
    campaignsSeen: async (): Promise<readonly WireCampaign[]> =>
      (await Promise.allSettled(campaigns.values())).flatMap((read) => (read.status === "fulfilled" ? read.value : [])),
    ...plainReads(options),
  };
}

/** Writes within one reservation of the rate limit. */
export type WriteClient = ReturnType<typeof writeClient>;

function writeClient(options: CallerOptions, slot: Reservation) {
  return {
    addWebhook: (webhook: NewWebhook, signal: AbortSignal, retry?: RetryRule) =>
      addWebhook(options, webhook, { slot, signal, retry }),
    deleteWebhook: (id: string, signal: AbortSignal, retry?: RetryRule) =>
      deleteWebhook(options, id, { slot, signal, retry }),
    unsubscribeLead: (lead: Parameters<typeof unsubscribeLead>[1], signal: AbortSignal, retry?: RetryRule) =>
      unsubscribeLead(options, lead, { slot, signal, retry }),
    startExport: (campaignId: string, signal: AbortSignal, retry?: RetryRule) =>
      startExport(options, campaignId, { slot, signal, retry }),
  };
}

/** Waits for `count` requests that can be sent back to back. Release the unused rest. */
export async function reserveWrites(
  options: CallerOptions,
  count: number,
  signal: AbortSignal,
): Promise<{ readonly client: WriteClient; release(): void }> {
  const slot = await options.pacer.reserve(count, signal);
  return { client: writeClient(options, slot), release: () => slot.release() };
}
