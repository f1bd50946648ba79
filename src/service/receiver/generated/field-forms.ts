// made from the event catalogue

/** What a documented field of an event holds. */
export type FieldForm = "text" | "time" | "number" | "flag" | "recipients";

/** The documented fields that an event can have in addition to `_id` and `type`. */
export const FIELD_FORMS: ReadonlyMap<string, FieldForm> = new Map([
  ["teamId", "text"],
  ["createdAt", "time"],
  ["campaignId", "text"],
  ["campaignName", "text"],
  ["sequenceId", "text"],
  ["sequenceStep", "number"],
  ["stepId", "text"],
  ["leadId", "text"],
  ["leadEmail", "text"],
  ["leadFirstName", "text"],
  ["leadLastName", "text"],
  ["sendUserId", "text"],
  ["sendUserEmail", "text"],
  ["sendUserName", "text"],
  ["subject", "text"],
  ["to", "recipients"],
  ["cc", "recipients"],
  ["bcc", "recipients"],
  ["isThirdPartyReply", "flag"],
]);
