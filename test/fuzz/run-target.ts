import * as fc from "fast-check";
import type { Target } from "./target.ts";

export interface Chosen {
  readonly seed: number;
  readonly cases: number;
  /** The path of one failed case, as fast-check prints it; null: all cases. */
  readonly path: string | null;
}

export interface Outcome {
  readonly cases: number;
  readonly accepted: number;
  /** The CPU time of the slowest case, in milliseconds. */
  readonly slowestMs: number;
  /** What failed, and the command that replays it. */
  readonly failure: string | null;
}

/** No input may keep the processor busy for longer, except a large one: its time may only grow with its size. */
const MAX_CPU_MS = 1000;
const LARGE = 250_000;
const TRIES = 3;
/** What `calibration` takes on a machine of today that does nothing else. */
const CALIBRATION_MS = 50;
/** Slow cases take long to shrink. */
const MAX_SHRINK_MS = 60_000;
const MAX_SHOWN = 3000;
/** Of so many cases, at least this part must be accepted. */
const [ENOUGH, LEAST_ACCEPTED] = [200, 0.02];

/** Runs the cases of a target. `begins` is called before each run of a case, also of one that a failed case shrinks to, with the number of cases so far. */
export async function runTarget(
  { name, cases, run }: Target,
  { seed, cases: count, path }: Chosen,
  begins: (cases: number) => void,
): Promise<Outcome> {
  let done = 0;
  let slowestMs = 0;
  let failedAtMs: number | null = null;
  let accepted = 0;
  const once = async (input: unknown): Promise<number> => {
    const before = process.cpuUsage();
    if (await run(input)) accepted++;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const property = fc.asyncProperty(cases, async (input) => {
    if (failedAtMs !== null && performance.now() - failedAtMs > MAX_SHRINK_MS) return;
    if (failedAtMs === null) done++;
    begins(done);
    try {
      let ms = await once(input);
      const limitMs =
        ms > MAX_CPU_MS ? MAX_CPU_MS * slowness() * Math.max(1, fc.stringify(input).length / LARGE) : MAX_CPU_MS;
      // The first call of a function compiles it, and a collection of garbage is nobody's: only what is slow each time is slow.
      for (let tried = 1; ms > limitMs && tried < TRIES; tried++) ms = Math.min(ms, await once(input));
      slowestMs = Math.max(slowestMs, ms);
      if (ms > limitMs) throw new Error(`it took ${String(Math.round(ms))} ms of CPU time`);
    } catch (error) {
      failedAtMs ??= performance.now();
      throw error;
    }
  });
  const details = await fc.check(property, {
    seed,
    numRuns: path === null ? count : 1,
    ...(path === null ? {} : { path }),
  });
  const isVacuous = path === null && done >= ENOUGH && accepted < done * LEAST_ACCEPTED;
  if (!details.failed) {
    const failure = isVacuous
      ? `${name}: only ${String(accepted)} of ${String(done)} cases were accepted, so they test too little`
      : null;
    return { cases: done, accepted, slowestMs, failure };
  }
  const { counterexample, errorInstance, counterexamplePath } = details;
  const error = errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  const failure = `${name}: ${error}\n  with ${shown(counterexample?.[0])}\n  ${replayLine(name, seed, counterexamplePath ?? "")}`;
  return { cases: done, accepted, slowestMs, failure };
}

/** How many times slower than usual this machine is now: with other work on the same cores, the same instructions take more CPU time. */
function slowness(): number {
  const before = process.cpuUsage();
  calibration();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1000 / CALIBRATION_MS);
}

/** Work like that of the product: texts, maps, and garbage. */
function calibration(): void {
  for (let round = 0; round < 40; round++) {
    const all = new Map(
      Array.from({ length: 5000 }, (_, index) => [`key ${String((index * 7919) % 5000)}`, { index }]),
    );
    if ([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).length !== 5000) throw new Error("a map lost an entry");
  }
}

export function replayLine(name: string, seed: number, path: string): string {
  return `npm run fuzz -- --target ${name} --seed ${String(seed)} --path ${path}`;
}

function shown(input: unknown): string {
  const text = fc.stringify(input);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${String(text.length)} characters)` : text;
}
