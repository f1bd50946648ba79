import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startSandbox } from "../sandbox/server.ts";
import { terminalPicture } from "./terminal-picture.ts";

const COMMAND = fileURLToPath(new URL("../frontends/cli/main.ts", import.meta.url));
/** The sandbox's time stands still, so that every run prints the same dates. */
const NOW = Date.parse("2026-11-20T09:30:00.000Z");

const APPLIED = `version: 1
imports:
  - { to: outreach_webhook.audit, id: hoo_000001 }
  - { to: outreach_webhook.newsletter, id: hoo_000002 }
webhooks:
  audit:
    target_url: https://audit.example.com/hook
    type: emailsSent
  newsletter:
    target_url: https://newsletter.example.com/hook
    type: emailsUnsubscribed
`;

const CHANGED = `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    type: emailsReplied
    campaign: q3
    secret: { env: CRM_HOOK_SECRET }
  audit:
    target_url: https://audit.example.com/hook
    type: emailsBounced
`;

/** A plan with a create, a replace and a delete, as the command prints it on the sandbox. */
export async function planPicture(): Promise<string> {
  const sandbox = await startSandbox({
    clock: { now: () => NOW, sleep: (ms, signal) => delay(ms, undefined, { signal }) },
    random: () => 0.5,
    rateLimit: null,
  });
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-picture-"));
  const environment = {
    PATH: process.env["PATH"],
    HOME: folder,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    CRM_HOOK_SECRET: "a-secret-of-yours",
  };
  try {
    // Made in the sandbox and imported: an apply creates them side by side, so their ids would vary.
    sandbox.add("webhooks", { _id: "hoo_000001", targetUrl: "https://audit.example.com/hook", type: "emailsSent" });
    sandbox.add("webhooks", { _id: "hoo_000002", targetUrl: "https://newsletter.example.com/hook", type: "emailsUnsubscribed" });
    await writeFile(path.join(folder, "outreach.yaml"), APPLIED);
    await outreach(["apply", "--auto-approve"], { folder, environment });
    await writeFile(path.join(folder, "outreach.yaml"), CHANGED);
    return terminalPicture("A plan", `$ outreach plan\n${await outreach(["plan"], { folder, environment })}`);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** What the command prints. It runs from its source, so that the picture needs no build. */
async function outreach(words: readonly string[], { folder, environment }: Place): Promise<string> {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), COMMAND, ...words], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`outreach ${words.join(" ")} failed with exit code ${String(code)}`);
  return Buffer.concat(chunks).toString();
}
