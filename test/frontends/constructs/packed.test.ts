import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PackedPackage, installed, run } from "./packed-package.ts";
import { FLAVOURS } from "./flavours.ts";

const COMPILERS = ["typescript-5.9", "typescript"] as const;
const MODES = [
  { mode: "CommonJS under node16", type: "commonjs", module: "node16", moduleResolution: "node16" },
  { mode: "ES modules under nodenext", type: "module", module: "nodenext", moduleResolution: "nodenext" },
  { mode: "a bundler", type: "module", module: "esnext", moduleResolution: "bundler" },
] as const;

let packed: PackedPackage;
beforeAll(async () => {
  packed = await PackedPackage.make();
});
afterAll(() => packed.remove());

describe.for(FLAVOURS)("the packed constructs for %s, in a project without the other flavour,", (flavour) => {
  let project = "";
  beforeAll(async () => {
    project = await packed.openProject([flavour, "constructs", "@types/node"], { "left.csv": "email\nada@example.com\n" });
  });

  test.for(COMPILERS.flatMap((compiler) => MODES.map((mode) => ({ compiler, ...mode }))))(
    "are compiled by $compiler and synthesised as $mode, and an argument that the provider does not have is rejected",
    { timeout: 60_000 },
    async ({ compiler, ...mode }) => {
      await write(project, mode, { "main.ts": source(flavour), "wrong.ts": source(flavour).replace("targetUrl:", "targetURL:") });
      expect(await errorsOf(compiler, project)).toEqual([expect.stringMatching(/^wrong\.ts.* error TS2\d+: .*targetURL/)]);
      const compiled = path.join(project, "out/main.js");
      const main = mode.moduleResolution === "bundler" ? await bundle(compiled, flavour) : compiled;
      await run(process.execPath, [main], { cwd: project, env: { ...process.env, CHECKPOINT_DISABLE: "1" } });
      const stack = JSON.parse(await readFile(path.join(project, "cdktf.out/stacks/hooks/cdk.tf.json"), "utf8")) as object;
      expect(stack).toMatchObject(SYNTHESISED);
      await rm(path.join(project, "cdktf.out"), { recursive: true });
    },
  );

  test("can be imported from the index", async () => {
    const text = `import { webhook, webhookSet, eventType } from "outreach-as-code/${flavour}";
      process.stdout.write([webhook.Webhook.tfResourceType, webhookSet.WebhookSet.name, eventType.EventType.emailsSent].join());`;
    await writeFile(path.join(project, "index.mjs"), text);
    expect(await run(process.execPath, [path.join(project, "index.mjs")])).toMatchObject({ stdout: "outreach_webhook,WebhookSet,emailsSent" });
  });
});

type Files = { readonly [name: string]: string };

async function write(project: string, { type, module, moduleResolution }: Omit<(typeof MODES)[number], "mode">, files: Files): Promise<void> {
  const compilerOptions = { target: "es2022", lib: ["es2022"], module, moduleResolution, strict: true, types: ["node"], outDir: "out" };
  await writeFile(path.join(project, "package.json"), JSON.stringify({ private: true, type }));
  await writeFile(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(project, name), text);
}

/** Compiles once for all files: each compiler reads the flavour's own types for seconds. It writes every file, with errors or without. */
async function errorsOf(compiler: (typeof COMPILERS)[number], project: string): Promise<readonly string[]> {
  const compiled = run(process.execPath, [path.join(installed(compiler), "bin/tsc"), "-p", "."], { cwd: project });
  const { stdout } = await compiled.catch((error: unknown) => error as { readonly stdout: string });
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

/** The flavour's own package stays outside, because it reads files next to its modules. */
async function bundle(file: string, flavour: string): Promise<string> {
  const outfile = file.replace(/js$/, "cjs");
  await build({ entryPoints: [file], outfile, bundle: true, platform: "node", format: "cjs", external: [flavour, "constructs"], logLevel: "error" });
  return outfile;
}

function source(flavour: string): string {
  return `import { DataOutreachCampaign } from "outreach-as-code/${flavour}/lib/data-outreach-campaign";
import { EventType } from "outreach-as-code/${flavour}/lib/event-type";
import { OutreachProvider } from "outreach-as-code/${flavour}/lib/provider";
import { SuppressionList } from "outreach-as-code/${flavour}/lib/suppression-list";
import { Webhook, type WebhookConfig } from "outreach-as-code/${flavour}/lib/webhook";
import { WebhookSet } from "outreach-as-code/${flavour}/lib/webhook-set";
import { App, TerraformStack } from "${flavour}";

const app = new App();
const stack = new TerraformStack(app, "hooks");
new OutreachProvider(stack, "outreach", { baseUrl: "https://api.example.com/api" });
const campaign = new DataOutreachCampaign(stack, "q3", { name: "Q3 launch" });
const config: WebhookConfig = { targetUrl: "https://crm.example.com", type: EventType.emailsReplied, campaignId: campaign.id };
const id: string = new Webhook(stack, "crm", config).id;
const types: readonly EventType[] = [EventType.emailsSent, EventType.emailsBounced];
new WebhookSet(stack, "audit", { targetUrl: "https://audit.example.com", types, campaigns: [campaign.id] });
new SuppressionList(stack, "left", { campaignId: campaign.id, file: "left.csv" });
if (id.length > 0) app.synth();
`;
}

const SYNTHESISED = {
  provider: { outreach: [{ base_url: "https://api.example.com/api" }] },
  data: { outreach_campaign: { q3: { name: "Q3 launch" } } },
  resource: {
    outreach_webhook: {
      crm: { target_url: "https://crm.example.com", type: "emailsReplied", campaign_id: "${data.outreach_campaign.q3.id}" },
      audit: { target_url: "https://audit.example.com", type: "${each.value.type}", campaign_id: "${each.value.campaign_id}" },
    },
    outreach_lead_unsubscription: {
      left: { for_each: '${toset(["ada@example.com"])}', campaign_id: "${data.outreach_campaign.q3.id}", email: "${each.value}" },
    },
  },
};
