// made from the event catalogue

/** The values of a webhook's `type`. */
export const EventType = {
  /** Lead state groups: A lead was contacted through any channel. */
  contacted: "contacted",
  /** Lead state groups: A lead opened a message. */
  hooked: "hooked",
  /** Lead state groups: A lead clicked a link or accepted a network invite. */
  attracted: "attracted",
  /** Lead state groups: A lead replied. */
  warmed: "warmed",
  /** Lead state groups: A lead was marked interested, in any channel. */
  interested: "interested",
  /** Lead state groups: A lead was marked not interested, in any channel. */
  notInterested: "notInterested",
  /** Email: An email was sent to a lead. */
  emailsSent: "emailsSent",
  /** Email: A lead opened an email. */
  emailsOpened: "emailsOpened",
  /** Email: A lead clicked a link in an email. */
  emailsClicked: "emailsClicked",
  /** Email: A lead, or a third party in the thread, replied by email. */
  emailsReplied: "emailsReplied",
  /** Email: An email bounced. */
  emailsBounced: "emailsBounced",
  /** Email: An email could not be sent. */
  emailsFailed: "emailsFailed",
  /** Email: A lead was marked interested through email. */
  emailsInterested: "emailsInterested",
  /** Email: A lead was marked not interested through email. */
  emailsNotInterested: "emailsNotInterested",
  /** Email: A lead unsubscribed through an email. */
  emailsUnsubscribed: "emailsUnsubscribed",
  /** Professional network: A network message was sent. */
  networkSent: "networkSent",
  /** Professional network: A lead opened a network message. */
  networkOpened: "networkOpened",
  /** Professional network: A lead replied to a network message. */
  networkReplied: "networkReplied",
  /** Professional network: A lead was marked interested through the network. */
  networkInterested: "networkInterested",
  /** Professional network: A lead was marked not interested through the network. */
  networkNotInterested: "networkNotInterested",
  /** Professional network: A network message could not be sent. */
  networkSendFailed: "networkSendFailed",
  /** Professional network: A lead's profile was visited. */
  networkVisitDone: "networkVisitDone",
  /** Professional network: A lead's profile could not be visited. */
  networkVisitFailed: "networkVisitFailed",
  /** Professional network: A lead's profile was followed. */
  networkFollowDone: "networkFollowDone",
  /** Professional network: A lead's profile could not be followed. */
  networkFollowFailed: "networkFollowFailed",
  /** Professional network: Following a lead's profile was skipped. */
  networkFollowSkipped: "networkFollowSkipped",
  /** Professional network: A network invite was sent. */
  networkInviteDone: "networkInviteDone",
  /** Professional network: A network invite could not be sent. */
  networkInviteFailed: "networkInviteFailed",
  /** Professional network: A lead accepted a network invite. */
  networkInviteAccepted: "networkInviteAccepted",
  /** Professional network: A lead's skills were endorsed. */
  networkEndorseDone: "networkEndorseDone",
  /** Professional network: A lead's skills could not be endorsed. */
  networkEndorseFailed: "networkEndorseFailed",
  /** Professional network: Endorsing a lead's skills was skipped. */
  networkEndorseSkipped: "networkEndorseSkipped",
  /** Professional network: A voice note was sent. */
  networkVoiceNoteDone: "networkVoiceNoteDone",
  /** Professional network: A voice note could not be sent. */
  networkVoiceNoteFailed: "networkVoiceNoteFailed",
  /** Professional network: A lead's last post was liked. */
  networkLikeLastPostDone: "networkLikeLastPostDone",
  /** Professional network: A lead has no post to like. */
  networkLikeLastPostNoPost: "networkLikeLastPostNoPost",
  /** Professional network: A lead's last post could not be liked. */
  networkLikeLastPostFailed: "networkLikeLastPostFailed",
  /** Professional network: A pending network invite was withdrawn. */
  networkWithdrawInvitationDone: "networkWithdrawInvitationDone",
  /** Professional network: A pending network invite could not be withdrawn. */
  networkWithdrawInvitationFailed: "networkWithdrawInvitationFailed",
  /** Chat app: A chat message was sent. */
  chatMessageSent: "chatMessageSent",
  /** Chat app: A chat message was delivered. */
  chatMessageDelivered: "chatMessageDelivered",
  /** Chat app: A lead opened a chat message. */
  chatMessageOpened: "chatMessageOpened",
  /** Chat app: A lead replied by chat. */
  chatReplied: "chatReplied",
  /** Chat app: A chat message could not be sent. */
  chatMessageFailed: "chatMessageFailed",
  /** SMS: A text message was sent. */
  smsSent: "smsSent",
  /** SMS: A text message was delivered. */
  smsDelivered: "smsDelivered",
  /** SMS: A lead replied by text message. */
  smsReplied: "smsReplied",
  /** SMS: A text message could not be sent. */
  smsFailed: "smsFailed",
  /** Calls: A call was created. */
  dialerCreated: "dialerCreated",
  /** Calls: A call ended. */
  dialerEnded: "dialerEnded",
  /** Calls: A call task was completed. */
  dialerDone: "dialerDone",
  /** Calls: A lead was marked interested through a call. */
  dialerInterested: "dialerInterested",
  /** Calls: A lead was marked not interested through a call. */
  dialerNotInterested: "dialerNotInterested",
  /** Calls: A call's recording is ready. */
  callRecordingDone: "callRecordingDone",
  /** Calls: A call's transcript is ready. */
  callTranscriptDone: "callTranscriptDone",
  /** API step: An API step was completed. */
  apiDone: "apiDone",
  /** API step: A lead was marked interested through an API step. */
  apiInterested: "apiInterested",
  /** API step: A lead was marked not interested through an API step. */
  apiNotInterested: "apiNotInterested",
  /** API step: An API step failed. */
  apiFailed: "apiFailed",
  /** Manual: A lead was marked interested by hand. */
  manualInterested: "manualInterested",
  /** Manual: A lead was marked not interested by hand. */
  manualNotInterested: "manualNotInterested",
  /** Task: A task was annotated. */
  annotated: "annotated",
  /** Workspace: A lead was paused. */
  paused: "paused",
  /** Workspace: A lead was resumed. */
  resumed: "resumed",
  /** Workspace: A lead was stopped. */
  stopped: "stopped",
  /** Workspace: A campaign is complete. */
  campaignComplete: "campaignComplete",
  /** Workspace: A custom domain has errors. */
  customDomainErrors: "customDomainErrors",
  /** Workspace: An email account has a connection issue. */
  connectionIssue: "connectionIssue",
  /** Workspace: A daily send limit was reached. */
  sendLimitReached: "sendLimitReached",
  /** Workspace: A mailbox's warm-up was paused. */
  warmupPaused: "warmupPaused",
  /** Enrichment: An enrichment was completed. */
  enrichmentDone: "enrichmentDone",
  /** Enrichment: An enrichment failed. */
  enrichmentError: "enrichmentError",
  /** Inbox: A conversation's label was changed. */
  inboxLabelUpdated: "inboxLabelUpdated",
  /** Signal agents: A new signal was detected. */
  signalRegistered: "signalRegistered",
  /** Deliverability: A deliverability alert was triggered. */
  deliverabilityAlertTriggered: "deliverabilityAlertTriggered",
} as const;

/** The name of an event type. */
export type EventType = (typeof EventType)[keyof typeof EventType];
