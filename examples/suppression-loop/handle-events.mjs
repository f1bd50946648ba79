// @ts-check
import { createSuppressionWatch, eventHandler, isEmail } from "outreach-as-code/events";
import { openList } from "./open-list.mjs";

const { HOOK_SECRET = "", HOOK_SECRET_OLD } = process.env;
const list = await openList(process.env);

const watch = createSuppressionWatch({
  // An event can arrive late: a message from before the opt-out is no breach.
  list: async (email, { createdAt = "" }) => {
    const since = await list.requestedAt(email);
    return since !== null && !(Date.parse(createdAt) <= Date.parse(since));
  },
  // The alarm: replace it by a call of your pager. Logs are no place for an address.
  onBreach: ({ campaign, sender, at, event }) =>
    console.error(
      `ALARM: ${event.type} to lead ${event.leadId}, who is on the list: ${campaign}, sent by ${sender} at ${at}`,
    ),
});

/** The handler of both receivers. If the list cannot be written, the service gets 500, and can deliver the event again. */
export const handle = eventHandler({
  // Two secrets during a rotation. Without HOOK_SECRET, the receiver does not start.
  secrets: HOOK_SECRET_OLD ? [HOOK_SECRET, HOOK_SECRET_OLD] : [HOOK_SECRET],
  async onEvent(event) {
    switch (event.type) {
      // The webhooks in outreach.yaml choose which of these arrive.
      case "emailsUnsubscribed":
      case "emailsBounced":
      case "notInterested":
        await optOut(event);
        break;
      default:
        await watch(event);
    }
  },
  onRejected: (error) => console.error(`Rejected: ${error.message}`),
});

/** @param {import("outreach-as-code/events").EventByType["emailsUnsubscribed" | "emailsBounced" | "notInterested"]} event */
async function optOut({ type, leadEmail, leadId, campaignName, campaignId, createdAt }) {
  const source = campaignName ?? campaignId ?? "no campaign";
  // outreach stops at a row without an address, so none is written.
  if (!isEmail(leadEmail))
    return console.error(
      `Lead ${leadId} opted out in ${source}, but the event has no valid address: add the lead by hand`,
    );
  // An unsubscription that outreach sends can come back as an event: the person is on the list already.
  const isNew = await list.add({
    email: leadEmail,
    reason: type,
    source,
    requestedAt: createdAt ?? new Date().toISOString(),
  });
  if (isNew) console.log(`Lead ${leadId} is on the list now: ${type} in ${source}`);
}
