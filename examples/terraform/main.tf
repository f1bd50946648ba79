terraform {
  required_version = ">= 1.3"

  required_providers {
    outreach = {
      source  = "outreach-as-code/outreach"
      version = "~> 0.1"
    }
  }
}

provider "outreach" {} # reads OUTREACH_BASE_URL and OUTREACH_API_KEY

variable "crm_hook_secret" {
  description = "The secret that the CRM expects in each event."
  type        = string
  sensitive   = true
}

variable "crm_hook_secret_version" {
  description = "Changes with each new secret."
  type        = number
  default     = 1
}

data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

# Sends the replies to this campaign to the CRM. The secret rotates without a gap: the new webhook has a URL of its own, because some services
# allow only one webhook per URL. Receivers ignore the parameter.
resource "outreach_webhook" "crm_replies" {
  target_url  = "https://crm.example.com/hooks/replies?v=${var.crm_hook_secret_version}"
  type        = "emailsReplied"
  campaign_id = data.outreach_campaign.q3.id
  secret      = var.crm_hook_secret

  lifecycle {
    create_before_destroy = true
  }
}

# Sends sent and bounced emails of all campaigns to the audit log. Each webhook has a URL of its own: some services allow only one webhook per URL.
resource "outreach_webhook" "audit" {
  for_each = toset(["emailsSent", "emailsBounced"])

  target_url = "https://audit.example.com/hook?event=${each.key}"
  type       = each.key
}

output "crm_replies_id" {
  value = outreach_webhook.crm_replies.id
}
