import path from "node:path";
import { DataOutreachCampaign } from "outreach-as-code/cdktf/lib/data-outreach-campaign";
import { DataOutreachCampaigns } from "outreach-as-code/cdktf/lib/data-outreach-campaigns";
import { EventType } from "outreach-as-code/cdktf/lib/event-type";
import { OutreachProvider } from "outreach-as-code/cdktf/lib/provider";
import { SuppressionList } from "outreach-as-code/cdktf/lib/suppression-list";
import { Webhook } from "outreach-as-code/cdktf/lib/webhook";
import { Each, WebhookSet } from "outreach-as-code/cdktf/lib/webhook-set";
import { App, TerraformStack, TerraformVariable } from "cdktf";
import type { Construct } from "constructs";

class WebhooksStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new OutreachProvider(this, "outreach");
    const secret = new TerraformVariable(this, "crm_hook_secret", {
      type: "string",
      sensitive: true,
      description: "The secret that the CRM expects in each event.",
    });

    // Send the replies to one campaign to the CRM.
    const campaign = new DataOutreachCampaign(this, "q3", { name: "Q3 launch" });
    new Webhook(this, "crm_replies", {
      targetUrl: "https://crm.example.com/hooks/replies",
      type: EventType.emailsReplied,
      campaignId: campaign.id,
      secret: secret.stringValue,
    });

    // Send two events of every running campaign to the audit log: one webhook per event type and campaign, each with a URL of its own.
    const live = new DataOutreachCampaigns(this, "live", { status: "running" });
    new WebhookSet(this, "audit", {
      targetUrl: `https://audit.example.com/hooks/outreach?event=${Each.type}&campaign=${Each.campaignId}`,
      types: [EventType.emailsBounced, EventType.emailsSent],
      campaigns: live.ids,
    });

    // Unsubscribe leads who asked you to stop writing to them.
    new SuppressionList(this, "requests-2026-11", {
      campaignId: campaign.id,
      file: path.join(import.meta.dirname, "suppressions/2026-11.csv"),
    });
  }
}

const app = new App();
new WebhooksStack(app, "webhooks");
app.synth();
