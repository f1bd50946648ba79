import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Readable, Writable } from "node:stream";
import type { PlaceFiles } from "../../core/model/ports.ts";
import type { Masks, OperationContext } from "../../operations/context.ts";
import type { Paint } from "../../output/content/paint.ts";

/** Everything that a command may use: made in the main, replaced in tests. */
export interface CommandContext extends OperationContext {
  /** Prints a result on stdout, redacted and masked. The text contains its own line ends. */
  out(text: string): void;
  /** Prints the progress of a result. Where several teams print, it does not wait for their results. */
  progress(text: string): void;
  /** Tells what a table of several teams says about this one, in a sentence. Prints nothing. A team without changes is only counted. */
  summarize(text: string, result?: "unchanged"): void;
  /** Tells that nothing was done for this team, one of several, and why. Absent where the command is about one alone. */
  readonly skip?: (why: string) => void;
  /** Whether the command runs for several teams, and this is the context of one of them. */
  readonly isPart: boolean;
  /** The colours of stdout; none where it does not show them. */
  readonly paint: Paint;
  /** Whether stdout is a terminal, where a line can be redrawn. */
  readonly isLive: boolean;
  /** Whether stdout and stderr are the same terminal. */
  readonly isOneScreen: boolean;
  /** Prints a message on stderr, redacted and masked. The text contains its own line ends. */
  err(text: string): void;
  /** Prints a message that is of use only at once, such as why it waits. */
  notice(text: string): void;
  /** Keeps a note, as it is printed, that is printed once for several teams. Absent where the command is about one alone. */
  readonly keepNote?: (note: Diagnostic) => void;
  /** The colours of stderr; none where it does not show them. */
  readonly paintErrors: Paint;
  /** The width of the terminal that shows the messages; null if they go elsewhere. */
  readonly columns: number | null;
  /** Whether stdout and stderr mask emails of leads. */
  readonly hidesEmails: { readonly out: boolean; readonly err: boolean };
  /** Reads all of the standard input. */
  input(): Promise<Uint8Array>;
  /** Asks the user a question; null if nothing may be asked. The answer is null after Ctrl-C and Ctrl-D. */
  readonly ask: ((question: Question) => Promise<string | null>) | null;
  /** Why nothing may be asked, as a clause. */
  readonly cannotAsk: string;
  /** The streams for a protocol: what is written here is neither redacted nor masked. */
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable };
  /** Makes the process use less memory from now on, and a little more time. */
  readonly saveMemory?: () => void;
  /** Masks that know nothing yet. */
  newMasks(): Masks;
  /** Node's names, as in `linux` and `x64`. */
  readonly machine: { readonly platform: string; readonly architecture: string };
  /** Puts the provider's files into a mirror. */
  readonly placeFiles: PlaceFiles;
  /** The folder of the provider that was published with this command. */
  readonly providerFolder: string;
  /** The context for one of several teams: with masks of its own for personal data, and its output through these functions. Secrets are hidden from all. */
  part(part: Part): CommandContext;
  /** When the command began, by the monotonic clock: all its teams share its time. */
  readonly begunMs: number;
}

export interface Question {
  /** Printed above the prompt. */
  readonly text: string;
  readonly prompt: string;
}

/** What differs for one of several teams. */
export interface Part
  extends
    Pick<CommandContext, "out" | "progress" | "summarize" | "err" | "notice" | "ask">,
    Required<Pick<CommandContext, "skip" | "keepNote" | "keyUsed">> {
  readonly team: string;
}

/** 0 done or no changes; 1 error; 2 changes present; 3 an outcome is undecided. */
export type ExitCode = 0 | 1 | 2 | 3;
