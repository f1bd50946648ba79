import type { ConfigurationOutline } from "../../src/core/model/configuration-outline.ts";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import type { RecordedInstance } from "../../src/core/model/instance.ts";
import { type Attributes, UNKNOWN } from "../../src/core/model/value.ts";
import type { Plan, Step } from "../../src/core/plan/plan.ts";
import type {
  DocumentFormat,
  FormatContext,
  OutputFormat,
  PlanMode,
  ShownState,
} from "../../src/output/content/output-format.ts";
import { plain } from "../../src/output/content/paint.ts";
import { catalog } from "../../src/service/resources/catalog.ts";

/** What every format prints, each into a golden file of its own. */
export const SCENARIOS: { readonly [name: string]: (format: DocumentFormat) => string } = {
  "plan-of-everything": (format) => planned(format, everything(), "apply"),
  "plan-without-changes": (format) =>
    planned(format, planOf([keep("crm")], { cost: { requests: 1, leastMs: 0, limit: LIMIT } }), "apply"),
  "plan-to-destroy": (format) =>
    planned(format, planOf([{ ...step("crm"), action: "delete", id: "hoo_crm", before: webhook("crm") }]), "destroy"),
  "plan-refresh-only": (format) => planned(format, refreshOnly(), "refresh-only"),
  "plan-of-many-leads": (format) =>
    planned(format, planOf(Array.from({ length: 14 }, (_, number) => unsubscribe(number))), "apply"),
  "state-empty": (format) => format.state(stateOf([]), CONTEXT),
  "state-of-everything": (format) => format.state(fullState(), CONTEXT),
};

/** What the formats print that can also show a run. */
export const RUNS: { readonly [name: string]: (format: OutputFormat) => string } = {
  "run-complete": (format) => run(format, "complete"),
  "run-incomplete": (format) => run(format, "incomplete"),
};

const LIMIT = { requests: 20, windowMs: 2000 };

const CONTEXT: FormatContext = {
  catalog,
  version: "0.1.0",
  paint: plain,
  isLive: false,
  columns: null,
  nowMs: Date.UTC(2026, 10, 22, 12),
  mask: (text) => text,
};

const OUTLINE: ConfigurationOutline = {
  variables: [
    { name: "stage", sensitive: false, value: "production", default: "staging" },
    { name: "token", sensitive: true },
  ],
  outputs: [{ name: "stage", sensitive: false }],
  blocks: [
    { address: "outreach_webhook.crm", mode: "managed", type: "outreach_webhook", provider: "outreach" },
    { address: "data.outreach_campaign.q3", mode: "data", type: "outreach_campaign", provider: "outreach" },
  ],
  data: [
    {
      address: "data.outreach_campaign.q3",
      type: "outreach_campaign",
      attributes: { id: "cam_000001", name: "Q3 launch", labels: ["emea"] },
      masked: [],
    },
  ],
};

function planned(format: DocumentFormat, plan: Plan, mode: PlanMode): string {
  const outputs = [{ name: "stage", value: "production", sensitive: false }];
  return format.plan(
    plan,
    {
      mode,
      configuration: "outreach.yaml",
      stage: null,
      scope: { targets: [], excludes: [] },
      planFile: "outreach.plan",
      diagnostics: plan.diagnostics,
      outline: OUTLINE,
      withSecrets: true,
      assumed: [],
      outputs,
    },
    CONTEXT,
  );
}

