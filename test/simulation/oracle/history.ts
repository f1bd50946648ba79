import { type Alternative, type Replayed, replay } from "../explorer/replay.ts";
import type { Stage } from "../explorer/runs.ts";
import type { Turn } from "../explorer/schedule.ts";
import type { Landing } from "../service.ts";
import { type World, copyOf } from "../world.ts";

/** One decision of a run. */
export interface Passed {
  readonly turn: number;
  /** Its number among those of its turn. */
  readonly number: number;
  readonly point: string;
  readonly chosen: string;
}

/** A process that died, with the world in which it died, and what became of its writes in flight. */
export interface Died {
  readonly turn: number;
  readonly before: World;
  readonly fates: readonly Landing[];
}

/** A schedule that was carried out, with all that was decided. */
export interface Told {
  readonly turns: readonly Turn[];
  readonly replayed: Replayed;
  readonly passed: readonly Passed[];
  readonly died: readonly Died[];
  /** The world in which each turn begins. */
  readonly starts: readonly World[];
  /** What each turn has left. */
  readonly after: readonly World[];
}

/** Another course of events. */
export interface History {
  /** The first turn that differs. */
  readonly from: number;
  readonly turns: readonly Turn[];
  /** Counts what it is asked: each replay begins with a new one. */
  readonly alternative: () => Alternative;
  /** The turns whose process could not pass on what it saw: it dies in this history, or its store fails. Those that died count anyway. */
  readonly lost: readonly number[];
}

export async function tellWhole(stage: Stage, turns: readonly Turn[]): Promise<Told> {
  const passed: Passed[] = [];
  const died: Died[] = [];
  const starts: World[] = [];
  const after: World[] = [];
  const counter = new Counter();
  const replayed = await replay(stage, turns, {
    choose: (turn, point, chosen) => {
      passed.push({ turn, number: counter.next(turn), point, chosen });
      return chosen;
    },
    left: (turn, { before, left }) => {
      const fate = Math.floor((turns[turn]?.dies?.variant ?? 0) / before.store.afterDeath().length);
      died.push({ turn, before: copyOf(before), fates: before.service.deathFates()[fate] ?? [] });
      return left;
    },
    begin: (_turn, world) => void starts.push(world),
    next: (_turn, world) => void after.push(copyOf(world)),
  });
  return { turns, replayed, passed, died, starts, after };
}

/** The processes do not even come to the same points. */
const DIVERGED = /has no option|has no point|leaves no world/;
class SeesOther extends Error {}

/** The world at the end of a history, if all that could pass on what they saw see the same, and a list at the end shows the same; null if not. */
export async function worldAfter(
  stage: Stage,
  told: Told,
  { from, turns, alternative: begun, lost }: History,
): Promise<World | null> {
  const alternative = begun();
  const start = told.starts[from];
  if (!start) throw new Error(`no turn ${String(from)}`);
  const isLost = (turn: number): boolean => lost.includes(turn) || told.turns[turn]?.dies != null;
  const sawBefore = (turn: number): readonly string[] => told.replayed.saw[turn] ?? [];
  try {
    const { world } = await replay(stage, turns, {
      ...alternative,
      from: { turn: from, world: start },
      sees: (turn, number, text) => isLost(turn) || isSameText(text, sawBefore(turn)[number]),
      next: (turn, left, saw) => {
        if (!isLost(turn) && !isSame(saw, sawBefore(turn))) throw new SeesOther();
        alternative.next?.(turn, left, saw);
      },
    });
    return world.service.shownNow() === told.replayed.world.service.shownNow() ? world : null;
  } catch (error) {
    if (error instanceof SeesOther || (error instanceof Error && DIVERGED.test(error.message))) return null;
    throw error;
  }
}

function isSame(saw: readonly string[], before: readonly string[]): boolean {
  return saw.length === before.length && saw.every((text, index) => isSameText(text, before[index]));
}

function isSameText(text: string, before: string | undefined): boolean {
  return text === before || withoutTornLine(text) === withoutTornLine(before ?? "");
}

/** What stands behind the last whole line of a journal has no checksum, and says nothing. */
export function withoutTornLine(text: string): string {
  return /^[\da-f]{8} \{/.test(text) ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
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
