data "outreach_campaign" "q3" {
  name = "Q3 launch"
}

# Each address is sent once. Only add to the list.
resource "outreach_lead_unsubscription" "asked_by_mail" {
  for_each = toset([
    "ada@example.com",
    "charles@example.com",
  ])

  campaign_id = data.outreach_campaign.q3.id
  email       = each.key
}
