// made from src/frontends/constructs/webhook-set.ts
import { Construct } from "constructs";
import { fanOut } from "../fan-out";
import { Webhook, type WebhookConfig } from "../webhook";

/** The common settings of all webhooks of a set, and the lists that distinguish them. */
export interface WebhookSetConfig extends Omit<WebhookConfig, "type" | "campaignId" | "count" | "forEach"> {
  /** Event types, one webhook per type; see `EventType`. By default each webhook receives all events. */
  readonly types?: readonly string[];
  /** Ids of campaigns, one webhook per campaign; also the `ids` of a `DataOutreachCampaigns`. By default the webhooks receive the events of all campaigns. */
  readonly campaigns?: readonly string[];
}

/**
 * Webhooks with one target: one per event type and campaign. A set with the id `audit` creates the instances
 * `outreach_webhook.audit["emailsSent/cam_000001"]` and so on, the same addresses as a fan-out in YAML.
 * Removing a value from `types` or `campaigns` deletes its webhooks.
 */
export class WebhookSet extends Construct {
  /** The block with all instances. */
  public readonly webhooks: Webhook;

  /**
   * @throws if neither `types` nor `campaigns` is set, or if one of them is empty or contains a duplicate.
   */
  public constructor(scope: Construct, id: string, { types, campaigns, ...common }: WebhookSetConfig) {
    super(scope, id);
    const ofTypes = types && { attribute: "type", setting: "types", values: types };
    const ofCampaigns = campaigns && { attribute: "campaign_id", setting: "campaigns", values: campaigns };
    const first = ofTypes ?? ofCampaigns;
    if (!first) throw new Error(`${this.node.path}: set types or campaigns. For a single webhook, use Webhook.`);
    const { forEach, valueOf } = fanOut(this, ofTypes && ofCampaigns ? [ofTypes, ofCampaigns] : [first]);
    // The id Default is not part of the address.
    this.webhooks = new Webhook(this, "Default", {
      ...common,
      forEach,
      ...(ofTypes && { type: valueOf("type") }),
      ...(ofCampaigns && { campaignId: valueOf("campaign_id") }),
    });
  }
}
