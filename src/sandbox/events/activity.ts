import type { EventTypeName } from "../../service/events/event-catalog.ts";

/** One activity of a team, ready to be delivered (section "Events"). */
export type Activity = {
  readonly type: EventTypeName;
  readonly teamId: string;
  /** Null: an event without a campaign. Only webhooks for all campaigns receive it. */
  readonly campaignId: string | null;
  /** Null: an event without a lead. */
  readonly leadId: string | null;
  /** The body of its deliveries, except for `secret`. */
  readonly payload: Readonly<Record<string, unknown>>;
};
