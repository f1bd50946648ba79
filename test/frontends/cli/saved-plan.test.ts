import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { modeOf, oneWebhook, useProjects } from "./project.ts";

const openProject = useProjects();
const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied";
const OTHER = "target_url: https://crm.example.com/other\ntype: emailsReplied";

test("a saved plan is the approval: exactly it is carried out, with one list, and it holds no secret", async () => {
  const project = await openProject();
  project.environment["S"] = "a-long-secret-value";
  project.write("outreach.yaml", oneWebhook(`${BODY}\nsecret: { env: S }`));
  const planned = await project.run("plan --out crm.plan --detailed-exitcode");
  expect(planned).toMatchObject({ code: 2, err: "", sent: ["GET /hooks 200"] });
  expect(planned.out).toContain("Saved the plan to crm.plan");
  expect(planned.out).toContain("outreach apply 'crm.plan'");
  expect(Object.keys(project.files())).toEqual(["crm.plan", "outreach.yaml"]);
  expect(modeOf(project, "crm.plan")).toBe("600");
  expect(readFileSync(path.join(project.folder, "crm.plan"), "utf8")).not.toMatch(/a-long-secret-value|sandbox-key/);
  const applied = await project.run("apply crm.plan");
  expect(applied).toMatchObject({ code: 0, err: "", sent: ["GET /hooks 200", "POST /hooks 200"] });
  expect(project.sandbox.webhooks()).toMatchObject([{ secret: "a-long-secret-value" }]);
  const again = await project.run("apply crm.plan");
  expect(again).toMatchObject({ code: 1, sent: [] });
  expect(again.err).toContain("Error: Saved plan is stale\n\nThe saved plan can no longer be applied: no state existed when it was made, but one exists now.");
});

test("a plan with options is applied with them; other options conflict with it", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  await project.run("plan --destroy --out gone.plan");
  const refused = await project.run("apply gone.plan --target outreach_webhook.crm");
  expect(refused).toMatchObject({ code: 1, sent: [] });
  expect(refused.err).toContain("A saved plan is applied unchanged, so --target cannot be passed to apply.");
  expect((await project.run("apply gone.plan")).out).toContain("Destroy complete! Resources: 1 destroyed.");
  expect(project.sandbox.webhooks()).toEqual([]);
});

test("configuration, state and variables are those that the plan was made with", async () => {
  const project = await openProject();
  project.write("conf/crm.yaml", `${oneWebhook("target_url: https://crm.example.com/${var.stage}")}variables:\n  stage: {}\n`);
  await project.run("plan -c conf/crm.yaml --state there.state.json --var stage=green --out green.plan");
  expect(await project.run("apply green.plan")).toMatchObject({ code: 0, err: "" });
  expect(project.sandbox.webhooks()).toMatchObject([{ targetUrl: "https://crm.example.com/green" }]);
  expect(Object.keys(project.files())).toContain("there.state.json");
});

test.each<readonly [name: string, meddle: (project: Awaited<ReturnType<typeof openProject>>) => void | Promise<unknown>, why: string]>([
  ["the configuration has changed", (project) => project.write("outreach.yaml", oneWebhook(`${OTHER}\nsecret: { env: S }`)), "the declarations have changed"],
  ["a secret has changed", (project) => void (project.environment["S"] = "another-secret-value"), "the declarations have changed"],
  [
    "an identical webhook was made by hand",
    (project) => project.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/hooks", type: "emailsReplied" }),
    "its webhooks have changed",
  ],
  ["another run has applied", (project) => project.run("apply --auto-approve"), "no state existed when it was made"],
])("a saved plan is refused when %s, and nothing is sent", async (_, meddle, why) => {
  const project = await openProject();
  project.environment["S"] = "a-long-secret-value";
  project.write("outreach.yaml", oneWebhook(`${BODY}\nsecret: { env: S }`));
  await project.run("plan --out crm.plan");
  await meddle(project);
  const applied = await project.run("apply crm.plan");
  expect(applied.code).toBe(1);
  expect(applied.err).toContain(why);
  expect(applied.sent.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("what others do elsewhere does not make a saved plan stale", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("plan --out crm.plan");
  project.sandbox.add("webhooks", { targetUrl: "https://elsewhere.example.com/hooks" });
  expect(await project.run("apply crm.plan")).toMatchObject({ code: 0, err: "" });
  expect(project.sandbox.webhooks()).toHaveLength(2);
});

test.each<readonly [name: string, spoil: (text: string) => string, detail: string]>([
  ["cut off", (text) => text.slice(0, 100), "is not a plan saved by outreach plan --out"],
  ["edited", (text) => text.replace("https://crm.example.com/hooks", "https://evil.example.com/hooks"), "The checksum of crm.plan does not match"],
  ["something else", () => "{}", "is not a plan saved by outreach plan --out"],
])("a plan file that is %s is refused", async (_, spoil, detail) => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("plan --out crm.plan");
  project.write("crm.plan", spoil(project.read("crm.plan")));
  const applied = await project.run("apply crm.plan");
  expect(applied).toMatchObject({ code: 1, sent: [] });
  expect(applied.err).toContain(detail);
});

test("a configuration in the place of a plan is refused without a hint that would overwrite it", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  for (const command of ["apply outreach.yaml", "show outreach.yaml"]) {
    const { code, err } = await project.run(command);
    expect(code).toBe(1);
    expect(err).toContain("To name a configuration, pass -c PATH.\n");
    expect(err).not.toContain("plan --out outreach.yaml");
  }
});

test("a plan without secrets resolves none, runs no command, keeps to the environment's address, and cannot be applied", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    oneWebhook(`${BODY}\nsecret: { command: [touch, ran] }`, "service:\n  base_url: https://evil.example.com\n  api_key: { command: [touch, ran-too] }\n"),
  );
  const planned = await project.run("plan --no-secrets --out crm.plan");
  expect(planned).toMatchObject({ code: 0, sent: ["GET /hooks 200"] });
  expect(planned.out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  expect(Object.keys(project.files())).toEqual(["crm.plan", "outreach.yaml"]);
  expect((await project.run("apply crm.plan")).err).toContain("crm.plan was made with --no-secrets");
  const without = await project.run("plan --no-secrets", { OUTREACH_BASE_URL: undefined });
  expect(without).toMatchObject({ code: 1, sent: [] });
  expect(without.err).toContain("Set OUTREACH_BASE_URL.");
});

test("guards that were lifted when a plan was saved are not asked again", async () => {
  const project = await openProject();
  const webhooks = (count: number): string =>
    `version: 1\nwebhooks:\n${Array.from({ length: count }, (_, index) => `  w${String(index)}: { target_url: "https://crm.example.com/${String(index)}" }\n`).join("")}`;
  project.write("outreach.yaml", webhooks(10));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", webhooks(5));
  const refused = await project.run("plan --out less.plan");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("Error: More deletions than allowed");
  expect(refused.err).toMatch(/--allow-deletes.*limits\.delete/);
  expect((await project.run("plan --allow-deletes --out less.plan")).code).toBe(0);
  expect((await project.run("apply less.plan")).out).toContain("Apply complete! Resources: 0 added, 0 changed, 5 destroyed.");
});
