data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

# If several campaigns have the same name, select one by its status.
data "outreach_campaign" "renewals" {
  name   = "Renewals"
  status = "running"
}

output "q3_id" {
  value = data.outreach_campaign.q3.id
}
