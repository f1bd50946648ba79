import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { scriptArchive, sha256 } from "../../src/frontends/cli/commands/provider/provider-archive.ts";
import {
  addToMirror,
  cliConfiguration,
  platformName,
} from "../../src/frontends/cli/commands/provider/provider-mirror.ts";
import { VERSION } from "../../src/operations/version.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";
import { nodePlaceFiles } from "../../src/platform/node-place-files.ts";
import { bundleProvider } from "../../src/release/bundle-provider.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { type Figure, median } from "./figure.ts";
import { type Project, liveWebhooks, outreachWebhooks, terraformData } from "./terraform-projects.ts";

const RESOURCES = 1000;
const ROUNDS = 5;
const SAMPLE_MS = 20;

/** What one `terraform plan` took, its providers included. */
interface Plan {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * `terraform plan` of 1,000 webhooks by the provider against 1,000 of Terraform's own resource, one right after the other:
 * what slows the machine down for a while slows both. The figure is the median of the rounds' ratios. What both took of the
 * processor is printed next to it: on a machine that has other work it says more.
 */
export async function measureProviderPlan(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "provider-plan-"));
  const sandbox = await sandboxWith(liveWebhooks(RESOURCES));
  try {
    const env = await environmentIn(folder, sandbox);
    const open = (name: string, project: Project, isRecorded: boolean): Promise<string> =>
      openProject(path.join(folder, name), project, { isRecorded, env });
    const [data, webhooks] = [terraformData(RESOURCES), outreachWebhooks(RESOURCES)];
    const existing = { data: await open("data", data, true), webhooks: await open("webhooks", webhooks, true) };
    const fresh = { data: await open("new-data", data, false), webhooks: await open("new-webhooks", webhooks, false) };
    // So that the state is as the provider leaves it.
    await terraform(["apply", "-refresh-only", "-auto-approve"], existing.webhooks, { env, expected: 0 });
    const memory = await mostMemory([existing.webhooks, fresh.webhooks], env);
    const unchanged: Round[] = [];
    const created: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      unchanged.push(await planBoth(existing, { env, sandbox, expected: 0 }));
      created.push(await planBoth(fresh, { env, sandbox, expected: 2 }));
    }
    return [
      timeFigure("terraform plan without changes, 1,000 webhooks", unchanged, 1.5),
      timeFigure("terraform plan of 1,000 new webhooks", created, 2.5),
      listFigure(unchanged),
      {
        name: "provider, most memory of a process in MB",
        measured: `${memory.toFixed(1)} MB (VmHWM)`,
        ratio: memory,
        goal: { atMost: 120 },
      },
    ];
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

interface Round {
  readonly data: Plan;
  readonly webhooks: Plan;
  /** Targets of the requests that the service got. */
  readonly requests: readonly string[];
}

type Run = { readonly env: NodeJS.ProcessEnv; readonly expected: number };

async function planBoth(
  projects: { readonly data: string; readonly webhooks: string },
  run: Run & { readonly sandbox: Sandbox },
): Promise<Round> {
  const words = ["plan", "-detailed-exitcode"];
  const data = await terraform(words, projects.data, run);
  run.sandbox.clearRequests();
  const webhooks = await terraform(words, projects.webhooks, run);
  return { data, webhooks, requests: run.sandbox.requests().map(({ method, target }) => `${method} ${target}`) };
}

function timeFigure(name: string, rounds: readonly Round[], atMost: number): Figure {
  const ratios = rounds.map(({ data, webhooks }) => webhooks.ms / data.ms);
  const seconds = (of: "data" | "webhooks"): string => (median(rounds.map((round) => round[of].ms)) / 1000).toFixed(2);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const cpu = median(rounds.map(({ data, webhooks }) => webhooks.cpuMs / data.cpuMs)).toFixed(2);
  const measured = `${seconds("webhooks")} s, terraform_data: ${seconds("data")} s (ratios ${spread}; of CPU ${cpu})`;
  return { name, measured, ratio: median(ratios), goal: { atMost } };
}

