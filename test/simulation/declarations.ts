import type { Declaration, Statements } from "../../src/core/model/declaration.ts";
import type { Attributes } from "../../src/core/model/value.ts";
import type { Running } from "./process.ts";

export const SECRET_OF = { FIRST_SECRET: "first-secret-zq81", SECOND_SECRET: "second-secret-wm52" };
export const NO_STATEMENTS: Statements = { imports: [], moved: [], removed: [] };
export const CAMPAIGN = "cam_000001";
export const LEAD = "ada@example.com";

export const nowhere = (): undefined => undefined;

export function webhook(
  name: string,
  attributes: Attributes = {},
  secret: keyof typeof SECRET_OF | null = null,
): Declaration {
  return {
    address: `outreach_webhook.${name}`,
    type: "outreach_webhook",
    provider: "outreach",
    attributes: { target_url: `https://crm.example.com/hooks/${name}`, type: "emailsReplied", ...attributes },
    secrets: secret === null ? {} : { secret: { kind: "env", name: secret } },
    masked: [],
    locate: nowhere,
  };
}

/** Of a campaign that the list shows, so that it can be adopted. */
export const ofCampaign = (name: string): Declaration => webhook(name, { campaign_id: CAMPAIGN });

export function unsubscription(
  name: string,
  settings: Declaration["attributes"] = { on_not_found: "error" },
): Declaration {
  return {
    address: `outreach_lead_unsubscription.${name}`,
    type: "outreach_lead_unsubscription",
    provider: "outreach",
    attributes: { campaign_id: CAMPAIGN, email: LEAD, ...settings },
    secrets: {},
    masked: [],
    locate: nowhere,
  };
}

export function running(declarations: readonly Declaration[], more: Partial<Running> = {}): Running {
  return {
    declarations,
    statements: NO_STATEMENTS,
    secretOf: SECRET_OF,
    approved: false,
    adopt: false,
    marks: false,
    exclusive: false,
    lockTimeoutMs: 0,
    isShort: false,
    ...more,
  };
}
