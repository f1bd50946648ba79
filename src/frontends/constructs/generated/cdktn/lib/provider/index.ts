// https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktn from 'cdktn';

// Configuration

export interface OutreachProviderConfig {
  /**
  * API key of a user of the team. Default: the environment variable `OUTREACH_API_KEY`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs#api_key OutreachProvider#api_key}
  */
  readonly apiKey?: string;
  /**
  * Base address of the service's API, with its path prefix. Default: the environment variable `OUTREACH_BASE_URL`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs#base_url OutreachProvider#base_url}
  */
  readonly baseUrl?: string;
  /**
  * Whether the service allows one webhook per target URL, as users observed. If true, the provider creates no second one. Default: as the service has shown. The provider remembers the first create that it answers with 409.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs#unique_target_url OutreachProvider#unique_target_url}
  */
  readonly uniqueTargetUrl?: boolean | cdktn.IResolvable;
  /**
  * Alias name
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs#alias OutreachProvider#alias}
  */
  readonly alias?: string;
}

import { OutreachProviderFunctions } from '../provider-functions/index';
/**
* Represents a {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs outreach}
*/
export class OutreachProvider extends cdktn.TerraformProvider {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "outreach";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTN code for importing a OutreachProvider resource upon running "cdktn plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the OutreachProvider to import
  * @param importFromId The id of the existing OutreachProvider that should be imported. Refer to the {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the OutreachProvider to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktn.TerraformProvider) {
        return new cdktn.ImportableResource(scope, importToId, { terraformResourceType: "outreach", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/outreach-as-code/outreach/latest/docs outreach} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options OutreachProviderConfig = {}
  */
  public constructor(scope: Construct, id: string, config: OutreachProviderConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'outreach',
      terraformGeneratorMetadata: {
        providerName: 'outreach',
        providerVersionConstraint: '~> 0.1'
      },
      terraformProviderSource: 'outreach-as-code/outreach'
    });
    this._apiKey = config.apiKey;
    this._baseUrl = config.baseUrl;
    this._uniqueTargetUrl = config.uniqueTargetUrl;
    this._alias = config.alias;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // api_key - computed: false, optional: true, required: false
  private _apiKey?: string; 
  public get apiKey() {
    return this._apiKey;
  }
  public set apiKey(value: string | undefined) {
    this._apiKey = value;
  }
  public resetApiKey() {
    this._apiKey = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get apiKeyInput() {
    return this._apiKey;
  }

  // base_url - computed: false, optional: true, required: false
  private _baseUrl?: string; 
  public get baseUrl() {
    return this._baseUrl;
  }
  public set baseUrl(value: string | undefined) {
    this._baseUrl = value;
  }
  public resetBaseUrl() {
    this._baseUrl = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get baseUrlInput() {
    return this._baseUrl;
  }

  // unique_target_url - computed: false, optional: true, required: false
  private _uniqueTargetUrl?: boolean | cdktn.IResolvable; 
  public get uniqueTargetUrl() {
    return this._uniqueTargetUrl;
  }
  public set uniqueTargetUrl(value: boolean | cdktn.IResolvable | undefined) {
    this._uniqueTargetUrl = value;
  }
  public resetUniqueTargetUrl() {
    this._uniqueTargetUrl = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get uniqueTargetUrlInput() {
    return this._uniqueTargetUrl;
  }

  // alias - computed: false, optional: true, required: false
  private _alias?: string; 
  public get alias() {
    return this._alias;
  }
  public set alias(value: string | undefined) {
    this._alias = value;
  }
  public resetAlias() {
    this._alias = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get aliasInput() {
    return this._alias;
  }

  // ==========================
  // PROVIDER-DEFINED FUNCTIONS
  // ==========================
  private _functions?: OutreachProviderFunctions;

  /**
  * Provider-defined functions of the outreach provider.
  */
  public get functions(): OutreachProviderFunctions {
    if (!this._functions) {
      this._functions = new OutreachProviderFunctions(this.terraformResourceType);
    }
    return this._functions;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      api_key: cdktn.stringToTerraform(this._apiKey),
      base_url: cdktn.stringToTerraform(this._baseUrl),
      unique_target_url: cdktn.booleanToTerraform(this._uniqueTargetUrl),
      alias: cdktn.stringToTerraform(this._alias),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      api_key: {
        value: cdktn.stringToHclTerraform(this._apiKey),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      base_url: {
        value: cdktn.stringToHclTerraform(this._baseUrl),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      unique_target_url: {
        value: cdktn.booleanToHclTerraform(this._uniqueTargetUrl),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      alias: {
        value: cdktn.stringToHclTerraform(this._alias),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
