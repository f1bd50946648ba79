import { defineDataSource } from "../../core/model/definition.ts";
import type { ReadClient } from "../api/client.ts";
import { text } from "./campaign-fields.ts";
import { webhook } from "./webhook.ts";

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

  async read(_config, { listing }) {
    const { objects } = await listing(webhook.type);
    const all = objects.map(({ id, attributes }) => ({
      id,
      target_url: text(attributes["target_url"]),
      type: text(attributes["type"]),
      campaign_id: text(attributes["campaign_id"]),
      created_at: text(attributes["created_at"]),
    }));
    return { value: { webhooks: all, ids: all.map(({ id }) => id) }, diagnostics: [] };
  },
});
