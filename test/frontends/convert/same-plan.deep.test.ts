import { expect, test } from "vitest";
import { stringify } from "yaml";
import { type Project, useProjects } from "../cli/project.ts";
import { awkwardTexts } from "./awkward-texts.ts";
import { openTerraform, plannedByAddress, terraformPlan } from "./handover.ts";
import { missingPython } from "../constructs/python.ts";
import { STACK, synthesise, synthesiseInPython } from "./synthesise.ts";

const openProject = useProjects();

const HOSTILE = [
  "quotes \" and ' and ` and \\ and \\n",
  "$${not.a.reference} and %%{ not } and $ and $$ and % and ${1 + 1}",
  "lines\nand\ttabs\u0007",
  'ünïcode – 🎉 ${upper("ß")}',
  '${"nested \\"quotes\\" ${var.text} $${x}"} behind',
  "${~ var.text ~} stripped",
  "`${var.text}` \\${var.text}",
  "text on\n  lines, ${var.text}\n and ${var.text} more",
  '${var.flag\n ? "yes" # a comment\n : "no" # another\n}',
  "in ${[for one in [1, 2] :\n  one # a comment\n][0]} text",
  '${join("-", [\n  "a", // a comment\n  "b",\n])}',
  "${values({\n  a = var.text\n  b = 2\n})[0]}",
  "yes",
  "1.0",
  "# no comment",
  '${[for k, v in { a = 1, "b.c" = 2 } : "${k}=${v}"][0]}',
  "a text\n  of: [ lines ]\nthat: [ look, like ]\nlists",
  "carriage\r\nreturns ${var.text}\u2028and\u0085more ${1 + 1}\r",
  "an escape $${that is open, ${var.text}",
  "lines\n   ${~ var.text ~}   \n  behind",
  "  ${~ var.number}",
  "${1}",
  "${var.tiny}",
  '${"$"}{x} ${"$"}${var.text} %${"{"} a }',
  ...awkwardTexts(80),
];

/** Values that conversions lose easily: characters with a meaning in one of the forms, and names that are reserved in another. */
const CONFIGURATION = {
  version: 1,
  variables: {
    text: { default: 'te"xt\\ $${x} `' },
    "with-dash": { default: "dash" },
    number: { default: 4.5 },
    tiny: { default: 0.0000001 },
    flag: { default: true },
    q3: { default: "a variable like a campaign" },
    app: { default: "a variable like a constant of the program" },
    ünï: { default: "with letters that few languages have" },
    toString: { default: "what every object has" },
    Default: { default: "no name of a construct" },
  },
  data: {
    campaign: {
      q3: { name: "Q3 launch" },
      DataOutreachCampaign: { name: "Q3 launch" },
      class: { name: "Spring webinar follow-up" },
    },
    campaigns: { q3: { labels: ["launch", '${var.q3 == "" ? "x" : "emea"}'], status: "running" } },
    schedules: { q3: { campaign: "q3" } },
    warmup_settings: { sales: { user_mailbox_id: "usm_000001" } },
    webhooks: { all: {} },
  },
  webhooks: {
    ...Object.fromEntries(
      HOSTILE.map((text, index) => [
        `h-${String(index)}`,
        { target_url: `https://h${String(index)}.example.com`, automation_id: text },
      ]),
    ),
    q3: {
      target_url: "https://${var.with-dash}.example.com/${var.number}/${data.outreach_campaign.class.id}",
      campaign: "class",
      is_first: "${var.flag}",
      allow_duplicate: true,
    },
    ünï: { target_url: "https://u.example.com/${length(var.ünï)}", type: "emailsSent" },
    Webhook: { target_url: "https://w.example.com", type: "emailsSent", rotation: "create_first" },
    stage: { target_url: "https://s.example.com", types: ["emailsSent"], campaigns: ["class", "q3"] },
    "by-type": {
      target_url: "https://t.example.com/${each.type}?stage=${var.number}&k=${upper(each.key)}",
      types: ["emailsSent", "emailsBounced"],
    },
    "by-campaign": { target_url: "https://c.example.com", automation_id: "${each.campaign_id}", campaigns: "q3" },
    "by-both": {
      target_url: "https://b.example.com/${each.key}?event=${each.type}&campaign=${each.campaign_id}",
      types: ["emailsSent", "emailsBounced"],
      campaigns: ["class", "q3"],
    },
  },
  outputs: {
    ...Object.fromEntries(HOSTILE.map((text, index) => [`o-${String(index)}`, text])),
    q3: "${data.outreach_campaigns.q3.ids}",
    text: "${var.text}",
    class: "${data.outreach_campaign.DataOutreachCampaign.id}",
    list: ["${var.number}", 2, true, "plain"],
    schedules: "${length(data.outreach_schedules.q3.schedules)}",
    object: { value: '${{ a = var.text, "b c" = [var.flag] }}' },
    app: "${var.app}${var.q3}${var.ünï}",
  },
};

