package rotations

# A new secret needs the label allow-rotations on the pull request.
deny contains message if {
  some change in input.resource_changes
  ["secret"] in change.change.replace_paths
  not "allow-rotations" in data.labels
  message := sprintf("%s gets a new secret, but the pull request has no label allow-rotations", [change.address])
}

# A plan made with --no-secrets does not know which secrets change.
deny contains message if {
  some change in input.resource_changes
  change.change.after_unknown.secret
  message := sprintf("%s has a secret that this plan does not know", [change.address])
}
