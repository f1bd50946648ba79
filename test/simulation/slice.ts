import { SCENARIOS } from "./scenarios.ts";
import { tellStories } from "./seeds/seeds.ts";
import { STORES } from "./stores.ts";
import { DEEP_BOUNDS, runTask } from "./task.ts";

// Errors are thrown by the thousand, and nobody reads where.
Error.stackTraceLimit = 0;

/** Every single fault and every single death, and more of them where there are few. `npm run simulate` combines more. */
const PAIRS = ["create", "delete", "unsubscribe", "unsubscribe-approved"];
const DEEP = ["unsubscribe"];

async function enumerated() {
  const tasks = STORES.flatMap((kind) => SCENARIOS.map((scenario) => ({ scenario, kind })));
  const all = [];
  for (const stage of tasks) {
    const troubles = stage.kind.name === "pg" && PAIRS.includes(stage.scenario.name) ? 2 : 1;
    all.push(await runTask(stage, { faults: 2, deaths: 2, troubles, which: "all" }));
    if (stage.kind.name === "pg" && DEEP.includes(stage.scenario.name)) all.push(await runTask(stage, DEEP_BOUNDS));
  }
  return { count: all.reduce((sum, { schedules }) => sum + schedules, 0), violations: all.flatMap(({ violations }) => violations) };
}

async function told(seeds: number) {
  const { seeds: count, violations } = await tellStories({ from: 0, to: seeds, operations: 4 });
  return { count, violations };
}

const [seeds] = process.argv.slice(2);
console.log(JSON.stringify(await (seeds === undefined ? enumerated() : told(Number(seeds)))));
