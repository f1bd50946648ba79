/**
 * Kills `terraform apply` and `outreach apply` with SIGKILL at random times of a first apply, applies again, and counts
 * unreadable state files, lost webhooks and duplicates. `-- --kills N` kills each N times.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { wholeNumber } from "../whole-number.ts";
import { REQUIRED_PROVIDERS, installProvider } from "../frontends/terraform/installed-provider.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "36" } } });
const KILLS = wholeNumber("--kills", values.kills);
const WEBHOOKS = 10;
const LONGEST_APPLY_MS = 120_000;
/** After the first create: the creates of one apply take about this long. */
const KILL_WITHIN_MS = 400;
const MAX_APPLIES = 4;
const TARGETS = Array.from({ length: WEBHOOKS }, (_, index) => `https://crm.example.com/hooks/${String(index)}`);

interface Tool {
  readonly name: string;
  readonly state: string;
  readonly words: readonly string[];
  /** Terraform records a terraform_data before its provisioner has run: what such a run loses says nothing about a provider. */
  readonly recordsFirst?: boolean;
  /** Writes the configuration into a new folder. */
  prepare(folder: string, sandbox: Sandbox): void;
}

interface Tally {
  kills: number;
  unreadable: number;
  lost: number;
  duplicates: number;
  failed: number;
}

const COMMAND = path.resolve("dist/bin/outreach.js");
const home = mkdtempSync(path.join(tmpdir(), "compare-terraform-"));
try {
  const { cliConfiguration, initialised } = await installProvider(home);
  const applying = ["apply", "-auto-approve", "-no-color", "-input=false"];
  const inTerraform =
    (text: string) =>
    (folder: string): void => {
      cpSync(initialised, folder, { recursive: true });
      writeFileSync(path.join(folder, "main.tf"), text);
    };
  const tools: readonly Tool[] = [
    {
      name: "terraform, creates by curl",
      state: "terraform.tfstate",
      words: ["terraform", ...applying],
      recordsFirst: true,
      prepare: (folder, sandbox) => {
        mkdirSync(folder);
        writeFileSync(path.join(folder, "main.tf"), byCurl(sandbox));
      },
    },
    {
      name: "terraform, this provider",
      state: "terraform.tfstate",
      words: ["terraform", ...applying],
      prepare: inTerraform(byProvider()),
    },
    {
      name: "outreach",
      state: "outreach.state.json",
      words: [process.execPath, COMMAND, "apply", "--auto-approve"],
      prepare: (folder) => {
        mkdirSync(folder);
        writeFileSync(path.join(folder, "outreach.yaml"), byYaml());
      },
    },
  ];
  const rows = [];
  for (const tool of tools) {
    const row = { tool, ...(await tally(tool, cliConfiguration)) };
    process.stderr.write(`${tool.name}: ${JSON.stringify({ ...row, tool: undefined })}\n`);
    rows.push(row);
  }
  process.stdout.write(`${table(rows)}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function tally(tool: Tool, cliConfiguration: string): Promise<Tally> {
  const sum: Tally = { kills: 0, unreadable: 0, lost: 0, duplicates: 0, failed: 0 };
  for (let run = 0; sum.kills < KILLS && run < KILLS * 3; run++)
    await killOnce(tool, { cliConfiguration, folder: path.join(home, `run-${tool.state}-${String(run)}`) }, sum);
  return sum;
}

async function killOnce(
  tool: Tool,
  { cliConfiguration, folder }: { readonly cliConfiguration: string; readonly folder: string },
  sum: Tally,
): Promise<void> {
  const clock = {
    now: () => nodeClock.now(),
    sleep: (ms: number, signal = new AbortController().signal) => nodeClock.sleep(ms, signal),
  };
  const sandbox = await startSandbox({ clock, random: Math.random, latency: { minMs: 10, maxMs: 60 } });
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TF_CLI_CONFIG_FILE: cliConfiguration,
    CHECKPOINT_DISABLE: "1",
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    OUTREACH_SETTLE: "1s",
  };
  const apply = () =>
    spawn(tool.words[0] ?? "", tool.words.slice(1), { cwd: folder, env, stdio: "ignore", detached: true });
  try {
    tool.prepare(folder, sandbox);
    const child = apply();
    const ended = once(child, "exit") as Promise<[number | null]>;
    const isFirst = (): boolean => sandbox.requests().some(({ method }) => method === "POST");
    const startedMs = nodeClock.monotonicMs();
    while (child.exitCode === null && !isFirst() && nodeClock.monotonicMs() - startedMs < LONGEST_APPLY_MS)
      await delay(1);
    await Promise.race([ended, delay(Math.random() * KILL_WITHIN_MS)]);
    const wasKilled = child.exitCode === null;
    // The group: what terraform started dies with it, as when a machine loses power.
    if (child.pid !== undefined && wasKilled) process.kill(-child.pid, "SIGKILL");
    await ended;
    if (!wasKilled) return;
    sum.kills++;
    await delay(200);
    if (isUnreadable(path.join(folder, tool.state))) sum.unreadable++;
    if (!(await appliesInTheEnd(apply))) sum.failed++;
    const live = (sandbox.state().webhooks ?? []).map(({ targetUrl }) => targetUrl);
    for (const target of TARGETS) {
      const count = live.filter((one) => one === target).length;
      if (count === 0) sum.lost++;
      else sum.duplicates += count - 1;
    }
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function appliesInTheEnd(apply: () => ChildProcess): Promise<boolean> {
  for (let run = 0; run < MAX_APPLIES; run++) {
    const [code] = (await once(apply(), "exit")) as [number | null];
    if (code === 0) return true;
  }
  return false;
}

/** A state file that exists and is no JSON, such as an empty one. */
function isUnreadable(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return false;
  } catch {
    return true;
  }
}

/** What Terraform itself does for a resource that one HTTP request creates. */
function byCurl({ baseUrl, keys }: Sandbox): string {
  return `resource "terraform_data" "hook" {
  for_each = toset(${JSON.stringify(TARGETS)})
  input    = each.key
  provisioner "local-exec" {
    command = "curl -sf -u :${keys.good} -H 'content-type: application/json' -d '{\\"targetUrl\\":\\"\${each.key}\\"}' ${baseUrl}/hooks"
  }
}
`;
}

function byProvider(): string {
  return `${REQUIRED_PROVIDERS}
resource "outreach_webhook" "hook" {
  for_each   = toset(${JSON.stringify(TARGETS)})
  target_url = each.key
}
`;
}

function byYaml(): string {
  return `version: 1\nwebhooks:\n${TARGETS.map((target, index) => `  hook${String(index)}: { target_url: "${target}" }\n`).join("")}`;
}

function table(rows: readonly ({ readonly tool: Tool } & Tally)[]): string {
  const all = [
    ["first apply killed", "kills", "unreadable state", "lost webhooks", "duplicates", "not applied in the end"],
    Array.from({ length: 6 }, () => "---"),
    ...rows.map(({ tool, kills, unreadable, lost, duplicates, failed }) =>
      [tool.name, kills, unreadable, tool.recordsFirst ? "not counted" : lost, duplicates, failed].map(String),
    ),
  ];
  return all.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
