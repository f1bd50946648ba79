import { EVENT_TYPES } from "../../service/events/event-catalog.ts";
import type { EventTypeName } from "../../service/events/event-catalog.ts";
import type { UserRecord } from "../sandbox-records.ts";
import type { EventRecords } from "./event-records.ts";
import type { Recipient } from "./recipients.ts";

/** The body of an event without `secret`, in the specification's order of fields. */
export type Payload = Readonly<Record<string, unknown>>;

const EMAIL_TYPES: ReadonlySet<EventTypeName> = new Set(
  EVENT_TYPES.filter(({ category }) => category === "Email").map(({ name }) => name),
);

/**
 * The payload of an event (sections "Payload common fields", "Email recipients", "Third-party reply"). The specification shows no step, and no
 * subject: the step is 0, its id is the sequence's with another prefix, and the subject is the campaign's name.
 */
export function eventPayload(
  type: EventTypeName,
  records: EventRecords,
  event: { readonly id: string; readonly createdAt: string; readonly thirdParty: boolean; readonly hasStepId: boolean },
): Payload {
  const { teamId, campaign, lead, sender } = records;
  return {
    _id: event.id,
    type,
    teamId,
    createdAt: event.createdAt,
    ...(campaign && { campaignId: campaign._id, campaignName: campaign.name }),
    ...(campaign && lead && { sequenceId: campaign.sequenceId, sequenceStep: 0 }),
    ...(campaign && lead && event.hasStepId && { stepId: campaign.sequenceId.replace(/^[a-z]+/, "stp") }),
    ...(lead && {
      leadId: lead._id,
      leadEmail: lead.email,
      leadFirstName: lead.firstName,
      leadLastName: lead.lastName,
    }),
    ...(sender && { sendUserId: sender._id, sendUserEmail: sender.email, sendUserName: sender.name }),
    ...(EMAIL_TYPES.has(type) && { subject: subjectLine(type, campaign?.name ?? "Your message") }),
    ...recipients(type, records),
    ...(event.thirdParty && { isThirdPartyReply: true }),
  };
}

function subjectLine(type: EventTypeName, text: string): string {
  return type === "emailsReplied" ? `Re: ${text}` : text;
}

/** "`to`: for outbound sends, the lead; for inbound replies, the mailbox owner." `bcc`: "only on outbound `emailsSent`". */
function recipients(
  type: EventTypeName,
  { lead, sender }: EventRecords,
): { readonly to?: readonly Recipient[]; readonly bcc?: readonly Recipient[] } {
  const outbound = lead
    ? { to: [{ address: lead.email.toLowerCase(), name: `${lead.firstName} ${lead.lastName}`.trim() }] }
    : {};
  if (type === "emailsReplied")
    return sender ? { to: [{ address: sender.email.toLowerCase(), name: sender.name }] } : {};
  if (type === "emailsBounced") return outbound;
  return type === "emailsSent" ? { ...outbound, ...hiddenRecipients(sender) } : {};
}

function hiddenRecipients(sender: UserRecord | null): { readonly bcc?: readonly Recipient[] } {
  return sender?.hiddenBcc ? { bcc: [{ address: sender.hiddenBcc.toLowerCase(), name: "" }] } : {};
}
