import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { SERVER_PASSWORD } from "../core/state/http/http-state-server.ts";
import { type Project, type ProjectOptions, type Ran, until, useProjects } from "../frontends/cli/project.ts";
import { type Canary, leaks } from "./spellings.ts";

export const KEY = { name: "the API key", value: 'key/canary+odd "chars"?>~of-the-team' };
export const ENV_SECRET = { name: "the secret of env", value: 'env/canary+1 "quoted" \\ü~?>:<&' };
export const FILE_SECRET = { name: "the secret of a file", value: "file/canary+2 of=the?>hook<&~" };
export const COMMAND_SECRET = { name: "the secret of a command", value: "command/canary+3 of=the?>hook" };
export const PASSPHRASE = { name: "the passphrase", value: "passphrase/canary+4 ?> of the state" };
const STATE_PASSWORD = { name: "the password of the state", value: SERVER_PASSWORD };
export const EMAIL = { name: "a masked email", value: "canary.lead+5@masked.example" };
export const SECRETS: readonly Canary[] = [KEY, ENV_SECRET, FILE_SECRET, COMMAND_SECRET, PASSPHRASE, STATE_PASSWORD];

export const C = "https://c.example/hooks";

const CONFIGURATION = `version: 1
webhooks:
  a: { target_url: "https://a.example/hooks", secret: { env: ENV_SECRET } }
  b: { target_url: "https://b.example/hooks", secret: { file: secrets/file } }
  c: { target_url: "${C}", secret: { command: [sh, secrets/print] } }
lead_unsubscriptions:
  d: { campaign_id: cam_000001, emails: [${EMAIL.value}], on_not_found: accept }
`;
/** Shows what a program that prints a secret sees of its own environment and of its parent's command line. */
const PRINT = `env > seen-environment; tr '\\0' '\\n' < /proc/$PPID/cmdline > seen-arguments; tr '\\0' '\\n' < /proc/$$/cmdline >> seen-arguments; cat secrets/command\n`;
const GIVEN = ["outreach.yaml", "event.json", "secrets/file", "secrets/print", "secrets/command"];
/** The state knows the emails; journal, backup and plans have them from it. */
export const WITH_EMAILS = /^(?:errored\.)?outreach\.state\.json|\.plan$/;

const EVENT = {
  _id: "act_1",
  type: "emailsSent",
  teamId: "tea_1",
  createdAt: "2026-01-01T00:00:00Z",
  leadEmail: EMAIL.value,
};
export interface Canaries extends Project {
  /** What was found, and every file that was there at some time. */
  readonly found: Set<string>;
  readonly seen: Set<string>;
  /** What a run must not show, besides what all have. */
  readonly more: Canary[];
}

interface CanaryOptions extends ProjectOptions {
  /** What is added to the configuration. */
  readonly state?: string;
  readonly environment?: { readonly [name: string]: string };
  readonly mayHaveEmails?: RegExp;
}

/** Gives each test its own projects: jobs of CI without a pull request. Each request of the service looks through the files that a run has at that time. */
export function useCanaries(): (options?: CanaryOptions) => Promise<Canaries> {
  const openProject = useProjects();
  return async ({ state = "", environment = {}, mayHaveEmails = WITH_EMAILS, ...options } = {}) => {
    const project = Object.assign(await openProject(options), {
      found: new Set<string>(),
      seen: new Set<string>(),
      more: [],
    });
    fill(project, { state, environment, mayHaveEmails });
    return project;
  };
}

