# Was resource "restapi_object" "crm_replies".
moved {
  from = restapi_object.crm_replies
  to   = outreach_webhook.crm_replies
}
