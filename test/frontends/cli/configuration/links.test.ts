import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EVERY_COMMAND } from "../program/every-command.ts";
import { type Project, useProjects } from "../project.ts";
import { NO_STATE_YET, noStateYet } from "../no-changes.ts";

const openProject = useProjects();

const HOOK = "version: 1\nwebhooks: { crm: { target_url: https://crm.example.com/a } }\n";
/** What must not be read: it looks like a configuration with a mistake, so that a message would quote it. */
const PRIVATE = "version: 1\ntoken: hunter2-of-the-job\n";

/** A project, a file outside of it, and links from inside to the outside. */
async function openLinked(links: { readonly [link: string]: string }): Promise<Project> {
  const project = await openProject();
  const around = path.dirname(project.folder);
  mkdirSync(path.join(around, "outside/list"), { recursive: true });
  for (const file of ["outreach.yaml", "a.yaml", "list/hunter2.csv"])
    writeFileSync(path.join(around, "outside", file), PRIVATE);
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(path.dirname(path.join(project.folder, link)), { recursive: true });
    symlinkSync(target, path.join(project.folder, link));
  }
  return project;
}

describe("a symbolic link that leads out of the configuration's place is not followed", () => {
  test.each([
    ["the configuration", { "outreach.yaml": "../outside/outreach.yaml" }, "validate", "outreach.yaml"],
    ["by its absolute path", { "conf/a.yaml": "../../outside/a.yaml" }, "validate -c conf/a.yaml", "conf/a.yaml"],
    ["its folder", { conf: "../outside" }, "validate -c conf/a.yaml", "conf/a.yaml"],
    ["a folder above it", { "a/b": "../../outside" }, "validate -c a/b/list/hunter2.csv", "a/b/list/hunter2.csv"],
    ["a folder of files", { conf: "../outside" }, "validate -c conf", "conf"],
    ["one file of a folder", { "conf/a.yaml": "../../outside/a.yaml" }, "validate -c conf", "conf/a.yaml"],
    ["a link to a link", { "outreach.yaml": "next", next: "../outside/outreach.yaml" }, "validate", "outreach.yaml"],
    ["a stack", { "out/cdk.tf.json": "../../outside/outreach.yaml" }, "validate -c out", "out/cdk.tf.json"],
    [
      "a file of variables",
      { "vars.yaml": "../outside/a.yaml" },
      "validate --var-file vars.yaml -c sound.yaml",
      "vars.yaml",
    ],
    ["a list of addresses", { lists: "../outside/list" }, "validate -c list.yaml", "lists/hunter2.csv"],
    ["a secret", { "secret.txt": "../outside/a.yaml" }, "plan -c secret.yaml", "secret.txt"],
    [
      "the recorded state",
      { "outreach.state.json": "../outside/a.yaml" },
      "state list -c sound.yaml",
      "outreach.state.json",
    ],
  ])("%s", async (_, links, command, named) => {
    const project = await openLinked(links);
    project.write("sound.yaml", HOOK);
    project.write(
      "list.yaml",
      "version: 1\nlead_unsubscriptions: { a: { campaign_id: cam_000001, emails_from: lists/hunter2.csv } }\n",
    );
    project.write("secret.yaml", HOOK.replace("/a }", "/a, secret: { file: secret.txt } }"));
    const { code, out, err } = await project.run(command);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(named);
    expect(err).toMatch(/symbolic link|outside the configuration's folder/);
    expect(err).not.toContain("hunter2-of-the-job");
  });

  test("and one that stays inside is", async () => {
    const project = await openLinked({
      "conf/outreach.yaml": "..data/outreach.yaml",
      "conf/..data": "..2026/",
      latest: "conf",
      "vars.yaml": "vars/a.yaml",
    });
    project.write(
      "conf/..2026/outreach.yaml",
      HOOK.replace("webhooks", "variables: { stage: {} }\nignore: [webhook_without_secret]\nwebhooks").replace(
        "https://crm.example.com/a",
        '"https://crm.example.com/${var.stage}"',
      ),
    );
    project.write("vars/a.yaml", "stage: one\n");
    const plan = await project.run("plan --var-file vars.yaml -c latest");
    expect(plan).toMatchObject({ code: 0, err: noStateYet("latest/outreach.state.json") });
    expect(plan.out).toContain("https://crm.example.com/one");
    expect(await project.run("validate --var-file vars/a.yaml -c conf/outreach.yaml")).toMatchObject({
      code: 0,
      err: "",
    });
  });
});

describe("a saved plan", () => {
  test("is readable for its user alone, also where the file was there with wider rights", async () => {
    const project = await openLinked({});
    project.write("outreach.yaml", HOOK);
    const file = path.join(project.folder, "a.plan");
    await project.run("plan --out a.plan");
    chmodSync(file, 0o666);
    expect(await project.run("plan --out a.plan")).toMatchObject({ code: 0, err: NO_STATE_YET });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await project.run("apply a.plan")).out).toContain("Apply complete!");
  });

  test.each([
    ["a link to nothing yet", { "a.plan": "../outside/new.plan" }, "a.plan is a symbolic link."],
    ["a link to a plan", { "a.plan": "b.plan" }, "a.plan is a symbolic link."],
    ["a linked folder", { plans: "../outside" }, "plans/"],
  ])("follows no link: %s", async (_, links, said) => {
    const project = await openLinked(links);
    project.write("outreach.yaml", HOOK);
    await project.run("plan --out b.plan");
    const before = readFileSync(path.join(project.folder, "b.plan"), "utf8");
    const { code, err } = await project.run(`plan --out ${"plans" in links ? "plans/a.plan" : "a.plan"}`);
    expect(code).toBe(1);
    expect(err).toContain(said);
    expect(err).toContain("symbolic link");
    expect(readFileSync(path.join(project.folder, "b.plan"), "utf8")).toBe(before);
    expect(existsSync(path.join(project.folder, "../outside/new.plan"))).toBe(false);
    expect(existsSync(path.join(project.folder, "../outside/a.plan"))).toBe(false);
  });

  test("takes the place of no device", async () => {
    const project = await openLinked({});
    project.write("outreach.yaml", HOOK);
    const { code, err } = await project.run("plan --out /dev/null");
    expect(code).toBe(1);
    expect(err).toContain("/dev/null is not a regular file.");
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

test.each(Object.entries(EVERY_COMMAND).flatMap(([words, { links }]) => (links ? [[words, ...links] as const] : [])))(
  "%s writes nothing where a link leads out",
  async (_, links, command) => {
    const project = await openLinked(links);
    const outside = path.join(project.folder, "../outside");
    const before = readdirSync(outside, { recursive: true });
    const { code, err } = await project.run(command, { S: "a-secret-of-16-or-more" });
    expect(code).toBe(1);
    expect(err).toMatch(/symbolic link|exists/);
    expect(readdirSync(outside, { recursive: true })).toEqual(before);
    expect(readFileSync(path.join(outside, "a.yaml"), "utf8")).toBe(PRIVATE);
  },
);
