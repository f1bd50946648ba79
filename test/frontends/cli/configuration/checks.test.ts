import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openEmpty = useProjects();

/** A project with the value of the sensitive variable. */
async function openProject(): Promise<Project> {
  const project = await openEmpty();
  project.environment["OUTREACH_VAR_token"] = "very-secret";
  return project;
}

/** A configuration with two webhooks, the live list, and these checks. */
function withChecks(checks: string): string {
  return `version: 1
variables:
  stage: { default: staging }
  token: { sensitive: true }
data:
  webhooks:
    all: {}
webhooks:
  crm: { target_url: "https://crm.example.com/\${var.stage}" }
  audit: { target_url: https://audit.example.com, types: [emailsSent, emailsBounced] }
checks:
${checks}`;
}

const FEW = `  few:
    condition: \${length(data.outreach_webhooks.all.webhooks) >= 1}
    message: There are \${length(data.outreach_webhooks.all.webhooks)} webhooks.
`;
const ON_STAGE =
  "  on-stage: { condition: '${endswith(outreach_webhook.crm.target_url, \"/staging\")}', message: 'Not on staging.' }\n";
const HAS_ID = "  has-id: { condition: '${startswith(outreach_webhook.crm.id, \"hoo_\")}', message: 'No id.' }\n";
const ERROR = "    severity: error\n";

describe("a plan evaluates checks", () => {
  test("over data and planned attributes: failed ones are warnings, and those with values of the service wait for the apply", async () => {
    const project = await openProject();
    project.write("outreach.yaml", withChecks(FEW + ON_STAGE + HAS_ID));
    const planned = await project.run("plan");
    expect(planned, planned.err).toMatchObject({ code: 0 });
    expect(planned.err).toContain("Warning: Check few failed [check_failed]\n\n  on outreach.yaml:13:16\n");
    expect(planned.err).toContain("There are 0 webhooks.");
    expect(planned.err).toContain("Note: Check known after apply");
    expect(planned.out).toMatch(
      /\nChecks: 1 passed, 1 failed \(few\), 1 known after apply \(has-id\)\.\nRequests: 5, at least 0 s at 20 per 2 s\n$/,
    );
    const applied = await project.run("apply --auto-approve");
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect((await project.run("plan")).out).toContain(
      "No changes. Your webhooks match the configuration.\n\nChecks: 3 passed.\n",
    );
  });

  test("a failed error stops the apply before anything is sent", async () => {
    const project = await openProject();
    project.write("outreach.yaml", withChecks(FEW + ERROR));
    const planned = await project.run("plan");
    expect(planned.code).toBe(1);
    expect(planned.err).toContain("Error: Check few failed");
    expect(planned.out).toContain(
      "Plan: 3 to add, 0 to change, 0 to destroy. This plan cannot be applied: it has an error.",
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 1, sent: ["GET /hooks 200"] });
  });

  test("a refresh and a destroy are not stopped by it", async () => {
    const project = await openProject();
    project.write("outreach.yaml", withChecks(FEW));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", withChecks(FEW.replace(">= 1", "< 1") + ERROR));
    const refreshed = await project.run("refresh");
    expect(refreshed, refreshed.err).toMatchObject({ code: 0 });
    expect(refreshed.err).toContain("Warning: Check few failed");
    const destroyed = await project.run("destroy --auto-approve");
    expect(destroyed, destroyed.err).toMatchObject({ code: 0 });
    expect(destroyed.err).not.toContain("Check");
  });

  test("in a stack too, where Terraform evaluates checks again after the apply", async () => {
    const project = await openProject();
    const resource = { outreach_webhook: { crm: { target_url: "https://crm.example.com/hook" } } };
    const check = {
      odd: {
        assert: {
          condition: '${outreach_webhook.crm.id == "hoo_x"}',
          error_message: "Odd id ${outreach_webhook.crm.id}.",
        },
      },
    };
    project.write("stack/cdk.tf.json", JSON.stringify({ provider: { outreach: [{}] }, resource, check }));
    const applied = await project.run("apply -c stack --auto-approve");
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(applied.err).toContain("Note: Check known after apply");
    expect(applied.err).toMatch(/Warning: Check odd failed \[check_failed\]\n\n[^]*Odd id hoo_\w+\./);
    expect(applied.out).toContain("Apply complete! Resources: 1 added");
  });
});

