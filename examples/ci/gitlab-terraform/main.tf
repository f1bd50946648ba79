terraform {
  required_version = ">= 1.11"

  backend "http" {} # the variables of the pipeline have its settings

  required_providers {
    outreach = {
      source  = "outreach-as-code/outreach"
      version = "~> 0.1"
    }
  }
}

provider "outreach" {} # reads OUTREACH_BASE_URL and OUTREACH_API_KEY

variable "crm_token" {
  description = "The secret that the CRM expects in each event."
  type        = string
  sensitive   = true
  ephemeral   = true
}

resource "outreach_webhook" "crm_replies" {
  target_url        = "https://crm.example.com/hooks/replies?v=1"
  type              = "emailsReplied"
  secret_wo         = var.crm_token
  secret_wo_version = 1

  lifecycle {
    create_before_destroy = true
  }
}
