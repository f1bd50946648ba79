/**
 * - `text`: a non-empty string
 * - `flag`: true or false
 * - `count`: a whole number, 0 or more
 * - `secret`: a reference, `{ env }`, `{ file }` or `{ command }`
 * - `texts`: names with a string or a reference each
 */
export type SettingKind = "text" | "flag" | "count" | "secret" | "texts";

/** One setting of a backend, below `state:` in a configuration. */
export interface BackendSetting {
  readonly name: string;
  readonly kind: SettingKind;
  /** For the reference and for editors. */
  readonly description: string;
  readonly isRequired?: true;
  readonly default?: string | number | boolean;
  /** Environment variables that set it if the configuration does not; the first that is not empty counts. */
  readonly environment?: readonly string[];
  readonly examples?: readonly string[];
}

/** What users may write for a backend. The store itself is chosen in `core/state/backends.ts`. */
export interface BackendDefinition {
  /** As `state.backend` names it. */
  readonly name: string;
  readonly description: string;
  /** The schemes of the URLs that name such a state on a command line, in lower case and without the colon. */
  readonly schemes: readonly string[];
  readonly settings: readonly BackendSetting[];
}
