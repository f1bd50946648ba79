import { blockOf } from "./address.ts";
import type { DataRead } from "./configuration-outline.ts";
import type { Declaration } from "./declaration.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Attributes } from "./value.ts";

/** A warning that a configuration can turn off. */
export interface OptionalWarning {
  /** The code of its diagnostics. */
  readonly id: string;
  /** What it reports, in one sentence. */
  readonly docs: string;
  /** The type whose blocks can turn it off. Absent: it is about the whole configuration. */
  readonly type?: string;
}

/** A rule that a configuration turns on and off. */
export interface LintRule extends OptionalWarning {
  /** What holds unless the configuration says otherwise. `limit`: it has no findings without a duration. */
  readonly initially: "on" | "off" | "limit";
  /** What it reads in addition to the files: nothing, what a plan reads of the service, or the records of the state. */
  readonly reads: "nothing" | "service" | "state";
  /** Absent: the core finds it. */
  readonly find?: (input: LintInput) => readonly Diagnostic[];
}

/** The input of a rule: objects of its type whose block has not turned it off, or all of them. */
export interface LintInput {
  readonly declarations: readonly Declaration[];
  /** What was read of the service. */
  readonly data: readonly DataRead[];
  /** The managed objects that stay as they are. */
  readonly kept: readonly KeptObject[];
  readonly atMs: number;
  /** The duration of a rule with a limit, in milliseconds, and as it is written. */
  readonly limit: { readonly ms: number; readonly text: string };
}

export interface KeptObject {
  readonly address: string;
  readonly type: string;
  readonly attributes: Attributes;
}

/** All that a service's definitions say about warnings. */
export interface LintTable {
  readonly rules: readonly LintRule[];
  /** Warnings that are always on until a configuration turns them off. */
  readonly warnings: readonly OptionalWarning[];
}

export const NO_LINT: LintTable = { rules: [], warnings: [] };

/** What a configuration says about warnings: `on`, `off` or a duration, by id. */
export type LintSettings = ReadonlyMap<string, string>;

/** Without the warnings that the configuration, or the block that they are about, turns off. `ofBlocks`: what blocks turn off, by their addresses. */
export function withoutTurnedOff(
  diagnostics: readonly Diagnostic[],
  settings: LintSettings,
  ofBlocks: ReadonlyMap<string, readonly string[]>,
): readonly Diagnostic[] {
  const isOff = ({ severity, code, address }: Diagnostic): boolean =>
    severity === "warning" &&
    (settings.get(code) === "off" ||
      (address !== undefined && ofBlocks.get(blockOf(address))?.includes(code) === true));
  return diagnostics.some(isOff) ? diagnostics.filter((one) => !isOff(one)) : diagnostics;
}

const ABOUT_A_WRITE = "It says what became of a write, which nothing else shows.";
const ABOUT_THE_STATE = "It says that the state may be lost, outdated or unguarded.";
const ABOUT_A_LIST = "It says what the plan could not compare.";
const ABOUT_A_CHANGE = "It says what an apply changes, or leaves out.";

/** Warnings that protect objects, people or the state, and why no configuration can turn them off. */
export const PROTECTED_WARNINGS: { readonly [id: string]: string | undefined } = {
  created_although_rejected: ABOUT_A_WRITE,
  late_duplicate: ABOUT_A_WRITE,
  lock_left: ABOUT_A_WRITE,
  lock_stays: ABOUT_THE_STATE,
  outcome_unconfirmed: ABOUT_A_WRITE,
  local_state_in_ci: ABOUT_THE_STATE,
  state_lost: ABOUT_THE_STATE,
  state_missing: ABOUT_THE_STATE,
  state_next_to_folder: ABOUT_THE_STATE,
  state_plain_accepted: "It says that the state may be read in plain text.",
  state_restored: ABOUT_THE_STATE,
  state_unguarded: ABOUT_THE_STATE,
  list_maybe_truncated: ABOUT_A_LIST,
  removal_hidden: ABOUT_A_LIST,
  value_unreadable: ABOUT_A_LIST,
  import_differs: ABOUT_A_CHANGE,
  limit_irreversible: ABOUT_A_CHANGE,
  moves_unresolved: ABOUT_A_CHANGE,
  released: ABOUT_A_CHANGE,
  targeted: ABOUT_A_CHANGE,
  team_same_key: "It says that two teams manage the same objects.",
};
