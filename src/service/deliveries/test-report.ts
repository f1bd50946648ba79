import type { Diagnostic, Place } from "../../core/model/diagnostic.ts";
import type { DeliveredEvent } from "./deliveries.ts";
import type { ReceiverResult } from "./expectations.ts";

/** `error`: it could not run, because of a mistake in its file or in the configuration. */
export type TestStatus = "pass" | "fail" | "error";

/** The event of a test, as it is written. */
export interface TestedEvent extends DeliveredEvent {
  /** The campaign's name, if the test file has it. */
  readonly campaignName: string | null;
  readonly isThirdParty: boolean;
}

export interface TestResult {
  readonly name: string;
  readonly status: TestStatus;
  /** Null with the status `error`. */
  readonly event: TestedEvent | null;
  /** In the order of the test, then those that it does not expect. */
  readonly receivers: readonly ReceiverResult[];
  readonly place: Place;
}

export interface TestedFile {
  readonly file: string;
  readonly status: TestStatus;
  readonly tests: readonly TestResult[];
  /** The mistakes in the file, and those that the configuration has with its variables and campaigns. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What `outreach test` found. */
export interface TestReport {
  readonly files: readonly TestedFile[];
}

/** The number of tests with each status. */
export function countTests(files: readonly TestedFile[]): { readonly [status in TestStatus]: number } {
  const counts = { pass: 0, fail: 0, error: 0 };
  for (const { tests, status } of files) {
    for (const test of tests) counts[test.status]++;
    // A file whose tests cannot be read counts once.
    if (tests.length === 0 && status === "error") counts.error++;
  }
  return counts;
}
