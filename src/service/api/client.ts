import type { CallerOptions, Sending, WireOutcome } from "./caller.ts";
import {
  type CampaignQuery,
  type WireCampaign,
  listCampaigns,
  type WireSchedule,
  listSchedules,
  type WireWarmupSettings,
  readWarmupSettings,
} from "./team-lists.ts";
import { startExport } from "./campaign-exports.ts";
import { unsubscribeLead } from "./leads.ts";
import type { Reservation } from "./pacer.ts";
import { type ListRequest, type NewWebhook, type WebhookListing, addWebhook, deleteWebhook, listWebhooks } from "./webhook-calls.ts";

/** The service for a plan: without any method that writes. */
export interface ReadClient {
  listWebhooks(expectedIds: ReadonlySet<string>, signal: AbortSignal, request?: Omit<ListRequest, "expectedIds">): Promise<WebhookListing>;
  /** Reads the pages once per filter and client. */
  campaigns(filter: CampaignQuery, signal: AbortSignal): Promise<readonly WireCampaign[]>;
  /** All campaigns, if they have been read. */
  campaignsRead(): Promise<readonly WireCampaign[]> | null;
  schedules(campaignId: string, signal: AbortSignal): Promise<readonly WireSchedule[]>;
  warmupSettings(mailboxId: string, signal: AbortSignal): Promise<WireWarmupSettings>;
}

/** Writes within one reservation of the rate limit. */
export interface WriteClient {
  addWebhook(webhook: NewWebhook, signal: AbortSignal, beforeRetry?: Sending["beforeRetry"]): Promise<WireOutcome>;
  deleteWebhook(id: string, signal: AbortSignal): Promise<WireOutcome>;
  unsubscribeLead(
    lead: { readonly campaignId: string; readonly email: string },
    signal: AbortSignal,
    beforeRetry?: Sending["beforeRetry"],
  ): Promise<WireOutcome>;
  startExport(campaignId: string, signal: AbortSignal): Promise<WireOutcome>;
}

export function readClient(options: CallerOptions): ReadClient {
  const campaigns = new Map<string, Promise<readonly WireCampaign[]>>();
  return {
    listWebhooks: (expectedIds, signal, request) => listWebhooks(options, { expectedIds, ...request }, signal),
    campaigns: (filter, signal) => {
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
    campaignsRead: () => campaigns.get(JSON.stringify({})) ?? null,
    schedules: (campaignId, signal) => listSchedules(options, campaignId, signal),
    warmupSettings: (mailboxId, signal) => readWarmupSettings(options, mailboxId, signal),
  };
}

/** Waits for `count` requests that can be sent back to back. Release the unused rest. */
export async function reserveWrites(options: CallerOptions, count: number, signal: AbortSignal): Promise<{ readonly client: WriteClient; release(): void }> {
  const slot: Reservation = await options.pacer.reserve(count, signal);
  return {
    client: {
      addWebhook: (webhook, inner, beforeRetry) => addWebhook(options, webhook, { slot, signal: inner, beforeRetry }),
      deleteWebhook: (id, inner) => deleteWebhook(options, id, { slot, signal: inner }),
      unsubscribeLead: (lead, inner, beforeRetry) => unsubscribeLead(options, lead, { slot, signal: inner, beforeRetry }),
      startExport: (campaignId, inner) => startExport(options, campaignId, { slot, signal: inner }),
    },
    release: () => slot.release(),
  };
}
