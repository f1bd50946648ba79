import type { Killed } from "./target.ts";

/** What the kills of one target came to. */
export interface Row {
  readonly id: string;
  /** All that there are: each boundary with each signal. */
  readonly possible: number;
  readonly kills: { [signal: string]: number };
  /** Runs that ended before their boundary: creates are sent at once, so their order varies. */
  unstruck: number;
  violations: number;
  readonly notes: { [note: string]: number };
  readonly requests: number[];
  readonly ms: number[];
  readonly runs: number[];
}

export function emptyRow(id: string, possible: number): Row {
  return { id, possible, kills: {}, unstruck: 0, violations: 0, notes: {}, requests: [], ms: [], runs: [] };
}

export function addTo(row: Row, signal: string, { wasStruck, violations, notes, recovery }: Killed): void {
  if (wasStruck) row.kills[signal] = (row.kills[signal] ?? 0) + 1;
  else row.unstruck++;
  if (violations.length > 0) row.violations++;
  for (const note of notes) row.notes[note] = (row.notes[note] ?? 0) + 1;
  row.requests.push(recovery.requests);
  row.ms.push(recovery.ms);
  row.runs.push(recovery.runs);
}

/** One line for each target, and their sum. */
export function tableOf(rows: readonly Row[]): string {
  const signals = [...new Set(rows.flatMap(({ kills }) => Object.keys(kills)))];
  const head = [
    "scenario",
    "possible",
    ...signals,
    "not reached",
    "violations",
    "most runs",
    "most requests",
    "median ms",
    "most ms",
  ];
  const cells = rows.map((row) => [
    row.id,
    String(row.possible),
    ...signals.map((signal) => String(row.kills[signal] ?? 0)),
    String(row.unstruck),
    String(row.violations),
    ...[row.runs, row.requests].map((all) => String(Math.max(0, ...all))),
    ...[medianOf(row.ms), Math.max(0, ...row.ms)].map((ms) => ms.toFixed(0)),
  ]);
  const sum = (of: (row: Row) => number): string => String(rows.reduce((total, row) => total + of(row), 0));
  const most = (of: (row: Row) => readonly number[]): string => Math.max(0, ...rows.flatMap(of)).toFixed(0);
  const last = [
    "all",
    sum(({ possible }) => possible),
    ...signals.map((signal) => sum(({ kills }) => kills[signal] ?? 0)),
    sum(({ unstruck }) => unstruck),
    sum(({ violations }) => violations),
    most(({ runs }) => runs),
    most(({ requests }) => requests),
    medianOf(rows.flatMap(({ ms }) => ms)).toFixed(0),
    most(({ ms }) => ms),
  ];
  const lines = [head, ...cells, last];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  const kills = rows.reduce((total, row) => total + Object.values(row.kills).reduce((one, other) => one + other, 0), 0);
  const notes = rows.flatMap((row) =>
    Object.entries(row.notes).map(([note, count]) => `${row.id}: ${note} (${String(count)} times)`),
  );
  return [...text, `${String(kills)} kills`, ...notes].join("\n");
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
