// https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataOutreachCampaignConfig extends cdktf.TerraformMetaArguments {
  /**
  * Id of the campaign.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign#id DataOutreachCampaign#id}
  *
  * Please be aware that the id field is automatically added to all resources in Terraform providers using a Terraform provider SDK version below 2.
  * If you experience problems setting this value it might not be settable. Please take a look at the provider documentation to ensure it should be settable.
  */
  readonly id?: string;
  /**
  * Exact name of the campaign.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign#name DataOutreachCampaign#name}
  */
  readonly name?: string;
  /**
  * Status, if several campaigns have the same name. A campaign can have several. One of `running`, `paused`, `draft`, `ended`, `archived`, `errors`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign#status DataOutreachCampaign#status}
  */
  readonly status?: string;
}

/**
* Represents a {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign outreach_campaign}
*/
export class DataOutreachCampaign extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "outreach_campaign";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataOutreachCampaign resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataOutreachCampaign to import
  * @param importFromId The id of the existing DataOutreachCampaign that should be imported. Refer to the {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataOutreachCampaign to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "outreach_campaign", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/campaign outreach_campaign} Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataOutreachCampaignConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataOutreachCampaignConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'outreach_campaign',
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
    this._id = config.id;
    this._name = config.name;
    this._status = config.status;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // created_by - computed: true, optional: false, required: false
  public get createdBy() {
    return this.getStringAttribute('created_by');
  }

  // creator_json - computed: true, optional: false, required: false
  public get creatorJson() {
    return this.getStringAttribute('creator_json');
  }

  // errors - computed: true, optional: false, required: false
  public get errors() {
    return this.getListAttribute('errors');
  }

  // has_error - computed: true, optional: false, required: false
  public get hasError() {
    return this.getBooleanAttribute('has_error');
  }

  // id - computed: true, optional: true, required: false
  private _id?: string; 
  public get id() {
    return this.getStringAttribute('id');
  }
  public set id(value: string) {
    this._id = value;
  }
  public resetId() {
    this._id = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get idInput() {
    return this._id;
  }

  // labels - computed: true, optional: false, required: false
  public get labels() {
    return this.getListAttribute('labels');
  }

  // name - computed: true, optional: true, required: false
  private _name?: string; 
  public get name() {
    return this.getStringAttribute('name');
  }
  public set name(value: string) {
    this._name = value;
  }
  public resetName() {
    this._name = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get nameInput() {
    return this._name;
  }

  // schedule_ids - computed: true, optional: false, required: false
  public get scheduleIds() {
    return this.getListAttribute('schedule_ids');
  }

  // senders_json - computed: true, optional: false, required: false
  public get sendersJson() {
    return this.getStringAttribute('senders_json');
  }

  // sequence_id - computed: true, optional: false, required: false
  public get sequenceId() {
    return this.getStringAttribute('sequence_id');
  }

  // status - computed: true, optional: true, required: false
  private _status?: string; 
  public get status() {
    return this.getStringAttribute('status');
  }
  public set status(value: string) {
    this._status = value;
  }
  public resetStatus() {
    this._status = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get statusInput() {
    return this._status;
  }

  // team_id - computed: true, optional: false, required: false
  public get teamId() {
    return this.getStringAttribute('team_id');
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      id: cdktf.stringToTerraform(this._id),
      name: cdktf.stringToTerraform(this._name),
      status: cdktf.stringToTerraform(this._status),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      id: {
        value: cdktf.stringToHclTerraform(this._id),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      name: {
        value: cdktf.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      status: {
        value: cdktf.stringToHclTerraform(this._status),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
