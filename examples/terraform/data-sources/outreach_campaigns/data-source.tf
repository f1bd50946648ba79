data "outreach_campaigns" "launches" {
  status     = "running"
  labels     = ["launch"]
  name_regex = "^Q[1-4] "
}

# One webhook per campaign. If a campaign leaves the filter, the next apply destroys its webhook.
resource "outreach_webhook" "replies" {
  for_each = toset(data.outreach_campaigns.launches.ids)

  target_url  = "https://crm.example.com/hooks/replies?campaign=${each.key}"
  type        = "emailsReplied"
  campaign_id = each.key
}
