import { type Attributes, type Value, compareText } from "../../../core/model/value.ts";
import { parseUrl } from "../../../core/model/parse-url.ts";
import type { Block } from "../../../core/config/block.ts";
import { uniqueName } from "../unique-name.ts";
import { type AdoptionInput, type LiveWebhook, campaignIdOf } from "./live-webhook.ts";

const MAX_PART = 40;
const MAX_NAME = 80;
/** Labels of hosts and segments of paths that many webhooks have. */
const COMMON = new Set(
  "api app callback callbacks catch event events hook hooks http in inbound incoming integration integrations listener public receive www webhook webhooks".split(
    " ",
  ),
);
const ADDRESS = /^(?:[\d.]+|\[.*\])$/;
/** Letters, with dots and dashes between words: anything else may be a token. */
const WORDS = /^[A-Za-z]+(?:[-._~][A-Za-z]+)*$/;
const CODE = /^[A-Z]{6,}$/;

/**
 * A name for a webhook, from its own values alone: host, path, event type and campaign. It starts with a letter, and has lower-case
 * letters, digits and dashes only. Several webhooks can have the same.
 */
export function webhookName(
  { target_url: url = null, type, campaign_id: campaignId }: Attributes,
  campaignName: string | null,
): string {
  const { host, path } = urlParts(url);
  const campaign = typeof campaignId === "string" ? slug(campaignName ?? "") || slug(campaignId) : "";
  const parts = [host, path === host ? "" : path, eventPart(type), campaign].filter((part) => part !== "");
  return startingWithLetter(shortened(parts.join("-"), MAX_NAME), "webhook");
}

/** A name for the block of a campaign. */
export function campaignBlockName(name: string, id: string): string {
  return startingWithLetter(slug(name) || slug(id), "campaign");
}

/** Lower-case words joined by dashes; empty for a text without any ASCII letter or digit. */
function slug(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = plain
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .match(/[a-z\d]+/g);
  return shortened((words ?? []).join("-"), MAX_PART);
}

function urlParts(url: Value): { readonly host: string; readonly path: string } {
  const parsed = typeof url === "string" ? parseUrl(url) : null;
  if (parsed === null) return { host: "", path: "" };
  const { hostname, pathname } = parsed;
  const segments = pathname.split("/").map((segment) => segment.replace(/\.[a-z]{2,4}$/, ""));
  const path = segments.findLast(
    (segment) =>
      WORDS.test(segment) && segment.length <= MAX_PART && !CODE.test(segment) && !COMMON.has(segment.toLowerCase()),
  );
  return { host: hostPart(hostname), path: slug(path ?? "") };
}

/** The label that tells most: `crm` of crm.example.com, `zapier` of hooks.zapier.com. */
function hostPart(hostname: string): string {
  if (ADDRESS.test(hostname)) return slug(`host ${hostname}`);
  const labels = hostname.split(".");
  const own = labels.length > 1 ? labels.slice(0, -1) : labels;
  return slug(own.find((label) => !COMMON.has(label)) ?? own[0] ?? "");
}

/** A type that the service does not show is no part of the name. */
function eventPart(type: Value | undefined): string {
  if (type === null) return "all-events";
  return typeof type === "string" ? slug(type) : "";
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf("-", length);
  return text.slice(0, end > length / 2 ? end : length).replace(/-+$/, "");
}

const WORD_OF_YAML = /^(?:null|true|false|yes|no|on|off|y|n|constructor|prototype)$/;

function startingWithLetter(name: string, prefix: string): string {
  return /^[a-z]/.test(name) && !WORD_OF_YAML.test(name)
    ? name
    : [prefix, name].filter((part) => part !== "").join("-");
}

/** The campaigns that webhooks refer to by name. */
export interface CampaignNames {
  /** The name of the block by the id of its campaign. A campaign without a block is referred to by its id. */
  readonly blockOf: ReadonlyMap<string, string>;
  readonly blocks: readonly Block[];
}

/** Looks up by its name each campaign that no other one has. */
export function campaignNames(webhooks: readonly LiveWebhook[], { campaigns, taken }: AdoptionInput): CampaignNames {
  const used = new Set(webhooks.map(({ attributes }) => campaignIdOf(attributes)));
  const counts = new Map<string, number>();
  for (const { name } of campaigns) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = campaigns
    .filter(({ id, name }) => used.has(id) && name !== "" && counts.get(name) === 1)
    .toSorted((a, b) => compareText(a.id, b.id));
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
