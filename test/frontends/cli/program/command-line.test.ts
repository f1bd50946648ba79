import { describe, expect, test } from "vitest";
import { oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();

const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks");
const STACK = JSON.stringify({ provider: { outreach: [{}] }, resource: {}, terraform: {} });

/** The mistake of a command line: what is said, and the way on. */
const MISTAKES: readonly (readonly [line: string, ...said: readonly string[]])[] = [
  ["frob", "Error: Unknown command", "outreach has no command frob.", "Show its help: outreach --help"],
  ["plna", "Did you mean plan?"],
  ["state ls", "outreach state has no command ls."],
  [
    "plan --frob",
    "Error: Unknown option",
    "outreach plan has no option --frob.",
    "Show its help: outreach plan --help",
  ],
  ["plan --targt x", "Did you mean --target?"],
  ["apply --dry-run", "outreach apply has no option --dry-run.\nShow its help: outreach apply --help"],
  [
    "import outreach_webhook.crm",
    "Error: Missing argument",
    "The argument id is missing.",
    "Usage: outreach import [options] <address> <id>",
  ],
  [
    "validate extra",
    "Error: Unexpected argument",
    "outreach validate takes no arguments, so extra has no meaning here.",
  ],
  ["plan outreach.yaml", "Name the configuration with -c: outreach plan -c outreach.yaml"],
  ["validate hooks/", "Name the configuration with -c: outreach validate -c hooks/"],
  ["plan saved.plan", "Apply a saved plan: outreach apply saved.plan"],
  [
    "plan help",
    "outreach plan takes no arguments, so help has no meaning here.\nShow its help: outreach plan --help\n",
  ],
  ["--verson", "Did you mean --version?"],
  [
    "-c outreach.yaml plan",
    "outreach has no option -c.\nOptions follow the command, as in outreach plan -c outreach.yaml.",
  ],
  ["import hoo_1 outreach_webhook.crm", "Import it: outreach import outreach_webhook.crm hoo_1"],
  ["plan outreach_webhook.crm", "Plan one address: outreach plan --target outreach_webhook.crm"],
  [
    "plan -c a.yaml -c b.yaml",
    "Error: -c is given twice",
    "-c names a.yaml and b.yaml, but takes one value.",
    "-c FOLDER",
  ],
  ["plan --out a.plan -out=b.plan", "--out names a.plan and b.plan, but takes one value."],
  [
    "plan --state ''",
    "Error: Missing value",
    "The value of --state is an empty string. Is a variable of the shell not set?",
  ],
  ["plan -c", "The option -c, --config <path> needs a value."],
  ["plan -c --json", "The option -c, --config <path> needs a value."],
  ["plan --target --refresh-only", "The option --target <address> needs a value."],
  ["generate --to json", "Error: Invalid value", "--to does not accept json.\nAllowed choices are yaml, hcl."],
  ["completion tcsh", "The argument shell does not accept tcsh.\nAllowed choices are bash, zsh, fish."],
  ["plan --lock=maybe", "--lock does not accept maybe.\nUse true or false."],
  ["plan --lock-timeout=soon", "Use a number and a unit"],
];

describe("a mistake in the command line", () => {
  test.each(MISTAKES)("%s", async (line, ...said) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    const { code, out, err, sent } = await project.run(line);
    for (const words of said) expect(`${out}${err}`).toContain(words);
    expect(code).toBe(1);
    expect(sent).toEqual([]);
    // `-c --json` asks for JSON, whatever else is wrong with it.
    if (!line.includes("--json")) expect(out).toBe("");
  });

  test("is a diagnostic under --json", async () => {
    const project = await openProject();
    for (const line of ["plan --json outreach.yaml", "get webhooks --json extra", "frob --json"]) {
      const { code, out, err } = await project.run(line);
      expect({ code, err }).toEqual({ code: 1, err: "" });
      expect(linesOf(out).map(({ type }) => type)).toEqual(["version", "diagnostic"]);
    }
  });

  test("in an option that may be repeated is none", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace("/hooks", "/${var.a}/${var.b}").concat("variables: { a: {}, b: {} }\n"),
    );
    expect((await project.run("plan --var a=1 --var b=2 -c outreach.yaml -c outreach.yaml")).out).toContain(
      "https://crm.example.com/1/2",
    );
  });
});

interface Line {
  readonly type: string;
  readonly diagnostic?: { readonly summary: string; readonly detail: string };
}

function linesOf(out: string): readonly Line[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

test.each([
  ["get campaigns --json", "No base URL"],
  ["doctor --json", "No base URL"],
  ["show --json", "No state was found"],
  ["show --format json missing.plan", "Cannot read the plan"],
  ["state list --json", "No state was found"],
  ["state show --json outreach_webhook.crm", "No state was found"],
  ["output --json", "No state was found"],
])("%s prints its errors as JSON lines", async (line, summary) => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  const { code, out, err } = await project.run(line, { OUTREACH_BASE_URL: undefined });
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(linesOf(out).map(({ type, diagnostic }) => [type, diagnostic?.summary])).toEqual([
    ["version", undefined],
    ["diagnostic", summary],
  ]);
});

