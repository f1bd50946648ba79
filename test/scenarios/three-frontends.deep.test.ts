import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { type BundledCommand, bundledCommand } from "../frontends/cli/bundled-command.ts";
import { installedProvider } from "../frontends/terraform/installed-provider.ts";
import { ServedProvider } from "../frontends/terraform/served-provider.ts";
import { TERRAFORM_SETTINGS } from "../frontends/terraform/terraform-settings.ts";
import { hasTerraform } from "../frontends/terraform/terraform-under-test.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROVIDERS = join(ROOT, "dist/provider");

/** One way to declare the same webhooks and unsubscriptions: how to apply and destroy them with a secret. */
interface Frontend {
  readonly name: string;
  readonly needsTerraform: boolean;
  prepare(folder: string): Promise<void>;
  apply(folder: string, environment: Environment): Promise<string>;
  destroy(folder: string, environment: Environment): Promise<string>;
}

let home = "";
let cliConfiguration = "";
let served: ServedProvider;
let command: BundledCommand;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "outreach-frontends-"));
  [served, command] = await Promise.all([ServedProvider.open(), bundledCommand()]);
  if (hasTerraform) ({ cliConfiguration } = await installedProvider());
});

afterAll(async () => {
  await served.close();
  await rm(home, { recursive: true, force: true });
});

const reconciler = (configuration: readonly string[]): Pick<Frontend, "apply" | "destroy"> => ({
  apply: (folder, environment) => runCommand(["apply", "--auto-approve", ...configuration], { folder, environment }),
  destroy: (folder, environment) =>
    runCommand(["destroy", "--auto-approve", ...configuration], { folder, environment }),
});

const terraform = (inner: string): Pick<Frontend, "apply" | "destroy"> => ({
  apply: (folder, environment) =>
    run("terraform", ["apply", "-auto-approve", "-no-color", "-input=false"], {
      folder: join(folder, inner),
      environment,
    }),
  destroy: (folder, environment) =>
    run("terraform", ["destroy", "-auto-approve", "-no-color", "-input=false"], {
      folder: join(folder, inner),
      environment,
    }),
});

const init = (folder: string): Promise<string> =>
  run("terraform", ["init", "-no-color", "-input=false"], { folder, environment: terraformEnvironment() });

const YAML = `
version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
  campaigns:
    live: { status: running }
webhooks:
  crm_replies:
    target_url: https://crm.example.com/hooks/replies
    type: emailsReplied
    campaign: q3
    secret: { env: CRM_HOOK_SECRET }
  audit:
    target_url: https://audit.example.com/hooks/outreach?event=\${each.type}&campaign=\${each.campaign_id}
    types: [emailsBounced, emailsSent]
    campaigns: live
lead_unsubscriptions:
  requests-2026-11:
    campaign: q3
    emails: [ada@example.com, Charles@example.com, nobody@example.com]
`;

