import type { GivenValue } from "../core/config/variables/variables.ts";

/** The configuration of an operation, and the values of its variables. */
export interface ConfigurationOptions {
  /** The path of a YAML file, a folder of YAML files, or a synthesized stack. */
  readonly config: string;
  /** Values as `NAME=VALUE`. */
  readonly var: readonly string[];
  /** Paths of YAML or JSON files with values. */
  readonly varFile: readonly string[];
  /** The names of teams; none for all of them. */
  readonly team: readonly string[];
  /**
   * False with `--no-secrets`: the configuration is untrusted. None of its secrets is resolved and no command runs, the service's
   * address and key come only from the environment, and values of the environment are masked.
   */
  readonly secrets?: boolean;
  /** Whether the command runs that prints the teams. By default, that of a trusted configuration does. */
  readonly runsCommands?: boolean;
  /** Values that take precedence over all others. */
  readonly values?: ReadonlyMap<string, GivenValue>;
}

/** Options of every operation that reads the state. */
export interface StatePlaceOptions extends ConfigurationOptions {
  /** The path or URL of the state, instead of the configured one. */
  readonly state?: string;
}

/** Options of every operation that may change the state. */
export interface StateLockOptions extends StatePlaceOptions {
  readonly lock: boolean;
  /** How long to wait for the lock, in milliseconds. */
  readonly lockTimeout: number;
}

/** Options of every operation that reads a saved plan. */
export interface PlanKeyOptions extends ConfigurationOptions {
  /** Whether the command runs that `state.encryption` takes its key from. */
  readonly runKeyCommand: boolean;
}

/** The configuration without `-c`. */
export const DEFAULT_CONFIG = "outreach.yaml";