describe("OUTREACH_CONFIG", () => {
  test("names the configuration where -c does not", async () => {
    const project = await openProject();
    project.write("prod.yaml", CONFIGURATION);
    project.write("other.yaml", oneWebhook("target_url: https://other.example.com/hooks"));
    project.environment["OUTREACH_CONFIG"] = "prod.yaml";
    expect((await project.run("plan")).out).toContain("https://crm.example.com/hooks");
    expect((await project.run("plan -c other.yaml")).out).toContain("https://other.example.com/hooks");
    expect((await project.run("init", { OUTREACH_CONFIG: "new/hooks.yaml" })).out).toContain("Created new/hooks.yaml");
  });

  test("is named where its file does not exist", async () => {
    const project = await openProject();
    const { code, err } = await project.run("plan", { OUTREACH_CONFIG: "prod.yaml" });
    expect(code).toBe(1);
    expect(err).toContain("The file prod.yaml, which OUTREACH_CONFIG names, does not exist.");
  });
});

describe("a CDK application as the configuration", () => {
  test.each(["cdktf.json", "cdktf.out", "cdktf.out/", "cdktf.out/manifest.json", "cdktf.out/stacks"])(
    "%s: its stacks are named",
    async (path) => {
      const project = await openProject();
      project.write("cdktf.json", JSON.stringify({ language: "typescript", app: "npx tsx main.ts" }));
      project.write("cdktf.out/manifest.json", JSON.stringify({ version: "0.21.0", stacks: {} }));
      for (const name of ["hooks", "audit"]) project.write(`cdktf.out/stacks/${name}/cdk.tf.json`, STACK);
      const { code, err } = await project.run(`plan -c ${path}`);
      expect(code).toBe(1);
      expect(err.match(/^Error: .*$/gm)).toEqual(["Error: No configuration [config_missing]"]);
      expect(err).toContain("belongs to a CDK application with 2 stacks. outreach runs one stack at a time.");
      expect(err).toContain(
        "Plan one of them:\n  outreach plan -c cdktf.out/stacks/audit\n  outreach plan -c cdktf.out/stacks/hooks\n",
      );
    },
  );

  test("cdktf.json before the first synthesis says how to synthesise", async () => {
    const project = await openProject();
    project.write("cdktf.json", JSON.stringify({ language: "typescript", app: "npx tsx main.ts" }));
    expect((await project.run("plan -c cdktf.json")).err).toContain(
      "Running the program creates the stack: npx tsx main.ts.",
    );
  });
});

test.each([
  ["help", "--help"],
  ["help plan", "plan --help"],
  ["help state mv", "state mv --help"],
])("%s prints what %s prints, and succeeds", async (asked, flag) => {
  const project = await openProject();
  const { out, code } = await project.run(asked);
  expect({ out, code }).toEqual({ out: (await project.run(flag)).out, code: 0 });
});

describe("the commands in messages call outreach as the user did", () => {
  test.each([
    [
      "npx outreach-as-code",
      { npm_command: "exec", npm_lifecycle_event: "npx", npm_config_user_agent: "npm/11.19.1 node/v20.20.2 linux x64" },
    ],
    ["npx outreach-as-code", { npm_command: "run", npm_lifecycle_event: "deploy" }],
    ["npx outreach-as-code", { CI: "true" }],
    ["pnpm exec outreach", { npm_command: "exec", npm_config_user_agent: "pnpm/10.0.0 npm/? node/v20.20.2" }],
    ["yarn outreach", { npm_lifecycle_event: "outreach", npm_config_user_agent: "yarn/1.22.22 npm/? node/v20.20.2" }],
    ["yarn outreach", { npm_config_user_agent: "yarn/4.18.1 npm/? node/v20.20.2 linux x64" }],
    ["outreach", {}],
  ])("%s", async (called, environment) => {
    const project = await openProject();
    Object.assign(project.environment, environment);
    expect((await project.run("init")).out).toContain(`eview the plan: ${called} plan\n`);
    expect((await project.run("plan outreach.yaml")).err).toContain(
      `Name the configuration with -c: ${called} plan -c outreach.yaml\nShow its help: ${called} plan --help`,
    );
    project.write("outreach.yaml", CONFIGURATION);
    expect((await project.run("plan --out x.plan")).out).toContain(`\n    ${called} apply x.plan\n`);
    expect((await project.run("state show outreach_webhook.crm --state none.json")).err).not.toContain(
      "outreach outreach",
    );
    expect((await project.run("get campaign")).err).toContain(`Show its help: ${called} get --help\n`);
    expect((await project.run("frob")).err).toContain(`Show its help: ${called} --help\n`);
    expect((await project.run("show outreach_webhook.crm")).err).toContain(
      `Show its record: ${called} state show outreach_webhook.crm\n`,
    );
    expect((await project.run("plan --help")).out).toContain(
      `\nExample, for a pull request:\n  ${called} plan --detailed-exitcode\n`,
    );
    expect((await project.run("--help")).out).toContain(`\n  ${called} init && ${called} plan && ${called} apply\n`);
  });
});
