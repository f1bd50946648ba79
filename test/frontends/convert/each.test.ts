import { expect, test } from "vitest";
import { useProjects } from "../cli/project.ts";
import { STACK, synthesise } from "./synthesise.ts";

const openProject = useProjects();

const CONFIGURATION = `version: 1
data:
  campaigns:
    live: { status: running }
webhooks:
  replies:
    target_url: https://crm.example.com/hook?event=\${each.type}
    types: [emailsReplied, interested]
    secret: { env: 'HOOK_\${each.type}' }
  audit:
    target_url: https://audit.example.com/\${each.campaign_id}?event=\${each.type}&key=\${each.key}
    types: [emailsReplied, emailsSent]
    campaigns: live
    secret: { file: 'secrets/\${each.type}' }
  plain:
    target_url: https://plain.example.com/hook
`;
const TYPES = ["emailsReplied", "interested", "emailsSent"];

test(
  "a fan-out with values of its own keeps them in HCL and in a program, and comes back as the same block",
  { timeout: 60_000 },
  async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    for (const type of TYPES) {
      project.write(`secrets/${type}`, `file secret of ${type}\n`);
      Object.assign(project.environment, {
        [`HOOK_${type}`]: `secret of ${type}`,
        [`TF_VAR_hook_${type.toLowerCase()}`]: `secret of ${type}`,
        [`TF_VAR_audit_secret_${type}`]: `file secret of ${type}`,
      });
    }
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });

    const hcl = await project.run("convert --to hcl");
    expect(hcl, hcl.err).toMatchObject({ code: 0 });
    expect(hcl.out).toContain('target_url = "https://crm.example.com/hook?event=${each.key}"\n');
    expect(hcl.out).toContain(
      "secret     = { emailsReplied = var.hook_emailsreplied, interested = var.hook_interested }[each.key]\n",
    );
    expect(hcl.out).toContain(
      '"https://audit.example.com/${each.value.campaign_id}?event=${each.value.type}&key=${each.key}"\n',
    );
    expect(hcl.out).toContain(
      "{ emailsReplied = var.audit_secret_emailsReplied, emailsSent = var.audit_secret_emailsSent }[each.value.type]\n",
    );

    const program = await project.run("convert --to cdk");
    expect(program, program.err).toMatchObject({ code: 0 });
    expect(program.out).toContain('import { Each, WebhookSet } from "outreach-as-code/cdktn/lib/webhook-set";\n');
    expect(program.out).toContain(
      "targetUrl: `https://audit.example.com/${Each.campaignId}?event=${Each.type}&key=${Each.key}`,\n",
    );
    await synthesise(project, program.out);
    expect(await project.run(`plan -c ${STACK} --state outreach.state.json`)).toMatchObject({
      code: 0,
      out: expect.stringContaining("No changes.") as string,
    });

    const back = await project.run(`convert -c ${STACK} --to yaml`);
    expect(back, back.err).toMatchObject({ code: 0 });
    expect(back.out).toContain(
      "target_url: https://crm.example.com/hook?event=${each.type}\n    types: [emailsReplied, interested]\n",
    );
    expect(back.out).toContain('secret: { env: "TF_VAR_hook_${lower(each.type)}" }\n');
    expect(back.out).toContain('secret: { env: "TF_VAR_audit_secret_${each.type}" }\n');
    project.write("back.yaml", back.out);
    expect(await project.run("plan -c back.yaml --state outreach.state.json")).toMatchObject({
      code: 0,
      out: expect.stringContaining("No changes.") as string,
    });
  },
);

test("a secret that depends on campaigns of a filter has no form in Terraform", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION.replace("secrets/${each.type}", "secrets/${each.campaign_id}"));
  const { code, out, err } = await project.run("convert --to hcl");
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("Error: Conversion not possible [convert_unsupported]\n\n  on outreach.yaml:10:3");
});
