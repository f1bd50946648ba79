import { readFileSync, readdirSync } from "node:fs";
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

const CONFIGURATION = `version: 1
webhooks:
  a: { target_url: "https://a.example/hooks", secret: { env: ENV_SECRET } }
  b: { target_url: "https://b.example/hooks", secret: { file: secrets/file } }
  c: { target_url: "https://c.example/hooks", secret: { command: [sh, secrets/print] } }
lead_unsubscriptions:
  d: { campaign_id: cam_000001, emails: [${EMAIL.value}], on_not_found: ignore }
`;
/** Shows what a program that prints a secret sees of its own environment and of its parent's command line. */
const PRINT = `env > seen-environment; tr '\\0' '\\n' < /proc/$PPID/cmdline > seen-arguments; tr '\\0' '\\n' < /proc/$$/cmdline >> seen-arguments; cat secrets/command\n`;
const GIVEN = ["outreach.yaml", "event.json", "secrets/file", "secrets/print", "secrets/command"];
/** The state knows the emails; journal, backup and plans have them from it. Programs see what the user gave them. */
const WITH_EMAILS = /^(?:errored\.)?outreach\.state\.json|\.plan$|^seen-environment$/;

async function canaryProject(state: string, environment: { readonly [name: string]: string }): Promise<Project> {
  const project = await openProject();
  project.sandbox.add("keys", { name: "canary", key: KEY.value, userId: "usr_000001" });
  project.sandbox.add("webhooks", { _id: "hoo_900001", targetUrl: "https://by-hand.example/hooks" });
  Object.assign(project.environment, { OUTREACH_API_KEY: KEY.value, ENV_SECRET: ENV_SECRET.value, OUTREACH_LOG: "debug", ...environment });
  project.write("outreach.yaml", CONFIGURATION + state);
  project.write("event.json", JSON.stringify({ _id: "act_1", type: "emailsSent", teamId: "tea_1", createdAt: "2026-01-01T00:00:00Z", leadEmail: EMAIL.value }));
  project.write("secrets/file", FILE_SECRET.value);
  project.write("secrets/command", COMMAND_SECRET.value);
  project.write("secrets/print", PRINT);
  return project;
}

/** Everything that a run printed and left. */
function leaksOf(project: Project, line: string, { out, err }: Pick<Ran, "out" | "err">): readonly string[] {
  const printed = { [`stdout of ${line}`]: out, [`stderr of ${line}`]: err };
  const left = Object.entries(project.files()).filter(([file]) => !GIVEN.includes(file));
  const masked = left.filter(([file]) => !WITH_EMAILS.test(file));
  return [...leaks(SECRETS, { ...printed, ...Object.fromEntries(left) }), ...leaks([EMAIL], { ...printed, ...Object.fromEntries(masked) })];
}

async function runOf(project: Project, line: string, { serves }: CommandRuns): Promise<Ran> {
  if (!serves) return project.run(line);
  const { child, ended } = project.start(line);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: string) => (said += chunk));
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await until(() => hasEnded || serves.test(said), `${line} serves: ${said}`);
  expect(leaks(SECRETS, { [`arguments of ${line}`]: hasEnded ? "" : readFileSync(`/proc/${String(child.pid)}/cmdline`, "latin1") })).toEqual([]);
  child.kill("SIGINT");
  return ended;
}

/** What a service answers that echoes what each command sends: the key, in several ways. */
function echo(): string {
  const { value } = KEY;
  return [value, encodeURIComponent(value), JSON.stringify(value), Buffer.from(`:${value}`).toString("base64")].join(" ");
}

let server: HttpStateServer;
beforeAll(async () => {
  server = await startHttpStateServer("plain");
});
afterAll(() => server.close());

test("every command has a run with canaries", () => {
  expect(Object.keys(COMMAND_RUNS).toSorted()).toEqual(commandWords().toSorted());
});

test.each([
  ["a state in a file", "", () => ({})],
  ["an encrypted state", "state:\n  encryption: { passphrase: { env: PASSPHRASE } }\n", () => ({ PASSPHRASE: PASSPHRASE.value })],
  ["a state on a server", "", () => ({ ...server.environment("canary"), OUTREACH_STATE: server.environment("canary")["TF_HTTP_ADDRESS"] ?? "" })],
])(
  "with %s, no command prints or leaves a secret or a masked email",
  async (_name, state, environment) => {
    const project = await canaryProject(state, environment());
    const found: string[] = [];
    let succeeded = 0;
    for (const runs of Object.values(COMMAND_RUNS)) {
      for (const line of runs.lines) {
        const ran = await runOf(project, line, runs);
        expect(ran.err, line).not.toMatch(/bug in outreach|Unknown (?:option|command)/);
        if (ran.code === 0) succeeded++;
        found.push(...leaksOf(project, line, ran));
      }
    }
    expect([...new Set(found)]).toEqual([]);
    expect(succeeded).toBeGreaterThan(30);
    expect(readdirSync(project.folder)).toEqual(expect.arrayContaining(["saved.plan", "seen-arguments", "seen-environment"]));
  },
  120_000,
);

test("with a service that fails and echoes the key, no command prints or leaves a secret or a masked email", async () => {
  const project = await canaryProject("", {});
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  const found: string[] = [];
  let failed = 0;
  for (const runs of Object.values(COMMAND_RUNS)) {
    if (runs.serves) continue;
    for (const line of runs.lines) {
      project.sandbox.addFault({ action: { kind: "answer", status: 400, body: echo() }, times: null });
      const ran = await project.run(line);
      expect(ran.err, line).not.toContain("bug in outreach");
      if (ran.code !== 0) failed++;
      found.push(...leaksOf(project, line, ran));
    }
  }
  expect([...new Set(found)]).toEqual([]);
  expect(failed).toBeGreaterThan(15);
}, 120_000);
