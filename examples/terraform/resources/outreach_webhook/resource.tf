variable "crm_hook_secret" {
  type      = string
  sensitive = true
}

data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

# Sends the replies to one campaign to the CRM.
resource "outreach_webhook" "crm_replies" {
  target_url  = "https://crm.example.com/hooks/replies"
  type        = "emailsReplied"
  campaign_id = data.outreach_campaign.q3.id
  secret      = var.crm_hook_secret
}

# One webhook per event type, each with a URL of its own: some services allow only one webhook per URL.
resource "outreach_webhook" "audit" {
  for_each = toset(["emailsSent", "emailsBounced"])

  target_url = "https://audit.example.com/hook?event=${each.key}"
  type       = each.key
}
