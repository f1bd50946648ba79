import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const DEPENDENCIES = ["cdktf", "cdktn", "constructs", "@types"];
const run = promisify(execFile);

/** A project that has the package installed. */
let project = "";

beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), "outreach-user-"));
  await mkdir(path.join(project, "node_modules"));
  await symlink(ROOT, path.join(project, "node_modules/outreach-as-code"));
  for (const name of DEPENDENCIES) await symlink(path.join(ROOT, "node_modules", name), path.join(project, "node_modules", name));
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe.for(["cdktf", "cdktn"])("the constructs for %s", (flavour) => {
  test.for([
    { name: "CommonJS under node16", module: "node16", moduleResolution: "node16", file: "main.cts" },
    { name: "ES modules under nodenext", module: "nodenext", moduleResolution: "nodenext", file: "main.mts" },
    { name: "a bundler", module: "esnext", moduleResolution: "bundler", file: "main.ts" },
  ])("have types for $name", async ({ module, moduleResolution, file }) => {
    await writeFile(path.join(project, file), source(flavour));
    const options = { target: "es2022", module, moduleResolution, strict: true, noEmit: true, types: ["node"], skipLibCheck: true };
    await writeFile(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: [file] }));
    await expect(run(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project])).resolves.toMatchObject({ stdout: "" });
  });

  test("reject an argument that the provider does not have", async () => {
    await writeFile(path.join(project, "main.mts"), source(flavour).replace("targetUrl", "targetURL"));
    const options = { target: "es2022", module: "nodenext", strict: true, noEmit: true, types: ["node"], skipLibCheck: true };
    await writeFile(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["main.mts"] }));
    await expect(run(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project])).rejects.toMatchObject({
      stdout: expect.stringContaining("targetURL") as string,
    });
  });

  test.for([
    { name: "required", file: "main.cjs", text: `const { Webhook } = require("outreach-as-code/${flavour}/lib/webhook");` },
    { name: "imported", file: "main.mjs", text: `import { Webhook } from "outreach-as-code/${flavour}/lib/webhook";` },
    { name: "imported from the index", file: "main.mjs", text: `import { webhook } from "outreach-as-code/${flavour}";\nconst { Webhook } = webhook;` },
  ])("can be $name", async ({ file, text }) => {
    await writeFile(path.join(project, file), `${text}\nprocess.stdout.write(Webhook.tfResourceType);\n`);
    await expect(run(process.execPath, [path.join(project, file)])).resolves.toMatchObject({ stdout: "outreach_webhook" });
  });
});

function source(flavour: string): string {
  return `import { DataOutreachCampaign } from "outreach-as-code/${flavour}/lib/data-outreach-campaign";
import { OutreachProvider } from "outreach-as-code/${flavour}/lib/provider";
import { Webhook, type WebhookConfig } from "outreach-as-code/${flavour}/lib/webhook";
import { App, TerraformStack } from "${flavour}";

const stack = new TerraformStack(new App(), "webhooks");
new OutreachProvider(stack, "outreach", { baseUrl: "https://api.example.com/api" });
const campaign = new DataOutreachCampaign(stack, "q3", { name: "Q3 launch" });
const config: WebhookConfig = { targetUrl: "https://crm.example.com", campaignId: campaign.id };
export const id: string = new Webhook(stack, "crm", config).id;
`;
}
