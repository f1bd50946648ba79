import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

test.for([
  { example: "cdk", flavour: "cdktf" },
  { example: "cdk-terrain", flavour: "cdktn" },
])("the $example example, with the constructs for $flavour, is synthesised to what it declares", async ({ example }) => {
  const stack = await synthesise(example);
  expect(stack).toMatchObject({
    provider: { outreach: [{}] },
    variable: { crm_hook_secret: { type: "string", sensitive: true } },
    data: { outreach_campaign: { q3: { name: "Q3 launch" } } },
    resource: {
      outreach_webhook: {
        crm_replies: {
          target_url: "https://crm.example.com/hooks/replies",
          type: "emailsReplied",
          campaign_id: "${data.outreach_campaign.q3.id}",
          secret: "${var.crm_hook_secret}",
        },
      },
    },
    terraform: { required_providers: { outreach: { source: "outreach-as-code/outreach", version: "~> 0.1" } } },
  });
});

test("both flavours are synthesised to the same blocks", async () => {
  const [cdktf, cdktn] = await Promise.all([synthesise("cdk"), synthesise("cdk-terrain")]);
  for (const part of ["provider", "variable", "data", "resource"]) expect(cdktn[part]).toEqual(cdktf[part]);
});

async function synthesise(example: string): Promise<{ readonly [part: string]: unknown }> {
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-synth-"));
  try {
    const environment = { ...process.env, CDKTF_OUTDIR: folder, CHECKPOINT_DISABLE: "1" };
    await run(process.execPath, ["--import", "tsx", path.join(ROOT, "examples", example, "main.ts")], { cwd: ROOT, env: environment });
    return JSON.parse(await readFile(path.join(folder, "stacks/webhooks/cdk.tf.json"), "utf8")) as { readonly [part: string]: unknown };
  } finally {
    await rm(folder, { recursive: true });
  }
}
