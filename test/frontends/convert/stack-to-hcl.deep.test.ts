import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../cdk/stack.ts";
import { useProjects } from "../cli/project.ts";
import { SECRET, needsImports, openTerraform, writes } from "./handover.ts";
import { STACK, STACK_TEAM, hook, removedParts, writeStack } from "./stack-team.ts";

const openProject = useProjects();
const { variable, resource } = STACK_TEAM as { readonly [part: string]: Json };
const { outreach_webhook: webhooks, ...others } = resource as { readonly [type: string]: Json };

/** With features that only Terraform's own forms have. */
const TEAM: Json = {
  ...STACK_TEAM,
  variable: {
    ...variable,
    shapes: {
      type: "map(object({ path = string, first = optional(bool, true), tags = optional(list(string)) }))",
      default: { a: { path: "p" } },
    },
    pair: { type: "tuple([string, number])", default: ["x", 1], nullable: false },
  },
  provider: { outreach: [{}, { alias: "eu" }] },
  resource: {
    ...others,
    outreach_webhook: {
      ...webhooks,
      shaped: hook({
        provider: "outreach.eu",
        for_each: "${var.shapes}",
        target_url: "https://shaped.example.com/${each.value.path}",
        is_first: "${each.value.first}",
      }),
      ignoring: hook({
        target_url: "https://ignoring.example.com/${var.pair[1]}",
        lifecycle: { ignore_changes: ["type", "is_first"] },
      }),
    },
  },
};

test(
  "terraform takes over a stack in its own syntax: nothing is recreated, and nothing ever has two owners",
  { timeout: 120_000 },
  async (context) => {
    needsImports(context);
    const project = await openProject();
    const terraform = await openTerraform(project, context);
    writeStack(project, TEAM);
    const applied = await project.run(`apply -c ${STACK} --auto-approve`);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    const before = writes(project);
    const converted = await project.run(`convert -c ${STACK} --to hcl --show-emails`);
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
    terraform.write("converted.hcl", converted.out);
    const [, split = ""] = /--to hcl.* \| (awk .*)/.exec(converted.err) ?? [];
    expect(
      spawnSync("sh", ["-c", `${split} < converted.hcl`], { cwd: terraform.folder, encoding: "utf8" }),
    ).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(path.join(terraform.folder, "imports.tf"), "utf8")).toMatch(/^# imports\.tf: .*\nimport \{/);
    expect(readFileSync(path.join(terraform.folder, "main.tf"), "utf8")).not.toContain("import {");
    expect(await terraform.run("fmt", "-diff", "-check")).toMatchObject({ status: 0, output: "" });
    terraform.environment = { ...terraform.environment, TF_VAR_crm_secret: SECRET };

    writeStack(project, { ...removedParts(converted.err), provider: TEAM["provider"] });
    const gaveUp = await project.run(`apply -c ${STACK} --auto-approve`);
    expect(gaveUp.out, gaveUp.err).toContain("0 to destroy, 23 to forget.");
    const planned = await terraform.plan("-out=plan.out");
    expect(planned.words).toMatch(/Plan: 23 to import, 0 to add, \d+ to change, 0 to destroy\./);
    expect(await terraform.run("apply", "-no-color", "plan.out")).toMatchObject({ status: 0 });
    expect((await terraform.plan()).words).toContain("No changes.");
    expect(writes(project)).toEqual(before);
  },
);
