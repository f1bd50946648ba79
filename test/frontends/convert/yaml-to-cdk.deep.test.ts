import { expect, test } from "vitest";
import { useProjects } from "../cli/project.ts";
import { SECRET, givingUp, needsImports, openTeam, openTerraform, plannedByAddress, writes } from "./handover.ts";
import { STACK, synthesise } from "./synthesise.ts";

const openProject = useProjects();

const team = () => openTeam(openProject);

test(
  "the printed program compiles, and plans the same at the same addresses, there and back",
  { timeout: 60_000 },
  async () => {
    const project = await team();
    const converted = await project.run("convert --to cdk --show-emails");
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
    for (const part of [
      'new WebhookSet(this, "everywhere", {',
      "types: [EventType.emailsOpened, EventType.emailsClicked],\n      campaigns: live.ids,",
      "campaigns: [q3.id]",
      "type: EventType.emailsReplied,",
    ])
      expect(converted.out).toContain(part);
    await synthesise(project, converted.out);
    const declared = await plannedByAddress(project, "outreach.yaml");
    expect(await plannedByAddress(project, STACK)).toEqual(declared);

    const back = await project.run(`convert -c ${STACK} --to yaml --show-emails`);
    expect(back, back.err).toMatchObject({ code: 0, sent: [] });
    project.write("back.yaml", back.out);
    expect(await plannedByAddress(project, "back.yaml")).toEqual(declared);
  },
);

test(
  "a stack takes over what was applied from YAML, with the command and with terraform",
  { timeout: 120_000 },
  async (context) => {
    needsImports(context);
    const project = await team();
    const applied = await project.run("apply --auto-approve");
    expect(applied, applied.err).toMatchObject({ code: 0 });
    const before = writes(project);
    const converted = await project.run("convert --to cdk --show-emails");
    await synthesise(project, converted.out);
    project.write("outreach.yaml", `version: 1\n${givingUp(converted.err)}`);
    expect((await project.run("apply --auto-approve")).out).toContain("0 to destroy, 19 to forget.");
    const terraform = await openTerraform(project, context);
    terraform.write("cdk.tf.json", project.read(`${STACK}/cdk.tf.json`).replace(/"backend": \{[^]*?\}\s*\},/, ""));
    terraform.environment = { ...terraform.environment, TF_VAR_crm_hook_secret: SECRET };
    expect((await terraform.plan()).words).toMatch(/Plan: 19 to import, 0 to add, \d+ to change, 0 to destroy\./);
    const planned = await project.run(`plan -c ${STACK}`);
    expect(planned.out, planned.err).toMatch(/Plan: 19 to import, 0 to add, \d+ to change, 0 to destroy\./);
    expect(await project.run(`apply -c ${STACK} --auto-approve`)).toMatchObject({ code: 0 });
    expect((await project.run(`plan -c ${STACK}`)).out).toContain("No changes.");
    expect(writes(project)).toEqual(before);
  },
);
