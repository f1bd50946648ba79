// made from the event catalogue

/** A recipient of an email. */
export interface Recipient {
  /** The address in lower case. */
  readonly address: string;
  /** The name. Can be empty. */
  readonly name: string;
}

/** The fields of every event. Only `_id` and `type` are always there. */
export interface EventFields {
  /** The event type. */
  readonly type: string;
  /** The activity's id. In our reading, every delivery of an event has the same one. The id starts with `act_`. */
  readonly _id: string;
  /** The owning team. The id starts with `tea_`. */
  readonly teamId?: string;
  /** When the activity happened. An ISO 8601 time. */
  readonly createdAt?: string;
  /** The source campaign. Absent for events without a campaign. The id starts with `cam_`. */
  readonly campaignId?: string;
  /** The campaign's name. */
  readonly campaignName?: string;
  /** The sequence of the task. */
  readonly sequenceId?: string;
  /** The index of the step in its sequence, from 0. */
  readonly sequenceStep?: number;
  /** The step, also after the steps of its sequence were reordered. Observed: the service's document does not show it. */
  readonly stepId?: string;
  /** The lead. The id starts with `lea_`. */
  readonly leadId?: string;
  /** The lead's address. */
  readonly leadEmail?: string;
  /** The lead's first name. */
  readonly leadFirstName?: string;
  /** The lead's last name. */
  readonly leadLastName?: string;
  /** The sender. The id starts with `usr_`. */
  readonly sendUserId?: string;
  /** The sender's address. */
  readonly sendUserEmail?: string;
  /** The sender's name. */
  readonly sendUserName?: string;
}

/** `contacted`: A lead was contacted through any channel. */
export interface ContactedEvent extends EventFields {
  /** The event type. */
  readonly type: "contacted";
}

/** `hooked`: A lead opened a message. */
export interface HookedEvent extends EventFields {
  /** The event type. */
  readonly type: "hooked";
}

/** `attracted`: A lead clicked a link or accepted a network invite. */
export interface AttractedEvent extends EventFields {
  /** The event type. */
  readonly type: "attracted";
}

/** `warmed`: A lead replied. */
export interface WarmedEvent extends EventFields {
  /** The event type. */
  readonly type: "warmed";
}

/** `interested`: A lead was marked interested, in any channel. */
export interface InterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "interested";
}

/** `notInterested`: A lead was marked not interested, in any channel. */
export interface NotInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "notInterested";
}

/** `emailsSent`: An email was sent to a lead. */
export interface EmailsSentEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsSent";
  /** The subject of the email. */
  readonly subject?: string;
  /** For an outbound email the lead, for a reply the mailbox's owner and any other recipients. Absent if empty. */
  readonly to?: readonly Recipient[];
  /** Recipients in copy. Absent if empty. */
  readonly cc?: readonly Recipient[];
  /** The sender's hidden recipients, if the sender has set one. */
  readonly bcc?: readonly Recipient[];
}

/** `emailsOpened`: A lead opened an email. */
export interface EmailsOpenedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsOpened";
  /** The subject of the email. */
  readonly subject?: string;
}

/** `emailsClicked`: A lead clicked a link in an email. */
export interface EmailsClickedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsClicked";
  /** The subject of the email. */
  readonly subject?: string;
}

/** `emailsReplied`: A lead replied by email. */
export interface LeadReplyEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsReplied";
  /** The subject of the email. */
  readonly subject?: string;
  /** For an outbound email the lead, for a reply the mailbox's owner and any other recipients. Absent if empty. */
  readonly to?: readonly Recipient[];
  /** Recipients in copy. Absent if empty. */
  readonly cc?: readonly Recipient[];
  /** Absent or false: this is a lead's reply. */
  readonly isThirdPartyReply?: false;
}

/** `emailsReplied`: A third party in the thread replied, from an address that is not the lead's. */
export interface ThirdPartyReplyEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsReplied";
  /** The subject of the email. */
  readonly subject?: string;
  /** For an outbound email the lead, for a reply the mailbox's owner and any other recipients. Absent if empty. */
  readonly to?: readonly Recipient[];
  /** Recipients in copy. Absent if empty. */
  readonly cc?: readonly Recipient[];
  /** `true`: the reply comes from an address that is not the lead's. The event then has no campaign, lead or sequence. */
  readonly isThirdPartyReply: true;
  /** Not in third-party replies. */
  readonly campaignId?: never;
  /** Not in third-party replies. */
  readonly leadId?: never;
  /** Not in third-party replies. */
  readonly sequenceId?: never;
}

