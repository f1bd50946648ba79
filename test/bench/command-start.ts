import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildExecutable } from "../frontends/cli/program/build-executable.ts";
import { type Figure, median, timeToExit } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const CONFIGURATION = fileURLToPath(new URL("../../examples/quick-start/outreach.yaml", import.meta.url));
const RUNS = 31;

/** The time of commands without network, of the npm package and of the single executable, compared with an empty Node program. */
export async function measureCommandStart(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-executable-"));
  try {
    const executable = await buildExecutable(folder);
    return await measure([
      { name: "outreach version", program: [process.execPath, COMMAND], words: ["version"], atMost: 1.3 },
      {
        name: "outreach validate of the quick start",
        program: [process.execPath, COMMAND],
        words: ["validate", "-c", CONFIGURATION],
        atMost: 1.8,
      },
      { name: "version of the single executable", program: [executable], words: ["version"], atMost: 1.3 },
      {
        name: "validate of the single executable",
        program: [executable],
        words: ["validate", "-c", CONFIGURATION],
        atMost: 1.5,
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Start {
  readonly name: string;
  readonly program: readonly [string, ...string[]];
  readonly words: readonly string[];
  readonly atMost: number;
}

async function measure(starts: readonly Start[]): Promise<readonly Figure[]> {
  const bare: number[] = [];
  const all = starts.map((start) => ({ ...start, took: [] as number[] }));
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timeToExit(process.execPath, ["-e", "0"]));
    for (const { program, words, took } of all) {
      const [file, ...more] = program;
      took.push(await timeToExit(file, [...more, ...words]));
    }
  }
  const bareMs = median(bare);
  return all.map(({ name, took, atMost }) => ({
    name,
    measured: `${median(took).toFixed(1)} ms, node -e 0: ${bareMs.toFixed(1)} ms`,
    ratio: median(took) / bareMs,
    goal: { atMost },
  }));
}
