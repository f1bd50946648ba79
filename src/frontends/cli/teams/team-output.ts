import { type Json, jsonText } from "../../../output/json/escaped-json.ts";
import { tableText } from "../../../output/text/table.ts";
import { countOf } from "../../../core/model/words.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import type { TeamPart } from "../program/command-definition.ts";

type Stream = "out" | "err";

/** What several teams print at the same time, in an order that people and programs can read. */
export interface TeamOutput {
  write(team: string, stream: Stream, text: string): void;
  /** Printed at once, with the team's name. */
  progress(team: string, stream: Stream, text: string): void;
  /** What the last table says about the team. One without changes is only counted. */
  summarize(team: string, text: string, result?: "unchanged"): void;
  /** Prints what all teams have written so far. */
  show(): void;
  /** This team writes nothing more. */
  end(team: string, exitCode: ExitCode): void;
  /** Prints what comes after all teams. `skipped`: those of which nothing was done. */
  close(skipped: ReadonlySet<string>): void;
}

type Chunk = { readonly stream: Stream; readonly text: string };

const RESULTS: { readonly [code in ExitCode]: string } = { 0: "Done.", 1: "Failed.", 2: "Changes.", 3: "Undecided." };

/** What the last line counts, in its order. */
const ORDER = ["with changes", "undecided", "failed", "without changes", "skipped"] as const;
type Kind = (typeof ORDER)[number];
const KINDS: { readonly [code in ExitCode]: Kind } = {
  0: "with changes",
  1: "failed",
  2: "with changes",
  3: "undecided",
};
const NOT_SHOWN: ReadonlySet<Kind> = new Set(["without changes", "skipped"]);

/**
 * Text: one block for each team, in the declared order, under its name; and a table of the results at the end. Of teams without
 * changes only messages are printed, and the number. Documents such as Markdown name the team themselves, so they have neither.
 */
export function textOutput(
  screen: CommandContext,
  teams: readonly string[],
  { isHeaded }: { readonly isHeaded: boolean },
): TeamOutput {
  const blocks = new Map<string, Chunk[]>(teams.map((team) => [team, []]));
  const results = new Map<string, string>();
  const ended = new Map<string, ExitCode>();
  const failures = new Map<string, string>();
  const unchanged = new Set<string>();
  const print = (team: string): void => {
    const isHidden = isHeaded && unchanged.has(team);
    const chunks = withoutLeadingLines((blocks.get(team) ?? []).filter(({ stream }) => !isHidden || stream === "err"));
    blocks.set(team, []);
    const isFailure = ended.get(team) === 1 && chunks.length > 0 && chunks.every(({ stream }) => stream === "err");
    const said = chunks.map(({ text }) => text).join("");
    const before = isFailure ? failures.get(said) : undefined;
    if (isFailure) failures.set(said, before ?? team);
    printBlock(
      screen,
      { heading: `Team ${team}`, isHeaded },
      before === undefined ? chunks : [{ stream: "err", text: `The same errors as for the team ${before}.\n` }],
    );
  };
  let next = 0;
  return {
    write: (team, stream, text) => {
      if (text !== "") blocks.get(team)?.push({ stream, text });
    },
    progress: (team, stream, text) => screen[stream](text.replaceAll(/^(?=.)/gm, `[${team}] `)),
    summarize: (team, text, result) => {
      results.set(team, text);
      if (result === "unchanged") unchanged.add(team);
      else unchanged.delete(team);
    },
    show: () => teams.forEach(print),
    end: (team, exitCode) => {
      ended.set(team, exitCode);
      for (let name = teams[next]; name !== undefined && ended.has(name); name = teams[++next]) print(name);
    },
    close: (skipped) => {
      if (!isHeaded) return;
      const kindOf = (team: string): Kind =>
        skipped.has(team) ? "skipped" : unchanged.has(team) ? "without changes" : KINDS[ended.get(team) ?? 1];
      const kinds = teams.map(kindOf);
      const shown = teams.filter((team) => !NOT_SHOWN.has(kindOf(team)));
      const rows = shown.map((team) => ({ team, result: results.get(team) ?? RESULTS[ended.get(team) ?? 1] }));
      const counts = ORDER.map((kind) => ({ kind, count: kinds.filter((one) => one === kind).length })).filter(
        ({ count }) => count > 0,
      );
      const parts = [
        ...(rows.length === 0 ? [] : [tableText(["team", "result"], rows)]),
        ...(rows.length === teams.length
          ? []
          : [
              `${countOf(teams.length, "team")}: ${counts.map(({ kind, count }) => `${String(count)} ${kind}`).join(", ")}.\n`,
            ]),
      ];
      screen.out(`${headingText(screen, "All teams")}${parts.join("\n")}`);
    },
  };
}

