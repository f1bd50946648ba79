import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandWords } from "../../src/frontends/cli/program/command-list.ts";
import { type HttpStateServer, SERVER_PASSWORD, startHttpStateServer } from "../core/state/http/http-state-server.ts";
import { type Project, type Ran, until, useProjects } from "../frontends/cli/project.ts";
import { COMMAND_RUNS, type CommandRuns } from "./command-runs.ts";
import { type Canary, leaks } from "./spellings.ts";

const openProject = useProjects();

const KEY = { name: "the API key", value: 'key/canary+odd "chars"?>~of-the-team' };
const ENV_SECRET = { name: "the secret of env", value: 'env/canary+1 "quoted" \\ü~?>:<&' };
const FILE_SECRET = { name: "the secret of a file", value: "file/canary+2 of=the?>hook<&~" };
const COMMAND_SECRET = { name: "the secret of a command", value: "command/canary+3 of=the?>hook" };
const PASSPHRASE = { name: "the passphrase", value: "passphrase/canary+4 ?> of the state" };
const STATE_PASSWORD = { name: "the password of the state", value: SERVER_PASSWORD };
const EMAIL = { name: "a masked email", value: "canary.lead+5@masked.example" };
const SECRETS: readonly Canary[] = [KEY, ENV_SECRET, FILE_SECRET, COMMAND_SECRET, PASSPHRASE, STATE_PASSWORD];

const C = "https://c.example/hooks";

const CONFIGURATION = `version: 1
webhooks:
  a: { target_url: "https://a.example/hooks", secret: { env: ENV_SECRET } }
  b: { target_url: "https://b.example/hooks", secret: { file: secrets/file } }
  c: { target_url: "${C}", secret: { command: [sh, secrets/print] } }
lead_unsubscriptions:
  d: { campaign_id: cam_000001, emails: [${EMAIL.value}], on_not_found: ignore }
`;
/** Shows what a program that prints a secret sees of its own environment and of its parent's command line. */
const PRINT = `env > seen-environment; tr '\\0' '\\n' < /proc/$PPID/cmdline > seen-arguments; tr '\\0' '\\n' < /proc/$$/cmdline >> seen-arguments; cat secrets/command\n`;
const GIVEN = ["outreach.yaml", "event.json", "secrets/file", "secrets/print", "secrets/command"];
/** The state knows the emails; journal, backup and plans have them from it. */
const WITH_EMAILS = /^(?:errored\.)?outreach\.state\.json|\.plan$/;

const EVENT = { _id: "act_1", type: "emailsSent", teamId: "tea_1", createdAt: "2026-01-01T00:00:00Z", leadEmail: EMAIL.value };
/** Of what succeeds in no story here: without a person, a pull request, a receiver, an undecided write. */
const FAILING = [
  "convert --to hcl",
  "resolve outreach_webhook.a --retry",
  "state pull",
  "force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "sandbox trigger nothing",
  "listen replay event.json --to http://127.0.0.1:9/hooks --secret env:ENV_SECRET",
  "listen unregister hoo_900001",
];
const LEFT = ["saved.plan", "ci-output", "ci-summary", "generated.yaml", "seen-arguments", "seen-environment"];

interface Canaries extends Project {
  /** What was found, and every file that was there at some time. */
  readonly found: Set<string>;
  readonly seen: Set<string>;
}

/** A job of CI without a pull request. Each request of the service looks through the files that a run has at that time. */
async function canaryProject(state: string, given: { readonly [name: string]: string } = {}, mayHaveEmails = WITH_EMAILS): Promise<Canaries> {
  const project = Object.assign(await openProject(), { found: new Set<string>(), seen: new Set<string>() });
  project.sandbox.add("keys", { name: "canary", key: KEY.value, userId: "usr_000001" });
  project.sandbox.add("webhooks", { _id: "hoo_900001", targetUrl: "https://by-hand.example/hooks" });
  project.sandbox.addFault({ action: { kind: "drop" }, times: null, where: () => search(project, "a file during a run", {}, mayHaveEmails) });
  Object.assign(project.environment, { OUTREACH_API_KEY: KEY.value, ENV_SECRET: ENV_SECRET.value, OUTREACH_LOG: "debug", ...given });
  const files = { GITHUB_OUTPUT: path.join(project.folder, "ci-output"), GITHUB_STEP_SUMMARY: path.join(project.folder, "ci-summary") };
  const job = { GITHUB_ACTIONS: "true", GITHUB_API_URL: "http://127.0.0.1:9", GITHUB_REPOSITORY: "acme/crm", ...files };
  Object.assign(project.environment, job);
  project.write("outreach.yaml", CONFIGURATION + state);
  project.write("event.json", JSON.stringify(EVENT));
  project.write("secrets/file", FILE_SECRET.value);
  project.write("secrets/command", COMMAND_SECRET.value);
  project.write("secrets/print", PRINT);
  return project;
}

