import { judgeRest, judgeRun } from "../judge/judge.ts";
import { runWithOthers } from "../meanwhile.ts";
import { type Ran, machineOf } from "../process.ts";
import { judged } from "../scenarios.ts";
import { type World, copyOf } from "../world.ts";
import { RunDecisions } from "./run-decisions.ts";
import { DIED, type Stage, openingOf, settle, worldsAfterDeath } from "./runs.ts";
import type { Turn } from "./schedule.ts";

/** Another history: what a process cannot see may differ. */
export interface Alternative {
  /** Replaces the option that was chosen at a point. */
  readonly choose?: (turn: number, point: string, chosen: string) => string;
  /** Replaces the world that a process leaves when it dies; `before` is the world in which it dies. */
  readonly left?: (turn: number, given: { readonly before: World; readonly left: World }) => World;
  /** Called with the world in which a run begins. */
  readonly begin?: (turn: number, world: World) => void;
  /** Called with the world that a run has left, and what its process saw, before the next one starts. */
  readonly next?: (turn: number, world: World, saw: readonly string[]) => void;
  /** The turns with trouble that their choices do not name. */
  readonly troubled?: readonly number[];
  /** Called with each thing that a process sees, by its number: false stops its run, which nobody needs any more. */
  readonly sees?: (turn: number, number: number, text: string) => boolean;
  /** A run to begin with, in its world: the runs before it are the same. */
  readonly from?: { readonly turn: number; readonly world: World };
}

export interface Replayed {
  /** What each process saw, in order. */
  readonly saw: readonly (readonly string[])[];
  readonly rans: readonly Ran[];
  readonly world: World;
  /** For people. */
  readonly story: readonly string[];
  readonly broken: readonly string[];
}

/** Runs a schedule again. */
export async function replay(stage: Stage, turns: readonly Turn[], alternative: Alternative = {}): Promise<Replayed> {
  const { scenario, kind } = stage;
  let world = alternative.from?.world ?? (await openingOf(stage));
  const saw: (readonly string[])[] = [];
  const rans: Ran[] = [];
  const story: string[] = [];
  const broken: string[] = [];
  for (const [turn, { choices, dies, isSettled }] of turns.entries()) {
    if (turn < (alternative.from?.turn ?? 0)) continue;
    alternative.begin?.(turn, world);
    const machine = machineOf(copyOf(world), kind);
    const life = { isOver: false };
    let death: {
      readonly world: World;
      readonly ran: Ran;
      readonly saw: readonly string[];
      readonly story: readonly string[];
    } | null = null;
    const decisions: RunDecisions = new RunDecisions(
      choices,
      (at) => {
        if (at !== dies?.at || death) return;
        const given = worldsAfterDeath(machine.world)[dies.variant]?.world;
        if (!given) throw new Error(`death ${String(at)} leaves no world ${String(dies.variant)}`);
        const left = copyOf(alternative.left?.(turn, { before: machine.world, left: given }) ?? given);
        death = {
          world: left,
          ran: { ...DIED, plan: machine.plan, approved: scenario.running.approved },
          saw: [...decisions.saw],
          story: [...decisions.story],
        };
        life.isOver = true;
      },
      {
        choose: (point, chosen) => alternative.choose?.(turn, point, chosen) ?? chosen,
        sees: (number, text) => {
          if (alternative.sees?.(turn, number, text) === false) life.isOver = true;
        },
      },
    );
    const whole = await runWithOthers(machine, scenario, decisions, life);
    const ended = dies ? death : { world: machine.world, ran: whole, saw: decisions.saw, story: decisions.story };
    if (!ended) throw new Error(`run ${String(turn + 1)} has no point ${String(dies?.at)} where it may die`);
    world = ended.world;
    saw.push(ended.saw);
    rans.push(ended.ran);
    const said = ended.ran.said.map(({ code, address = "", detail }) => `  says ${code} ${address}: ${detail}`);
    story.push(
      `run ${String(turn + 1)}`,
      ...ended.story.map((line) => `  ${line}`),
      ...said,
      ...ended.ran.texts,
      `  exit ${String(ended.ran.exit)}`,
    );
    broken.push(...judgeRun(world, ended.ran, judged(scenario)));
    alternative.next?.(turn, world, ended.saw);
    if (isSettled) settle(world);
    if (choices.length > 0 || dies || alternative.troubled?.includes(turn)) kind.tidy(world.store);
    story.push(
      `  live: ${world.service.hooks.map(({ id, targetUrl, isOurs }) => `${id} ${targetUrl}${isOurs ? "" : " (somebody else's)"}`).join(", ")}`,
    );
  }
  const last = rans.at(-1);
  if (last && last.exit !== "died") broken.push(...judgeRest(world, last, judged(scenario)));
  return { saw, rans, world, story: [...story, ...broken.map((rule) => `broken: ${rule}`)], broken };
}
