import { expect, test } from "vitest";
import { useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const CONFIGURATION = `version: 1
variables:
  stage: { default: staging, allowed: [staging, production] }
webhooks:
  crm: { target_url: "https://crm.example.com/\${var.stage}", ignore: [webhook_without_secret] }
`;

test.each([
  ["--var", "validate --var stage=prodution", {}, "on outreach.yaml:3:30", "--var"],
  ["--var-file", "validate --var-file prod.yaml", {}, "on prod.yaml:2:8", "prod.yaml"],
  ["the environment", "validate", { OUTREACH_VAR_stage: "prodution" }, "on outreach.yaml:3:30", "OUTREACH_VAR_stage"],
])(
  "a value from %s that is not allowed is refused, with the allowed ones and where it comes from",
  async (_, command, environment, where, from) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.write("prod.yaml", "---\nstage: prodution\n");
    const { code, err } = await project.run(command, environment);
    expect(code).toBe(1);
    expect(err).toContain(`Error: Value not allowed for variable [variable_not_allowed]\n\n  ${where}`);
    expect(err).toContain(
      `The variable stage is "prodution", which is not one of the allowed "staging", "production". The value comes from ${from}.\nDid you mean production?\n`,
    );
    expect(err.match(/Error:/g)).toHaveLength(1);
  },
);

test("a default that is not allowed is refused at its place; an allowed value is taken", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION.replace("default: staging", "default: stagin"));
  const { code, err } = await project.run("validate");
  expect(code).toBe(1);
  expect(err).toMatch(/on outreach\.yaml:3:21\n.*\n {4}\| {21}\^\n/);
  expect(err).toContain("The value comes from its default.\nDid you mean staging?\n");
  expect(await project.run("validate --var stage=production")).toMatchObject({ code: 0, err: "" });
});

test.each<readonly [from: string, command: string, environment: Record<string, string>]>([
  ["--var", `validate --var 'stage="hunter2"'`, {}],
  ["OUTREACH_VAR_stage", "validate", { OUTREACH_VAR_stage: "'hunter2'" }],
  ["OUTREACH_VAR_stage", "validate", { OUTREACH_VAR_stage: "“hunter2”" }],
])(
  "a value in quotes from %s is refused, and not shown: the quotes would be part of it",
  async (from, command, environment) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION.replace(/stage: \{.*\}/, "stage: { sensitive: true }"));
    const { code, err, out } = await project.run(command, environment);
    expect([code, err.match(/Error:/g)?.length]).toEqual([1, 1]);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      `[variable_invalid] on outreach.yaml:3:3 3 | stage: { sensitive: true } | ^ The value of the variable stage from ${from} is in quotation marks.`,
    );
    expect(err + out).not.toContain("hunter2");
  },
);

test("quotes at one end, in the middle and in a file of variables are part of a value", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION.replace(", allowed: [staging, production]", ""));
  project.write("prod.yaml", `stage: "'a'"\n`);
  for (const command of [`validate --var 'stage="a"+b'`, "validate --var-file prod.yaml"])
    expect(await project.run(command)).toMatchObject({ code: 0, err: "" });
});

const STAGED = `version: 1
service:
  api_key: { env: "KEY_\${upper(var.stage)}" }
variables:
  stage: { default: staging }
webhooks:
  a: { target_url: "https://a.example.com", secret: { env: "SECRET_\${var.stage}" } }
  b: { target_url: "https://b.example.com", secret: { file: "secrets/\${var.stage}/b" } }
`;

test("a secret's variable and file may be named by a variable", async () => {
  const project = await openProject();
  project.write("outreach.yaml", STAGED);
  project.write("secrets/production/b", "secret-of-b\n");
  const environment = {
    OUTREACH_API_KEY: undefined,
    KEY_PRODUCTION: project.sandbox.keys.good,
    SECRET_production: "secret-of-a",
  };
  expect(await project.run("apply --auto-approve --var stage=production", environment)).toMatchObject({
    code: 0,
    err: NO_STATE_YET,
  });
  expect(
    project.sandbox
      .webhooks()
      .map(({ secret }) => secret)
      .toSorted(),
  ).toEqual(["secret-of-a", "secret-of-b"]);
  const { code, err } = await project.run("plan", { ...environment, KEY_STAGING: project.sandbox.keys.good });
  expect(code).toBe(1);
  expect(err).toContain("The environment variable SECRET_staging is not set.");
  expect(err).toContain("The file secrets/staging/b does not exist.");
});

