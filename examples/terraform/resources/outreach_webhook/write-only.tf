variable "crm_hook_token" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "outreach_webhook" "crm_bounces" {
  target_url        = "https://crm.example.com/hooks/bounces"
  type              = "emailsBounced"
  secret_wo         = var.crm_hook_token
  secret_wo_version = 1 # change it to send a new token
}