/** `emailsReplied`: A lead, or a third party in the thread, replied by email. `isThirdPartyReply` tells the two apart. */
export type EmailsRepliedEvent = LeadReplyEvent | ThirdPartyReplyEvent;

/** `emailsBounced`: An email bounced. */
export interface EmailsBouncedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsBounced";
  /** The subject of the email. */
  readonly subject?: string;
  /** For an outbound email the lead, for a reply the mailbox's owner and any other recipients. Absent if empty. */
  readonly to?: readonly Recipient[];
  /** Recipients in copy. Absent if empty. */
  readonly cc?: readonly Recipient[];
}

/** `emailsFailed`: An email could not be sent. */
export interface EmailsFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsFailed";
  /** The subject of the email. */
  readonly subject?: string;
}

/** `emailsInterested`: A lead was marked interested through email. */
export interface EmailsInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsInterested";
  /** The subject of the email. */
  readonly subject?: string;
}

/** `emailsNotInterested`: A lead was marked not interested through email. */
export interface EmailsNotInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsNotInterested";
  /** The subject of the email. */
  readonly subject?: string;
}

/** `emailsUnsubscribed`: A lead unsubscribed through an email. */
export interface EmailsUnsubscribedEvent extends EventFields {
  /** The event type. */
  readonly type: "emailsUnsubscribed";
  /** The subject of the email. */
  readonly subject?: string;
}

/** `networkSent`: A network message was sent. */
export interface NetworkSentEvent extends EventFields {
  /** The event type. */
  readonly type: "networkSent";
}

/** `networkOpened`: A lead opened a network message. */
export interface NetworkOpenedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkOpened";
}

/** `networkReplied`: A lead replied to a network message. */
export interface NetworkRepliedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkReplied";
}

/** `networkInterested`: A lead was marked interested through the network. */
export interface NetworkInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkInterested";
}

/** `networkNotInterested`: A lead was marked not interested through the network. */
export interface NetworkNotInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkNotInterested";
}

/** `networkSendFailed`: A network message could not be sent. */
export interface NetworkSendFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkSendFailed";
}

/** `networkVisitDone`: A lead's profile was visited. */
export interface NetworkVisitDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkVisitDone";
}

/** `networkVisitFailed`: A lead's profile could not be visited. */
export interface NetworkVisitFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkVisitFailed";
}

/** `networkFollowDone`: A lead's profile was followed. */
export interface NetworkFollowDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkFollowDone";
}

/** `networkFollowFailed`: A lead's profile could not be followed. */
export interface NetworkFollowFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkFollowFailed";
}

/** `networkFollowSkipped`: Following a lead's profile was skipped. */
export interface NetworkFollowSkippedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkFollowSkipped";
}

/** `networkInviteDone`: A network invite was sent. */
export interface NetworkInviteDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkInviteDone";
}

/** `networkInviteFailed`: A network invite could not be sent. */
export interface NetworkInviteFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkInviteFailed";
}

/** `networkInviteAccepted`: A lead accepted a network invite. */
export interface NetworkInviteAcceptedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkInviteAccepted";
}

/** `networkEndorseDone`: A lead's skills were endorsed. */
export interface NetworkEndorseDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkEndorseDone";
}

/** `networkEndorseFailed`: A lead's skills could not be endorsed. */
export interface NetworkEndorseFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkEndorseFailed";
}

/** `networkEndorseSkipped`: Endorsing a lead's skills was skipped. */
export interface NetworkEndorseSkippedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkEndorseSkipped";
}

/** `networkVoiceNoteDone`: A voice note was sent. */
export interface NetworkVoiceNoteDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkVoiceNoteDone";
}

/** `networkVoiceNoteFailed`: A voice note could not be sent. */
export interface NetworkVoiceNoteFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkVoiceNoteFailed";
}

/** `networkLikeLastPostDone`: A lead's last post was liked. */
export interface NetworkLikeLastPostDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkLikeLastPostDone";
}

