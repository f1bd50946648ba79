import { describe, expect, test } from "vitest";
import { type Attributes, UNKNOWN, type Value } from "../../src/core/model/value.ts";
import type { Drift, OutputChange, Plan, Step } from "../../src/core/plan/plan.ts";
import { ansi, plain } from "../../src/output/content/paint.ts";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import { planText } from "../../src/output/text/plan-text.ts";
import { summaryText } from "../../src/output/content/summary-text.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { cpuCost } from "../cpu-cost.ts";

const NONE: Attributes = Object.fromEntries(
  Object.keys(catalog.resources.find(({ type }) => type === "outreach_webhook")?.schema ?? {}).map((name) => [
    name,
    null,
  ]),
);
const LIVE: Attributes = {
  ...NONE,
  target_url: "https://crm.example.com/hooks",
  type: "emailsReplied",
  secret: { $secret: "aa" },
  id: "hoo_000001",
  created_at: "2026-07-01T12:00:00.000Z",
};
const NEW: Attributes = { ...LIVE, id: UNKNOWN, created_at: UNKNOWN };
const BASE = {
  address: "outreach_webhook.crm",
  type: "outreach_webhook",
  provider: "outreach",
  because: [],
  masked: [],
} as const;

const CREATE: Step = { ...BASE, action: "create", after: NEW };
const DELETE: Step = { ...BASE, action: "delete", id: "hoo_000001", before: LIVE };
const KEEP: Step = { ...BASE, action: "keep", id: "hoo_000001", before: LIVE };
const FORGET: Step = { ...BASE, action: "forget", before: LIVE, gone: true };
const RELEASE: Step = { ...BASE, action: "forget", before: LIVE, released: true };
const ADOPT: Step = { ...BASE, action: "adopt", id: "hoo_000001", after: LIVE, returned: {} };
const RECORD = {
  ...BASE,
  action: "update-state",
  id: "hoo_000001",
  before: LIVE,
  after: { ...LIVE, allow_duplicate: true },
  returned: {},
  because: [{ attribute: "allow_duplicate", why: "config" }],
} as const satisfies Step;
const GONE: Drift = {
  address: "outreach_webhook.crm",
  type: "outreach_webhook",
  before: LIVE,
  after: null,
  changed: [],
  masked: [],
};
const CHANGED: Drift = {
  ...GONE,
  after: { ...LIVE, type: null, target_url: "https://x.example.com" },
  changed: ["target_url", "type"],
};

function replace(
  change: Attributes,
  because: Step["because"] = Object.keys(change).map((attribute) => ({ attribute, why: "config" })),
): Step {
  return {
    ...BASE,
    action: "replace",
    order: "delete-first",
    id: "hoo_000001",
    before: LIVE,
    after: { ...NEW, ...change },
    because,
  };
}

const LEAD: Attributes = {
  campaign_id: "cam_000001",
  email: "ada@example.com",
  on_not_found: "watch",
  id: "lea_000001",
  contact_id: null,
  is_paused: false,
  outcome: "unsubscribed",
};

function ofLead(number: number): Pick<Step, "address" | "type" | "provider" | "because" | "masked"> {
  return {
    ...BASE,
    type: "outreach_lead_unsubscription",
    address: `outreach_lead_unsubscription.gdpr["a${String(number)}@example.com"]`,
  };
}

function unsubscribe(number: number, more: { readonly again?: "unconfirmed" } = {}): Step {
  return {
    ...ofLead(number),
    action: "create",
    after: { campaign_id: "cam_000001", email: `a${String(number)}@example.com` },
    ...more,
  };
}

function output(name: string, before: Value | undefined, after: Value | undefined, sensitive = false): OutputChange {
  return {
    name,
    sensitive,
    before: before === undefined ? null : { value: before },
    after: after === undefined ? null : { value: after },
  };
}

function planOf(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  return { format: 1, steps, drift: [], outputs: [], diagnostics: [], undecided: [], ...more };
}

function textOf(steps: readonly Step[], drift: readonly Drift[] = [], paint = plain): string {
  return planText(planOf(steps, { drift }), { catalog, paint });
}

const ACTIONS = "outreach will perform the following actions:\n\n";
const DRIFT = "Note: Webhooks have changed outside of outreach\n\n";

