import { createHash } from "node:crypto";

/** The signal for a run, and the boundary at which it is sent. */
export interface Strike {
  readonly at: number;
  readonly signal: string;
}

/** What recovery needed in addition to a run that has nothing to recover. */
export interface Recovery {
  readonly runs: number;
  readonly requests: number;
  /** Beyond the listing delay. */
  readonly ms: number;
}

export interface Killed {
  /** Whether the run came to the boundary. */
  readonly wasStruck: boolean;
  readonly violations: readonly string[];
  /** What is not the product's doing, but worth counting. */
  readonly notes: readonly string[];
  readonly recovery: Recovery;
  /** What every run said, for a replay. */
  readonly story: string;
}

/** A scenario at one place, which can be killed as often as it takes. */
export interface Target {
  /** Those of a run without a signal, in order. */
  readonly boundaries: readonly string[];
  readonly signals: readonly string[];
  kill(strike: Strike): Promise<Killed>;
}

/** Makes targets, one after the other, with servers of its own. */
export interface Lane {
  prepare(id: string): Promise<Target>;
  close(): Promise<void>;
}

/** This many strikes, spread over boundaries and signals; the same ones in every run. */
export function chosenStrikes({ boundaries, signals }: Target, id: string, count: number): readonly Strike[] {
  const all = signals.flatMap((signal) => boundaries.map((_, index) => ({ signal, at: index + 1 })));
  const rank = ({ signal, at }: Strike): string =>
    createHash("md5")
      .update(`${id}/${signal}/${String(at)}`)
      .digest("hex");
  const ranked = all
    .map((strike) => ({ strike, rank: rank(strike) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
  return ranked.slice(0, count).map(({ strike }) => strike);
}

const LINE_BYTES = 64;

/** A trace has one line of fixed length for each boundary: its label, and the process. */
export function readTrace(trace: string): readonly { readonly label: string; readonly pid: number }[] {
  const lines = Array.from({ length: Math.floor(trace.length / LINE_BYTES) }, (_, index) =>
    trace.slice(index * LINE_BYTES, (index + 1) * LINE_BYTES),
  );
  return lines.map((line) => ({ label: line.slice(0, -10).trim(), pid: Number(line.slice(-10)) }));
}
