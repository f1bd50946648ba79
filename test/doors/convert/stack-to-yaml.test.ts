import { describe, expect, test } from "vitest";
import { useProjects } from "../cli/project.ts";
import { SECRET, plannedValues, writes } from "./handover.ts";
import { STACK, STACK_TEAM, hook, removedParts, writeStack } from "./stack-team.ts";

const openProject = useProjects();
describe("a stack in YAML", () => {
  test("plans the same webhooks and unsubscriptions, with the same outputs", async () => {
    const project = await openProject();
    writeStack(project, STACK_TEAM);
    const converted = await project.run(`convert -c ${STACK} --to yaml --show-emails`);
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
    project.write("outreach.yaml", converted.out);
    const [stack, yaml] = [await plannedValues(project, STACK), await plannedValues(project, "outreach.yaml")];
    expect(yaml).toEqual(stack);
  });

  test("takes over what the stack has made: nothing is made anew, and nothing ever has two owners", async () => {
    const project = await openProject();
    writeStack(project, STACK_TEAM);
    const applied = await project.run(`apply -c ${STACK} --auto-approve`);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    const before = writes(project);
    const converted = await project.run(`convert -c ${STACK} --to yaml --show-emails`);
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    project.write("outreach.yaml", converted.out);
    writeStack(project, removedParts(converted.err));
    const gaveUp = await project.run(`apply -c ${STACK} --auto-approve`);
    expect(gaveUp.out, gaveUp.err).toContain("0 to destroy, 15 to forget.");
    const planned = await project.run("plan");
    expect(planned.out, planned.err).toMatch(/Plan: 0 to add, \d+ to change, 0 to destroy, 15 to import\./);
    const tookOver = await project.run("apply --auto-approve");
    expect(tookOver, tookOver.err).toMatchObject({ code: 0 });
    expect((await project.run("plan")).out).toContain("No changes.");
    expect(writes(project)).toEqual(before);
  });

  test("takes the settings of the provider along", async () => {
    const project = await openProject();
    writeStack(project, {
      variable: { key: { type: "string", sensitive: true }, host: { type: "string", default: "api.example.com" } },
      locals: { url: "https://${var.host}/api" },
      provider: { outreach: [{ base_url: "${local.url}", api_key: "${var.key}" }] },
      resource: { outreach_webhook: { hook: hook({}) } },
    });
    const { out } = await project.run(`convert -c ${STACK} --to yaml`);
    expect(out).toContain("service:\n  base_url: https://${var.host}/api\n  api_key: { env: TF_VAR_key }\nvariables:\n  host: { default: api.example.com }\n");
  });

  test.each(["yaml", "hcl"])("is told how a secret gets on that was in OUTREACH_VAR_: to %s", async (to) => {
    const project = await openProject();
    writeStack(project, { variable: { s: { type: "string", sensitive: true } }, resource: { outreach_webhook: { hook: hook({ secret: "${var.s}" }) } } });
    const { err } = await project.run(`convert -c ${STACK} --to ${to}`);
    expect(err).toContain('     export TF_VAR_s="${OUTREACH_VAR_s:-$TF_VAR_s}"\n');
  });
});
