import { MARKED_SCENARIOS, SCENARIOS } from "./scenarios.ts";
import { tellStories } from "./seeds/seeds.ts";
import { STORES } from "./stores.ts";
import { DEEP_BOUNDS, runTask } from "./task.ts";

// Errors are thrown by the thousand, and nobody reads where.
Error.stackTraceLimit = 0;

/** Every single fault and every single death, and more of them where there are few. `npm run simulate` combines more. */
const PAIRS = ["create", "delete", "unsubscribe", "unsubscribe-approved"];
const DEEP = ["unsubscribe"];

/** With marks, on a store with a journal and on one without; on the other kind of service, those that differ most there. */
const MARKED =
  /^(?:(?:create|two-creates|rotate-create-first|mixed|poor-list|restored-state|copied|copied-rotation)\+mark|(?:two-creates|rotate-delete-first|unique-url|poor-list)\+mark\+unique|turned-on-create-first\+unique)$/;
const MARKED_STORES = ["local", "pg"];

const MAIN = ["create", "delete", "rotate-delete-first"];

type Stage = Parameters<typeof runTask>[0];

function everyStage(): readonly Stage[] {
  const marked = STORES.filter(({ name }) => MARKED_STORES.includes(name)).flatMap((kind) =>
    MARKED_SCENARIOS.filter(({ name }) => MARKED.test(name)).map((scenario) => ({ scenario, kind })),
  );
  return [...STORES.flatMap((kind) => SCENARIOS.map((scenario) => ({ scenario, kind }))), ...marked];
}

async function enumerated(stages: readonly Stage[], isDeep: boolean) {
  const all = [];
  for (const stage of stages) {
    const isOn = (names: readonly string[]): boolean =>
      isDeep && stage.kind.name === "pg" && names.includes(stage.scenario.name);
    all.push(await runTask(stage, { faults: 2, deaths: 2, troubles: isOn(PAIRS) ? 2 : 1, which: "all" }));
    if (isOn(DEEP)) all.push(await runTask(stage, DEEP_BOUNDS));
  }
  return {
    count: all.reduce((sum, { schedules }) => sum + schedules, 0),
    violations: all.flatMap(({ violations }) => violations),
  };
}

async function told(seeds: number) {
  const { seeds: count, violations } = await tellStories({ from: 0, to: seeds, operations: 4 });
  return { count, violations };
}

/** `every`: all scenarios on every store. `main`: the plainest ones, on every store. `stories N`: N stories by chance. */
async function run([which, seeds]: readonly string[]) {
  if (which === "stories") return told(Number(seeds));
  if (which === "every") return enumerated(everyStage(), true);
  return enumerated(
    everyStage().filter(({ scenario }) => MAIN.includes(scenario.name)),
    false,
  );
}

console.log(JSON.stringify(await run(process.argv.slice(2))));