/** What follows a heading begins without empty lines. */
function withoutLeadingLines(chunks: readonly Chunk[]): readonly Chunk[] {
  const [first, ...others] = chunks;
  if (!first) return [];
  const text = first.text.replace(/^\n+/, "");
  return text === "" ? withoutLeadingLines(others) : [{ ...first, text }, ...others];
}

/** A heading on each stream that the block uses; only one where both are the same screen. Messages always have one. */
function printBlock(
  screen: CommandContext,
  { heading, isHeaded }: { readonly heading: string; readonly isHeaded: boolean },
  chunks: readonly Chunk[],
): void {
  const headed = new Set<Stream>();
  for (const { stream, text } of chunks) {
    if ((isHeaded || stream === "err") && !headed.has(stream)) screen[stream](headingText(screen, heading));
    for (const one of screen.isOneScreen ? (["out", "err"] as const) : [stream]) headed.add(one);
    screen[stream](text);
  }
}

function headingText({ paint }: CommandContext, name: string): string {
  return `\n${paint("bold", `=== ${name} ===`)}\n\n`;
}

/** One document of what the teams print. Messages are in blocks, as with text. */
export function joinedOutput(
  screen: CommandContext,
  teams: readonly string[],
  join: (parts: readonly TeamPart[]) => string,
): TeamOutput {
  const messages = textOutput(screen, teams, { isHeaded: false });
  const texts = new Map<string, string>();
  return {
    ...messages,
    write: (team, stream, text) => {
      if (stream === "err") messages.write(team, stream, text);
      else texts.set(team, (texts.get(team) ?? "") + text);
    },
    close: () => screen.out(join(teams.map((team) => ({ team, text: texts.get(team) ?? "" })))),
  };
}

/** JSON lines: each at once, with the name of its team. */
export function linesOutput(screen: CommandContext): TeamOutput {
  const write = (team: string, stream: Stream, text: string): void =>
    screen[stream](stream === "out" ? withTeam(text, team) : text);
  return {
    write,
    progress: write,
    summarize: () => undefined,
    show: () => undefined,
    end: () => undefined,
    close: () => undefined,
  };
}

/** JSON objects, one a line, each with the name of a team. */
export function withTeam(lines: string, team: string): string {
  return lines.replaceAll(/\}$/gm, () => `,"team":${JSON.stringify(team)}}`);
}

/** JSON documents: a list of them in the declared order, each with the name of its team. */
export function documentsOutput(screen: CommandContext, teams: readonly string[]): TeamOutput {
  const texts = new Map<string, string>();
  const write = (team: string, stream: Stream, text: string): void => {
    if (stream === "err") screen.err(text);
    else texts.set(team, (texts.get(team) ?? "") + text);
  };
  return {
    write,
    progress: write,
    summarize: () => undefined,
    show: () => undefined,
    end: () => undefined,
    close: () =>
      screen.out(
        `${jsonText(
          teams.map((team): Json => ({ team, ...documentOf(texts.get(team) ?? "") })),
          { indented: true },
        )}\n`,
      ),
  };
}

/** A failure prints lines in place of a document. */
function documentOf(text: string): { readonly [key: string]: Json } {
  const lines = text.split("\n").filter((line) => line !== "");
  try {
    return JSON.parse(text) as { readonly [key: string]: Json };
  } catch {
    return { messages: lines.map((line) => JSON.parse(line) as Json) };
  }
}