/** `networkLikeLastPostNoPost`: A lead has no post to like. */
export interface NetworkLikeLastPostNoPostEvent extends EventFields {
  /** The event type. */
  readonly type: "networkLikeLastPostNoPost";
}

/** `networkLikeLastPostFailed`: A lead's last post could not be liked. */
export interface NetworkLikeLastPostFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkLikeLastPostFailed";
}

/** `networkWithdrawInvitationDone`: A pending network invite was withdrawn. */
export interface NetworkWithdrawInvitationDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "networkWithdrawInvitationDone";
}

/** `networkWithdrawInvitationFailed`: A pending network invite could not be withdrawn. */
export interface NetworkWithdrawInvitationFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "networkWithdrawInvitationFailed";
}

/** `chatMessageSent`: A chat message was sent. */
export interface ChatMessageSentEvent extends EventFields {
  /** The event type. */
  readonly type: "chatMessageSent";
}

/** `chatMessageDelivered`: A chat message was delivered. */
export interface ChatMessageDeliveredEvent extends EventFields {
  /** The event type. */
  readonly type: "chatMessageDelivered";
}

/** `chatMessageOpened`: A lead opened a chat message. */
export interface ChatMessageOpenedEvent extends EventFields {
  /** The event type. */
  readonly type: "chatMessageOpened";
}

/** `chatReplied`: A lead replied by chat. */
export interface ChatRepliedEvent extends EventFields {
  /** The event type. */
  readonly type: "chatReplied";
}

/** `chatMessageFailed`: A chat message could not be sent. */
export interface ChatMessageFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "chatMessageFailed";
}

/** `smsSent`: A text message was sent. */
export interface SmsSentEvent extends EventFields {
  /** The event type. */
  readonly type: "smsSent";
}

/** `smsDelivered`: A text message was delivered. */
export interface SmsDeliveredEvent extends EventFields {
  /** The event type. */
  readonly type: "smsDelivered";
}

/** `smsReplied`: A lead replied by text message. */
export interface SmsRepliedEvent extends EventFields {
  /** The event type. */
  readonly type: "smsReplied";
}

/** `smsFailed`: A text message could not be sent. */
export interface SmsFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "smsFailed";
}

/** `dialerCreated`: A call was created. */
export interface DialerCreatedEvent extends EventFields {
  /** The event type. */
  readonly type: "dialerCreated";
}

/** `dialerEnded`: A call ended. */
export interface DialerEndedEvent extends EventFields {
  /** The event type. */
  readonly type: "dialerEnded";
}

/** `dialerDone`: A call task was completed. */
export interface DialerDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "dialerDone";
}

/** `dialerInterested`: A lead was marked interested through a call. */
export interface DialerInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "dialerInterested";
}

/** `dialerNotInterested`: A lead was marked not interested through a call. */
export interface DialerNotInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "dialerNotInterested";
}

/** `callRecordingDone`: A call's recording is ready. */
export interface CallRecordingDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "callRecordingDone";
}

/** `callTranscriptDone`: A call's transcript is ready. */
export interface CallTranscriptDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "callTranscriptDone";
}

/** `apiDone`: An API step was completed. */
export interface ApiDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "apiDone";
}

/** `apiInterested`: A lead was marked interested through an API step. */
export interface ApiInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "apiInterested";
}

/** `apiNotInterested`: A lead was marked not interested through an API step. */
export interface ApiNotInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "apiNotInterested";
}

/** `apiFailed`: An API step failed. */
export interface ApiFailedEvent extends EventFields {
  /** The event type. */
  readonly type: "apiFailed";
}

/** `manualInterested`: A lead was marked interested by hand. */
export interface ManualInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "manualInterested";
}

/** `manualNotInterested`: A lead was marked not interested by hand. */
export interface ManualNotInterestedEvent extends EventFields {
  /** The event type. */
  readonly type: "manualNotInterested";
}

/** `annotated`: A task was annotated. */
export interface AnnotatedEvent extends EventFields {
  /** The event type. */
  readonly type: "annotated";
}

/** `paused`: A lead was paused. */
export interface PausedEvent extends EventFields {
  /** The event type. */
  readonly type: "paused";
}

/** `resumed`: A lead was resumed. */
export interface ResumedEvent extends EventFields {
  /** The event type. */
  readonly type: "resumed";
}

