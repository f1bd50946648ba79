import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { checksumOf } from "../../../../src/core/state/document.ts";
import { startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { PLAN_PRINTERS } from "../program/every-command.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const PLAN = "saved.plan";
const MORE = "  more: { target_url: 'https://crm.example.com/more' }\n";
/** Its commands leave a file. */
const HOSTILE = `version: 1
service: { api_key: { command: [touch, ran-key] } }
state: { encryption: { key: { command: [touch, ran-encryption] } } }
webhooks:
  crm: { target_url: "https://crm.example.com/live", secret: { command: [touch, ran-secret] } }
`;

function configuration(webhooks = "", { state = "" } = {}): string {
  return `version: 1
${state}variables:
  stage: { default: live }
  host: { default: crm.example.com }
webhooks:
  crm: { target_url: "https://\${var.host}/\${var.stage}" }
${webhooks}`;
}

type Saved = { readonly [name: string]: unknown };

/** Changes a saved plan as anybody can who has the file and this source code. */
function forge(project: Project, change: (saved: Saved) => Saved): void {
  const { checksum: _, ...saved } = JSON.parse(project.read(PLAN)) as Saved;
  const changed = change(saved);
  project.write(PLAN, JSON.stringify({ ...changed, checksum: checksumOf(changed) }));
}

function replaced(saved: Saved, from: string, to: string): Saved {
  return JSON.parse(JSON.stringify(saved).replaceAll(from, to)) as Saved;
}

/** The error of an apply that is refused: nothing is sent or run, and no file changes. */
async function refusal(project: Project, command: string): Promise<string> {
  const before = project.files();
  const ran = await project.run(command);
  expect(ran, `${command}\n${ran.err}`).toMatchObject({ code: 1, out: "", sent: [] });
  expect(project.files()).toEqual(before);
  return ran.err;
}

async function planned(project: Project, options = ""): Promise<void> {
  const ran = await project.run(`plan ${options}--out ${PLAN}`);
  expect(ran, ran.err).toMatchObject({ code: 0 });
}

describe("a plan of an existing state that was edited, with a checksum that matches, is refused", () => {
  const SOMETHING_ELSE = /Saved plan is for something else/;
  const CHANGED = /Saved plan was changed/;
  test.each<readonly [what: string, change: (saved: Saved) => Saved, why: RegExp]>([
    ["configuration", (saved) => ({ ...saved, configuration: "hostile.yaml", config: "hostile.yaml" }), SOMETHING_ELSE],
    ["state", (saved) => ({ ...saved, state: "other.state.json" }), SOMETHING_ELSE],
    [
      "state, with a line of its own",
      (saved) => ({ ...saved, state: `a\nApply complete!${"a".repeat(100_000)}` }),
      /saved plan is a.Apply complete!a{200,300}, but/,
    ],
    ["base URL", (saved) => ({ ...saved, baseUrl: "https://evil.example.com/api" }), SOMETHING_ELSE],
    ["team", (saved) => ({ ...saved, team: "emea", configuration: "outreach.yaml#emea" }), SOMETHING_ELSE],
    ["variables", (saved) => ({ ...saved, variables: { host: "evil.example.com" } }), CHANGED],
    ["steps", (saved) => replaced(saved, "crm.example.com/more", "evil.example.com/more"), CHANGED],
    ["choices", (saved) => ({ ...saved, choices: { ...(saved["choices"] as object), destroy: true } }), CHANGED],
    [
      "service change",
      (saved) => ({ ...saved, choices: { ...(saved["choices"] as object), allow: ["service-change"] } }),
      CHANGED,
    ],
    [
      "messages",
      (saved) => ({
        ...saved,
        messages: [{ code: "a", severity: "note", summary: "Approved", detail: "By everybody." }],
      }),
      CHANGED,
    ],
    ["seal", ({ seal: _, ...saved }) => saved, CHANGED],
    ["seal, which is empty", (saved) => ({ ...saved, seal: "" }), CHANGED],
    [
      "kind",
      ({ seal: _, ...saved }) => ({ ...saved, isFirst: true }),
      /no state existed when it was made, but one exists now/,
    ],
    ["serial", (saved) => ({ ...saved, serial: 99 }), CHANGED],
  ])("%s", async (_, change, why) => {
    const project = await openProject();
    project.write("outreach.yaml", configuration());
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.write("other.state.json", project.read("outreach.state.json"));
    project.write("hostile.yaml", HOSTILE);
    project.write("outreach.yaml", configuration(MORE));
    await planned(project);
    const genuine = project.read(PLAN);
    forge(project, change);
    expect(await refusal(project, `apply ${PLAN}`)).toMatch(why);
    project.write(PLAN, genuine);
    expect(await project.run(`apply ${PLAN}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added") as string,
    });
  });
});

test("a plan without secrets does not become one that can be applied", async () => {
  const project = await openProject();
  project.write("outreach.yaml", configuration());
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", configuration(MORE));
  await planned(project, "--no-secrets ");
  forge(project, (saved) => ({ ...saved, withSecrets: true }));
  expect(await refusal(project, `apply ${PLAN}`)).toMatch(/Saved plan was changed/);
});

test("a plan of a state is refused by another state of the same lineage whose key is another one", async () => {
  const project = await openProject();
  project.write("outreach.yaml", configuration());
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", configuration(MORE));
  await planned(project);
  const { checksum: _, ...state } = JSON.parse(project.read("outreach.state.json")) as {
    readonly planKey: string;
    readonly checksum: string;
  };
  const other = { ...state, planKey: "ab".repeat(32) };
  project.write("outreach.state.json", JSON.stringify({ ...other, checksum: checksumOf(other) }));
  expect(await refusal(project, `apply ${PLAN}`)).toMatch(/Saved plan was changed/);
});

describe("a first plan, which has no state to be bound to,", () => {
  test.each<readonly [what: string, change: (saved: Saved) => Saved]>([
    ["configuration", (saved) => ({ ...saved, configuration: "hostile.yaml" })],
    ["state", (saved) => ({ ...saved, state: "other.state.json" })],
    ["base URL", (saved) => ({ ...saved, baseUrl: "https://evil.example.com/api" })],
    [
      "value of a variable that the job sets, too",
      (saved) => ({ ...replaced(saved, "blue", "evil"), variables: { stage: "evil" } }),
    ],
  ])("has no other %s than the job", async (_, change) => {
    const project = await openProject();
    project.write("hostile.yaml", HOSTILE);
    project.write("outreach.yaml", configuration());
    project.environment["OUTREACH_VAR_stage"] = "blue";
    await planned(project);
    forge(project, change);
    expect(await refusal(project, `apply ${PLAN}`)).toMatch(/Saved plan is for something else/);
  });

  test.each(["lineage", "salt"])("gives the future state no %s but a short word", async (name) => {
    const project = await openProject();
    project.write("outreach.yaml", configuration());
    await planned(project);
    const genuine = project.read(PLAN);
    for (const value of ["", "../elsewhere", "a\n::error::b", "a".repeat(100_000)]) {
      forge(project, (saved) => ({ ...saved, [name]: value }));
      expect(await refusal(project, `apply ${PLAN}`)).toMatch(/is not what a plan has there/);
    }
    project.write(PLAN, genuine);
    expect(await project.run(`apply ${PLAN}`)).toMatchObject({ code: 0 });
  });

  test.each([
    ["where the state is", "state: { path: 'outreach.${var.stage}.state.json' }"],
    ["where the service is", "service: { base_url: '${var.stage}' }"],
    ["which variable has the API key", "service: { api_key: { env: 'KEY_${var.stage}' } }"],
    ["which key opens the state", "state: { encryption: { fallback: { passphrase: { env: 'PASS_${var.stage}' } } } }"],
  ])("has no variable that decides %s", async (_, setting) => {
    const project = await openProject();
    const value = setting.includes("base_url") ? project.sandbox.baseUrl : "green";
    const keys = {
      KEY_green: project.sandbox.keys.good,
      KEY_live: "another",
      PASS_green: "a passphrase of green",
      PASS_live: "another passphrase",
    };
    Object.assign(project.environment, keys, setting.includes("base_url") ? { OUTREACH_BASE_URL: undefined } : {});
    project.write("outreach.yaml", configuration("", { state: `${setting}\n` }));
    await planned(project, `--var stage=${value} `);
    expect(await refusal(project, `apply ${PLAN}`)).toMatch(
      /The state or the service is another one with the variables of the saved plan \(stage\)/,
    );
    expect(await project.run(`apply --var stage=${value} ${PLAN}`)).toMatchObject({ code: 0 });
  });
});

test.each([
  ["of a kind that nobody knows", { kind: "surprise" }],
  ["of a kind that every object has", { kind: "constructor" }],
  ["without what it names", { kind: "unlock" }],
  ["with something else in its place", { kind: "target", addresses: "x" }],
])("a message with a way out %s makes a plan unreadable, for every reader", async (_, way) => {
  const project = await openProject();
  project.write("outreach.yaml", configuration());
  await planned(project);
  const message = { code: "c", severity: "warning", summary: "s", detail: "d", ways: [way] };
  forge(project, (saved) => ({ ...saved, messages: [message] }));
  for (const command of [...PLAN_PRINTERS, "apply"].map((words) => `${words} ${PLAN}`))
    expect(await refusal(project, command)).toMatch(/is not what a plan has there/);
});

test("a plan with another place of the state sends nothing there, whatever names the state", async () => {
  const [ours, evil] = [await startHttpStateServer("gitlab"), await startListener()];
  open.push(() => ours.close());
  const { TF_HTTP_ADDRESS: address, ...others } = ours.environment();
  const project = await openProject();
  Object.assign(project.environment, others, { OUTREACH_STATE: address });
  project.write("outreach.yaml", configuration());
  for (const names of ["", MORE]) {
    project.write("outreach.yaml", configuration(names));
    await planned(project);
    const genuine = project.read(PLAN);
    forge(project, (saved) => ({ ...saved, state: evil.url }));
    expect(await refusal(project, `apply ${PLAN}`)).toMatch(
      new RegExp(`The state of the saved plan is ${evil.url}, but this command uses`),
    );
    project.write(PLAN, genuine);
    expect(await project.run(`apply ${PLAN}`)).toMatchObject({ code: 0 });
  }
  expect(evil.requests()).toBe(0);
});

async function startListener(): Promise<{ readonly url: string; readonly requests: () => number }> {
  let count = 0;
  const server = createServer((_, response) => {
    count++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/state`, requests: () => count };
}

test("the key of a state's plans is shown by state pull alone", async () => {
  const project = await openProject();
  project.write("outreach.yaml", configuration());
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  const { planKey } = JSON.parse(project.read("outreach.state.json")) as { readonly planKey: string };
  expect(planKey).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.parse((await project.run("state pull")).out)).toMatchObject({ planKey });
  project.write("outreach.yaml", configuration(MORE));
  for (const command of [
    "show",
    "show --json",
    "show --format markdown",
    "show --format html",
    "state list",
    "state show --json outreach_webhook.crm",
    "output --json",
    `plan --json --out ${PLAN}`,
    "drift --json",
    "drift --format markdown",
    "doctor --json",
    "explain --json outreach_webhook.crm",
    `show --json ${PLAN}`,
    ...PLAN_PRINTERS.map((words) => `${words} ${PLAN}`),
    `apply --json ${PLAN}`,
  ]) {
    const { code, out, err } = await project.run(command, { OUTREACH_LOG: "debug" });
    expect(code, `${command}\n${err}`).not.toBe(1);
    expect(`${out}${err}`, command).not.toContain(planKey);
  }
  expect(project.read(PLAN)).not.toContain(planKey);
});
