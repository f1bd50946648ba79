// made from src/frontends/constructs/webhook-set.ts
import type { IResolvable, TerraformMetaArguments } from "cdktn";
import { Construct } from "constructs";
import { fanOut, withoutRepetition } from "../fan-out";
import { checkLiterals } from "../literal-checks";
import { Webhook } from "../webhook";

/** The common settings of all webhooks of a set, and the lists that distinguish them. */
export interface WebhookSetConfig extends TerraformMetaArguments {
  /** Event types, one webhook per type; see `EventType`. By default each webhook receives all events. */
  readonly types?: string[];
  /** Ids of campaigns, one webhook per campaign; also the `ids` of a `DataOutreachCampaigns`. By default the webhooks receive the events of all campaigns. */
  readonly campaigns?: string[];
  /** URL that receives the events; see `Webhook`. */
  readonly targetUrl: string;
  /** Whether to deliver only the first activity. Default: false. */
  readonly isFirst?: boolean | IResolvable;
  /** Identifier of your workflow automation. */
  readonly automationId?: string;
  /** Shared secret, from a sensitive variable; see `Webhook`. */
  readonly secret?: string;
  /** Like `secret`, but write-only; see `Webhook`. */
  readonly secretWo?: string;
  /** Version of `secretWo`. */
  readonly secretWoVersion?: number;
  /** Whether to allow duplicates of these webhooks. Default: false. */
  readonly allowDuplicate?: boolean | IResolvable;
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
  public constructor(scope: Construct, id: string, config: WebhookSetConfig) {
    super(scope, id);
    const { types, campaigns, ...common } = withoutRepetition(this, config);
    checkLiterals(this, () => ({ types, campaigns }));
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