/** `stopped`: A lead was stopped. */
export interface StoppedEvent extends EventFields {
  /** The event type. */
  readonly type: "stopped";
}

/** `campaignComplete`: A campaign is complete. */
export interface CampaignCompleteEvent extends EventFields {
  /** The event type. */
  readonly type: "campaignComplete";
}

/** `customDomainErrors`: A custom domain has errors. */
export interface CustomDomainErrorsEvent extends EventFields {
  /** The event type. */
  readonly type: "customDomainErrors";
}

/** `connectionIssue`: An email account has a connection issue. */
export interface ConnectionIssueEvent extends EventFields {
  /** The event type. */
  readonly type: "connectionIssue";
}

/** `sendLimitReached`: A daily send limit was reached. */
export interface SendLimitReachedEvent extends EventFields {
  /** The event type. */
  readonly type: "sendLimitReached";
}

/** `warmupPaused`: A mailbox's warm-up was paused. */
export interface WarmupPausedEvent extends EventFields {
  /** The event type. */
  readonly type: "warmupPaused";
}

/** `enrichmentDone`: An enrichment was completed. */
export interface EnrichmentDoneEvent extends EventFields {
  /** The event type. */
  readonly type: "enrichmentDone";
}

/** `enrichmentError`: An enrichment failed. */
export interface EnrichmentErrorEvent extends EventFields {
  /** The event type. */
  readonly type: "enrichmentError";
}

/** `inboxLabelUpdated`: A conversation's label was changed. */
export interface InboxLabelUpdatedEvent extends EventFields {
  /** The event type. */
  readonly type: "inboxLabelUpdated";
}

/** `signalRegistered`: A new signal was detected. */
export interface SignalRegisteredEvent extends EventFields {
  /** The event type. */
  readonly type: "signalRegistered";
}

/** `deliverabilityAlertTriggered`: A deliverability alert was triggered. */
export interface DeliverabilityAlertTriggeredEvent extends EventFields {
  /** The event type. */
  readonly type: "deliverabilityAlertTriggered";
}

/**
 * The name of an event type that this version does not know, as the service sent it. The compiler sees it as a string that no known name is,
 * because with a plain string, `switch (event.type)` would not narrow.
 */
export type UnknownEventType = `${string} (unknown)`;

/** An event of a type that this version does not know. It has whatever fields the service sends. */
export interface UnknownEvent extends EventFields {
  /** The event type. */
  readonly type: UnknownEventType;
  /** Any other field. */
  readonly [field: string]: unknown;
}

