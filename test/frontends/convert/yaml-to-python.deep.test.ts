import { expect, test } from "vitest";
import { missingPython } from "../constructs/python.ts";
import { useProjects } from "../cli/project.ts";
import { SECRET, openTeam, plannedByAddress } from "./handover.ts";
import { STACK, synthesiseInPython } from "./synthesise.ts";

const openProject = useProjects();

const team = () => openTeam(openProject);

test("the program in Python is printed with the names of the language", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
data: { campaign: { q3: { name: Q3 launch } } }
webhooks:
  crm: { target_url: "https://crm.example.com/\${data.outreach_campaign.q3.id}", type: emailsReplied, campaign: q3, is_first: true, rotation: create_first }
  class: { target_url: https://class.example.com, types: [emailsSent] }
checks: { reachable: { condition: "\${data.outreach_campaign.q3.status == \\"running\\"}", message: never } }
outputs: { campaign: "\${data.outreach_campaign.q3.id}" }
`,
  );
  const { code, out, err, sent } = await project.run("convert --to cdk --language python");
  expect({ code, sent }, err).toEqual({ code: 0, sent: [] });
  expect(out).toMatchInlineSnapshot(`
    "from cdktf import App, TerraformOutput, TerraformResourceLifecycle, TerraformStack
    from constructs import Construct

    from imports.outreach.data_outreach_campaign import DataOutreachCampaign
    from imports.outreach.provider import OutreachProvider
    from imports.outreach.webhook import Webhook


    class WebhooksStack(TerraformStack):
        def __init__(self, scope: Construct, id: str) -> None:
            super().__init__(scope, id)
            OutreachProvider(self, "outreach")
            q3 = DataOutreachCampaign(self, "q3", name="Q3 launch")
            Webhook(
                self,
                "crm",
                target_url=f"https://crm.example.com/{q3.id}",
                type="emailsReplied",
                campaign_id=q3.id,
                is_first=True,
                lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
            )
            class2 = Webhook(self, "class", target_url="https://class.example.com", type="\${each.key}")
            class2.add_override("for_each", '\${toset(["emailsSent"])}')
            TerraformOutput(self, "campaign", value=q3.id)
            self.add_override("check", {"reachable": {"assert": [
                {"condition": '\${data.outreach_campaign.q3.status == "running"}', "error_message": "never"},
            ]}})


    app = App()
    WebhooksStack(app, "webhooks")
    app.synth()
    "
  `);
  expect(err).toContain("python main.py");
});

test("the program in Python plans the same at the same addresses", { timeout: 120_000 }, async (context) => {
  if (missingPython !== null) return context.skip(missingPython);
  const project = await team();
  const converted = await project.run("convert --to cdk --language python --show-emails");
  expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
  expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
  await synthesiseInPython(project, converted.out);
  expect(await plannedByAddress(project, STACK)).toEqual(await plannedByAddress(project, "outreach.yaml"));
});

test("a language is refused for a form that is no program", async () => {
  const project = await team();
  const refused = await project.run("convert --to hcl --language python");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("--language is the language of a program with constructs, and --to hcl is none.");
});
