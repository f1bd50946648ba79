import { defineDataSource } from "../../core/model/definition.ts";
import type { Value } from "../../core/model/value.ts";
import type { ReadClient } from "../api/client.ts";
import { webhook } from "./webhook.ts";

/** All live webhooks of the team (GET /hooks), managed or not. */
export const webhooks = defineDataSource<ReadClient>()({
  type: "outreach_webhooks",
  docs: "Reads all live webhooks of the team, managed or not. The service never returns secrets.",
  schema: {
    webhooks: {
      type: {
        list: {
          object: {
            id: { type: "string", mode: "computed", docs: "Id of the webhook." },
            target_url: { type: "string", mode: "computed", docs: "URL that receives the events." },
            type: {
              type: "string",
              mode: "computed",
              docs: "Event type; null for all events, or if the list does not show it.",
            },
            campaign_id: {
              type: "string",
              mode: "computed",
              docs: "Id of the campaign; null for all campaigns, or if the list does not show it.",
            },
            is_first: {
              type: "bool",
              mode: "computed",
              docs: "Whether only the first activity is delivered; null if the list does not show it.",
            },
            automation_id: {
              type: "string",
              mode: "computed",
              docs: "Identifier of a workflow automation; null for none, or if the list does not show it.",
            },
            mark: {
              type: "string",
              mode: "computed",
              docs: "Mark of the create that made it; null for a webhook without one. It is not part of `target_url`.",
            },
            created_at: { type: "string", mode: "computed", docs: "Creation time (ISO 8601, UTC)." },
          },
        },
      },
      mode: "computed",
      docs: "Webhooks, in the service's order.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Ids of the webhooks, in the same order." },
  },

  async read(_config, { listing }) {
    const { objects, warnings = [] } = await listing(webhook.type);
    const all = objects.map(({ id, attributes, mark }) => ({
      id,
      target_url: text(attributes["target_url"]),
      type: text(attributes["type"]),
      campaign_id: text(attributes["campaign_id"]),
      is_first: attributes["is_first"] === undefined ? null : attributes["is_first"] === true,
      automation_id: text(attributes["automation_id"]),
      mark: text(mark),
      created_at: text(attributes["created_at"]),
    }));
    return { value: { webhooks: all, ids: all.map(({ id }) => id) }, diagnostics: warnings };
  },
});

function text(value: Value | undefined): string | null {
  return typeof value === "string" ? value : null;
}
