import type { Catalog } from "../../core/model/definition.ts";
import type { Clock, FileSystem, PlaceFiles, ProcessIdentity, Random } from "../../core/model/ports.ts";
import type { PersonalMask } from "../../core/secrets/personal-mask.ts";
import type { Redactor } from "../../core/secrets/redactor.ts";
import type { Paint } from "../../output/text/paint.ts";

/** The surroundings of a command: made in the main, replaced in tests. */
export interface CommandContext {
  readonly version: string;
  readonly catalog: Catalog;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly folder: string;
  /** The given options that name the configuration and the state: for commands in hints. */
  readonly given: string;
  /** Learnt when the configuration is read, for the advice in messages: whether it is a synthesised stack. */
  readonly form: { isStack: boolean };
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly process: ProcessIdentity;
  /** Node's names, as in `linux` and `x64`. */
  readonly machine: { readonly platform: string; readonly architecture: string };
  readonly placeFiles: PlaceFiles;
  /** The folder of the provider that was published with this command. */
  readonly providerFolder: string;
  /** The folder that the processes of one user share to pace a key's requests together; absent: each paces alone. */
  readonly userFolder?: { readonly folder: string; readonly owner: number | null };
  /** Redacts known secrets in all output. */
  readonly redactor: Redactor;
  /** Masks known emails of leads in streams with `hidesEmails`. */
  readonly personal: PersonalMask;
  readonly hidesEmails: { readonly out: boolean; readonly err: boolean };
  /** Results go to stdout, messages to stderr. Both end lines themselves. */
  out(text: string): void;
  err(text: string): void;
  /** Whether stdout is a terminal, where a line can be redrawn. */
  readonly isLive: boolean;
  readonly paint: Paint;
  readonly paintErrors: Paint;
  /** All of the standard input. */
  input(): Promise<Uint8Array>;
  /** Null if the input is not a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Aborted by the first Ctrl-C: start no further work. */
  readonly stop: AbortSignal;
}

/** 0 done or no changes; 1 error; 2 changes present; 3 an outcome is undecided. */
export type ExitCode = 0 | 1 | 2 | 3;
