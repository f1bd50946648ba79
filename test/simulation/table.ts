import type { ChildResults } from "./children.ts";
import type { SeedFigures } from "./seeds/seeds.ts";
import type { TaskFigures } from "./task.ts";

let isBegun = false;

/** One line of the table. */
export function showTask(figures: TaskFigures): void {
  if (!isBegun)
    print([
      "scenario",
      "store",
      "bounds",
      "schedules",
      "runs",
      "worlds",
      "undecided",
      "reported",
      "schedules/s",
      "violations",
    ]);
  isBegun = true;
  const {
    scenario,
    store,
    faults,
    deaths,
    troubles,
    schedules,
    runs,
    worlds,
    undecided,
    reported,
    seconds,
    violations,
  } = figures;
  const bounds = `${String(faults)}+${String(deaths)}<=${String(troubles)}`;
  print([
    scenario,
    store,
    bounds,
    ...[schedules, runs, worlds, undecided, reported, schedules / seconds, violations.length].map(count),
  ]);
  for (const { rule, schedule } of violations) console.log(`  ${rule}\n    npm run simulate -- --replay "${schedule}"`);
}

/** The sums. False if anything is broken. */
export function showTasks({ results, failed, seconds }: ChildResults<TaskFigures>): boolean {
  const sum = (of: (figures: TaskFigures) => number): number =>
    results.reduce((total, figures) => total + of(figures), 0);
  const [schedules, runs, violations] = [
    sum((one) => one.schedules),
    sum((one) => one.runs),
    sum((one) => one.violations.length),
  ];
  console.log(
    `${count(schedules)} schedules in ${count(runs)} runs and ${count(seconds)} s: ${count(schedules / seconds)} schedules/s, ${count(runs / seconds)} runs/s`,
  );
  console.log(`${count(sum((one) => one.undecided))} undecided, ${count(violations)} violations`);
  for (const task of failed) console.log(`failed: ${task}`);
  return failed.length === 0 && violations === 0;
}

export function showSeeds({ results, failed, seconds }: ChildResults<SeedFigures>, operations: string): boolean {
  const sum = (of: (figures: SeedFigures) => number): number =>
    results.reduce((total, figures) => total + of(figures), 0);
  const violations = results.flatMap((one) => one.violations);
  for (const { seed, rule } of violations)
    console.log(`${rule}\n  npm run simulate -- --seed ${String(seed)} --operations ${operations}`);
  console.log(
    `${count(sum((one) => one.seeds))} seeds, ${count(sum((one) => one.runs))} runs, ${count(seconds)} s: ${count(violations.length)} violations`,
  );
  for (const task of failed) console.log(`failed: ${task}`);
  return failed.length === 0 && violations.length === 0;
}

function count(number: number): string {
  return Math.round(number).toLocaleString("en");
}

function print([scenario = "", store = "", bounds = "", ...rest]: readonly string[]): void {
  console.log(
    `${scenario.padEnd(33)}${store.padEnd(6)}${bounds.padEnd(8)}${rest.map((cell) => cell.padStart(14)).join("")}`,
  );
}