test.each<readonly [name: string, steps: readonly Step[], drift: readonly Drift[], text: string]>([
  ["nothing", [], [], "No changes. Your webhooks match the configuration.\n"],
  ["only what is kept", [KEEP], [], "No changes. Your webhooks match the configuration.\n"],
  [
    "a create, without the attributes that are null",
    [CREATE],
    [],
    `${ACTIONS}  # outreach_webhook.crm will be created
  + outreach_webhook.crm
      + target_url = "https://crm.example.com/hooks"
      + type       = "emailsReplied"
      + secret     = (sensitive value)
      + id         = (known after apply)
      + created_at = (known after apply)

Plan: 1 to add, 0 to change, 0 to destroy.
`,
  ],
  [
    "a delete",
    [DELETE],
    [],
    `${ACTIONS}  # outreach_webhook.crm will be destroyed
  - outreach_webhook.crm
      - target_url = "https://crm.example.com/hooks"
      - type       = "emailsReplied"
      - secret     = (sensitive value)
      - id         = "hoo_000001"
      - created_at = "2026-07-01T12:00:00.000Z"

Plan: 0 to add, 0 to change, 1 to destroy.
`,
  ],
  [
    "a replace for a changed attribute, with only what changes",
    [replace({ type: "emailsSent" })],
    [],
    `${ACTIONS}  # outreach_webhook.crm must be replaced
-/+ outreach_webhook.crm
      ~ type       = "emailsReplied" -> "emailsSent" # forces replacement
        (events are not delivered between the delete and the create)
      ~ id         = "hoo_000001" -> (known after apply)
      ~ created_at = "2026-07-01T12:00:00.000Z" -> (known after apply)

Plan: 1 to add, 0 to change, 1 to destroy.
`,
  ],
  [
    "a replace for a rotated secret",
    [replace({ secret: { $secret: "bb" } }, [{ attribute: "secret", why: "secret" }])],
    [],
    `${ACTIONS}  # outreach_webhook.crm must be replaced
-/+ outreach_webhook.crm
      ~ secret     = (sensitive value) # forces replacement
        (the secret cannot be changed in place: events are not delivered between the delete and the create)
      ~ id         = "hoo_000001" -> (known after apply)
      ~ created_at = "2026-07-01T12:00:00.000Z" -> (known after apply)

Plan: 1 to add, 0 to change, 1 to destroy.
`,
  ],
  [
    "a replace for a secret that is taken away",
    [replace({ secret: null })],
    [],
    `${ACTIONS}  # outreach_webhook.crm must be replaced
-/+ outreach_webhook.crm
      ~ secret     = (sensitive value) -> null # forces replacement
        (the secret cannot be changed in place: events are not delivered between the delete and the create)
      ~ id         = "hoo_000001" -> (known after apply)
      ~ created_at = "2026-07-01T12:00:00.000Z" -> (known after apply)

Plan: 1 to add, 0 to change, 1 to destroy.
`,
  ],
  [
    "a replace for drift",
    [replace({ type: "emailsSent" }, [{ attribute: "type", why: "drift" }])],
    [CHANGED],
    `${DRIFT}  # outreach_webhook.crm has changed
  ~ outreach_webhook.crm
      ~ target_url = "https://crm.example.com/hooks" -> "https://x.example.com"
      ~ type       = "emailsReplied" -> null

${ACTIONS}  # outreach_webhook.crm must be replaced (it was changed outside of outreach)
-/+ outreach_webhook.crm
      ~ type       = "emailsReplied" -> "emailsSent" # forces replacement
        (events are not delivered between the delete and the create)
      ~ id         = "hoo_000001" -> (known after apply)
      ~ created_at = "2026-07-01T12:00:00.000Z" -> (known after apply)

Plan: 1 to add, 0 to change, 1 to destroy.
`,
  ],
  [
    "a record",
    [RECORD],
    [],
    `${ACTIONS}  # outreach_webhook.crm will be updated in the state only; nothing is sent
  ~ outreach_webhook.crm
      ~ allow_duplicate = null -> true

Plan: 0 to add, 1 to change, 0 to destroy.
`,
  ],
  [
    "a forget of what is gone",
    [FORGET],
    [GONE],
    `${DRIFT}  # outreach_webhook.crm has been deleted
  - outreach_webhook.crm (id "hoo_000001")

${ACTIONS}  # outreach_webhook.crm will be taken out of the state; it is gone already
  . outreach_webhook.crm
        target_url = "https://crm.example.com/hooks"
        type       = "emailsReplied"
        secret     = (sensitive value)
        id         = "hoo_000001"
        created_at = "2026-07-01T12:00:00.000Z"

Plan: 0 to add, 0 to change, 0 to destroy.
`,
  ],
  [
    "several steps, in their order",
    [{ ...CREATE, address: "outreach_webhook.a" }, KEEP, { ...DELETE, address: "outreach_webhook.z" }],
    [],
    `${ACTIONS}  # outreach_webhook.a will be created
  + outreach_webhook.a
      + target_url = "https://crm.example.com/hooks"
      + type       = "emailsReplied"
      + secret     = (sensitive value)
      + id         = (known after apply)
      + created_at = (known after apply)

  # outreach_webhook.z will be destroyed
  - outreach_webhook.z
      - target_url = "https://crm.example.com/hooks"
      - type       = "emailsReplied"
      - secret     = (sensitive value)
      - id         = "hoo_000001"
      - created_at = "2026-07-01T12:00:00.000Z"

Plan: 1 to add, 0 to change, 1 to destroy.
`,
  ],
])("a plan with %s", (_name, steps, drift, text) => {
  expect(textOf(steps, drift)).toBe(text);
});

