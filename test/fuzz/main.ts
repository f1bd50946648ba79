import { parseArgs } from "node:util";
import { wholeNumber } from "../whole-number.ts";
import { fuzz } from "./fuzz.ts";
import { sharesOf } from "./shares.ts";

const CASES = 100_000;

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    seed: { type: "string" },
    target: { type: "string" },
    path: { type: "string" },
  },
});
const seed = wholeNumber("--seed", values.seed ?? String(Date.now() % 2 ** 31), 0);
const runs = sharesOf({
  cases: wholeNumber("--cases", values.cases ?? String(CASES)),
  seed,
  path: values.path ?? null,
  target: values.target ?? null,
});
const begunMs = performance.now();
let cases = 0;
let failed = 0;
await fuzz(runs, (result) => {
  cases += result.cases;
  if (result.failure !== null) failed++;
  console.log(
    `${result.name}: ${String(result.cases)} cases, ${String(result.accepted)} accepted, the slowest ${String(Math.round(result.slowestMs))} ms of CPU time`,
  );
  if (result.failure !== null) console.log(`FAILED ${result.failure}\n`);
});
console.log(
  `${String(cases)} cases with seed ${String(seed)} in ${String(Math.round((performance.now() - begunMs) / 1000))} s, ${String(failed)} failed.`,
);
process.exitCode = failed > 0 || cases === 0 ? 1 : 0;
