import type { Schema } from "../../core/model/attribute.ts";
import { defineDataSource } from "../../core/model/definition.ts";
import type { Attributes, Value } from "../../core/model/value.ts";
import type { ReadClient } from "../api/client.ts";
import { webhook } from "./webhook.ts";

/** What the list shows of a webhook: its mark, and attributes of the resource. */
const SHOWN: { readonly [A in keyof typeof webhook.schema | "mark"]?: string } = {
  id: "Id of the webhook.",
  target_url: "URL that receives the events.",
  type: "Event type; null for all events, or if the list does not show it.",
  campaign_id: "Id of the campaign; null for all campaigns, or if the list does not show it.",
  is_first: "Whether only the first activity is delivered; null if the list does not show it.",
  automation_id: "Identifier of a workflow automation; null for none, or if the list does not show it.",
  mark: "Mark of the create that made it; null for a webhook without one. It is not part of `target_url`.",
  created_at: "Creation time (ISO 8601, UTC).",
};

/** All live webhooks of the team (GET /hooks), managed or not. */
export const webhooks = defineDataSource<ReadClient>()({
  type: "outreach_webhooks",
  docs: "Reads all live webhooks of the team, managed or not. The service never returns secrets.",
  schema: {
    webhooks: {
      type: { list: { object: shownSchema() } },
      mode: "computed",
      docs: "Webhooks, in the service's order.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Ids of the webhooks, in the same order." },
  },

  async read(_config, { listing }) {
    const { objects, warnings = [] } = await listing(webhook.type);
    const all = objects.map(({ id, attributes, mark }) => {
      const values: Attributes = { ...attributes, id, mark: mark ?? null };
      return Object.fromEntries(Object.keys(SHOWN).map((name) => [name, plain(values[name])]));
    });
    return { value: { webhooks: all, ids: objects.map(({ id }) => id) }, diagnostics: warnings };
  },
});

function shownSchema(): Schema {
  const { schema }: { readonly schema: Schema } = webhook;
  return Object.fromEntries(
    Object.entries(SHOWN).map(([name, docs]) => [
      name,
      { type: schema[name]?.type ?? "string", mode: "computed", docs },
    ]),
  );
}

/** Every shown value is one of these. */
function plain(value: Value | undefined): string | boolean | null {
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}
