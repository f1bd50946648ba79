from cdktf import TerraformResourceLifecycle, TerraformStack, TerraformVariable
from constructs import Construct

from imports.outreach.data_outreach_campaign import DataOutreachCampaign
from imports.outreach.lead_unsubscription import LeadUnsubscription
from imports.outreach.provider import OutreachProvider
from imports.outreach.webhook import Webhook

CRM_EVENTS = ["emailsReplied", "interested"]
# Of a webhook that was made by hand. `outreach list` shows the ids.
AUDIT_WEBHOOK_ID = "hoo_000001"


class WebhooksStack(TerraformStack):
    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        OutreachProvider(self, "outreach")  # reads OUTREACH_BASE_URL and OUTREACH_API_KEY
        # Set TF_VAR_crm_hook_secret or OUTREACH_VAR_crm_hook_secret.
        secret = TerraformVariable(self, "crm_hook_secret", type="string", sensitive=True)
        campaign = DataOutreachCampaign(self, "q3", name="Q3 launch")

        # Each event type has a URL of its own: some services allow only one webhook per URL.
        for event in CRM_EVENTS:
            Webhook(
                self,
                f"crm_{event}",
                target_url=f"https://crm.example.com/hooks/outreach?event={event}",
                type=event,
                campaign_id=campaign.id,
                secret=secret.string_value,
                # A new secret replaces the webhook. No event is lost in between.
                lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
            )

        audit = Webhook(self, "audit", target_url="https://audit.example.com/hooks/outreach")
        audit.import_from(AUDIT_WEBHOOK_ID)

        # Final: the service documents no way to undo it.
        LeadUnsubscription(self, "ada", campaign_id=campaign.id, email="ada@example.com")
