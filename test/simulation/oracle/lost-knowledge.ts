import { createHash } from "node:crypto";
import type { Choices } from "../explorer/run-decisions.ts";
import { type Death, type Stage, explore } from "../explorer/runs.ts";
import { type Turn, scheduleText } from "../explorer/schedule.ts";
import type { OpenWrite } from "../judge/parse.ts";
import type { Landing, Service } from "../service.ts";
import type { World } from "../world.ts";
import { type History, type Passed, type Told, withoutTornLine } from "./history.ts";
import { isAbout, isOf, landingsOf, truthOf } from "./truth.ts";

/** Whether a decision is about the service; the others are about the store. */
const isRequest = ({ point }: Pick<Passed, "point">): boolean => /^(?:GET|POST|DELETE) /.test(point);

/** Another way through one run: other choices by their numbers, or no answer to the open write, and other decisions by their points. */
interface Way {
  readonly name: string;
  readonly choices: Choices;
  /** With what becomes of the open write. */
  readonly decide: ((landing: Landing) => Decide) | null;
  /** Whether the open write is sent at a point, and gets no answer. */
  readonly isUnanswered: (point: string) => boolean;
}
type Decide = (point: string, chosen: string) => string;

/**
 * The histories in which a process died at another point, and left the same in the store: a dead process passes on nothing else. A run whose store
 * failed is like one that died, where the next run finds the lock removed either way.
 */
async function otherDeaths(stage: Stage, told: Told, open: OpenWrite): Promise<readonly DeathHistory[]> {
  const found: DeathHistory[] = [];
  for (const [turn, { choices, dies, isSettled }] of [...told.turns.entries()].toReversed()) {
    const [start, after] = [told.starts[turn], told.after[turn]];
    if (!start || !after || (!dies && choices.length === 0)) continue;
    const before = scheduleText(told.turns.slice(0, turn));
    for (const way of [...prefixes(choices), ...waysWithoutAnswer(told, turn, open)]) {
      const deaths = (await deathsOn(stage, { start, before, way })).get(leftIn(stage, after)) ?? [];
      for (const { at, variant, service, nowMs } of deaths) {
        if (!way.decide && truthOf({ service }, open) === truthOf(after, open)) continue;
        for (const { landing, ...history } of historiesOf(told, { turn, open, way }, { choices: way.choices, dies: { at, variant }, isSettled })) {
          found.push({ ...history, isLikely: shownAfter(service, { open, landing, nowMs }) === after.service.shown() });
        }
      }
    }
  }
  return found;
}

/** What can be seen once an open write without an answer, dropped until now, has had another outcome. */
function shownAfter(
  service: Service,
  { open, landing, nowMs }: { readonly open: OpenWrite; readonly landing: Landing | null; readonly nowMs: number },
): string {
  const sent = service.log.findLast(({ write }) => isOf(write, open));
  if (landing === null || !sent) return service.shown();
  const copy = service.copy();
  copy.land(sent.write, landing, nowMs);
  return copy.shown();
}

interface DeathHistory extends History {
  /** Whether the service shows the same to the next process. */
  readonly isLikely: boolean;
}

/** Those in which the service shows the same to the next process. */
export async function likelyDeaths(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  return (await otherDeaths(stage, told, open)).filter(({ isLikely }) => isLikely);
}

/** Those in which it does not, for a process that does not look. */
export async function unlikelyDeaths(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  return (await otherDeaths(stage, told, open)).filter(({ isLikely }) => !isLikely);
}

/**
 * The histories in which no answer came to the write, and the store failed, at the same point or at another, and was left the same: the process
 * knew the outcome, and could tell nobody but the user before its screen.
 */
export async function otherEndings(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const found: History[] = [];
  for (const [turn, { choices, dies, isSettled }] of told.turns.entries()) {
    const [start, after] = [told.starts[turn], told.after[turn]];
    const isFailing = choices.some(([number]) => told.passed.some((one) => one.turn === turn && one.number === number && !isRequest(one)));
    if (!start || !after || dies || !isFailing) continue;
    const same = wayWithoutAnswer(told, { turn, open, visible: "lost", isElseTheSame: true });
    found.push(...historiesOf(told, { turn, open, way: same }, { choices: [], dies: null, isSettled }));
    const before = scheduleText(told.turns.slice(0, turn));
    const way = wayWithoutAnswer(told, { turn, open, visible: "slow", isElseTheSame: false });
    for (const failed of (await failuresOn(stage, { start, before, way })).get(leftIn(stage, after)) ?? []) {
      found.push(...historiesOf(told, { turn, open, way }, { choices: [failed], dies: null, isSettled }));
    }
  }
  return found;
}

interface On {
  readonly turn: number;
  readonly open: OpenWrite;
  readonly way: Way;
}

function historiesOf(told: Told, { turn, open, way: { decide } }: On, instead: Turn): readonly (History & { readonly landing: Landing | null })[] {
  const turns = told.turns.with(turn, instead);
  // The next process starts at the same time, and draws the same random numbers.
  const next = (now: number, world: World): void => {
    const before = told.after[now];
    if (before) [world.nowMs, world.chance] = [before.nowMs, before.chance];
  };
  if (!decide) return [{ landing: null, from: turn, turns, alternative: { next }, lost: turn }];
  return landingsOf(told.replayed.world, open).map((landing) => {
    const decided = decide(landing);
    return { landing, from: turn, turns, alternative: { next, choose: (now, point, chosen) => (now === turn ? decided(point, chosen) : chosen) }, lost: turn };
  });
}

