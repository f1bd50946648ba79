data "outreach_schedules" "q3" {
  campaign_id = "cam_000001"
}

output "timezones" {
  value = distinct(data.outreach_schedules.q3.schedules[*].timezone)
}