const REPLACED = `      ~ id         = "hoo_000001" -> (known after apply)
      ~ created_at = "2026-07-01T12:00:00.000Z" -> (known after apply)`;

test.each<readonly [name: string, step: Step, lines: string]>([
  [
    "a replace that creates first",
    { ...replace({ type: "emailsSent" }), order: "create-first" } as Step,
    `  # outreach_webhook.crm must be replaced
+/- outreach_webhook.crm
      ~ type       = "emailsReplied" -> "emailsSent" # forces replacement
        (both the new one and the old one deliver between the create and the delete)
${REPLACED}`,
  ],
  [
    "a rotated secret that is created first: nothing is said of events that are not delivered",
    {
      ...replace({ secret: { $secret: "bb" } }, [{ attribute: "secret", why: "secret" }]),
      order: "create-first",
    } as Step,
    `  # outreach_webhook.crm must be replaced
+/- outreach_webhook.crm
      ~ secret     = (sensitive value) # forces replacement
        (the secret cannot be changed in place: both the new one and the old one deliver between the create and the delete)
${REPLACED}`,
  ],
  [
    "a replace for two attributes, with what it means once",
    replace({ target_url: "https://x.example.com/", secret: null }),
    `  # outreach_webhook.crm must be replaced
-/+ outreach_webhook.crm
      ~ target_url = "https://crm.example.com/hooks" -> "https://x.example.com/" # forces replacement
        (events are not delivered between the delete and the create)
      ~ secret     = (sensitive value) -> null # forces replacement
        (the secret cannot be changed in place)
${REPLACED}`,
  ],
  [
    "a replace that was asked for",
    replace({}, [{ attribute: null, why: "requested" }]),
    `  # outreach_webhook.crm will be replaced, as requested
  # (events are not delivered between the delete and the create)
-/+ outreach_webhook.crm
${REPLACED}`,
  ],
  [
    "a replace because a name finds something else",
    replace({ campaign_id: "cam_000002" }, [
      { attribute: "campaign_id", why: "lookup", lookup: 'data.outreach_campaign.q3 (name "Q3 launch")' },
    ]),
    `  # outreach_webhook.crm must be replaced
  # (data.outreach_campaign.q3 (name "Q3 launch") now finds another campaign_id)
-/+ outreach_webhook.crm
      ~ campaign_id = null -> "cam_000002" # forces replacement
        (events are not delivered between the delete and the create)
${REPLACED.replaceAll(" = ", "  = ")}`,
  ],
  [
    "an import",
    { ...BASE, action: "adopt", id: "hoo_000001", after: { ...LIVE, secret: null }, returned: {} },
    `  # outreach_webhook.crm will be imported
  # (already exists: nothing is sent)
    outreach_webhook.crm
        target_url = "https://crm.example.com/hooks"
        type       = "emailsReplied"
        id         = "hoo_000001"
        created_at = "2026-07-01T12:00:00.000Z"`,
  ],
  [
    "an unsubscription that is taken as carried out",
    {
      ...ofLead(1),
      action: "adopt",
      id: null,
      after: { campaign_id: "cam_000001", email: "a1@example.com" },
      returned: {},
    },
    `  # outreach_lead_unsubscription.gdpr["a1@example.com"] will be imported
  # (recorded as done: nothing is sent)
    outreach_lead_unsubscription.gdpr["a1@example.com"]
        campaign_id = "cam_000001"
        email       = "a1@example.com"`,
  ],
  [
    "a move",
    { ...RECORD, because: [], after: LIVE, movedFrom: "outreach_webhook.old" },
    "  # outreach_webhook.old has moved to outreach_webhook.crm\n    outreach_webhook.crm",
  ],
  [
    "a change of what has moved",
    { ...RECORD, movedFrom: "outreach_webhook.old" },
    `  # outreach_webhook.crm will be updated in the state only; nothing is sent
  # (moved from outreach_webhook.old)
  ~ outreach_webhook.crm
      ~ allow_duplicate = null -> true`,
  ],
  [
    "a deposed webhook",
    { ...DELETE, deposed: true },
    `  # outreach_webhook.crm (deposed object hoo_000001) will be destroyed
  # (left over: the current one stays)
  - outreach_webhook.crm
      - target_url = "https://crm.example.com/hooks"
      - type       = "emailsReplied"
      - secret     = (sensitive value)
      - id         = "hoo_000001"
      - created_at = "2026-07-01T12:00:00.000Z"`,
  ],
  [
    "an unsubscription that is forgotten",
    { ...ofLead(1), action: "forget", before: LEAD },
    `  # outreach_lead_unsubscription.gdpr["a1@example.com"] will be removed from the state only
  # (no documented request undoes a lead unsubscription)
  . outreach_lead_unsubscription.gdpr["a1@example.com"]
        campaign_id  = "cam_000001"
        email        = "ada@example.com"
        on_not_found = "watch"
        id           = "lea_000001"
        is_paused    = false
        outcome      = "unsubscribed"`,
  ],
  [
    "an unsubscription that is sent again",
    unsubscribe(1, { again: "unconfirmed" }),
    `  # outreach_lead_unsubscription.gdpr["a1@example.com"] will be created
  # (an earlier attempt was never confirmed: sent again)
  + outreach_lead_unsubscription.gdpr["a1@example.com"]
      + campaign_id = "cam_000001"
      + email       = "a1@example.com"`,
  ],
])("%s", (_name, step, lines) => {
  expect(textOf([step])).toContain(`${ACTIONS}${lines}\n\nPlan: `);
});