/** A list is its first request and those for the pages after it: without an offset it begins again. */
function listFigure(rounds: readonly Round[]): Figure {
  const requests = rounds.map((round) => round.requests).toSorted((a, b) => b.length - a.length)[0] ?? [];
  const lists = requests.filter((request) => /^GET \S*\/hooks(\?(?!.*offset=).*)?$/.test(request)).length;
  const others = requests.filter((request) => !/^GET \S*\/hooks\b/.test(request));
  return {
    name: "lists during that plan without changes",
    measured: requests.join(", "),
    ratio: lists,
    goal: { atMost: 1 },
    ...(others.length > 0 || lists === 0
      ? { broken: `${String(lists)} lists and ${String(others.length)} other requests` }
      : {}),
  };
}

async function sandboxWith(webhooks: ReturnType<typeof liveWebhooks>): Promise<Sandbox> {
  const sandbox = await startSandbox({
    clock: { now: () => Date.now(), sleep: (ms, signal) => delay(ms, undefined, { signal }) },
    random: () => 0.5,
  });
  for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
  for (const webhook of webhooks) sandbox.add("webhooks", webhook);
  return sandbox;
}

async function environmentIn(folder: string, sandbox: Sandbox): Promise<NodeJS.ProcessEnv> {
  const [mirror, file] = [path.join(folder, "mirror"), path.join(folder, "cli.tfrc")];
  const archive = scriptArchive((await bundleProvider("script")).script, VERSION);
  const platform = platformName({ platform: process.platform, architecture: process.arch });
  const disk = { files: nodeFiles(), placeFiles: nodePlaceFiles };
  await addToMirror(disk, mirror, { version: VERSION, packages: [{ platform, archive, sha256: sha256(archive) }] });
  await writeFile(file, cliConfiguration(mirror));
  return {
    PATH: process.env["PATH"],
    HOME: folder,
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: file,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
  };
}

async function openProject(
  folder: string,
  { configuration, state }: Project,
  { isRecorded, env }: { readonly isRecorded: boolean; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  await mkdir(folder);
  await writeFile(path.join(folder, "main.tf"), configuration);
  if (isRecorded) await writeFile(path.join(folder, "terraform.tfstate"), JSON.stringify(state));
  await terraform(["init"], folder, { env, expected: 0 });
  return folder;
}

async function terraform(words: readonly string[], cwd: string, { env, expected }: Run): Promise<Plan> {
  const start = { at: performance.now(), cpuMs: await cpuOfChildren() };
  const child = startTerraform(words, cwd, env);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [status] = (await once(child, "close")) as [number | null];
  const ms = performance.now() - start.at;
  if (status !== expected) throw new Error(`terraform ${words.join(" ")} ended with ${String(status)}: ${said}`);
  return { ms, cpuMs: (await cpuOfChildren()) - start.cpuMs };
}

function startTerraform(
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): ChildProcessByStdio<null, null, Readable> {
  return spawn("terraform", [...words, "-input=false", "-no-color"], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
}

/** What the processes took that this one has started and that have ended, with what those have started: cutime and cstime, in hundredths of a second. */
async function cpuOfChildren(): Promise<number> {
  const [, ...fields] = (await readFile("/proc/self/stat", "utf8")).split(")").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/**
 * The most memory that a provider has had during plans, in MB; these are not timed. Linux keeps the most of each process
 * (VmHWM), so that looking now and then misses only what comes after the last look.
 */
async function mostMemory(projects: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let kilobytes = 0;
  for (const project of projects) {
    const child = startTerraform(["plan"], project, env);
    child.stderr.resume();
    const parent = new RegExp(`^PPid:\\s*${String(child.pid)}$`, "m");
    while (child.exitCode === null) {
      for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
        const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
        if (parent.test(status)) kilobytes = Math.max(kilobytes, Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0));
      }
      await delay(SAMPLE_MS);
    }
  }
  return kilobytes / 1024;
}
