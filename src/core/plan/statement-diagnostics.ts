import type { Diagnostic } from "../model/diagnostic.ts";
import { blockOf, typedAddress } from "../model/address.ts";
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

/** Refuses to move a part of a block: what is left behind could not follow, as something is recorded at the new address then. */
export function excludedMoves(origins: ReadonlyMap<string, string>, includes: (address: string) => boolean): readonly Diagnostic[] {
  const moves = [...origins].map(([to, from]) => ({ from, to, way: `${blockOf(from)} ${blockOf(to)}`, isIncluded: includes(to) || includes(from) }));
  const begun = new Set(moves.flatMap(({ way, isIncluded }) => (isIncluded ? [way] : [])));
  const left = moves.filter(({ way, isIncluded }) => !isIncluded && begun.has(way));
  if (left.length === 0) return [];
  const blocks = [...new Set(left.map(({ to }) => blockOf(to)))];
  return [
    {
      code: "moves_excluded",
      severity: "error",
      summary: "Moved resource instances excluded by targeting",
      detail: `--target names only a part of what has moved together. These would be left behind, and be destroyed by the next apply:\n\n${listed(left.map(({ from, to }) => `${from}, which has moved to ${to}`))}\n`,
      hint: `Name the whole block: ${blocks.map((block) => `--target ${typedAddress(block)}`).join(" ")}. Or leave --target out.`,
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
