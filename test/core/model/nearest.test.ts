import { expect, test } from "vitest";
import { nearest } from "../../../src/core/model/diagnostic.ts";

const ADDRESSES = ["outreach_webhook.crm", "outreach_webhook.crm-replies", 'outreach_webhook.audit["emailsSent"]'];

test.each<readonly [typed: string, candidates: readonly string[], meant: string | null]>([
  ["typ", ["target_url", "type", "types"], "type"],
  ["emailReplied", ["emailsReplied", "emailsSent"], "emailsReplied"],
  ["EMAILSSENT", ["emailsReplied", "emailsSent"], "emailsSent"],
  ["outreach_webhook.crm-repleis", ADDRESSES, "outreach_webhook.crm-replies"],
  ["outreach_webhok.crm", ADDRESSES, "outreach_webhook.crm"],
  ['outreach_webhook.audit["emailSent"]', ADDRESSES, 'outreach_webhook.audit["emailsSent"]'],
  // Only the name differs, and it is another name.
  ["outreach_webhook.bounces", ADDRESSES, null],
  ["outreach_webhook.b", ["outreach_webhook.a", "outreach_webhook.audit"], null],
  ["data.outreach_campaign.winback", ["data.outreach_campaign.q3"], null],
  // A long name has no more typos than a shorter one.
  ["campaign_statistics", ["campaign_settings"], null],
  ["a", ["b"], null],
  ["q3", ["q4"], "q4"],
])("%s of %j means %s", (typed, candidates, meant) => {
  expect(nearest(typed, candidates)).toBe(meant);
});
