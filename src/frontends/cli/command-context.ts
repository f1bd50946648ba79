import type { Readable, Writable } from "node:stream";
import type { Configuration } from "../../core/config/block.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { Result } from "../../core/model/diagnostic.ts";
import type { Clock, FileSystem, PlaceFiles, ProcessIdentity, Random } from "../../core/model/ports.ts";
import type { Fingerprinter } from "../../core/secrets/fingerprint.ts";
import type { PgConnections } from "../../core/state/pg/pg-connections.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import type { PersonalMask } from "../../core/secrets/personal-mask.ts";
import type { Redactor } from "../../core/secrets/redactor.ts";
import type { Paint } from "../../output/text/paint.ts";
import type { Pacer, SharedLog } from "../../service/api/pacer.ts";
import type { Proxy } from "../../service/api/proxy.ts";
import type { Transport } from "../../service/api/transport.ts";

/** Everything that a command may use: made in the main, replaced in tests. A function takes only the parts that it needs. */
export type CommandContext = Closing &
  Environment &
  Hints &
  Input &
  Installation &
  Interrupt &
  Masks &
  Messages &
  Output &
  Parts &
  Partial<ConfigurationFiles> &
  Partial<ReadBefore> &
  Ports &
  Product &
  Serving &
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
  /** The pacers of this process, by key: its teams with the same key share one. */
  readonly pacers?: { get(name: string): Pacer | undefined; set(name: string, pacer: Pacer): unknown };
  /** HTTP with the service, through the proxy if there is one. Absent: each run has connections of its own. */
  readonly openTransport?: (proxy: Proxy | null) => Transport;
  /** The connections to PostgreSQL that runs leave to each other. Absent: each has its own. */
  readonly pgConnections?: PgConnections;
  /** Watches what a run does with its state. Absent: nothing does. */
  readonly watchStore?: (store: StateStore) => StateStore;
  /** The log of requests that all processes share, by the name of the key; instead of the one in the user's folder. */
  readonly requestLog?: (keyName: string) => SharedLog;
  /** The folder that the processes of one user share to pace a key's requests together; absent: each paces alone. */
  readonly userFolder?: { readonly folder: string; readonly owner: number | null };
}

/** The configuration of the options, where it was read before: a command that runs for several teams reads it once. */
export interface ReadBefore {
  readonly readBefore: Result<Configuration> & { readonly stack: boolean; /** As --config names it. */ readonly path: string };
}

/** Where configurations are read, if not in the file system. Secrets and states are always in the file system. */
export interface ConfigurationFiles {
  readonly configurationFiles: FileSystem;
}

/** What ends with the command. */
export interface Closing {
  /** Calls this when the command has ended, however it ended. It must not fail. */
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

/** What the installation of the provider needs. */
export interface Installation {
  /** Node's names, as in `linux` and `x64`. */
  readonly machine: { readonly platform: string; readonly architecture: string };
  /** Puts the provider's files into a mirror. */
  readonly placeFiles: PlaceFiles;
  /** The folder of the provider that was published with this command. */
  readonly providerFolder: string;
}

/** What the command lines in hints depend on. */
export interface Hints {
  /** Makes the command lines in a text call the program as the user does, as in `npx outreach plan`. */
  readonly asCalled: (text: string) => string;
  /** The given options that name the configuration and the state; each ends with a space. */
  readonly given: string;
  /** Learnt when the configuration is read: whether it is a synthesised stack. */
  readonly form: { isStack: boolean };
}

/** What the output must not show. */
export interface Masks {
  /** Redacts known secrets in all output. */
  readonly redactor: Redactor;
  /** Masks known emails of leads in streams with `hidesEmails`. */
  readonly personal: PersonalMask;
  /** Whether stdout and stderr mask emails of leads. */
  readonly hidesEmails: { readonly out: boolean; readonly err: boolean };
}

/** The results of a command, on stdout. */
export interface Output {
  /** Prints a result, redacted and masked. The text contains its own line ends. */
  out(text: string): void;
  /** Prints the progress of a result. Where several teams print, it does not wait for their results. */
  progress(text: string): void;
  /** Tells what a table of several teams says about this one, in a sentence. Prints nothing. */
  summarize(text: string): void;
  /** The colours of stdout; none where it does not show them. */
  readonly paint: Paint;
  /** Whether stdout is a terminal, where a line can be redrawn. */
  readonly isLive: boolean;
  /** Whether stdout and stderr are the same terminal. */
  readonly isOneScreen: boolean;
}

/** The messages of a command, on stderr. */
export interface Messages {
  /** Prints a message, redacted and masked. The text contains its own line ends. */
  err(text: string): void;
  /** The same for what is of use only at once, such as why it waits. */
  notice(text: string): void;
  /** The colours of stderr; none where it does not show them. */
  readonly paintErrors: Paint;
  /** The width of the terminal that shows the messages; null if they go elsewhere. */
  readonly columns: number | null;
}

/** What a command needs that serves others while it runs. */
export interface Serving {
  /** For a protocol: what is written here is neither redacted nor masked. */
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable };
  /** Makes the process use less memory from now on, and a little more time. */
  readonly saveMemory?: () => void;
  /** Masks that know nothing yet. */
  newMasks(): Pick<Masks, "redactor" | "personal">;
}

/** The standard input. */
export interface Input {
  /** Reads all of it. */
  input(): Promise<Uint8Array>;
  /** Asks the user a question; null if nothing may be asked. */
  readonly ask: ((question: Question) => Promise<string>) | null;
  /** Why nothing may be asked, as a clause. */
  readonly cannotAsk: string;
}

export interface Question {
  /** Printed above the prompt. */
  readonly text: string;
  readonly prompt: string;
}

/** Work that a command does for several teams at once. */
export interface Parts {
  /** The context for one of them: with masks of its own for personal data, and its output through these functions. Secrets are hidden from all. */
  part(part: Part): CommandContext;
}

export interface Part extends Pick<Output, "out" | "progress" | "summarize">, Pick<Messages, "err" | "notice">, Pick<Input, "ask"> {
  readonly team: string;
}

/** The user's request to stop. */
export interface Interrupt {
  /** Aborted by the first Ctrl-C: start no further work. */
  readonly stop: AbortSignal;
}

/** 0 done or no changes; 1 error; 2 changes present; 3 an outcome is undecided. */
export type ExitCode = 0 | 1 | 2 | 3;
