import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { type Figure, median } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const TEAMS = 300;
const RUNS = 3;
const WEBHOOKS = ["replies", "bounces", "all"];

/** The requests and the time of a plan on a pull request over many teams without changes, as docs/guides/many-teams-ci.md gives them. */
export async function measureTeamPlans(): Promise<readonly Figure[]> {
  const { signal: never } = new AbortController();
  const sandbox = await startSandbox({
    clock: { now: () => nodeClock.now(), sleep: (ms, signal = never) => nodeClock.sleep(ms, signal) },
    random: () => 0.5,
  });
  const folder = await mkdtemp(path.join(tmpdir(), "team-plans-"));
  const names = Array.from({ length: TEAMS }, (_, index) => `t${String(index).padStart(3, "0")}`);
  for (const name of names) {
    const [team, user] = [`tea_${name}`, `usr_${name}`];
    sandbox.add("teams", { _id: team, name });
    sandbox.add("users", { _id: user, teamId: team, name, email: `${name}@example.com` });
    sandbox.add("keys", { name, key: `key-${name}`, userId: user });
  }
  const keys = Object.fromEntries(names.map((name) => [`OUTREACH_API_KEY_${name.toUpperCase()}`, `key-${name}`]));
  const run = async (words: readonly string[]): Promise<number> => {
    const env = { ...process.env, ...keys, OUTREACH_BASE_URL: sandbox.baseUrl, HOOK_SECRET: "a secret" };
    const start = performance.now();
    const [code] = (await once(
      spawn(process.execPath, [COMMAND, ...words], { stdio: "ignore", cwd: folder, env }),
      "exit",
    )) as [number | null];
    if (code !== 0) throw new Error(`outreach ${words.join(" ")} ended with ${String(code)}`);
    return performance.now() - start;
  };
  try {
    await writeFile(path.join(folder, "outreach.yaml"), configuration(names));
    await run(["apply", "--auto-approve"]);
    const times: number[] = [];
    sandbox.clearRequests();
    for (let round = 0; round < RUNS; round++)
      times.push(await run(["plan", "--no-secrets", "--detailed-exitcode", "--out", "plans"]));
    const requests = sandbox.requests().length / RUNS;
    return [
      {
        name: `outreach plan --no-secrets, ${String(TEAMS)} teams of ${String(WEBHOOKS.length)} webhooks: requests a team`,
        measured: `${String(requests)} requests in ${(median(times) / 1000).toFixed(1)} s`,
        ratio: requests / TEAMS,
        goal: { atMost: 1 },
      },
    ];
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

function configuration(names: readonly string[]): string {
  const teams = names.map((name) => `  ${name}:\n`).join("");
  const webhooks = WEBHOOKS.map(
    (name) =>
      `  ${name}: { target_url: "https://crm.example.com/\${team.name}/${name}", secret: { env: HOOK_SECRET } }\n`,
  ).join("");
  return `version: 1\nservice: { api_key: { env: "OUTREACH_API_KEY_\${upper(team.name)}" } }\nteams:\n${teams}webhooks:\n${webhooks}`;
}