describe("an apply evaluates checks again at its end", () => {
  test("a failed error exits with 1, although everything was applied", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      withChecks(HAS_ID.replace("startswith", "!startswith").replace(" }\n", ", severity: error }\n")),
    );
    const applied = await project.run("apply --auto-approve");
    expect(applied.code).toBe(1);
    expect(applied.err).toContain("Error: Check has-id failed");
    expect(applied.out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
  });

  test("a failure that the plan has shown is not repeated", async () => {
    const project = await openProject();
    project.write("outreach.yaml", withChecks(FEW));
    const { err } = await project.run("apply --auto-approve");
    expect(err.match(/Check few failed/g)).toHaveLength(1);
  });
});

test("a condition that the values of a webhook make invalid fails, instead of passing", async () => {
  const project = await openProject();
  const invalid = `  numeric: { condition: '\${tonumber(outreach_webhook.crm.id) > 0}', message: Not a number. }
  a-text: { condition: '\${outreach_webhook.crm.id}', message: Not a condition., severity: error }
`;
  project.write("outreach.yaml", withChecks(invalid));
  const applied = await project.run("apply --auto-approve");
  expect(applied, applied.err).toMatchObject({ code: 1 });
  expect(applied.out).toContain("Apply complete! Resources: 3 added");
  const planned = await project.run("plan");
  expect(planned, planned.err).toMatchObject({ code: 1 });
  expect(planned.err).toContain("Warning: Check numeric failed: ");
  expect(planned.err).toContain(
    "Error: Check a-text failed: Invalid condition [check_failed]\n\n  on outreach.yaml:13:",
  );
});

test("a saved plan keeps the results, which show --json prints as Terraform does", async () => {
  const project = await openProject();
  project.write("outreach.yaml", withChecks(FEW + HAS_ID));
  await project.run("plan --out saved.plan");
  expect((await project.run("show saved.plan")).out).toContain("Checks: 1 failed (few), 1 known after apply (has-id).");
  const { checks } = JSON.parse((await project.run("show --json saved.plan")).out) as { readonly checks: unknown };
  expect(checks).toEqual([
    {
      address: { kind: "check", name: "few", to_display: "check.few" },
      status: "fail",
      instances: [
        { address: { to_display: "check.few" }, status: "fail", problems: [{ message: "There are 0 webhooks." }] },
      ],
    },
    {
      address: { kind: "check", name: "has-id", to_display: "check.has-id" },
      status: "unknown",
      instances: [{ address: { to_display: "check.has-id" }, status: "unknown" }],
    },
  ]);
  const lines = (await project.run("plan --json")).out;
  expect(lines).toContain('"summary":"Check few failed"');
});

test("a message does not show a sensitive value", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    withChecks("  token: { condition: '${var.token == \"\"}', message: 'It is ${var.token}.' }\n"),
  );
  const { out, err } = await project.run("plan");
  expect(err).toContain("Warning: Check token failed");
  expect(err).toContain("The error message contains a sensitive value, so it is not shown.");
  expect(out + err).not.toContain("very-secret");
});

describe("validate finds mistakes in checks", () => {
  test.each([
    ["an unknown reference", "  a: { condition: '${var.stag == \"\"}', message: No }\n", "Did you mean var.stage?"],
    [
      "an unknown attribute",
      "  a: { condition: '${outreach_webhook.crm.target_ur == \"\"}', message: No }\n",
      "Did you mean target_url?",
    ],
    [
      "an unknown resource",
      "  a: { condition: '${outreach_webhook.cmr.id == \"\"}', message: No }\n",
      "outreach.yaml:12:22",
    ],
    [
      "a mistake in the message",
      "  a: { condition: '${var.stage != \"\"}', message: '${var.none}' }\n",
      "outreach.yaml:12:53",
    ],
    [
      "a condition without references",
      "  a: { condition: '${1 < 2}', message: No }\n",
      "refers to nothing in the configuration",
    ],
    ["a condition that is no bool", "  a: { condition: '${[var.stage]}', message: No }\n", "must be true or false"],
    ["a missing message", "  a: { condition: '${var.stage == \"\"}' }\n", "message is required in checks.a"],
    [
      "an unknown severity",
      "  a: { condition: '${var.stage == \"\"}', message: No, severity: eror }\n",
      "Did you mean error?",
    ],
    ["an unknown key", "  a: { condition: '${var.stage == \"\"}', mesage: No }\n", "Did you mean message?"],
  ])("%s", async (_, checks, words) => {
    const project = await openProject();
    project.write("outreach.yaml", withChecks(checks));
    const { code, err } = await project.run("validate");
    expect(code).toBe(1);
    expect(err).toContain("on outreach.yaml:");
    expect(err).toContain(words);
  });
});