/** Every known event, by its type. */
export interface EventByType {
  /** A lead was contacted through any channel. */
  readonly contacted: ContactedEvent;
  /** A lead opened a message. */
  readonly hooked: HookedEvent;
  /** A lead clicked a link or accepted a network invite. */
  readonly attracted: AttractedEvent;
  /** A lead replied. */
  readonly warmed: WarmedEvent;
  /** A lead was marked interested, in any channel. */
  readonly interested: InterestedEvent;
  /** A lead was marked not interested, in any channel. */
  readonly notInterested: NotInterestedEvent;
  /** An email was sent to a lead. */
  readonly emailsSent: EmailsSentEvent;
  /** A lead opened an email. */
  readonly emailsOpened: EmailsOpenedEvent;
  /** A lead clicked a link in an email. */
  readonly emailsClicked: EmailsClickedEvent;
  /** A lead, or a third party in the thread, replied by email. */
  readonly emailsReplied: EmailsRepliedEvent;
  /** An email bounced. */
  readonly emailsBounced: EmailsBouncedEvent;
  /** An email could not be sent. */
  readonly emailsFailed: EmailsFailedEvent;
  /** A lead was marked interested through email. */
  readonly emailsInterested: EmailsInterestedEvent;
  /** A lead was marked not interested through email. */
  readonly emailsNotInterested: EmailsNotInterestedEvent;
  /** A lead unsubscribed through an email. */
  readonly emailsUnsubscribed: EmailsUnsubscribedEvent;
  /** A network message was sent. */
  readonly networkSent: NetworkSentEvent;
  /** A lead opened a network message. */
  readonly networkOpened: NetworkOpenedEvent;
  /** A lead replied to a network message. */
  readonly networkReplied: NetworkRepliedEvent;
  /** A lead was marked interested through the network. */
  readonly networkInterested: NetworkInterestedEvent;
  /** A lead was marked not interested through the network. */
  readonly networkNotInterested: NetworkNotInterestedEvent;
  /** A network message could not be sent. */
  readonly networkSendFailed: NetworkSendFailedEvent;
  /** A lead's profile was visited. */
  readonly networkVisitDone: NetworkVisitDoneEvent;
  /** A lead's profile could not be visited. */
  readonly networkVisitFailed: NetworkVisitFailedEvent;
  /** A lead's profile was followed. */
  readonly networkFollowDone: NetworkFollowDoneEvent;
  /** A lead's profile could not be followed. */
  readonly networkFollowFailed: NetworkFollowFailedEvent;
  /** Following a lead's profile was skipped. */
  readonly networkFollowSkipped: NetworkFollowSkippedEvent;
  /** A network invite was sent. */
  readonly networkInviteDone: NetworkInviteDoneEvent;
  /** A network invite could not be sent. */
  readonly networkInviteFailed: NetworkInviteFailedEvent;
  /** A lead accepted a network invite. */
  readonly networkInviteAccepted: NetworkInviteAcceptedEvent;
  /** A lead's skills were endorsed. */
  readonly networkEndorseDone: NetworkEndorseDoneEvent;
  /** A lead's skills could not be endorsed. */
  readonly networkEndorseFailed: NetworkEndorseFailedEvent;
  /** Endorsing a lead's skills was skipped. */
  readonly networkEndorseSkipped: NetworkEndorseSkippedEvent;
  /** A voice note was sent. */
  readonly networkVoiceNoteDone: NetworkVoiceNoteDoneEvent;
  /** A voice note could not be sent. */
  readonly networkVoiceNoteFailed: NetworkVoiceNoteFailedEvent;
  /** A lead's last post was liked. */
  readonly networkLikeLastPostDone: NetworkLikeLastPostDoneEvent;
  /** A lead has no post to like. */
  readonly networkLikeLastPostNoPost: NetworkLikeLastPostNoPostEvent;
  /** A lead's last post could not be liked. */
  readonly networkLikeLastPostFailed: NetworkLikeLastPostFailedEvent;
  /** A pending network invite was withdrawn. */
  readonly networkWithdrawInvitationDone: NetworkWithdrawInvitationDoneEvent;
  /** A pending network invite could not be withdrawn. */
  readonly networkWithdrawInvitationFailed: NetworkWithdrawInvitationFailedEvent;
  /** A chat message was sent. */
  readonly chatMessageSent: ChatMessageSentEvent;
  /** A chat message was delivered. */
  readonly chatMessageDelivered: ChatMessageDeliveredEvent;
  /** A lead opened a chat message. */
  readonly chatMessageOpened: ChatMessageOpenedEvent;
  /** A lead replied by chat. */
  readonly chatReplied: ChatRepliedEvent;
  /** A chat message could not be sent. */
  readonly chatMessageFailed: ChatMessageFailedEvent;
  /** A text message was sent. */
  readonly smsSent: SmsSentEvent;
  /** A text message was delivered. */
  readonly smsDelivered: SmsDeliveredEvent;
  /** A lead replied by text message. */
  readonly smsReplied: SmsRepliedEvent;
  /** A text message could not be sent. */
  readonly smsFailed: SmsFailedEvent;
  /** A call was created. */
  readonly dialerCreated: DialerCreatedEvent;
  /** A call ended. */
  readonly dialerEnded: DialerEndedEvent;
  /** A call task was completed. */
  readonly dialerDone: DialerDoneEvent;
  /** A lead was marked interested through a call. */
  readonly dialerInterested: DialerInterestedEvent;
  /** A lead was marked not interested through a call. */
  readonly dialerNotInterested: DialerNotInterestedEvent;
  /** A call's recording is ready. */
  readonly callRecordingDone: CallRecordingDoneEvent;
  /** A call's transcript is ready. */
  readonly callTranscriptDone: CallTranscriptDoneEvent;
  /** An API step was completed. */
  readonly apiDone: ApiDoneEvent;
  /** A lead was marked interested through an API step. */
  readonly apiInterested: ApiInterestedEvent;
  /** A lead was marked not interested through an API step. */
  readonly apiNotInterested: ApiNotInterestedEvent;
  /** An API step failed. */
  readonly apiFailed: ApiFailedEvent;
  /** A lead was marked interested by hand. */
  readonly manualInterested: ManualInterestedEvent;
  /** A lead was marked not interested by hand. */
  readonly manualNotInterested: ManualNotInterestedEvent;
  /** A task was annotated. */
  readonly annotated: AnnotatedEvent;
  /** A lead was paused. */
  readonly paused: PausedEvent;
  /** A lead was resumed. */
  readonly resumed: ResumedEvent;
  /** A lead was stopped. */
  readonly stopped: StoppedEvent;
  /** A campaign is complete. */
  readonly campaignComplete: CampaignCompleteEvent;
  /** A custom domain has errors. */
  readonly customDomainErrors: CustomDomainErrorsEvent;
  /** An email account has a connection issue. */
  readonly connectionIssue: ConnectionIssueEvent;
  /** A daily send limit was reached. */
  readonly sendLimitReached: SendLimitReachedEvent;
  /** A mailbox's warm-up was paused. */
  readonly warmupPaused: WarmupPausedEvent;
  /** An enrichment was completed. */
  readonly enrichmentDone: EnrichmentDoneEvent;
  /** An enrichment failed. */
  readonly enrichmentError: EnrichmentErrorEvent;
  /** A conversation's label was changed. */
  readonly inboxLabelUpdated: InboxLabelUpdatedEvent;
  /** A new signal was detected. */
  readonly signalRegistered: SignalRegisteredEvent;
  /** A deliverability alert was triggered. */
  readonly deliverabilityAlertTriggered: DeliverabilityAlertTriggeredEvent;
}

