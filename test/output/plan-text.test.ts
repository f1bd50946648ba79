import { describe, expect, test } from "vitest";
import { type Attributes, UNKNOWN } from "../../src/core/model/value.ts";
import type { Drift, Plan, Step } from "../../src/core/plan/plan.ts";
import { ansi, plain } from "../../src/output/paint.ts";
import { planText } from "../../src/output/plan-text.ts";
import { summaryText } from "../../src/output/summary-text.ts";
import { catalog } from "../../src/service/resources/catalog.ts";

const NONE: Attributes = Object.fromEntries(
  Object.keys(catalog.resources.find(({ type }) => type === "outreach_webhook")?.schema ?? {}).map((name) => [name, null]),
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
const BASE = { address: "outreach_webhook.crm", type: "outreach_webhook", provider: "outreach", because: [], masked: [] } as const;

const CREATE: Step = { ...BASE, action: "create", after: NEW };
const DELETE: Step = { ...BASE, action: "delete", id: "hoo_000001", before: LIVE };
const KEEP: Step = { ...BASE, action: "keep", id: "hoo_000001", before: LIVE };
const FORGET: Step = { ...BASE, action: "forget", before: LIVE };
const RECORD: Step = {
  ...BASE,
  action: "record",
  id: "hoo_000001",
  before: LIVE,
  after: { ...LIVE, allow_duplicate: true },
  returned: {},
  because: [{ attribute: "allow_duplicate", why: "config" }],
};
const GONE: Drift = { address: "outreach_webhook.crm", type: "outreach_webhook", before: LIVE, after: null, changed: [], masked: [] };
const CHANGED: Drift = { ...GONE, after: { ...LIVE, type: null, target_url: "https://x.example.com" }, changed: ["target_url", "type"] };

function replace(change: Attributes, because: Step["because"] = Object.keys(change).map((attribute) => ({ attribute, why: "config" }))): Step {
  return { ...BASE, action: "replace", order: "delete-first", id: "hoo_000001", before: LIVE, after: { ...NEW, ...change }, because };
}

function textOf(steps: readonly Step[], drift: readonly Drift[] = [], paint = plain): string {
  const plan: Plan = { format: 1, steps, drift, outputs: [], diagnostics: [], undecided: [] };
  return planText(plan, { catalog, paint });
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

Plan: 0 to add, 0 to change, 0 to destroy, 1 to forget.
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

describe("what must not be seen", () => {
  test("an attribute made from a sensitive variable is masked, on both sides and in drift", () => {
    const masked = ["target_url"];
    const text = textOf([{ ...replace({ target_url: "https://token.example.com" }), masked }], [{ ...CHANGED, masked }]);
    expect(text).toContain("~ target_url = (sensitive value) # forces replacement");
    expect(text).not.toMatch(/crm\.example|x\.example|token/);
  });

  test("a secret is masked even where it is no digest", () => {
    expect(textOf([{ ...BASE, action: "create", after: { ...NEW, secret: "written-out" } }])).not.toContain("written-out");
  });

  test("what the service shows cannot steer a terminal or turn words around", () => {
    const text = textOf([KEEP], [{ ...CHANGED, after: { ...LIVE, target_url: "https://x.example.com/\u001b[2J\u202e" } }]);
    expect(text).toContain(String.raw`"https://x.example.com/\u001b[2J` + '\u{fffd}"');
  });
});

describe("the summary line", () => {
  test.each([
    [[CREATE, CREATE, KEEP], "Plan: 2 to add, 0 to change, 0 to destroy."],
    [[replace({ type: "emailsSent" }), RECORD, DELETE], "Plan: 1 to add, 1 to change, 2 to destroy."],
    [[FORGET, FORGET, DELETE], "Plan: 0 to add, 0 to change, 1 to destroy, 2 to forget."],
  ])("counts a replace as both: %#", (steps, line) => {
    expect(summaryText({ steps }, plain)).toBe(line);
  });
});

test("colours are put around words and take nothing from them", () => {
  const steps = [CREATE, DELETE, RECORD, FORGET, replace({ type: "emailsSent" })];
  const coloured = textOf(steps, [GONE, CHANGED], ansi);
  expect(coloured).toContain("\u001b[32m  +\u001b[39m outreach_webhook.crm");
  // oxlint-disable-next-line no-control-regex -- what is looked for is a control character
  expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(textOf(steps, [GONE, CHANGED]));
});
