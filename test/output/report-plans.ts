import type { ConfigurationOutline } from "../../src/core/model/configuration-outline.ts";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import { type Attributes, UNKNOWN } from "../../src/core/model/value.ts";
import type { Plan, Step } from "../../src/core/plan/plan.ts";
import type { FormatContext, ShownPlan } from "../../src/output/content/output-format.ts";
import { plain } from "../../src/output/content/paint.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { DIGEST } from "./arbitrary-plan.ts";

/** Texts of others that try to get out of their place. */
export const HOSTILE = [
  "</details><script>alert(1)</script>",
  "--> <b>out</b>",
  "``` `` ` code",
  "a | b \\| c \\",
  "line\nbreak\r\n| x | y |",
  "\u202Ereversed\u2066",
  "@team @org/team #12 GH-3 owner/repo#4",
  '<img src=x onerror="alert(1)">',
  "[link](https://evil.example) ![image](https://evil.example/x.png)",
  "https://evil.example www.evil.example mail@evil.example",
  "<https://evil.example> &lt;b&gt; &#64;team",
  "$\\alpha$ :tada: **bold** _it_ ~~no~~",
  "\u0000\u001B[31mred\uD800",
  " ",
  "` | `",
  "</style></script></title><svg onload=alert(1)>",
  "' autofocus onfocus='alert(1)",
] as const;

export const CONTEXT: FormatContext = {
  catalog,
  version: "0.1.0",
  paint: plain,
  isLive: false,
  columns: null,
  nowMs: 0,
  mask: (text) => text,
};

/** The outline of a configuration that declares nothing. */
export const NOTHING_DECLARED: ConfigurationOutline = { variables: [], outputs: [], blocks: [], data: [] };

/** What a report says besides the plan. */
export function shownOf(plan: Plan, more: Partial<ShownPlan> = {}): ShownPlan {
  return {
    mode: "apply",
    configuration: "outreach.yaml",
    stage: null,
    scope: { targets: [], excludes: [] },
    planFile: "outreach.plan",
    diagnostics: plan.diagnostics,
    outline: NOTHING_DECLARED,
    withSecrets: true,
    assumed: [],
    outputs: [],
    ...more,
  };
}

export function planOf(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  return { format: 1, steps, drift: [], outputs: [], diagnostics: [], undecided: [], ...more };
}

export function stepOf(name: string) {
  return {
    address: `outreach_webhook.${name}`,
    type: "outreach_webhook",
    provider: "outreach",
    because: [],
    masked: [],
  } as const;
}

export function webhookOf(name: string, more: Attributes = {}): Attributes {
  const values = {
    target_url: `https://crm.example.com/${name}`,
    type: "emailsReplied",
    campaign_id: "cam_000001",
    secret: { $secret: DIGEST },
  };
  return { ...values, id: `hoo_${name}`, created_at: "2026-07-01T12:00:00.000Z", ...more };
}

const NEW = { id: UNKNOWN, created_at: UNKNOWN };

export function createOf(name: string, more: Attributes = {}): Step {
  return { ...stepOf(name), action: "create", after: webhookOf(name, { ...NEW, ...more }) };
}

export function deleteOf(name: string, more: Attributes = {}): Step {
  return { ...stepOf(name), action: "delete", id: `hoo_${name}`, before: webhookOf(name, more) };
}

/** A rotation of the secret. */
export function replaceOf(name: string, more: Attributes = {}): Step {
  const after = webhookOf(name, { ...NEW, ...more, secret: { $secret: `${DIGEST}2` } });
  return {
    ...stepOf(name),
    action: "replace",
    order: "delete-first",
    id: `hoo_${name}`,
    before: webhookOf(name, more),
    after,
    because: [{ attribute: "secret", why: "secret" }],
  };
}

/** As many things as asked for, with names of one length. */
export function many<T>(count: number, make: (name: string, index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(`w${String(index).padStart(5, "0")}`, index));
}

const TYPES = [
  "emailsSent",
  "emailsReplied",
  "emailsBounced",
  "networkReplied",
  "networkInviteAccepted",
  "smsReplied",
  "interested",
  "notInterested",
  null,
];
const placeOf = (index: number): Attributes => ({
  type: TYPES[index % TYPES.length] ?? null,
  campaign_id: index % 7 === 6 ? null : `cam_00000${String((index % 5) + 1)}`,
});

