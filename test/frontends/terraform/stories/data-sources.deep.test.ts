import { describe, expect } from "vitest";
import { story, writes } from "./story.ts";

const READS = `
data "outreach_campaigns" "running" {
  status     = "running"
  labels     = ["launch"]
  name_regex = "^Q"
}
data "outreach_campaign" "q3" {
  name = "Q3 launch"
}
data "outreach_campaign" "by_id" {
  id = "cam_000003"
}
data "outreach_schedules" "q3" {
  campaign_id = data.outreach_campaign.q3.id
}
data "outreach_warmup_settings" "sales" {
  user_mailbox_id = "usm_000001"
}
data "outreach_webhooks" "all" {}
resource "outreach_webhook" "replies" {
  target_url  = "https://crm.example.com/"
  campaign_id = data.outreach_campaign.q3.id
}
output "seen" {
  value = {
    campaigns = data.outreach_campaigns.running.ids
    name      = data.outreach_campaigns.running.campaigns[0].name
    paused    = data.outreach_campaign.by_id.status
    schedule  = data.outreach_schedules.q3.schedules[0].timezone
    score     = data.outreach_warmup_settings.sales.deliverability.score
    webhooks  = data.outreach_webhooks.all.webhooks[*].target_url
  }
}
`;

describe.concurrent("data sources", { timeout: 300_000 }, () => {
  story(
    "a campaign that was typed on a Mac is found by its name, label and pattern",
    async ({ sandbox, terraform }) => {
      const [name = "", label = ""] = ["Réponses", "été"].map((text) => text.normalize("NFD"));
      const _id = "cam_mac";
      sandbox.add("campaigns", { _id, name, labels: [label] });
      terraform.write(
        "main.tf",
        `data "outreach_campaign" "one" {\n  name = "${name}"\n}\ndata "outreach_campaigns" "all" {\n  labels = ["${label}"]\n  name_regex = "^${name}$"\n}\noutput "ids" {\n  value = [data.outreach_campaign.one.id, data.outreach_campaigns.all.ids]\n}\n`,
      );
      expect((await terraform.apply()).status).toBe(0);
      expect(JSON.parse((await terraform.run("output", "-json", "ids")).output)).toEqual([_id, [_id]]);
    },
  );

  story(
    "all five read what the service shows, and the campaigns are paged once for each filter of the service's",
    async ({ sandbox, terraform }) => {
      sandbox.add("webhooks", { targetUrl: "https://there-before.example.com/" });
      terraform.write("main.tf", READS);
      const planned = await terraform.plan("-out=plan");
      expect([planned.status, planned.output]).toEqual([2, expect.stringContaining("Plan: 1 to add")]);
      const paged = sandbox
        .requests()
        .flatMap(({ path, query }) => (path === "/campaigns" ? [query["status"] ?? "all"] : []));
      // Which campaigns are running only the service's own filter knows.
      expect(paged.toSorted()).toEqual(["all", "running"]);
      expect((await terraform.run("apply", "-no-color", "plan")).status).toBe(0);
      expect(writes(sandbox)).toEqual(["POST /hooks"]);
      const { output } = await terraform.run("output", "-json", "seen");
      expect(JSON.parse(output)).toEqual({
        campaigns: ["cam_000001"],
        name: "Q3 launch",
        paused: "paused",
        schedule: "Europe/Paris",
        score: 97,
        webhooks: ["https://there-before.example.com/"],
      });
      expect(sandbox.webhooks()).toContainEqual(
        expect.objectContaining({ targetUrl: "https://crm.example.com/", campaignId: "cam_000001" }),
      );
    },
  );

  story(
    "a name that no campaign has, and a mailbox of another team, are errors at the data source",
    async ({ terraform }) => {
      terraform.write(
        "main.tf",
        'data "outreach_campaign" "q9" {\n  name = "Q9 launch"\n}\ndata "outreach_warmup_settings" "theirs" {\n  user_mailbox_id = "usm_000101"\n}\n',
      );
      const plan = await terraform.plan();
      expect(plan.status).toBe(1);
      expect(plan.words).toContain("Q9 launch");
      expect(plan.output).toMatch(/with data\.outreach_campaign\.q9,/);
      expect(plan.words).toContain("Bad team");
      expect(plan.output).toMatch(/with data\.outreach_warmup_settings\.theirs,/);
    },
  );
});
