/** Kills processes at their boundaries, and judges what the next runs make of it. Exits with 1 after a violation. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { liftListenerLimit } from "../../src/platform/node-process.ts";
import { wholeNumber } from "../whole-number.ts";
import { type PostgresServer, startPostgres } from "../core/state/pg/postgres-server.ts";
import { runInProcess } from "../frontends/cli/run-in-process.ts";
import { type Installed, installProvider } from "../frontends/terraform/installed-provider.ts";
import { COMMAND_IDS, openCommandLane } from "./command-lane.ts";
import { tortureFleet } from "./fleet/fleet-torture.ts";
import { PROVIDER_IDS, openProviderLane } from "./provider-lane.ts";
import { tableOf } from "./report.ts";
import type { Lane } from "./target.ts";
import { killAll, replayOf } from "./torture.ts";

const LANES = 2;
const USAGE = `npm run torture -- [options]

  --command     kills the command only
  --provider    kills the provider and terraform only
  --only TEXT   only the targets with this text in their name
  --kills N     this many kills, spread over all targets
  --replay ID   repeats one kill, and shows what every run said

  --fleet             kills the controllers of a fleet and their database, in place of all this
  --teams N           of the fleet: 500
  --kills N           of its controllers: 100
  --database-kills N  10
  --seed N            repeats the same choices: 1
`;

const { values } = parseArgs({
  options: {
    command: { type: "boolean", default: false },
    provider: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    kills: { type: "string" },
    replay: { type: "string" },
    fleet: { type: "boolean", default: false },
    teams: { type: "string", default: "500" },
    "database-kills": { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
const shared: { postgres?: Promise<PostgresServer>; installed?: Promise<Installed> } = {};
liftListenerLimit();
const folder = mkdtempSync(path.join(tmpdir(), "outreach-torture-"));
try {
  if (values.help) process.stdout.write(USAGE);
  else if (values.fleet) await fleet();
  else if (values.replay !== undefined) await replay(values.replay);
  else await torture();
} finally {
  await (await shared.postgres)?.stop();
  rmSync(folder, { recursive: true });
}

function laneFor(id: string): Promise<Lane> {
  if (id.startsWith("provider/")) return openProviderLane(() => (shared.installed ??= installProvider(folder)));
  return openCommandLane({
    runInProcess,
    recoversInProcess: true,
    postgres: async () => (await (shared.postgres ??= startPostgres())).url,
  });
}

async function torture(): Promise<void> {
  const { command, provider, only } = values;
  const parts = [...(command || !provider ? [COMMAND_IDS] : []), ...(provider || !command ? [PROVIDER_IDS] : [])];
  const chosen = parts.map((ids) => ids.filter((id) => id.includes(only)));
  const targets = chosen.flat().length;
  if (targets === 0) throw new Error(`--only ${only}: no target has this text in its name`);
  const kills = values.kills === undefined ? Infinity : Math.ceil(wholeNumber("--kills", values.kills) / targets);
  const rows = [];
  for (const ids of chosen)
    rows.push(
      ...(await killAll(ids, {
        lanes: LANES,
        openLane: laneFor,
        kills,
        say: (line) => void process.stderr.write(`${line}\n`),
      })),
    );
  process.stdout.write(`${tableOf(rows)}\n`);
  if (rows.some(({ violations }) => violations > 0)) process.exitCode = 1;
}

async function fleet(): Promise<void> {
  const { violations, figures } = await tortureFleet({
    teams: wholeNumber("--teams", values.teams),
    kills: wholeNumber("--kills", values.kills ?? "100"),
    databaseKills: wholeNumber("--database-kills", values["database-kills"], 0),
    seed: wholeNumber("--seed", values.seed, 0),
    intervalS: 60,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  for (const [name, figure] of Object.entries(figures))
    process.stdout.write(`${name}: ${String(Math.round(figure * 10) / 10)}\n`);
  for (const violation of violations) process.stdout.write(`violation: ${violation}\n`);
  process.stdout.write(
    `Nothing lost, nothing doubled, no key above its limit, every team converged: ${violations.length === 0 ? "yes" : "no"}\n`,
  );
  if (violations.length > 0) process.exitCode = 1;
}

async function replay(id: string): Promise<void> {
  const lane = await laneFor(id);
  const { target, strike } = await replayOf(lane, id);
  const { wasStruck, violations, recovery, story } = await target.kill(strike);
  process.stdout.write(
    `${story}\nAt ${target.boundaries[strike.at - 1] ?? "no boundary"}${wasStruck ? "" : ", which was not reached"}: `,
  );
  process.stdout.write(
    `${violations.length === 0 ? "no violation" : violations.join("; ")}\nRecovery: ${JSON.stringify(recovery)}\n`,
  );
  if (violations.length > 0) process.exitCode = 1;
  await lane.close();
}