/** About 40 resources, with everything that can happen to them. */
export function planOfAll(): Plan {
  const kept = many(12, (name, index): Step => ({
    ...stepOf(`kept-${name}`),
    action: "keep",
    id: `hoo_${name}`,
    before: webhookOf(name, placeOf(index)),
  }));
  const moved = { ...webhookOf("audit"), type: "emailsBounced" };
  return planOf(
    [
      ...kept,
      ...many(9, (_, index) =>
        createOf(`audit["${TYPES[index] ?? "all"}/cam_000002"]`, {
          ...placeOf(index),
          target_url: "https://audit.example.com/hooks/outreach",
        }),
      ),
      deleteOf("legacy-crm"),
      deleteOf("trial-export", { type: "networkReplied", campaign_id: "cam_000004" }),
      deleteOf("zap-bounces", { type: "emailsBounced", campaign_id: null }),
      replaceOf("crm-replies"),
      replaceOf("crm-clicks", { type: "interested" }),
      {
        ...stepOf("sales-replies"),
        action: "replace",
        order: "create-first",
        id: "hoo_000017",
        before: webhookOf("sales", {
          target_url: "https://sales.example.com/hooks/old/replies?team=emea",
          type: "smsReplied",
        }),
        after: webhookOf("sales", {
          ...NEW,
          target_url: "https://sales.example.com/hooks/v2/replies?team=emea",
          type: "smsReplied",
        }),
        because: [{ attribute: "target_url", why: "drift" }],
      },
      {
        ...stepOf("q3-launch"),
        action: "replace",
        order: "delete-first",
        id: "hoo_000018",
        before: webhookOf("q3", { campaign_id: "cam_000003" }),
        after: webhookOf("q3", { ...NEW, campaign_id: "cam_000005" }),
        because: [{ attribute: "campaign_id", why: "lookup", lookup: 'data.outreach_campaign.q3 (name "Q3 launch")' }],
      },
      {
        ...stepOf("events"),
        action: "update-state",
        id: "hoo_19",
        before: webhookOf("events"),
        after: webhookOf("events", { protect: true }),
        returned: {},
        because: [{ attribute: "protect", why: "config" }],
      },
      {
        ...stepOf("audit-bounces"),
        action: "update-state",
        id: "hoo_20",
        before: moved,
        after: moved,
        returned: {},
        movedFrom: "outreach_webhook.bounces",
      },
      ...many(2, (name): Step => ({
        ...stepOf(`adopted-${name}`),
        action: "adopt",
        id: `hoo_${name}`,
        after: webhookOf(name, { type: "networkInviteAccepted" }),
        returned: {},
      })),
      {
        ...stepOf("handed-over"),
        action: "forget",
        before: webhookOf("handed-over", { type: "notInterested" }),
        released: true,
      },
      { ...createOf("with-token"), masked: ["target_url"] },
      ...many(12, (name): Step => {
        const [type, email] = [
          "outreach_lead_unsubscription",
          `${name.slice(0, 1)}***@example.com#1f3a9${name.slice(3)}`,
        ];
        return {
          ...stepOf(name),
          type,
          address: `${type}.gdpr-2026-11["${email}"]`,
          action: "create",
          after: { campaign_id: "cam_000001", email, id: UNKNOWN, outcome: UNKNOWN },
        };
      }),
    ],
    {
      drift: [
        {
          address: "outreach_webhook.events",
          type: "outreach_webhook",
          before: webhookOf("events"),
          after: null,
          changed: [],
          masked: [],
        },
        {
          address: "outreach_webhook.sales-replies",
          type: "outreach_webhook",
          before: webhookOf("sales", { target_url: "https://sales.example.com/hooks/v2/replies?team=emea" }),
          after: webhookOf("sales", { target_url: "https://sales.example.com/hooks/old/replies?team=emea" }),
          changed: ["target_url"],
          masked: [],
        },
      ],
      outputs: [
        { name: "q3_id", before: { value: "cam_000003" }, after: { value: "cam_000005" }, sensitive: false },
        { name: "token", before: null, after: { value: "hidden" }, sensitive: true },
      ],
      checks: [
        { name: "campaign_is_live", severity: "warning", status: "fail", messages: ["The campaign is paused."] },
        { name: "has_replies", severity: "error", status: "pass", messages: [] },
      ],
      diagnostics: MESSAGES,
    },
  );
}

const MESSAGES: readonly Diagnostic[] = [
  {
    code: "check_failed",
    severity: "warning",
    summary: "Check failed",
    detail: "campaign_is_live: The campaign Q3 launch is paused, so its webhooks deliver nothing.",
    place: { file: "outreach.yaml", line: 41, column: 3, text: "  campaign_is_live:" },
  },
  {
    code: "secret_assumed",
    severity: "note",
    summary: "Secret assumed, not verified",
    detail:
      "outreach_webhook.adopted-w00000 is imported. The service never shows a secret, so outreach assumes that the declared secret is the current one.",
    hint: "To be certain, replace it: outreach apply --replace outreach_webhook.adopted-w00000",
    address: "outreach_webhook.adopted-w00000",
  },
];
