import type { Guard } from "./guard.ts";
import type { Limits } from "./limits.ts";

/** Where a way out applies: an instance, or only its type where the address is not known, as in the Terraform provider. */
interface Target {
  readonly address: string | null;
  readonly type: string;
}

/**
 * What users can do about a diagnostic, as data. Each frontend renders a way in its own syntax, in one place, and leaves
 * out what it has no syntax for. Deep code lists the ways in the order in which users should consider them.
 */
export type WayOut =
  /**
   * Record a live object at an address, without a request: one of `ids`. `replacesRecord`: the record there is of an object
   * that is gone, and must be removed first. `isUndeclared`: the address must be declared first.
   */
  | (Target & {
      readonly kind: "import";
      readonly ids: readonly string[];
      readonly replacesRecord?: true;
      readonly isUndeclared?: true;
    })
  /** Plan again, and import every identical unmanaged object whose whole identity is known. */
  | { readonly kind: "adopt-certain" }
  /** Allow several identical objects at these addresses. `isLive`: the others exist already. */
  | { readonly kind: "allow-duplicate"; readonly addresses: readonly (string | null)[]; readonly isLive?: true }
  /**
   * Give the object at an address a value of its own: the service allows one object per value of this attribute. `isReplaced`: the
   * old object of the same address has the value.
   */
  | (Target & { readonly kind: "distinguish"; readonly attribute: string; readonly isReplaced?: true })
  /** Say in the settings that the service allows one object per value: plans then stop before they send a second one. */
  | { readonly kind: "set-exclusive" }
  /** If the object belongs to the resource that is replaced: let it be deleted before the new one is created, or change this attribute too. */
  | { readonly kind: "delete-first"; readonly attribute: string }
  /** Delete the live object with this id by hand, where nobody needs it. */
  | { readonly kind: "delete-foreign"; readonly id: string }
  /** Remove the object from the state of another owner, which would undo what this one changes. */
  | { readonly kind: "remove-elsewhere" }
  /** Record a live object as the outcome of an undecided create. */
  | { readonly kind: "adopt"; readonly address: string | null; readonly id: string }
  /** Send an unconfirmed write again; or treat an undecided one as not carried out, so that the next apply sends it. */
  | (Target & { readonly kind: "retry" })
  /** Stop looking for the outcome of a write, and record nothing. */
  | { readonly kind: "forget"; readonly address: string | null }
  /** Record an object that has appeared late, so that the next apply deletes it. */
  | { readonly kind: "delete-late"; readonly address: string | null; readonly id: string }
  /** Stop warning about objects that have appeared late. */
  | { readonly kind: "dismiss"; readonly address: string | null }
  /** Lift a guard for one run, or raise the limit of the configuration that it belongs to. */
  | { readonly kind: "allow"; readonly guard: Guard; readonly limit: keyof Limits | null }
  /** Let a person approve this plan. */
  | { readonly kind: "approve" }
  /** Move a record to another address: an instance, or a block with all its instances. */
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  /** State in the configuration that something has moved. */
  | { readonly kind: "declare-moved"; readonly from: string; readonly to: string }
  /** Remove a record from the state; the object stays. */
  | (Target & { readonly kind: "remove-record" })
  /** Restrict the plan to these addresses, and no fewer. */
  | { readonly kind: "target"; readonly addresses: readonly string[] }
  /** The same for what a plan leaves out. */
  | { readonly kind: "exclude"; readonly addresses: readonly string[] }
  /** Plan everything, not only the targets. */
  | { readonly kind: "untarget" }
  /** Replace the object at an address, although nothing asks for it. */
  | (Target & { readonly kind: "replace" })
  /** Do not request the replacement of this address. */
  | { readonly kind: "keep"; readonly address: string }
  /** Correct the addresses of records, or remove records. */
  | { readonly kind: "edit-state" }
  /** Use this address, which is similar to the one that was typed. */
  | { readonly kind: "use-address"; readonly address: string }
  /** List the addresses of the state. */
  | { readonly kind: "list-records" }
  /** List the live objects with their ids. */
  | { readonly kind: "list-live" }
  /** Use another state. */
  | { readonly kind: "choose-state" }
  /** Name the configuration with the key of the state, even if the state is named elsewhere. */
  | { readonly kind: "name-configuration" }
  /** Put a file in the place of the state; `isForced`: although the state is there and cannot be read. */
  | { readonly kind: "replace-state"; readonly file: string; readonly isForced: boolean }
  /** Move the state from this place to the configured one. */
  | { readonly kind: "migrate-state"; readonly from: string; readonly isAlternative?: true }
  /** Replace the state in the new place. A copy of it is kept. */
  | { readonly kind: "overwrite-state" }
  /** Store a state that a run had to keep in a file. */
  | { readonly kind: "push-state"; readonly file: string }
  /** Wait for the run that holds the lock. */
  | { readonly kind: "wait-for-lock" }
  /** Remove a stale lock. `state`: where, if it is not the lock of the configured state. */
  | { readonly kind: "unlock"; readonly id: string; readonly state?: string }
  /** Release the creates that a run of the Terraform provider has left in its journal. */
  | { readonly kind: "release-creates"; readonly id: string }
  /** Give a variable its value; `name` is null where any would do. A sensitive one must not stand on a command line. */
  | { readonly kind: "set-variable"; readonly name: string | null; readonly sensitive: boolean }
  /** Give an attribute this value in the configuration. `purpose`, as in "To try again": what that is for. */
  | (Target & {
      readonly kind: "set-attribute";
      readonly attribute: string;
      readonly value: string | boolean;
      readonly purpose?: string;
    })
  /** Give a block several values for an attribute, and so an instance for each. Null, or a name that no attribute has: for any attribute. */
  | { readonly kind: "fan-out"; readonly attribute: string | null }
  /** Find out, by reads alone, whether the service truncates its list, and record the answer. */
  | { readonly kind: "check-list" }
  /** Check the API key. */
  | { readonly kind: "check-key" }
  /** Write an address as it must be typed; `isKeyed`: with the key of one instance. */
  | { readonly kind: "write-address"; readonly isKeyed: boolean }
  /** Run a synthesised stack with Terraform, which may support it. */
  | { readonly kind: "use-terraform" }
  /** Show what an apply would do. */
  | { readonly kind: "plan" }
  /** Apply the configuration, again. */
  | { readonly kind: "apply" };
