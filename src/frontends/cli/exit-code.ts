import type { Applied } from "../../operations/apply.ts";
import type { Planned } from "../../operations/plan.ts";
import type { DriftStatus } from "../../core/plan/drift-report.ts";
import type { ExitCode } from "./command-context.ts";

/** How an operation has ended. */
export type Status = Applied["status"] | DriftStatus | Planned["status"] | "cancelled";

const EXIT_CODES: { readonly [status in Status]: ExitCode } = {
  complete: 0,
  none: 0,
  unchanged: 0,
  cancelled: 1,
  error: 1,
  failed: 1,
  incomplete: 1,
  interrupted: 1,
  unknown: 1,
  changed: 2,
  drift: 2,
  undecided: 3,
};

/** The exit code of a command whose operation has ended like this. */
export function exitCodeOf(status: Status): ExitCode {
  return EXIT_CODES[status];
}
