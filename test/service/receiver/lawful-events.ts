import fc from "fast-check";

/**
 * Bodies of events that the service may send. Written from its specification (sections "Payload common fields", "Email recipients",
 * "Third-party reply"), and from nothing in `src`. A field that no sentence of it promises can be missing or null, and a field that no
 * sentence excludes can be there.
 */
export type Body = { readonly [field: string]: unknown };

const GROUPS = "contacted hooked attracted warmed interested notInterested";
const EMAILS =
  "emailsSent emailsOpened emailsClicked emailsReplied emailsBounced emailsFailed emailsInterested emailsNotInterested emailsUnsubscribed";
const CHANNELS =
  "networkSent networkInviteAccepted networkLikeLastPostNoPost chatReplied chatMessageFailed smsSent smsReplied dialerDone callTranscriptDone";
const OTHERS =
  "apiDone manualInterested annotated paused campaignComplete customDomainErrors connectionIssue warmupPaused enrichmentDone inboxLabelUpdated signalRegistered";
/** Types that were removed, and types that nobody knows yet. */
const UNKNOWN = "emailsSendFailed emailsForwarded constructor __proto__ Ü";

/** `isEmail`: no sentence says that it is no event about an email. */
const TYPES = [
  ...[GROUPS, EMAILS, UNKNOWN].flatMap((types) => types.split(" ")).map((type) => ({ type, isEmail: true })),
  ...[CHANNELS, OTHERS].flatMap((types) => types.split(" ")).map((type) => ({ type, isEmail: false })),
];

const name = fc.string({ unit: "grapheme", maxLength: 12 });
const id = (prefix: string): fc.Arbitrary<string> =>
  fc.stringMatching(/^[A-Za-z0-9]{1,20}$/).map((rest) => `${prefix}${rest}`);
const address = fc.stringMatching(/^[a-z0-9.]{1,10}@[a-z]{1,10}\.example\.com$/);
const recipients = fc.array(fc.record({ address, name }), { minLength: 1, maxLength: 4 });
const time = fc
  .date({ min: new Date("2020-01-01T00:00:00Z"), max: new Date("2040-01-01T00:00:00Z"), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      date.toISOString(),
      date.toISOString().replace(/\.\d+Z$/, "Z"),
      date.toISOString().replace("Z", "+00:00"),
    ),
  );

const COMMON = {
  teamId: id("tea_"),
  createdAt: time,
  campaignId: id("cam_"),
  campaignName: name,
  sequenceId: id("seq_"),
  sequenceStep: fc.nat({ max: 50 }),
  leadId: id("lea_"),
  leadEmail: fc.oneof(address, name),
  leadFirstName: name,
  leadLastName: name,
  sendUserId: id("usr_"),
  sendUserEmail: fc.oneof(address, name),
  sendUserName: name,
  // Not in the specification, and observed.
  stepId: id("stp_"),
};

/** A body with a secret. */
export function lawfulBody(secret: string): fc.Arbitrary<Body> {
  return fc.constantFrom(...TYPES).chain(({ type, isEmail }) => {
    const emailFields = isEmail ? { subject: name, to: recipients, cc: recipients } : {};
    const hidden = type === "emailsSent" ? { bcc: recipients } : {};
    const isThirdParty = type === "emailsReplied" ? fc.boolean() : fc.constant(false);
    return isThirdParty.chain((thirdParty) => {
      const { campaignId, leadId, sequenceId, ...others } = COMMON;
      const optional = {
        ...others,
        ...(thirdParty ? {} : { campaignId, leadId, sequenceId, isThirdPartyReply: fc.constant(false) }),
        ...emailFields,
        ...hidden,
      };
      const values = Object.entries(optional).map(
        ([field, value]) => [field, fc.oneof<fc.Arbitrary<unknown>[]>(fc.constant(null), value)] as const,
      );
      return fc
        .tuple(
          fc.record({
            _id: id("act_"),
            type: fc.constant(type),
            secret: fc.constant(secret),
            ...(thirdParty ? { isThirdPartyReply: fc.constant(true) } : {}),
          }),
          fc.record(Object.fromEntries(values), { requiredKeys: [] }),
          fc.dictionary(fc.stringMatching(/^x[A-Za-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
        )
        .map(([required, some, more]) => ({ ...more, ...some, ...required }));
    });
  });
}
