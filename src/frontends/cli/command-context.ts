import type { Catalog } from "../../core/model/definition.ts";
import type { Clock, FileSystem, PlaceFiles, ProcessIdentity, Random } from "../../core/model/ports.ts";
import type { PersonalMask } from "../../core/secrets/personal-mask.ts";
import type { Redactor } from "../../core/secrets/redactor.ts";
import type { Paint } from "../../output/text/paint.ts";

/** All that a command may touch of the world: made in the main, replaced in tests. */
export interface CommandContext {
  readonly version: string;
  readonly catalog: Catalog;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly folder: string;
  /** The options that say which configuration and state are meant, as they were given: for commands that messages propose. */
  readonly given: string;
  /** Learnt when the configuration is read, for the advice in messages: whether it is a synthesised stack. */
  readonly form: { isStack: boolean };
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly process: ProcessIdentity;
  /** In Node's words, as in `linux` and `x64`. */
  readonly machine: { readonly platform: string; readonly architecture: string };
  readonly placeFiles: PlaceFiles;
  /** Where the provider is that was published with this command. */
  readonly providerFolder: string;
  /** Where the processes of one user meet to share a key's rate limit; absent: each paces alone. */
  readonly userFolder?: { readonly folder: string; readonly owner: number | null };
  /** Keeps known secrets out of everything that is printed. */
  readonly redactor: Redactor;
  /** Knows the email addresses of leads. What goes to a stream that `hidesEmails` is masked by it. */
  readonly personal: PersonalMask;
  readonly hidesEmails: { readonly out: boolean; readonly err: boolean };
  /** Results go to stdout, messages to stderr. Both end lines themselves. */
  out(text: string): void;
  err(text: string): void;
  /** Whether stdout is a context, where a line can be written anew. */
  readonly isLive: boolean;
  readonly paint: Paint;
  readonly paintErrors: Paint;
  /** All of the standard input. */
  input(): Promise<Uint8Array>;
  /** Null where nobody can answer. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Aborted by the first Ctrl-C: start nothing more. */
  readonly stop: AbortSignal;
}

/** 0 done or no changes; 1 error; 2 changes present; 3 an outcome is undecided. */
export type ExitCode = 0 | 1 | 2 | 3;
