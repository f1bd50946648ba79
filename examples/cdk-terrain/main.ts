import { DataOutreachCampaign } from "outreach-as-code/cdktn/lib/data-outreach-campaign";
import { OutreachProvider } from "outreach-as-code/cdktn/lib/provider";
import { Webhook } from "outreach-as-code/cdktn/lib/webhook";
import { App, TerraformStack, TerraformVariable } from "cdktn";
import type { Construct } from "constructs";

/** Sends the replies to one campaign to the CRM. */
class WebhooksStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new OutreachProvider(this, "outreach");
    const secret = new TerraformVariable(this, "crm_hook_secret", {
      type: "string",
      sensitive: true,
      description: "The secret that the CRM expects in each event.",
    });
    const campaign = new DataOutreachCampaign(this, "q3", { name: "Q3 launch" });
    new Webhook(this, "crm_replies", {
      targetUrl: "https://crm.example.com/hooks/replies",
      type: "emailsReplied",
      campaignId: campaign.id,
      secret: secret.stringValue,
    });
  }
}

const app = new App();
new WebhooksStack(app, "webhooks");
app.synth();
