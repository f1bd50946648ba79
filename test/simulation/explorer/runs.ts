import type { Plan } from "../../../src/core/plan/plan.ts";
import { judgeRun } from "../judge/judge.ts";
import { newMemory } from "../judge/memory.ts";
import type { StoreKind } from "../ports.ts";
import { runWithOthers } from "../meanwhile.ts";
import { type Ran, machineOf, runProcess } from "../process.ts";
import { type Scenario, judged } from "../scenarios.ts";
import { type Landing, newService } from "../service.ts";
import { type World, copyOf } from "../world.ts";
import { type Choices, type Point, RunDecisions } from "./run-decisions.ts";

export const BEGIN_MS = 1_700_000_000_000;
/** Nothing that is late takes longer. */
const SETTLED_MS = 900_000;

/** A scenario on one kind of store. */
export interface Stage {
  readonly scenario: Scenario;
  readonly kind: StoreKind;
}

/** The world in which a scenario begins. */
export async function openingOf({ scenario, kind }: Stage): Promise<World> {
  const world: World = {
    nowMs: BEGIN_MS,
    chance: 0,
    service: newService(scenario.service, BEGIN_MS),
    store: kind.newPart(),
    judge: newMemory(),
  };
  const states: Uint8Array[] = [];
  for (const running of scenario.earlier) {
    const ran = await runProcess(machineOf(world, kind), { ...running, approved: true }, new RunDecisions([]));
    if (ran.exit !== 0)
      throw new Error(`${scenario.name} does not begin: ${JSON.stringify(ran.said)} ${ran.texts.join("\n")}`);
    judgeRun(world, ran, { ...judged(scenario), declarations: running.declarations, marks: running.marks });
    settle(world);
    const { state } = world.store.stored();
    if (state) states.push(state);
  }
  scenario.byHand(world, states);
  return world;
}

export function settle(world: World): void {
  world.nowMs += SETTLED_MS;
  world.service.advance(world.nowMs);
}

/** A process has died: one of the worlds that it may have left. It shares its parts with others: to be copied. */
export interface Death {
  readonly at: number;
  readonly variant: number;
  readonly world: World;
  /** What it was about to do. */
  readonly plan: Plan | null;
  readonly trace: number;
  /** What becomes of the writes in flight. */
  readonly fates: readonly Landing[];
}

export interface Explored {
  readonly ran: Ran;
  /** As it is at the end of the run. */
  readonly world: World;
  readonly trace: number;
  /** Where the run could have gone another way. */
  readonly open: readonly Point[];
  readonly broken: readonly string[];
}

interface Exploration {
  readonly choices: Choices;
  /** Called with each world that the process leaves if it dies after the last choice. */
  readonly dies: ((death: Death) => void) | null;
  /** The points at which it may die; all, if it is not given. */
  readonly diesAt?: (point: string) => boolean;
  /** Replaces the option that was chosen at a point. */
  readonly choose?: (point: string, chosen: string) => string;
}

/** One run in a copy of a world. */
export async function explore(
  { scenario, kind }: Stage,
  start: World,
  { choices, dies, diesAt = () => true, choose }: Exploration,
): Promise<Explored> {
  const world = copyOf(start);
  const machine = machineOf(world, kind);
  const decisions = new RunDecisions(
    choices,
    dies &&
      ((at, point) => {
        if (!diesAt(point)) return;
        const { plan } = machine;
        for (const [variant, left] of worldsAfterDeath(world).entries())
          dies({ at, variant, ...left, plan, trace: decisions.trace() });
      }),
    choose ? { choose } : null,
  );
  const ran = await runWithOthers(machine, scenario, decisions);
  const broken = judgeRun(world, ran, judged(scenario));
  return { ran, world, trace: decisions.trace(), open: decisions.open, broken };
}

export const DIED: Omit<Ran, "approved" | "plan"> = {
  exit: "died",
  said: [],
  texts: [],
  wrote: true,
  sawOldState: false,
  unstored: null,
  isQuiet: false,
  requests: 0,
  tookMs: 0,
};

/** The worlds that a process may leave that dies now. */
export function worldsAfterDeath(
  world: World,
): readonly { readonly world: World; readonly fates: readonly Landing[] }[] {
  const stores = world.store.afterDeath();
  return world.service
    .afterDeath(world.nowMs)
    .flatMap(({ service, fates }) => stores.map((store) => ({ world: { ...world, service, store }, fates })));
}
