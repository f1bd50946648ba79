import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { modeOf, useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

test("init writes a configuration that is valid and plans nothing", async () => {
  const project = await openProject();
  expect((await project.run("init")).code).toBe(0);
  expect(await project.run("validate")).toMatchObject({ code: 0, err: "" });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: NO_STATE_YET });
});

test("its examples are valid when they are taken in", async () => {
  const project = await openProject();
  await project.run("init -c outreach.yml");
  const uncommented = project
    .read("outreach.yml")
    .split("\n")
    .map((line) => (/^# (?: |[a-z_]+:(?: |$))/.test(line) ? line.slice(2) : line))
    .join("\n");
  expect(uncommented).toContain("\n  audit:\n");
  project.write("outreach.yml", uncommented);
  expect(await project.run("validate -c outreach.yml")).toMatchObject({ code: 0, err: "" });
});

test("init keeps everything that is recorded out of version control", async () => {
  const project = await openProject();
  await project.run("init");
  execFileSync("git", ["init", "-q"], { cwd: project.folder });
  for (const file of ["", ".backup", ".journal", ".lock", ".tmp"].map((end) => `outreach.production.state.json${end}`))
    expect(execFileSync("git", ["check-ignore", file], { cwd: project.folder, encoding: "utf8" })).toBe(`${file}\n`);
});

test("init keeps folders of keys and secrets out of version control", async () => {
  const project = await openProject();
  await project.run("init");
  execFileSync("git", ["init", "-q"], { cwd: project.folder });
  for (const file of ["keys/production", "team/secrets/hook"])
    expect(execFileSync("git", ["check-ignore", file], { cwd: project.folder, encoding: "utf8" })).toBe(`${file}\n`);
});

test("init never overwrites, and adds to .gitignore only what is missing", async () => {
  const project = await openProject();
  project.write("outreach.yaml", "mine");
  project.write(".gitignore", "node_modules\n*.state.json");
  const { code, out } = await project.run("init");
  expect(code).toBe(0);
  expect(out).toContain("outreach.yaml exists and is unchanged.");
  expect(project.read("outreach.yaml")).toBe("mine");
  const [, , ...added] = project.read(".gitignore").split("\n");
  expect(added.slice(1)).toEqual(["*.state.json.*", "*.plan", "keys/", "secrets/", ""]);
  appendFileSync(path.join(project.folder, ".gitignore"), "dist\n");
  const before = project.files();
  expect((await project.run("init")).out).toContain(".gitignore needs no change.");
  expect(project.files()).toEqual(before);
});

test("init -c writes elsewhere, with the .gitignore next to it", async () => {
  const project = await openProject();
  project.write("hooks/keep", "");
  expect((await project.run("init -c hooks/prod.yaml")).out).toContain("outreach plan -c hooks/prod.yaml");
  expect(Object.keys(project.files())).toEqual(["hooks/.gitignore", "hooks/keep", "hooks/prod.yaml"]);
});

test("init makes the folders of its file, and takes a folder for the place of outreach.yaml", async () => {
  const project = await openProject();
  expect((await project.run("init -c deep/down/prod.yaml")).code).toBe(0);
  expect((await project.run("init -c hooks/")).out).toContain("Created hooks/outreach.yaml");
  expect((await project.run("init -c deep")).out).toContain("Created deep/outreach.yaml");
  expect(Object.keys(project.files()).filter((file) => !file.endsWith(".gitignore"))).toEqual([
    "deep/down/prod.yaml",
    "deep/outreach.yaml",
    "hooks/outreach.yaml",
  ]);
  expect((await project.run("plan -c hooks")).code).toBe(0);
  project.write("file", "");
  const { code, err } = await project.run("init -c file/hooks.yaml");
  expect(code).toBe(1);
  expect(err).toContain("file/hooks.yaml cannot be created: a part of its path is a file.");
});

test("the first line of the new file names its schema for editors", async () => {
  const project = await openProject();
  for (const file of ["outreach.yaml", "hooks/eu/prod.yaml"]) await project.run(`init -c ${file}`);
  const schema = "node_modules/outreach-as-code/schemas/config.schema.json";
  expect(project.read("outreach.yaml").split("\n")[0]).toBe(`# yaml-language-server: $schema=${schema}`);
  expect(project.read("hooks/eu/prod.yaml").split("\n")[0]).toBe(`# yaml-language-server: $schema=../../${schema}`);
});

test.each([
  [0o022, "644"],
  [0o002, "664"],
  [0o077, "600"],
])("under the umask %o, the new files have the mode %s", async (umask, mode) => {
  const project = await openProject();
  const before = process.umask(umask);
  try {
    await project.run("init");
  } finally {
    process.umask(before);
  }
  expect(["outreach.yaml", ".gitignore"].map((file) => modeOf(project, file))).toEqual([mode, mode]);
});

test.each<readonly [advice: string, environment: { readonly [name: string]: string | undefined }]>([
  ["Review the plan: outreach plan\n", {}],
  ["Set OUTREACH_API_KEY.\nThen review the plan: outreach plan\n", { OUTREACH_API_KEY: undefined }],
  [
    "Set OUTREACH_BASE_URL, or start a local copy of the service with outreach sandbox.\nThen review the plan: outreach plan\n",
    { OUTREACH_BASE_URL: "" },
  ],
  [
    "Set OUTREACH_BASE_URL and OUTREACH_API_KEY, or start a local copy of the service with outreach sandbox.\nThen review the plan: outreach plan\n",
    { OUTREACH_BASE_URL: undefined, OUTREACH_API_KEY: undefined },
  ],
])("init names the variables that are still to be set: %j", async (advice, environment) => {
  const project = await openProject();
  expect((await project.run("init", environment)).out).toContain(`outreach has been initialized.\n\n${advice}`);
});

test("init --base-url writes the URL into the starter configuration, and sends nothing", async () => {
  const project = await openProject();
  const { code, out, sent } = await project.run("init --base-url https://api.example.com/api", {
    OUTREACH_BASE_URL: undefined,
    OUTREACH_API_KEY: undefined,
  });
  expect([code, sent]).toEqual([0, []]);
  expect(out).toContain("\n\nSet OUTREACH_API_KEY.\nThen review the plan: outreach plan\n");
  expect(project.read("outreach.yaml")).toContain("\n  base_url: https://api.example.com/api\n");
  expect(await project.run("validate")).toMatchObject({ code: 0, err: "" });
});

describe("init --adopt", () => {
  async function openLive() {
    const project = await openProject();
    project.sandbox.add("webhooks", {
      _id: "hoo_900001",
      targetUrl: "https://crm.example.com/hooks/replies",
      type: "emailsReplied",
      campaignId: "cam_000001",
    });
    project.sandbox.add("webhooks", { _id: "hoo_900002", targetUrl: "https://audit.example.com/" });
    project.sandbox.add("webhooks", {
      _id: "hoo_900003",
      targetUrl: "http://old.example.com/hook",
      type: "emailsBounced",
    });
    return project;
  }

  test.each([
    ["--adopt all", ["hoo_900001", "hoo_900002"]],
    ["--adopt hoo_900002", ["hoo_900002"]],
    ["--adopt hoo_900002 --adopt hoo_900001", ["hoo_900001", "hoo_900002"]],
  ])("%s writes imports, and the plan has no other change", async (options, ids) => {
    const project = await openLive();
    const { code, out, err, sent } = await project.run(`init ${options} -c hooks/new.yaml`);
    expect([code, sent.filter((one) => !one.startsWith("GET "))]).toEqual([0, []]);
    expect(err.includes("hoo_900003")).toBe(options === "--adopt all");
    expect(out).toContain(`Plan: ${String(ids.length)} to import, 0 to add, 0 to change, 0 to destroy.`);
    expect(out).toContain("outreach apply -c hooks/new.yaml");
    expect(Object.keys(project.files())).toEqual(["hooks/.gitignore", "hooks/new.yaml"]);
    const text = project.read("hooks/new.yaml");
    expect(text).toMatch(/^# yaml-language-server: \S+\n# Written by outreach init from the live webhooks\.\n/);
    expect([...text.matchAll(/, id: (hoo_\d+) \}$/gm)].map(([, id]) => id).toSorted()).toEqual(ids);
    const apply = await project.run("apply --auto-approve -c hooks/new.yaml", { OUTREACH_BASE_URL: undefined });
    expect(apply.out).toContain(`${String(ids.length)} imported, 0 added, `);
    expect((await project.run("plan --detailed-exitcode -c hooks/new.yaml")).code).toBe(0);
  });

  test("none writes the starter configuration, and sends nothing", async () => {
    const project = await openLive();
    const { code, out, sent } = await project.run("init --adopt none");
    expect([code, sent]).toEqual([0, []]);
    expect(out).toContain("edit it to declare your webhooks");
  });

  test("writes the starter configuration where the service lists no webhooks", async () => {
    const project = await openProject();
    const { code, out } = await project.run("init --adopt all");
    expect(code).toBe(0);
    expect(out).toMatch(/^The service lists no webhooks\.\nCreated outreach\.yaml: edit it/);
  });

  test.each<readonly [line: string, environment: { readonly [name: string]: string | undefined }, said: string]>([
    ["init --adopt all", { OUTREACH_BASE_URL: undefined }, "Error: No base URL"],
    ["init --adopt all", { OUTREACH_API_KEY: undefined }, "Error: No API key"],
    ["init --adopt all", { OUTREACH_API_KEY: "wrong-key" }, "Error: The service refused the API key"],
    ["init --adopt all --base-url http://127.0.0.1:9/api", {}, "Error: Cannot reach the service"],
    ["init --adopt all --base-url nonsense", {}, '"nonsense" is not a URL.'],
    ["init --base-url http://api.example.com/api", {}, "does not use https"],
    ["init --adopt hoo_900009", {}, "The service lists no webhook hoo_900009."],
    ["init --adopt hoo_900003", {}, "hoo_900003: target_url uses http"],
    ["init --adopt some", {}, "Use all, none, or the id of a webhook"],
    ["init --adopt all --adopt hoo_900001", {}, "they conflict with another --adopt"],
    ["init --adopt all --state other.state.json", {}, "--state applies to --migrate-state only."],
    ["init --adopt all --show-emails", {}, "--show-emails applies to --migrate-state only."],
    ["init --migrate-state --adopt all", {}, "--adopt does not apply to --migrate-state."],
    [
      "init --migrate-state --base-url https://api.example.com/api",
      {},
      "--base-url does not apply to --migrate-state.",
    ],
  ])("writes nothing after a mistake: %s %j", async (line, environment, said) => {
    const project = await openLive();
    const { code, err, sent } = await project.run(line, environment);
    expect([code, Object.keys(project.files())]).toEqual([1, []]);
    expect(err).toContain(said);
    expect(sent.filter((one) => !one.startsWith("GET "))).toEqual([]);
  });

  test("never overwrites a file", async () => {
    const project = await openLive();
    project.write("outreach.yaml", "mine");
    const { code, err, sent } = await project.run("init --adopt all");
    expect([code, sent, project.files()]).toEqual([1, [], { "outreach.yaml": "mine" }]);
    expect(err).toContain("outreach.yaml exists, and init never overwrites a file.");
  });

  test("does not take over the state of a lost configuration", async () => {
    const project = await openLive();
    await project.run("init --adopt all");
    await project.run("apply --auto-approve");
    project.remove("outreach.yaml");
    const before = project.files();
    const { code, err } = await project.run("init --adopt all");
    expect([code, project.files()]).toEqual([1, before]);
    expect(err).toContain("outreach.state.json has 2 records");
    const [, command = ""] = /it again: outreach (.*)/.exec(err) ?? [];
    expect((await project.run(command)).code).toBe(0);
    expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
  });
});
