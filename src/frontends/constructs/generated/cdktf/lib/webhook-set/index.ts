// made from src/frontends/constructs/webhook-set.ts
import { Construct } from "constructs";
import { fanOut } from "../fan-out";
import { Webhook, type WebhookConfig } from "../webhook";

/** What all webhooks of a set have in common, and what tells them apart. */
export interface WebhookSetConfig extends Omit<WebhookConfig, "type" | "campaignId" | "count" | "forEach"> {
  /** Event types, one webhook for each; see `EventType`. Without them each webhook receives all events. */
  readonly types?: readonly string[];
  /** Ids of campaigns, one webhook for each; also the `ids` of a `DataOutreachCampaigns`. Without them the webhooks receive the events of all campaigns. */
  readonly campaigns?: readonly string[];
}

/**
 * Webhooks with one target: one for each event type and each campaign. A set called `audit` makes the instances
 * `outreach_webhook.audit["emailsSent/cam_000001"]` and so on, which are the addresses that a fan-out has in YAML.
 * What is taken out of `types`, or is not among the `campaigns` any more, is deleted.
 */
export class WebhookSet extends Construct {
  /** The block that makes all of them. */
  public readonly webhooks: Webhook;

  /**
   * @throws when there are neither `types` nor `campaigns`, or when one of them is empty or names something twice.
   */
  public constructor(scope: Construct, id: string, { types, campaigns, ...common }: WebhookSetConfig) {
    super(scope, id);
    const ofTypes = types && { attribute: "type", setting: "types", values: types };
    const ofCampaigns = campaigns && { attribute: "campaign_id", setting: "campaigns", values: campaigns };
    const first = ofTypes ?? ofCampaigns;
    if (!first) throw new Error(`${this.node.path}: there are neither types nor campaigns. For a single webhook take Webhook.`);
    const { forEach, valueOf } = fanOut(this, ofTypes && ofCampaigns ? [ofTypes, ofCampaigns] : [first]);
    // What is called Default is not part of the address.
    this.webhooks = new Webhook(this, "Default", {
      ...common,
      forEach,
      ...(ofTypes && { type: valueOf("type") }),
      ...(ofCampaigns && { campaignId: valueOf("campaign_id") }),
    });
  }
}
