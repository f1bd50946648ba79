# One webhook per email event.
resource "outreach_webhook" "email" {
  for_each = toset([for type in provider::outreach::event_types() : type if startswith(type, "emails")])

  target_url = "https://audit.example.com/hook?event=${each.key}"
  type       = each.key
}
