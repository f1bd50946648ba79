import path from "node:path";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
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
import { stripVTControlCharacters } from "node:util";
import { ansi } from "../output/content/paint.ts";

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

/** A size in pixels. Fonts differ in width, so a character gets room for the widest of the usual ones. */
const CHARACTER = 8;
const LINE = 20;
const PADDING = 20;
const TITLE_BAR = 36;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Readable on a light and on a dark page. */
const STYLE = `
    .window { fill: #ffffff; stroke: #d0d7de; }
    .button { fill: #d0d7de; }
    text { fill: #1f2328; font: 13px ${FONT}; white-space: pre; }
    .bold { font-weight: bold; }
    .dim { fill: #59636e; }
    .green { fill: #1a7f37; }
    .red { fill: #cf222e; }
    .yellow { fill: #9a6700; }
    .cyan { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      .window { fill: #0d1117; stroke: #3d444d; }
      .button { fill: #3d444d; }
      text { fill: #f0f6fc; }
      .dim { fill: #9198a1; }
      .green { fill: #3fb950; }
      .red { fill: #f85149; }
      .yellow { fill: #d29922; }
      .cyan { fill: #58a6ff; }
    }
`;

/** A terminal with a command and what it printed, as an SVG. Colours are those of the ANSI sequences. */
export function terminalPicture(command: string, printed: string): string {
  const lines = [`${ansi("dim", "$ ")}${ansi("bold", command)}`, ...printed.trimEnd().split("\n")];
  const width = Math.max(...lines.map((line) => stripVTControlCharacters(line).length)) * CHARACTER + 2 * PADDING;
  const height = TITLE_BAR + lines.length * LINE + PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img">`,
    `  <title>${escaped(command)}</title>`,
    `  <style>${STYLE}  </style>`,
    `  <rect class="window" x="0.5" y="0.5" width="${String(width - 1)}" height="${String(height - 1)}" rx="8"/>`,
    ...[0, 1, 2].map((index) => `  <circle class="button" cx="${String(PADDING + index * 18)}" cy="18" r="5"/>`),
    ...lines.flatMap((line, index) => (line === "" ? [] : [textLine(line, TITLE_BAR + (index + 1) * LINE - 4)])),
    "</svg>",
    "",
  ].join("\n");
}

function textLine(line: string, y: number): string {
  return `  <text x="${String(PADDING)}" y="${String(y)}" xml:space="preserve">${spans(line)}</text>`;
}

const ESCAPE = "\u001b";
/** The class that each sequence begins; every other one ends the class. */
const CLASSES: { readonly [code: string]: string } = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 36: "cyan" };

function spans(line: string): string {
  const [first = "", ...rest] = line.split(ESCAPE);
  return [escaped(first), ...rest.map(span)].join("");
}

/** What follows an escape character: `31m`, and the text up to the next one. */
function span(part: string): string {
  const end = part.indexOf("m");
  const style = CLASSES[part.slice(1, end)];
  const text = escaped(part.slice(end + 1));
  return style === undefined || text === "" ? text : `<tspan class="${style}">${text}</tspan>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