const OUTPUTS = [
  output("q3_id", undefined, "cam_000001"),
  output("all", ["a", 1], UNKNOWN),
  output("gone", true, undefined),
  output("hush", "x", "y", true),
];
const OUTPUT_LINES = `Changes to Outputs:
  + q3_id = "cam_000001"
  ~ all   = ["a", 1] -> (known after apply)
  - gone  = true
  ~ hush  = (sensitive value)
`;

test("outputs that change are told after the steps", () => {
  const text = planText(planOf([RECORD], { outputs: OUTPUTS }), { catalog, paint: plain });
  expect(text).toBe(`${textOf([RECORD])}\n${OUTPUT_LINES}`);
});

test("a plan of outputs alone says that nothing is sent", () => {
  const text = planText(planOf([KEEP], { outputs: OUTPUTS }), { catalog, paint: plain });
  expect(text).toBe(`${OUTPUT_LINES}\nApplying this plan updates the outputs in the state, and sends nothing.\n`);
});

test("a plan without changes, but with an undecided write, does not say that all is well", () => {
  const undecided: Plan["undecided"] = [
    { address: null, type: "outreach_webhook", sent: "create", cause: "", why: "", candidates: [], ways: [] },
  ];
  expect(planText(planOf([KEEP], { undecided }), { catalog, paint: plain })).toBe(
    "No changes, apart from undecided outcomes.\n",
  );
});

