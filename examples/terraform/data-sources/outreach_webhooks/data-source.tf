data "outreach_webhooks" "all" {}

# The target URLs of webhooks that receive every event.
output "unfiltered" {
  value = [for hook in data.outreach_webhooks.all.webhooks : hook.target_url if hook.type == null]
}