async function project(): Promise<Project> {
  const opened = await openProject();
  opened.write(
    "outreach.yaml",
    stringify(CONFIGURATION, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" }),
  );
  return opened;
}

test("terraform's plan of the HCL equals the command's plan of the YAML", { timeout: 60_000 }, async (context) => {
  const opened = await project();
  const terraform = await openTerraform(opened, context);
  const converted = await opened.run("convert --to hcl");
  expect(converted, converted.err).toMatchObject({ code: 0 });
  terraform.write("main.tf", converted.out);
  const { made, outputs } = await plannedByAddress(opened, "outreach.yaml");
  expect(await terraformPlan(terraform)).toEqual({ made: withoutSettings(made), outputs });
});

test("the command's plan of the program equals its plan of the YAML, there and back", { timeout: 60_000 }, async () => {
  const opened = await project();
  const planned = await plannedByAddress(opened, "outreach.yaml");
  const converted = await opened.run("convert --to cdk");
  expect(converted, converted.err).toMatchObject({ code: 0 });
  await synthesise(opened, converted.out);
  expect(await plannedByAddress(opened, STACK)).toEqual(planned);
  const back = await opened.run(`convert -c ${STACK} --to yaml`);
  expect(back, back.err).toMatchObject({ code: 0 });
  opened.write("back.yaml", back.out);
  expect(await plannedByAddress(opened, "back.yaml")).toEqual(planned);
});

test(
  "the command's plan of the program in Python equals its plan of the YAML",
  { timeout: 120_000 },
  async (context) => {
    if (missingPython !== null) return context.skip(missingPython);
    const opened = await project();
    const planned = await plannedByAddress(opened, "outreach.yaml");
    const converted = await opened.run("convert --to cdk --language python");
    expect(converted, converted.err).toMatchObject({ code: 0 });
    await synthesiseInPython(opened, converted.out);
    expect(await plannedByAddress(opened, STACK)).toEqual(planned);
  },
);

test("declared imports, moves and removals are converted if no state exists", { timeout: 60_000 }, async (context) => {
  const opened = await openProject();
  const terraform = await openTerraform(opened, context);
  opened.write(
    "made.yaml",
    "version: 1\nwebhooks: { old: { target_url: https://crm.example.com/hook, types: [emailsSent] } }\n",
  );
  expect(await opened.run("apply -c made.yaml --auto-approve --state made.json")).toMatchObject({ code: 0 });
  const [, id = ""] = /id\s+= "(hoo_\d+)"/.exec((await opened.run("show --state made.json")).out) ?? [];
  const hook = "webhooks: { crm: { target_url: https://crm.example.com/hook, types: [emailsSent] } }";
  const statements = `imports: [{ to: 'outreach_webhook.crm["emailsSent"]', id: ${id} }]\nmoved: [{ from: outreach_webhook.before, to: outreach_webhook.crm }]\nremoved: [{ from: outreach_webhook.gone, destroy: false }]`;
  opened.write("outreach.yaml", `version: 1\n${hook}\n${statements}\n`);
  const converted = await opened.run("convert --to hcl");
  terraform.write("main.tf", converted.out);
  expect((await terraform.plan()).words, converted.err).toContain(
    "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.",
  );
  for (const said of [
    "moved {\n  from = outreach_webhook.before\n",
    "removed {\n  from = outreach_webhook.gone\n\n  lifecycle {\n    destroy = false",
  ])
    expect(converted.out).toContain(said);
  await synthesise(opened, (await opened.run("convert --to cdk")).out);
  expect((await opened.run(`plan -c ${STACK}`)).out).toContain(
    "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.",
  );
  const back = await opened.run(`convert -c ${STACK} --to yaml`);
  expect(back.out).toContain(
    `moved:\n  - { from: outreach_webhook.before, to: outreach_webhook.crm }\nremoved:\n  - { from: outreach_webhook.gone, destroy: false }\n`,
  );
});

/** Terraform keeps them in the lifecycle, and shows each write-only attribute as null. */
function withoutSettings(made: { readonly [address: string]: unknown }): unknown {
  const isTold = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null && !["rotation", "protect"].includes(name);
  return Object.fromEntries(
    Object.entries(made).map(([address, after]) => [
      address,
      Object.fromEntries(Object.entries(after as object).filter(isTold)),
    ]),
  );
}
