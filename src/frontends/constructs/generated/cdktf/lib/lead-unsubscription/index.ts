// https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { checkLiterals } from '../literal-checks';

// Configuration

export interface LeadUnsubscriptionConfig extends cdktf.TerraformMetaArguments {
  /**
  * Campaign to unsubscribe the lead from.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription#campaign_id LeadUnsubscription#campaign_id}
  */
  readonly campaignId: string;
  /**
  * Email address of the lead. Case does not matter, nor does the form of an international address.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription#email LeadUnsubscription#email}
  */
  readonly email: string;
  /**
  * Result if the campaign has no such lead. `warn` (default) records it as done with a warning, `ignore` without one. `error` fails. `retry` fails, and every apply tries again until the lead exists.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription#on_not_found LeadUnsubscription#on_not_found}
  */
  readonly onNotFound?: string;
}

/**
* Represents a {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription outreach_lead_unsubscription}
*/
export class LeadUnsubscription extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "outreach_lead_unsubscription";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a LeadUnsubscription resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the LeadUnsubscription to import
  * @param importFromId The id of the existing LeadUnsubscription that should be imported. Refer to the {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the LeadUnsubscription to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "outreach_lead_unsubscription", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/resources/lead_unsubscription outreach_lead_unsubscription} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options LeadUnsubscriptionConfig
  */
  public constructor(scope: Construct, id: string, config: LeadUnsubscriptionConfig) {
    super(scope, id, {
      terraformResourceType: 'outreach_lead_unsubscription',
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
    this._campaignId = config.campaignId;
    this._email = config.email;
    this._onNotFound = config.onNotFound;
    checkLiterals(this, () => ({ campaignId: this._campaignId }));
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // campaign_id - computed: false, optional: false, required: true
  private _campaignId?: string; 
  public get campaignId() {
    return this.getStringAttribute('campaign_id');
  }
  public set campaignId(value: string) {
    this._campaignId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get campaignIdInput() {
    return this._campaignId;
  }

  // contact_id - computed: true, optional: false, required: false
  public get contactId() {
    return this.getStringAttribute('contact_id');
  }

  // email - computed: false, optional: false, required: true
  private _email?: string; 
  public get email() {
    return this.getStringAttribute('email');
  }
  public set email(value: string) {
    this._email = value;
  }
  // Temporarily expose input value. Use with caution.
  public get emailInput() {
    return this._email;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_paused - computed: true, optional: false, required: false
  public get isPaused() {
    return this.getBooleanAttribute('is_paused');
  }

  // on_not_found - computed: true, optional: true, required: false
  private _onNotFound?: string; 
  public get onNotFound() {
    return this.getStringAttribute('on_not_found');
  }
  public set onNotFound(value: string) {
    this._onNotFound = value;
  }
  public resetOnNotFound() {
    this._onNotFound = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onNotFoundInput() {
    return this._onNotFound;
  }

  // outcome - computed: true, optional: false, required: false
  public get outcome() {
    return this.getStringAttribute('outcome');
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      campaign_id: cdktf.stringToTerraform(this._campaignId),
      email: cdktf.stringToTerraform(this._email),
      on_not_found: cdktf.stringToTerraform(this._onNotFound),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      campaign_id: {
        value: cdktf.stringToHclTerraform(this._campaignId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      email: {
        value: cdktf.stringToHclTerraform(this._email),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      on_not_found: {
        value: cdktf.stringToHclTerraform(this._onNotFound),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
