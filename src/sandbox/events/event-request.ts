import type { Schema } from "../check-schema.ts";

/** At most this many events in one request. */
export const MAX_COUNT = 10_000;

/** Events to record, as `POST /_sandbox/events` and `Sandbox.trigger` take them. */
export type EventRequest = {
  readonly type: string;
  /** The team of an event without a campaign; the first team by default. */
  readonly teamId?: string;
  /** By default, the first running campaign of the team that has the lead, or any lead. */
  readonly campaignId?: string;
  /** The email of a lead of the campaign. By default, the campaign's first lead that is neither unsubscribed nor paused. */
  readonly lead?: string;
  /** The reply comes from an address that is not the lead's (section "Third-party reply"). */
  readonly thirdParty?: boolean;
  /**
   * Fields of the payload to change, by path: `subject`, `to[0].name`. Recipients may be text, as in `Ada <ada@example.com>, alan@example.com`;
   * a step may be text too.
   */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The number of events, 1 to `MAX_COUNT`; 1 by default. */
  readonly count?: number;
};

/** The JSON Schema of `EventRequest`. */
export const EVENT_REQUEST_SCHEMA: Schema = {
  type: "object",
  required: ["type"],
  additionalProperties: false,
  properties: {
    type: { type: "string", minLength: 1, description: "the event type, required" },
    teamId: { type: "string", description: "the team; by default, the campaign's or the first one" },
    campaignId: { type: "string", description: "the campaign; by default, the first running one of the team that has the lead, or any lead" },
    lead: { type: "string", description: "the email of a lead of the campaign; by default, its first one that is neither unsubscribed nor paused" },
    thirdParty: { type: "boolean", description: "whether a reply comes from an address that is not the lead's" },
    set: { type: "object", description: "fields of the payload to change, by path: `subject`, `to[0].name`. Recipients may be text: `Ada <ada@example.com>`" },
    count: { type: "integer", minimum: 1, maximum: MAX_COUNT, description: "the number of events; 1 by default" },
  },
};