/** A failed create, a replace and a rotation, as plan and apply print them while they run. */
function run({ run: format }: OutputFormat, ending: "complete" | "incomplete"): string {
  const refused: Diagnostic = {
    code: "x",
    severity: "error",
    summary: "The service refused the request",
    detail: "POST /hooks: 400 Bad team.",
    address: "outreach_webhook.new",
  };
  const diagnostics = ending === "complete" ? [] : [refused];
  const event = { phase: "create", address: "outreach_webhook.new", id: null, elapsedMs: 0 } as const;
  const { mode, outputs } = { mode: "apply", outputs: [] } as const;
  return [
    format.begin(CONTEXT),
    format.diagnostics([{ ...refused, severity: "warning", summary: "A warning" }], CONTEXT),
    format.plan(everything(), { mode, outputs }, CONTEXT),
    format.say("Words for people.\n"),
    format.progress({ ...event, kind: "start" }, CONTEXT),
    format.still({ done: 1, total: 3, failed: 0, elapsedMs: 10_000 }, [{ ...event, elapsedMs: 10_000 }], CONTEXT),
    format.progress(
      {
        ...event,
        kind: ending === "complete" ? "complete" : "errored",
        id: ending === "complete" ? "hoo_new" : null,
        elapsedMs: 12_000,
      },
      CONTEXT,
    ),
    ...rotation(format),
    format.endProgress(CONTEXT),
    format.diagnostics(diagnostics, CONTEXT),
    format.applied(
      {
        counts: { import: 1, add: 2, change: 1, destroy: 2, forget: 1 },
        diagnostics,
        destroying: false,
        left: 0,
        ending,
        outputs: [{ name: "q3_id", value: "cam_000001", sensitive: false }],
      },
      CONTEXT,
    ),
  ].join("");
}

function rotation(format: OutputFormat["run"]): readonly string[] {
  const address = "outreach_webhook.rotated";
  return [
    format.progress({ kind: "start", phase: "delete", address, id: "hoo_rotated", elapsedMs: 0 }, CONTEXT),
    format.progress({ kind: "complete", phase: "delete", address, id: null, elapsedMs: 70 }, CONTEXT),
    format.progress({ kind: "start", phase: "create", address, id: null, elapsedMs: 0 }, CONTEXT),
    format.progress(
      { kind: "complete", phase: "create", address, id: "hoo_new_secret", elapsedMs: 70, gapMs: 139.6 },
      CONTEXT,
    ),
  ];
}

function planOf(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  return { format: 1, steps, drift: [], outputs: [], diagnostics: [], undecided: [], ...more };
}

function step(name: string) {
  return {
    address: `outreach_webhook.${name}`,
    type: "outreach_webhook",
    provider: "outreach",
    because: [],
    masked: [],
  } as const;
}

function webhook(name: string): Attributes {
  return {
    target_url: `https://${name}.example.com/hook`,
    type: "emailsReplied",
    campaign_id: "cam_000001",
    secret: { $secret: "00ff00ff" },
    id: `hoo_${name}`,
    created_at: "2026-07-01T12:00:00.000Z",
  };
}

/** What the service shows of it. */
function observed(name: string): Attributes {
  return Object.fromEntries(Object.entries(webhook(name)).filter(([attribute]) => attribute !== "secret"));
}

function keep(name: string): Step {
  return { ...step(name), action: "keep", id: `hoo_${name}`, before: webhook(name) };
}

function unsubscribe(number: number): Step {
  const type = "outreach_lead_unsubscription";
  const email = `lead${String(number)}@example.com`;
  return {
    ...step(""),
    type,
    address: `${type}.gdpr["${email}"]`,
    action: "create",
    after: { campaign_id: "cam_000001", email, id: UNKNOWN, contact_id: UNKNOWN, is_paused: UNKNOWN, outcome: UNKNOWN },
  };
}

