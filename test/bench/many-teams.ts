import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, median, timeToExit } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const [FEW, MANY] = [500, 4000] as const;
const RUNS = 3;

/** The time that `outreach validate` needs for each team of a configuration, with many teams and with few. */
export async function measureManyTeams(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "many-teams-"));
  try {
    const took = new Map<number, number[]>([FEW, MANY].map((count) => [count, []]));
    for (const count of took.keys()) await writeFile(path.join(folder, `${String(count)}.yaml`), configuration(count));
    for (let run = 0; run < RUNS; run++)
      for (const [count, times] of took)
        times.push(
          await timeToExit(process.execPath, [COMMAND, "validate", "-c", `${String(count)}.yaml`], { cwd: folder }),
        );
    const [few = 0, many = 0] = [...took].map(([count, times]) => median(times) / count);
    return [
      {
        name: `outreach validate, time a team: ${String(MANY)} teams compared with ${String(FEW)}`,
        measured: `${many.toFixed(2)} ms, ${few.toFixed(2)} ms`,
        ratio: many / few,
        goal: { atMost: 1.2 },
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function configuration(teams: number): string {
  const declared = Array.from(
    { length: teams },
    (_, index) => `  team-${String(index)}: { api_key: { env: KEY_${String(index)} } }\n`,
  ).join("");
  return `version: 1\nteams:\n${declared}webhooks:\n  crm: { target_url: "https://crm.example.com/\${team.name}" }\n`;
}
