# Records the unsubscription as done, and sends nothing.
terraform import 'outreach_lead_unsubscription.asked_by_mail["ada@example.com"]' cam_000001/ada@example.com
