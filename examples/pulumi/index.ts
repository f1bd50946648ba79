import * as outreach from "@pulumi/outreach";
import * as pulumi from "@pulumi/pulumi";

// pulumi config set --secret crmHookSecret. Pulumi encrypts it in its state.
const secret = new pulumi.Config().requireSecret("crmHookSecret");

// One webhook per event type, each with a URL of its own: some services allow only one webhook per URL.
for (const type of ["emailsReplied", "interested"]) {
  new outreach.Webhook(
    `crm-${type}`,
    { targetUrl: `https://crm.example.com/hooks/outreach?event=${type}`, type, secret },
    // A replace deletes the old webhook first, so no event is delivered twice.
    { deleteBeforeReplace: true },
  );
}

// Sent once. The service documents no way to undo it.
new outreach.LeadUnsubscription("ada", { campaignId: "cam_000001", email: "ada@example.com" });
