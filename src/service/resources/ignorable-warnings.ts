import type { IgnorableWarning } from "../../core/model/ignored-warnings.ts";

const WEBHOOK = "outreach_webhook";
const types = [WEBHOOK];

/** The warnings and findings that a configuration can silence. */
export const ignorableWarnings: readonly IgnorableWarning[] = [
  {
    code: "overlapping_webhooks",
    docs: "Two webhooks with one target URL that deliver some of the same events.",
    types,
  },
  {
    code: "webhook_without_secret",
    docs: "A webhook without a secret: its receiver cannot verify events. Of validate and audit.",
    types,
  },
  { code: "dead_campaign", docs: "A webhook of a campaign that sends nothing any more. Of audit.", types },
  { code: "shared_target_url", docs: "New webhooks with one target URL, which some services refuse.", types },
  { code: "target_url_host", docs: "A target URL that writes its host in another notation.", types },
  { code: "target_url_mixed_scripts", docs: "A host that mixes letters of several scripts.", types },
  { code: "target_url_placeholder", docs: "A target URL with a placeholder that nothing replaces.", types },
  {
    code: "campaign_unchecked",
    docs: "An id of a campaign that a plan could not check.",
    types: [WEBHOOK, "outreach_lead_unsubscription"],
  },
  { code: "returned_otherwise", docs: "A value that the service returns otherwise than it was sent.", types },
  { code: "unused_variable", docs: "A variable that nothing refers to." },
  { code: "config_left_out", docs: "Configurations in folders that are not read." },
  { code: "automation", docs: "An unmanaged webhook that looks left by an automation tool. Of audit." },
  { code: "http", docs: "A webhook with plain http. Of audit.", types },
  { code: "overlap", docs: "A live webhook that delivers some of the same events as another one. Of audit.", types },
  { code: "old", docs: "A webhook that was created longer ago than --older-than. Of audit.", types },
];
