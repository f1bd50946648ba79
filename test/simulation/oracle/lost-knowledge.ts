import { createHash } from "node:crypto";
import type { Choices } from "../explorer/run-decisions.ts";
import type { Alternative } from "../explorer/replay.ts";
import { type Death, type Stage, explore } from "../explorer/runs.ts";
import { type Turn, scheduleText } from "../explorer/schedule.ts";
import type { OpenWrite } from "../judge/parse.ts";
import { type Due, type Landing, type Service, type Write, landsAt } from "../service.ts";
import type { World } from "../world.ts";
import { changesIn, withChanges } from "./hidden.ts";
import { type History, type Told, withoutTornLine } from "./history.ts";
import { isOf, landingsOf, truthOf } from "./truth.ts";
import { type Way, isRequest, prefixes, wayWithoutAnswer, waysWithoutAnswer } from "./ways.ts";

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
    // What the next processes see depends on nothing else.
    const known = new Set<string>();
    for (const way of [...prefixes(choices), ...waysWithoutAnswer(told, turn, open)]) {
      const deaths = (await deathsOn(stage, { start, before, way })).get(leftIn(stage, after)) ?? [];
      for (const { at, variant, service, nowMs } of deaths) {
        if (!way.decide && truthOf({ service }, open) === truthOf(after, open)) continue;
        const instead = { choices: way.choices, dies: { at, variant }, isSettled };
        const ons = othersOf(told, turn, service).map((others): On => ({ turn, open, way, others }));
        for (const { landing, others, ...history } of ons.flatMap((on) => historiesOf(told, on, instead))) {
          const copy = service.copy();
          landAll(copy, others, nowMs);
          if (landing !== null) landLast(copy, { open, landing, nowMs });
          deleteAsBefore(copy, after.service, { open, nowMs });
          if (known.has(copy.key())) continue;
          known.add(copy.key());
          found.push({ ...history, service: copy, isLikely: copy.shown() === after.service.shown() });
        }
      }
    }
  }
  return found;
}

/** An open write without an answer, dropped until now, has another outcome. */
function landLast(
  service: Service,
  { open, landing, nowMs }: { readonly open: OpenWrite; readonly landing: Landing; readonly nowMs: number },
): void {
  const [sent] = service.log
    .filter(({ write }) => isOf(write, open))
    .toSorted((a, b) => b.write.number - a.write.number);
  if (sent) service.land(sent.write, landing, nowMs);
}

interface Landed {
  readonly write: Write;
  readonly landing: Landing;
}

/**
 * What may become of the writes that are dropped at a death, and that were in flight in truth as well when the process died: nothing, or the same at
 * the same time.
 */
function othersOf({ died }: Told, turn: number, { log }: Service): readonly (readonly Landed[])[] {
  const same = died
    .filter((one) => one.turn === turn)
    .flatMap(({ before, fates }) =>
      before.service.inFlight.flatMap(({ number }, index): readonly Landed[] => {
        const fate = fates[index] ?? "dropped";
        const here = log.find((one) => one.write.number === number && one.fate.kind === "dropped");
        return here && fate !== "dropped"
          ? [{ write: here.write, landing: `done at ${landsAt(fate, before.nowMs)}` }]
          : [];
      }),
    );
  return same.length > 0 ? [[], same] : [[]];
}

function landAll(service: Service, landed: readonly Landed[], nowMs: number): void {
  for (const { write, landing } of landed) service.land(write, landing, nowMs);
}

/** What the process deleted in truth, and could not delete in another history as it died before, somebody else deletes. */
function deleteAsBefore(
  service: Service,
  before: Service,
  { open: { id }, nowMs }: { readonly open: OpenWrite; readonly nowMs: number },
): void {
  const isLive = (one: Service): boolean => one.hooks.some((hook) => hook.id === id);
  const dueIn = (one: Service): Due | undefined =>
    one.due.find(({ write }) => write.kind === "delete" && write.id === id);
  if (id === null || !isLive(service) || dueIn(service)) return;
  const due = dueIn(before);
  if (due) service.land(due.write, `forged at ${due.dueMs}`, nowMs);
  else if (!isLive(before)) service.removeByHand(id);
}

