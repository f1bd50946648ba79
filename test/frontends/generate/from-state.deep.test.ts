import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseListProfile } from "../../../src/sandbox/list-profile.ts";
import { type Project, useProjects } from "../cli/project.ts";
import { NO_CHANGES } from "../cli/no-changes.ts";
import { lettingGo, needsImports, openTerraform, writes } from "./handover.ts";

const openProject = useProjects();

const SECRET = "a-secret-of-the-crm";
const TOKEN = "a-token-in-a-url";
const SECRETS = { OUTREACH_VAR_token: TOKEN, CRM_SECRET: SECRET, AUDIT_SECRET: SECRET };

/** Webhooks with all that a declaration can say, and names and values that another form could lose. */
const YAML = `version: 1
variables: { token: { sensitive: true } }
data: { campaigns: { live: { status: running } } }
webhooks:
  crm: { target_url: https://crm.example.com/hook, type: emailsReplied, campaign_id: cam_000001, secret: { env: CRM_SECRET }, rotation: create_first }
  all: { target_url: 'https://all.example.com/hook?a="b"&c=$\${d}', is_first: true, protect: true }
  odd: { target_url: https://odd.example.com, automation_id: "a \\"quote\\", a \\\\, $\${x}, %%{if}, ünï 🎉 \\u202e,\\n\\ta line ##[group]" }
  ünï²: { target_url: https://u.example.com, type: emailsSent }
  token: { target_url: "https://token.example.com/\${var.token}" }
  audit: { target_url: "https://audit.example.com/hook?event=\${each.type}", types: [emailsSent, emailsBounced], secret: { env: AUDIT_SECRET } }
  one: { target_url: https://one.example.com/hook, types: [emailsOpened] }
  everywhere: { target_url: https://every.example.com/hook, automation_id: "\${each.key}", types: [emailsOpened, emailsClicked], campaigns: live }
`;

async function applied(yaml = YAML): Promise<Project> {
  const { profile } = parseListProfile("is-first,automation-id");
  const project = await openProject({ profile });
  Object.assign(project.environment, SECRETS);
  project.write("outreach.yaml", yaml);
  const done = await project.run("apply --auto-approve");
  expect(done, done.err).toMatchObject({ code: 0 });
  return project;
}

test("YAML to HCL: terraform takes over, and nothing is sent", { timeout: 120_000 }, async (context) => {
  needsImports(context);
  const project = await applied();
  const terraform = await openTerraform(project, context);
  const [sent, live] = [writes(project), project.sandbox.webhooks()];
  const count = String(live.length);

  const generated = await project.run("generate --from-state --to hcl");
  expect(generated, generated.err).toMatchObject({ code: 0, sent: [] });
  const { out, err } = generated;
  expect(out + err).not.toMatch(new RegExp(`${SECRET}|${TOKEN}`));
  expect(out).toContain("secret      = var.crm_secret");
  expect(out).toContain('variable "crm_secret" {\n  type      = string\n  sensitive = true\n}');
  expect(out).toContain("    create_before_destroy = true\n");
  expect(out).toContain("    prevent_destroy = true\n");
  terraform.write("main.tf", out);
  terraform.environment = {
    ...terraform.environment,
    TF_VAR_crm_secret: SECRET,
    TF_VAR_audit_secret: SECRET,
    TF_VAR_token_target_url: `https://token.example.com/${TOKEN}`,
  };
  expect(await terraform.run("fmt", "-diff", "-check")).toMatchObject({ status: 0, output: "" });
  const planned = await terraform.plan();
  // Only the secrets, and the mark of a sensitive value, are new to Terraform's state.
  expect(planned.words).toMatch(new RegExp(`Plan: ${count} to import, 0 to add, 4 to change, 0 to destroy\\.`));

  project.write("outreach.yaml", `version: 1\n${lettingGo(err)}`);
  expect((await project.run("apply --auto-approve")).out).toContain(`0 to destroy, ${count} to forget.`);
  const done = await terraform.apply();
  expect(done, done.output).toMatchObject({ status: 0 });
  expect((await terraform.plan()).words).toContain("No changes.");
  expect(await terraform.addresses()).toEqual(
    expect.arrayContaining([
      "outreach_webhook.all",
      'outreach_webhook.audit["emailsBounced"]',
      'outreach_webhook.audit["emailsSent"]',
      'outreach_webhook.one["emailsOpened"]',
      'outreach_webhook.everywhere["emailsClicked/cam_000001"]',
      "outreach_webhook.ünï-",
    ]),
  );
  expect([writes(project), project.sandbox.webhooks()]).toEqual([sent, live]);
});

