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
  /** One-way writes that are declared and not recorded are recorded as done, without a request. */
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
