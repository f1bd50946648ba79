variable "secret" {
  type      = string
  sensitive = true
}

# Whether an event in a file came from the service.
output "is_genuine" {
  value     = provider::outreach::verify_secret(file("${path.module}/event.json"), var.secret)
  sensitive = true
}
