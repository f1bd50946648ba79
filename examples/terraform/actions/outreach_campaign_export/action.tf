action "outreach_campaign_export" "q3" {
  config {
    campaign_id = "cam_000001"
  }
}
