import { type IResolvable, type IResolveContext, type TerraformMetaArguments, Token } from "cdktn";
import { Construct } from "constructs";
import { fanOut, withoutRepetition } from "./generated/cdktn/lib/fan-out";
import { checkLiterals } from "./generated/cdktn/lib/literal-checks";
import { Webhook } from "./generated/cdktn/lib/webhook";

/** The common settings of all webhooks of a set, and the lists that distinguish them. */
export interface WebhookSetConfig extends TerraformMetaArguments {
  /** Event types, one webhook per type; see `EventType`. By default each webhook receives all events. */
  readonly types?: string[];
  /** Ids of campaigns, one webhook per campaign; also the `ids` of a `DataOutreachCampaigns`. By default the webhooks receive the events of all campaigns. */
  readonly campaigns?: string[];
  /**
   * URL that receives the events; see `Webhook`. `Each` gives every webhook a URL of its own, for services that allow one webhook
   * per URL: `https://crm.example.com/hook?event=${Each.type}`.
   */
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
    checkLiterals(this, () => ({ types, campaigns, targetUrl: exampleOf(common.targetUrl) }));
    const ofTypes = types && { attribute: "type", setting: "types", values: types };
    const ofCampaigns = campaigns && { attribute: "campaign_id", setting: "campaigns", values: campaigns };
    const first = ofTypes ?? ofCampaigns;
    if (!first) throw new Error(`${this.node.path}: set types or campaigns. For a single webhook, use Webhook.`);
    const { forEach, valueOf, key } = fanOut(this, ofTypes && ofCampaigns ? [ofTypes, ofCampaigns] : [first]);
    const values = new Map([
      ["key", key],
      ...(ofTypes ? [["type", valueOf("type")] as const] : []),
      ...(ofCampaigns ? [["campaignId", valueOf("campaign_id")] as const] : []),
    ]);
    const own = (text: string | undefined): string | undefined => withOwnValues(text, { values, path: this.node.path });
    // The id Default is not part of the address.
    this.webhooks = new Webhook(this, "Default", {
      ...common,
      targetUrl: own(common.targetUrl) ?? common.targetUrl,
      automationId: own(common.automationId),
      secret: own(common.secret),
      secretWo: own(common.secretWo),
      forEach,
      ...(ofTypes && { type: valueOf("type") }),
      ...(ofCampaigns && { campaignId: valueOf("campaign_id") }),
    });
  }
}

/** What `Each` stands for while a text of one set is resolved. */
interface OwnValues {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
}

let resolving: OwnValues | null = null;

/** The text with the values of its set in place of `Each`. The library resolves all texts of a stack in one go, so each text names its set. */
function withOwnValues(text: string | undefined, own: OwnValues): string | undefined {
  if (!Token.isUnresolved(text)) return text;
  const produce = (context: IResolveContext): unknown => {
    const before = resolving;
    resolving = own;
    try {
      return context.resolve(text);
    } finally {
      resolving = before;
    }
  };
  return Token.asString({ creationStack: [], resolve: produce, toString: () => "WebhookSet" });
}

/** A URL with `Each` as one of its webhooks could have it, for the checks that pass tokens. Other URLs are checked by `Webhook`. */
function exampleOf(url: string): string | undefined {
  return Token.isUnresolved(url)
    ? [Each.type, Each.campaignId, Each.key].reduce((text, value) => text.replaceAll(value, "x"), url)
    : undefined;
}

function eachValue(name: string): string {
  const produce = (): string => {
    if (!resolving)
      throw new Error(`Each.${name} is only available in the targetUrl, automationId and secret of a WebhookSet.`);
    const value = resolving.values.get(name);
    if (value === undefined)
      throw new Error(
        `${resolving.path}: Each.${name} has no value, because the set has no ${name === "type" ? "types" : "campaigns"}.`,
      );
    return value;
  };
  return Token.asString({ creationStack: [], resolve: produce, toString: () => `Each.${name}` });
}

/** The values of each webhook of a `WebhookSet`, for its `targetUrl`, `automationId` and `secret`. */
// oxlint-disable-next-line typescript/no-extraneous-class -- jsii accepts constants only as static properties
export class Each {
  /** The event type, in a set with `types`. */
  public static readonly type: string = eachValue("type");
  /** The id of the campaign, in a set with `campaigns`. */
  public static readonly campaignId: string = eachValue("campaignId");
  /** The key in the address: `emailsSent`, `cam_000001`, or `emailsSent/cam_000001` in a set with both. */
  public static readonly key: string = eachValue("key");
}
