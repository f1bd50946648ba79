import type { LiveObject } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Tombstone } from "../state/document.ts";
import { type PendingIntent, openRequest } from "../state/journal-event.ts";
import { resolveCommands } from "./outcome-diagnostics.ts";

/** A recovery under way. */
export interface Recovering {
  readonly nowMs: number;
  readonly managedElsewhere: ReadonlySet<string>;
  readonly instances: Map<string, RecordedInstance>;
  readonly tombstones: Tombstone[];
  /** As in `StateDocument`. */
  readonly replacing: Set<string>;
  /** The intents that are decided now. */
  readonly settled: Set<number>;
  readonly diagnostics: Diagnostic[];
  readonly undecided: Diagnostic[];
}

/** Says what became of a write that was open. */
export function note(work: Recovering, pending: PendingIntent, what: string): void {
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
  work: Recovering,
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
