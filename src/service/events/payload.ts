import { EVENT_TYPES, type EventTypeName } from "./event-catalog.ts";

/**
 * What an event is about, which decides the fields of its payload:
 * - `campaign-lead`: a lead in a campaign, with its sequence and sender
 * - `lead`: a lead, in no campaign
 * - `campaign`: a whole campaign
 * - `sender`: a sender's account
 * - `team`: the team
 *
 * The specification says only that "non-campaign events" exist (section "Payload common fields"). Which ones they are is our reading.
 */
export type EventSubject = "campaign-lead" | "lead" | "campaign" | "sender" | "team";

const OTHER_SUBJECTS: { readonly [Name in EventTypeName]?: EventSubject } = {
  campaignComplete: "campaign",
  customDomainErrors: "team",
  connectionIssue: "sender",
  sendLimitReached: "sender",
  warmupPaused: "sender",
  enrichmentDone: "lead",
  enrichmentError: "lead",
  inboxLabelUpdated: "lead",
  signalRegistered: "lead",
  deliverabilityAlertTriggered: "sender",
};

/** What the events of this type are about. */
export function subjectOf(type: EventTypeName): EventSubject {
  return OTHER_SUBJECTS[type] ?? "campaign-lead";
}

/**
 * The lead state group that an event of this type changes as well (section "Event types", "Lead state groups"). Null: none. The specification
 * describes the groups in words: that the service sends the group's event in addition, and which types belong to `contacted`, is our reading.
 */
export function groupOf(type: EventTypeName): EventTypeName | null {
  if (GROUPS.has(type)) return null;
  if (CONTACTS.has(type)) return "contacted";
  if (type.endsWith("Opened")) return "hooked";
  if (type === "emailsClicked" || type === "networkInviteAccepted") return "attracted";
  if (type.endsWith("Replied")) return "warmed";
  if (type.endsWith("NotInterested")) return "notInterested";
  return type.endsWith("Interested") ? "interested" : null;
}

const CONTACTS: ReadonlySet<EventTypeName> = new Set([
  "emailsSent",
  "networkSent",
  "networkInviteDone",
  "networkVoiceNoteDone",
  "chatMessageSent",
  "smsSent",
  "dialerDone",
]);

const GROUPS = ofCategory("Lead state groups");
const EMAIL_TYPES = ofCategory("Email");
const OTHER_CHANNELS: ReadonlySet<EventTypeName> = new Set(
  ["Professional network", "Chat app", "SMS", "Calls"].flatMap((name) => [...ofCategory(name)]),
);
const RECIPIENT_TYPES: ReadonlySet<EventTypeName> = new Set(["emailsSent", "emailsReplied", "emailsBounced"]);

function ofCategory(name: string): ReadonlySet<EventTypeName> {
  return new Set(EVENT_TYPES.flatMap((type) => (type.category === name ? [type.name] : [])));
}

/** A field of event payloads (sections "Payload common fields", "Email recipients", "Third-party reply"). */
export interface PayloadField {
  readonly name: string;
  /** `recipients`: a list of `{ address, name }`, never empty, with addresses in lower case. */
  readonly form: "id" | "type" | "time" | "text" | "email" | "index" | "recipients" | "flag";
  /** The prefix of an id; absent if the specification shows none. */
  readonly prefix?: string;
  readonly description: string;
  /** Whether every event has it. A receiver needs no other field. */
  readonly isRequired?: true;
  /** Whether the service has been seen to send it, although the specification does not show it. */
  readonly isObserved?: true;
  /** Whether events of this type have it, in our reading. */
  readonly isIn: (type: EventTypeName) => boolean;
  /** Whether the specification says that events of this type never have it. */
  readonly isExcluded?: (type: EventTypeName) => boolean;
}

const always = (): boolean => true;
const about =
  (...subjects: readonly EventSubject[]) =>
  (type: EventTypeName): boolean =>
    subjects.includes(subjectOf(type));
