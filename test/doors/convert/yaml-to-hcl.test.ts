import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Project, useProjects } from "../cli/project.ts";
import { SECRET, TEAM, givingUp, openTerraform, writes } from "./handover.ts";

const openProject = useProjects();

const IMPORTS = /Plan: 19 to import, 0 to add, 4 to change, 0 to destroy\./;

/** A team whose webhooks are applied from YAML. */
async function applied(): Promise<Project> {
  const project = await openProject();
  project.environment["CRM_HOOK_SECRET"] = SECRET;
  project.write("outreach.yaml", TEAM);
  project.write("suppressions.txt", "dora@example.com\nCAROL@example.com\n");
  const done = await project.run("apply --auto-approve");
  expect(done, done.err).toMatchObject({ code: 0 });
  return project;
}

test("what is applied from YAML goes on under terraform: nothing is made anew, and nothing ever has two owners", { timeout: 120_000 }, async (context) => {
  const project = await applied();
  const terraform = await openTerraform(project, context);
  const before = writes(project);
  const converted = await project.run("convert --to hcl --show-emails");
  expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
  expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
  terraform.write("main.tf", converted.out);
  terraform.environment = { ...terraform.environment, TF_VAR_crm_hook_secret: SECRET };

  expect((await terraform.plan()).words).toMatch(IMPORTS);

  project.write("outreach.yaml", `version: 1\n${givingUp(converted.err)}`);
  const gaveUp = await project.run("apply --auto-approve");
  expect(gaveUp.err + gaveUp.out).toContain("0 to destroy, 19 to forget.");
  expect(gaveUp.code).toBe(0);
  expect((await project.run("state list")).out).toBe("");

  const planned = await terraform.plan("-out=plan.out");
  expect(planned.words).toMatch(IMPORTS);
  const done = await terraform.run("apply", "-no-color", "plan.out");
  expect(done, done.output).toMatchObject({ status: 0 });
  expect((await terraform.plan()).words).toContain("No changes.");
  expect(writes(project)).toEqual(before);
});

test("what is printed is laid out as terraform fmt has it", async (context) => {
  const project = await applied();
  const terraform = await openTerraform(project, context);
  const { out } = await project.run("convert --to hcl --show-emails");
  terraform.write("main.tf", out);
  const formatted = spawnSync("terraform", ["fmt", "-diff", "-check"], { cwd: terraform.folder, encoding: "utf8" });
  expect(formatted.stdout).toBe("");
});
