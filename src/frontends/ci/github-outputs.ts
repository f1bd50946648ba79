/** What a plan says to later steps of a job. */
export interface JobOutputs {
  readonly counts: { readonly add: number; readonly change: number; readonly destroy: number };
  readonly hasChanges: boolean;
  /** As of `plan --detailed-exitcode`. */
  readonly exitCode: number;
}

/** Lines for the file in GITHUB_OUTPUT. The values are numbers and booleans, so no value can add a line. */
export function githubOutputs({ counts, hasChanges, exitCode }: JobOutputs): string {
  const outputs = { changes: hasChanges, add: counts.add, change: counts.change, destroy: counts.destroy, exitcode: exitCode };
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${String(value)}\n`)
    .join("");
}

/** GitHub shows no summary of a step that is larger. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** Whether a body still fits behind what the step has written before. */
export function fitsSummary(before: number, body: Uint8Array): boolean {
  return before + body.length <= MAX_SUMMARY_BYTES;
}
