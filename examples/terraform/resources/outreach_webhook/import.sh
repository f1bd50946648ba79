# By id.
terraform import outreach_webhook.crm_replies hoo_000001

# With values that the service's list does not show.
terraform import outreach_webhook.crm_replies 'hoo_000001,campaign_id=cam_000001,is_first=true'
