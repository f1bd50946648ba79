package main

# The only places that receive events.
allowed_urls := ["https://crm.example.com/"]

webhook_changes contains change if {
  some change in input.resource_changes
  change.type == "outreach_webhook"
}

# A plan with targets leaves the rest unchecked.
deny contains "the plan is not complete: it has targets, errors or undecided outcomes" if {
  not input.complete
}

# Nothing is destroyed without the label allow-deletes on the pull request.
deny contains message if {
  some change in webhook_changes
  change.change.actions == ["delete"]
  not "allow-deletes" in data.labels
  message := sprintf("%s is destroyed, but the pull request has no label allow-deletes", [change.address])
}

# A URL that the plan hides or does not know yet cannot be compared with the list.
deny contains message if {
  some change in webhook_changes
  is_hidden(change.change)
  message := sprintf("%s does not show its target URL", [change.address])
}

deny contains message if {
  some change in webhook_changes
  not is_hidden(change.change)
  url := change.change.after.target_url
  not is_allowed(url)
  message := sprintf("%s sends events to %s, which is not allowed", [change.address, url])
}

# Every new webhook has a secret.
deny contains message if {
  some change in webhook_changes
  "create" in change.change.actions
  change.change.after.secret == null
  message := sprintf("%s has no secret", [change.address])
}

is_hidden(change) if change.after_sensitive.target_url

is_hidden(change) if change.after_unknown.target_url

is_allowed(url) if {
  some prefix in allowed_urls
  startswith(url, prefix)
}
