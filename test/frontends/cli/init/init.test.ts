import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
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

test.each([
  ["init --base-url nonsense", '"nonsense" is not a URL.'],
  ["init --base-url http://api.example.com/api", "does not use https"],
  ["init --state other.state.json", "--state applies to --migrate-state only."],
  ["init --show-emails", "--show-emails applies to --migrate-state only."],
  ["init --adopt all", "outreach init has no option --adopt."],
  ["init --migrate-state --base-url https://api.example.com/api", "--base-url does not apply to --migrate-state."],
])("writes nothing after a mistake: %s", async (line, said) => {
  const project = await openProject();
  const { code, err, sent } = await project.run(line);
  expect([code, Object.keys(project.files()), sent]).toEqual([1, [], []]);
  expect(err).toContain(said);
});