interface DeathHistory extends History {
  /** As the process leaves it. */
  readonly service: Service;
  /** Whether it shows the same to the next process. */
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

/** Those in which two died at other points, and what the first sent was carried out in the time of the second. */
export async function twoDeaths(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const all = (await otherDeaths(stage, told, open)).filter(({ from }) => told.turns[from]?.dies);
  return all.flatMap((first) => {
    const late = lateOf(told, first);
    const seconds = late.length === 0 ? [] : all.filter(({ from }) => from > first.from);
    return seconds.filter((second) => isShownWith(late, told, second)).map((second) => both(first, second));
  });
}

/** Those in which one died at another point, and what it sent was carried out in the time of another one, which had another ending. */
export async function deathsAndEndings(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const endings = await otherEndings(stage, told, open);
  const deaths = (await otherDeaths(stage, told, open)).filter((death) => lateOf(told, death).length > 0);
  return deaths.flatMap((death) =>
    endings.filter(({ from }) => from > death.from).map((ending) => both(death, ending)),
  );
}

/** What is still to come after a death, and was not in truth. */
function lateOf({ after }: Told, { from, service }: DeathHistory): readonly Due[] {
  const before = after[from]?.service.due.map(({ dueMs }) => dueMs) ?? [];
  return service.due.filter(({ dueMs }) => !before.includes(dueMs));
}

/** Those in which one died at another point, and a write of another run had another outcome that nobody saw. */
export async function deathsAndHidden(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  return andHidden(told, open, await otherDeaths(stage, told, open));
}

/** Those in which one had another ending, and a write of another run had another outcome that nobody saw. */
export async function endingsAndHidden(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  return andHidden(told, open, await otherEndings(stage, told, open));
}

function andHidden(told: Told, open: OpenWrite, histories: readonly History[]): readonly History[] {
  const changes = changesIn(told, open);
  return histories.flatMap((one) =>
    changes.filter(({ turn }) => turn !== one.from).map((change) => both(one, withChanges(told, [change]))),
  );
}

function isShownWith(late: readonly Due[], { after }: Told, { from, service }: DeathHistory): boolean {
  const world = after[from];
  if (!world) return false;
  const copy = service.copy();
  for (const { write, dueMs, isForged } of late)
    copy.land(write, `${isForged ? "forged" : "done"} at ${dueMs}`, world.nowMs);
  copy.advance(world.nowMs);
  return copy.shown() === world.service.shown();
}

function both(first: History, second: History): History {
  const turn = first.turns[first.from];
  if (!turn) throw new Error(`no turn ${String(first.from)}`);
  return {
    from: Math.min(first.from, second.from),
    turns: second.turns.with(first.from, turn),
    alternative: () => {
      const [one, other] = [first.alternative(), second.alternative()];
      return {
        ...one,
        troubled: [...(one.troubled ?? []), ...(other.troubled ?? [])],
        choose: (now, point, chosen) => {
          const decided = one.choose?.(now, point, chosen) ?? chosen;
          return other.choose?.(now, point, decided) ?? decided;
        },
        left: (now, given) => {
          const left = one.left?.(now, given) ?? given.left;
          return other.left?.(now, { ...given, left }) ?? left;
        },
      };
    },
    lost: [...first.lost, ...second.lost],
  };
}

/**
 * The histories in which no answer came to the write, and the store failed, at the same point or at another, and was left the same: the process
 * knew the outcome, and could tell nobody but the user before its screen.
 */
export async function otherEndings(stage: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const found: History[] = [];
  for (const [turn, { choices, dies, isSettled }] of told.turns.entries()) {
    const [start, after] = [told.starts[turn], told.after[turn]];
    const isFailing = choices.some(([number]) =>
      told.passed.some((one) => one.turn === turn && one.number === number && !isRequest(one)),
    );
    if (!start || !after || dies || !isFailing) continue;
    const same = wayWithoutAnswer(told, { turn, open, visible: "lost", isElseTheSame: true, first: 1, hidden: null });
    found.push(...historiesOf(told, { turn, open, way: same, others: [] }, { choices: [], dies: null, isSettled }));
    const before = scheduleText(told.turns.slice(0, turn));
    const way = wayWithoutAnswer(told, { turn, open, visible: "slow", isElseTheSame: false, first: 1, hidden: null });
    for (const failed of (await failuresOn(stage, { start, before, way })).get(leftIn(stage, after)) ?? []) {
      found.push(...historiesOf(told, { turn, open, way, others: [] }, { choices: [failed], dies: null, isSettled }));
    }
  }
  return found;
}

interface On {
  readonly turn: number;
  readonly open: OpenWrite;
  readonly way: Way;
  /** What becomes of other writes that were in flight. */
  readonly others: readonly Landed[];
}

function historiesOf(
  told: Told,
  { turn, open, way: { decide }, others }: On,
  instead: Turn,
): readonly (History & Pick<On, "others"> & { readonly landing: Landing | null })[] {
  const turns = told.turns.with(turn, instead);
  // The next process starts at the same time, and draws the same random numbers.
  const next = (now: number, world: World): void => {
    const before = told.after[now];
    if (!before) return;
    // A process that waits longer in this history died while it waited. Nothing may have been made since.
    const startMs = told.starts[now + 1]?.nowMs ?? before.nowMs;
    if (world.service.hooks.some(({ createdMs }) => createdMs > startMs))
      throw new Error("leaves no world of its time");
    [world.nowMs, world.chance] = [before.nowMs, before.chance];
  };
  const left: Alternative["left"] = (now, { left: world }) => {
    const before = told.after[now];
    if (!before || now !== turn) return world;
    const service = world.service.copy();
    landAll(service, others, world.nowMs);
    deleteAsBefore(service, before.service, { open, nowMs: world.nowMs });
    return { ...world, service };
  };
  if (!decide) return [{ landing: null, from: turn, turns, alternative: () => ({ next, left }), lost: [turn], others }];
  return landingsOf(told.replayed.world, open).map((landing) => {
    const alternative = (): Alternative => {
      const decided = decide(landing);
      return {
        next,
        left,
        troubled: [turn],
        choose: (now, point, chosen) => (now === turn ? decided(point, chosen) : chosen),
      };
    };
    return { landing, from: turn, turns, alternative, lost: [turn], others };
  });
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
const deathsOn = remembered(
  async (stage, { start, way: { choices, decide } }, found: (left: string, one: DeathOn) => void) => {
    const known = new Set<string>();
    const dies = ({ at, variant, world: { store, service, nowMs } }: Death): void => {
      const left = leftIn(stage, { store });
      const name = [left, service.key(), service.log.length, nowMs].join(" ");
      if (!known.has(name)) found(left, { at, variant, service: service.copy(), nowMs });
      known.add(name);
    };
    await explore(stage, start, { choices, dies, ...(decide ? { choose: decide("dropped") } : {}) });
  },
);

/** Where a store may fail on a way, after the open write was sent. */
const failuresOn = remembered(
  async (stage, { start, way: { decide, isUnanswered } }, found: (left: string, one: Choices[number]) => void) => {
    const run = (choices: Choices): ReturnType<typeof explore> =>
      explore(stage, start, { choices, dies: null, ...(decide ? { choose: decide("dropped") } : {}) });
    const { open } = await run([]);
    for (const { name, number, options } of open.slice(open.findIndex((one) => isUnanswered(one.name)))) {
      if (isRequest({ point: name })) continue;
      for (let option = 1; option < options.length; option++)
        found(leftIn(stage, (await run([[number, option]])).world), [number, option]);
    }
  },
);

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
  kind.tidy(copy);
  return createHash("sha256")
    .update(JSON.stringify(copy.texts().map(withoutTornLine)))
    .digest("hex");
}
