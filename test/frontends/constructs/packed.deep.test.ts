import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PackedPackage, installed, run } from "./packed-package.ts";
import { FLAVOURS } from "./flavours.ts";

type Format = "commonjs" | "module";

/**
 * How users compile. One program holds both module formats, because each compiler reads the flavour's own types for seconds; TypeScript 5.9 also
 * checks them for seconds, so it does that once.
 */
const PROGRAMS = [
  { compiler: "typescript-5.9", resolution: "node16", formats: ["commonjs", "module"], options: { module: "node16" } },
  {
    compiler: "typescript-5.9",
    resolution: "bundler",
    formats: ["module"],
    options: { module: "esnext", skipLibCheck: true },
  },
  { compiler: "typescript", resolution: "nodenext", formats: ["commonjs", "module"], options: { module: "nodenext" } },
  { compiler: "typescript", resolution: "bundler", formats: ["module"], options: { module: "esnext" } },
] as const;

let packed: PackedPackage;
beforeAll(async () => {
  packed = await PackedPackage.make();
});
afterAll(() => packed.remove());

describe.for(FLAVOURS)("the packed constructs for %s, in a project without the other flavour,", (flavour) => {
  let project = "";
  beforeAll(async () => {
    project = await packed.openProject([flavour, "constructs", "@types/node"], {
      "left.csv": "email\nada@example.com\n",
    });
  });

  test.for(PROGRAMS)(
    "are compiled by $compiler for $resolution and synthesised as $formats, and an argument that the provider does not have is rejected",
    { timeout: 60_000 },
    async (program) => {
      const folder = path.join(project, `${program.compiler}-${program.resolution}`);
      await write(folder, program, {
        "main.ts": source(flavour),
        "wrong.ts": source(flavour).replace("targetUrl:", "targetURL:"),
      });
      expect(await errorsOf(program.compiler, folder)).toEqual(
        program.formats.map(
          (format) => expect.stringMatching(new RegExp(`^${format}/wrong\\.ts.* error TS2\\d+: .*targetURL`)) as string,
        ),
      );
      for (const format of program.formats) {
        const compiled = path.join(folder, format, "main.js");
        const main = program.resolution === "bundler" ? await bundle(compiled, flavour) : compiled;
        await run(process.execPath, [main], { cwd: project, env: { ...process.env, CHECKPOINT_DISABLE: "1" } });
        const stack = JSON.parse(
          await readFile(path.join(project, "cdktf.out/stacks/hooks/cdk.tf.json"), "utf8"),
        ) as object;
        expect(stack, format).toMatchObject(SYNTHESISED);
        await rm(path.join(project, "cdktf.out"), { recursive: true });
      }
    },
  );

  test("can be imported from the index", async () => {
    const text = `import { webhook, webhookSet, eventType } from "outreach-as-code/${flavour}";
      process.stdout.write([webhook.Webhook.tfResourceType, webhookSet.WebhookSet.name, eventType.EventType.emailsSent].join());`;
    await writeFile(path.join(project, "index.mjs"), text);
    expect(await run(process.execPath, [path.join(project, "index.mjs")])).toMatchObject({
      stdout: "outreach_webhook,WebhookSet,emailsSent",
    });
  });
});

type Files = { readonly [name: string]: string };

interface Program {
  readonly resolution: string;
  readonly formats: readonly Format[];
  readonly options: object;
}

/** Writes the files once for each module format, in a folder whose package.json says that format. */
async function write(folder: string, { resolution, formats, options }: Program, files: Files): Promise<void> {
  for (const format of formats) {
    await mkdir(path.join(folder, format), { recursive: true });
    await writeFile(path.join(folder, format, "package.json"), JSON.stringify({ private: true, type: format }));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, format, name), text);
  }
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022"],
    moduleResolution: resolution,
    strict: true,
    types: ["node"],
    ...options,
  };
  const all = formats.flatMap((format) => Object.keys(files).map((name) => `${format}/${name}`));
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: all }));
}

/** It writes every file, with errors or without. */
async function errorsOf(compiler: string, folder: string): Promise<readonly string[]> {
  const compiled = run(process.execPath, [path.join(installed(compiler), "bin/tsc"), "-p", "."], { cwd: folder });
  const { stdout } = await compiled.catch((error: unknown) => error as { readonly stdout: string });
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

/** The flavour's own package stays outside, because it reads files next to its modules. */
async function bundle(file: string, flavour: string): Promise<string> {
  const outfile = file.replace(/js$/, "cjs");
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: [flavour, "constructs"],
    logLevel: "error",
  });
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
const types: string[] = [EventType.emailsSent, EventType.emailsBounced];
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
      crm: {
        target_url: "https://crm.example.com",
        type: "emailsReplied",
        campaign_id: "${data.outreach_campaign.q3.id}",
      },
      audit: {
        target_url: "https://audit.example.com",
        type: "${each.value.type}",
        campaign_id: "${each.value.campaign_id}",
      },
    },
    outreach_lead_unsubscription: {
      left: {
        for_each: '${toset(["ada@example.com"])}',
        campaign_id: "${data.outreach_campaign.q3.id}",
        email: "${each.value}",
      },
    },
  },
};
