import type { Configuration } from "../core/config/block.ts";
import type { Scope } from "../core/config/blocks/evaluate-argument.ts";
import type { VariableValue } from "../core/config/variables/variables.ts";
import type { SecretSource } from "../core/model/declaration.ts";
import type { Diagnostic, Result } from "../core/model/diagnostic.ts";
import type { Catalog } from "../core/model/definition.ts";
import type { MachinePorts } from "../core/model/ports.ts";
import type { Fingerprinter } from "../core/secrets/fingerprint.ts";
import type { PersonalMask } from "../core/secrets/personal-mask.ts";
import type { Redactor } from "../core/secrets/redactor.ts";
import type { RunSecrets } from "../core/secrets/run-secrets.ts";
import type { PgConnections } from "../core/state/pg/pg-connections.ts";
import type { StateStore } from "../core/state/state-store.ts";
import type { KeyPacer } from "../service/api/pacer.ts";
import type { Proxy } from "../service/api/proxy.ts";
import type { Web } from "../core/model/web.ts";
import type { RunEvent } from "./run-event.ts";

/** The world outside: the time, chance, the machine and its user; and what runs of one process share. */
export interface Ports extends MachinePorts {
  /** Slow on purpose. */
  readonly fingerprinter: Fingerprinter;
  /** The absolute path of the working folder, where relative paths start. */
  readonly folder: string;
  /** The environment variables. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** The pacers of this process, by key: everything that uses a key shares one. */
  readonly pacers?: { get(name: string): KeyPacer | undefined; set(name: string, pacer: KeyPacer): unknown };
  /** Reports the key of a run: its name, which is a digest, and where the key comes from. */
  readonly keyUsed?: (name: string, source: SecretSource) => void;
  /** HTTP with the service, through the proxy if there is one. Absent: each run has connections of its own. */
  readonly openTransport?: (proxy: Proxy | null) => Web;
  /** The connections to PostgreSQL that runs leave to each other. Absent: each has its own. */
  readonly pgConnections?: PgConnections;
  /** Watches what a run does with its state. Absent: nothing does. */
  readonly watchStore?: (store: StateStore) => StateStore;
}

/** What no text for others may contain. Operations add what they learn. */
export interface Masks {
  /** Redacts known secrets. */
  readonly redactor: Redactor;
  /** What the run has read of the secrets that its redactor hides. */
  readonly secrets: RunSecrets;
  /** Masks known emails of leads. */
  readonly personal: PersonalMask;
}

/** Everything that an operation may use. */
export interface OperationContext extends Masks, Ports {
  /** The version of this program. */
  readonly version: string;
  /** The resources and data sources of the service. */
  readonly catalog: Catalog;
  readonly configurations: Configurations;
  /** Makes the command lines in a text call the program as the user does, as in `npx outreach-as-code plan`. */
  readonly asCalled: (text: string) => string;
  /** The given options that name the configuration and the state, for command lines in hints; each ends with a space. */
  readonly given: string;
  /** Aborted by the user's first interrupt: start no further work. */
  readonly stop: AbortSignal;
  /** Calls this when the operation has ended, however it ended. It must not fail. */
  atEnd(close: () => Promise<void>): void;
  notify(event: RunEvent): void;
}

/** What a run has read of configurations. */
export interface Configurations {
  /** Each that it has opened: it reads one once, for all of its teams. */
  readonly opened: Map<string, Promise<OpenedConfiguration>>;
  /** Whether the last of them is a synthesised stack: the words in hints depend on it. */
  isStack: boolean;
}

export function noConfigurations(): Configurations {
  return { opened: new Map(), isStack: false };
}

/** A configuration for one team, with the values of its variables. */
export interface SettledConfiguration {
  readonly configuration: Configuration;
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** The scope of expressions in settings. */
  readonly settings: Scope;
}

/** A configuration that has been read, for all of its teams. */
export interface OpenedConfiguration extends Result<Configuration> {
  /** What all teams have in common, by the values of variables from the command line; made when the first team is loaded. */
  readonly inCommon: Map<string, TeamsInCommon>;
}

/** What is the same for each team of a configuration; for one without teams, what its only one needs. */
export interface TeamsInCommon {
  readonly mistakes: readonly Diagnostic[];
  /** The environment variables with an API key, of any team. */
  readonly keyVariables: ReadonlySet<string>;
  /** The environment variables that the secrets of any team name: what one team must not see of the others. */
  readonly secretVariables: () => ReadonlySet<string>;
}
