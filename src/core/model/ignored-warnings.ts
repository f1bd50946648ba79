import { blockOf } from "./address.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** A warning of a plan, or a finding of an audit, that a configuration can silence. */
export interface IgnorableWarning {
  readonly code: string;
  /** What it reports, in one sentence. */
  readonly docs: string;
  /** The types whose blocks can silence it for themselves. Absent: it is about the whole configuration. */
  readonly types?: readonly string[];
}

/** The codes that a configuration silences: everywhere, and for single blocks by their addresses. */
export interface IgnoredWarnings {
  readonly everywhere: readonly string[];
  readonly ofBlocks: ReadonlyMap<string, readonly string[]>;
}

export const NONE_IGNORED: IgnoredWarnings = { everywhere: [], ofBlocks: new Map() };

export function isIgnored(
  { everywhere, ofBlocks }: IgnoredWarnings,
  code: string,
  address: string | undefined,
): boolean {
  return (
    everywhere.includes(code) || (address !== undefined && ofBlocks.get(blockOf(address))?.includes(code) === true)
  );
}

/** Without the warnings that the configuration, or the block that they are about, silences. */
export function withoutIgnored(diagnostics: readonly Diagnostic[], ignored: IgnoredWarnings): readonly Diagnostic[] {
  const isSilent = ({ severity, code, address }: Diagnostic): boolean =>
    severity === "warning" && isIgnored(ignored, code, address);
  return diagnostics.some(isSilent) ? diagnostics.filter((one) => !isSilent(one)) : diagnostics;
}

const ABOUT_A_WRITE = "It says what became of a write, which nothing else shows.";
const ABOUT_THE_STATE = "It says that the state may be lost, outdated or unguarded.";
const ABOUT_A_LIST = "It says what the plan could not compare.";
const ABOUT_A_CHANGE = "It says what an apply changes, or leaves out.";
const ABOUT_DUPLICATES = "It says that a managed object exists twice.";

/** Warnings and findings that a promise rests on, and why no configuration can silence them. */
export const PROTECTED_WARNINGS: { readonly [code: string]: string | undefined } = {
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
  duplicate: ABOUT_DUPLICATES,
  duplicate_live: ABOUT_DUPLICATES,
  import_differs: ABOUT_A_CHANGE,
  limit_irreversible: ABOUT_A_CHANGE,
  moves_unresolved: ABOUT_A_CHANGE,
  released: ABOUT_A_CHANGE,
  targeted: ABOUT_A_CHANGE,
  team_same_key: "It says that two teams manage the same objects.",
};
