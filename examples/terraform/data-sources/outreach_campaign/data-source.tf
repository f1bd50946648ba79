data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

# Where several campaigns share a name, one of them by its status.
data "outreach_campaign" "renewals" {
  name   = "Renewals"
  status = "running"
}

output "q3_id" {
  value = data.outreach_campaign.q3.id
}
