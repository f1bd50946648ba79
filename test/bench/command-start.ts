import { fileURLToPath } from "node:url";
import { type Figure, median, timeToExit } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const CONFIGURATION = fileURLToPath(new URL("../../examples/quick-start/outreach.yaml", import.meta.url));
const RUNS = 31;
const STARTS = [
  { name: "outreach version", words: ["version"], atMost: 1.3 },
  { name: "outreach validate of the quick start", words: ["validate", "-c", CONFIGURATION], atMost: 1.8 },
] as const;

/** The time of commands without network, compared with an empty Node program. */
export async function measureCommandStart(): Promise<readonly Figure[]> {
  const bare: number[] = [];
  const all = STARTS.map((start) => ({ ...start, took: [] as number[] }));
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timeToExit(process.execPath, ["-e", "0"]));
    for (const { words, took } of all) took.push(await timeToExit(process.execPath, [COMMAND, ...words]));
  }
  const bareMs = median(bare);
  return all.map(({ name, took, atMost }) => ({
    name,
    measured: `${median(took).toFixed(1)} ms, node -e 0: ${bareMs.toFixed(1)} ms`,
    ratio: median(took) / bareMs,
    goal: { atMost },
  }));
}
