import type { Diagnostic } from "../../core/model/diagnostic.ts";

/** Sites whose code is any text: they copy a diagnostic, describe one, or check one that was read from a file. */
export const COPIES: readonly string[] = [
  "src/core/model/diagnostic.ts",
  "src/core/plan/plan-shape.ts",
  "src/frontends/mcp/tool-schemas.ts",
  "src/output/json/diagnostic-json.ts",
  "src/output/json/drift-schema.ts",
];

interface Described {
  readonly severity: Diagnostic["severity"];
  readonly summary: string;
  readonly detail: string;
  readonly hint: string;
}

const refused = (words: string, hint: string): Described => ({
  severity: "error",
  summary: "The service refused the request",
  detail: `The service answered: "${words}".`,
  hint,
});

/** Codes that the sources put together, by the form that the sources show. Each of them is described by hand, or by the form's own texts. */
export const CODE_FORMS: { readonly [form: string]: { readonly [code: string]: Described | null } } = {
  overlapping_PLURAL: { overlapping_webhooks: null },
  service_KNOWN: {
    service_bad_team: refused(
      "Bad team",
      "The object belongs to another team than the API key's user. Check the ids, or use that team's key.",
    ),
    service_webhook_not_found: refused(
      "Webhook not found",
      "Check the id: it does not exist, or belongs to another team than the API key's user.",
    ),
    service_campaign_not_found: refused(
      "Campaign not found",
      "List the campaigns: outreach get campaigns. Check that the API key belongs to the right team.",
    ),
    service_lead_not_found: refused(
      "Lead not found",
      "Check the id: it does not exist, or belongs to another team than the API key's user.",
    ),
    service_no_key: refused("No API key provided", "Set OUTREACH_API_KEY, or service.api_key in the configuration."),
    service_wrong_key: refused(
      "The authentication you supplied is incorrect",
      "Check the API key: it is not one of this service.",
    ),
    service_key_blocked: refused(
      "User linked to this API key is blocked",
      "Use the key of another user of the same team: the state stays valid.",
    ),
    service_key_without_user: refused(
      "No user found for this API key",
      "Create a key in the integration settings of the service.",
    ),
    service_unauthorized: refused(
      "Unauthorized",
      "Check the API key: OUTREACH_API_KEY, or service.api_key in the configuration.",
    ),
  },
};

/** Codes that only unsubscriptions have: their texts name these in place of webhooks. */
export const OF_UNSUBSCRIPTIONS: readonly string[] = ["cannot_be_undone", "limit_irreversible"];
