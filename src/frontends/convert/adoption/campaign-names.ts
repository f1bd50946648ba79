import type { Block } from "../../../core/config/block.ts";
import { compareText } from "../../../core/model/value.ts";
import { type AdoptionInput, type LiveWebhook, campaignIdOf } from "./live-webhook.ts";
import { campaignBlockName, uniqueName } from "./webhook-name.ts";

/** The campaigns that webhooks refer to by name. */
export interface CampaignNames {
  /** The name of the block by the id of its campaign. A campaign without a block is referred to by its id. */
  readonly blockOf: ReadonlyMap<string, string>;
  readonly blocks: readonly Block[];
}

/** Looks up by its name each campaign that no other one has. */
export function campaignNames(webhooks: readonly LiveWebhook[], { campaigns, taken }: Pick<AdoptionInput, "campaigns" | "taken">): CampaignNames {
  const used = new Set(webhooks.map(({ attributes }) => campaignIdOf(attributes)));
  const counts = new Map<string, number>();
  for (const { name } of campaigns) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = campaigns.filter(({ id, name }) => used.has(id) && name !== "" && counts.get(name) === 1).toSorted((a, b) => compareText(a.id, b.id));
  const names = new Set(taken.campaigns);
  const blockOf = new Map(named.map(({ id, name }) => [id, uniqueName(campaignBlockName(name, id), names)]));
  const blocks = named.map(({ id, name }): Block => ({
    mode: "data",
    type: "outreach_campaign",
    name: blockOf.get(id) ?? id,
    provider: "outreach",
    arguments: { name: { kind: "literal", value: name } },
    locate: () => undefined,
  }));
  return { blockOf, blocks };
}
