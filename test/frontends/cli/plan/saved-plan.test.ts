import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { checksumOf } from "../../../../src/core/state/document.ts";
import { PLAN_PRINTERS } from "../program/every-command.ts";
import { modeOf, oneWebhook, useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();
const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied";

test("a saved plan is the approval: exactly it is carried out, with one list, and it holds no secret", async () => {
  const project = await openProject();
  project.environment["S"] = "a-long-secret-value";
  project.write("outreach.yaml", oneWebhook(`${BODY}\nsecret: { env: S }`));
  const planned = await project.run("plan --out crm.plan --detailed-exitcode");
  expect(planned).toMatchObject({ code: 2, err: NO_STATE_YET, sent: ["GET /hooks 200"] });
  expect(planned.out).toContain("Saved the plan to crm.plan");
  expect(planned.out).toContain("outreach apply crm.plan");
  expect(Object.keys(project.files())).toEqual(["crm.plan", "outreach.yaml"]);
  expect(modeOf(project, "crm.plan")).toBe("600");
  expect(readFileSync(path.join(project.folder, "crm.plan"), "utf8")).not.toMatch(/a-long-secret-value|sandbox-key/);
  const applied = await project.run("apply crm.plan");
  expect(applied).toMatchObject({ code: 0, err: "", sent: ["GET /hooks 200", "POST /hooks 200", "GET /hooks 200"] });
  expect(project.sandbox.webhooks()).toMatchObject([{ secret: "a-long-secret-value" }]);
  const again = await project.run("apply crm.plan");
  expect(again).toMatchObject({ code: 1, sent: [] });
  expect(again.err).toContain(
    "Error: Saved plan is stale [plan_stale]\n\nThe saved plan can no longer be applied: no state existed when it was made, but one exists now.",
  );
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

test("variables are those that the plan was made with", async () => {
  const project = await openProject();
  project.write(
    "conf/crm.yaml",
    `${oneWebhook("target_url: https://crm.example.com/${var.stage}")}variables:\n  stage: {}\n`,
  );
  const planned = await project.run(
    "plan -c conf/crm.yaml --state there.state.json --var stage=green --out green.plan",
  );
  expect(planned.out).toContain("outreach apply -c conf/crm.yaml --state there.state.json green.plan");
  expect(await project.run("apply -c conf/crm.yaml --state there.state.json green.plan")).toMatchObject({
    code: 0,
    err: "",
  });
  expect(project.sandbox.webhooks()).toMatchObject([{ targetUrl: "https://crm.example.com/green" }]);
  expect(Object.keys(project.files())).toContain("there.state.json");
});

const CONFIGURATION = oneWebhook(
  `${BODY.replace("/hooks", "/${var.stage}")}\ncampaign: q3\nsecret: { env: S }`,
  'variables:\n  stage: { default: live }\n  token: { sensitive: true }\ndata:\n  campaign:\n    q3: { name: "Q3 launch" }\n',
);
const LIVE = { targetUrl: "https://crm.example.com/live", type: "emailsReplied", campaignId: "cam_000001" };

test.each<
  readonly [
    name: string,
    meddle: (project: Awaited<ReturnType<typeof openProject>>) => void | Promise<unknown>,
    why: string,
  ]
>([
  [
    "the configuration has changed",
    (project) => project.write("outreach.yaml", CONFIGURATION.replace("emailsReplied", "emailsSent")),
    "the configuration of outreach_webhook.crm has another type. Nothing was done.",
  ],
  [
    "a webhook was renamed",
    (project) => project.write("outreach.yaml", CONFIGURATION.replace("  crm:", "  mrc:")),
    "outreach_webhook.crm is no longer in the configuration;\n  outreach_webhook.mrc is new in the configuration. Nothing was done.",
  ],
  [
    "a variable has changed",
    (project) => void (project.environment["OUTREACH_VAR_stage"] = "test"),
    "the variable stage has another value;\n  the configuration of outreach_webhook.crm has another target_url. Nothing was done.",
  ],
  [
    "a sensitive variable has changed",
    (project) => {
      project.write("outreach.yaml", CONFIGURATION.replace("var.stage", "var.token"));
      project.environment["OUTREACH_VAR_token"] = "token-2";
    },
    "the variable token has another value;\n  the configuration of outreach_webhook.crm has another target_url. Nothing was done.",
  ],
  [
    "a secret has changed",
    (project) => void (project.environment["S"] = "another-secret-value"),
    "the secret of outreach_webhook.crm, the environment variable S, is another one in this job than in the job that planned. Nothing was done.\nSet the same secret in both jobs",
  ],
  [
    "a campaign's name finds another one",
    (project) => {
      project.sandbox.change("campaigns", "cam_000001", { name: "Q3 launch (old)" });
      project.sandbox.change("campaigns", "cam_000002", { name: "Q3 launch" });
    },
    'data.outreach_campaign.q3 (name "Q3 launch") finds another campaign_id for outreach_webhook.crm. Nothing was done.',
  ],
  [
    "an identical webhook was made by hand",
    (project) => project.sandbox.add("webhooks", LIVE),
    "outreach_webhook.crm: an identical unmanaged webhook exists. Nothing was done.",
  ],
  ["another run has applied", (project) => project.run("apply --auto-approve"), "no state existed when it was made"],
])("a saved plan is refused when %s, and names it; nothing is sent", async (_, meddle, why) => {
  const project = await openProject();
  Object.assign(project.environment, { S: "a-long-secret-value", OUTREACH_VAR_token: "token-1" });
  project.write("outreach.yaml", `${CONFIGURATION}ignore: [unused_variable]\n`);
  expect(await project.run("plan --out crm.plan")).toMatchObject({ code: 0, err: NO_STATE_YET });
  await meddle(project);
  const { code, err, sent } = await project.run("apply crm.plan");
  expect(code).toBe(1);
  expect(err).toContain("Error: Saved plan is stale [plan_stale]\n\nThe saved plan can no longer be applied: ");
  expect(err).toContain(why);
  expect(sent.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test.each<
  readonly [
    name: string,
    meddle: (project: Awaited<ReturnType<typeof openProject>>, id: string) => unknown,
    why: string,
  ]
>([
  [
    "is gone",
    ({ sandbox }, id) => sandbox.remove("webhooks", id),
    "the live webhook of outreach_webhook.crm is gone. Nothing was done.",
  ],
  [
    "has changed",
    ({ sandbox }, id) => sandbox.change("webhooks", id, { type: "emailsSent" }),
    "the live webhook of outreach_webhook.crm has another type. Nothing was done.",
  ],
])("a saved plan is refused when a live webhook %s, and names it", async (_, meddle, why) => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  await project.run("plan --out crm.plan --replace outreach_webhook.crm");
  meddle(project, project.sandbox.webhooks()[0]?._id ?? "");
  expect(await project.run("apply crm.plan")).toMatchObject({ code: 1, err: expect.stringContaining(why) as string });
  expect(project.sandbox.requests().filter(({ method }) => method === "DELETE")).toEqual([]);
});

test("a saved plan whose secret is not available says so, and is not called stale", async () => {
  const project = await openProject();
  project.environment["S"] = "a-long-secret-value";
  project.write("outreach.yaml", oneWebhook(`${BODY}\nsecret: { env: S }`));
  await project.run("plan --out crm.plan");
  const unset = await project.run("apply crm.plan", { S: undefined });
  expect(unset).toMatchObject({ code: 1, sent: [] });
  expect(unset.err).toContain("The environment variable S is not set.");
  expect(unset.err).not.toContain("stale");
  expect(await project.run("apply crm.plan")).toMatchObject({ code: 0 });
});

test("what others do elsewhere does not make a saved plan stale", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("plan --out crm.plan");
  project.sandbox.add("webhooks", { targetUrl: "https://elsewhere.example.com/hooks" });
  expect(await project.run("apply crm.plan")).toMatchObject({ code: 0, err: "" });
  expect(project.sandbox.webhooks()).toHaveLength(2);
});

const UNKNOWN_TYPE = {
  format: 1,
  steps: [
    { action: "create", address: "toy.a", type: "toy", provider: "outreach", because: [], masked: [], after: {} },
  ],
  drift: [],
  outputs: [],
  diagnostics: [],
  undecided: [],
};

test.each<readonly [name: string, spoil: (text: string) => string, detail: string]>([
  ["cut off", (text) => text.slice(0, 100), "is not a plan saved by outreach plan --out"],
  [
    "edited",
    (text) => text.replace("https://crm.example.com/hooks", "https://evil.example.com/hooks"),
    "The checksum of crm.plan does not match",
  ],
  ["something else", () => "{}", "is not a plan saved by outreach plan --out"],
  ...[
    { plan: null },
    { plan: { format: 1, steps: [{ action: "constructor" }] } },
    { messages: [{}] },
    { choices: {} },
    { plan: UNKNOWN_TYPE },
  ].map(
    (content) =>
      [
        `of another program: ${JSON.stringify(content)}`,
        (text: string) => resealed(text, content),
        "is not what a plan has there",
      ] as const,
  ),
])("a plan file that is %s is refused", async (_, spoil, detail) => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("plan --out crm.plan");
  project.write("crm.plan", spoil(project.read("crm.plan")));
  for (const command of ["apply crm.plan", "show crm.plan"]) {
    const { code, err, sent } = await project.run(command);
    expect({ code, sent }, command).toEqual({ code: 1, sent: [] });
    expect(err, command).toContain(detail);
  }
});

/** The plan with other content, and a checksum that matches it. */
function resealed(text: string, content: object): string {
  const { checksum: _, ...saved } = JSON.parse(text) as { readonly checksum: string };
  const changed = { ...saved, ...content };
  return JSON.stringify({ ...changed, checksum: checksumOf(changed) });
}

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
    oneWebhook(
      `${BODY}\nsecret: { command: [touch, ran] }`,
      "service:\n  base_url: https://evil.example.com\n  api_key: { command: [touch, ran-too] }\n",
    ),
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
  expect((await project.run("apply less.plan")).out).toContain(
    "Apply complete! Resources: 0 added, 0 changed, 5 destroyed.",
  );
});

test.each([
  ["outreach.yaml", "outreach.yaml exists and is not a saved plan, so it is not overwritten."],
  ["outreach.state.json", "outreach.state.json exists and is not a saved plan, so it is not overwritten."],
  [".", ". is a folder."],
  ["none/x.plan", "The folder of none/x.plan does not exist."],
])("plan --out %s is refused before anything is read, and leaves every file as it is", async (path, words) => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  await project.run("apply --auto-approve");
  const before = project.files();
  const { code, err, sent } = await project.run(`plan --out ${path}`);
  expect({ code, sent }).toEqual({ code: 1, sent: [] });
  expect(err).toContain(`Error: Cannot save the plan [plan_file_unwritable]\n\n${words}\nPass another path to --out`);
  expect(project.files()).toEqual(before);
});