describe("the other modes", () => {
  test.each([
    ["destroy", "No changes. No objects need to be destroyed.\n"],
    ["refresh-only", "No changes. Your webhooks match the state.\n"],
  ] as const)("%s without changes", (mode, text) => {
    expect(planText(planOf([]), { catalog, paint: plain, mode })).toBe(text);
  });

  test("refresh-only tells what has changed, and that an apply only records it", () => {
    const after = { ...LIVE, type: null, target_url: "https://x.example.com" };
    const because = [{ attribute: "type", why: "drift" }] as const;
    const plan = planOf([{ ...RECORD, after, because }], { drift: [CHANGED] });
    expect(planText(plan, { catalog, paint: plain, mode: "refresh-only" }))
      .toBe(`${DRIFT}  # outreach_webhook.crm has changed
  ~ outreach_webhook.crm
      ~ target_url = "https://crm.example.com/hooks" -> "https://x.example.com"
      ~ type       = "emailsReplied" -> null

This is a refresh-only plan: applying it updates the state from the service, and sends nothing.
`);
  });
});

describe("long lists of leads", () => {
  test("are shown as counts behind the first five", () => {
    const text = textOf(Array.from({ length: 101 }, (_, index) => unsubscribe(index)));
    expect(text.match(/@example\.com"\] will be created/g)).toHaveLength(5);
    expect(text).toContain(
      'a4@example.com"\n\n  # outreach_lead_unsubscription.gdpr: … and 96 more will be created\n\nPlan: 101 to add',
    );
  });

  test("are shown in full up to ten, and so are webhooks", () => {
    expect(textOf(Array.from({ length: 10 }, (_, index) => unsubscribe(index)))).not.toContain("more");
    expect(
      textOf(
        Array.from({ length: 50 }, (_, index) => ({ ...CREATE, address: `outreach_webhook.a["${String(index)}"]` })),
      ),
    ).not.toContain("more");
  });

  test("hide nothing of another kind", () => {
    const steps = [
      ...Array.from({ length: 20 }, (_, index) => unsubscribe(index)),
      unsubscribe(20, { again: "unconfirmed" }),
    ];
    expect(textOf(steps)).toContain(
      'a20@example.com"] will be created\n  # (an earlier attempt was never confirmed: sent again)',
    );
    const again = textOf(Array.from({ length: 11 }, (_, index) => unsubscribe(index, { again: "unconfirmed" })));
    expect(again).toContain("… and 6 more will be created (sent again: earlier attempts were never confirmed)");
  });
});

describe("long values", () => {
  const long = (end: string): string => `https://x.example.com/${"a".repeat(300)}${end}`;

  test("are cut", () => {
    const text = textOf([{ ...CREATE, after: { ...NEW, target_url: long("") } }]);
    expect(text).toContain(`"https://x.example.com/${"a".repeat(217)}…\n`);
  });

  test("show the part where they differ", () => {
    const changed = replace({ target_url: long("z") });
    const text = textOf([{ ...changed, before: { ...LIVE, target_url: long("y") } } as Step]);
    const host = '"https://x.example.com';
    expect(text).toContain(`= ${host}…${"a".repeat(60)}y" -> ${host}…${"a".repeat(60)}z" # forces`);
  });

  test("show the host of a URL in full, and the host that a URL leads to", () => {
    const host = `${"a".repeat(60)}.`.repeat(4);
    const text = (url: string): string => textOf([{ ...CREATE, after: { ...NEW, target_url: url } }]);
    expect(text(`https://${host}evil.example:8443/${"b".repeat(300)}`)).toContain(
      `"https://${host}evil.example:8443…\n`,
    );
    expect(text(`https://crm.example.com@${"a.".repeat(200)}evil.example/`)).toContain(
      `… (host ${"a.".repeat(200)}evil.example)\n`,
    );
    expect(text("https://crm\u3002example.com/\u3164")).toContain(
      '"https://crm\u3002example.com/\u{fffd}" (host crm.example.com)\n',
    );
    expect(text("https://crm\u034f.example.com/")).toContain(
      '"https://crm\u{fffd}.example.com/" (host crm.example.com)\n',
    );
  });

  test("stay on one line", () => {
    expect(planText(planOf([], { outputs: [output("text", undefined, "a\nb")] }), { catalog, paint: plain })).toContain(
      String.raw`+ text = "a\nb"`,
    );
  });
});

test("a plan of ten thousand steps is printed at once", async () => {
  const steps = Array.from({ length: 10_000 }, (_, index): Step => ({
    ...replace({ type: "emailsSent" }),
    address: `outreach_webhook.a["${String(index)}"]`,
  }));
  const print = () => expect(textOf(steps)).toContain("Plan: 10000 to add, 0 to change, 10000 to destroy.");
  expect(await cpuCost(print)).toBeLessThan(220);
});

describe("what must not be seen", () => {
  test("an attribute made from a sensitive variable is masked, on both sides and in drift", () => {
    const masked = ["target_url"];
    const text = textOf(
      [{ ...replace({ target_url: "https://crm.example.com/token" }), masked }],
      [{ ...CHANGED, masked }],
    );
    expect(text).toContain("~ target_url = (sensitive value) (host crm.example.com) # forces replacement");
    expect(text).not.toMatch(/example\.com\/|token/);
  });

  test("an address cannot steer a terminal either", () => {
    expect(
      textOf(
        [{ ...DELETE, address: 'outreach_webhook.a["\u202e"]' }],
        [{ ...GONE, address: 'outreach_webhook.a["\u202e"]' }],
      ),
    ).not.toContain("\u202e");
  });

  test("no digest of a secret is printed, wherever it stands", () => {
    const inside = { list: [{ $secret: "0123abcd" }], of: { it: { $secret: "0123abcd" } } };
    expect(
      planText(planOf([], { outputs: [output("out", inside, { ...inside, more: 1 })] }), { catalog, paint: plain }),
    ).not.toContain("0123abcd");
  });

  test("a secret is masked even where it is no digest", () => {
    expect(textOf([{ ...BASE, action: "create", after: { ...NEW, secret: "written-out" } }])).not.toContain(
      "written-out",
    );
  });

  test("what the service shows cannot steer a terminal or turn words around", () => {
    const text = textOf(
      [KEEP],
      [{ ...CHANGED, after: { ...LIVE, target_url: "https://x.example.com/\u001b[2J\u202e" } }],
    );
    expect(text).toContain(String.raw`"https://x.example.com/\u001b[2J` + '\u{fffd}"');
  });
});

describe("the summary line", () => {
  test.each([
    [[CREATE, CREATE, KEEP], "Plan: 2 to add, 0 to change, 0 to destroy."],
    [[replace({ type: "emailsSent" }), RECORD, DELETE], "Plan: 1 to add, 1 to change, 2 to destroy."],
    [[RELEASE, FORGET, RELEASE, DELETE], "Plan: 0 to add, 0 to change, 1 to destroy, 2 to forget."],
    [[ADOPT, RELEASE], "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy, 1 to forget."],
  ])("counts a replace as both: %#", (steps, line) => {
    expect(summaryText({ steps, diagnostics: [] }, plain)).toBe(line);
  });

  const problem = (severity: Diagnostic["severity"]): Diagnostic => ({
    code: "c",
    severity,
    summary: "S",
    detail: "D.",
  });
  test.each([
    [["error"], "Plan: 1 to add, 0 to change, 0 to destroy. This plan cannot be applied: it has an error."],
    [
      ["error", "warning", "error"],
      "Plan: 1 to add, 0 to change, 0 to destroy. This plan cannot be applied: it has 2 errors.",
    ],
    [["warning", "note"], "Plan: 1 to add, 0 to change, 0 to destroy."],
  ] as const)("says where the plan cannot be applied: %#", (severities, line) => {
    expect(summaryText({ steps: [CREATE], diagnostics: severities.map(problem) }, plain)).toBe(line);
  });

  test("a refresh-only plan with errors, which has no such line, says it too", () => {
    const refused = { ...planOf([RECORD]), diagnostics: [problem("error")] };
    const text = planText(refused, { catalog, paint: plain, mode: "refresh-only" });
    expect(text).toContain("This plan cannot be applied: it has an error.\n");
    expect(text).not.toContain("applying it");
  });
});

test("colours are put around words and take nothing from them", () => {
  const steps = [CREATE, DELETE, RECORD, FORGET, replace({ type: "emailsSent" })];
  const coloured = textOf(steps, [GONE, CHANGED], ansi);
  expect(coloured).toContain("\u001b[32m  +\u001b[39m outreach_webhook.crm");
  // oxlint-disable-next-line no-control-regex -- what is looked for is a control character
  expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(textOf(steps, [GONE, CHANGED]));
});
