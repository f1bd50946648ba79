import type { SecretSource } from "../../core/model/declaration.ts";
import { parseUrl } from "../../core/model/parse-url.ts";
import { type Attributes, isUnknown } from "../../core/model/value.ts";
import { EVENT_TYPES } from "../events/event-catalog.ts";
import { subjectOf } from "../events/payload.ts";

/** What decides which webhooks receive an event. */
export interface DeliveredEvent {
  readonly type: string;
  /** The id of its campaign; null: it has none, or one that no webhook names. A third-party reply has none. */
  readonly campaign: string | null;
  /**
   * Whether it is the first activity. The specification says only "the first activity", and users say "only the first time this activity
   * happened": for a lead, or for the webhook. Here it is first or a repeat in the reading that the service has.
   */
  readonly isFirst: boolean;
}

/** What a webhook selects, and its target. A URL has its canonical form. */
export interface Selection {
  readonly url: string;
  readonly type: string | null;
  readonly campaign: string | null;
  readonly firstOnly: boolean;
}

const SELECTORS = ["target_url", "type", "campaign_id", "is_first"] as const;

/** The selection of a webhook; null if one of its values is unknown. */
export function selectionOf(attributes: Attributes): Selection | null {
  if (unknownSelector(attributes) !== null) return null;
  const { target_url: url = null, type = null, campaign_id: campaign = null, is_first: isFirst = null } = attributes;
  return {
    url: canonical(textOrNull(url) ?? ""),
    type: textOrNull(type),
    campaign: textOrNull(campaign),
    firstOnly: isFirst === true,
  };
}

/** The first attribute that decides about deliveries and is unknown. */
export function unknownSelector(attributes: Attributes): string | null {
  return SELECTORS.find((name) => isUnknown(attributes[name] ?? null)) ?? null;
}

/** Whether the service sends the event to a webhook (section "Events"): by type, campaign and `isFirst`. */
export function isDelivered({ type, campaign, firstOnly }: Selection, event: DeliveredEvent): boolean {
  return (
    (type === null || type === event.type) &&
    (campaign === null || campaign === event.campaign) &&
    (!firstOnly || event.isFirst)
  );
}

/** A webhook that a configuration declares. */
export interface DeclaredWebhook extends Selection {
  readonly address: string;
  /** Where its secret comes from; null: it has none. */
  readonly secret: SecretSource | null;
}

/** One POST for each webhook that matches, in the order of the webhooks. */
export function deliveriesOf<W extends Selection>(webhooks: readonly W[], event: DeliveredEvent): readonly W[] {
  return webhooks.filter((webhook) => isDelivered(webhook, event));
}

export function canonical(url: string): string {
  return parseUrl(url)?.href ?? url;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Whether events of this type have a campaign, in our reading of "non-campaign events" (section "Payload common fields"). */
export function hasCampaign(type: string): boolean {
  const event = EVENT_TYPES.find(({ name }) => name === type);
  return event === undefined || ["campaign", "campaign-lead"].includes(subjectOf(event.name));
}
