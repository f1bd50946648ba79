import type { Diagnostic } from "../model/diagnostic.ts";
import type { Move } from "../model/relocate.ts";
import type { Step } from "./plan.ts";

/** More addresses than this are only counted. */
const SHOWN = 20;

/** Moves that end where something is recorded already: what was to move is left behind. */
export function unresolvedMoves(blocked: readonly Move[]): readonly Diagnostic[] {
  if (blocked.length === 0) return [];
  return [
    {
      code: "moves_unresolved",
      severity: "warning",
      summary: "Unresolved resource instance address changes",
      detail: `Something is recorded already where these should have moved:\n\n${listed(blocked.map(({ from, to }) => `${from} could not move to ${to}`))}\n\nWhere they are, they are not declared any more: the plan destroys them.`,
      hint: "If that is not meant, put the state right with outreach state mv or outreach state rm first, and plan anew.",
    },
  ];
}

/** Says what stays in the service and is on its own from now on. */
export function releasedWarning(steps: readonly Step[]): readonly Diagnostic[] {
  const released = steps.flatMap((step) => (step.action === "forget" && step.released ? [step.address] : []));
  if (released.length === 0) return [];
  return [
    {
      code: "released",
      severity: "warning",
      summary: "Some objects will no longer be managed by outreach",
      detail: `An apply forgets these, and deletes none of them in the service:\n\n${listed(released)}\n`,
      hint: "To manage them again, they have to be imported.",
    },
  ];
}

function listed(lines: readonly string[]): string {
  const more = lines.length > SHOWN ? [`… and ${String(lines.length - SHOWN)} more`] : [];
  return [...lines.slice(0, SHOWN), ...more].map((line) => `  - ${line}`).join("\n");
}
