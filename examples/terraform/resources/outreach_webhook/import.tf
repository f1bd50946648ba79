import {
  to = outreach_webhook.crm_replies
  id = "hoo_000001"
}
