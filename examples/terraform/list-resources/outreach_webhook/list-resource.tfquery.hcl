list "outreach_webhook" "replies" {
  provider = outreach

  config {
    type = "emailsReplied"
  }
}
