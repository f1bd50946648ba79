import type { Configuration } from "../../core/config/block.ts";
import type { Diagnostic, Result } from "../../core/model/diagnostic.ts";

/** A configuration as its frontend reads it. */
export interface FrontendRead extends Result<Configuration> {
  readonly stack: boolean;
}

/** A configuration that has been read, for all of its teams: a command that runs for several teams reads it once. */
export interface OpenedConfiguration extends FrontendRead {
  /** The path of the configuration, as `--config` names it. */
  readonly path: string;
  /** What all teams have in common, made when the first one is loaded. */
  readonly inCommon: (make: () => TeamsInCommon) => TeamsInCommon;
}

/** What is the same for each team of a configuration; for one without teams, what its only one needs. */
export interface TeamsInCommon {
  readonly mistakes: readonly Diagnostic[];
  /** The environment variables with an API key, of any team. */
  readonly keyVariables: ReadonlySet<string>;
  /** The environment variables that the secrets of any team name. */
  readonly secretVariables: () => ReadonlySet<string>;
}
