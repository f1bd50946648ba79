import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProviderMirror } from "../../src/generate/provider-mirror.ts";
import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { hasTerraform } from "../doors/terraform/terraform-under-test.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND = join(ROOT, "dist/bin/outreach.js");

/** One way to have the webhook of the quick start: how to apply and destroy it with a secret. */
interface Door {
  readonly name: string;
  readonly needsTerraform: boolean;
  prepare(folder: string): Promise<void>;
  apply(folder: string, environment: NodeJS.ProcessEnv): Promise<string>;
  destroy(folder: string, environment: NodeJS.ProcessEnv): Promise<string>;
}

let shared = "";
const mirrorConfig = (): string => join(shared, "terraform.rc");

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), "outreach-doors-"));
  const mirror = join(shared, "mirror");
  await buildProviderMirror(mirror);
  await writeFile(mirrorConfig(), `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`);
});

afterAll(() => rm(shared, { recursive: true, force: true }));

const reconciler = (configuration: readonly string[]): Pick<Door, "apply" | "destroy"> => ({
  apply: (folder, environment) => run(process.execPath, [COMMAND, "apply", "--auto-approve", ...configuration], { folder, environment }),
  destroy: (folder, environment) => run(process.execPath, [COMMAND, "destroy", "--auto-approve", ...configuration], { folder, environment }),
});

const terraform = (inner: string): Pick<Door, "apply" | "destroy"> => ({
  apply: (folder, environment) => run("terraform", ["apply", "-auto-approve", "-no-color", "-input=false"], { folder: join(folder, inner), environment }),
  destroy: (folder, environment) => run("terraform", ["destroy", "-auto-approve", "-no-color", "-input=false"], { folder: join(folder, inner), environment }),
});

const init = (folder: string): Promise<string> => run("terraform", ["init", "-no-color", "-input=false"], { folder, environment: terraformEnvironment() });

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
resource "outreach_webhook" "crm_replies" {
  target_url  = "https://crm.example.com/hooks/replies"
  type        = "emailsReplied"
  campaign_id = data.outreach_campaign.q3.id
  secret      = var.crm_hook_secret
}
`;

const DOORS: readonly Door[] = [
  {
    name: "YAML",
    needsTerraform: false,
    prepare: (folder) => copyFile(join(ROOT, "examples/quick-start/outreach.yaml"), join(folder, "outreach.yaml")),
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
  ...(["cdk", "cdk-terrain"] as const).flatMap((example): readonly Door[] => [
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

describe("one story through every door: create, no change, rotate, drift, repair, destroy", () => {
  test.for(DOORS)("$name sends what the others send, secrets included", { timeout: 120_000 }, async (door, { skip }) => {
    if (door.needsTerraform && !hasTerraform) skip("no terraform on the PATH");
    const folder = await mkdtemp(join(tmpdir(), "outreach-door-"));
    const sandbox = await startSandbox({ clock: { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms, signal ?? NEVER) }, random: () => 0.5 });
    try {
      await door.prepare(folder);
      await tell(door, { folder, sandbox });
      expect(sandbox.requests().filter(isWrite).map(arrived)).toEqual(EXPECTED);
      expect(sandbox.webhooks()).toEqual([]);
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true });
    }
  });
});

const NEVER = new AbortController().signal;

async function tell(door: Door, { folder, sandbox }: { readonly folder: string; readonly sandbox: Sandbox }): Promise<void> {
  const environment = (secret: string): NodeJS.ProcessEnv => ({
    ...terraformEnvironment(),
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    OUTREACH_SETTLE: "0s",
    CRM_HOOK_SECRET: secret,
    TF_VAR_crm_hook_secret: secret,
  });
  await door.apply(folder, environment("first-secret"));
  const writes = sandbox.requests().filter(isWrite).length;
  expect(await door.apply(folder, environment("first-secret"))).toContain("No changes.");
  expect(sandbox.requests().filter(isWrite)).toHaveLength(writes);
  await door.apply(folder, environment("second-secret"));
  expect(sandbox.webhooks().map(({ secret }) => secret)).toEqual(["second-secret"]);
  for (const { _id } of sandbox.webhooks()) expect(sandbox.remove("webhooks", _id)).toBe(true);
  await door.apply(folder, environment("second-secret"));
  await door.destroy(folder, environment("second-secret"));
}

function isWrite({ method }: LoggedRequest): boolean {
  return method !== "GET";
}

function arrived({ method, path, query, body, status }: LoggedRequest) {
  return { method, path, query, body, status };
}

const created = (secret: string) => ({
  method: "POST",
  path: "/hooks",
  query: { campaignId: "cam_000001" },
  body: { targetUrl: "https://crm.example.com/hooks/replies", type: "emailsReplied", campaignId: "cam_000001", secret },
  status: 200,
});
const deleted = (id: string) => ({ method: "DELETE", path: `/hooks/${id}`, query: {}, body: null, status: 200 });

const EXPECTED = [created("first-secret"), deleted("hoo_000001"), created("second-secret"), created("second-secret"), deleted("hoo_000003")];

function terraformEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: shared, TF_CLI_CONFIG_FILE: mirrorConfig(), CHECKPOINT_DISABLE: "1" };
}

async function synthesise(example: string, folder: string): Promise<void> {
  await run(process.execPath, ["--import", import.meta.resolve("tsx"), join(ROOT, "examples", example, "main.ts")], {
    folder,
    environment: { PATH: process.env["PATH"], CDKTF_OUTDIR: join(folder, "cdktf.out") },
  });
}

/** Runs a program to its end and returns what it said; a failure is one of the test. */
function run(
  program: string,
  args: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Promise<string> {
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
