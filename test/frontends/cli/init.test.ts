import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { useProjects } from "./project.ts";

const openProject = useProjects();

test("init writes a configuration that is valid and plans nothing", async () => {
  const project = await openProject();
  expect((await project.run("init")).code).toBe(0);
  expect(await project.run("validate")).toMatchObject({ code: 0, err: "" });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
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

test("init never overwrites, and adds to .gitignore only what is missing", async () => {
  const project = await openProject();
  project.write("outreach.yaml", "mine");
  project.write(".gitignore", "node_modules\n*.state.json");
  const { code, out } = await project.run("init");
  expect(code).toBe(0);
  expect(out).toContain("outreach.yaml exists and is unchanged.");
  expect(project.read("outreach.yaml")).toBe("mine");
  const [, , ...added] = project.read(".gitignore").split("\n");
  expect(added.slice(1)).toEqual(["*.state.json.*", "*.plan", ""]);
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
