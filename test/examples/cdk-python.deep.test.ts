import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fencesOf } from "../docs/markdown.ts";
import { ROOT, read } from "../docs/pages.ts";
import { linkPythonClasses, missingPython, runPython } from "../frontends/constructs/python.ts";
import { useProjects } from "../frontends/cli/project.ts";

const openProject = useProjects();

describe.skipIf(missingPython !== null)(
  `the Python example${missingPython === null ? "" : ` (skipped: ${missingPython})`}`,
  () => {
    let folder = "";
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "outreach-python-"));
      await cp(path.join(ROOT, "examples/cdk-python"), folder, { recursive: true });
      await linkPythonClasses(folder);
    }, 180_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const python = (...words: readonly string[]): Promise<string> => runPython(folder, words);

    test("its own tests pass, and find a webhook that lost its secret", { timeout: 120_000 }, async () => {
      expect(await python("-m", "unittest")).toContain("Ran 2 tests");
      const file = path.join(folder, "webhooks_stack.py");
      const sound = await readFile(file, "utf8");
      await writeFile(file, sound.replace("                secret=secret.string_value,\n", ""));
      await expect(python("-m", "unittest")).rejects.toMatchObject({
        stderr: expect.stringContaining("KeyError: 'secret'") as string,
      });
      await writeFile(file, sound);
    });

    test(
      "outreach plans and applies its stack: the loop, the secret, the import and the unsubscription",
      { timeout: 120_000 },
      async () => {
        const project = await openProject();
        const made = await fetch(`${project.sandbox.controlUrl}/webhooks`, {
          method: "POST",
          body: JSON.stringify({ _id: "hoo_000001", targetUrl: "https://audit.example.com/hooks/outreach" }),
        });
        expect(made.ok).toBe(true);
        await python("main.py");
        const stack = path.join(folder, "cdktf.out/stacks/webhooks");
        project.environment["OUTREACH_VAR_crm_hook_secret"] = "secret-of-the-example";

        const applied = await project.run(`apply --auto-approve -c ${stack}`);

        expect(applied.out).toContain("Plan: 1 to import, 3 to add, 0 to change, 0 to destroy.");
        expect(applied.code).toBe(0);
        expect(project.sandbox.webhooks().map(({ targetUrl, secret }) => [targetUrl, secret])).toEqual([
          ["https://audit.example.com/hooks/outreach", null],
          ["https://crm.example.com/hooks/outreach?event=emailsReplied", "secret-of-the-example"],
          ["https://crm.example.com/hooks/outreach?event=interested", "secret-of-the-example"],
        ]);
        expect((await project.run(`plan -c ${stack}`)).out).toContain("No changes.");
        // A new secret: the new webhook is there before the old one goes.
        project.environment["OUTREACH_VAR_crm_hook_secret"] = "next-secret-of-the-example";
        const { sent } = await project.run(`apply --auto-approve -c ${stack}`);
        expect(sent.map((line) => line.replace(/hoo_\w+/, "ID")).filter((line) => !line.startsWith("GET"))).toEqual([
          "POST /hooks?campaignId=cam_000001 200",
          "POST /hooks?campaignId=cam_000001 200",
          "DELETE /hooks/ID 200",
          "DELETE /hooks/ID 200",
        ]);
      },
    );

    const fences = fencesOf(read("docs/guides/cdk-languages.md")).filter(({ language }) => language === "py");
    test.each(fences.map(({ text }, index) => [index + 1, text] as const))(
      "part %d of the page in Python synthesizes webhooks",
      { timeout: 60_000 },
      async (part, text) => {
        const stack = `part_${String(part)}`;
        await writeFile(path.join(folder, `${stack}.py`), programOf(stack, text));
        await python(`${stack}.py`);
        const made = JSON.parse(
          await readFile(path.join(folder, "cdktf.out/stacks", stack, "cdk.tf.json"), "utf8"),
        ) as { readonly resource: object };
        expect(Object.keys(made.resource)).toEqual(["outreach_webhook"]);
      },
    );
  },
);

function programOf(stack: string, text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => `        ${line}`);
  return `from cdktf import App, TerraformIterator, TerraformStack, TerraformVariable, Token
from imports.outreach.data_outreach_campaign import DataOutreachCampaign
from imports.outreach.data_outreach_campaigns import DataOutreachCampaigns
from imports.outreach.provider import OutreachProvider
from imports.outreach.webhook import Webhook

class Stack(TerraformStack):
    def __init__(self, scope, id):
        super().__init__(scope, id)
        OutreachProvider(self, "outreach")
${lines.join("\n")}

app = App()
Stack(app, "${stack}")
app.synth()
`;
}
