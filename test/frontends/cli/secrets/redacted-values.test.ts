import { expect, test } from "vitest";
import { EVERY_COMMAND, PLAN_PRINTERS } from "../program/every-command.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const TOKEN = "hush-hush-token";
const SECRET = "secret-of-the-hook";
/** Secrets stand in what the service shows: in the URL of another webhook, and in the names of campaigns. */
const CONFIGURATION = `version: 1
variables: { token: { sensitive: true } }
data:
  campaigns: { all: {} }
  webhooks: { all: {} }
webhooks:
  crm: { target_url: https://crm.example.com/hooks, campaign_id: cam_000001, secret: { env: HOOK } }
outputs:
  urls: '\${[for one in data.outreach_webhooks.all.webhooks : one.target_url if one.id == "hoo_foreign"]}'
  names: "\${[for one in data.outreach_campaigns.all.campaigns : one.name]}"
  given: { value: "\${var.token}", sensitive: true }
checks:
  receivers:
    condition: \${length(data.outreach_webhooks.all.webhooks) > 100}
    message: 'Only \${join(", ", [for one in data.outreach_webhooks.all.webhooks : one.target_url])}'
`;

async function leaking(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  Object.assign(project.environment, { OUTREACH_VAR_token: TOKEN, HOOK: SECRET });
  project.sandbox.add("webhooks", { _id: "hoo_foreign", targetUrl: `https://other.example.com/${TOKEN}` });
  project.sandbox.change("campaigns", "cam_000001", {
    name: `named ${String(project.environment["OUTREACH_API_KEY"])}`,
  });
  project.sandbox.change("campaigns", "cam_000002", { name: `named ${SECRET}` });
  return project;
}

test("what a plan masks stands in no file, no report and no state; and a masked output changes once", async () => {
  const project = await leaking();
  const secrets = [TOKEN, SECRET, String(project.environment["OUTREACH_API_KEY"])];
  const expectNone = (where: string, ...texts: readonly string[]): void => {
    for (const text of texts) for (const secret of secrets) expect(text, `${secret} in ${where}`).not.toContain(secret);
  };
  const run = async (command: string, environment = {}): Promise<string> => {
    const ran = await project.run(command, environment);
    expect(ran.code, `${command}\n${ran.err}`).toBe(0);
    expectNone(command, ran.out, ran.err, ...Object.values(project.files()));
    return ran.out;
  };
  const planned = await run("plan --out saved.plan");
  expect(planned).toContain("https://other.example.com/(sensitive value)");
  // Another job, which has none of the secrets.
  const elsewhere = { OUTREACH_VAR_token: undefined, HOOK: undefined, OUTREACH_API_KEY: undefined };
  for (const format of ["text", "markdown", "html", "json"])
    expect(await run(`show --format ${format} saved.plan`, elsewhere)).toContain("(sensitive value)");
  for (const command of PLAN_PRINTERS) await run(`${command} saved.plan`, elsewhere);
  await run("apply saved.plan");
  expect(await run("output", elsewhere)).toContain("https://other.example.com/(sensitive value)");
  for (const format of ["text", "markdown", "html", "json"]) await run(`show --format ${format}`, elsewhere);
  for (const command of ["plan --detailed-exitcode", "plan --no-secrets --detailed-exitcode"]) await run(command);
});

test("what an output makes of a sensitive value stands nowhere, unless the output itself says that it is sensitive", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { token: { sensitive: true } }
webhooks: { crm: { target_url: "https://crm.example.com/\${var.token}" } }
outputs:
  upper: "\${upper(var.token)}"
  parts: '\${split("-", var.token)}'
  url: "\${upper(outreach_webhook.crm.target_url)}"
  nothing: '\${var.token == "x" ? "y" : null}'
  id: "\${outreach_webhook.crm.id}"
  mixed: '\${[upper(var.token), outreach_webhook.crm.id]}'
`,
  );
  project.environment["OUTREACH_VAR_token"] = TOKEN;
  for (const command of [
    "plan --out saved.plan",
    "show --json saved.plan",
    "apply saved.plan",
    "output",
    "output --json",
    "show --json",
  ]) {
    const { code, out, err } = await project.run(command);
    expect(code, err).toBe(0);
    for (const text of [out, err, ...Object.values(project.files())])
      for (const part of [TOKEN.toUpperCase(), '"hush"']) expect(text, command).not.toContain(part);
  }
  expect(JSON.parse((await project.run("output --json")).out)).toMatchObject({
    upper: { value: "(sensitive value)", sensitive: true },
    parts: { value: "(sensitive value)", sensitive: true },
    url: { value: "(sensitive value)", sensitive: true },
    nothing: { value: null },
    mixed: { value: "(sensitive value)", sensitive: true },
    id: { value: "hoo_000001", sensitive: false },
  });
  expect((await project.run("plan --detailed-exitcode", { OUTREACH_VAR_token: TOKEN })).code).toBe(0);
  const text = project
    .read("outreach.yaml")
    .replace('upper: "${upper(var.token)}"', 'upper: { value: "${upper(var.token)}", sensitive: true }');
  project.write("outreach.yaml", text);
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  expect((await project.run("output --raw upper")).out).toBe(TOKEN.toUpperCase());
});

test("a URL that a function made from a sensitive variable is shown by its host alone, wherever it is live", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { token: { sensitive: true } }
data: { webhooks: { all: {} } }
webhooks:
  crm: { target_url: "https://crm.example.com/\${upper(var.token)}" }
  twin: { target_url: 'https://crm.example.com/\${join("_", split("-", var.token))}', type: emailsSent }
outputs:
  live: '\${[for one in data.outreach_webhooks.all.webhooks : one.target_url]}'
`,
  );
  project.environment["OUTREACH_VAR_token"] = TOKEN;
  const made = [TOKEN.toUpperCase(), TOKEN.replaceAll("-", "_")];
  const expectHidden = async (command: string, code = 0): Promise<void> => {
    const ran = await project.run(command);
    expect(ran.code, `${command}\n${ran.err}`).toBe(code);
    expect(ran.out + ran.err).toContain("crm.example.com");
    for (const one of made) expect(ran.out + ran.err, command).not.toContain(one);
  };
  await project.run("apply --auto-approve");
  for (const command of ["plan", ...Object.values(EVERY_COMMAND).flatMap(({ showsUrls = [] }) => showsUrls)])
    await expectHidden(command);
  await expectHidden("plan --state lost.json", 1);
});

test("`state pull` prints the state itself: a copy with masks could not be pushed again", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { token: { sensitive: true } }
webhooks: { crm: { target_url: "https://crm.example.com/\${var.token}" } }
`,
  );
  project.environment["OUTREACH_VAR_token"] = TOKEN;
  await project.run("apply --auto-approve");
  project.write("copy.json", (await project.run("state pull")).out);
  await project.run("apply --auto-approve --destroy");
  expect(await project.run("state push --force copy.json")).toMatchObject({ code: 0 });
});
