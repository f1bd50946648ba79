import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { read } from "../../docs/pages.ts";
import { installedProvider } from "../terraform/installed-provider.ts";
import { sandboxForTest } from "../terraform/provider-under-test.ts";
import { hasTerraform } from "../terraform/terraform-under-test.ts";
import { installed } from "./packed-package.ts";

const hasCommand = spawnSync("cdktf", ["--version"], { env: { ...process.env, CHECKPOINT_DISABLE: "1" } }).status === 0;

const PROGRAM = `import { App, TerraformStack } from "cdktf";
import { OutreachProvider } from "outreach-as-code/cdktf/lib/provider";
import { Webhook } from "outreach-as-code/cdktf/lib/webhook";

const app = new App();
const stack = new TerraformStack(app, "webhooks");
new OutreachProvider(stack, "outreach");
new Webhook(stack, "crm", { targetUrl: "https://crm.example.com/hooks", type: "emailsReplied" });
app.synth();
`;
const SETTINGS = {
  language: "typescript",
  app: "npx tsx main.ts",
  projectId: "0d1f4a7c-93b2-4f0e-8b6a-5c2e7d9a1f36",
  sendCrashReports: "false",
  terraformProviders: [],
  terraformModules: [],
};

/** The commands of the guide, with the installed command. */
const COMMANDS = [...read("docs/guides/cdk.md").matchAll(/^npx cdktf-cli@\S+ ((deploy|diff|destroy) .*)$/gm)].map(
  ([, words = ""]) => words,
);

// The command is too large for a dependency of this repository. To run this test: npm install -g cdktf-cli@0.21
test(
  "the guide's commands deploy, compare and destroy a stack on its first run",
  { timeout: 180_000 },
  async ({ skip }) => {
    skip(!hasTerraform, "no terraform on the PATH");
    skip(!hasCommand, "no cdktf on the PATH");
    expect(COMMANDS.map((words) => words.split(" ")[0])).toEqual(["deploy", "diff", "destroy"]);
    const sandbox = await sandboxForTest();
    const folder = await mkdtemp(path.join(tmpdir(), "outreach-cdktf-"));
    try {
      await symlink(installed("."), path.join(folder, "node_modules"));
      await writeFile(
        path.join(folder, "main.ts"),
        PROGRAM.replaceAll('"outreach-as-code/', `"${path.resolve("dist")}/`),
      );
      await writeFile(path.join(folder, "cdktf.json"), JSON.stringify(SETTINGS));
      const { cliConfiguration } = await installedProvider();
      const env = {
        ...process.env,
        CI: "1",
        CHECKPOINT_DISABLE: "1",
        TF_CLI_CONFIG_FILE: cliConfiguration,
        OUTREACH_BASE_URL: sandbox.baseUrl,
        OUTREACH_API_KEY: sandbox.keys.good,
        OUTREACH_SETTLE: "0s",
      };
      const type = async (words: string): Promise<string> =>
        (
          await promisify(execFile)(
            "cdktf",
            [...words.split(" "), ...(words.startsWith("diff") ? [] : ["--auto-approve"])],
            { cwd: folder, env },
          )
        ).stdout;
      const [deploy = "", diff = "", destroy = ""] = COMMANDS;
      expect(await type(deploy)).toContain("Apply complete! Resources: 1 added, 0 changed, 0 destroyed.");
      expect(sandbox.webhooks()).toMatchObject([{ targetUrl: "https://crm.example.com/hooks" }]);
      expect(await type(diff)).toContain("No changes.");
      expect(await type(destroy)).toContain("Destroy complete! Resources: 1 destroyed.");
      expect(sandbox.webhooks()).toEqual([]);
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true });
    }
  },
);
