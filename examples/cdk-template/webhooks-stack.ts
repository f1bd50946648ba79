import { EventType } from "outreach-as-code/cdktn/lib/event-type";
import { OutreachProvider } from "outreach-as-code/cdktn/lib/provider";
import { Each, WebhookSet } from "outreach-as-code/cdktn/lib/webhook-set";
import { TerraformStack, TerraformVariable } from "cdktn";
import type { Construct } from "constructs";

export class WebhooksStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Reads OUTREACH_BASE_URL and OUTREACH_API_KEY.
    new OutreachProvider(this, "outreach");
    // Set TF_VAR_crm_hook_secret or OUTREACH_VAR_crm_hook_secret.
    const secret = new TerraformVariable(this, "crm_hook_secret", { type: "string", sensitive: true });
    // One webhook per event type, each with a URL of its own: some services allow only one webhook per URL.
    new WebhookSet(this, "crm", {
      targetUrl: `https://crm.example.com/hooks/outreach?event=${Each.type}`,
      types: [EventType.emailsReplied, EventType.interested],
      secret: secret.stringValue,
    });
  }
}
