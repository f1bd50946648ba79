// https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { checkLiterals } from '../literal-checks';

// Configuration

export interface WebhookConfig extends cdktf.TerraformMetaArguments {
  /**
  * Whether to allow a duplicate of this webhook, or another one with the same URL that delivers some of the same events. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error; an overlap is a warning.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#allow_duplicate Webhook#allow_duplicate}
  */
  readonly allowDuplicate?: boolean | cdktf.IResolvable;
  /**
  * Identifier of a workflow-automation mapping, kept for tracking by the caller.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#automation_id Webhook#automation_id}
  */
  readonly automationId?: string;
  /**
  * Campaign whose events to receive. Default: all campaigns.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#campaign_id Webhook#campaign_id}
  */
  readonly campaignId?: string;
  /**
  * Whether to deliver only the first activity. Default: false.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#is_first Webhook#is_first}
  */
  readonly isFirst?: boolean | cdktf.IResolvable;
  /**
  * Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#secret Webhook#secret}
  */
  readonly secret?: string;
  /**
  * Like `secret`, but write-only: it is in no plan and no state. To send a new value, change `secret_wo_version`. Terraform 1.11 and later.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#secret_wo Webhook#secret_wo}
  */
  readonly secretWo?: string;
  /**
  * Version of `secret_wo`, any number. Change it with `secret_wo`: a new version replaces the webhook.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#secret_wo_version Webhook#secret_wo_version}
  */
  readonly secretWoVersion?: number;
  /**
  * URL that receives the events: https, without user info, backslashes and invisible characters, at most 2,048 characters. http is valid only for loopback hosts.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#target_url Webhook#target_url}
  */
  readonly targetUrl: string;
  /**
  * Event type to receive. Default: all events.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#type Webhook#type}
  */
  readonly type?: string;
}

/**
* Represents a {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook outreach_webhook}
*/
export class Webhook extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "outreach_webhook";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a Webhook resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the Webhook to import
  * @param importFromId The id of the existing Webhook that should be imported. Refer to the {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the Webhook to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "outreach_webhook", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/webhook outreach_webhook} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options WebhookConfig
  */
  public constructor(scope: Construct, id: string, config: WebhookConfig) {
    super(scope, id, {
      terraformResourceType: 'outreach_webhook',
      terraformGeneratorMetadata: {
        providerName: 'outreach',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._allowDuplicate = config.allowDuplicate;
    this._automationId = config.automationId;
    this._campaignId = config.campaignId;
    this._isFirst = config.isFirst;
    this._secret = config.secret;
    this._secretWo = config.secretWo;
    this._secretWoVersion = config.secretWoVersion;
    this._targetUrl = config.targetUrl;
    this._type = config.type;
    checkLiterals(this, () => ({ targetUrl: this._targetUrl, type: this._type, campaignId: this._campaignId }));
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // allow_duplicate - computed: false, optional: true, required: false
  private _allowDuplicate?: boolean | cdktf.IResolvable; 
  public get allowDuplicate() {
    return this.getBooleanAttribute('allow_duplicate');
  }
  public set allowDuplicate(value: boolean | cdktf.IResolvable) {
    this._allowDuplicate = value;
  }
  public resetAllowDuplicate() {
    this._allowDuplicate = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowDuplicateInput() {
    return this._allowDuplicate;
  }

  // automation_id - computed: false, optional: true, required: false
  private _automationId?: string; 
  public get automationId() {
    return this.getStringAttribute('automation_id');
  }
  public set automationId(value: string) {
    this._automationId = value;
  }
  public resetAutomationId() {
    this._automationId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get automationIdInput() {
    return this._automationId;
  }

  // campaign_id - computed: false, optional: true, required: false
  private _campaignId?: string; 
  public get campaignId() {
    return this.getStringAttribute('campaign_id');
  }
  public set campaignId(value: string) {
    this._campaignId = value;
  }
  public resetCampaignId() {
    this._campaignId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get campaignIdInput() {
    return this._campaignId;
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_first - computed: false, optional: true, required: false
  private _isFirst?: boolean | cdktf.IResolvable; 
  public get isFirst() {
    return this.getBooleanAttribute('is_first');
  }
  public set isFirst(value: boolean | cdktf.IResolvable) {
    this._isFirst = value;
  }
  public resetIsFirst() {
    this._isFirst = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get isFirstInput() {
    return this._isFirst;
  }

  // secret - computed: false, optional: true, required: false
  private _secret?: string; 
  public get secret() {
    return this.getStringAttribute('secret');
  }
  public set secret(value: string) {
    this._secret = value;
  }
  public resetSecret() {
    this._secret = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get secretInput() {
    return this._secret;
  }

  // secret_wo - computed: false, optional: true, required: false
  private _secretWo?: string; 
  public get secretWo() {
    return this.getStringAttribute('secret_wo');
  }
  public set secretWo(value: string) {
    this._secretWo = value;
  }
  public resetSecretWo() {
    this._secretWo = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get secretWoInput() {
    return this._secretWo;
  }

  // secret_wo_version - computed: false, optional: true, required: false
  private _secretWoVersion?: number; 
  public get secretWoVersion() {
    return this.getNumberAttribute('secret_wo_version');
  }
  public set secretWoVersion(value: number) {
    this._secretWoVersion = value;
  }
  public resetSecretWoVersion() {
    this._secretWoVersion = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get secretWoVersionInput() {
    return this._secretWoVersion;
  }

  // target_url - computed: false, optional: false, required: true
  private _targetUrl?: string; 
  public get targetUrl() {
    return this.getStringAttribute('target_url');
  }
  public set targetUrl(value: string) {
    this._targetUrl = value;
  }
  // Temporarily expose input value. Use with caution.
  public get targetUrlInput() {
    return this._targetUrl;
  }

  // type - computed: false, optional: true, required: false
  private _type?: string; 
  public get type() {
    return this.getStringAttribute('type');
  }
  public set type(value: string) {
    this._type = value;
  }
  public resetType() {
    this._type = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get typeInput() {
    return this._type;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      allow_duplicate: cdktf.booleanToTerraform(this._allowDuplicate),
      automation_id: cdktf.stringToTerraform(this._automationId),
      campaign_id: cdktf.stringToTerraform(this._campaignId),
      is_first: cdktf.booleanToTerraform(this._isFirst),
      secret: cdktf.stringToTerraform(this._secret),
      secret_wo: cdktf.stringToTerraform(this._secretWo),
      secret_wo_version: cdktf.numberToTerraform(this._secretWoVersion),
      target_url: cdktf.stringToTerraform(this._targetUrl),
      type: cdktf.stringToTerraform(this._type),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      allow_duplicate: {
        value: cdktf.booleanToHclTerraform(this._allowDuplicate),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      automation_id: {
        value: cdktf.stringToHclTerraform(this._automationId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      campaign_id: {
        value: cdktf.stringToHclTerraform(this._campaignId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      is_first: {
        value: cdktf.booleanToHclTerraform(this._isFirst),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      secret: {
        value: cdktf.stringToHclTerraform(this._secret),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      secret_wo: {
        value: cdktf.stringToHclTerraform(this._secretWo),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      secret_wo_version: {
        value: cdktf.numberToHclTerraform(this._secretWoVersion),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      target_url: {
        value: cdktf.stringToHclTerraform(this._targetUrl),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      type: {
        value: cdktf.stringToHclTerraform(this._type),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
