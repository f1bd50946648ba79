import { EventType } from "outreach-as-code/cdktn/lib/event-type";
import { OutreachProvider } from "outreach-as-code/cdktn/lib/provider";
import { WebhookSet } from "outreach-as-code/cdktn/lib/webhook-set";
import { TerraformStack, TerraformVariable } from "cdktn";
import type { Construct } from "constructs";

export class WebhooksStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Reads OUTREACH_BASE_URL and OUTREACH_API_KEY.
    new OutreachProvider(this, "outreach");
    // Set TF_VAR_crm_hook_secret or OUTREACH_VAR_crm_hook_secret.
    const secret = new TerraformVariable(this, "crm_hook_secret", { type: "string", sensitive: true });
    new WebhookSet(this, "crm", {
      targetUrl: "https://crm.example.com/hooks/outreach",
      types: [EventType.emailsReplied, EventType.interested],
      secret: secret.stringValue,
    });
  }
}
