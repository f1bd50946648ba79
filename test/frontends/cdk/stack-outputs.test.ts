import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../cli/project.ts";
import { checkStack } from "./check-stack.ts";
import { type Json, from, stackOf, webhooks } from "./stack.ts";
import { noStateYet } from "../cli/no-changes.ts";

const openProject = useProjects();
const PRODUCER = "cdktf.out/stacks/producer";
const CONSUMER = "cdktf.out/stacks/consumer";
const OUTPUT = "cross-stack-output-outreach_webhookcrmid";
const REFERENCE = "data.terraform_remote_state.cross-stack-reference-input-producer.outputs";

function write(project: Project, stacks: { readonly [name: string]: Json }): void {
  for (const [name, parts] of Object.entries(stacks)) {
    const backend = { local: { path: `${project.folder}/terraform.${name}.tfstate` } };
    project.write(`cdktf.out/stacks/${name}/cdk.tf.json`, stackOf({ terraform: { backend }, ...parts }));
  }
}

const hook = (targetUrl: string, rest: Json = {}): Json => ({
  ...from("hooks/hook"),
  target_url: targetUrl,
  type: "emailsSent",
  ...rest,
});
/** As the synthesis writes a reference from one stack to another. */
const remote = (project: Pick<Project, "folder">, rest: Json = {}): Json => ({
  data: {
    terraform_remote_state: {
      "cross-stack-reference-input-producer": {
        backend: "local",
        config: { path: `${project.folder}/terraform.producer.tfstate` },
        workspace: "${terraform.workspace}",
        ...rest,
      },
    },
  },
});
const PRODUCED: Json = {
  ...webhooks({ crm: hook("https://crm.example.com") }),
  output: { [OUTPUT]: { value: "${outreach_webhook.crm.id}", sensitive: true }, empty: { value: null } },
};

test("a stack uses the outputs of another stack of the application, as they were applied", async () => {
  const project = await openProject();
  const consumer = {
    ...remote(project),
    ...webhooks({ copy: hook("https://copy.example.com", { automation_id: `\${${REFERENCE}.${OUTPUT}}` }) }),
  };
  write(project, { producer: PRODUCED, consumer });
  const early = await project.run(`plan -c ${CONSUMER}`);
  expect(early.code).toBe(1);
  expect(early.err).toContain(
    "The stack producer has no state: outreach.producer.state.json does not exist.\nApply that stack first, without --state and OUTREACH_STATE:",
  );
  expect(early.err).toContain(`  outreach apply -c ${PRODUCER}\n`);
  expect(await project.run(`apply -c ${PRODUCER} --auto-approve`)).toMatchObject({ code: 0 });
  expect(await project.run(`apply -c ${CONSUMER} --auto-approve`)).toMatchObject({
    code: 0,
    err: noStateYet("outreach.consumer.state.json"),
  });
  const [crm, copy] = project.sandbox.webhooks();
  expect(copy).toMatchObject({ automationId: crm?._id });
  expect((await project.run(`plan -c ${CONSUMER}`)).out).toContain("No changes.");
});

describe("a reference that cannot be resolved is an error", () => {
  const AT = { folder: "/app" };
  test.each<readonly [string, Json, string]>([
    ["to a stack of another application", remote(AT), "no stack of this application has"],
    ["with defaults", remote(AT, { defaults: {} }), "a reference to another stack with defaults"],
    ["to another workspace", remote(AT, { workspace: "eu" }), "a reference to another workspace"],
    ["without a backend", remote(AT, { backend: null }), "has no backend"],
  ])("%s", async (_name, parts, words) => {
    const { text } = await checkStack(parts);
    expect(text).toContain(words);
    expect(text).toContain("construct data.terraform_remote_state.cross-stack-reference-input-producer");
  });

  test("to an output that is not there, or null", async () => {
    const project = await openProject();
    const uses = (name: string): Json => ({ ...remote(project), output: { o: { value: `\${${REFERENCE}.${name}}` } } });
    write(project, { producer: PRODUCED, consumer: uses("none"), other: uses("empty") });
    await project.run(`apply -c ${PRODUCER} --auto-approve`);
    for (const [stack, name] of [
      [CONSUMER, "none"],
      ["cdktf.out/stacks/other", "empty"],
    ] as const)
      expect(await project.run(`plan -c ${stack}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(name) as string,
      });
  });
});
