import { replay } from "../explorer/replay.ts";
import { type Death, type Stage, explore, openingOf } from "../explorer/runs.ts";
import type { OpenWrite } from "../judge/parse.ts";
import { type World, copyOf } from "../world.ts";
import { type History, type Passed, type Told } from "./history.ts";
import { isAbout, truthOf } from "./truth.ts";

/** Whether a decision is about the service; the others are about the store. */
const isRequest = ({ point }: Passed): boolean => /^(?:GET|POST|DELETE) /.test(point);

/**
 * The histories in which a process died at another point, and left the same in the store: a dead process passes on nothing else. A run whose store
 * failed is like one that died, where the next run finds the lock removed either way.
 */
export async function otherDeaths(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const found: History[] = [];
  for (const [turn, { choices, dies, isSettled }] of told.turns.entries()) {
    const after = told.after[turn];
    if (!after || (!dies && choices.length === 0)) continue;
    const start = turn === 0 ? await openingOf(stage) : (await replay(stage, told.turns.slice(0, turn))).world;
    for (const kept of prefixes(choices)) {
      const deaths: Death[] = [];
      await explore(stage, start, { choices: kept, dies: (death) => deaths.push({ ...death, world: copyOf(death.world) }) });
      for (const { at, variant, world } of deaths) {
        if (!leavesTheSame(stage, world, after) || truthOf(world, open) === truthOf(after, open)) continue;
        const turns = told.turns.with(turn, { choices: kept, dies: { at, variant }, isSettled });
        found.push({ turns, alternative: { next: atTheSameTime(told) }, lost: turn });
      }
    }
  }
  return found;
}

/** The first of them, from all to none. */
function prefixes<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: all.length + 1 }, (_, left) => all.slice(0, all.length - left));
}

function leavesTheSame({ kind }: Stage, one: World, other: World): boolean {
  const texts = ({ store }: World): string => {
    const copy = store.copy();
    if (!kind.endsWithProcess) copy.unlock();
    return JSON.stringify(copy.texts());
  };
  return texts(one) === texts(other);
}

/**
 * The histories in which no answer came to the write, and the store failed in the same way: the process knew the outcome, and could tell nobody
 * but the user before its screen.
 */
export function otherEndings(_: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const failing = told.turns.flatMap(({ choices }, turn) =>
    choices.some(([number]) => told.passed.some((one) => one.turn === turn && one.number === number && !isRequest(one))) ? [turn] : [],
  );
  return Promise.resolve(
    failing.flatMap((turn) =>
      ["as lost: dropped", "as lost: done"].map((instead) => ({
        turns: told.turns.map((one, index) => (index === turn ? { ...one, choices: [] } : one)),
        alternative: { choose: byName(told, { turn, open, instead }), next: atTheSameTime(told) },
        lost: turn,
      })),
    ),
  );
}

/** The same decisions as before, found by their points and not by their numbers: the process may come to more points. */
function byName({ passed }: Told, { turn, open, instead }: { readonly turn: number; readonly open: OpenWrite; readonly instead: string }) {
  const before = new Map<string, string>();
  const counted = new Map<string, number>();
  const nameOf = (point: string, counts: Map<string, number>): string => {
    const count = (counts.get(point) ?? 0) + 1;
    counts.set(point, count);
    return `${point} ${String(count)}`;
  };
  const counts = new Map<string, number>();
  for (const one of passed) if (one.turn === turn) before.set(nameOf(one.point, counts), one.chosen);
  return (now: number, point: string, chosen: string): string => {
    if (now !== turn) return chosen;
    const known = before.get(nameOf(point, counted));
    return isAbout(point, open) && (known ?? "well") === "well" ? instead : (known ?? chosen);
  };
}

/** The next process starts at the same time, and draws the same random numbers. */
function atTheSameTime({ after }: Told): (turn: number, world: World) => void {
  return (turn, world) => {
    const before = after[turn];
    if (before) [world.nowMs, world.chance] = [before.nowMs, before.chance];
  };
}
