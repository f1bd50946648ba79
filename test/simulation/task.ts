import { countSchedules } from "./explorer/counts.ts";
import { Explorer, turnsTo } from "./explorer/explorer.ts";
import { type Stage, openingOf } from "./explorer/runs.ts";
import { type Turn, scheduleText } from "./explorer/schedule.ts";
import { justify } from "./oracle.ts";
import type { Bounds } from "./explorer/bounds.ts";

/** What an enumeration has found out. */
export interface TaskFigures extends Bounds {
  readonly scenario: string;
  readonly store: string;
  /** Different schedules, as server and store see them. */
  readonly schedules: number;
  /** Those that end undecided. */
  readonly undecided: number;
  /** Those after which every run reports what a person has to settle. */
  readonly reported: number;
  /** Processes that were really run. */
  readonly runs: number;
  readonly worlds: number;
  readonly seconds: number;
  /** The most that a run without trouble of its own took, in addition to the first one. */
  readonly recovery: { readonly requests: number; readonly ms: number };
  readonly violations: readonly { readonly rule: string; readonly schedule: string }[];
}

/** Enumerated completely. `troubles` bounds faults and deaths together. */
export const USUAL_BOUNDS: Bounds = { faults: 2, deaths: 2, troubles: 2, which: "all" };

/** Many together. */
export const DEEP_BOUNDS: Bounds = { faults: 3, deaths: 2, troubles: 5, which: "unclear" };

export async function runTask(stage: Stage, bounds: Bounds): Promise<TaskFigures> {
  const begunMs = performance.now();
  const seconds = (): number => (performance.now() - begunMs) / 1000;
  const name = `${stage.scenario.name} on ${stage.kind.name}`;
  const progress = (runs: number, worlds: number): void => {
    console.error(
      `${name}: ${runs.toLocaleString("en")} runs, ${worlds.toLocaleString("en")} worlds, ${seconds().toFixed(0)} s`,
    );
  };
  const explorer = new Explorer(stage, bounds, progress);
  const root = await explorer.exploreAll(await openingOf(stage));
  const { rest, undecided, reported } = countSchedules(root, bounds);
  const { runs, violations, undecided: undecidedNodes } = explorer.figures;
  const unjustified: { readonly rule: string; readonly turns: readonly Turn[] }[] = [];
  // What somebody else puts in place of ours stays undecided: the judge has seen that it does.
  const unexplained = stage.scenario.service.hasCopier ? [] : undecidedNodes;
  for (const node of unexplained) {
    const rule = await justify(stage, turnsTo(node));
    if (rule !== null) unjustified.push({ rule, turns: turnsTo(node) });
  }
  const nameOf = (turns: readonly Turn[]): string =>
    [stage.scenario.name, stage.kind.name, scheduleText(turns)].join("/");
  return {
    ...bounds,
    scenario: stage.scenario.name,
    store: stage.kind.name,
    schedules: rest + undecided + reported,
    undecided,
    reported,
    runs,
    worlds: explorer.worlds,
    seconds: seconds(),
    recovery: explorer.figures.recovery,
    violations: [...violations, ...unjustified].map(({ rule, turns }) => ({ rule, schedule: nameOf(turns) })),
  };
}
