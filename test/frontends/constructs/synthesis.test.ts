import { exec, execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import cdktfJson from "../../../cdktf.json" with { type: "json" };
import { ROOT } from "../../docs/pages.ts";
import { loadFlavour } from "./flavours.ts";

type Stack = { readonly [part: string]: unknown };

const SYNTHESISED = {
  provider: { outreach: [{}] },
  variable: { crm_hook_secret: { type: "string", sensitive: true } },
  data: { outreach_campaign: { q3: { name: "Q3 launch" } }, outreach_campaigns: { live: { status: "running" } } },
  resource: {
    outreach_webhook: {
      crm_replies: {
        target_url: "https://crm.example.com/hooks/replies",
        type: "emailsReplied",
        campaign_id: "${data.outreach_campaign.q3.id}",
        secret: "${var.crm_hook_secret}",
      },
      audit: {
        for_each: expect.stringContaining("data.outreach_campaigns.live.ids") as string,
        target_url:
          "https://audit.example.com/hooks/outreach?event=${each.value.type}&campaign=${each.value.campaign_id}",
        type: "${each.value.type}",
        campaign_id: "${each.value.campaign_id}",
      },
    },
    outreach_lead_unsubscription: {
      "requests-2026-11": {
        for_each: '${toset(["ada@example.com", "charles@example.com", "nobody@example.com"])}',
        campaign_id: "${data.outreach_campaign.q3.id}",
        email: "${each.value}",
      },
    },
  },
  terraform: { required_providers: { outreach: { source: "outreach-as-code/outreach", version: "~> 0.1" } } },
};

test("the program in cdktf.json synthesises the example without the cdktf command", async () => {
  // With an entry, `cdktf synth` would require a `cdktf get` first.
  expect(cdktfJson.terraformProviders).toEqual([]);
  expect(cdktfJson).toMatchObject({
    language: "typescript",
    projectId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  });
  expect(
    await inFolder((environment) => promisify(exec)(cdktfJson.app, { cwd: ROOT, env: environment })),
  ).toMatchObject(SYNTHESISED);
});

test("the example for cdktn is synthesised to the same declarations", async () => {
  const [cdktf, cdktn] = await Promise.all([synthesise("cdk"), synthesise("cdk-terrain")]);
  expect(cdktn).toMatchObject(SYNTHESISED);
  for (const part of ["provider", "variable", "data", "resource"]) expect(cdktn[part]).toEqual(cdktf[part]);
});

test("cdktn accepts secret_wo only if the app declares its target versions", async () => {
  const { cdk, provider, webhookSet } = loadFlavour("cdktn");
  const synthesiseFor = (context: object) => (environment: NodeJS.ProcessEnv) => {
    const app = new cdk.App({ outdir: environment["CDKTF_OUTDIR"] ?? "", context: { ...context } });
    const stack = new cdk.TerraformStack(app, "webhooks");
    new provider.OutreachProvider(stack, "outreach");
    const secret = new cdk.TerraformVariable(stack, "hook_secret", { type: "string", sensitive: true });
    new webhookSet.WebhookSet(stack, "crm", {
      targetUrl: "https://crm.example.com",
      types: ["emailsReplied"],
      secretWo: secret.stringValue,
      secretWoVersion: 1,
    });
    app.synth();
    return Promise.resolve();
  };
  await expect(inFolder(synthesiseFor({}))).rejects.toThrow("write-only attributes requires terraform >=1.11.0");
  expect(await inFolder(synthesiseFor({ targetVersions: { terraform: ">=1.11.0" } }))).toMatchObject({
    resource: { outreach_webhook: { crm: { secret_wo: "${var.hook_secret}", secret_wo_version: 1 } } },
  });
});

function synthesise(example: string): Promise<Stack> {
  const words = ["--import", "tsx", path.join(ROOT, "examples", example, "main.ts")];
  return inFolder((environment) => promisify(execFile)(process.execPath, words, { cwd: ROOT, env: environment }));
}

/** The synthesised stack. */
async function inFolder(run: (environment: NodeJS.ProcessEnv) => Promise<unknown>): Promise<Stack> {
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-synth-"));
  try {
    await run({ ...process.env, CDKTF_OUTDIR: folder, CHECKPOINT_DISABLE: "1" });
    return JSON.parse(await readFile(path.join(folder, "stacks/webhooks/cdk.tf.json"), "utf8")) as Stack;
  } finally {
    await rm(folder, { recursive: true });
  }
}
