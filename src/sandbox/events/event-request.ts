import { type Schema, type ValueOf, count, flag, object, text } from "../schema.ts";

/** At most this many events in one request. */
export const MAX_COUNT = 10_000;

const SET: Schema<Readonly<Record<string, unknown>>> = {
  type: "object",
  description:
    "fields of the payload to change, by path: `subject`, `to[0].name`. Recipients may be text: `Ada <ada@example.com>`",
};

/** Events to record, as `POST /_sandbox/events` and `Sandbox.trigger` take them. */
export const EVENT_REQUEST_SCHEMA = object(
  "events to record",
  {
    type: { ...text("the event type, required"), minLength: 1 },
    teamId: text("the team; by default, the campaign's or the first one"),
    campaignId: text("the campaign; by default, the first running one of the team that has the lead, or any lead"),
    lead: text(
      "the email of a lead of the campaign; by default, its first one that is neither unsubscribed nor paused",
    ),
    /** Section "Third-party reply". */
    thirdParty: flag("whether a reply comes from an address that is not the lead's"),
    /** Recipients may be text, as in `Ada <ada@example.com>, alan@example.com`; a step may be text too. */
    set: SET,
    count: { ...count("the number of events; 1 by default", 1), maximum: MAX_COUNT },
  },
  ["type"],
);

type Fields = ValueOf<typeof EVENT_REQUEST_SCHEMA>;
export type EventRequest = Partial<Fields> & Pick<Fields, "type">;
