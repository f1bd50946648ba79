import type { RecordedInstance } from "../../src/core/model/instance.ts";
import { encodeState } from "../../src/core/state/document.ts";

/** Many webhooks that differ in their address and campaign, as they are declared, live and recorded. */

const numbered = (index: number): string => String(index).padStart(6, "0");
const urlOf = (index: number): string => `https://crm.example.com/hooks/${numbered(index)}`;
const campaignOf = (index: number): string => `cam_${numbered(index)}`;

/** `inCampaigns`: each in one of its own; otherwise they ask nothing more of the service than that it is there. */
export function configuration(webhooks: number, { inCampaigns }: { readonly inCampaigns: boolean }): string {
  const blocks = Array.from(
    { length: webhooks },
    (_, index) =>
      `  hook-${numbered(index)}:\n    target_url: ${urlOf(index)}\n    type: emailsReplied\n${inCampaigns ? `    campaign_id: ${campaignOf(index)}\n` : ""}    is_first: true\n`,
  );
  return `version: 1\nwebhooks:\n${blocks.join("")}`;
}

/** The same as `configuration` with campaigns, as a synthesis writes it. */
export function synthesised(webhooks: number): string {
  const resource = (index: number) => ({
    "//": { metadata: { path: `hooks/hook-${numbered(index)}`, uniqueId: `hook-${numbered(index)}` } },
    target_url: `\${local.base}/${numbered(index)}`,
    type: "emailsReplied",
    campaign_id: campaignOf(index),
    is_first: true,
  });
  const outreach_webhook = Object.fromEntries(
    Array.from({ length: webhooks }, (_, index) => [`hook-${numbered(index)}`, resource(index)]),
  );
  return JSON.stringify(
    { provider: { outreach: [{}] }, locals: { base: "https://crm.example.com/hooks" }, resource: { outreach_webhook } },
    null,
    2,
  );
}

/** What the service lists. One more than declared: a list of whole hundreds would be asked for its next page. */
export function listing(webhooks: number): string {
  return JSON.stringify(Array.from({ length: webhooks + 1 }, (_, index) => liveWebhook(index)));
}

function liveWebhook(index: number) {
  const createdAt = "2025-01-01T00:00:00.000Z";
  return {
    _id: `hoo_${numbered(index)}`,
    targetUrl: urlOf(index),
    type: "emailsReplied",
    campaignId: campaignOf(index),
    createdAt,
  };
}

export function state(webhooks: number, baseUrl: string): Uint8Array {
  const instances = Array.from({ length: webhooks }, (_, index): RecordedInstance => {
    const { _id: id, targetUrl, type, campaignId, createdAt } = liveWebhook(index);
    const returned = { id, target_url: targetUrl, type, campaign_id: campaignId, created_at: createdAt };
    return {
      address: `outreach_webhook.hook-${numbered(index)}`,
      type: "outreach_webhook",
      provider: "outreach",
      schemaVersion: 1,
      id,
      attributes: { ...returned, is_first: true },
      returned,
      unobserved: [],
      assumed: [],
      recordedAtMs: 1_735_689_600_000,
    };
  });
  return encodeState({
    format: 1,
    lineage: "0f8b9a52-6d2b-4f2e-9d5c-3a1f0c5e7b11",
    serial: 1,
    salt: "00112233445566778899aabbccddeeff",
    planKey: "00".repeat(32),
    service: { baseUrl, keyFingerprint: "0" },
    instances,
    outputs: [],
    lostCreates: [],
    pending: [],
    journalSeq: 0,
  });
}
