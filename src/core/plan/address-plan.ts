import type { ImportTarget } from "../model/declaration.ts";
import type { LiveListing, LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { PlanOptions } from "./plan-options.ts";
import type { Drift, Step } from "./plan.ts";
import type { DeclaredProtection } from "./protection.ts";
import type { FindTwins } from "./twins.ts";

/** What every address is planned with. */
export interface PlanContext {
  readonly options: PlanOptions;
  readonly live: ReadonlyMap<string, LiveListing>;
  readonly liveById: ReadonlyMap<string, ReadonlyMap<string, LiveObject>>;
  readonly findTwins: FindTwins;
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
