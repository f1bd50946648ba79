variable "agency_api_key" {
  type      = string
  sensitive = true
}

# The provider for another team. Each provider block has its own address and key.
provider "outreach" {
  alias   = "agency"
  api_key = var.agency_api_key
}

resource "outreach_webhook" "agency_replies" {
  provider   = outreach.agency
  target_url = "https://crm.example.com/hooks/agency-replies"
  type       = "emailsReplied"
}
