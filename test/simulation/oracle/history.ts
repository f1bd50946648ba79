import { type Alternative, type Replayed, replay } from "../explorer/replay.ts";
import type { Stage } from "../explorer/runs.ts";
import type { Turn } from "../explorer/schedule.ts";
import { type World, copyOf } from "../world.ts";

/** One decision of a run. */
export interface Passed {
  readonly turn: number;
  /** Its number among those of its turn. */
  readonly number: number;
  readonly point: string;
  readonly chosen: string;
}

/** A process that died, with the world in which it died, and the one that it left. */
export interface Died {
  readonly turn: number;
  readonly before: World;
  readonly left: World;
}

/** A schedule that was carried out, with all that was decided. */
export interface Told {
  readonly turns: readonly Turn[];
  readonly replayed: Replayed;
  readonly passed: readonly Passed[];
  readonly died: readonly Died[];
  /** What each turn has left. */
  readonly after: readonly World[];
}

/** Another course of events. */
export interface History {
  readonly turns: readonly Turn[];
  readonly alternative: Alternative;
  /** The turn whose process could not pass on what it saw: it died, or its store failed. */
  readonly lost: number | null;
}

export async function tellWhole(stage: Stage, turns: readonly Turn[]): Promise<Told> {
  const passed: Passed[] = [];
  const died: Died[] = [];
  const after: World[] = [];
  const counter = new Counter();
  const replayed = await replay(stage, turns, {
    choose: (turn, point, chosen) => {
      passed.push({ turn, number: counter.next(turn), point, chosen });
      return chosen;
    },
    left: (turn, { before, left }) => {
      died.push({ turn, before: copyOf(before), left });
      return left;
    },
    next: (_turn, world) => void after.push(copyOf(world)),
  });
  return { turns, replayed, passed, died, after };
}

/** Counts the decisions of each turn. */
export class Counter {
  #turn = -1;
  #count = 0;

  next(turn: number): number {
    if (turn !== this.#turn) [this.#turn, this.#count] = [turn, 0];
    return this.#count++;
  }
}
