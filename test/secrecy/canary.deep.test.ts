import { afterAll, beforeAll, expect, test } from "vitest";
import { EVERY_COMMAND } from "../frontends/cli/program/every-command.ts";
import { type HttpStateServer, startHttpStateServer } from "../core/state/http/http-state-server.ts";
import {
  C,
  COMMAND_SECRET,
  ENV_SECRET,
  FILE_SECRET,
  KEY,
  PASSPHRASE,
  WITH_EMAILS,
  echo,
  useCanaries,
  watched,
} from "./canary-project.ts";

const openCanaries = useCanaries();

/** Without a state in a file, there is nothing to push. */
const WITHOUT_FILES = ["state push outreach.state.json"];
const LEFT = ["saved.plan", "ci-output", "ci-summary", "generated.yaml", "seen-arguments", "seen-environment"];

let server: HttpStateServer;
beforeAll(async () => {
  server = await startHttpStateServer("plain");
});
afterAll(() => server.close());
const onServer = (name: string) => ({
  ...server.environment(name),
  OUTREACH_STATE: server.environment(name)["TF_HTTP_ADDRESS"] ?? "",
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
    const project = await openCanaries({ state, environment: environment(), mayHaveEmails });
    const failed: string[] = [];
    for (const runs of Object.values(EVERY_COMMAND)) {
      // Processes take long, and have nothing to do with the place of a state.
      if (runs.serves && mayHaveEmails !== WITH_EMAILS) continue;
      for (const line of runs.lines) {
        const id = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl === C)?._id ?? "";
        const { code } = await watched(project, line.replace("ID_OF_C", id), runs, mayHaveEmails);
        if (code !== 0 && !runs.fails?.test(line)) failed.push(line);
      }
    }
    expect([...project.found]).toEqual([]);
    expect(failed).toEqual(files.length > 0 ? [] : WITHOUT_FILES);
    expect([...project.seen]).toEqual(expect.arrayContaining([...files, ...LEFT]));
  },
  120_000,
);

test("a state that its server does not take is left without a secret", async () => {
  const project = await openCanaries({ environment: onServer("lost") });
  const isStolen = ({ method }: { readonly method: string }): false => {
    if (method === "POST") server.stealLock(null, "lost");
    return false;
  };
  project.sandbox.addFault({ action: { kind: "drop" }, where: isStolen });
  expect((await watched(project, "apply --auto-approve")).err).toContain("errored.outreach.state.json");
  expect([...project.seen]).toContain("errored.outreach.state.json");
  expect([...project.found]).toEqual([]);
});

test("with a service that fails and echoes the key, no command prints or leaves a secret or a masked email", async () => {
  const project = await openCanaries();
  const sent = [KEY, ENV_SECRET, FILE_SECRET, COMMAND_SECRET].map(({ value }) => echo(value)).join(" ");
  project.sandbox.addFault({ action: { kind: "answer", status: 500, body: sent }, times: null, method: "POST" });
  expect((await watched(project, "apply --auto-approve")).code).toBe(3);
  project.sandbox.clearFaults();
  expect((await watched(project, "apply --auto-approve")).code).toBe(0);
  project.sandbox.addFault({ action: { kind: "answer", status: 400, body: echo(KEY.value) }, times: null });
  let failed = 0;
  for (const runs of Object.values(EVERY_COMMAND)) {
    if (runs.serves) continue;
    for (const line of runs.lines) if ((await watched(project, line, runs)).code !== 0) failed++;
  }
  expect([...project.found]).toEqual([]);
  expect(failed).toBeGreaterThan(15);
}, 120_000);
