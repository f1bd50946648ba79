import type { Declaration, ImportTarget, Statements } from "../model/declaration.ts";
import type { Catalog, LiveListing, LiveObject } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Guard } from "../model/guard.ts";
import type { Limits } from "../model/limits.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { FindDuplicates } from "./duplicates.ts";
import type { IsMissing } from "./missing.ts";
import type { Drift, Step } from "./plan.ts";
import type { DeclaredProtection } from "./protection.ts";
import type { WaitingWrite } from "./rechecks.ts";
import type { UndecidedWrite } from "./undecided.ts";

/** The context in which every address is planned. */
export interface PlanContext {
  readonly options: PlanOptions;
  readonly limits: Limits;
  readonly live: ReadonlyMap<string, LiveListing>;
  readonly liveById: ReadonlyMap<string, ReadonlyMap<string, LiveObject>>;
  /** By resource type; absent for a type that cannot be listed. */
  readonly isMissing: ReadonlyMap<string, IsMissing>;
  readonly findDuplicates: FindDuplicates;
  readonly declaredProtection: DeclaredProtection;
  /** The imports, by the address that declares the object. */
  readonly imports: ReadonlyMap<string, ImportTarget>;
  /** The address of everything that stays managed, by its id; empty where the configuration imports nothing. */
  readonly holders: ReadonlyMap<string, string>;
  /** The blocks whose objects are released: forgotten, and not deleted. */
  readonly released: ReadonlySet<string>;
}

/** The plan for one address. */
export interface AddressPlan {
  /** The record of an object that the list does not show, and that counts as live. */
  readonly hidden?: RecordedInstance;
  readonly steps: readonly Step[];
  readonly drift: Drift | null;
  readonly diagnostics: readonly Diagnostic[];
  /** What waits at all addresses of a type. */
  readonly waiting?: readonly WaitingWrite[];
}

/** The part of the configuration and the state that a plan is about. */
export interface Scope {
  /** Addresses, or blocks with all their instances; empty for everything. */
  readonly targets: readonly string[];
  /** Addresses or blocks that the plan leaves as they are, also where they are targets. */
  readonly excludes: readonly string[];
}

export const EVERYTHING: Scope = { targets: [], excludes: [] };

/** What a user can request of a plan in addition to the configuration, and which guards are lifted. */
export interface PlanChoices extends Scope {
  /** Destroy everything. The limit on deletions does not apply. */
  readonly destroy: boolean;
  /** Whether the plan only updates the state from the service: it creates, replaces and deletes nothing. */
  readonly refreshOnly: boolean;
  /** Addresses or blocks to replace even if nothing has changed. */
  readonly replace: readonly string[];
  /** Import identical unmanaged objects where the match is certain. */
  readonly adopt: boolean;
  /** Record declared irreversible writes that are not recorded as done, without a request. */
  readonly assumeUnsubscribed: boolean;
  readonly allow: readonly Guard[];
}

/** The choices alone, each with its default: nothing is picked, and nothing is allowed. */
export function choicesOf({
  targets = [],
  excludes = [],
  destroy = false,
  refreshOnly = false,
  replace = [],
  adopt = false,
  assumeUnsubscribed = false,
  allow = [],
}: Partial<PlanChoices>): PlanChoices {
  return { targets, excludes, destroy, refreshOnly, replace, adopt, assumeUnsubscribed, allow };
}

export interface PlanOptions extends PlanChoices {
  /** Plan only imports: each records a live object, and nothing is sent. */
  readonly importsOnly: boolean;
  /** The time of the plan, in milliseconds since the epoch: it decides what is due. */
  readonly atMs: number;
  /** What a run looks for of what waits: what is due, within the limit, or everything. */
  readonly rechecks: "due" | "all";
  /** How the plan is approved: by a person who types it, by nobody, or by the file that it is saved in. `open`: it is only shown. */
  readonly approval: "typed" | "none" | "saved" | "open";
  /** False for a plan that was approved before, with its guards. */
  readonly guarded: boolean;
}

export const PLAIN_OPTIONS: PlanOptions = {
  ...choicesOf({}),
  importsOnly: false,
  atMs: 0,
  rechecks: "due",
  approval: "typed",
  guarded: true,
};

/** The input of a plan. */
export interface PlanInput extends Statements {
  readonly catalog: Catalog;
  /** The declarations, with digests of the secrets among the attributes. A destroy considers only what they protect. */
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  /** The addresses whose object was deleted for a replace, and that have no new one yet. */
  readonly replacing?: readonly string[] | undefined;
  /** The live objects, by resource type; a type that cannot be listed is absent. */
  readonly live: ReadonlyMap<string, LiveListing>;
  /** Whether the service allows one object per value of a type's exclusive attribute. */
  readonly exclusive?: boolean;
  /** Whether creates carry a mark. */
  readonly marks?: boolean;
  /** The ids of unmanaged live objects that are reported by other means. */
  readonly reported?: ReadonlySet<string>;
  readonly limits: Limits;
  readonly options: PlanOptions;
  /** The writes whose outcome is undecided: their addresses get no step. */
  readonly undecided: readonly UndecidedWrite[];
}