function fill(
  project: Canaries,
  { state, environment, mayHaveEmails }: Required<Pick<CanaryOptions, "state" | "environment" | "mayHaveEmails">>,
): void {
  project.sandbox.configure({ choices: { exportStatus: "shown" } });
  project.sandbox.add("keys", { name: "canary", key: KEY.value, userId: "usr_000001" });
  project.sandbox.add("webhooks", { _id: "hoo_900001", targetUrl: "https://by-hand.example/hooks" });
  project.sandbox.addFault({
    action: { kind: "drop" },
    times: null,
    where: () => search(project, "a file during a run", {}, mayHaveEmails),
  });
  Object.assign(project.environment, {
    OUTREACH_API_KEY: KEY.value,
    ENV_SECRET: ENV_SECRET.value,
    OUTREACH_LOG: "debug",
    ...environment,
  });
  const files = {
    GITHUB_OUTPUT: path.join(project.folder, "ci-output"),
    GITHUB_STEP_SUMMARY: path.join(project.folder, "ci-summary"),
  };
  const job = { GITHUB_ACTIONS: "true", GITHUB_API_URL: "http://127.0.0.1:9", GITHUB_REPOSITORY: "acme/crm", ...files };
  Object.assign(project.environment, job);
  project.write("outreach.yaml", CONFIGURATION + state);
  project.write("event.json", JSON.stringify(EVENT));
  project.write("secrets/file", FILE_SECRET.value);
  project.write("secrets/command", COMMAND_SECRET.value);
  project.write("secrets/print", PRINT);
}

/** Looks through what is printed and what is left. False, as a condition that holds for no request. */
export function search(
  project: Canaries,
  where: string,
  printed: { readonly [place: string]: string },
  mayHaveEmails = WITH_EMAILS,
): false {
  const left = Object.entries(project.files()).filter(([file]) => !GIVEN.includes(file));
  for (const [file] of left) project.seen.add(file);
  const masked = left.filter(([file]) => !mayHaveEmails.test(file));
  const shown = where.includes("--show-emails") ? {} : printed;
  const found = [
    ...leaks([...SECRETS, ...project.more], { ...printed, ...Object.fromEntries(left) }),
    ...leaks([EMAIL], { ...shown, ...Object.fromEntries(masked) }),
  ];
  for (const one of found) project.found.add(`${where}: ${one}`);
  return false;
}

/** Runs a command, and looks through everything that it printed and left. */
export async function watched(
  project: Canaries,
  line: string,
  { serves }: { readonly serves?: RegExp } = {},
  mayHaveEmails = WITH_EMAILS,
): Promise<Ran> {
  const ran = serves ? await servedRun(project, line, serves) : await project.run(line);
  expect(ran.err, line).not.toMatch(/bug in outreach|Unknown (?:option|command)/);
  search(project, line, { stdout: ran.out, stderr: ran.err }, mayHaveEmails);
  return ran;
}

/** Starts a command that serves, sends an event with its secret to a listener, and interrupts it. The sandbox shows what it is sent: no lead there is real. */
async function servedRun(project: Canaries, line: string, serves: RegExp): Promise<Ran> {
  const { child, ended } = project.start(line);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: string) => (said += chunk));
  await until(() => serves.test(said), `${line} serves: ${said}`);
  search(project, line, { "its arguments": readFileSync(`/proc/${String(child.pid)}/cmdline`, "latin1") });
  const [url = ""] = serves.exec(said) ?? [];
  if (line.startsWith("listen"))
    await fetch(url, { method: "POST", body: JSON.stringify({ ...EVENT, secret: ENV_SECRET.value }) });
  child.kill("SIGINT");
  return ended;
}

/** What a service may answer that quotes what it was sent, in several ways. */
export function echo(value: string): string {
  return [value, encodeURIComponent(value), JSON.stringify(value), Buffer.from(`:${value}`).toString("base64")].join(
    " ",
  );
}

/** Runs commands, which succeed, and looks through what each printed and left. */
export async function succeeds(project: Canaries, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { code, err } = await watched(project, line);
    expect(code, `${line}: ${err}`).toBe(0);
  }
}

/** What was found, except in the environment of a program that prints a secret: `aws` and `gh` need the credentials there. */
export function foundBeyond({ found }: Canaries, mayBeSeen: RegExp): readonly string[] {
  return [...found].filter((one) => !mayBeSeen.test(one));
}

/** A server that answers everything with this status, and with what it was sent. */
export async function echoServer(status: number): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const sent = [...Object.values(request.headers).flat(), body].map((one) => echo(String(one)));
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ message: sent.join(" ") }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
