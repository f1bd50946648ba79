import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../cli/project.ts";
import { type Json, from, stackOf, webhooks } from "./stack.ts";
import { NO_CHANGES, noStateYet } from "../cli/no-changes.ts";

const openProject = useProjects();
const FOLDER = "cdktf.out/stacks/hooks";
const hook = (rest: Json = {}): Json => ({
  ...from("app/hooks/crm"),
  target_url: "https://crm.example.com/hook",
  type: "emailsReplied",
  ...rest,
});
const gone = (rest: Json): Json => ({ ...from("app/gone"), campaign_id: "cam_000001", ...rest });

async function projectOf(parts: Json): Promise<Project> {
  const project = await openProject();
  write(project, parts);
  return project;
}

function write(project: Project, parts: Json): void {
  project.write(`${FOLDER}/cdk.tf.json`, stackOf(parts));
}

test("outputs have the service's values; sensitive ones are printed only on request", async () => {
  const project = await projectOf({
    variable: { s: { type: "string", sensitive: true } },
    locals: { ids: "${outreach_webhook.crm[*].id}" },
    ...webhooks({ crm: hook({ count: 2, target_url: "https://crm.example.com/${count.index}" }) }),
    output: {
      ids: { value: "${local.ids}" },
      first: { value: "${outreach_webhook.crm[0].id}" },
      hidden: { value: "x-${var.s}", sensitive: true },
    },
  });
  project.environment["TF_VAR_s"] = "value-of-s";
  const plan = await project.run(`plan -c ${FOLDER}`);
  expect(plan.out).toContain("+ ids    = [(known after apply), (known after apply)]");
  const applied = await project.run(`apply -c ${FOLDER} --auto-approve`);
  // Two creates may reach the service in any order.
  const ids = project.sandbox
    .webhooks()
    .toSorted((a, b) => a.targetUrl.localeCompare(b.targetUrl))
    .map(({ _id }) => _id);
  expect(applied).toMatchObject({ code: 0, err: noStateYet("outreach.hooks.state.json") });
  expect(applied.out).toContain(`first = "${ids[0] ?? ""}"`);
  expect(applied.out).toContain("hidden = (sensitive value)");
  expect(JSON.parse((await project.run(`output -c ${FOLDER} -json ids`)).out)).toEqual(ids);
  expect((await project.run(`plan -c ${FOLDER}`)).out).toEqual(NO_CHANGES);
});

test("a webhook moves from a key with an escaped brace, as in Terraform", async () => {
  const project = await projectOf(webhooks({ all: hook({ for_each: { "$${x}": 1 } }) }));
  await project.run(`apply -c ${FOLDER} --auto-approve`);
  write(project, {
    ...webhooks({ one: hook() }),
    moved: [{ from: 'outreach_webhook.all["$${x}"]', to: "outreach_webhook.one" }],
  });
  const { out, sent } = await project.run(`apply -c ${FOLDER} --auto-approve`);
  expect(out).toContain("has moved to outreach_webhook.one");
  expect(sent).toEqual(["GET /hooks 200"]);
});

test("prevent_destroy refuses a destroy and a replace", async () => {
  const project = await projectOf(webhooks({ crm: hook({ lifecycle: { prevent_destroy: true } }) }));
  await project.run(`apply -c ${FOLDER} --auto-approve`);
  expect(await project.run(`destroy -c ${FOLDER} --auto-approve`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("outreach_webhook.crm") as string,
  });
  write(project, webhooks({ crm: hook({ type: "emailsSent", lifecycle: { prevent_destroy: true } }) }));
  expect(await project.run(`apply -c ${FOLDER} --auto-approve`)).toMatchObject({ code: 1 });
  expect(project.sandbox.webhooks()).toMatchObject([{ type: "emailsReplied" }]);
});

test("create_before_destroy rotates a secret without a gap", async () => {
  const project = await projectOf({
    variable: { s: { sensitive: true } },
    ...webhooks({ crm: hook({ secret: "${var.s}", lifecycle: { create_before_destroy: true } }) }),
  });
  await project.run(`apply -c ${FOLDER} --auto-approve`, { TF_VAR_s: "secret-one" });
  const { sent } = await project.run(`apply -c ${FOLDER} --auto-approve`, { TF_VAR_s: "secret-two" });
  expect(sent.map((line) => line.split(" ")[0])).toEqual(["GET", "POST", "DELETE", "GET"]);
});

test("an ignored secret is not rotated, and a new webhook gets the declared one", async () => {
  const parts = (rest: Json): Json => ({
    variable: { s: { sensitive: true } },
    ...webhooks({ crm: hook({ secret: "${var.s}", lifecycle: { ignore_changes: ["secret"] }, ...rest }) }),
  });
  const project = await projectOf(parts({}));
  await project.run(`apply -c ${FOLDER} --auto-approve`, { TF_VAR_s: "secret-one" });
  expect((await project.run(`plan -c ${FOLDER}`, { TF_VAR_s: "secret-two" })).out).toContain("No changes.");
  write(project, parts({ type: "emailsSent" }));
  expect(await project.run(`apply -c ${FOLDER} --auto-approve`, { TF_VAR_s: "secret-two" })).toMatchObject({ code: 0 });
  expect(project.sandbox.webhooks()).toMatchObject([{ type: "emailsSent", secret: "secret-two" }]);
});

