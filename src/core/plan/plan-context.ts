import type { Declaration, ImportTarget, Statements } from "../model/declaration.ts";
import type { Catalog, LiveListing, LiveObject } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Limits } from "../model/limits.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { FindDuplicates } from "./duplicates.ts";
import type { IsMissing } from "./missing.ts";
import type { Drift, Step } from "./plan.ts";
import type { DeclaredProtection } from "./protection.ts";

/** What every address is planned with. */
export interface PlanContext {
  readonly options: PlanOptions;
  readonly live: ReadonlyMap<string, LiveListing>;
  readonly liveById: ReadonlyMap<string, ReadonlyMap<string, LiveObject>>;
  /** By resource type; absent for a type that cannot be listed. */
  readonly isMissing: ReadonlyMap<string, IsMissing>;
  readonly findDuplicates: FindDuplicates;
  readonly declaredProtection: DeclaredProtection;
  /** What is to be imported, by the address that declares it. */
  readonly imports: ReadonlyMap<string, ImportTarget>;
  /** The address of everything that is managed and stays so, by its id; filled where something is to be imported. */
  readonly holders: ReadonlyMap<string, string>;
  /** The blocks whose objects are let go: forgotten, and not deleted. */
  readonly released: ReadonlySet<string>;
}

/** What becomes of one address. */
export interface AddressPlan {
  readonly steps: readonly Step[];
  readonly drift: Drift | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a user may ask of a plan beside the configuration, and which guards are lifted. */
export interface PlanOptions {
  /** Nothing shall be left. The bound on deletions does not hold. */
  readonly destroy: boolean;
  /** Only the record follows what is live: nothing is created, replaced or deleted. */
  readonly refreshOnly: boolean;
  /** Addresses, or blocks with all their instances; empty for everything. */
  readonly targets: readonly string[];
  /** Addresses or blocks to replace even where nothing has changed. */
  readonly replace: readonly string[];
  /** Identical unmanaged objects are taken over where there is no doubt. */
  readonly adopt: boolean;
  /** Irreversible writes that are declared and not recorded are recorded as done, without a request. */
  readonly assumeUnsubscribed: boolean;
  readonly allowDeletes: boolean;
  readonly allowRecreate: boolean;
  readonly allowUnsubscribes: boolean;
  readonly allowCampaignChange: boolean;
  /** Nobody looks at this plan before it is applied. */
  readonly unattended: boolean;
  /** False where the plan has been approved already, with its guards. */
  readonly guarded: boolean;
}

export const PLAIN_OPTIONS: PlanOptions = {
  destroy: false,
  refreshOnly: false,
  targets: [],
  replace: [],
  adopt: false,
  assumeUnsubscribed: false,
  allowDeletes: false,
  allowRecreate: false,
  allowUnsubscribes: false,
  allowCampaignChange: false,
  unattended: false,
  guarded: true,
};

/** What a plan is made from. */
export interface PlanInput extends Statements {
  readonly catalog: Catalog;
  /** With the secrets as digests among the attributes. To destroy everything, only what they protect counts. */
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  /** The addresses whose object was deleted to be replaced, and where nothing new is recorded yet. */
  readonly replacing?: readonly string[];
  /** What is live, by resource type; a type that cannot be listed is absent. */
  readonly live: ReadonlyMap<string, LiveListing>;
  readonly limits: Limits;
  readonly options: PlanOptions;
  /** What is said about addresses whose outcome is open: they get no step. */
  readonly undecided: readonly Diagnostic[];
}
