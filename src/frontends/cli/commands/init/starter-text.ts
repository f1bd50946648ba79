import { escapedText } from "../../../generate/escaped-text.ts";

/** A commented configuration that declares nothing yet. */
export function starterText(baseUrl: string | null): string {
  return `# Webhooks of the outreach automation service, and leads to unsubscribe.
# outreach validate checks this file, outreach plan shows the changes, outreach apply makes them.
version: 1

service:
  # OUTREACH_BASE_URL, when set, wins over this.
${baseUrlLine(baseUrl)}
  api_key: { env: OUTREACH_API_KEY }

# The state records what outreach manages. It contains no secrets. For CI, use a remote backend: http, s3 or pg.
state:
  backend: local
  path: outreach.state.json

# Values that differ between runs: --var stage=production, or OUTREACH_VAR_stage.
# variables:
#   stage: { default: staging }

# Campaigns to look up by name. outreach only reads them.
# data:
#   campaign:
#     q3: { name: "Q3 launch" }
#   campaigns:
#     live: { status: running }

# webhooks:
#   # One webhook: replies in one campaign go to the CRM. The service repeats the secret in each event, so that the receiver can verify the sender.
#   crm-replies:
#     target_url: https://crm.example.com/\${var.stage}/replies
#     type: emailsReplied
#     campaign: q3
#     secret: { env: CRM_HOOK_SECRET }
#
#   # Many webhooks: one for each event type and each running campaign, each with a URL of its own.
#   audit:
#     target_url: https://audit.example.com/hook?event=\${each.type}&campaign=\${each.campaign_id}
#     types: [emailsSent, emailsBounced]
#     campaigns: live
#     secret: { env: AUDIT_HOOK_SECRET }

# Leads to unsubscribe from a campaign, once each. The service documents no way to undo it.
# lead_unsubscriptions:
#   asked-to-stop:
#     campaign: q3
#     emails: [ada@example.com]

# outputs:
#   q3_id: \${data.outreach_campaign.q3.id}
`;
}

function baseUrlLine(baseUrl: string | null): string {
  return baseUrl === null ? "  # base_url: https://api.example.com/api" : `  base_url: ${escapedText(baseUrl)}`;
}
