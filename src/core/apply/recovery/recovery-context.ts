import type { Catalog, LiveObject } from "../../model/definition.ts";
import { type Diagnostic, noteOf } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Clock, ProcessIdentity } from "../../model/ports.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import { type PendingIntent, openRequest } from "../../state/journal-event.ts";
import type { LiveList } from "../live/live-list.ts";
import { type UndecidedWrite, waysToResolve } from "../../plan/undecided.ts";
import { NO_ANSWER_STORED } from "../write/outcome-diagnostics.ts";
import type { ListingDelayMs, ListWait } from "../live/listing-delay.ts";

/** A recovery in progress. */
export interface RecoveryContext {
  readonly nowMs: number;
  /** Whether the run only plans, as `RecoveryPorts` says. */
  readonly plans: boolean;
  readonly instances: Map<string, RecordedInstance>;
  readonly lostCreates: LostCreate[];
  /** The addresses whose replace is in its second half, as `StateDocument` has them. */
  readonly replacing: Set<string>;
  /** The intents that recovery has decided. */
  readonly resolved: Set<number>;
  /** The intents of creates that were not carried out as far as the length of a list tells: they are decided after another one. */
  readonly deferred: Set<number>;
  readonly diagnostics: Diagnostic[];
  readonly undecided: UndecidedWrite[];
}

/** Notes the outcome of a write that was undecided. `isSaid`: the text says already what is recorded. */
export function note(work: RecoveryContext, pending: PendingIntent, what: string, isSaid = false): void {
  const { address, type } = pending.intent;
  work.diagnostics.push(
    noteOf("outcome_recovered", "The outcome of a write is known now", {
      detail: `The ${openRequest(pending).words} of ${address ?? type} ${what}.${work.plans && !isSaid ? " This will be recorded." : ""}`,
      ...(address === null ? {} : { address }),
    }),
  );
}

/** Leaves a write undecided, with the ways in which the user can resolve it. */
export function leaveOpen(
  work: RecoveryContext,
  pending: PendingIntent,
  { why, candidates = [] }: { readonly why: string; readonly candidates?: readonly LiveObject[] },
): void {
  const { address, type } = pending.intent;
  const ids = candidates.map(({ id }) => id).toSorted();
  const ways = waysToResolve({ address, type, candidates: ids });
  work.undecided.push({
    address,
    type,
    sent: openRequest(pending).words,
    cause: pending.cause ?? NO_ANSWER_STORED,
    why,
    candidates: ids,
    ways,
  });
}

/** The ports of recovery. */
export interface RecoveryPorts extends ListWait {
  readonly catalog: Catalog;
  /** The live list of a type that has one. */
  readonly live: (type: string) => LiveList;
  readonly clock: Clock;
  readonly process: ProcessIdentity;
  readonly listingDelayMs: ListingDelayMs;
  /** Whether the object of an address is created again if it was not; that of every address where absent. */
  readonly isWanted?: (address: string | null) => boolean;
  /** Whether the caller only plans, so that an apply will record what is found out. */
  readonly plans?: boolean;
}
