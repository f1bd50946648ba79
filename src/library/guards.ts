import type { PlanChoices } from "../operations/options.ts";
import type { Guard } from "./library-options.ts";

/** The choice that lifts each guard. */
export const LIFTED_BY: { readonly [name in Guard]: Partial<PlanChoices> } = {
  deletes: { allowDeletes: true },
  replaces: { allowReplaces: true },
  recreate: { allowRecreate: true },
  unsubscribes: { allowUnsubscribes: true },
  "campaign-change": { allowCampaignChange: true },
  shrink: { allowShrink: true },
  "service-change": { allowServiceChange: true },
  "local-state": { allowLocalState: true },
};
