import type { Decisions } from "../world.ts";

/** The points of a run at which something else than the first option was chosen: number of the point, number of the option. */
export type Choices = readonly (readonly [point: number, option: number])[];

/** A point where a run may take another way. */
export interface Point {
  readonly number: number;
  readonly name: string;
  /** The first is what happens when nothing goes wrong. */
  readonly options: readonly string[];
}

/** What a replay does at each point: it may choose another option. */
interface Replay {
  readonly choose: (point: string, chosen: string) => string;
  readonly sees?: (number: number, text: string) => void;
}

/** Carries out choices, and records where others could have been made. */
export class RunDecisions implements Decisions {
  /** The points after the last choice. */
  readonly open: Point[] = [];
  /** Everything that was decided, for people. */
  readonly story: string[] = [];
  readonly saw: string[] = [];
  #points = 0;
  #deaths = 0;
  #made = 0;
  #traceA = 0;
  #traceB = 0;
  readonly #choices: Choices;
  readonly #dies: ((death: number, point: string) => void) | null;
  readonly #replay: Replay | null;

  /** `dies` is called at each point after the last choice where the process may die. With `replay` the story is told. */
  constructor(
    choices: Choices,
    dies: ((death: number, point: string) => void) | null = null,
    replay: Replay | null = null,
  ) {
    this.#choices = choices;
    this.#dies = dies;
    this.#replay = replay;
  }

  choose<T extends string>(point: string, options: readonly [T, ...T[]]): T {
    const chosen = this.#choose(point, options);
    if (!this.#replay) return chosen;
    const told = this.#replay.choose(point, chosen) as T;
    if (told !== options[0]) this.story.push(`${point}: ${told}`);
    return told;
  }

  #choose<T extends string>(point: string, options: readonly [T, ...T[]]): T {
    const number = this.#points++;
    const next = this.#choices[this.#made];
    if (next?.[0] === number) {
      this.#made++;
      const chosen = options[next[1]];
      if (chosen === undefined) throw new Error(`${point} has no option ${String(next[1])}`);
      return chosen;
    }
    if (this.#isAll && options.length > 1) this.open.push({ number, name: point, options });
    return options[0];
  }

  mayDie(point: string): void {
    const death = this.#deaths++;
    if (this.#replay) this.story.push(`${point} (death ${String(death)})`);
    if (this.#isAll) this.#dies?.(death, point);
  }

  sees(what: string | Uint8Array): void {
    if (!this.#replay) return;
    const text = typeof what === "string" ? what : new TextDecoder().decode(what);
    this.#replay.sees?.(this.saw.length, text);
    this.saw.push(text);
    this.story.push(`  sees ${text}`);
  }

  does(what: string): void {
    if (this.#replay) this.story.push(`  ${what}`);
    for (let at = 0; at < what.length; at++) {
      const code = what.charCodeAt(at);
      this.#traceA = Math.imul(this.#traceA ^ code, 0x01000193);
      this.#traceB = Math.imul(this.#traceB + code, 0x9e3779b1) ^ (this.#traceB >>> 15);
    }
    this.#traceA = Math.imul(this.#traceA ^ 10, 0x01000193);
  }

  /** Whether all choices were made. */
  get #isAll(): boolean {
    return this.#made === this.#choices.length;
  }

  /** What server and store saw so far, as a number below 2^52: runs with the same trace are the same to them. */
  trace(): number {
    return (this.#traceA >>> 0) * 2 ** 20 + (this.#traceB >>> 12);
  }
}
