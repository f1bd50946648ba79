import type { Configuration } from "../core/config/block.ts";
import type { SecretSource } from "../core/model/declaration.ts";
import type { Diagnostic, Result } from "../core/model/diagnostic.ts";
import type { Catalog } from "../core/model/definition.ts";
import type { Clock, FileSystem, ProcessIdentity, Random } from "../core/model/ports.ts";
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

/** Everything that an operation may use. A function that needs little of it takes only these parts. */
export type OperationContext = Closing &
  Environment &
  Interrupt &
  LearntForm &
  Masks &
  Opened &
  Ports &
  Product &
  Reporting &
  WorkingFolder;

/** What this program is, and what it can manage. */
export interface Product {
  /** The version of this program. */
  readonly version: string;
  /** The resources and data sources of the service. */
  readonly catalog: Catalog;
}

/** What the process inherits from its user. */
export interface Environment {
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

/** What a run has read of configurations. */
export interface Opened {
  /** Each that it has opened: it reads one once, for all of its teams. */
  readonly configurations: Map<string, Promise<OpenedConfiguration>>;
}

/** What ends with the operation. */
export interface Closing {
  /** Calls this when the operation has ended, however it ended. It must not fail. */
  atEnd(close: () => Promise<void>): void;
}

/** The file system, and where relative paths start. */
export interface WorkingFolder {
  /** The file system. */
  readonly files: FileSystem;
  /** The absolute path of the working folder. */
  readonly folder: string;
}

/** What differs between runs: the time, random values and the process; and what takes long. */
export interface Ports {
  /** The time, and waiting. */
  readonly clock: Clock;
  /** Ids and bytes that nobody can guess. */
  readonly random: Random;
  /** Who runs this process, and where: for locks. */
  readonly process: ProcessIdentity;
  /** Slow on purpose. */
  readonly fingerprinter: Fingerprinter;
}

/** What is learnt when the configuration is read. */
export interface LearntForm {
  /** Whether it is a synthesised stack. */
  readonly form: { isStack: boolean };
}

/** What the command lines in hints depend on. */
export interface Hints extends LearntForm {
  /** Makes the command lines in a text call the program as the user does, as in `npx outreach-as-code plan`. */
  readonly asCalled: (text: string) => string;
  /** The given options that name the configuration and the state; each ends with a space. */
  readonly given: string;
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

export interface Reporting {
  notify(event: RunEvent): void;
}

/** The user's request to stop. */
export interface Interrupt {
  /** Aborted by the first interrupt: start no further work. */
  readonly stop: AbortSignal;
}

/** A configuration as its frontend reads it. */
export interface FrontendRead extends Result<Configuration> {
  readonly stack: boolean;
}

/** A configuration that has been read, for all of its teams. */
export interface OpenedConfiguration extends FrontendRead {
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