const ofCampaign = about("campaign-lead", "campaign");
const ofStep = about("campaign-lead");
const ofLead = about("campaign-lead", "lead");
const ofSender = about("campaign-lead", "sender");
const withRecipients = (type: EventTypeName): boolean => RECIPIENT_TYPES.has(type);
/** "Email events only": events of the other channels are none. A lead state group stands for events of any channel. */
const ofOtherChannel = (type: EventTypeName): boolean => OTHER_CHANNELS.has(type);
/** "Present only on outbound emailsSent", although emailsBounced is said to carry it too. */
const withoutHidden = (type: EventTypeName): boolean =>
  type !== "emailsSent" && type !== "emailsBounced" && !GROUPS.has(type);

/** Every field that the specification shows, in its order, and `stepId`. Fields of single types other than email events: not shown. */
export const PAYLOAD_FIELDS: readonly PayloadField[] = [
  {
    name: "_id",
    form: "id",
    prefix: "act_",
    description: "The activity's id. In our reading, every delivery of an event has the same one.",
    isRequired: true,
    isIn: always,
  },
  { name: "type", form: "type", description: "The event type.", isRequired: true, isIn: always },
  { name: "teamId", form: "id", prefix: "tea_", description: "The owning team.", isIn: always },
  { name: "createdAt", form: "time", description: "When the activity happened.", isIn: always },
  {
    name: "campaignId",
    form: "id",
    prefix: "cam_",
    description: "The source campaign. Absent for events without a campaign.",
    isIn: ofCampaign,
  },
  { name: "campaignName", form: "text", description: "The campaign's name.", isIn: ofCampaign },
  { name: "sequenceId", form: "id", description: "The sequence of the task.", isIn: ofStep },
  { name: "sequenceStep", form: "index", description: "The index of the step in its sequence, from 0.", isIn: ofStep },
  {
    name: "stepId",
    form: "id",
    description:
      "The step, also after the steps of its sequence were reordered. Observed: the service's document does not show it.",
    isObserved: true,
    isIn: ofStep,
  },
  { name: "leadId", form: "id", prefix: "lea_", description: "The lead.", isIn: ofLead },
  { name: "leadEmail", form: "email", description: "The lead's address.", isIn: ofLead },
  { name: "leadFirstName", form: "text", description: "The lead's first name.", isIn: ofLead },
  { name: "leadLastName", form: "text", description: "The lead's last name.", isIn: ofLead },
  { name: "sendUserId", form: "id", prefix: "usr_", description: "The sender.", isIn: ofSender },
  { name: "sendUserEmail", form: "email", description: "The sender's address.", isIn: ofSender },
  { name: "sendUserName", form: "text", description: "The sender's name.", isIn: ofSender },
  {
    name: "subject",
    form: "text",
    description: "The subject of the email.",
    isIn: (type) => EMAIL_TYPES.has(type),
    isExcluded: ofOtherChannel,
  },
  {
    name: "to",
    form: "recipients",
    description:
      "For an outbound email the lead, for a reply the mailbox's owner and any other recipients. Absent if empty.",
    isIn: withRecipients,
  },
  { name: "cc", form: "recipients", description: "Recipients in copy. Absent if empty.", isIn: withRecipients },
  {
    name: "bcc",
    form: "recipients",
    description: "The sender's hidden recipients, if the sender has set one.",
    isIn: (type) => type === "emailsSent",
    isExcluded: withoutHidden,
  },
  {
    name: "isThirdPartyReply",
    form: "flag",
    description:
      "`true`: the reply comes from an address that is not the lead's. The event then has no campaign, lead or sequence.",
    isIn: (type) => type === "emailsReplied",
  },
  { name: "secret", form: "text", description: "The webhook's secret, if it has one.", isIn: always },
];

/** The fields that events of this type have in our reading, in the specification's order. */
export function fieldsOf(type: EventTypeName): readonly PayloadField[] {
  return PAYLOAD_FIELDS.filter(({ isIn }) => isIn(type));
}
