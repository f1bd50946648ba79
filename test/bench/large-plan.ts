import { fileURLToPath } from "node:url";
import { withExisting } from "./existing-plan.ts";
import { type Figure, median, timeToExit } from "./figure.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const WEBHOOKS = 10_000;
const RUNS = 5;
const MAX_MEGABYTES = 250;

/** `outreach plan` of 10,000 declared, recorded and live webhooks, compared with parsing the file with the yaml package only; each in a separate process. */
export function measureLargePlan(): Promise<readonly Figure[]> {
  return withExisting(WEBHOOKS, async ({ file, plan }) => {
    const parse = `require("yaml").parse(require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8"))`;
    const rounds: { readonly yamlMs: number; readonly planMs: number; readonly megabytes: number }[] = [];
    for (let run = 0; run < RUNS; run++) {
      const yamlMs = await timeToExit(process.execPath, ["-e", parse], { cwd: ROOT });
      rounds.push({ yamlMs, ...(await plan()) });
    }
    const planMs = median(rounds.map((round) => round.planMs));
    const yamlMs = median(rounds.map((round) => round.yamlMs));
    const megabytes = median(rounds.map((round) => round.megabytes));
    return [
      {
        name: "outreach plan, 10,000 webhooks that exist",
        measured: `${planMs.toFixed(0)} ms and ${megabytes.toFixed(0)} MB, yaml alone: ${yamlMs.toFixed(0)} ms`,
        ratio: planMs / yamlMs,
        goal: { atMost: 1.2 },
        ...(megabytes <= MAX_MEGABYTES ? {} : { broken: `more than ${String(MAX_MEGABYTES)} MB` }),
      },
    ];
  });
}
