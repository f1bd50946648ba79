import { type Before, type OpenCreate, type ListingDelayMs, remainingListingDelayMs } from "../../../core/apply/recovery/decide-creates.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import type { Intent } from "../../../core/state/journal-event.ts";
import type { CreateOutcome } from "../../provider-journal/ledger.ts";

/** A create as the ledger describes it. */
export interface JournaledCreate {
  /** Its unique name: of the process that began it, and its number there. */
  readonly name: string;
  readonly intent: Intent;
  readonly before: Before | undefined;
  readonly outcome: CreateOutcome;
}

/** Whether no outcome is recorded. */
export function isUndecided({ outcome }: JournaledCreate): boolean {
  return outcome.kind === "open";
}

/** The unique name of an object: its id, or its identity if it has none. */
export function nameOf(definition: AnyResource, attributes: Attributes): string {
  const { id } = attributes;
  return typeof id === "string" ? `${definition.type} ${id}` : identityKey(definition, attributes);
}

/** A create whose object to look for in the list. */
export interface LookedFor extends OpenCreate {
  readonly name: string;
  readonly answered: boolean;
  readonly lastAtMs: number;
}

export function lookedFor({ name, intent, before, outcome }: JournaledCreate): LookedFor {
  const { answered, lastAtMs } = outcome.kind === "open" ? outcome : { answered: false, lastAtMs: intent.sentAtMs };
  return { name, intent, before, problem: null, answered, lastAtMs };
}

/** How long to wait until a list shows all of them. */
export function longestWait(sought: readonly Pick<LookedFor, "answered" | "lastAtMs">[], listingDelayMs: ListingDelayMs, nowMs: number): number {
  return Math.max(0, ...sought.map((one) => remainingListingDelayMs(one, listingDelayMs, nowMs)));
}