test("an ignored attribute with drift updates the state, and nothing is sent", async () => {
  const project = await projectOf(webhooks({ crm: hook({ lifecycle: { ignore_changes: ["type"] } }) }));
  await project.run(`apply -c ${FOLDER} --auto-approve`);
  for (const { _id } of project.sandbox.webhooks()) project.sandbox.change("webhooks", _id, { type: "emailsSent" });
  const { code, sent } = await project.run(`apply -c ${FOLDER} --auto-approve`);
  expect({ code, sent }).toEqual({ code: 0, sent: ["GET /hooks 200"] });
  expect((await project.run(`plan -c ${FOLDER}`)).out).toContain("No changes.");
});

test("a lead is not unsubscribed again for a change that is ignored", async () => {
  const parts = (rest: Json): Json => ({
    resource: { outreach_lead_unsubscription: { gone: gone({ email: "ada@example.com", ...rest }) } },
  });
  const project = await projectOf(parts({}));
  await project.run(`apply -c ${FOLDER} --auto-approve`);
  write(project, parts({ email: "bob@example.com", lifecycle: { ignore_changes: ["email"] } }));
  const { out, sent } = await project.run(`apply -c ${FOLDER} --auto-approve`);
  expect(out).toContain("No changes.");
  expect(sent.filter((line) => line.startsWith("DELETE"))).toEqual([]);
});

test("addresses of leads in keys are masked off a terminal", async () => {
  const leads = '${toset(["ada@example.com", "charles@example.com"])}';
  const project = await projectOf({
    resource: { outreach_lead_unsubscription: { gone: gone({ for_each: leads, email: "${each.key}" }) } },
  });
  for (const command of ["plan", "apply --auto-approve", "state list", "plan"]) {
    const { out, err } = await project.run(`${command} ${command.startsWith("state") ? "" : `-c ${FOLDER}`}`, {
      OUTREACH_STATE: "outreach.hooks.state.json",
    });
    expect(`${out}${err}`).not.toContain('@example.com"');
  }
  expect(project.sandbox.requests().filter(({ method }) => method === "DELETE")).toHaveLength(2);
});

test("no part of a sensitive value is printed", async () => {
  const project = await projectOf({
    variable: { all: { type: "map(object({ secret = string }))", sensitive: true } },
    ...webhooks({
      crm: hook({
        target_url: 'https://crm.example.com/${nonsensitive(var.all["a"].secret)}',
        secret: '${var.all["a"].secret}',
      }),
    }),
  });
  project.environment["TF_VAR_all"] = '{ a = { secret = "part-of-it" } }';
  for (const command of ["plan", "plan --json", "apply --auto-approve"]) {
    const { code, out, err } = await project.run(`${command} -c ${FOLDER}`);
    expect(code).toBe(0);
    expect(`${out}${err}`).not.toContain("part-of-it");
  }
  expect(project.sandbox.webhooks()).toMatchObject([{ secret: "part-of-it" }]);
});

test.each<readonly [string, Json]>([
  ["a type", webhooks({ crm: hook({ type: "${upper(var.s)}" }) })],
  ["a campaign", webhooks({ crm: hook({ campaign_id: "x-${upper(var.s)}" }) })],
  [
    "an id to import",
    { ...webhooks({ crm: hook() }), import: [{ to: "outreach_webhook.crm", id: "hoo_${upper(var.s)}" }] },
  ],
  ["the name of a campaign", { data: { outreach_campaign: { c: { ...from("app/c"), name: "${upper(var.s)}" } } } }],
])("the message does not show values from sensitive ones: %s", async (_name, parts) => {
  const project = await projectOf({ variable: { s: { type: "string", sensitive: true } }, ...parts });
  const { code, out, err } = await project.run(`plan -c ${FOLDER}`, { TF_VAR_s: "hunter2" });
  expect(code).toBe(1);
  expect(err).toContain("sensitive value");
  expect(`${out}${err}`).not.toContain("HUNTER2");
});

test("nor a base URL from a sensitive value", async () => {
  const project = await projectOf({
    variable: { s: { sensitive: true } },
    provider: { outreach: [{ base_url: "x://${upper(var.s)}" }] },
  });
  const { err } = await project.run(`plan -c ${FOLDER}`, { TF_VAR_s: "hunter2", OUTREACH_BASE_URL: undefined });
  expect(err).toContain("Invalid base URL");
  expect(err).not.toContain("HUNTER2");
});

