import { isoTime } from "../../../core/model/time.ts";
import type { RunEvent } from "../../../operations/run-event.ts";
import { durationText } from "../../../output/content/progress-text.ts";

/** What an operation says while it works, as a line. */
export function runEventText(event: RunEvent, nowMs: number): string {
  switch (event.kind) {
    case "waiting-for-lock":
      return `Waiting up to ${durationText(event.timeoutMs)} for the lock of ${event.state}, held by ${event.holder}.\n`;
    case "waiting-for-list":
      return `Waiting ${durationText(event.durationMs)} for the service's list to catch up with the last write.\n`;
    case "log":
      return `${isoTime(nowMs)} [${event.level.toUpperCase()}] ${event.text}\n`;
  }
}
