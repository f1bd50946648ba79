import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fingerprinter } from "../core/secrets/fingerprint.ts";
import { runCommand } from "../frontends/cli/run-command.ts";
import { nodeKeyedDigest } from "../platform/node-digest.ts";
import { nodeFiles } from "../platform/node-files.ts";
import { nodePlaceFiles } from "../platform/node-place-files.ts";
import { nodeProcess } from "../platform/node-process.ts";
import { nodeRandom } from "../platform/node-random.ts";
import { startSandbox } from "../sandbox/server.ts";
import { catalog } from "../service/resources/catalog.ts";
import { terminalPicture } from "./terminal-picture.ts";

const NOW = Date.parse("2026-11-20T09:30:00.000Z");
/** Time stands still, so that every run prints the same dates. */
const CLOCK = {
  now: () => NOW,
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal }),
};

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

/** A plan with a create, a replace and a delete, as the command prints it in a terminal, on the sandbox. */
export async function planPicture(): Promise<string> {
  const sandbox = await startSandbox({ clock: CLOCK, random: () => 0.5, rateLimit: null });
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-picture-"));
  const environment = {
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    CRM_HOOK_SECRET: "a-secret-of-yours",
    // Relative paths start in the working folder of this process.
    OUTREACH_STATE: path.join(folder, "outreach.state.json"),
  };
  const configuration = path.join(folder, "outreach.yaml");
  try {
    // An apply would create these two side by side, in any order, so their ids would vary.
    sandbox.add("webhooks", { _id: "hoo_000001", targetUrl: "https://audit.example.com/hook", type: "emailsSent" });
    sandbox.add("webhooks", { _id: "hoo_000002", targetUrl: "https://newsletter.example.com/hook", type: "emailsUnsubscribed" });
    await writeFile(configuration, APPLIED);
    await outreach(["apply", "--auto-approve"], { folder, environment });
    await writeFile(configuration, CHANGED);
    return terminalPicture("outreach plan", await outreach(["plan"], { folder, environment }));
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
}

/** What the command prints in a terminal. */
async function outreach(words: readonly string[], { folder, environment }: Place): Promise<string> {
  const terminal = openTerminal();
  const code = await runCommand({
    words,
    environment,
    folder,
    stdin: Readable.from([]),
    stdout: terminal.stream,
    stderr: terminal.stream,
    catalog,
    files: nodeFiles(),
    placeFiles: nodePlaceFiles,
    clock: CLOCK,
    random: nodeRandom,
    keyedDigest: nodeKeyedDigest,
    fingerprinter,
    process: nodeProcess,
    machine: { platform: "linux", architecture: "x64" },
    providerFolder: folder,
    onInterrupt: () => undefined,
    quit: () => undefined,
  });
  if (code !== 0) throw new Error(`outreach ${words.join(" ")} failed: ${terminal.printed()}`);
  return terminal.printed();
}

function openTerminal(): { readonly stream: Writable & { readonly isTTY: boolean }; readonly printed: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: true }), printed: () => chunks.join("") };
}
