import { exec } from "node:child_process";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { PROFILES } from "../../../src/sandbox/profiles.ts";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { fencesOf } from "../../docs/markdown.ts";
import { ROOT, read } from "../../docs/pages.ts";
import { sandboxForTest } from "../terraform/provider-under-test.ts";
import { story } from "../terraform/stories/story.ts";
import { PackedPackage, installed } from "./packed-package.ts";

const TEMPLATE = path.join(ROOT, "examples/cdk-template");

interface Manifest {
  readonly scripts: { readonly [name: string]: string };
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

const LIVE = ["emailsReplied", "interested"].map((type) => ({
  type,
  targetUrl: `https://crm.example.com/hooks/outreach?event=${type}`,
  secret: "secret-of-the-template",
}));

let packed: PackedPackage;
let project = "";
let template: Manifest;
beforeAll(async () => {
  packed = await PackedPackage.make();
  template = JSON.parse(await readFile(path.join(TEMPLATE, "package.json"), "utf8")) as Manifest;
  const { "outreach-as-code": _, ...others } = { ...template.dependencies, ...template.devDependencies };
  project = await packed.openProject(Object.keys(others));
  await cp(path.join(packed.content, "examples/cdk-template"), project, { recursive: true });
  // npm's links to the packages' commands.
  const bin = path.join(project, "node_modules/.bin");
  await mkdir(bin);
  for (const name of ["tsc", "tsx"]) await symlink(path.join(installed(".bin"), name), path.join(bin, name));
  await symlink(path.join("../outreach-as-code", manifest.bin.outreach), path.join(bin, "outreach"));
});
afterAll(() => packed.remove());

/** Runs a command line in the copy of the template. */
async function type(line: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(exec)(line, {
    cwd: project,
    env: { ...process.env, CHECKPOINT_DISABLE: "1", ...environment },
  });
  return stdout;
}

test("the template depends on the packed package, and on the tested versions", () => {
  const { "outreach-as-code": own, ...others } = { ...template.dependencies, ...template.devDependencies };
  expect(own).toBe(`file:${manifest.name}-${manifest.version}.tgz`);
  expect(manifest.devDependencies).toMatchObject(others);
  expect(template).toMatchObject({ engines: manifest.engines });
});

test("a copy of the template passes the type check", { timeout: 60_000 }, async () => {
  expect(await type("npm run -s check")).toBe("");
});

test(
  "a copy of the template passes its own test, which finds a mistake in the stack",
  { timeout: 60_000 },
  async () => {
    expect(await type("npm test -s")).toContain("# pass 1");
    const file = path.join(project, "webhooks-stack.ts");
    const sound = await readFile(file, "utf8");
    await writeFile(file, sound.replace("https://crm.example.com/hooks/outreach", "crm.example.com/hooks/outreach"));
    await expect(type("npm test -s")).rejects.toMatchObject({
      stdout: expect.stringContaining("targetUrl is not an absolute URL.") as string,
    });
    await writeFile(file, sound);
  },
);

test("the program in the template's cdktf.json synthesises its stack", { timeout: 60_000 }, async () => {
  const { app, terraformProviders } = JSON.parse(await readFile(path.join(project, "cdktf.json"), "utf8")) as {
    readonly [key: string]: string;
  };
  expect(terraformProviders).toEqual([]);
  await type(app ?? "");
  expect(await stack()).toMatchObject({
    resource: {
      outreach_webhook: {
        crm: {
          for_each: '${toset(["emailsReplied", "interested"])}',
          type: "${each.value}",
          secret: "${var.crm_hook_secret}",
        },
      },
    },
  });
});

test.for(Object.entries(PROFILES))(
  "a copy of the template is applied without Terraform to a service of the kind %s, and then has no changes",
  { timeout: 60_000 },
  async ([, { choices, profile }]) => {
    const sandbox = await sandboxForTest({ choices, profile });
    try {
      const variables = {
        OUTREACH_BASE_URL: sandbox.baseUrl,
        OUTREACH_API_KEY: sandbox.keys.good,
        OUTREACH_VAR_crm_hook_secret: "secret-of-the-template",
      };
      expect(await type("npm run -s apply -- --auto-approve", variables)).toContain(
        "Apply complete! Resources: 2 added, 0 changed, 0 destroyed.",
      );
      expect(liveIn(sandbox)).toMatchObject(LIVE);
      expect(await type("npm run -s plan", variables)).toContain("No changes.");
      expect(await readFile(path.join(project, "outreach.webhooks.state.json"), "utf8")).not.toContain(
        "secret-of-the-template",
      );
    } finally {
      await rm(path.join(project, "outreach.webhooks.state.json"), { force: true });
      await sandbox.close();
    }
  },
);

test("a misspelled constant stops a copy of the template before the synthesis", { timeout: 60_000 }, async () => {
  const program = path.join(project, "webhooks-stack.ts");
  const sound = await readFile(program, "utf8");
  await writeFile(program, sound.replace("emailsReplied", "emailReplied"));
  await expect(type("npm run -s plan")).rejects.toMatchObject({
    stdout: expect.stringContaining("Did you mean 'emailsReplied'?") as string,
  });
  await writeFile(program, sound);
});

let synthesised: Promise<object> | null = null;
/** Once for both kinds: the service has no part in it. */
const synthesise = (): Promise<object> => (synthesised ??= type("npm run -s synth").then(stack));

describe.each(Object.entries(PROFILES))("on a service of the kind %s", (_, { choices, profile }) => {
  story(
    "a copy of the template is applied by terraform, and then has no changes",
    { timeout: 120_000 },
    async ({ sandbox, terraform }) => {
      sandbox.configure({ choices, profile });
      terraform.write("provider.tf", "");
      terraform.write("cdk.tf.json", JSON.stringify(await synthesise()));
      terraform.environment = { ...terraform.environment, TF_VAR_crm_hook_secret: "secret-of-the-template" };
      expect(await terraform.run("init", "-no-color", "-input=false")).toMatchObject({ status: 0 });
      expect((await terraform.apply()).output).toContain("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.");
      expect(liveIn(sandbox)).toMatchObject(LIVE);
      expect(await terraform.plan()).toMatchObject({ status: 0 });
      // The stack names the place of its state.
      expect(await terraform.destroy()).toMatchObject({ status: 0 });
    },
  );
});

test("the guide's program passes the type check, and is synthesised", { timeout: 60_000 }, async () => {
  await mkdir(path.join(project, "suppressions"));
  await writeFile(path.join(project, "suppressions/2026-11.csv"), "ada@example.com\nlinus@example.org\n");
  await writeFile(path.join(project, "guide.ts"), guideApp());
  expect(await type("npm run -s check")).toBe("");
  await type("npx tsx guide.ts");
  const addresses = {
    "requests-2026-11": { for_each: '${toset(["ada@example.com", "linus@example.org"])}' },
    "from-everything": {},
  };
  expect(await stack()).toMatchObject({
    resource: { outreach_webhook: { crm_replies: {}, audit: {} }, outreach_lead_unsubscription: addresses },
    moved: [
      { from: "outreach_webhook.bounces", to: "outreach_webhook.crm_bounces" },
      { from: "outreach_webhook.news_unsubscribed", to: 'outreach_webhook.news["emailsUnsubscribed"]' },
    ],
  });
});

/** The app of the guide, with its other blocks in the same stack. */
function guideApp(): string {
  const fences = fencesOf(read("docs/guides/cdk.md")).filter(({ language }) => language === "ts");
  const [app = ""] = fences.flatMap(({ words, text }) => (words.includes("main.ts") ? [text] : []));
  const blocks = fences.flatMap(({ words, text }) => (words.includes("stack") ? [text] : []));
  expect(blocks).toHaveLength(3);
  const constructs = {
    DataOutreachCampaigns: "data-outreach-campaigns",
    SuppressionList: "suppression-list",
    "Each, WebhookSet": "webhook-set",
  };
  const imports = Object.entries(constructs).map(
    ([name, folder]) => `import { ${name} } from "outreach-as-code/cdktn/lib/${folder}";\n`,
  );
  return `${imports.join("")}${app.replace("\n  }\n}\n", () => `\n${blocks.join("")}\n  }\n}\n`)}`;
}

/** Sorted, because Terraform creates them in any order. */
function liveIn(sandbox: Sandbox) {
  return sandbox.webhooks().toSorted((one, other) => ((one.type ?? "") < (other.type ?? "") ? -1 : 1));
}

async function stack(): Promise<object> {
  return JSON.parse(await readFile(path.join(project, "cdktf.out/stacks/webhooks/cdk.tf.json"), "utf8")) as object;
}
