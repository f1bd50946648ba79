import { expect, test } from "vitest";
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
  await run("comment --dry-run saved.plan", elsewhere);
  await run("apply saved.plan");
  expect(await run("output", elsewhere)).toContain("https://other.example.com/(sensitive value)");
  for (const format of ["text", "markdown", "html", "json"]) await run(`show --format ${format}`, elsewhere);
  for (const command of ["plan --detailed-exitcode", "plan --no-secrets --detailed-exitcode"]) await run(command);
});
