import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { encodeLine } from "../../../../src/core/state/journal.ts";
import { PLAN_PRINTERS } from "../program/every-command.ts";
import { type Project, type Ran, useProjects } from "../project.ts";

const openProject = useProjects();
const STATE = "outreach.state.json";
const KEY = (byte: number): string => Buffer.alloc(32, byte).toString("base64");
const SECRETS = { ONE: KEY(1), TWO: KEY(2), PHRASE: "a passphrase that is long enough", S: "webhook-secret-value" };
const URL = "https://crm.example.com/hooks/replies";
const EMAIL = "ada@example.com";

function configuration(encryption: string | null, more = ""): string {
  return `version: 1
${encryption === null ? "" : `state:\n  encryption: ${encryption}\n`}webhooks:
  crm: { target_url: "${URL}", secret: { env: S } }
${more}lead_unsubscriptions:
  left: { campaign_id: cam_000001, emails: [${EMAIL}] }
`;
}

const OTHER = `  other: { target_url: "${URL}/other" }\n`;

async function openApplied(encryption: string | null): Promise<Project> {
  const project = await openProject();
  Object.assign(project.environment, SECRETS);
  project.write("outreach.yaml", configuration(encryption));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

/** Every file but the configuration, whose declarations are in plain text. */
function expectHidden(project: Project, ...runs: readonly Ran[]): void {
  const written = Object.entries(project.files()).filter(([file]) => file !== "outreach.yaml");
  expect(written.length).toBeGreaterThan(0);
  for (const [file, text] of written)
    for (const word of [URL, EMAIL, "cam_000001", "hoo_000001"]) expect(text, file).not.toContain(word);
  const texts = [...written.map(([, text]) => text), ...runs.flatMap(({ out, err }) => [out, err])].join("\n");
  for (const secret of Object.values(SECRETS)) expect(texts).not.toContain(secret);
}

const envelope = (
  project: Project,
  file = STATE,
): {
  readonly serial: number;
  readonly lineage: string;
  readonly key: { readonly id: string; readonly scrypt?: object };
} => JSON.parse(project.read(file)) as ReturnType<typeof envelope>;

describe("an existing state", () => {
  test("is encrypted by the next apply, though it changes nothing else, with its backup; the plan says so before", async () => {
    const project = await openApplied(null);
    const { serial, lineage } = JSON.parse(project.read(STATE)) as {
      readonly serial: number;
      readonly lineage: string;
    };
    project.write("outreach.yaml", configuration("{ passphrase: { env: PHRASE }, fallback: plain }"));
    const planned = await project.run("plan --detailed-exitcode");
    expect(planned).toMatchObject({
      code: 0,
      err: expect.stringContaining("The state is not encrypted yet") as string,
    });
    expect(project.read(STATE)).toContain(URL);
    const applied = await project.run("apply --auto-approve");
    expect(applied.code).toBe(0);
    expect(envelope(project)).toMatchObject({ serial: serial + 1, lineage, key: { scrypt: {} } });
    expectHidden(project, planned, applied);
    const warned = await project.run("plan");
    expect(warned).toMatchObject({ code: 0, err: expect.stringContaining("Plain text is still accepted") as string });
    project.write("outreach.yaml", configuration("{ passphrase: { env: PHRASE } }"));
    const after = project.files();
    const again = await project.run("apply --auto-approve");
    expect(again).toMatchObject({ code: 0, sent: [expect.stringContaining("GET /hooks")] as unknown });
    expect(again.err).toBe("");
    expect(project.files()).toEqual(after);
  });

  test.each([
    "plan",
    "apply --auto-approve",
    "drift",
    "state list",
    "state rm outreach_webhook.crm",
    "state push copy.json",
    "init --migrate-state --from outreach.state.json",
  ])(
    "in plain text is refused by %s once a key is set, with the setting that migrates it; nothing is sent or written",
    async (command) => {
      const project = await openApplied(null);
      project.write("copy.json", (await project.run("state pull --show-emails")).out);
      const path = command.startsWith("init") ? "  path: new.state.json\n" : "";
      project.write("outreach.yaml", configuration("{ key: { env: ONE } }").replace("state:\n", `state:\n${path}`));
      const before = project.files();
      const ran = await project.run(command);
      expect(ran).toMatchObject({ code: 1, sent: [] });
      expect(ran.err).toContain("The state is not encrypted");
      expect(ran.err).toContain("set state.encryption.fallback to plain");
      expect(project.files()).toEqual(before);
    },
  );

  test("is decrypted by the next apply when only a fallback is left, and needs no key afterwards", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    project.write("outreach.yaml", configuration("{ fallback: { key: { env: ONE } } }"));
    expect(await project.run("plan")).toMatchObject({
      code: 0,
      err: expect.stringContaining("in plain text") as string,
    });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", configuration(null));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(project.read(STATE)).toContain(URL);
  });
});

