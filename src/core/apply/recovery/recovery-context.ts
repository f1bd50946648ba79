import type { Catalog, LiveObject } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Clock } from "../../model/ports.ts";
import type { LostCreate } from "../../state/document.ts";
import { type PendingIntent, openRequest } from "../../state/journal-event.ts";
import type { LiveList } from "../live/live-list.ts";
import { resolveCommands } from "../write/outcome-diagnostics.ts";
import type { ListingDelayMs } from "./decide-creates.ts";

/** A recovery under way. */
export interface RecoveryContext {
  readonly nowMs: number;
  readonly managedElsewhere: ReadonlySet<string>;
  readonly instances: Map<string, RecordedInstance>;
  readonly lostCreates: LostCreate[];
  /** As in `StateDocument`. */
  readonly replacing: Set<string>;
  /** The intents that are decided now. */
  readonly resolved: Set<number>;
  readonly diagnostics: Diagnostic[];
  readonly undecided: Diagnostic[];
}

/** Says what became of a write that was open. */
export function note(work: RecoveryContext, pending: PendingIntent, what: string): void {
  const { address, type } = pending.intent;
  work.diagnostics.push({
    code: "outcome_recovered",
    severity: "note",
    summary: "The outcome of an earlier write is clear now",
    detail: `The ${openRequest(pending).words} of ${address ?? type} ${what}.`,
    ...(address === null ? {} : { address }),
  });
}

/** Leaves a write open, and says how the user can settle it. */
export function leaveOpen(
  work: RecoveryContext,
  pending: PendingIntent,
  { why, candidates = [] }: { readonly why: string; readonly candidates?: readonly LiveObject[] },
): void {
  const { intent, cause } = pending;
  const reason = cause ?? "the run ended before the service's answer was stored";
  const ids = candidates.map(({ id }) => id).toSorted();
  work.undecided.push({
    code: "outcome_pending",
    severity: "error",
    summary: "The outcome of an earlier write is undecided",
    detail: `The ${openRequest(pending).words} of ${intent.address ?? intent.type} may or may not have been carried out: ${reason}. ${why}. Nothing is sent there before it is settled.`,
    hint: resolveCommands(intent.address, { adopt: ids }).join("\n"),
    ...(intent.address === null ? {} : { address: intent.address }),
  });
}

/** What recovery needs of the world outside. */
export interface RecoveryPorts {
  readonly catalog: Catalog;
  /** The live list of a type that has one. */
  readonly live: (type: string) => LiveList;
  readonly clock: Clock;
  readonly listingDelayMs: ListingDelayMs;
  readonly signal: AbortSignal;
  /** Told before it waits. */
  readonly waiting?: (durationMs: number) => void;
  /** Ids that belong to somebody who is not in the document. */
  readonly managedElsewhere?: ReadonlySet<string>;
}
