import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withSandbox } from "./apply.ts";
import type { Figure } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const CAMPAIGNS = 20;
const [FEW, MANY] = [5000, 50_000] as const;
const [MAX_SECONDS, MAX_MEGABYTES] = [10, 400];

/** Prints the process's CPU time in seconds and its peak memory in MB. */
const USAGE = `data:text/javascript,${encodeURIComponent(
  `process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.stderr.write(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 })); });`,
)}`;

interface Usage {
  readonly seconds: number;
  readonly megabytes: number;
}

/** The first plan of a list of 50,000 people in 20 campaigns, for each person compared with a list of 5,000. */
export async function measureLargeList(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "large-list-"));
  try {
    const [few, many] = await withSandbox(null, async ({ baseUrl, keys }) => {
      await addCampaigns(new URL(baseUrl).origin);
      const env = { ...process.env, OUTREACH_BASE_URL: baseUrl, OUTREACH_API_KEY: keys.good };
      return [await planOf(FEW, { folder, env }), await planOf(MANY, { folder, env })] as const;
    });
    const isOver = many.seconds > MAX_SECONDS || many.megabytes > MAX_MEGABYTES;
    return [
      {
        name: `outreach plan, CPU for each person: ${String(MANY)} people in ${String(CAMPAIGNS)} campaigns compared with ${String(FEW)}`,
        measured: `${many.seconds.toFixed(1)} s and ${many.megabytes.toFixed(0)} MB, ${few.seconds.toFixed(1)} s and ${few.megabytes.toFixed(0)} MB`,
        ratio: many.seconds / MANY / (few.seconds / FEW),
        goal: { atMost: 1.2 },
        ...(isOver ? { broken: `more than ${String(MAX_SECONDS)} s or ${String(MAX_MEGABYTES)} MB` } : {}),
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function addCampaigns(url: string): Promise<void> {
  const [first] = (await (await fetch(`${url}/_sandbox/campaigns`)).json()) as readonly object[];
  const campaigns = Array.from({ length: CAMPAIGNS }, (_, index) => ({
    ...first,
    _id: `cam_9${String(index).padStart(5, "0")}`,
    name: `Large ${String(index)}`,
  }));
  const { status } = await fetch(`${url}/_sandbox/campaigns`, { method: "POST", body: JSON.stringify(campaigns) });
  if (status !== 200) throw new Error(`the sandbox answered ${String(status)}`);
}

async function planOf(
  people: number,
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<Usage> {
  const rows = Array.from(
    { length: people },
    (_, index) => `person${String(index)}@company-${String(index % 500)}.example.com,asked\n`,
  );
  await writeFile(path.join(folder, "list.csv"), `email,reason\n${rows.join("")}`);
  await writeFile(
    path.join(folder, "outreach.yaml"),
    `version: 1\ndata: { campaigns: { large: { name_regex: "^Large " } } }\nlead_unsubscriptions:\n  list: { emails_from: { file: list.csv, column: email }, campaigns: large }\n`,
  );
  const child = spawn(process.execPath, ["--import", USAGE, COMMAND, "plan"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
  await once(child, "close");
  if (!text.out.includes(`Plan: ${String(people * CAMPAIGNS)} to add`))
    throw new Error(`another plan was expected: ${text.out.slice(-500)}${text.err}`);
  return JSON.parse(text.err.slice(text.err.lastIndexOf("{"))) as Usage;
}
