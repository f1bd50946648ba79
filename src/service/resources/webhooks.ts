import { defineDataSource } from "../../core/model/definition.ts";
import type { ReadClient } from "../api/client.ts";

/** All live webhooks of the team (GET /hooks), whoever made them. */
export const webhooks = defineDataSource<ReadClient>()({
  type: "outreach_webhooks",
  docs: "All live webhooks of the team, whoever made them. The service does not show secrets.",
  schema: {
    webhooks: {
      type: {
        list: {
          object: {
            id: { type: "string", mode: "computed", docs: "The webhook's id." },
            target_url: { type: "string", mode: "computed", docs: "The address that receives the events." },
            type: { type: "string", mode: "computed", docs: "The event type; null for all events, or where the list does not show it." },
            campaign_id: { type: "string", mode: "computed", docs: "The campaign; null for all campaigns, or where the list does not show it." },
            created_at: { type: "string", mode: "computed", docs: "When it was created (ISO 8601, UTC)." },
          },
        },
      },
      mode: "computed",
      docs: "The webhooks, in the service's order.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Their ids, in the same order." },
  },

  async read(_config, { client, signal }) {
    const { webhooks: live } = await client.listWebhooks(new Set(), signal);
    const all = live.map((wire) => ({
      id: wire._id,
      target_url: wire.targetUrl,
      type: wire.type ?? null,
      campaign_id: wire.campaignId ?? null,
      created_at: wire.createdAt ?? null,
    }));
    return { value: { webhooks: all, ids: all.map(({ id }) => id) }, diagnostics: [] };
  },
});
