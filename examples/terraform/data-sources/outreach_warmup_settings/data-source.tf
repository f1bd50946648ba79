data "outreach_warmup_settings" "sales" {
  user_mailbox_id = "usm_000001"
}

check "sales_is_warm" {
  assert {
    condition     = data.outreach_warmup_settings.sales.active == true
    error_message = "Warm-up is off for the sales mailbox."
  }
}