/** One step of every action, drift of both kinds, outputs that come, change and go. */
function everything(): Plan {
  const unknown = { id: UNKNOWN, created_at: UNKNOWN };
  const rotated = { ...webhook("rotated"), ...unknown, secret: { $secret: "11ee11ee" } };
  return planOf(
    [
      keep("kept"),
      { ...step("gone"), action: "create", after: { ...webhook("gone"), ...unknown } },
      { ...step("old"), action: "delete", id: "hoo_old", before: webhook("old") },
      {
        ...step("rotated"),
        action: "replace",
        order: "delete-first",
        id: "hoo_rotated",
        before: webhook("rotated"),
        after: rotated,
        because: [{ attribute: "secret", why: "secret" }],
      },
      {
        ...step("changed"),
        action: "replace",
        order: "create-first",
        id: "hoo_changed",
        before: { ...webhook("changed"), target_url: "https://elsewhere.example.com/" },
        after: { ...webhook("changed"), ...unknown },
        because: [{ attribute: "target_url", why: "drift" }],
      },
      {
        ...step("setting"),
        action: "update-state",
        id: "hoo_setting",
        before: webhook("setting"),
        after: { ...webhook("setting"), protect: true },
        returned: {},
        because: [{ attribute: "protect", why: "config" }],
      },
      {
        ...step("moved"),
        action: "update-state",
        id: "hoo_moved",
        before: webhook("moved"),
        after: webhook("moved"),
        returned: {},
        movedFrom: "outreach_webhook.before",
      },
      {
        ...step("adopted"),
        action: "adopt",
        id: "hoo_adopted",
        after: webhook("adopted"),
        returned: observed("adopted"),
      },
      { ...step("released"), action: "forget", before: webhook("released"), released: true },
      {
        ...step("masked"),
        action: "create",
        after: { ...webhook("masked"), ...unknown, target_url: "https://hidden.example.com/s3cr3t" },
        masked: ["target_url"],
      },
      unsubscribe(1),
    ],
    {
      cost: { requests: 54, leastMs: 4000, limit: LIMIT },
      drift: [
        {
          address: "outreach_webhook.gone",
          type: "outreach_webhook",
          before: webhook("gone"),
          after: null,
          changed: [],
          masked: [],
        },
        {
          address: "outreach_webhook.changed",
          type: "outreach_webhook",
          before: webhook("changed"),
          after: { ...webhook("changed"), target_url: "https://elsewhere.example.com/" },
          changed: ["target_url"],
          masked: [],
        },
      ],
      outputs: [
        { name: "new_id", before: null, after: { value: UNKNOWN }, sensitive: false },
        { name: "q3", before: { value: "cam_000001" }, after: { value: "cam_000002" }, sensitive: false },
        { name: "token", before: { value: "s3cr3t" }, after: null, sensitive: true },
      ],
    },
  );
}

function refreshOnly(): Plan {
  const { drift } = everything();
  return planOf([{ ...step("gone"), action: "forget", before: webhook("gone") }, keep("kept")], {
    drift: drift.slice(0, 1),
  });
}

function stateOf(instances: readonly RecordedInstance[], more: Partial<ShownState> = {}): ShownState {
  return { instances, outputs: [], lostCreates: [], pending: [], ...more };
}

function recorded(name: string, more: Partial<RecordedInstance> = {}): RecordedInstance {
  return {
    address: `outreach_webhook.${name}`,
    type: "outreach_webhook",
    provider: "outreach",
    schemaVersion: 0,
    id: `hoo_${name}`,
    attributes: webhook(name),
    returned: {},
    unobserved: [],
    assumed: [],
    recordedAtMs: 0,
    ...more,
  };
}

function fullState(): ShownState {
  const intent = {
    kind: "intent",
    op: "create",
    provider: "outreach",
    id: null,
    key: {},
    planned: {},
    listed: null,
    serverDate: "",
  } as const;
  return stateOf(
    [
      recorded("crm"),
      recorded("replaced", { deposed: [{ id: "hoo_deposed", attributes: webhook("deposed"), returned: {} }] }),
      recorded("masked", { masked: ["target_url"] }),
    ],
    {
      outputs: [
        { name: "q3_id", value: "cam_000001", sensitive: false },
        { name: "token", value: "s3cr3t", sensitive: true },
      ],
      lostCreates: [
        {
          type: "outreach_webhook",
          address: "outreach_webhook.lost",
          key: {},
          planned: {},
          provider: "outreach",
          preIds: [],
          sentAtMs: Date.UTC(2026, 10, 22, 11),
        },
      ],
      pending: [
        {
          ...intent,
          seq: 1,
          type: "outreach_webhook",
          address: "outreach_webhook.open",
        } as ShownState["pending"][number],
      ],
    },
  );
}