test.each([
  ["a line break in front", (plan: string) => `\n${plan}`],
  ["white space inside", (plan: string) => plan.replace('{"planFile"', '{ "planFile"')],
  ["another key in front", (plan: string) => plan.replace('{"planFile":1,', "{").replace(/\}\s*$/, ',"planFile":1}')],
])("a plan with %s, which plan --out would not replace, is no plan for any command", async (_, change) => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  expect((await project.run("plan --out x.plan")).code).toBe(0);
  project.write("x.plan", change(project.read("x.plan")));
  expect(await project.run("plan --out x.plan")).toMatchObject({ code: 1, sent: [] });
  for (const command of ["apply", ...PLAN_PRINTERS].map((words) => `${words} x.plan`)) {
    const { code, err, sent } = await project.run(command);
    expect({ code, sent }, command).toEqual({ code: 1, sent: [] });
    expect(err).toContain("[plan_file_unreadable]");
  }
});

test("a plan that fails leaves no earlier plan of that name, which would pass for it", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  expect((await project.run("plan --out x.plan")).code).toBe(0);
  const earlier = project.read("x.plan");
  const failing = [
    () => project.write("outreach.yaml", "version: 1\nwebhooks: []\n"),
    () => project.write("outreach.yaml", oneWebhook("target_url: https://${var.none}/hooks")),
    () => {
      project.write("outreach.yaml", oneWebhook(BODY));
      project.sandbox.addFault({ action: { kind: "html", status: 200 }, operation: "listWebhooks", times: null });
    },
  ];
  for (const [index, fail] of failing.entries()) {
    project.write("x.plan", earlier);
    fail();
    expect((await project.run("plan --out x.plan")).code, String(index)).toBe(1);
    expect(Object.keys(project.files()), String(index)).toEqual(["outreach.yaml"]);
  }
});

test("plan --out overwrites an empty file, an earlier plan, and one that was cut off", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(BODY));
  project.write("x.plan", "");
  expect((await project.run("plan --out x.plan")).code).toBe(0);
  project.write("x.plan", project.read("x.plan").slice(0, 100));
  expect((await project.run("plan --out x.plan")).code).toBe(0);
  expect((await project.run("plan --out x.plan")).code).toBe(0);
  expect(await project.run("apply x.plan")).toMatchObject({
    code: 0,
    out: expect.stringContaining("1 added") as string,
  });
});
