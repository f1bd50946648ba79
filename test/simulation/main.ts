import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { Bounds } from "./explorer/bounds.ts";
import { parseSchedule } from "./explorer/schedule.ts";
import { replay } from "./explorer/replay.ts";
import type { Stage } from "./explorer/runs.ts";
import { STORES } from "./stores.ts";
import { SCENARIOS } from "./scenarios.ts";
import { type TaskFigures, boundsOf, runTask } from "./task.ts";

// Errors are thrown by the thousand, and nobody reads where.
Error.stackTraceLimit = 0;

const USAGE = `npm run simulate                                  all scenarios on all stores
  -- --scenario create --store local              one of them
  -- --faults 3 --deaths 2 --troubles 3           other bounds than the usual ones
  -- --replay "create/local/35.1!30.0/"           tells one schedule again`;

const { values } = parseArgs({
  options: {
    scenario: { type: "string" },
    store: { type: "string" },
    faults: { type: "string" },
    deaths: { type: "string" },
    troubles: { type: "string" },
    replay: { type: "string" },
    task: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function stageOf(scenarioName: string | undefined, storeName: string | undefined): Stage {
  const scenario = SCENARIOS.find(({ name }) => name === scenarioName);
  const kind = STORES.find(({ name }) => name === storeName);
  if (!scenario || !kind) throw new Error(`no such scenario: ${String(scenarioName)} on ${String(storeName)}`);
  return { scenario, kind };
}

/** A process of its own for each, two at a time: a search fills its memory. */
async function runAll(): Promise<boolean> {
  const tasks = SCENARIOS.flatMap((scenario) => STORES.map((kind): Stage => ({ scenario, kind }))).filter(
    ({ scenario, kind }) => (values.scenario ?? scenario.name) === scenario.name && (values.store ?? kind.name) === kind.name,
  );
  if (tasks.length === 0) throw new Error("no such scenario");
  const begunMs = performance.now();
  const all: TaskFigures[] = [];
  let failed = false;
  print(["scenario", "store", "bounds", "schedules", "runs", "worlds", "undecided", "reported", "schedules/s", "violations"]);
  async function work(): Promise<void> {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const figures = await runChild(task);
      if (!figures) {
        failed = true;
        continue;
      }
      all.push(figures);
      show(figures);
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  const sum = (of: (figures: TaskFigures) => number): number => all.reduce((total, figures) => total + of(figures), 0);
  const seconds = (performance.now() - begunMs) / 1000;
  const violations = sum((one) => one.violations.length);
  console.log(
    `${count(sum((one) => one.schedules))} schedules in ${count(sum((one) => one.runs))} runs, ${seconds.toFixed(0)} s: ${count(sum((one) => one.schedules) / seconds)} schedules/s, ${count(sum((one) => one.runs) / seconds)} runs/s; ${count(sum((one) => one.undecided))} undecided, ${String(violations)} violations`,
  );
  return !failed && violations === 0;
}

async function runChild({ scenario, kind }: Stage): Promise<TaskFigures | null> {
  const bounds = (["faults", "deaths", "troubles"] as const).flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const args = [...process.execArgv, process.argv[1] ?? "", "--task", "--scenario", scenario.name, "--store", kind.name, ...bounds];
  const child = spawn(process.execPath, ["--max-old-space-size=6000", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const exit = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (exit === 0) return JSON.parse(output) as TaskFigures;
  console.error(`${scenario.name} on ${kind.name} ended with ${String(exit)}`);
  return null;
}

function show(figures: TaskFigures): void {
  const { scenario, store, faults, deaths, troubles, schedules, runs, worlds, undecided, reported, seconds, violations } = figures;
  print([
    scenario,
    store,
    `${String(faults)}+${String(deaths)}<=${String(troubles)}`,
    count(schedules),
    count(runs),
    count(worlds),
    count(undecided),
    count(reported),
    count(schedules / seconds),
    violations.length,
  ]);
  for (const { rule, schedule } of violations) console.log(`  ${rule}\n    npm run simulate -- --replay "${schedule}"`);
}

function count(number: number): string {
  return Math.round(number).toLocaleString("en");
}

function print([scenario = "", store = "", ...rest]: readonly (string | number)[]): void {
  console.log(`${String(scenario).padEnd(21)}${String(store).padEnd(6)}${rest.map((cell) => String(cell).padStart(14)).join("")}`);
}

async function tellAgain(text: string): Promise<boolean> {
  const [scenario, store, ...schedule] = text.split("/");
  const { story, broken } = await replay(stageOf(scenario, store), parseSchedule(schedule.join("/")));
  console.log(story.join("\n"));
  return broken.length === 0;
}

async function main(): Promise<boolean> {
  if (values.help) console.log(USAGE);
  if (values.help) return true;
  if (values.replay !== undefined) return tellAgain(values.replay);
  if (!values.task) return runAll();
  const stage = stageOf(values.scenario, values.store);
  const usual = boundsOf(stage);
  const given = (name: keyof Bounds): number => Number(values[name] ?? usual[name]);
  const bounds = { faults: given("faults"), deaths: given("deaths"), troubles: given("troubles") };
  console.log(JSON.stringify(await runTask(stage, bounds)));
  return true;
}

process.exitCode = (await main()) ? 0 : 1;