test("a variable that many secrets need and that is not set is one error with its places", async () => {
  const project = await openProject();
  const block = (index: number): string =>
    `  w${String(index)}:\n    target_url: https://crm.example.com/${String(index)}\n    secret: { env: NOT_THERE }\n`;
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks:\n${Array.from({ length: 10 }, (_, index) => block(index)).join("")}`,
  );
  const { code, err } = await project.run("plan");
  expect(code).toBe(1);
  expect(err.match(/^Error: /gm)).toHaveLength(1);
  expect(err).toContain(`  on outreach.yaml:5:5, in outreach_webhook.w0
  5 |     secret: { env: NOT_THERE }
    |     ^

The environment variable NOT_THERE is not set.
It is used in outreach.yaml:5:5, outreach.yaml:8:5, outreach.yaml:11:5 and 7 more places.
Set NOT_THERE and run the command again.`);
});

test("an evaluated name is checked like a written one, and a mistake in it has its place", async () => {
  const project = await openProject();
  project.write("outreach.yaml", STAGED.replace("SECRET_${var.stage}", "KEY_${upper(var.stage)}"));
  const asKey = await project.run("validate");
  expect(asKey).toMatchObject({
    code: 1,
    err: expect.stringContaining("secret names KEY_STAGING, which contains the API key.") as string,
  });
  project.write("outreach.yaml", STAGED.replace("SECRET_${var.stage}", "SECRET_${var.stgae}"));
  const { code, err } = await project.run("validate");
  expect(code).toBe(1);
  expect(err).toMatch(/Error: .*\n\n {2}on outreach\.yaml:7:\d+, in outreach_webhook\.a\n/);
  expect(err).toContain("var.stgae");
});

test.each([
  ["STAGE for stage", "OUTREACH_VAR_STAGE", "", "stage: { default: staging }"],
  ["Stage for a required one", "OUTREACH_VAR_Stage", "", "stage: {}"],
  ["STAGE, even though the command line has a value", "OUTREACH_VAR_STAGE", " --var stage=staging", "stage: {}"],
])(
  "a variable of the environment whose name differs in case only is refused, not ignored: %s",
  async (_, name, option, declared) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION.replace(/stage: .*/, declared));
    const { code, out, err } = await project.run(`plan${option}`, { [name]: "production" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(
      `Error: Environment variable in another case [variable_other_case]\n\n  on outreach.yaml:3:3\n`,
    );
    expect(err).toContain(
      `The environment sets ${name}, but the variable is called stage: its value would be ignored.\n`,
    );
    expect(err).toContain(`Set OUTREACH_VAR_stage instead, and unset ${name}.\n`);
    expect(err.match(/Error:/g)).toHaveLength(1);
  },
);

test.each(["drift", "state list", "state pull", "show", "output"])(
  "a value that is refused is named where it says which state is meant: %s",
  async (command) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `${CONFIGURATION.replace(/stage: .*/, "stage: { default: staging, allowed: [staging] }")}state: { path: "\${var.stage}.json" }\n`,
    );
    expect(await project.run(command, { OUTREACH_VAR_stage: "prod" })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining('The variable stage is "prod"'),
    });
    const { code, out, err } = await project.run(command, { OUTREACH_VAR_STAGE: "staging" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: Environment variable in another case");
  },
);

test("a variable of the environment that sets nothing is named in the log at level info", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  const environment = { OUTREACH_VAR_stgae: "production", OUTREACH_VAR_stage: "staging" };
  expect(await project.run("plan", environment)).toMatchObject({ code: 0, err: NO_STATE_YET });
  const { err } = await project.run("plan", { ...environment, OUTREACH_LOG: "info" });
  expect(err).toMatch(/\[INFO\] OUTREACH_VAR_stgae sets no variable: the configuration does not declare stgae\.\n/);
  expect(err).not.toContain("OUTREACH_VAR_stage sets");
});

test.each([["--var stage=one"], ["--var-file vars.yaml"]])(
  "no variable is called undeclared where the configuration cannot be read: %s",
  async (option) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION.replace("webhooks:", "webhooks: ["));
    project.write("vars.yaml", "stage: one\n");
    const { code, err } = await project.run(`validate ${option}`);
    expect(code).toBe(1);
    expect(err).toContain("Error: Invalid YAML");
    expect(err.match(/Error:/g)).toHaveLength(1);
  },
);