const HCL = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
variable "crm_hook_secret" {
  type      = string
  sensitive = true
}
data "outreach_campaign" "q3" {
  name = "Q3 launch"
}
data "outreach_campaigns" "live" {
  status = "running"
}
resource "outreach_webhook" "crm_replies" {
  target_url  = "https://crm.example.com/hooks/replies"
  type        = "emailsReplied"
  campaign_id = data.outreach_campaign.q3.id
  secret      = var.crm_hook_secret
}
resource "outreach_webhook" "audit" {
  for_each = {
    for pair in setproduct(["emailsBounced", "emailsSent"], data.outreach_campaigns.live.ids) :
    "\${pair[0]}/\${pair[1]}" => { type = pair[0], campaign = pair[1] }
  }
  target_url  = "https://audit.example.com/hooks/outreach?event=\${each.value.type}&campaign=\${each.value.campaign}"
  type        = each.value.type
  campaign_id = each.value.campaign
}
resource "outreach_lead_unsubscription" "requests-2026-11" {
  for_each    = toset(["ada@example.com", "Charles@example.com", "nobody@example.com"])
  campaign_id = data.outreach_campaign.q3.id
  email       = each.key
}
`;

const FRONTENDS: readonly Frontend[] = [
  {
    name: "YAML",
    needsTerraform: false,
    prepare: (folder) => writeFile(join(folder, "outreach.yaml"), YAML),
    ...reconciler([]),
  },
  {
    name: "HCL under terraform",
    needsTerraform: true,
    prepare: async (folder) => {
      await mkdir(join(folder, "hcl"));
      await writeFile(join(folder, "hcl/main.tf"), HCL);
      await init(join(folder, "hcl"));
    },
    ...terraform("hcl"),
  },
  ...(["cdk", "cdk-terrain"] as const).flatMap((example): readonly Frontend[] => [
    {
      name: `${example} stack under our reconciler`,
      needsTerraform: false,
      prepare: (folder) => synthesise(example, folder),
      ...reconciler(["-c", "cdktf.out/stacks/webhooks"]),
    },
    {
      name: `${example} stack under terraform`,
      needsTerraform: true,
      prepare: async (folder) => {
        await synthesise(example, folder);
        await init(join(folder, "cdktf.out/stacks/webhooks"));
      },
      ...terraform("cdktf.out/stacks/webhooks"),
    },
  ]),
];

describe.concurrent("one story through every frontend: create, no change, rotate, repair what is gone, destroy", () => {
  describe.for(Object.entries(PROFILES))("on a service of the kind %s", ([, service]) => {
    test.for(FRONTENDS)(
      "$name sends what the others send, secrets included",
      { timeout: 120_000 },
      async (frontend, { skip }) => {
        if (frontend.needsTerraform && !hasTerraform) skip("no terraform on the PATH");
        const folder = await mkdtemp(join(tmpdir(), "outreach-frontend-"));
        const sandbox = await startSandbox({
          clock: { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms, signal ?? new AbortController().signal) },
          random: () => 0.5,
          ...service,
        });
        try {
          await frontend.prepare(folder);
          await tell(frontend, { folder, sandbox });
        } finally {
          await sandbox.close();
          await rm(folder, { recursive: true });
        }
      },
    );
  });
});

async function tell(
  frontend: Frontend,
  { folder, sandbox }: { readonly folder: string; readonly sandbox: Sandbox },
): Promise<void> {
  const written = writesOf(sandbox);
  const others = sandbox.webhooks();
  const live = (): readonly string[] =>
    ours(sandbox, others)
      .map(({ secret, ...rest }) => told({ ...rest, ...(secret === null ? {} : { secret }) }))
      .toSorted();
  const apply = (secret: string): Promise<string> => frontend.apply(folder, environmentOf(sandbox, secret));

  await apply("first-secret");
  expect(written().toSorted()).toEqual([...AUDIT, crm("first-secret"), ...UNSUBSCRIBED].map(created).toSorted());
  expect(live()).toEqual([...AUDIT, crm("first-secret")].map(told).toSorted());

  expect(await apply("first-secret")).toContain("No changes.");
  expect(written()).toEqual([]);

  await apply("second-secret");
  expect(written()).toEqual([deleted(crm("first-secret")), created(crm("second-secret"))]);

  // Three, so that the list of the `published` kind has 14 webhooks: where the length is a multiple of 5, it may be truncated.
  const isGone = ({ type, campaignId }: Pick<Declared, "type" | "campaignId">): boolean =>
    type === "emailsReplied" || campaignId === "cam_000002";
  for (const { _id } of ours(sandbox, others).filter(isGone)) expect(sandbox.remove("webhooks", _id)).toBe(true);
  await apply("second-secret");
  expect(written().toSorted()).toEqual([...AUDIT, crm("second-secret")].filter(isGone).map(created).toSorted());
  expect(live()).toEqual([...AUDIT, crm("second-secret")].map(told).toSorted());

  await frontend.destroy(folder, environmentOf(sandbox, "second-secret"));
  expect(written().toSorted()).toEqual([...AUDIT, crm("second-secret")].map(deleted).toSorted());
  expect(sandbox.webhooks()).toEqual(others);
  const unsubscribed = sandbox.records("leads").filter(({ unsubscribedAt }) => unsubscribedAt !== null);
  expect(unsubscribed.map(({ campaignId, email }) => `${campaignId} ${email}`)).toEqual([
    "cam_000001 ada@example.com",
    "cam_000001 charles@example.com",
  ]);
}

interface Declared {
  readonly campaignId: string | null;
  readonly targetUrl?: string;
  readonly type?: string | null;
  readonly secret?: string;
  readonly email?: string;
}

const crm = (secret: string): Declared => ({
  targetUrl: "https://crm.example.com/hooks/replies",
  type: "emailsReplied",
  campaignId: "cam_000001",
  secret,
});
/** The campaigns of the sandbox's first team that are running. */
const RUNNING = ["cam_000001", "cam_000002", "cam_000007"];
const AUDIT: readonly Declared[] = ["emailsBounced", "emailsSent"].flatMap((type) =>
  RUNNING.map((campaignId) => ({
    targetUrl: `https://audit.example.com/hooks/outreach?event=${type}&campaign=${campaignId}`,
    type,
    campaignId,
  })),
);
const UNSUBSCRIBED: readonly Declared[] = ["ada@example.com", "charles@example.com", "nobody@example.com"].map(
  (email) => ({
    campaignId: "cam_000001",
    email,
  }),
);

