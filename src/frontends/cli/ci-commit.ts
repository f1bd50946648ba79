import type { Ports } from "../../operations/context.ts";

/** The commit that the job of a known CI has checked out. Where GitLab tests the result of a merge, the one that is to be merged. */
export function commitIn(environment: Ports["environment"]): string | null {
  const names = ["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "CI_COMMIT_SHA", "GITHUB_SHA"];
  return commitOf(names.map((name) => environment[name]).find((value) => (value ?? "") !== ""));
}

export function commitOf(value: unknown): string | null {
  return typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value) ? value : null;
}