test("HCL to YAML: outreach takes over, and nothing is sent", { timeout: 120_000 }, async (context) => {
  const project = await openProject();
  const terraform = await openTerraform(project, context);
  terraform.write("hooks/main.tf", MODULE);
  terraform.write("main.tf", HCL);
  expect(await terraform.run("init", "-input=false")).toMatchObject({ status: 0 });
  const made = await terraform.apply();
  expect(made, made.output).toMatchObject({ status: 0 });
  const [sent, live] = [writes(project), project.sandbox.webhooks()];
  const count = String(live.length);

  const shown = (await terraform.run("show", "-json")).output;
  expect(shown).toContain(SECRET);
  project.write("shown.json", shown);
  const generated = await project.run("generate --from-state shown.json --to yaml --out outreach.yaml");
  expect(generated, generated.err).toMatchObject({ code: 0, sent: [], err: "" });
  const text = project.read("outreach.yaml");
  expect(text + generated.out).not.toMatch(new RegExp(`${SECRET}|${TOKEN}`));
  expect(parse(text)).toMatchObject({
    webhooks: {
      crm: { target_url: 'https://crm.example.com/a$${b}?c="d"', secret: { env: "CRM_SECRET" } },
      "by-type": { types: ["emailsBounced", "emailsSent"], target_url: "https://t.example.com/${each.type}" },
      both: {
        types: ["emailsBounced", "emailsSent"],
        campaigns: ["cam_000001", "cam_000002"],
        target_url: "https://b.example.com",
      },
      "teams-a": { target_url: "https://a.example.com" },
      "teams-b": { target_url: "https://b.example.com/b" },
      "counted-0": { target_url: "https://count-0.example.com" },
      "sub-x-inner": { target_url: "https://inner-x.example.com" },
      "write-only": { secret: { env: "WRITE_ONLY_SECRET" } },
      hidden: { target_url: "${var.hidden_target_url}" },
    },
    moved: expect.arrayContaining([
      { from: 'outreach_webhook.teams["a"]', to: "outreach_webhook.teams-a" },
      { from: "outreach_webhook.counted[0]", to: "outreach_webhook.counted-0" },
    ]) as unknown,
  });
  Object.assign(project.environment, {
    CRM_SECRET: SECRET,
    WRITE_ONLY_SECRET: SECRET,
    OUTREACH_VAR_hidden_target_url: `https://hidden.example.com/${TOKEN}`,
  });
  const planned = await project.run("plan");
  expect(planned.out, planned.err).toContain(`Plan: ${count} to import, 0 to add, 0 to change, 0 to destroy.`);

  terraform.write("hooks/main.tf", "");
  terraform.write("main.tf", `${HEAD}\n${lettingGo(generated.out)}`);
  const gaveUp = await terraform.apply();
  expect(gaveUp, gaveUp.output).toMatchObject({ status: 0 });
  expect(await terraform.addresses()).toEqual([]);
  const done = await project.run("apply --auto-approve");
  expect(done.out, done.err).toContain(`Resources: ${count} imported, 0 added, 0 changed, 0 destroyed.`);
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  expect([writes(project), project.sandbox.webhooks()]).toEqual([sent, live]);
});

test("from Terraform to HCL, with a move for each address that cannot stay", async (context) => {
  const project = await openProject();
  const terraform = await openTerraform(project, context);
  terraform.write("hooks/main.tf", MODULE);
  terraform.write("main.tf", HCL);
  expect(await terraform.run("init", "-input=false")).toMatchObject({ status: 0 });
  expect(await terraform.apply()).toMatchObject({ status: 0 });
  const sent = writes(project);
  project.write("shown.json", (await terraform.run("show", "-json")).output);
  const { out } = await project.run("generate --from-state shown.json --to hcl");
  expect(out).not.toMatch(new RegExp(`${SECRET}|${TOKEN}`));
  terraform.write("main.tf", out);
  terraform.environment = {
    ...terraform.environment,
    TF_VAR_crm_secret: SECRET,
    TF_VAR_write_only_secret: SECRET,
    TF_VAR_hidden_target_url: `https://hidden.example.com/${TOKEN}`,
  };
  expect(await terraform.run("fmt", "-diff", "-check", "main.tf")).toMatchObject({ status: 0, output: "" });
  const done = await terraform.apply();
  expect(done, done.output).toMatchObject({ status: 0 });
  expect(done.words).toContain("Resources: 0 added, 0 changed, 0 destroyed.");
  expect(await terraform.addresses()).toEqual(
    expect.arrayContaining([
      'outreach_webhook.counted["0"]',
      'outreach_webhook.teams["a"]',
      "outreach_webhook.sub-x-inner",
    ]),
  );
  expect(writes(project)).toEqual(sent);
});

const HEAD = `terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
`;

const MODULE = `${HEAD}
variable "name" { type = string }
resource "outreach_webhook" "inner" {
  target_url = "https://inner-\${var.name}.example.com"
}
`;

const HCL = `${HEAD}
module "sub" {
  source   = "./hooks"
  for_each = toset(["x", "y"])
  name     = each.key
}
variable "token" {
  default   = "${TOKEN}"
  sensitive = true
}
resource "outreach_webhook" "crm" {
  target_url = "https://crm.example.com/a$\${b}?c=\\"d\\""
  secret     = "${SECRET}"
}
resource "outreach_webhook" "write-only" {
  target_url        = "https://wo.example.com"
  secret_wo         = "${SECRET}"
  secret_wo_version = 1
}
resource "outreach_webhook" "hidden" {
  target_url = "https://hidden.example.com/\${var.token}"
}
resource "outreach_webhook" "by-type" {
  for_each   = toset(["emailsSent", "emailsBounced"])
  target_url = "https://t.example.com/\${each.key}"
  type       = each.key
}
resource "outreach_webhook" "both" {
  for_each    = toset([for pair in setproduct(["emailsSent", "emailsBounced"], ["cam_000001", "cam_000002"]) : join("/", pair)])
  target_url  = "https://b.example.com"
  type        = split("/", each.key)[0]
  campaign_id = split("/", each.key)[1]
}
resource "outreach_webhook" "teams" {
  for_each   = { a = "https://a.example.com", b = "https://b.example.com/b" }
  target_url = each.value
}
resource "outreach_webhook" "counted" {
  count      = 2
  target_url = "https://count-\${count.index}.example.com"
}
`;
