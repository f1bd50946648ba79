/** An example configuration for each section, by the section's path. The tests of the docs validate them. */
export const SECTION_EXAMPLES: { readonly [section: string]: string } = {
  service: `version: 1
service:
  base_url: https://api.example.com/api
  api_key: { file: secrets/outreach-api-key }
  rate_share: 50%`,
  state: `version: 1
variables:
  stage: { default: staging }
state:
  path: states/outreach.\${var.stage}.state.json`,
  variables: `version: 1
variables:
  stage: { default: staging, allowed: [staging, production], description: The stage to apply to }
  receiver_token: { default: none, sensitive: true }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/\${var.stage}/replies?token=\${var.receiver_token}`,
  teams: `version: 1
service:
  base_url: https://api.example.com/api
variables:
  crm: { default: crm.example.com }
teams:
  emea:
    api_key: { env: OUTREACH_API_KEY_EMEA }
    variables: { crm: crm-emea.example.com }
  apac:
    api_key: { env: OUTREACH_API_KEY_APAC }
webhooks:
  crm-replies:
    target_url: https://\${var.crm}/hooks/replies?team=\${team.name}
    secret: { env: "CRM_HOOK_SECRET_\${upper(team.name)}" }`,
  "data.campaign": `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
    renewals: { name: Renewals, status: running }
    partners: { id: cam_000004 }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    campaign: q3`,
  "data.campaigns": `version: 1
data:
  campaigns:
    live: { status: running }
    launches: { labels: [launch], name_regex: "^Q[34] " }
webhooks:
  audit:
    target_url: https://audit.example.com/hook?campaign=\${each.campaign_id}
    campaigns: live`,
  "data.schedules": `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
  schedules:
    q3: { campaign: q3 }
outputs:
  schedule_ids: \${data.outreach_schedules.q3.ids}`,
  "data.warmup_settings": `version: 1
data:
  warmup_settings:
    sales: { user_mailbox_id: usm_000001 }
outputs:
  daily_limit: \${data.outreach_warmup_settings.sales.daily_limit}`,
  "data.webhooks": `version: 1
data:
  webhooks:
    all: {}
outputs:
  webhook_count: \${length(data.outreach_webhooks.all.webhooks)}`,
  webhooks: `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
    renewals: { name: Renewals }
webhooks:
  everything:
    target_url: https://archive.example.com/hook
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    type: emailsReplied
    campaign: q3
    secret: { env: CRM_HOOK_SECRET }
    protect: true
    rotation: create_first
  audit:
    target_url: https://audit.example.com/hook?event=\${each.type}&campaign=\${each.campaign_id}
    types: [emailsSent, emailsBounced]
    campaigns: [q3, renewals]`,
  lead_unsubscriptions: `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
  campaigns:
    live: { status: running }
lead_unsubscriptions:
  asked-by-mail:
    campaign: q3
    emails: [ada@example.com, charles@example.com]
  gdpr-2026-11:
    campaigns: live
    emails_from: suppressions/2026-11.csv
    on_not_found: warn`,
  imports: `version: 1
imports:
  - { to: outreach_webhook.crm-replies, id: hoo_000001 }
  - { to: 'outreach_webhook.audit["emailsSent"]', id: hoo_000002 }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    type: emailsReplied
  audit:
    target_url: https://audit.example.com/hook?event=\${each.type}
    types: [emailsSent, emailsBounced]`,
  moved: `version: 1
moved:
  - { from: outreach_webhook.crm, to: outreach_webhook.crm-replies }
  - { from: outreach_webhook.sent, to: 'outreach_webhook.audit["emailsSent"]' }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    type: emailsReplied
  audit:
    target_url: https://audit.example.com/hook?event=\${each.type}
    types: [emailsSent, emailsBounced]`,
  removed: `version: 1
removed:
  - { from: outreach_webhook.audit, destroy: false }
  - { from: outreach_webhook.staging }`,
  outputs: `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    campaign: q3
outputs:
  q3_id: \${data.outreach_campaign.q3.id}
  replies_id: { value: "\${outreach_webhook.crm-replies.id}", description: The webhook of the CRM }`,
  checks: `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
  webhooks:
    all: {}
webhooks:
  crm-replies:
    target_url: https://crm.example.com/hooks/replies
    campaign: q3
checks:
  campaign-is-sound:
    condition: \${!data.outreach_campaign.q3.has_error}
    message: The campaign \${data.outreach_campaign.q3.name} has an error.
    severity: error
  few-webhooks:
    condition: \${length(data.outreach_webhooks.all.webhooks) <= 90}
    message: The service has \${length(data.outreach_webhooks.all.webhooks)} webhooks.`,
  limits: `version: 1
limits:
  delete: 10%
  replace: 10%
  recreate: 0
  unsubscribe: 500`,
};
