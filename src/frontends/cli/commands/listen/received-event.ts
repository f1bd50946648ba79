/**
 * The result of comparing secrets. `unchecked`: no secret was given to compare with. `none`: the body is not an event.
 */
export type Verification = "verified" | "unchecked" | "wrong" | "missing" | "none";

/** What happened to one delivery. */
export interface ReceivedEvent {
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly verification: Verification;
  /** Why it was refused, as a sentence; null if it was accepted. */
  readonly problem: string | null;
  /** The event without its secret; null if the body is not an event. With a wrong secret, anyone can have sent it. */
  readonly event: EventFields | null;
  /** Whether an event with this type and id was accepted before. */
  readonly isDuplicate: boolean;
  /** Results in the order of the targets. */
  readonly forwards: readonly Forwarded[];
  /** The path of the saved file; null if nothing was saved. */
  readonly savedAs: string | null;
  /** The status that the sender received. */
  readonly status: number;
}

export type EventFields = { readonly [field: string]: unknown };

/** One forwarded delivery. */
export interface Forwarded {
  /** Without the query. */
  readonly url: string;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** Why there is no answer, as a clause; null with one. */
  readonly problem: string | null;
  readonly durationMs: number;
}

/** A field of an event as text; empty if the event has no such text. */
export function textOf(event: EventFields | null, field: string): string {
  const value = event?.[field];
  return typeof value === "string" ? value : "";
}
