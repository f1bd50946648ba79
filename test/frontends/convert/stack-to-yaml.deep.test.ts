import { describe, expect, test } from "vitest";
import { useProjects } from "../cli/project.ts";
import { SECRET, plannedByAddress, plannedValues, writes } from "./handover.ts";
import { STACK, STACK_TEAM, hook, removedParts, writeStack } from "./stack-team.ts";

const openProject = useProjects();
describe("a stack in YAML", () => {
  test("plans the same webhooks and unsubscriptions, with the same outputs", async () => {
    const project = await openProject();
    writeStack(project, STACK_TEAM);
    const converted = await project.run(`convert -c ${STACK} --to yaml --show-emails`);
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
    expect(converted.out).toContain(
      "  audit:\n    target_url: https://audit.example.com\n    types: [emailsSent, emailsBounced]\n    campaigns: live\n",
    );
    project.write("outreach.yaml", converted.out);
    const [stack, yaml] = [await plannedValues(project, STACK), await plannedValues(project, "outreach.yaml")];
    expect(yaml).toEqual(stack);
  });

  test("takes over the stack's webhooks: nothing is recreated, and nothing ever has two owners", async () => {
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
    expect(gaveUp.out, gaveUp.err).toContain("0 to destroy, 21 to forget.");
    const planned = await project.run("plan");
    expect(planned.out, planned.err).toMatch(/Plan: 21 to import, 0 to add, \d+ to change, 0 to destroy\./);
    const tookOver = await project.run("apply --auto-approve");
    expect(tookOver, tookOver.err).toMatchObject({ code: 0 });
    expect((await project.run("plan")).out).toContain("No changes.");
    expect(writes(project)).toEqual(before);
  });

  test("keeps sets, numbers and strings that are written in another form", async () => {
    const project = await openProject();
    writeStack(project, {
      variable: {
        types: { type: "set(string)", default: ["emailsSent", "emailsOpened"] },
        number: { type: "number", default: "4" },
        text: { type: "string", default: 0.0000001 },
      },
      locals: {
        types: '${toset(["emailsSent", "emailsReplied"])}',
        dollar: "$",
        brace: "{b}",
        blank: "  ",
        host: "${upper(var.text)} ",
      },
      resource: {
        outreach_webhook: {
          "by-variable": hook({ for_each: "${var.types}", type: "${each.key}", target_url: "https://a.example.com" }),
          "by-local": hook({ for_each: "${local.types}", type: "${each.value}", target_url: "https://b.example.com" }),
          texts: hook({
            target_url: "https://c.example.com",
            automation_id: "${local.dollar}${local.brace}${local.dollar}${var.text}x ${~ local.blank ~} y${local.host}",
          }),
          number: hook({ target_url: "https://d.example.com", automation_id: 5, is_first: "true" }),
        },
      },
      output: { sum: { value: "${var.number + 1}" } },
    });
    const converted = await project.run(`convert -c ${STACK} --to yaml`);
    expect(converted, converted.err).toMatchObject({ code: 0 });
    expect(converted.out).toContain("types: [emailsSent, emailsReplied]");
    project.write("outreach.yaml", converted.out);
    expect(await plannedByAddress(project, "outreach.yaml")).toEqual(await plannedByAddress(project, STACK));
  });

  test("has steps that pass on the values of the stack's variables", async () => {
    const project = await openProject();
    project.environment["OUTREACH_VAR_key"] = SECRET;
    project.environment["TF_VAR_stage"] = "prod";
    project.environment["OUTREACH_STATE"] = "elsewhere.json";
    writeStack(project, {
      variable: {
        key: { type: "string", sensitive: true },
        stage: { type: "string" },
        round: { type: "number", default: 1 },
      },
      resource: {
        outreach_webhook: {
          hook: hook({ target_url: "https://${var.stage}.example.com/${var.round}", secret: "${var.key}" }),
        },
      },
    });
    const { out, err } = await project.run(`convert -c ${STACK} --var round=2 --to yaml`);
    for (const line of [
      "unset OUTREACH_STATE",
      'export OUTREACH_VAR_stage="$TF_VAR_stage"',
      "export OUTREACH_VAR_round=2",
      'export TF_VAR_key="$OUTREACH_VAR_key"',
    ])
      expect(err).toContain(`     ${line}\n`);
    project.write("outreach.yaml", out);
    const given = {
      OUTREACH_STATE: undefined,
      OUTREACH_VAR_stage: "prod",
      OUTREACH_VAR_round: "2",
      TF_VAR_key: SECRET,
    };
    expect((await project.run("plan", given)).out).toContain('target_url = "https://prod.example.com/2"');
  });

  test("includes the provider's settings", async () => {
    const project = await openProject();
    writeStack(project, {
      variable: { key: { type: "string", sensitive: true }, host: { type: "string", default: "api.example.com" } },
      locals: { url: "https://${var.host}/api" },
      provider: {
        outreach: [{ base_url: "${local.url}", api_key: "${var.key}", unique_target_url: true, mark: true }],
      },
      resource: { outreach_webhook: { hook: hook({}) } },
    });
    const { out } = await project.run(`convert -c ${STACK} --to yaml`);
    expect(out).toContain(
      "service:\n  base_url: https://${var.host}/api\n  unique_target_url: true\n  mark: true\n  api_key: { env: TF_VAR_key }\nvariables:\n  host: { default: api.example.com }\n",
    );
  });

  test.each(["yaml", "hcl"])(
    "to %s hands over the secret in OUTREACH_VAR_, which wins over that in TF_VAR_",
    async (to) => {
      const project = await openProject();
      project.environment["OUTREACH_VAR_s"] = SECRET;
      project.environment["TF_VAR_s"] = "not-this-one";
      writeStack(project, {
        variable: { s: { type: "string", sensitive: true } },
        resource: { outreach_webhook: { hook: hook({ secret: "${var.s}" }) } },
      });
      const { err } = await project.run(`convert -c ${STACK} --to ${to}`);
      expect(err).toContain('     export TF_VAR_s="$OUTREACH_VAR_s"\n');
    },
  );
});