describe("the key of a state", () => {
  test("changes with the next apply while the old one is the fallback", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    const { id } = envelope(project).key;
    project.write("outreach.yaml", configuration("{ key: { env: TWO }, fallback: { key: { env: ONE } } }"));
    const planned = await project.run("plan");
    expect(planned.err).toContain("encrypted with the fallback key");
    expect(envelope(project).key.id).toBe(id);
    const applied = await project.run("apply --auto-approve");
    expect(envelope(project).key.id).not.toBe(id);
    project.write("outreach.yaml", configuration("{ key: { env: TWO } }"));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(project.read(`${STATE}.backup`)).toContain(`"id": "${envelope(project).key.id}"`);
    expectHidden(project, planned, applied);
  });

  test.each([
    "plan",
    "apply --auto-approve",
    "state list",
    "state rm outreach_webhook.crm",
    "state push --force copy.json",
    "destroy --auto-approve",
    `state list --state ${STATE}`,
  ])("that is wrong stops %s: it names the keys, and sends and writes nothing", async (command) => {
    const project = await openApplied("{ key: { env: ONE } }");
    project.write("copy.json", (await project.run("state pull --show-emails")).out);
    const { id } = envelope(project).key;
    project.write("outreach.yaml", configuration("{ key: { env: TWO } }"));
    const before = project.files();
    const ran = await project.run(command);
    expect(ran).toMatchObject({ code: 1, sent: [] });
    expect(ran.err).toMatch(new RegExp(`${id}[^]*environment variable TWO\\) is the key [0-9a-f]{12}`));
    for (const secret of Object.values(SECRETS)) expect(ran.err).not.toContain(secret);
    expect(project.files()).toEqual(before);
  });

  test.each([
    ["is not set", "{ key: { env: NONE } }", "The environment variable NONE is not set."],
    ["is not a key", "{ key: { env: PHRASE } }", "openssl rand -base64 32"],
    ["is written in the configuration", "{ passphrase: written-in-plain-text }", "passphrase is written in plain text"],
    ["is written as a key", "{ key: bm90LWEtcmVhbC1rZXktYnV0LWl0LWxvb2tzLWxpa2U= }", "key is written in plain text"],
    ["is one of two", "{ key: { env: ONE }, passphrase: { env: PHRASE } }", "state.encryption"],
    ["is not there", "{}", "state.encryption"],
  ])("that %s is an error, and nothing is written in plain text", async (_, encryption, message) => {
    const project = await openApplied(null);
    project.write("outreach.yaml", configuration(encryption, OTHER));
    const before = project.files();
    for (const command of ["apply --auto-approve", `state rm --state ${STATE} outreach_webhook.crm`]) {
      const ran = await project.run(command);
      expect(ran).toMatchObject({ code: 1, sent: [] });
      expect(ran.err).toContain(message);
      for (const secret of ["written-in-plain-text", "bm90LWEt"]) expect(ran.err).not.toContain(secret);
    }
    expect(project.files()).toEqual(before);
  });

  test("is missing where a configuration has no encryption: the error says what to set", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    project.write("outreach.yaml", configuration(null));
    const ran = await project.run("plan");
    expect(ran).toMatchObject({ code: 1, sent: [] });
    expect(ran.err).toContain(envelope(project).key.id);
    expect(ran.err).toContain("Set state.encryption in the configuration");
  });
});