/** The event types that this version knows. */
export type EventType = keyof EventByType;

/** An event of a type that this version knows: a union on `type`. */
export type KnownEvent = EventByType[EventType];

/** An event. `switch (event.type)` narrows it; what remains after all known types is an `UnknownEvent`. */
export type OutreachEvent = KnownEvent | UnknownEvent;

/** Every event type that this version knows. */
export const EVENT_TYPES: readonly EventType[] = [
  "contacted",
  "hooked",
  "attracted",
  "warmed",
  "interested",
  "notInterested",
  "emailsSent",
  "emailsOpened",
  "emailsClicked",
  "emailsReplied",
  "emailsBounced",
  "emailsFailed",
  "emailsInterested",
  "emailsNotInterested",
  "emailsUnsubscribed",
  "networkSent",
  "networkOpened",
  "networkReplied",
  "networkInterested",
  "networkNotInterested",
  "networkSendFailed",
  "networkVisitDone",
  "networkVisitFailed",
  "networkFollowDone",
  "networkFollowFailed",
  "networkFollowSkipped",
  "networkInviteDone",
  "networkInviteFailed",
  "networkInviteAccepted",
  "networkEndorseDone",
  "networkEndorseFailed",
  "networkEndorseSkipped",
  "networkVoiceNoteDone",
  "networkVoiceNoteFailed",
  "networkLikeLastPostDone",
  "networkLikeLastPostNoPost",
  "networkLikeLastPostFailed",
  "networkWithdrawInvitationDone",
  "networkWithdrawInvitationFailed",
  "chatMessageSent",
  "chatMessageDelivered",
  "chatMessageOpened",
  "chatReplied",
  "chatMessageFailed",
  "smsSent",
  "smsDelivered",
  "smsReplied",
  "smsFailed",
  "dialerCreated",
  "dialerEnded",
  "dialerDone",
  "dialerInterested",
  "dialerNotInterested",
  "callRecordingDone",
  "callTranscriptDone",
  "apiDone",
  "apiInterested",
  "apiNotInterested",
  "apiFailed",
  "manualInterested",
  "manualNotInterested",
  "annotated",
  "paused",
  "resumed",
  "stopped",
  "campaignComplete",
  "customDomainErrors",
  "connectionIssue",
  "sendLimitReached",
  "warmupPaused",
  "enrichmentDone",
  "enrichmentError",
  "inboxLabelUpdated",
  "signalRegistered",
  "deliverabilityAlertTriggered",
];
