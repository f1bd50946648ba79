import { parseArgs } from "node:util";
import { wholeNumber } from "../whole-number.ts";
import { runInChildren } from "./children.ts";
import { replay } from "./explorer/replay.ts";
import type { Stage } from "./explorer/runs.ts";
import { parseSchedule } from "./explorer/schedule.ts";
import { MARKED_SCENARIOS, SCENARIOS } from "./scenarios.ts";
import { type SeedFigures, storyOf, tellStories } from "./seeds/seeds.ts";
import { tellStory } from "./seeds/story.ts";
import { ALL_STORES, DEEP_STORES, STORES } from "./stores.ts";
import { showSeeds, showTask, showTasks } from "./table.ts";
import { DEEP_BOUNDS, type TaskFigures, USUAL_BOUNDS, runTask } from "./task.ts";

// Thousands of errors are thrown, and nobody reads their stacks.
Error.stackTraceLimit = 0;

const USAGE = `npm run simulate                                  all scenarios on all stores
  -- --scenario create --store local              some of them
  -- --faults 3 --deaths 2 --troubles 3           other bounds: at most so many faults, deaths, and both together
  -- --marks                                   those with marks, in place of those without
  -- --deep                                       3 faults and 2 deaths together, of those that leave an outcome unknown
  -- --replay "create/local/35.1!30.0/"           replays one schedule
  -- --seeds 100000 [--from 0] [--operations 50]  random stories
  -- --seed 17 [--operations 50]                  replays one of them`;

const SEEDS_AT_ONCE = 500;

const { values } = parseArgs({
  options: {
    scenario: { type: "string" },
    store: { type: "string" },
    faults: { type: "string" },
    deaths: { type: "string" },
    troubles: { type: "string" },
    deep: { type: "boolean", default: false },
    marks: { type: "boolean", default: false },
    replay: { type: "string" },
    seeds: { type: "string" },
    seed: { type: "string" },
    from: { type: "string", default: "0" },
    to: { type: "string" },
    operations: { type: "string", default: "50" },
    child: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function stageOf(scenarioName: string | undefined, storeName: string | undefined): Stage {
  const scenario = [...SCENARIOS, ...MARKED_SCENARIOS].find(({ name }) => name === scenarioName);
  const kind = ALL_STORES.find(({ name }) => name === storeName);
  if (!scenario || !kind) throw new Error(`no such scenario: ${String(scenarioName)} on ${String(storeName)}`);
  return { scenario, kind };
}

async function enumerate(): Promise<boolean> {
  const scenarios = values.marks ? MARKED_SCENARIOS : SCENARIOS;
  const stages = scenarios
    .flatMap((scenario) => (values.deep ? DEEP_STORES : STORES).map((kind): Stage => ({ scenario, kind })))
    .filter(
      ({ scenario, kind }) =>
        (values.scenario ?? scenario.name) === scenario.name && (values.store ?? kind.name) === kind.name,
    );
  if (stages.length === 0) throw new Error("no such scenario");
  const numbers = (["faults", "deaths", "troubles"] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, values[name]],
  );
  const bounds = [...numbers, ...(values.deep ? ["--deep"] : [])];
  const tasks = stages.map(({ scenario, kind }) => ["--scenario", scenario.name, "--store", kind.name, ...bounds]);
  return showTasks(await runInChildren<TaskFigures>(tasks, showTask));
}

/** In a process of its own: a search fills its memory. */
async function enumerateOne(): Promise<TaskFigures> {
  const usual = values.deep ? DEEP_BOUNDS : USUAL_BOUNDS;
  const given = (name: "faults" | "deaths" | "troubles"): number =>
    wholeNumber(`--${name}`, values[name] ?? String(usual[name]), 0);
  return runTask(stageOf(values.scenario, values.store), {
    faults: given("faults"),
    deaths: given("deaths"),
    troubles: given("troubles"),
    which: usual.which,
  });
}

const operations = (): number => wholeNumber("--operations", values.operations);

async function tellAll(): Promise<boolean> {
  const [from, count] = [wholeNumber("--from", values.from, 0), wholeNumber("--seeds", values.seeds ?? "")];
  const tasks = Array.from({ length: Math.ceil(count / SEEDS_AT_ONCE) }, (_, index) => {
    const begin = from + index * SEEDS_AT_ONCE;
    return [
      "--from",
      String(begin),
      "--to",
      String(Math.min(begin + SEEDS_AT_ONCE, from + count)),
      "--operations",
      values.operations,
    ];
  });
  return showSeeds(await runInChildren<SeedFigures>(tasks, () => undefined), values.operations);
}

async function replayAgain(text: string): Promise<boolean> {
  const [scenario, store, ...schedule] = text.split("/");
  const { story, broken } = await replay(stageOf(scenario, store), parseSchedule(schedule.join("/")));
  console.log(story.join("\n"));
  return broken.length === 0;
}

async function tellAgain(seed: number): Promise<boolean> {
  const { told, broken } = await tellStory(storyOf(seed, operations()));
  console.log([...told, ...broken.map((rule) => `broken: ${rule}`)].join("\n"));
  return broken.length === 0;
}

async function child(): Promise<boolean> {
  const figures = await (values.to === undefined
    ? enumerateOne()
    : tellStories({ from: Number(values.from), to: Number(values.to), operations: operations() }));
  console.log(JSON.stringify(figures));
  return true;
}

async function main(): Promise<boolean> {
  if (values.help) console.log(USAGE);
  if (values.help) return true;
  if (values.child) return child();
  if (values.replay !== undefined) return replayAgain(values.replay);
  if (values.seed !== undefined) return tellAgain(wholeNumber("--seed", values.seed, 0));
  return values.seeds === undefined ? enumerate() : tellAll();
}

process.exitCode = (await main()) ? 0 : 1;
