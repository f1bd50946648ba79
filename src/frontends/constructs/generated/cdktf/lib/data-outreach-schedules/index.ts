// https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/schedules
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataOutreachSchedulesConfig extends cdktf.TerraformMetaArguments {
  /**
  * Id of the campaign.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/schedules#campaign_id DataOutreachSchedules#campaign_id}
  */
  readonly campaignId: string;
}
export interface DataOutreachSchedulesSchedules {
}

export function dataOutreachSchedulesSchedulesToTerraform(struct?: DataOutreachSchedulesSchedules): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataOutreachSchedulesSchedulesToHclTerraform(struct?: DataOutreachSchedulesSchedules): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataOutreachSchedulesSchedulesOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): DataOutreachSchedulesSchedules | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataOutreachSchedulesSchedules | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // created_by - computed: true, optional: false, required: false
  public get createdBy() {
    return this.getStringAttribute('created_by');
  }

  // deleted_at - computed: true, optional: false, required: false
  public get deletedAt() {
    return this.getStringAttribute('deleted_at');
  }

  // deleted_by - computed: true, optional: false, required: false
  public get deletedBy() {
    return this.getStringAttribute('deleted_by');
  }

  // end - computed: true, optional: false, required: false
  public get end() {
    return this.getStringAttribute('end');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // public - computed: true, optional: false, required: false
  public get public() {
    return this.getBooleanAttribute('public');
  }

  // seconds_to_wait - computed: true, optional: false, required: false
  public get secondsToWait() {
    return this.getNumberAttribute('seconds_to_wait');
  }

  // start - computed: true, optional: false, required: false
  public get start() {
    return this.getStringAttribute('start');
  }

  // team_id - computed: true, optional: false, required: false
  public get teamId() {
    return this.getStringAttribute('team_id');
  }

  // timezone - computed: true, optional: false, required: false
  public get timezone() {
    return this.getStringAttribute('timezone');
  }

  // weekdays - computed: true, optional: false, required: false
  public get weekdays() {
    return this.getNumberListAttribute('weekdays');
  }
}

export class DataOutreachSchedulesSchedulesList extends cdktf.ComplexList {

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(protected terraformResource: cdktf.IInterpolatingParent, protected terraformAttribute: string, protected wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): DataOutreachSchedulesSchedulesOutputReference {
    return new DataOutreachSchedulesSchedulesOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* Represents a {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/schedules outreach_schedules}
*/
export class DataOutreachSchedules extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "outreach_schedules";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataOutreachSchedules resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataOutreachSchedules to import
  * @param importFromId The id of the existing DataOutreachSchedules that should be imported. Refer to the {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/schedules#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataOutreachSchedules to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "outreach_schedules", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs/data-sources/schedules outreach_schedules} Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataOutreachSchedulesConfig
  */
  public constructor(scope: Construct, id: string, config: DataOutreachSchedulesConfig) {
    super(scope, id, {
      terraformResourceType: 'outreach_schedules',
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

  // ids - computed: true, optional: false, required: false
  public get ids() {
    return this.getListAttribute('ids');
  }

  // schedules - computed: true, optional: false, required: false
  private _schedules = new DataOutreachSchedulesSchedulesList(this, "schedules", false);
  public get schedules() {
    return this._schedules;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      campaign_id: cdktf.stringToTerraform(this._campaignId),
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
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