test("a saved plan remembers the values of variables of any type", async () => {
  const project = await projectOf({
    variable: { names: { type: "list(string)" }, any: { type: "any" }, stage: { type: "string", default: "live" } },
    ...webhooks({
      crm: hook({
        for_each: "${toset(var.names)}",
        target_url: "https://${each.key}.example.com/${var.any}/${var.stage}",
      }),
    }),
  });
  const planned = await project.run(
    `plan -c ${FOLDER} --out saved.plan --var 'names=["a","b"]' --var 'any="x-$\${y}"'`,
  );
  expect(planned).toMatchObject({ code: 0 });
  expect(await project.run(`apply -c ${FOLDER} saved.plan`)).toMatchObject({ code: 0 });
  expect(
    project.sandbox
      .webhooks()
      .map(({ targetUrl }) => targetUrl)
      .toSorted(),
  ).toEqual(["https://a.example.com/x-${y}/live", "https://b.example.com/x-${y}/live"]);
});

describe("several configurations of the provider", () => {
  const both = (first: Json, second: Json): Json => ({
    variable: { url: {}, key: { sensitive: true } },
    locals: { url: "${var.url}/", again: "${local.url}" },
    provider: { outreach: [first, { alias: "eu", ...second }] },
    ...webhooks({
      a: hook(),
      b: hook({ provider: "outreach.eu", type: "emailsSent", target_url: "https://b.example.com/" }),
    }),
  });
  const given = (project: Project): { readonly [name: string]: string } => ({
    TF_VAR_url: project.sandbox.baseUrl,
    TF_VAR_key: project.sandbox.keys.good,
  });

  test.each<readonly [string, Json, Json]>([
    ["neither has settings", {}, {}],
    [
      "both have the same values",
      { base_url: "${var.url}", api_key: "${var.key}" },
      { base_url: "${local.again}", api_key: "${var.key}" },
    ],
    ["one has the environment's value", { base_url: "${var.url}" }, {}],
  ])("are one service where %s", async (_name, first, second) => {
    const project = await projectOf(both(first, second));
    expect(await project.run(`apply -c ${FOLDER} --auto-approve`, given(project))).toMatchObject({
      code: 0,
      err: noStateYet("outreach.hooks.state.json"),
    });
    expect(project.sandbox.webhooks()).toHaveLength(2);
  });

  test.each<readonly [string, Json, Json, string]>([
    [
      "base URL",
      { base_url: "${var.url}" },
      { base_url: "https://eu.example.com/api" },
      "OUTREACH_BASE_URL is set, and cannot apply to both.",
    ],
    ["base URL", {}, { base_url: "https://eu.example.com/api" }, "OUTREACH_BASE_URL is set, and cannot apply to both."],
    ["API key", {}, { api_key: "${var.key}-of-others" }, "with one service and one key"],
  ])("with another %s are refused", async (what, first, second, words) => {
    const project = await projectOf(both(first, second));
    const { code, err, sent } = await project.run(`plan -c ${FOLDER}`, given(project));
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(err).toContain("construct provider.outreach.eu");
    expect(err).toContain(`The provider outreach.eu has another ${what} than the others in this stack`);
    expect(err).toContain(words);
  });

  test("an unused one does not matter", async () => {
    const project = await projectOf({
      provider: { outreach: [{}, { alias: "eu", base_url: "https://eu.example.com/api" }] },
      ...webhooks({ a: hook() }),
    });
    expect(await project.run(`plan -c ${FOLDER}`)).toMatchObject({
      code: 0,
      err: noStateYet("outreach.hooks.state.json"),
    });
  });
});

test("mark of the provider marks the creates of its stack, and a webhook has no such setting", async () => {
  const project = await projectOf({
    provider: { outreach: [{ mark: true }] },
    ...webhooks({ a: hook() }),
  });
  expect((await project.run(`apply -c ${FOLDER} --auto-approve`)).code).toBe(0);
  const marked = project.sandbox
    .webhooks()
    .map(({ type, targetUrl }) => [type, new URL(targetUrl).searchParams.has("outreach")]);
  expect(marked).toEqual([["emailsReplied", true]]);
  write(project, { provider: { outreach: [{ mark: true }] }, ...webhooks({ a: hook({ mark: false }) }) });
  const { code, err } = await project.run(`plan -c ${FOLDER}`);
  expect([code, err]).toEqual([1, expect.stringContaining("mark")]);
});

test.each([true, "true"])(
  "unique_target_url: %j of the provider refuses a second webhook with a target URL, and a rotation that creates it first",
  async (flag) => {
    const provider = { outreach: [{ unique_target_url: flag }] };
    const two = await projectOf({ provider, ...webhooks({ a: hook(), b: hook({ type: "emailsSent" }) }) });
    const refused = await two.run(`plan -c ${FOLDER}`);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Several webhooks with one target_url")]);
    expect(refused.err).toContain("Give it a targetUrl of its own");
    write(two, { provider, ...webhooks({ a: hook({ lifecycle: { create_before_destroy: true } }) }) });
    expect((await two.run(`apply -c ${FOLDER} --auto-approve`)).code).toBe(0);
    const rotated = await two.run(`plan -c ${FOLDER} --replace outreach_webhook.a`);
    expect([rotated.code, rotated.err]).toEqual([
      1,
      expect.stringContaining("The new webhook cannot exist next to the old one"),
    ]);
    expect(rotated.err).toContain("createBeforeDestroy: false");
  },
);
