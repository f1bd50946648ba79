// made from the event catalogue

/** The values of a webhook's `type`. */
export class EventType {
  /** Lead state groups: A lead was contacted through any channel. */
  public static readonly contacted = "contacted";
  /** Lead state groups: A lead opened a message. */
  public static readonly hooked = "hooked";
  /** Lead state groups: A lead clicked a link or accepted a network invite. */
  public static readonly attracted = "attracted";
  /** Lead state groups: A lead replied. */
  public static readonly warmed = "warmed";
  /** Lead state groups: A lead was marked interested, in any channel. */
  public static readonly interested = "interested";
  /** Lead state groups: A lead was marked not interested, in any channel. */
  public static readonly notInterested = "notInterested";
  /** Email: An email was sent to a lead. */
  public static readonly emailsSent = "emailsSent";
  /** Email: A lead opened an email. */
  public static readonly emailsOpened = "emailsOpened";
  /** Email: A lead clicked a link in an email. */
  public static readonly emailsClicked = "emailsClicked";
  /** Email: A lead, or a third party in the thread, replied by email. */
  public static readonly emailsReplied = "emailsReplied";
  /** Email: An email bounced. */
  public static readonly emailsBounced = "emailsBounced";
  /** Email: An email could not be sent. */
  public static readonly emailsFailed = "emailsFailed";
  /** Email: A lead was marked interested through email. */
  public static readonly emailsInterested = "emailsInterested";
  /** Email: A lead was marked not interested through email. */
  public static readonly emailsNotInterested = "emailsNotInterested";
  /** Email: A lead unsubscribed through an email. */
  public static readonly emailsUnsubscribed = "emailsUnsubscribed";
  /** Professional network: A network message was sent. */
  public static readonly networkSent = "networkSent";
  /** Professional network: A lead opened a network message. */
  public static readonly networkOpened = "networkOpened";
  /** Professional network: A lead replied to a network message. */
  public static readonly networkReplied = "networkReplied";
  /** Professional network: A lead was marked interested through the network. */
  public static readonly networkInterested = "networkInterested";
  /** Professional network: A lead was marked not interested through the network. */
  public static readonly networkNotInterested = "networkNotInterested";
  /** Professional network: A network message could not be sent. */
  public static readonly networkSendFailed = "networkSendFailed";
  /** Professional network: A lead's profile was visited. */
  public static readonly networkVisitDone = "networkVisitDone";
  /** Professional network: A lead's profile could not be visited. */
  public static readonly networkVisitFailed = "networkVisitFailed";
  /** Professional network: A lead's profile was followed. */
  public static readonly networkFollowDone = "networkFollowDone";
  /** Professional network: A lead's profile could not be followed. */
  public static readonly networkFollowFailed = "networkFollowFailed";
  /** Professional network: Following a lead's profile was skipped. */
  public static readonly networkFollowSkipped = "networkFollowSkipped";
  /** Professional network: A network invite was sent. */
  public static readonly networkInviteDone = "networkInviteDone";
  /** Professional network: A network invite could not be sent. */
  public static readonly networkInviteFailed = "networkInviteFailed";
  /** Professional network: A lead accepted a network invite. */
  public static readonly networkInviteAccepted = "networkInviteAccepted";
  /** Professional network: A lead's skills were endorsed. */
  public static readonly networkEndorseDone = "networkEndorseDone";
  /** Professional network: A lead's skills could not be endorsed. */
  public static readonly networkEndorseFailed = "networkEndorseFailed";
  /** Professional network: Endorsing a lead's skills was skipped. */
  public static readonly networkEndorseSkipped = "networkEndorseSkipped";
  /** Professional network: A voice note was sent. */
  public static readonly networkVoiceNoteDone = "networkVoiceNoteDone";
  /** Professional network: A voice note could not be sent. */
  public static readonly networkVoiceNoteFailed = "networkVoiceNoteFailed";
  /** Professional network: A lead's last post was liked. */
  public static readonly networkLikeLastPostDone = "networkLikeLastPostDone";
  /** Professional network: A lead has no post to like. */
  public static readonly networkLikeLastPostNoPost = "networkLikeLastPostNoPost";
  /** Professional network: A lead's last post could not be liked. */
  public static readonly networkLikeLastPostFailed = "networkLikeLastPostFailed";
  /** Professional network: A pending network invite was withdrawn. */
  public static readonly networkWithdrawInvitationDone = "networkWithdrawInvitationDone";
  /** Professional network: A pending network invite could not be withdrawn. */
  public static readonly networkWithdrawInvitationFailed = "networkWithdrawInvitationFailed";
  /** Chat app: A chat message was sent. */
  public static readonly chatMessageSent = "chatMessageSent";
  /** Chat app: A chat message was delivered. */
  public static readonly chatMessageDelivered = "chatMessageDelivered";
  /** Chat app: A lead opened a chat message. */
  public static readonly chatMessageOpened = "chatMessageOpened";
  /** Chat app: A lead replied by chat. */
  public static readonly chatReplied = "chatReplied";
  /** Chat app: A chat message could not be sent. */
  public static readonly chatMessageFailed = "chatMessageFailed";
  /** SMS: A text message was sent. */
  public static readonly smsSent = "smsSent";
  /** SMS: A text message was delivered. */
  public static readonly smsDelivered = "smsDelivered";
  /** SMS: A lead replied by text message. */
  public static readonly smsReplied = "smsReplied";
  /** SMS: A text message could not be sent. */
  public static readonly smsFailed = "smsFailed";
  /** Calls: A call was created. */
  public static readonly dialerCreated = "dialerCreated";
  /** Calls: A call ended. */
  public static readonly dialerEnded = "dialerEnded";
  /** Calls: A call task was completed. */
  public static readonly dialerDone = "dialerDone";
  /** Calls: A lead was marked interested through a call. */
  public static readonly dialerInterested = "dialerInterested";
  /** Calls: A lead was marked not interested through a call. */
  public static readonly dialerNotInterested = "dialerNotInterested";
  /** Calls: A call's recording is ready. */
  public static readonly callRecordingDone = "callRecordingDone";
  /** Calls: A call's transcript is ready. */
  public static readonly callTranscriptDone = "callTranscriptDone";
  /** API step: An API step was completed. */
  public static readonly apiDone = "apiDone";
  /** API step: A lead was marked interested through an API step. */
  public static readonly apiInterested = "apiInterested";
  /** API step: A lead was marked not interested through an API step. */
  public static readonly apiNotInterested = "apiNotInterested";
  /** API step: An API step failed. */
  public static readonly apiFailed = "apiFailed";
  /** Manual: A lead was marked interested by hand. */
  public static readonly manualInterested = "manualInterested";
  /** Manual: A lead was marked not interested by hand. */
  public static readonly manualNotInterested = "manualNotInterested";
  /** Task: A task was annotated. */
  public static readonly annotated = "annotated";
  /** Workspace: A lead was paused. */
  public static readonly paused = "paused";
  /** Workspace: A lead was resumed. */
  public static readonly resumed = "resumed";
  /** Workspace: A lead was stopped. */
  public static readonly stopped = "stopped";
  /** Workspace: A campaign is complete. */
  public static readonly campaignComplete = "campaignComplete";
  /** Workspace: A custom domain has errors. */
  public static readonly customDomainErrors = "customDomainErrors";
  /** Workspace: An email account has a connection issue. */
  public static readonly connectionIssue = "connectionIssue";
  /** Workspace: A daily send limit was reached. */
  public static readonly sendLimitReached = "sendLimitReached";
  /** Workspace: A mailbox's warm-up was paused. */
  public static readonly warmupPaused = "warmupPaused";
  /** Enrichment: An enrichment was completed. */
  public static readonly enrichmentDone = "enrichmentDone";
  /** Enrichment: An enrichment failed. */
  public static readonly enrichmentError = "enrichmentError";
  /** Inbox: A conversation's label was changed. */
  public static readonly inboxLabelUpdated = "inboxLabelUpdated";
  /** Signal agents: A new signal was detected. */
  public static readonly signalRegistered = "signalRegistered";
  /** Deliverability: A deliverability alert was triggered. */
  public static readonly deliverabilityAlertTriggered = "deliverabilityAlertTriggered";

  private constructor() {}
}