/** Looks through what is printed and what is left. False, as a condition that holds for no request. */
function search(project: Canaries, where: string, printed: { readonly [place: string]: string }, mayHaveEmails = WITH_EMAILS): false {
  const left = Object.entries(project.files()).filter(([file]) => !GIVEN.includes(file));
  for (const [file] of left) project.seen.add(file);
  const masked = left.filter(([file]) => !mayHaveEmails.test(file));
  const shown = where.includes("--show-emails") ? {} : printed;
  const found = [...leaks(SECRETS, { ...printed, ...Object.fromEntries(left) }), ...leaks([EMAIL], { ...shown, ...Object.fromEntries(masked) })];
  for (const one of found) project.found.add(`${where}: ${one}`);
  return false;
}

/** Runs a command, and looks through everything that it printed and left. */
async function watched(project: Canaries, line: string, { serves }: CommandRuns, mayHaveEmails = WITH_EMAILS): Promise<Ran> {
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
  if (line.startsWith("listen")) await fetch(url, { method: "POST", body: JSON.stringify({ ...EVENT, secret: ENV_SECRET.value }) });
  child.kill("SIGINT");
  return ended;
}

let server: HttpStateServer;
beforeAll(async () => {
  server = await startHttpStateServer("plain");
});
afterAll(() => server.close());
const onServer = (name: string) => ({ ...server.environment(name), OUTREACH_STATE: server.environment(name)["TF_HTTP_ADDRESS"] ?? "" });

test("every command has a run with canaries", () => {
  expect(Object.keys(COMMAND_RUNS).toSorted()).toEqual(commandWords().toSorted());
});

test.each([
  [
    "a state in a file",
    "",
    () => ({}),
    WITH_EMAILS,
    ["outreach.state.json", "outreach.state.json.backup", "outreach.state.json.journal", "outreach.state.json.lock"],
  ],
  [
    "an encrypted state",
    "state:\n  encryption: { passphrase: { env: PASSPHRASE } }\n",
    () => ({ PASSPHRASE: PASSPHRASE.value }),
    /^no file$/,
    ["outreach.state.json", "outreach.state.json.journal"],
  ],
  ["a state on a server", "", () => onServer("canary"), WITH_EMAILS, []],
] as const)(
  "with %s, no command prints or leaves a secret or a masked email",
  async (_name, state, environment, mayHaveEmails, files) => {
    const project = await canaryProject(state, environment(), mayHaveEmails);
    const failed: string[] = [];
    for (const runs of Object.values(COMMAND_RUNS)) {
      // Processes take long, and have nothing to do with the place of a state.
      if (runs.serves && mayHaveEmails !== WITH_EMAILS) continue;
      for (const line of runs.lines) {
        const id = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl === C)?._id ?? "";
        if ((await watched(project, line.replace("ID_OF_C", id), runs, mayHaveEmails)).code !== 0) failed.push(line);
      }
    }
    expect([...project.found]).toEqual([]);
    expect(failed.filter((line) => !FAILING.includes(line))).toEqual(files.length > 0 ? [] : ["state push outreach.state.json"]);
    expect([...project.seen]).toEqual(expect.arrayContaining([...files, ...LEFT]));
  },
  120_000,
);

test("a state that its server does not take is left without a secret", async () => {
  const project = await canaryProject("", onServer("lost"));
  const isStolen = ({ method }: { readonly method: string }): false => {
    if (method === "POST") server.stealLock(null, "lost");
    return false;
  };
  project.sandbox.addFault({ action: { kind: "drop" }, where: isStolen });
  expect((await watched(project, "apply --auto-approve", { lines: [] })).err).toContain("errored.outreach.state.json");
  expect([...project.seen]).toContain("errored.outreach.state.json");
  expect([...project.found]).toEqual([]);
});

test("with a service that fails and echoes the key, no command prints or leaves a secret or a masked email", async () => {
  const project = await canaryProject("");
  const sent = [KEY, ENV_SECRET, FILE_SECRET, COMMAND_SECRET].map(({ value }) => echo(value)).join(" ");
  project.sandbox.addFault({ action: { kind: "answer", status: 500, body: sent }, times: null, method: "POST" });
  expect((await watched(project, "apply --auto-approve", { lines: [] })).code).toBe(3);
  project.sandbox.clearFaults();
  expect((await watched(project, "apply --auto-approve", { lines: [] })).code).toBe(0);
  project.sandbox.addFault({ action: { kind: "answer", status: 400, body: echo(KEY.value) }, times: null });
  let failed = 0;
  for (const runs of Object.values(COMMAND_RUNS)) {
    if (runs.serves) continue;
    for (const line of runs.lines) if ((await watched(project, line, runs)).code !== 0) failed++;
  }
  expect([...project.found]).toEqual([]);
  expect(failed).toBeGreaterThan(15);
}, 120_000);

/** What a service may answer that quotes what it was sent, in several ways. */
function echo(value: string): string {
  return [value, encodeURIComponent(value), JSON.stringify(value), Buffer.from(`:${value}`).toString("base64")].join(" ");
}
