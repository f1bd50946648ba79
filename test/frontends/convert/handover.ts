import type { TestContext } from "vitest";
import type { Project } from "../cli/project.ts";
import { faulty } from "../terraform/engine.ts";
import { TerraformUnderTest, hasTerraform } from "../terraform/terraform-under-test.ts";

/** A YAML configuration with every feature. */
export const TEAM = `version: 1
variables:
  stage: { default: staging }
  paused: { default: false }
data:
  campaign:
    q3: { name: "Q3 launch" }
  campaigns:
    live: { status: running }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/\${var.stage}/replies
    type: emailsReplied
    campaign: q3
    secret: { env: CRM_HOOK_SECRET }
    rotation: create_first
  all:
    target_url: 'https://all.example.com/hook?a="b"&c=$\${d}'
    is_first: \${!var.paused}
    automation_id: nightly
    protect: true
  by-type:
    target_url: https://audit.example.com/hook
    types: [emailsSent, emailsBounced]
    secret: { env: CRM_HOOK_SECRET }
  everywhere:
    target_url: https://everywhere.example.com/\${replace(lower(data.outreach_campaign.q3.name), " ", "-")}
    types: [emailsOpened, emailsClicked]
    campaigns: live
  two:
    target_url: https://two.example.com/hook
    campaigns: [q3]
lead_unsubscriptions:
  asked:
    campaign: q3
    emails: [Ada@example.com, charles@example.com, ada@example.com]
  everyone:
    campaigns: live
    emails: [Carol@example.com]
    emails_from: suppressions.txt
    on_not_found: accept
outputs:
  q3_id: \${data.outreach_campaign.q3.id}
  urls: ["\${outreach_webhook.crm-replies.target_url}", plain]
  both: '\${[for one in outreach_webhook.by-type : one.id]}'
  secret_url: { value: "\${outreach_webhook.all.target_url}", sensitive: true }
`;
export const SECRET = "a-secret-of-the-crm";

export async function openTerraform(project: Project, context: TestContext): Promise<TerraformUnderTest> {
  if (!hasTerraform) context.skip("no terraform on the PATH");
  const terraform = await TerraformUnderTest.start({
    OUTREACH_BASE_URL: project.sandbox.baseUrl,
    OUTREACH_API_KEY: project.sandbox.keys.good,
    OUTREACH_SETTLE: "0s",
  });
  context.onTestFinished(() => terraform.remove());
  return terraform;
}

/** For a test that imports several instances of a resource. */
export function needsImports(context: TestContext): void {
  context.skip(...faulty("hashicorp/terraform#39068: only the first instance of a resource is imported"));
}

/** The writes that the sandbox received. */
export function writes(project: Project): readonly string[] {
  return project.sandbox
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, target }) => `${method} ${target}`);
}

/** The removed block that the steps print. */
export function givingUp(steps: string): string {
  const [, block = ""] = /\n {5}(removed:\n(?: {5,}.*\n)+)/.exec(steps) ?? [];
  return block.replaceAll(/^ {5}/gm, "");
}

interface PlanJson {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly type: string;
    readonly mode: string;
    readonly change: { readonly after: { readonly [name: string]: unknown } | null };
  }[];
  readonly output_changes?: {
    readonly [name: string]: { readonly after?: unknown; readonly after_sensitive?: unknown };
  };
}

/** The planned creates by address, and the known outputs. */
export async function plannedByAddress(project: Project, config: string): Promise<Changes> {
  const planned = await project.run(`plan -c ${config} --out plan.out --show-emails`);
  if (planned.code !== 0) throw new Error(planned.err);
  const { out } = await project.run("show -json plan.out --show-emails");
  return changesIn(JSON.parse(out) as PlanJson);
}

/** The same for terraform, without nulls. */
export async function terraformPlan(terraform: TerraformUnderTest): Promise<unknown> {
  const planned = await terraform.run("plan", "-no-color", "-input=false", "-out=plan.out");
  if (planned.status !== 0) throw new Error(planned.output);
  const { made, outputs } = changesIn(
    JSON.parse((await terraform.run("show", "-json", "plan.out")).output) as PlanJson,
  );
  const said = Object.entries(made).map(([address, after]) => [
    address,
    Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)),
  ]);
  return { made: Object.fromEntries(said), outputs };
}

interface Changes {
  readonly made: { readonly [address: string]: { readonly [name: string]: unknown } };
  readonly outputs: unknown;
}

function changesIn({ resource_changes: changes, output_changes: outputs }: PlanJson): Changes {
  const managed = changes.filter(({ mode }) => mode === "managed");
  const known = Object.entries(outputs ?? {}).map(([name, { after, after_sensitive: sensitive }]) => [
    name,
    { after, sensitive },
  ]);
  return {
    made: Object.fromEntries(managed.map(({ address, type, change }) => [address, { type, ...change.after }])),
    outputs: Object.fromEntries(known),
  };
}

/** The same without the addresses. */
export async function plannedValues(project: Project, config: string): Promise<unknown> {
  const { made, outputs } = await plannedByAddress(project, config);
  return { made: Object.values(made).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)), outputs };
}

/** A project with this configuration, its list and its secrets. */
export async function openTeam(openProject: () => Promise<Project>): Promise<Project> {
  const project = await openProject();
  project.environment["CRM_HOOK_SECRET"] = SECRET;
  project.environment["TF_VAR_crm_hook_secret"] = SECRET;
  project.write("outreach.yaml", TEAM);
  project.write("suppressions.txt", "dora@example.com\nCAROL@example.com\n");
  return project;
}
