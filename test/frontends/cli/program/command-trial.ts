import type { Project, Ran } from "../project.ts";

/** What prepares the project, the words, and what stdout holds of the result. */
export interface HappyStory {
  readonly before?: (project: Project) => Promise<unknown>;
  readonly words: string;
  readonly out: string;
  /** 0 by default. */
  readonly code?: number;
}

/** What a command shows of itself: each part is for a test that runs all of them. */
interface CommandTrial {
  /** Command lines that are run with canaries: each with a service that works, and with one that answers with what it was sent. */
  readonly lines: readonly string[];
  /** Those that succeed in no story with canaries: without a person, a pull request, a receiver, a database, an undecided write. */
  readonly fails?: RegExp;
  /** What it prints once it serves: it then runs as a process until it is interrupted. */
  readonly serves?: RegExp;
  /** How it succeeds, as a process. Null: a test of its own has it, or it needs a database. */
  readonly story: HappyStory | null;
  /** The exit codes without a service that answers, and without a valid key. The words are those of the story, if it has no others. Null: it serves, or writes into folders of the machine. */
  readonly without: { readonly words?: string; readonly service: number; readonly key: number } | null;
  /** The words in front of a saved plan that it prints, and sends nothing. */
  readonly printsPlan?: string;
  /** How it shows a plan under --no-secrets. */
  readonly untrusted?: string;
  /** How it shows live URLs. */
  readonly showsUrls?: readonly string[];
  /** Lines with a path that no shell expanded. */
  readonly homePaths?: readonly string[];
  /** Links that lead out of the folder, and a line that would write there. */
  readonly links?: readonly [links: { readonly [name: string]: string }, line: string];
  /** What its tool is called with by agents. */
  readonly calls?: readonly { readonly [name: string]: unknown }[];
}

/** By command. */
export type CommandTrials = { readonly [words: string]: CommandTrial };

export const apply = (project: Project): Promise<Ran> => project.run("apply --auto-approve");
