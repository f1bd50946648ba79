import type { SettingOrigin } from "./store-errors.ts";
import type { SecretSource } from "../model/declaration.ts";
import type { Result } from "../model/diagnostic.ts";
import type { Value } from "../model/value.ts";
import type { OpenStore } from "./state-store.ts";

/** One setting of a backend, below `state:` in a configuration. */
export interface BackendSetting {
  /**
   * - `text`: a non-empty string
   * - `flag`: true or false
   * - `count`: a whole number, 0 or more
   * - `secret`: a reference, `{ env }`, `{ file }` or `{ command }`
   * - `texts`: names with a string or a reference each
   */
  readonly kind: keyof ValueOfKind;
  /** The text of the reference and of editors. */
  readonly description: string;
  readonly isRequired?: true;
  readonly default?: string | number | boolean;
  /** Environment variables that set it if the configuration does not; the first that is not empty counts. */
  readonly environment?: readonly string[];
  readonly examples?: readonly string[];
}

export interface BackendSettings {
  readonly [name: string]: BackendSetting;
}

interface ValueOfKind {
  readonly text: string;
  readonly flag: boolean;
  readonly count: number;
  readonly secret: SecretSource;
  readonly texts: readonly (readonly [name: string, value: string | SecretSource])[];
}

/** The sound values of settings: null where a setting without a default is not set. */
export type SettingsOf<S extends BackendSettings> = {
  readonly [N in keyof S]: S[N] extends
    | { readonly isRequired: true }
    | { readonly default: unknown }
    | { readonly kind: "texts" }
    ? ValueOfKind[S[N]["kind"]]
    : ValueOfKind[S[N]["kind"]] | null;
};

/** Where the settings of a state come from. */
export interface SettingsSource {
  /** Whether a URL names the state: then only the environment has other settings. */
  readonly isUrl: boolean;
  /** Where one setting comes from, for messages. */
  origin(name: string): SettingOrigin;
}

/** Settings as a configuration or a URL has them, by name. A secret is a reference: `{ env }`, `{ file }`, `{ command }`; of a URL also `{ value }`. */
export interface StateSettings {
  readonly [name: string]: Value;
}

/** A kind of place that keeps states. The JSON Schema, the reference and the checks of settings derive from it. */
export interface StateBackend<S extends BackendSettings = BackendSettings> {
  /** The value of `state.backend`. */
  readonly name: string;
  readonly description: string;
  /** The schemes of the URLs that name such a state on a command line, in lower case and without the colon. */
  readonly schemes: readonly string[];
  readonly settings: S;
  /** The settings that a URL of one of the schemes has. */
  readonly fromUrl?: (url: string) => Result<StateSettings | null>;
  /** Checks what only this backend knows of its settings. The store itself is loaded when it is opened. */
  open(settings: SettingsOf<S>, source: SettingsSource): Result<OpenStore | null>;
}

export function defineBackend<const S extends BackendSettings>(backend: StateBackend<S>): StateBackend<S> {
  return backend;
}
