# By the service's id.
terraform import outreach_webhook.crm_replies hoo_000001

# With what the service's list does not show.
terraform import outreach_webhook.crm_replies 'hoo_000001,campaign_id=cam_000001,is_first=true'
