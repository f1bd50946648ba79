import {
  to = outreach_lead_unsubscription.asked_by_mail["ada@example.com"]
  id = "cam_000001/ada@example.com"
}
