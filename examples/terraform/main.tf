terraform {
  required_version = ">= 1.3"

  required_providers {
    outreach = {
      source  = "outreach-as-code/outreach"
      version = "~> 0.1"
    }
  }
}

provider "outreach" {} # takes OUTREACH_BASE_URL and OUTREACH_API_KEY

variable "crm_hook_secret" {
  description = "What the receiver knows the service by."
  type        = string
  sensitive   = true
}

data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

# Replies in this campaign go to the CRM. A new secret comes without a gap.
resource "outreach_webhook" "crm_replies" {
  target_url  = "https://crm.example.com/hooks/replies"
  type        = "emailsReplied"
  campaign_id = data.outreach_campaign.q3.id
  secret      = var.crm_hook_secret

  lifecycle {
    create_before_destroy = true
  }
}

# What is sent and what bounces, in all campaigns, goes to the audit.
resource "outreach_webhook" "audit" {
  for_each = toset(["emailsSent", "emailsBounced"])

  target_url = "https://audit.example.com/hook"
  type       = each.key
}

output "crm_replies_id" {
  value = outreach_webhook.crm_replies.id
}
