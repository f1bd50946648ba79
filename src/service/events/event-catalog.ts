/** One event type of the service (section "Event types"). */
export type EventType = {
  /** The value of a webhook's `type`. */
  readonly name: string;
  /** The specification's category, verbatim. */
  readonly category: string;
  /** When the service sends the event, in one sentence. Where the specification has only the name, it is our reading of the name. */
  readonly description: string;
};

/**
 * Every event type that a webhook can subscribe to, in the specification's order (section "Event types"). Names are unique
 * and not in `REMOVED_EVENT_TYPES`.
 */
export const EVENT_TYPES = [
  { name: "contacted", category: "Lead state groups", description: "A lead was contacted through any channel." },
  { name: "hooked", category: "Lead state groups", description: "A lead opened a message." },
  {
    name: "attracted",
    category: "Lead state groups",
    description: "A lead clicked a link or accepted a network invite.",
  },
  { name: "warmed", category: "Lead state groups", description: "A lead replied." },
  { name: "interested", category: "Lead state groups", description: "A lead was marked interested, in any channel." },
  {
    name: "notInterested",
    category: "Lead state groups",
    description: "A lead was marked not interested, in any channel.",
  },

  { name: "emailsSent", category: "Email", description: "An email was sent to a lead." },
  { name: "emailsOpened", category: "Email", description: "A lead opened an email." },
  { name: "emailsClicked", category: "Email", description: "A lead clicked a link in an email." },
  {
    name: "emailsReplied",
    category: "Email",
    description: "A lead, or a third party in the thread, replied by email.",
  },
  { name: "emailsBounced", category: "Email", description: "An email bounced." },
  { name: "emailsFailed", category: "Email", description: "An email could not be sent." },
  { name: "emailsInterested", category: "Email", description: "A lead was marked interested through email." },
  { name: "emailsNotInterested", category: "Email", description: "A lead was marked not interested through email." },
  { name: "emailsUnsubscribed", category: "Email", description: "A lead unsubscribed through an email." },

  { name: "networkSent", category: "Professional network", description: "A network message was sent." },
  { name: "networkOpened", category: "Professional network", description: "A lead opened a network message." },
  { name: "networkReplied", category: "Professional network", description: "A lead replied to a network message." },
  {
    name: "networkInterested",
    category: "Professional network",
    description: "A lead was marked interested through the network.",
  },
  {
    name: "networkNotInterested",
    category: "Professional network",
    description: "A lead was marked not interested through the network.",
  },
  {
    name: "networkSendFailed",
    category: "Professional network",
    description: "A network message could not be sent.",
  },
  { name: "networkVisitDone", category: "Professional network", description: "A lead's profile was visited." },
  {
    name: "networkVisitFailed",
    category: "Professional network",
    description: "A lead's profile could not be visited.",
  },
  { name: "networkFollowDone", category: "Professional network", description: "A lead's profile was followed." },
  {
    name: "networkFollowFailed",
    category: "Professional network",
    description: "A lead's profile could not be followed.",
  },
  {
    name: "networkFollowSkipped",
    category: "Professional network",
    description: "Following a lead's profile was skipped.",
  },
  { name: "networkInviteDone", category: "Professional network", description: "A network invite was sent." },
  {
    name: "networkInviteFailed",
    category: "Professional network",
    description: "A network invite could not be sent.",
  },
  {
    name: "networkInviteAccepted",
    category: "Professional network",
    description: "A lead accepted a network invite.",
  },
  { name: "networkEndorseDone", category: "Professional network", description: "A lead's skills were endorsed." },
  {
    name: "networkEndorseFailed",
    category: "Professional network",
    description: "A lead's skills could not be endorsed.",
  },
  {
    name: "networkEndorseSkipped",
    category: "Professional network",
    description: "Endorsing a lead's skills was skipped.",
  },
  { name: "networkVoiceNoteDone", category: "Professional network", description: "A voice note was sent." },
  {
    name: "networkVoiceNoteFailed",
    category: "Professional network",
    description: "A voice note could not be sent.",
  },
  {
    name: "networkLikeLastPostDone",
    category: "Professional network",
    description: "A lead's last post was liked.",
  },
  {
    name: "networkLikeLastPostNoPost",
    category: "Professional network",
    description: "A lead has no post to like.",
  },
  {
    name: "networkLikeLastPostFailed",
    category: "Professional network",
    description: "A lead's last post could not be liked.",
  },
  {
    name: "networkWithdrawInvitationDone",
    category: "Professional network",
    description: "A pending network invite was withdrawn.",
  },
  {
    name: "networkWithdrawInvitationFailed",
    category: "Professional network",
    description: "A pending network invite could not be withdrawn.",
  },

  { name: "chatMessageSent", category: "Chat app", description: "A chat message was sent." },
  { name: "chatMessageDelivered", category: "Chat app", description: "A chat message was delivered." },
  { name: "chatMessageOpened", category: "Chat app", description: "A lead opened a chat message." },
  { name: "chatReplied", category: "Chat app", description: "A lead replied by chat." },
  { name: "chatMessageFailed", category: "Chat app", description: "A chat message could not be sent." },

  { name: "smsSent", category: "SMS", description: "A text message was sent." },
  { name: "smsDelivered", category: "SMS", description: "A text message was delivered." },
  { name: "smsReplied", category: "SMS", description: "A lead replied by text message." },
  { name: "smsFailed", category: "SMS", description: "A text message could not be sent." },

  { name: "dialerCreated", category: "Calls", description: "A call was created." },
  { name: "dialerEnded", category: "Calls", description: "A call ended." },
  { name: "dialerDone", category: "Calls", description: "A call task was completed." },
  { name: "dialerInterested", category: "Calls", description: "A lead was marked interested through a call." },
  { name: "dialerNotInterested", category: "Calls", description: "A lead was marked not interested through a call." },
  { name: "callRecordingDone", category: "Calls", description: "A call's recording is ready." },
  { name: "callTranscriptDone", category: "Calls", description: "A call's transcript is ready." },

  { name: "apiDone", category: "API step", description: "An API step was completed." },
  { name: "apiInterested", category: "API step", description: "A lead was marked interested through an API step." },
  {
    name: "apiNotInterested",
    category: "API step",
    description: "A lead was marked not interested through an API step.",
  },
  { name: "apiFailed", category: "API step", description: "An API step failed." },

  { name: "manualInterested", category: "Manual", description: "A lead was marked interested by hand." },
  { name: "manualNotInterested", category: "Manual", description: "A lead was marked not interested by hand." },

  { name: "annotated", category: "Task", description: "A task was annotated." },

  { name: "paused", category: "Workspace", description: "A lead was paused." },
  { name: "resumed", category: "Workspace", description: "A lead was resumed." },
  { name: "stopped", category: "Workspace", description: "A lead was stopped." },
  { name: "campaignComplete", category: "Workspace", description: "A campaign is complete." },
  { name: "customDomainErrors", category: "Workspace", description: "A custom domain has errors." },
  { name: "connectionIssue", category: "Workspace", description: "An email account has a connection issue." },
  { name: "sendLimitReached", category: "Workspace", description: "A daily send limit was reached." },
  { name: "warmupPaused", category: "Workspace", description: "A mailbox's warm-up was paused." },

  { name: "enrichmentDone", category: "Enrichment", description: "An enrichment was completed." },
  { name: "enrichmentError", category: "Enrichment", description: "An enrichment failed." },

  { name: "inboxLabelUpdated", category: "Inbox", description: "A conversation's label was changed." },

  { name: "signalRegistered", category: "Signal agents", description: "A new signal was detected." },

  {
    name: "deliverabilityAlertTriggered",
    category: "Deliverability",
    description: "A deliverability alert was triggered.",
  },
] as const satisfies readonly EventType[];

/** The name of an accepted event type. */
export type EventTypeName = (typeof EVENT_TYPES)[number]["name"];

/** An event type that the service no longer accepts (section "Event types", "Removed event types"). */
type RemovedEventType = {
  readonly name: string;
  /** The event type to use instead; null: none. */
  readonly replacement: EventTypeName | null;
  /** The specification's note about the replacement. */
  readonly note: string;
};

/** Every removed event type with its replacement. */
export const REMOVED_EVENT_TYPES = [
  { name: "skipped", replacement: null, note: "there is no replacement" },
  { name: "emailsSendFailed", replacement: "emailsFailed", note: "use emailsFailed" },
  { name: "opportunitiesDone", replacement: "annotated", note: "use annotated or task-level webhooks" },
] as const satisfies readonly RemovedEventType[];
