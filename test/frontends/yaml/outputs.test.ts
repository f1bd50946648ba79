import { describe, expect, test } from "vitest";
import { type Attributes, UNKNOWN, type Value } from "../../../src/core/model/value.ts";
import { checkConfiguration } from "./check-configuration.ts";

const BASE = `version: 1
variables:
  stage: { default: prod }
  token: { sensitive: true }
data:
  campaign: { q3: { name: Q3 } }
  campaigns: { live: { status: running } }
webhooks:
  crm: { target_url: "https://x.example.com/\${var.stage}", secret: { env: S } }
  hidden: { target_url: "https://x.example.com/\${var.token}" }
  audit: { target_url: https://x.example.com/a, campaigns: live }
outputs:
`;
const CAMPAIGN = { "data.outreach_campaign.q3": { id: "cam_3", name: "Q3" } };
const FILTER = { "data.outreach_campaigns.live": { ids: ["cam_1"] } };
type Objects = { readonly [address: string]: Attributes };

/** The value of `out`, and what else is said of the output. */
async function output(
  written: string,
  { known = { ...CAMPAIGN, ...FILTER }, managed }: { readonly known?: Objects; readonly managed?: Objects } = {},
) {
  const { loaded } = await checkConfiguration(`${BASE}  out: ${written}\n`, {
    environment: { OUTREACH_VAR_token: "hunter22" },
  });
  const seen = { known: new Map(Object.entries(known)), instances: [] };
  const { outputs, diagnostics } = loaded.evaluate(
    managed ? { ...seen, managed: new Map(Object.entries(managed)) } : seen,
  );
  return { ...outputs[0], said: diagnostics.map(({ detail, place }) => [place?.line, detail]) };
}

describe("an output", () => {
  test.for<readonly [string, string, Value]>([
    ["a literal", "3", 3],
    ["a list", '[1, "${var.stage}"]', [1, "prod"]],
    ["a variable", "${var.stage}", "prod"],
    ["what was read", "${data.outreach_campaign.q3.id}", "cam_3"],
    ["a whole list that was read", "${data.outreach_campaigns.live.ids}", ["cam_1"]],
    ["a map with a value", '{ value: "${var.stage}", description: which one }', "prod"],
    ["what a webhook is declared with", "${outreach_webhook.crm.target_url}", "https://x.example.com/prod"],
    ["what the service has yet to say", "${outreach_webhook.crm.id}", UNKNOWN],
    ["what one instance of several is declared with", '${outreach_webhook.audit["cam_1"].campaign_id}', "cam_1"],
  ])("shows %s", async ([, written, expected]) => {
    expect(await output(written)).toEqual({ name: "out", value: expected, sensitive: false, said: [] });
  });

  test("shows what a webhook is or will be, once it is planned", async () => {
    const managed = { "outreach_webhook.crm": { id: "hoo_1", target_url: "https://x.example.com/prod" } };
    expect(await output("${outreach_webhook.crm.id}", { managed })).toMatchObject({ value: "hoo_1", said: [] });
  });

  test("waits for what was not read yet, also where it decides which instances there are", async () => {
    expect(await output("${data.outreach_campaign.q3.id}", { known: {} })).toMatchObject({ value: UNKNOWN, said: [] });
    expect(await output('${outreach_webhook.audit["cam_1"].id}', { known: CAMPAIGN })).toMatchObject({
      value: UNKNOWN,
      said: [],
    });
  });

  test.for([
    ["says so", "{ value: 1, sensitive: true }"],
    ["is made of a sensitive variable", "${var.token}"],
    ["holds one in a text", "a ${var.token} b"],
    ["is of a webhook that is made of one", "${outreach_webhook.hidden.target_url}"],
    ["is a secret", "${outreach_webhook.crm.secret}"],
  ])("is sensitive when it %s", async ([, written = ""]) => {
    expect(await output(written)).toMatchObject({ sensitive: true, said: [] });
  });

  test.for([
    ["${outreach_webhook.cmr.id}", "The configuration does not declare outreach_webhook.cmr."],
    ["${outreach_webhook.crm.idd}", "outreach_webhook.crm has no attribute idd."],
    ["${data.outreach_campaign.q3.idd}", "data.outreach_campaign.q3 has no attribute idd."],
  ])("%s is a mistake at its place", async ([written = "", detail]) => {
    expect((await output(written)).said).toEqual([[13, detail]]);
  });
});

test("a webhook cannot be made from another one", async () => {
  const { diagnostics } = await checkConfiguration(
    BASE.replace("${var.stage}", "${outreach_webhook.audit.id}").replace("outputs:\n", ""),
    { environment: { OUTREACH_VAR_token: "hunter22" } },
  );
  expect(diagnostics).toMatchObject([
    {
      summary: "Invalid reference",
      hint: expect.stringContaining("a variable or a data source") as string,
      place: { line: 9 },
    },
  ]);
});
