import { EVENT_TYPES, type EventTypeName } from "./event-catalog.ts";
import { fieldsOf } from "./payload.ts";

/** The payload of an example: a JSON object. */
type EventExample = { readonly type: EventTypeName; readonly [field: string]: unknown };

interface Participant {
  readonly address: string;
  readonly name: string;
}

const LEAD: Participant = { address: "ada@example.com", name: "Ada Lovelace" };
const LEADS_COLLEAGUE: Participant = { address: "charles@example.com", name: "Charles Babbage" };
const SENDER: Participant = { address: "grace@northwind.example.com", name: "Grace Hopper" };
const SENDERS_COLLEAGUE: Participant = { address: "alan@northwind.example.com", name: "Alan Turing" };
/** An address without a name. */
const ARCHIVE: Participant = { address: "archive@northwind.example.com", name: "" };

const VALUES: { readonly [field: string]: unknown } = {
  teamId: "tea_000001",
  campaignId: "cam_000001",
  campaignName: "Q3 launch",
  sequenceId: "seq_000001",
  sequenceStep: 0,
  leadId: "lea_000001",
  leadEmail: LEAD.address,
  leadFirstName: "Ada",
  leadLastName: "Lovelace",
  sendUserId: "usr_000001",
  sendUserEmail: SENDER.address,
  sendUserName: SENDER.name,
};

/** Values of the fields that differ between the types of email events. */
const EMAILS: { readonly [Name in EventTypeName]?: { readonly [field: string]: unknown } } = {
  emailsSent: { subject: "Shorter release cycles", to: [LEAD], cc: [SENDERS_COLLEAGUE], bcc: [ARCHIVE] },
  emailsReplied: { subject: "Re: Shorter release cycles", to: [SENDER, SENDERS_COLLEAGUE], cc: [LEADS_COLLEAGUE] },
  emailsBounced: { subject: "Shorter release cycles", to: [LEAD] },
};

/** The fields that a reply of a third party has none of: those of the campaign, the sequence and the lead. */
const OF_CAMPAIGN = /^(campaign|sequence|lead)/;

/**
 * A realistic payload of an event of this type, without `secret`: the same for each call. It has every field that the type can have,
 * except `isThirdPartyReply`, and lists of recipients that are empty.
 */
export function exampleOf(type: EventTypeName): EventExample {
  const index = EVENT_TYPES.findIndex(({ name }) => name === type);
  const values: { readonly [field: string]: unknown } = {
    _id: `act_${padded(index + 1, 6)}`,
    type,
    // One a minute.
    createdAt: `2026-07-01T${padded(8 + Math.floor(index / 60), 2)}:${padded(index % 60, 2)}:00.000Z`,
    ...VALUES,
    subject: "Shorter release cycles",
    ...EMAILS[type],
  };
  return {
    ...Object.fromEntries(fieldsOf(type).flatMap(({ name }) => (name in values ? [[name, values[name]]] : []))),
    type,
  };
}

/** A payload of a reply by someone whose address is not the lead's (section "Third-party reply"), without `secret`. */
export function thirdPartyExample(): EventExample {
  const { cc: _, ...reply } = exampleOf("emailsReplied");
  const fields = Object.entries(reply).filter(([name]) => !OF_CAMPAIGN.test(name));
  return {
    ...Object.fromEntries(fields),
    _id: "act_000100",
    type: "emailsReplied",
    to: [SENDER],
    isThirdPartyReply: true,
  };
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
