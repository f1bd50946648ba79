import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Project, useProjects } from "../cli/project.ts";
import { SECRET, TEAM, givingUp, needsImports, openTerraform, writes } from "./handover.ts";

const openProject = useProjects();

// The settings of six unsubscriptions differ from the defaults that an import records.
const IMPORTS = /Plan: 19 to import, 0 to add, 10 to change, 0 to destroy\./;

/** A project with webhooks applied from YAML. */
async function applied(): Promise<Project> {
  const project = await openProject();
  project.environment["CRM_HOOK_SECRET"] = SECRET;
  project.write("outreach.yaml", TEAM);
  project.write("suppressions.txt", "dora@example.com\nCAROL@example.com\n");
  const done = await project.run("apply --auto-approve");
  expect(done, done.err).toMatchObject({ code: 0 });
  return project;
}

test(
  "terraform takes over what was applied from YAML: nothing is recreated, and nothing ever has two owners",
  { timeout: 120_000 },
  async (context) => {
    needsImports(context);
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
  },
);

test(
  "the steps work word for word, for a folder with its own state, values and secrets",
  { timeout: 120_000 },
  async (context) => {
    needsImports(context);
    const project = await openProject();
    const terraform = await openTerraform(project, context);
    project.environment["OUTREACH_VAR_team"] = "blue";
    project.write(
      "a b/one.yaml",
      "version: 1\nvariables: { stage: { default: staging }, team: {}, token: { sensitive: true }, other: { sensitive: true } }\nwebhooks:\n" +
        "  f: { target_url: 'https://${var.stage}.example.com/${var.team}/${var.token}/${var.other}', secret: { file: sec/s.txt } }\n",
    );
    project.write(
      "a b/two.yaml",
      "version: 1\nwebhooks:\n  c: { target_url: https://c.example.com, secret: { command: [cat, sec/s.txt] } }\n",
    );
    project.write("a b/sec/s.txt", `${SECRET}\n`);
    project.write("values.yaml", "other: quiet\n");
    const options = "-c 'a b' --state my.json --var stage=new --var token=hush --var-file values.yaml";
    const done = await project.run(`apply ${options} --auto-approve`);
    expect(done, done.err).toMatchObject({ code: 0 });
    const before = writes(project);
    const { out, err } = await project.run(`convert ${options} --to hcl`);
    expect(`${out}${err}`).not.toMatch(/hush|quiet/);
    const [, plan = ""] = /outreach (plan .*) prints "No changes"/.exec(err) ?? [];
    const [, again = ""] = /outreach (convert .*) \| awk/.exec(err) ?? [];
    const [, apply = ""] = /Then outreach (apply .*) prints:/.exec(err) ?? [];
    const filledIn = (text: string): string => text.replace("token=...", "token=hush");
    expect((await project.run(filledIn(plan))).out).toContain("No changes.");
    expect((await project.run(filledIn(again))).out).toBe(out);

    terraform.write("main.tf", out);
    const lines = [...err.matchAll(/^ +(?:export|read) .*$/gm)].map(([line]) => line.trim());
    const shell = spawnSync("bash", ["-c", `set -e\n${lines.join("\n")}\nenv`], {
      cwd: project.folder,
      env: { ...process.env, ...project.environment },
      encoding: "utf8",
      input: "hush\nquiet\n",
    });
    const values = [...shell.stdout.matchAll(/^(TF_VAR_\w+)=(.*)$/gm)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );
    terraform.environment = { ...terraform.environment, ...Object.fromEntries(values) };
    expect(Object.fromEntries(values)).toMatchObject({
      TF_VAR_stage: "new",
      TF_VAR_f_secret: SECRET,
      TF_VAR_c_secret: SECRET,
    });

    project.write(
      "a b/one.yaml",
      `version: 1\nvariables: { stage: {}, team: {}, token: {}, other: {} }\n${givingUp(err)}`,
    );
    project.write("a b/two.yaml", "version: 1\n");
    expect((await project.run(`${filledIn(apply)} --auto-approve`)).out).toContain("0 to destroy, 2 to forget.");
    expect((await terraform.plan()).words).toContain("Plan: 2 to import, 0 to add, 2 to change, 0 to destroy.");
    expect(writes(project)).toEqual(before);
  },
);

