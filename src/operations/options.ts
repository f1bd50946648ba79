import { shellWord } from "../core/model/shell-word.ts";

/** What a user chooses for an operation, by one name from the command line and the library on. What is absent has its default. */
export interface OperationOptions {
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
  /** Whether the command runs that `state.encryption` takes the key of a saved plan from; by default not. */
  readonly runKeyCommand?: boolean;
  /** The path or URL of the state, instead of the configured one. */
  readonly state?: string;
  /** Whether to lock the state; by default it is locked. */
  readonly lock?: boolean;
  /** How long to wait for the lock, in milliseconds; by default not at all. */
  readonly lockTimeoutMs?: number;
}

/** The configuration without `-c`. */
export const DEFAULT_CONFIG = "outreach.yaml";

/** The options that name configuration, state and team, for commands in hints; each ends with a space. */
export function givenText({ config, state, team }: OperationOptions): string {
  const named = [
    config === DEFAULT_CONFIG ? "" : `-c ${shellWord(config)} `,
    state === undefined ? "" : `--state ${shellWord(state)} `,
    ...team.map((name) => `--team ${shellWord(name)} `),
  ];
  return named.join("");
}
