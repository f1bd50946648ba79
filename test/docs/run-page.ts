import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { SandboxProfile } from "../../src/sandbox/profiles.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import type { BundledCommand } from "../frontends/cli/bundled-command.ts";
import { type JumpingClock, jumpingClock } from "../frontends/cli/jumping-clock.ts";
import { TERRAFORM_SETTINGS } from "../frontends/terraform/terraform-settings.ts";
import { answerShell, askingNpx } from "./answer-shell.ts";
import { ROOT } from "./pages.ts";
import { type Deed, deedsOf } from "./transcript.ts";

/** The sandbox's address in the pages. */
const TOLD_HOST = "127.0.0.1:4010";
/** The ports of the receiver and of `outreach listen` in the pages. */
const TOLD_PORTS = ["3000", "4020"];
const BACKGROUND = path.join(ROOT, "test/docs/background.sh");
const MARK = "--- the end of command";

export interface Done {
  readonly deed: Deed;
  readonly printed: string;
  readonly code: number;
}

/** The surroundings of a page's commands. */
export interface PageSetting {
  /** The file that `npx outreach-as-code` runs. */
  readonly command: string;
  /** Runs `npx outreach-as-code` in this process instead, with a clock that jumps over waits. */
  readonly runInProcess?: BundledCommand["runInProcess"];
  /** The folders of the repository to copy into the working folder, by target. */
  readonly folders: { readonly [to: string]: string };
  /** The kind of service. Its list begins without webhooks, as in the pages: the seed of `published` has old ones. */
  readonly service: Pick<SandboxProfile, "choices" | "profile">;
  /** Environment variables in addition to PATH and HOME. */
  readonly variables?: { readonly [name: string]: string };
}

/** The environment variables for a page about Terraform. */
export function terraformVariables(cliConfiguration: string): { readonly [name: string]: string } {
  return { TF_CLI_CONFIG_FILE: cliConfiguration, ...TERRAFORM_SETTINGS };
}

/** Files that earlier runs leave in the folders of the examples. */
const LEFT_BY_RUNS = /\.state\.json|\.tfstate|\.terraform($|\/|\.)/;

/** Runs the commands of a page in one shell, against its own sandbox. */
export async function runPage(
  page: string,
  { command, runInProcess, folders, service, variables = {} }: PageSetting,
): Promise<readonly Done[]> {
  const clock = jumpingClock();
  const sandbox = await startSandbox({
    clock: clock.ofService,
    random: () => 0.5,
    rateLimit: null,
    choices: service.choices,
    profile: service.profile,
  });
  const place = mkdtempSync(path.join(tmpdir(), "outreach-page-"));
  try {
    const work = path.join(place, "work");
    mkdirSync(work);
    for (const [to, from] of Object.entries(folders))
      cpSync(path.join(ROOT, from), path.join(work, to), {
        recursive: true,
        filter: (file) => !LEFT_BY_RUNS.test(file),
      });
    const host = new URL(sandbox.baseUrl).host;
    const ports = await Promise.all(TOLD_PORTS.map(async (told) => [told, String(await freePort())] as const));
    const deeds = deedsOf(page);
    // A reader has a terminal.
    const script = scriptOf(deeds)
      .replaceAll(TOLD_HOST, host)
      .replaceAll(
        /npx outreach-as-code listen(?! replay)(.*)/g,
        "script -qefc 'npx outreach-as-code listen --port 4020$1' /dev/null",
      );
    const replaced = ports.reduce((text, [told, port]) => text.replaceAll(wholeNumber(told), port), script);
    const printed = await inShell(replaced, { place, work, command, runInProcess, variables, clock });
    const restored = ports.reduce(
      (text, [told, port]) => text.replaceAll(wholeNumber(port), told),
      printed.replaceAll(host, TOLD_HOST),
    );
    return outcomes(deeds, restored);
  } finally {
    await sandbox.close();
    rmSync(place, { recursive: true, force: true });
  }
}

function wholeNumber(digits: string): RegExp {
  return new RegExp(String.raw`\b${digits}\b`, "g");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function scriptOf(deeds: readonly Deed[]): string {
  const steps = deeds.map((deed, index) => {
    if (deed.kind === "run") return `${deed.command}\nended ${String(index)}`;
    return `mkdir -p "$(dirname '${deed.file}')"\ncat > '${deed.file}' <<'END OF FILE'\n${deed.text}END OF FILE\n`;
  });
  // Passes on the exit code, so that a page can show it with echo $?.
  return [
    `. '${BACKGROUND}'`,
    `ended() { local code=$?; printf '\\n${MARK} %s %s\\n' "$1" "$code"; return "$code"; }`,
    ...steps,
  ].join("\n");
}

interface Shell extends Required<Pick<PageSetting, "command" | "variables">> {
  readonly runInProcess: PageSetting["runInProcess"] | undefined;
  readonly clock: JumpingClock;
  readonly place: string;
  readonly work: string;
}

async function inShell(
  script: string,
  { place, work, command, runInProcess, variables, clock }: Shell,
): Promise<string> {
  const bin = path.join(place, "bin");
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, "npx"),
    `#!/bin/sh\n[ "$1" = outreach-as-code ] || exit 127\nshift\nexec '${process.execPath}' '${command}' "$@"\n`,
    { mode: 0o755 },
  );
  const child = spawn("bash", ["-c", `exec 2>&1\n${runInProcess ? askingNpx(place) : ""}\n${script}`], {
    cwd: work,
    env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: place, ...variables },
    stdio: ["ignore", "pipe", "inherit", "pipe", "pipe"],
  });
  const providerFolder = path.join(path.dirname(command), "../provider");
  try {
    const answered = runInProcess && answerShell(child, { runInProcess, clock, providerFolder, place });
    const [printed] = await Promise.all([text(child.stdout as Readable), answered, once(child, "close")]);
    // terraform prints colours even without a terminal.
    return stripVTControlCharacters(printed).replaceAll("\r\n", "\n");
  } finally {
    child.kill();
  }
}

function outcomes(deeds: readonly Deed[], printed: string): readonly Done[] {
  let rest = printed;
  return deeds.map((deed, index) => {
    if (deed.kind === "write") return { deed, printed: "", code: 0 };
    const [end = "", code = ""] = new RegExp(`\\n${MARK} ${String(index)} (\\d+)\\n`).exec(rest) ?? [];
    if (end === "") throw new Error(`the page's commands do not end well: ${rest}`);
    const at = rest.indexOf(end);
    const text = rest.slice(0, at);
    rest = rest.slice(at + end.length);
    return { deed, printed: text, code: Number(code) };
  });
}