const told = (what: Declared): string => JSON.stringify(what, ["campaignId", "targetUrl", "type", "secret", "email"]);
const created = (what: Declared): string => `POST ${told(what)}`;
const deleted = (what: Declared): string => `DELETE ${told(what)}`;

/** The webhooks that were not there before. */
function ours(sandbox: Sandbox, others: ReturnType<Sandbox["webhooks"]>): ReturnType<Sandbox["webhooks"]> {
  const ids = new Set(others.map(({ _id }) => _id));
  return sandbox.webhooks().filter(({ _id }) => !ids.has(_id));
}

/** What was written since the last call, in the order of arrival, without what the rate limit refused: each process counts for itself. Ids depend on what Terraform does at the same time: a webhook is told by what it was made with. */
function writesOf(sandbox: Sandbox): () => readonly string[] {
  const made = new Map<string, Declared>();
  let seen = 0;
  return () => {
    const writes = sandbox.requests().filter(({ method, status }) => method !== "GET" && status !== 429);
    const fresh = writes.slice(seen);
    seen = writes.length;
    return fresh.map((request) => oneWrite(request, made));
  };
}

function oneWrite({ method, path, query, body, response }: LoggedRequest, made: Map<string, Declared>): string {
  const [, collection = "", id = "", , email = ""] = path.split("/");
  if (collection === "campaigns") return created({ campaignId: id, email: decodeURIComponent(email).toLowerCase() });
  if (method === "DELETE") return deleted(made.get(id) ?? { campaignId: path });
  const sent = body as Declared;
  expect(query).toEqual({ campaignId: sent.campaignId });
  made.set((JSON.parse(response ?? "") as { readonly _id: string })._id, sent);
  return created(sent);
}

type Environment = { readonly [name: string]: string };

/** The environment of one who rotates the secret of the CRM. */
function environmentOf(sandbox: Sandbox, secret: string): Environment {
  return {
    ...terraformEnvironment(),
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    OUTREACH_SETTLE: "0s",
    CRM_HOOK_SECRET: secret,
    TF_VAR_crm_hook_secret: secret,
  };
}

function terraformEnvironment(): Environment {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TF_CLI_CONFIG_FILE: cliConfiguration,
    ...TERRAFORM_SETTINGS,
    ...served.environment,
  };
}

const synthesised = new Map<string, Promise<string>>();

/** A stack depends on its folder alone, which has its state: one is enough for each example. */
async function synthesise(example: string, folder: string): Promise<void> {
  const made = synthesised.get(example) ?? synthesiseIn(join(home, example), example);
  synthesised.set(example, made);
  await cp(await made, join(folder, "cdktf.out"), { recursive: true });
  const stack = join(folder, "cdktf.out/stacks/webhooks/cdk.tf.json");
  await writeFile(stack, (await readFile(stack, "utf8")).replaceAll(join(home, example), folder));
}

async function synthesiseIn(folder: string, example: string): Promise<string> {
  await mkdir(folder);
  await run(process.execPath, ["--import", import.meta.resolve("tsx"), join(ROOT, "examples", example, "main.ts")], {
    folder,
    environment: { PATH: process.env["PATH"] ?? "", CDKTF_OUTDIR: join(folder, "cdktf.out") },
  });
  return join(folder, "cdktf.out");
}

interface Place {
  readonly folder: string;
  readonly environment: Environment;
}

/** Runs our command to its end and returns what it said; a failure is one of the test. */
async function runCommand(words: readonly string[], place: Place): Promise<string> {
  const { code, out, err } = await command.runInProcess({
    words,
    ...place,
    clock: nodeClock,
    providerFolder: PROVIDERS,
  }).ended;
  if (code !== 0) throw new Error(`outreach ${words.join(" ")} ended with ${String(code)}:\n${out}${err}`);
  return out;
}

/** Runs a program to its end and returns what it said; a failure is one of the test. */
function run(program: string, args: readonly string[], { folder, environment }: Place): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      const text = Buffer.concat(chunks).toString();
      if (exitCode === 0) resolve(text);
      else reject(new Error(`${program} ${args.join(" ")} ended with ${String(exitCode)}:\n${text}`));
    });
  });
}