describe("a state that the command line names", () => {
  test("has its key in the configuration, and is written encrypted", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    expect((await project.run(`state list --state ${STATE}`)).out).toContain("outreach_webhook.crm");
    expect(await project.run(`state mv --state ${STATE} outreach_webhook.crm outreach_webhook.crm2`)).toMatchObject({
      code: 0,
    });
    expectHidden(project);
    project.write("elsewhere/other.yaml", "version: 1\n");
    const ran = await project.run(`state list -c elsewhere/other.yaml --state ${STATE}`);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.err).toContain("pass -c PATH");
  });

  test("reports the mistakes of the configuration only if it is encrypted", async () => {
    const [encrypted, plain] = [await openApplied("{ key: { env: ONE } }"), await openApplied(null)];
    for (const project of [encrypted, plain]) project.write("outreach.yaml", "version: 1\nwebhooks: {\n");
    expect(await plain.run(`state list --state ${STATE}`)).toMatchObject({ code: 0, err: "" });
    const ran = await encrypted.run(`state list --state ${STATE}`);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.err).toContain("outreach.yaml:3");
  });
});

describe("a saved plan", () => {
  test("is encrypted, and show and apply open it; nothing declared is in any file", async () => {
    const project = await openProject();
    Object.assign(project.environment, SECRETS);
    project.write("outreach.yaml", configuration("{ key: { env: ONE } }"));
    const planned = await project.run("plan --out saved.plan");
    expect(planned).toMatchObject({ code: 0 });
    expectHidden(project, { ...planned, out: "" });
    expect((await project.run("show saved.plan")).out).toContain(URL);
    expect((await project.run("plan --out saved.plan")).code).toBe(0);
    expect((await project.run("apply saved.plan")).out).toContain("Resources: 2 added");
    expectHidden(project);
  });

  test("is opened with the key of the configuration that the command names", async () => {
    const project = await openProject();
    Object.assign(project.environment, SECRETS);
    project.write("stage/prod.yaml", configuration("{ passphrase: { env: PHRASE } }"));
    expect(await project.run("plan -c stage/prod.yaml --out saved.plan")).toMatchObject({ code: 0 });
    for (const command of ["apply", ...PLAN_PRINTERS]) {
      const ran = await project.run(`${command} saved.plan`);
      expect(ran, command).toMatchObject({ code: 1, out: "", sent: [] });
      expect(ran.err).toContain("The plan is encrypted");
      expect(ran.err).toContain("pass -c PATH");
    }
    expect((await project.run("show saved.plan", { OUTREACH_CONFIG: "stage/prod.yaml" })).out).toContain(URL);
    expect((await project.run("apply -c stage/prod.yaml saved.plan")).out).toContain("Resources: 2 added");
  });

  test("is not opened with another key, and not if it was changed", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    project.write("outreach.yaml", configuration("{ key: { env: ONE } }", OTHER));
    await project.run("plan --out saved.plan");
    const saved = project.read("saved.plan");
    project.write("outreach.yaml", configuration("{ key: { env: TWO } }", OTHER));
    for (const command of ["show saved.plan", "apply saved.plan"]) {
      const ran = await project.run(command);
      expect(ran).toMatchObject({ code: 1, sent: [] });
      expect(ran.err).toContain("saved.plan is encrypted with the key");
    }
    project.write("outreach.yaml", configuration("{ key: { env: ONE } }", OTHER));
    project.write("saved.plan", saved.replace('"kind": "plan"', '"kind": "plan",\n  "team": "a"'));
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("changed or truncated") as string,
    });
    project.write("saved.plan", project.read(STATE));
    expect(await project.run("apply saved.plan")).toMatchObject({ code: 1, sent: [] });
  });
});

