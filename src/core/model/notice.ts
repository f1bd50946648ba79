/** Events that can be notified of. */
export const NOTICE_EVENTS = ["drift", "failed", "undecided", "approval", "rechecked"] as const;

export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** One thing that a run has found, and that people want to know. */
export interface Notice {
  readonly event: NoticeEvent;
  /** A sentence. */
  readonly summary: string;
  /** What it is about, one thing a line. */
  readonly lines: readonly string[];
  /** The same for the same finding, in every run: without times and counts of attempts. */
  readonly facts: readonly string[];
}
