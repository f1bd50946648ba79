import { expect, test } from "vitest";
import { useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

/** The example of the contract, as far as it is about lists. */
const CONFIGURATION = `version: 1
variables:
  stage: { default: staging }
data:
  campaign:
    q3: { name: "Q3 launch" }
  campaigns:
    live: { status: running }
  schedules:
    q3: { campaign: q3 }
  warmup_settings:
    sales: { user_mailbox_id: usm_000001 }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/\${var.stage}/replies
    type: emailsReplied
    campaign: q3
  audit:
    target_url: https://audit.example.com/hook
    types: [emailsSent, emailsBounced]
    campaigns: live
lead_unsubscriptions:
  gdpr-2026-11:
    campaign: q3
    emails: [ada@example.com]
    emails_from: suppressions/2026-11.csv
outputs:
  q3_id: \${data.outreach_campaign.q3.id}
  zone: \${data.outreach_schedules.q3.schedules[0].timezone}
  per_day: \${data.outreach_warmup_settings.sales.daily_limit}
limits: { delete: 30%, recreate: 20%, unsubscribe: 100 }
ignore: [shared_target_url]
`;

test("lists of event types, campaigns and addresses are applied once, and then match", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  project.write("suppressions/2026-11.csv", "name,Email\r\nCharles,charles@example.com\r\nAda,ADA@example.com\r\n");
  const applied = await project.run("apply --auto-approve --show-emails");
  expect(applied.err).toBe(NO_STATE_YET);
  expect(applied.code).toBe(0);
  expect(applied.out).toContain("Apply complete! Resources: 9 added, 0 changed, 0 destroyed.");
  expect(applied.out).toContain('q3_id = "cam_000001"');
  expect(project.sandbox.webhooks().map(({ targetUrl, type, campaignId }) => [targetUrl, type, campaignId])).toEqual(
    expect.arrayContaining([
      ["https://crm.example.com/staging/replies", "emailsReplied", "cam_000001"],
      ["https://audit.example.com/hook", "emailsSent", "cam_000007"],
      ["https://audit.example.com/hook", "emailsBounced", "cam_000001"],
    ]),
  );
  expect(applied.sent.filter((sent) => sent.includes("/leads/")).toSorted()).toEqual([
    "DELETE /campaigns/cam_000001/leads/ada%40example.com 200",
    "DELETE /campaigns/cam_000001/leads/charles%40example.com 200",
  ]);
  const listed = (await project.run("state list --show-emails")).out.trim().split("\n");
  expect(listed).toEqual(
    expect.arrayContaining([
      'outreach_webhook.audit["emailsSent/cam_000001"]',
      'outreach_lead_unsubscription.gdpr-2026-11["ada@example.com"]',
    ]),
  );
  expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
});

test("a webhook whose campaign left the filter is kept with a note, and deleted with prune: true", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION.slice(0, CONFIGURATION.indexOf("lead_unsubscriptions:")));
  await project.run("apply --auto-approve");
  project.sandbox.change("campaigns", "cam_000007", { status: "paused" });
  const kept = await project.run("plan --detailed-exitcode");
  expect(kept.code).toBe(0);
  expect(kept.err).toContain("Kept after leaving the filter");
  expect(kept.err).toContain(
    "cam_000007 is no longer a result of data.outreach_campaigns.live. The 2 instances of outreach_webhook.audit made for it are kept.",
  );
  project.write(
    "outreach.yaml",
    project.read("outreach.yaml").replace("campaigns: live", "campaigns: live\n    prune: true"),
  );
  expect((await project.run("plan")).out).toContain("Plan: 0 to add, 0 to change, 2 to destroy.");
});

test("mistakes in a file of addresses are shown with their line, masked where nobody is looking", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  project.write("suppressions/2026-11.csv", "ada@example.com\nada@example@com\n");
  const { code, err } = await project.run("validate");
  expect(code).toBe(1);
  expect(err).toContain("on suppressions/2026-11.csv:2:1, in outreach_lead_unsubscription.gdpr-2026-11");
  expect(err).not.toContain("ada@example");
  expect((await project.run("validate --show-emails")).err).toContain("2 | ada@example@com");
});