describe("state pull and push", () => {
  test("print the plain document, and store it encrypted; the backup and an errored state can be pushed as they are", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    const pulled = await project.run("state pull --show-emails");
    expect(JSON.parse(pulled.out)).toMatchObject({ format: 1 });
    expect(pulled.out).toContain(EMAIL);
    await project.run("state rm outreach_webhook.crm");
    expect((await project.run(`state push --force ${STATE}.backup`)).code).toBe(0);
    expect((await project.run("state list")).out).toContain("outreach_webhook.crm");
    await project.run("state rm outreach_webhook.crm");
    project.write("copy.json", pulled.out);
    expect((await project.run("state push --force copy.json")).code).toBe(0);
    expect((await project.run("state list")).out).toContain("outreach_webhook.crm");
    project.write("copy.json", "{}");
    expectHidden(project);
  });

  test("push believes no backup in plain text, which lies where the state does, and replaces a state in plain text by force", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    const { out } = await project.run("state pull --show-emails");
    const state = project.read(STATE);
    project.write(`${STATE}.backup`, out);
    expect((await project.run(`state push --force ${STATE}.backup`)).err).toContain(`${STATE}.backup is in plain text`);
    expect((await project.run(`state push --force ./${STATE}.backup`)).err).toContain("is in plain text");
    expect(project.read(STATE)).toBe(state);
    project.write(STATE, out);
    project.write("copy.json", state);
    expect(await project.run("state push copy.json")).toMatchObject({ code: 1 });
    expect(await project.run("state push --force copy.json")).toMatchObject({ code: 0 });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("push by force replaces a damaged state, as the error says", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    await project.run("state rm outreach_webhook.crm");
    project.write(STATE, project.read(STATE).replace(/"serial": \d+/, '"serial": 99'));
    const ran = await project.run("plan");
    expect(ran).toMatchObject({ code: 1, sent: [] });
    expect(ran.err).toContain(`outreach state push --force ${STATE}.backup`);
    expect(await project.run(`state push --force ${STATE}.backup`)).toMatchObject({ code: 0 });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

test("init --migrate-state encrypts the state in its new place, and what stays in the old one", async () => {
  const project = await openApplied(null);
  project.write(
    "outreach.yaml",
    configuration("{ key: { env: ONE }, fallback: plain }").replace("state:\n", "state:\n  path: new.state.json\n"),
  );
  expect(await project.run(`init --migrate-state --from ${STATE}`)).toMatchObject({ code: 0 });
  expectHidden(project);
  expect(Object.keys(project.files())).toEqual(expect.arrayContaining(["new.state.json", STATE, `${STATE}.backup`]));
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  // Also for those who have another key, or none: their copy of the configuration may be old.
  for (const encryption of ["{ key: { env: ONE } }", "{ key: { env: TWO } }", null]) {
    project.write("outreach.yaml", configuration(encryption));
    const { code, err } = await project.run(`plan --state ${STATE}`);
    expect([encryption, code, err]).toEqual([
      encryption,
      1,
      expect.stringContaining("no longer holds the state: it was migrated to"),
    ]);
  }
});

const COMMANDS = [
  ["the key", "{ key: { command: [sh, -c, 'touch ran; printenv ONE'] } }"],
  ["the fallback", "{ key: { env: TWO }, fallback: { key: { command: [sh, -c, 'touch ran; printenv ONE'] } } }"],
] as const;

describe.each(COMMANDS)("a command for %s", (_, encryption) => {
  test.each(["plan --no-secrets", ...PLAN_PRINTERS.map((words) => `${words} saved.plan`), "apply saved.plan"])(
    "is not run by %s",
    async (command) => {
      const project = await openApplied("{ key: { env: ONE } }");
      expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
      project.write("outreach.yaml", configuration(encryption));
      const ran = await project.run(command);
      expect(ran).toMatchObject({ code: 1, out: "", sent: [] });
      expect(ran.err).toMatch(/does not run|no command runs unless you allow it/);
      expect(Object.keys(project.files())).not.toContain("ran");
    },
  );

  test("is run with --run-key-command, by every reader of a plan", async () => {
    const project = await openApplied("{ key: { env: ONE } }");
    project.write("outreach.yaml", configuration("{ key: { env: ONE } }", OTHER));
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", configuration(encryption, OTHER));
    for (const command of [...PLAN_PRINTERS, "apply"])
      expect((await project.run(`${command} --run-key-command saved.plan`)).out, command).toMatch(/1 (?:added|to add)/);
  });
});

test("a plan without secrets is in plain text, says so, and is read without the configuration", async () => {
  const project = await openApplied("{ key: { env: ONE } }");
  project.write("outreach.yaml", configuration("{ key: { env: ONE } }", OTHER));
  expect(await project.run("plan --no-secrets --out saved.plan", { CI: "true" })).toMatchObject({
    code: 0,
    err: expect.stringContaining("A plan without secrets is never encrypted.") as string,
  });
  expect(project.read("saved.plan")).toMatch(/^\{"planFile":1,"withSecrets":false,/);
  project.write("outreach.yaml", configuration("{ key: { command: [touch, ran] } }", OTHER));
  for (const command of [...PLAN_PRINTERS, "show --json", "show --run-key-command"]) {
    const ran = await project.run(`${command} saved.plan`, { ONE: undefined });
    expect(ran, command).toMatchObject({ code: 0, err: "", sent: [] });
    expect(ran.out, command).toContain(`${URL}/other`);
  }
  expect(await project.run("apply --run-key-command saved.plan")).toMatchObject({
    code: 1,
    err: expect.stringContaining("made with --no-secrets") as string,
  });
  expect(Object.keys(project.files())).not.toContain("ran");
});

test("apply takes no plan in plain text where plans are encrypted", async () => {
  const project = await openApplied(null);
  project.write("outreach.yaml", configuration(null, OTHER));
  expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", configuration("{ key: { env: ONE } }", OTHER));
  const ran = await project.run("apply saved.plan");
  expect(ran).toMatchObject({ code: 1, sent: [] });
  expect(ran.err).toMatch(/The plan is not encrypted \[plan_not_encrypted\]\n\n[^]*Make a new plan/);
  project.write("outreach.yaml", configuration("{ key: { env: ONE }, fallback: plain }", OTHER));
  expect(await project.run("apply saved.plan")).toMatchObject({ code: 0 });
  expectHidden({ ...project, files: () => ({ [STATE]: project.read(STATE) }) });
});

test("a program that prints the API key and the passphrase of the state runs once in each run, whoever asks", async () => {
  const project = await openProject();
  const { OUTREACH_API_KEY: key = "", ...environment } = project.environment;
  for (const name of Object.keys(project.environment))
    if (!(name in environment)) project.environment[name] = undefined;
  const program = `{ command: [sh, -c, 'echo ran >> ran; echo ${key.padEnd(16)}'] }`;
  const text = configuration(`{ passphrase: ${program} }`, OTHER).replace(
    "webhooks:",
    `service: { api_key: ${program} }\nwebhooks:`,
  );
  project.environment["S"] = SECRETS.S;
  project.write("outreach.yaml", text);
  for (const command of [
    "plan --out saved.plan",
    "apply --run-key-command saved.plan",
    "plan",
    "apply --auto-approve",
    "drift",
    "state list",
    "show --run-key-command saved.plan",
  ]) {
    project.write("ran", "");
    expect(await project.run(command), command).toMatchObject({ code: 0 });
    expect(project.read("ran"), command).toBe("ran\n");
  }
});

test("a run that is killed leaves an encrypted journal, from which the next one goes on", async () => {
  const project = await openProject({ realTime: "the run that is killed does not wait either" });
  Object.assign(project.environment, SECRETS);
  project.write("outreach.yaml", configuration("{ key: { env: ONE } }"));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.write("outreach.yaml", configuration("{ key: { env: ONE } }", OTHER));
  project.sandbox.addFault({ action: { kind: "late", delayMs: 3_600_000 }, when: "after", method: "POST" });
  const { child, ended } = project.start("apply --auto-approve");
  while (project.sandbox.webhooks().length < 2) await delay(20);
  child.kill("SIGKILL");
  await ended;
  project.sandbox.clearFaults();
  expect(project.read(`${STATE}.journal`)).toContain('"encryption":1');
  expectHidden(project);
  const journal = project.read(`${STATE}.journal`);
  const [header = "", count = "", ...frames] = journal.trimEnd().split("\n");
  expect(frames.length).toBeGreaterThan(0);
  for (const [forged, message] of [
    [[header, count, ...frames.slice(0, -1), ""].join("\n"), "The journal was cut"],
    [
      encodeLine({ journal: 1, lineage: envelope(project).lineage, baseSerial: 1, baseSeq: 0 }),
      "The journal is not encrypted",
    ],
  ] as const) {
    project.write(`${STATE}.journal`, forged);
    const refused = await project.run("apply --auto-approve");
    expect(refused).toMatchObject({ code: 3, sent: [] });
    expect(refused.err).toContain(message);
  }
  project.write(`${STATE}.journal`, journal);
  const wrong = await project.run("apply --auto-approve", { ONE: SECRETS.TWO });
  expect(wrong).toMatchObject({ code: 1, sent: [] });
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(project.sandbox.webhooks()).toHaveLength(2);
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  expectHidden(project);
});
