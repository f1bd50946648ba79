import { describe, expect, test } from "vitest";
import type { Json } from "../cdk/stack.ts";
import { oneWebhook, useProjects } from "../cli/project.ts";
import { STACK, hook, writeStack } from "./stack-team.ts";

const openProject = useProjects();
const HOOK = "target_url: https://crm.example.com/hook";
const one = (rest: Json): Json => ({ resource: { outreach_webhook: { hook: hook(rest) } } });
const suppressions = (forEach: string): Json => ({
  data: { outreach_campaigns: { live: {} } },
  resource: {
    outreach_lead_unsubscription: { gone: { campaign_id: "cam_000001", email: "${each.value}", for_each: forEach } },
  },
});

describe("an impossible conversion reports why, and prints nothing", () => {
  test.for([
    { name: "of YAML to YAML", yaml: oneWebhook(HOOK), to: "yaml", says: "outreach.yaml is YAML." },
    { name: "to an unknown form", yaml: oneWebhook(HOOK), to: "json", says: "Allowed choices are yaml, hcl, cdk." },
    {
      name: "of a missing file",
      yaml: oneWebhook(HOOK),
      to: "hcl -c other.yaml",
      says: "The file other.yaml does not exist.",
    },
    {
      name: "of an invalid configuration",
      yaml: oneWebhook("target_url: nowhere"),
      to: "hcl",
      says: "target_url is not an absolute URL.",
    },
    {
      name: "with a missing state",
      yaml: oneWebhook(HOOK),
      to: "hcl --state other.json",
      says: "The state other.json does not exist.",
    },
    {
      name: "of an expression in a lifecycle setting",
      yaml: oneWebhook(`${HOOK}\nprotect: \${var.on}`, "variables: { on: { default: true } }\n"),
      to: "cdk",
      says: "protect of outreach_webhook.crm is an expression",
    },
    {
      name: "of a variable with a reserved name",
      yaml: oneWebhook(HOOK, "variables: { version: { default: a } }\n"),
      to: "hcl",
      says: "A variable cannot have the name version, which Terraform reserves.",
    },
    {
      name: "of another reserved name",
      yaml: oneWebhook(HOOK, "variables: { provider: { default: a } }\n"),
      to: "cdk",
      says: "A variable cannot have the name provider, which Terraform reserves.",
    },
    {
      name: "of addresses, off a terminal",
      yaml: "version: 1\nlead_unsubscriptions: { gone: { campaign_id: cam_000001, emails: [ada@example.com] } }\n",
      to: "hcl",
      says: "Pass --show-emails to print them",
    },
  ])("$name", async ({ yaml, to, says }) => {
    const project = await openProject();
    project.write("outreach.yaml", yaml);
    const refused = await project.run(`convert --to ${to}`);
    expect(refused).toMatchObject({ code: 1, out: "", sent: [] });
    expect(refused.err).toContain(says);
  });

  test.for([
    { name: "of a stack to a stack", parts: one({}), to: "cdk", says: "is a synthesized CDK stack." },
    {
      name: "of ignore_changes",
      parts: one({ lifecycle: { ignore_changes: ["type"] } }),
      to: "yaml",
      says: "outreach_webhook.hook has ignore_changes, which YAML does not support.",
    },
    {
      name: "of a secret that depends on a sensitive variable",
      parts: { variable: { s: { type: "string", sensitive: true } }, ...one({ secret: "${upper(var.s)}" }) },
      to: "yaml",
      says: "secret of outreach_webhook.hook is more than a sensitive variable",
    },
    {
      name: "of instances that depend on a read",
      parts: {
        data: { outreach_campaigns: { live: { status: "running" } } },
        ...one({
          for_each: "${toset(data.outreach_campaigns.live.ids)}",
          target_url: "https://crm.example.com/${each.key}",
        }),
      },
      to: "yaml",
      says: "for_each of outreach_webhook.hook depends on data that only a plan reads",
    },
    {
      name: "of all instances together",
      parts: {
        ...one({ count: 2, target_url: "https://crm.example.com/${count.index}" }),
        output: { all: { value: "${outreach_webhook.hook[*].id}" } },
      },
      to: "yaml",
      says: "outreach_webhook.hook refers to all instances of outreach_webhook.hook",
    },
    {
      name: "of a list without a value",
      parts: {
        variable: { l: { type: "list(string)" } },
        ...one({ target_url: 'https://crm.example.com/${join("-", var.l)}' }),
      },
      to: "yaml",
      says: "Pass --var l=VALUE.",
    },
    {
      name: "of a file of the stack",
      parts: one({ target_url: '${file("hook.txt")}' }),
      files: { "hook.txt": "https://crm.example.com" },
      to: "hcl",
      says: "which exist only next to the stack",
    },
    {
      name: "of addresses within an expression, off a terminal",
      parts: suppressions('${toset(["ada@example.com"])}'),
      to: "yaml",
      says: "Pass --show-emails to print them",
    },
    {
      name: "of addresses with data from a read, off a terminal",
      parts: suppressions('${toset([for id in data.outreach_campaigns.live.ids : "ada+${id}@example.com"])}'),
      to: "hcl",
      says: "Pass --show-emails to print them",
    },
  ])("$name", async ({ parts, to, says, files = {} }) => {
    const project = await openProject();
    for (const [file, text] of Object.entries(files)) project.write(`${STACK}/${file}`, text);
    writeStack(project, parts);
    const refused = await project.run(`convert -c ${STACK} --to ${to}`);
    expect(refused).toMatchObject({ code: 1, out: "", sent: [] });
    expect(refused.err.replaceAll(/\s+/g, " ")).toContain(says);
  });

  test("except conditions, which are left out with a warning", async () => {
    const project = await openProject();
    const condition = { condition: '${self.type != ""}', error_message: "No type." };
    writeStack(project, one({ lifecycle: { postcondition: [condition] } }));
    const converted = await project.run(`convert -c ${STACK} --to hcl`);
    expect(converted).toMatchObject({
      code: 0,
      out: expect.stringContaining('resource "outreach_webhook" "hook"') as string,
    });
    expect(converted.err.replaceAll(/\s+/g, " ")).toContain(
      "These have conditions, which the result does not contain: outreach_webhook.hook.",
    );
  });

  test("while a recorded object is not declared", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook(HOOK));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", oneWebhook(HOOK).replace("crm:", "other:"));
    const refused = await project.run("convert --to hcl");
    expect(refused).toMatchObject({ code: 1, out: "", sent: [] });
    expect(refused.err).toContain("outreach_webhook.crm is in the state, but no block declares it");
  });

  test("of an object with a sensitive import id", async () => {
    const project = await openProject();
    project.environment["OUTREACH_VAR_who"] = "ada@example.com";
    const gone = "gone: { campaign_id: cam_000001, email: '${var.who}' }";
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { who: { sensitive: true } }\nlead_unsubscriptions:\n  ${gone}\n`,
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    const refused = await project.run("convert --to hcl --show-emails");
    expect(refused).toMatchObject({ code: 1, out: "", sent: [] });
    expect(refused.err).toContain("email of outreach_lead_unsubscription.gone comes from a sensitive variable");
    expect(refused.err).not.toContain("ada@example.com");
  });

  test("while the outcome of a write is open", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook(HOOK));
    project.sandbox.addFault({ method: "POST", path: "/hooks", when: "after", action: { kind: "drop" } });
    project.sandbox.addFault({ method: "GET", path: "/hooks", skip: 2, action: { kind: "drop" }, times: null });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 3 });
    const refused = await project.run("convert --to hcl");
    expect(refused).toMatchObject({ code: 3, out: "", sent: [] });
    expect(refused.err).toContain("outreach resolve");
  });
});

describe("differences in Terraform are reported", () => {
  test("of limits, the share of the rate limit, the base URL, and sensitive defaults, which are not printed", async () => {
    const project = await openProject();
    const before =
      "limits: { delete: 10% }\nlint: { no_secret: on }\nnotify: { ops: { url: https://a.example } }\nservice: { rate_share: 50%, base_url: https://api.example.com/api, unique_target_url: true, mark: true, api_key: { env: OTHER_KEY } }\n";
    project.write(
      "outreach.yaml",
      oneWebhook(
        "target_url: https://crm.example.com/${var.token}",
        `${before}variables: { token: { default: hush-hush, sensitive: true } }\n`,
      ),
    );
    const { code, out, err } = await project.run("convert --to hcl");
    expect(code).toBe(0);
    for (const said of [
      "limits differs in Terraform",
      "lint differs in Terraform",
      "notify differs",
      "service.rate_share differs",
      "service.base_url differs",
      "The default of token is sensitive",
      'export TF_VAR_other_key="$OTHER_KEY"',
    ])
      expect(err).toContain(said);
    expect(out).toMatch(
      /base_url += "https:\/\/api.example.com\/api"\n  api_key += var.other_key\n  unique_target_url = true\n  mark += true\n/,
    );
    expect(`${out}${err}`).not.toContain("hush-hush");
  });

  test.each(["cdk", "hcl"])(
    "characters that change the direction of a text, and commands to a CI, as escapes: %s",
    async (form) => {
      const project = await openProject();
      project.write(
        "outreach.yaml",
        'version: 1\nwebhooks: { crm: { target_url: "https://crm.example.com/", automation_id: "/\\u202Eevil\\U000E0001 ##[group]" } }\n',
      );
      const { code, out } = await project.run(`convert --to ${form}`);
      expect(code).toBe(0);
      expect(out).not.toMatch(/\p{Cf}/u);
      expect(out).toContain("/\\u202eevil\\");
      expect(out).toContain(String.raw` #\u0023[group]`);
    },
  );

  test("the sources of secrets, in variables that a shell can set", async () => {
    const project = await openProject();
    const hooks = [
      "file: secrets/a b.txt",
      'command: [op, read, "it\'s"]',
      "env: TF_VAR_kept",
      "file: other.txt",
      'env: "\\e[31mA-B"',
    ].map(
      (source, index) =>
        `  ${index === 3 ? "ünï" : `h-${String(index)}`}: { target_url: https://h${String(index)}.example.com, secret: { ${source} } }\n`,
    );
    project.write("outreach.yaml", `version: 1\nwebhooks:\n${hooks.join("")}`);
    const { out, err } = await project.run("convert --to hcl");
    expect(err).toContain(`export TF_VAR_h_0_secret="$(cat 'secrets/a b.txt')"\n`);
    expect(err).toContain(`export TF_VAR_h_1_secret="$(op read 'it'\\''s')"\n`);
    expect(err).toContain(`export TF_VAR__n__secret="$(cat other.txt)"\n`);
    expect(err).not.toContain("export TF_VAR_kept");
    expect(err).toContain(`="$(printenv $'\\U0000001b[31mA-B')"\n`);
    expect(out).toContain("secret     = var.kept");
  });
});
