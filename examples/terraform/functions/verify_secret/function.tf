variable "secret" {
  type      = string
  sensitive = true
}

# Whether an event that was kept as a file came from the service.
output "is_genuine" {
  value     = provider::outreach::verify_secret(file("${path.module}/event.json"), var.secret)
  sensitive = true
}