test("the output is formatted like terraform fmt", async (context) => {
  const project = await applied();
  const terraform = await openTerraform(project, context);
  const { out } = await project.run("convert --to hcl --show-emails");
  terraform.write("main.tf", out);
  const emails = ["ada", "bob", "carol", "dora"]
    .map((name) => `${name}@a-long-name-of-a-domain.example.com`)
    .join(", ");
  const campaigns = "data: { campaigns: { live: { status: running } }, campaign: { q3: { name: Q3 launch } } }";
  const lists = `many: { campaigns: live, emails: [${emails}] }\n  one: { campaign: q3, emails: [${emails}] }`;
  project.write(
    "lists.yaml",
    `version: 1\nstate: { path: lists.json }\n${campaigns}\nlead_unsubscriptions:\n  ${lists}\n`,
  );
  terraform.write("lists.tf", (await project.run("convert -c lists.yaml --to hcl --show-emails")).out);
  expect(await terraform.run("fmt", "-diff", "-check")).toMatchObject({ status: 0, output: "" });
});

test(
  "terraform accepts the outputs of fan-outs over data, and hides only those that hold a sensitive attribute",
  { timeout: 120_000 },
  async (context) => {
    const project = await openProject();
    const terraform = await openTerraform(project, context);
    const shown = {
      ids: "[for w in outreach_webhook.plain : w.id]",
      secret_ids: "[for w in outreach_webhook.secret : w.id]",
      splat: "values(outreach_webhook.secret)[*].id",
      urls: "{ for k, w in outreach_webhook.secret : k => w.target_url }",
      keys: "keys(outreach_webhook.secret)",
      count: "length(outreach_webhook.secret)",
      hidden_ids: "[for w in outreach_webhook.hidden : w.id]",
      live: "data.outreach_webhooks.live.webhooks[*].id",
    };
    const hidden = {
      one: "outreach_webhook.one",
      plain: "outreach_webhook.plain",
      all: "values(outreach_webhook.plain)",
      list: "[for w in outreach_webhook.plain : w]",
      types: "outreach_webhook.types",
      hidden_urls: "[for w in outreach_webhook.hidden : w.target_url]",
      pair: '[outreach_webhook.plain, "b"]',
    };
    const outputs = Object.entries({ ...shown, ...hidden }).map(([name, text]) => `  ${name}: '\${${text}}'\n`);
    project.write(
      "outreach.yaml",
      `version: 1
variables: { token: { sensitive: true } }
data:
  campaigns: { live: { status: running } }
  webhooks: { live: {} }
webhooks:
  one: { target_url: "https://one.example.com" }
  plain: { target_url: "https://plain.example.com/\${each.campaign_id}", campaigns: live }
  secret: { target_url: "https://secret.example.com/\${each.campaign_id}", campaigns: live, secret: { env: CRM_HOOK_SECRET } }
  hidden: { target_url: "https://hidden.example.com/\${each.campaign_id}/\${var.token}", campaigns: live }
  types: { target_url: "https://types.example.com/\${each.type}", types: [emailsSent, emailsReplied] }
outputs:
${outputs.join("")}`,
    );
    const { out, err } = await project.run("convert --to hcl", { OUTREACH_VAR_token: "t", CRM_HOOK_SECRET: SECRET });
    expect(out, err).toContain('output "ids"');
    terraform.write("main.tf", out);
    terraform.environment = { ...terraform.environment, TF_VAR_token: "t", TF_VAR_crm_hook_secret: SECRET };
    expect(await terraform.run("validate", "-no-color")).toMatchObject({ status: 0 });
    const { words } = await terraform.plan();
    expect(words).not.toContain("Error");
    const marked = [...out.matchAll(/^output "(\w+)" \{\n[^}]*?^ {2}sensitive = true$/gm)].map(([, name]) => name);
    expect(marked.toSorted()).toEqual(Object.keys(hidden).toSorted());
  },
);
