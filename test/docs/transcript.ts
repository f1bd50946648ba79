import { type Fence, fencesOf } from "./markdown.ts";

/** One action of a page's reader: run a command, or write a file. */
export type Deed =
  | { readonly kind: "write"; readonly file: string; readonly text: string }
  /** `told`: the output in the page; null if the page shows none. It starts at line `from` of the page. */
  | {
      readonly kind: "run";
      readonly command: string;
      readonly told: string | null;
      readonly from: number;
      readonly to: number;
    };

/** A block with this word is not run. */
const ELSEWHERE = "elsewhere";
/** ```` ```sh background receiver ````: a program that runs until the page ends, or until a later block with the same name. */
const BACKGROUND = "background";
/** ```` ```text printed receiver ````: the next lines that this program prints. */
const PRINTED = "printed";
/** A line that stands for any number of lines. */
const LEFT_OUT = "...";

/** The actions of a page, in order: its `sh` and `console` blocks, the blocks that name a file, and what background programs print. */
export function deedsOf(page: string): readonly Deed[] {
  return fencesOf(page).flatMap((fence): readonly Deed[] => {
    const [first = "", name = ""] = fence.words;
    const { text, from, to } = fence;
    if (first === ELSEWHERE) return [];
    if (first === BACKGROUND) return [{ kind: "run", command: startOf(name, text), told: null, from, to }];
    if (first === PRINTED)
      return [{ kind: "run", command: `printed_by ${name} ${String(linesIn(text))}`, told: text, from, to }];
    if (fence.language === "sh")
      return [{ kind: "run", command: fence.text, told: null, from: fence.from, to: fence.to }];
    if (fence.language === "console") return runsOf(fence);
    return first.includes(".") ? [{ kind: "write", file: first, text: `${fence.text}\n` }] : [];
  });
}

function startOf(name: string, program: string): string {
  return `in_background ${name} <<'END OF PROGRAM'\n${program}\nEND OF PROGRAM`;
}

/** The lines of a transcript that it does not omit. */
function linesIn(told: string): number {
  return told.split("\n").filter((line) => line !== LEFT_OUT).length;
}

/** `$ command`, its continuation lines after `> `, and its output up to the next command. */
function runsOf({ text, from }: Fence): readonly Deed[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  if (starts[0] !== 0) throw new Error(`the block at line ${String(from)} does not begin with a command`);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const told = lines.slice(start + 1, end);
    const more = told.findIndex((line) => !line.startsWith("> "));
    const further = more === -1 ? told : told.slice(0, more);
    const command = [lines[start] ?? "", ...further].map((line) => line.slice(2)).join("\n");
    return {
      kind: "run",
      command,
      told: told.slice(further.length).join("\n"),
      from: from + start + 1 + further.length,
      to: from + end,
    };
  });
}

/** Whether the transcript matches the output, except for times, durations and random values. */
export function tells(told: string, printed: string): boolean {
  const isWhole = !told.split("\n").includes(LEFT_OUT);
  const lines = steady(printed, isWhole).split("\n");
  const groups = steady(told, isWhole)
    .split("\n")
    .reduce<readonly (readonly string[])[]>(
      (all, line) => (line === LEFT_OUT ? [...all, []] : [...all.slice(0, -1), [...(all.at(-1) ?? []), line]]),
      [[]],
    );
  let at = 0;
  for (const [index, group] of groups.entries()) {
    const isLast = index === groups.length - 1;
    const stands = (start: number): boolean => group.every((line, offset) => lines[start + offset] === line);
    const starts =
      index === 0
        ? [0]
        : isLast
          ? [Math.max(at, lines.length - group.length)]
          : lines.map((_, start) => start).slice(at);
    const found = starts.find(stands);
    if (found === undefined) return false;
    at = found + group.length;
  }
  return at === lines.length;
}

/** `isWhole`: the transcript omits no line, so the order of the ids identifies them. */
function steady(text: string, isWhole: boolean): string {
  const ids = new Map<string, string>();
  const steadyId = (id: string): string => {
    if (!isWhole) return "id";
    ids.set(id, ids.get(id) ?? `id_${String(ids.size)}`);
    return ids.get(id) ?? "";
  };
  const chanceless = text
    .trim()
    .replaceAll(/after \d+s/g, "after 0s")
    .replaceAll(/(\bin |\()\d+ ms\b/g, "$10 ms")
    .replaceAll(/\bin \d+\.\d s\b/g, "in 0.0 s")
    .replaceAll(/^\d\d:\d\d:\d\d {2}/gm, "00:00:00  ")
    .replaceAll(/\(gap \d+\.\d\d s\)/g, "(gap 0.00 s)")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-01T00:00:00Z")
    .replaceAll(/\b\d{8}T\d{9}Z/g, "20260101T000000000Z")
    .replaceAll(/(?<=outreach-listen\/)[0-9a-f-]+/g, "token")
    .replaceAll(/#[0-9a-f]{8}\b/g, "#00000000")
    .replaceAll(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      "00000000-0000-4000-8000-000000000000",
    );
  return completionsSorted(chanceless.split("\n"))
    .join("\n")
    .replaceAll(/\b(?:hoo|lea)_\d{6}\b/g, steadyId);
}

/** Parallel steps finish in any order, and get their ids in any order. */
function completionsSorted(lines: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && isCompletion(last[0]) && isCompletion(line)) last.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((run) => run.toSorted());
}

const isCompletion = (line: string): boolean => / complete after \d+s/.test(line);

/** The output with the omissions of a transcript whose lines are all in it, in their order; otherwise the whole output. */
function likeTold(told: string, printed: string): readonly string[] {
  const lines = printed.trim().split("\n");
  const found = steady(printed, false).split("\n");
  const result: string[] = [];
  let at = 0;
  let isOmitted = false;
  for (const line of steady(told, false).split("\n")) {
    if (line !== LEFT_OUT) {
      const next = found.indexOf(line, at);
      if (next === -1) return lines;
      result.push(...(isOmitted ? [] : lines.slice(at, next)), lines[next] ?? "");
      at = next + 1;
    } else result.push(LEFT_OUT);
    isOmitted = line === LEFT_OUT;
  }
  return isOmitted ? result : [...result, ...lines.slice(at)];
}

/** The page with the actual output instead of wrong transcripts. Transcripts that omit lines still do. */
export function withTold(page: string, printed: ReadonlyMap<Deed, string>): string {
  const lines = page.split("\n");
  const wrong = [...printed].flatMap(([deed, text]) =>
    deed.kind === "run" && deed.told !== null && !tells(deed.told, text) ? [{ deed, text }] : [],
  );
  for (const { deed, text } of wrong.toReversed()) {
    const last = lines[deed.to - 1] === "" ? [""] : [];
    lines.splice(
      deed.from,
      deed.to - deed.from,
      ...(text.trim() === "" ? [] : likeTold(deed.told ?? "", text)),
      ...last,
    );
  }
  return lines.join("\n");
}