/** With the first of these choices, from all to none. */
function prefixes(choices: Choices): readonly Way[] {
  return Array.from({ length: choices.length + 1 }, (_, left) => choices.slice(0, choices.length - left)).map((kept) => ({
    name: scheduleText([{ choices: kept, dies: null, isSettled: false }]),
    choices: kept,
    decide: null,
    isUnanswered: () => false,
  }));
}

function waysWithoutAnswer(told: Told, turn: number, open: OpenWrite): readonly Way[] {
  const kept = (told.turns[turn]?.choices ?? []).length > 0 ? [true, false] : [false];
  return kept.map((isElseTheSame) => wayWithoutAnswer(told, { turn, open, visible: "slow", isElseTheSame }));
}

interface Unanswered {
  readonly turn: number;
  readonly open: OpenWrite;
  /** Whether the answer is known to be lost, or just does not come for long. */
  readonly visible: "lost" | "slow";
  readonly isElseTheSame: boolean;
}

/** Other decisions are found by their points and not by their numbers: the process may come to more points. */
function wayWithoutAnswer({ passed, turns }: Told, { turn, open, visible, isElseTheSame }: Unanswered): Way {
  const before = new Map<string, string>();
  if (isElseTheSame) {
    const name = counting();
    for (const { point, chosen } of passed.filter((one) => one.turn === turn)) before.set(name(point), chosen);
  }
  const isUnanswered = (point: string): boolean => isRequest({ point }) && isAbout(point, open);
  return {
    isUnanswered,
    name: [isElseTheSame ? scheduleText(turns.slice(turn, turn + 1)) : "", open.address, visible].join(" "),
    choices: [],
    decide: (landing) => {
      const name = counting();
      return (point, chosen) => {
        const known = before.get(name(point)) ?? chosen;
        return isUnanswered(point) && known === "well" ? `as ${visible}: ${landing}` : known;
      };
    },
  };
}

/** Names points that come more than once. */
function counting(): (point: string) => string {
  const counts = new Map<string, number>();
  return (point) => {
    const count = (counts.get(point) ?? 0) + 1;
    counts.set(point, count);
    return `${point} ${String(count)}`;
  };
}

/** Where a process dies, and what the service is then. */
type DeathOn = Pick<Death, "at" | "variant"> & Pick<World, "service" | "nowMs">;
/** By what is left in the store. */
type ByLeft<T> = ReadonlyMap<string, readonly T[]>;

interface Begun {
  readonly start: World;
  /** The schedule that leads to its start. */
  readonly before: string;
  readonly way: Way;
}

/** Where a process may die on a way. What becomes of a write without an answer makes no difference to what it leaves. */
const deathsOn = remembered(async (stage, { start, way: { choices, decide } }, found: (left: string, one: DeathOn) => void) => {
  const known = new Set<string>();
  const dies = ({ at, variant, world: { store, service, nowMs } }: Death): void => {
    const left = leftIn(stage, { store });
    const name = [left, service.key(), service.log.length].join(" ");
    if (!known.has(name)) found(left, { at, variant, service: service.copy(), nowMs });
    known.add(name);
  };
  await explore(stage, start, { choices, dies, ...(decide ? { choose: decide("dropped") } : {}) });
});

/** Where a store may fail on a way, after the open write was sent. */
const failuresOn = remembered(async (stage, { start, way: { decide, isUnanswered } }, found: (left: string, one: Choices[number]) => void) => {
  const run = (choices: Choices): ReturnType<typeof explore> =>
    explore(stage, start, { choices, dies: null, ...(decide ? { choose: decide("dropped") } : {}) });
  const { open } = await run([]);
  for (const { name, number, options } of open.slice(open.findIndex((one) => isUnanswered(one.name)))) {
    if (isRequest({ point: name })) continue;
    for (let option = 1; option < options.length; option++) found(leftIn(stage, (await run([[number, option]])).world), [number, option]);
  }
});

const MOST_KNOWN = 500;

/** Ends that are alike share what is found. */
function remembered<T>(find: (stage: Stage, begun: Begun, found: (left: string, one: T) => void) => Promise<void>) {
  const known = new WeakMap<Stage, Map<string, ByLeft<T>>>();
  return async (stage: Stage, begun: Begun): Promise<ByLeft<T>> => {
    const ofStage = known.get(stage) ?? new Map<string, ByLeft<T>>();
    known.set(stage, ofStage);
    const name = `${begun.before} ${begun.way.name}`;
    const before = ofStage.get(name);
    if (before) return before;
    const all = new Map<string, T[]>();
    await find(stage, begun, (left, one) => void all.set(left, [...(all.get(left) ?? []), one]));
    if (ofStage.size >= MOST_KNOWN) ofStage.clear();
    ofStage.set(name, all);
    return all;
  };
}

/** What the next process finds in the store. */
function leftIn({ kind }: Stage, { store }: Pick<World, "store">): string {
  const copy = store.copy();
  if (!kind.endsWithProcess) copy.unlock();
  return createHash("sha256")
    .update(JSON.stringify(copy.texts().map(withoutTornLine)))
    .digest("hex");
}
