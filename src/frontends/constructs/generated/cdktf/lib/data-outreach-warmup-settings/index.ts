// https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/warmup_settings
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataOutreachWarmupSettingsConfig extends cdktf.TerraformMetaArguments {
  /**
  * Id of the mailbox.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/warmup_settings#user_mailbox_id DataOutreachWarmupSettings#user_mailbox_id}
  */
  readonly userMailboxId: string;
}
export interface DataOutreachWarmupSettingsDeliverability {
}

export function dataOutreachWarmupSettingsDeliverabilityToTerraform(struct?: DataOutreachWarmupSettingsDeliverability): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataOutreachWarmupSettingsDeliverabilityToHclTerraform(struct?: DataOutreachWarmupSettingsDeliverability): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataOutreachWarmupSettingsDeliverabilityOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataOutreachWarmupSettingsDeliverability | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataOutreachWarmupSettingsDeliverability | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // last_at - computed: true, optional: false, required: false
  public get lastAt() {
    return this.getStringAttribute('last_at');
  }

  // score - computed: true, optional: false, required: false
  public get score() {
    return this.getNumberAttribute('score');
  }
}

/**
* Represents a {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/warmup_settings outreach_warmup_settings}
*/
export class DataOutreachWarmupSettings extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "outreach_warmup_settings";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataOutreachWarmupSettings resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataOutreachWarmupSettings to import
  * @param importFromId The id of the existing DataOutreachWarmupSettings that should be imported. Refer to the {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/warmup_settings#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataOutreachWarmupSettings to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "outreach_warmup_settings", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/warmup_settings outreach_warmup_settings} Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataOutreachWarmupSettingsConfig
  */
  public constructor(scope: Construct, id: string, config: DataOutreachWarmupSettingsConfig) {
    super(scope, id, {
      terraformResourceType: 'outreach_warmup_settings',
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
    this._userMailboxId = config.userMailboxId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // active - computed: true, optional: false, required: false
  public get active() {
    return this.getBooleanAttribute('active');
  }

  // active_at - computed: true, optional: false, required: false
  public get activeAt() {
    return this.getStringAttribute('active_at');
  }

  // daily_limit - computed: true, optional: false, required: false
  public get dailyLimit() {
    return this.getNumberAttribute('daily_limit');
  }

  // deliverability - computed: true, optional: false, required: false
  private _deliverability = new DataOutreachWarmupSettingsDeliverabilityOutputReference(this, "deliverability");
  public get deliverability() {
    return this._deliverability;
  }

  // user_mailbox_id - computed: false, optional: false, required: true
  private _userMailboxId?: string; 
  public get userMailboxId() {
    return this.getStringAttribute('user_mailbox_id');
  }
  public set userMailboxId(value: string) {
    this._userMailboxId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get userMailboxIdInput() {
    return this._userMailboxId;
  }

  // warm_email_max - computed: true, optional: false, required: false
  public get warmEmailMax() {
    return this.getNumberAttribute('warm_email_max');
  }

  // warm_email_rampup - computed: true, optional: false, required: false
  public get warmEmailRampup() {
    return this.getNumberAttribute('warm_email_rampup');
  }

  // warmup_template - computed: true, optional: false, required: false
  public get warmupTemplate() {
    return this.getStringAttribute('warmup_template');
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      user_mailbox_id: cdktf.stringToTerraform(this._userMailboxId),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      user_mailbox_id: {
        value: cdktf.stringToHclTerraform(this._userMailboxId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
