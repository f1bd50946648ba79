import type { CommandOutput } from "./command-output.ts";
import { type Redactor, redactor } from "./redactor.ts";
import type { ResolvedSecret } from "./resolve-secret.ts";

/** What a run has read: nothing is read twice, and it ends with the run. */
export interface RunSecrets {
  /** The secrets, by their sources. */
  readonly revealed: Map<string, Promise<ResolvedSecret>>;
  /** What the commands of lists have printed. */
  readonly printed: {
    get(key: string): Promise<CommandOutput> | undefined;
    set(key: string, output: Promise<CommandOutput>): unknown;
  };
  /** The secrets that only this program may use, with what each is; null until one is asked for. */
  own: Map<string, string> | null;
}

/** The secrets of a run, and what hides them in its output. */
export function runSecrets(): { readonly redactor: Redactor; readonly secrets: RunSecrets } {
  return { redactor: redactor(), secrets: { revealed: new Map(), printed: new Map(), own: null } };
}
