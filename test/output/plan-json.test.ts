import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import { type Attributes, UNKNOWN } from "../../src/core/model/value.ts";
import type { Plan, Step } from "../../src/core/plan/plan.ts";
import { lineText, planLines } from "../../src/output/json/json-format.ts";
import { jsonText } from "../../src/output/json/escaped-json.ts";
import { plain } from "../../src/output/content/paint.ts";
import { planJson } from "../../src/output/json/plan-json.ts";
import { planText } from "../../src/output/text/plan-text.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { DIGEST, anyPlan } from "./arbitrary-plan.ts";
import { NOTHING_DECLARED, shownOf } from "./report-plans.ts";
import { expectLine, expectPlan } from "./schemas.ts";

const BASE = {
  address: "outreach_webhook.crm",
  type: "outreach_webhook",
  provider: "outreach",
  because: [],
  masked: [],
} as const;
const LIVE: Attributes = {
  target_url: "https://crm.example.com/",
  secret: { $secret: DIGEST },
  id: "hoo_000001",
  created_at: "2026-07-01T12:00:00.000Z",
};
const NEW: Attributes = { ...LIVE, id: UNKNOWN, created_at: UNKNOWN };
const KEEP: Step = { ...BASE, action: "keep", id: "hoo_000001", before: LIVE };
const ERROR: Diagnostic = { code: "x", severity: "error", summary: "Wrong", detail: "It is wrong." };
const UNDECIDED: Plan["undecided"][number] = {
  address: null,
  type: "outreach_webhook",
  sent: "create",
  cause: "",
  why: "",
  candidates: [],
  ways: [],
};

function planOf(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  return { format: 1, steps, drift: [], outputs: [], diagnostics: [], undecided: [], ...more };
}

type Context = Parameters<typeof planJson>[1];

function shown(plan: Plan, more: Partial<Context> = {}): unknown {
  const json = planJson(plan, { ...shownOf(plan), catalog, version: "0.1.0", ...more });
  expectPlan(json);
  return JSON.parse(jsonText(json));
}

function changed(step: Step): unknown {
  return (shown(planOf([step])) as { readonly resource_changes: readonly unknown[] }).resource_changes[0];
}

// What both have in common is compared with what terraform prints in terraform-comparison.test.ts.
describe("what is ours alone", () => {
  test("a secret reads as one, and its rotation is a path that forces a replace", () => {
    const step: Step = {
      ...BASE,
      action: "replace",
      order: "delete-first",
      id: "hoo_000001",
      before: LIVE,
      after: { ...NEW, secret: { $secret: `${DIGEST}2` } },
      because: [{ attribute: "secret", why: "secret" }],
    };
    expect(changed(step)).toMatchObject({
      change: {
        before: { secret: "(sensitive value)" },
        after: { secret: "(sensitive value)" },
        before_sensitive: { secret: true },
        after_sensitive: { secret: true },
        replace_paths: [["secret"]],
      },
    });
  });

  test("no secret is null, so that a policy can ask for one", () => {
    expect(changed({ ...BASE, action: "create", after: { ...NEW, secret: null } })).toMatchObject({
      change: { after: { secret: null } },
    });
  });

  test("what was made from a sensitive variable is hidden like a secret", () => {
    expect(changed({ ...KEEP, masked: ["target_url"] })).toMatchObject({
      change: {
        before: { target_url: "(sensitive value) (host crm.example.com)" },
        before_sensitive: { target_url: true, secret: true },
      },
    });
  });

  test("a deposed object is named by its id", () => {
    const step: Step = { ...BASE, action: "delete", id: "hoo_000001", before: LIVE, deposed: true };
    expect(changed(step)).toMatchObject({ deposed: "hoo_000001", change: { actions: ["delete"] } });
    expect(changed(step)).not.toHaveProperty("action_reason");
    expect(shown(planOf([step]))).toMatchObject({
      prior_state: { values: { root_module: { resources: [{ deposed_key: "hoo_000001" }] } } },
    });
  });

  test("an unsubscription is imported by its campaign and address", () => {
    const after = { campaign_id: "cam_000001", email: "ada@example.com" };
    const step: Step = {
      ...BASE,
      address: 'outreach_lead_unsubscription.gdpr["ada@example.com"]',
      type: "outreach_lead_unsubscription",
      action: "adopt",
      id: null,
      after,
      returned: {},
    };
    expect(changed(step)).toMatchObject({
      change: { actions: ["no-op"], importing: { id: "cam_000001/ada@example.com" } },
    });
  });

  test("an object has Terraform's identity where all of it is known, on each side of a change and in each state", () => {
    expect(shown(planOf([KEEP]))).toMatchObject({
      resource_changes: [{ change: { before_identity: { id: "hoo_000001" }, after_identity: { id: "hoo_000001" } } }],
      planned_values: { root_module: { resources: [{ identity: { id: "hoo_000001" }, identity_schema_version: 0 }] } },
      prior_state: {
        values: { root_module: { resources: [{ identity: { id: "hoo_000001" }, identity_schema_version: 0 }] } },
      },
    });
    const { change } = changed({
      ...BASE,
      action: "replace",
      order: "delete-first",
      id: "hoo_000001",
      before: LIVE,
      after: NEW,
    }) as {
      readonly change: object;
    };
    expect(change).toHaveProperty("before_identity");
    expect(change).not.toHaveProperty("after_identity");
    expect(shown(planOf([{ ...BASE, action: "create", after: NEW }]))).not.toHaveProperty(
      "planned_values.root_module.resources[0].identity",
    );
  });

  test("an unsubscription is identified by its campaign and canonical address, and hides what is from a sensitive variable", () => {
    const after = { campaign_id: "cam_000001", email: "Ada@Example.COM" };
    const step: Step = {
      ...BASE,
      address: "outreach_lead_unsubscription.gdpr",
      type: "outreach_lead_unsubscription",
      action: "create",
      after,
    };
    expect(changed(step)).toMatchObject({
      change: { after_identity: { campaign_id: "cam_000001", email: "ada@example.com" } },
    });
    expect(changed({ ...step, masked: ["email"] })).toMatchObject({
      change: { after_identity: { campaign_id: "cam_000001", email: "(sensitive value)" } },
    });
  });

  test.each<readonly [address: string, sibling: string | null, reason: string | undefined]>([
    ["outreach_webhook.a", null, "delete_because_no_resource_config"],
    ['outreach_webhook.a["x"]', 'outreach_webhook.a["y"]', "delete_because_each_key"],
    ["outreach_webhook.a[1]", "outreach_webhook.a[0]", "delete_because_count_index"],
    ['outreach_webhook.a["x"]', "outreach_webhook.a", "delete_because_wrong_repetition"],
    ["outreach_webhook.a", 'outreach_webhook.a["y"]', "delete_because_wrong_repetition"],
    ['outreach_webhook.a["x"]', null, undefined],
  ])("why %s is deleted next to %s", (address, sibling, reason) => {
    const gone: Step = { ...BASE, address, action: "delete", id: "hoo_000001", before: LIVE };
    const plan = planOf(sibling === null ? [gone] : [gone, { ...KEEP, address: sibling }]);
    const { resource_changes: changes } = shown(plan) as {
      readonly resource_changes: readonly { readonly action_reason?: string }[];
    };
    expect(changes[0]?.action_reason).toBe(reason);
  });

  test("variables and providers are there by name", () => {
    const block = { mode: "managed", type: "outreach_webhook" } as const;
    const outline: Context["outline"] = {
      ...NOTHING_DECLARED,
      variables: [
        { name: "stage", sensitive: false, value: "live", default: "dev" },
        { name: "token", sensitive: true },
      ],
      outputs: [{ name: "url", sensitive: true }],
      blocks: [
        { ...block, address: "outreach_webhook.crm", provider: "outreach" },
        { ...block, address: "outreach_webhook.eu", provider: "outreach.eu" },
      ],
    };
    const json = shown(planOf([KEEP, { ...KEEP, address: 'outreach_webhook.eu["a"]', provider: "outreach.eu" }]), {
      outline,
    });
    expect(json).toMatchObject({
      outreach_version: "0.1.0",
      variables: { stage: { value: "live" } },
      configuration: {
        provider_config: { outreach: { name: "outreach" }, "outreach.eu": { name: "outreach", alias: "eu" } },
        root_module: {
          variables: { stage: { default: "dev" }, token: { sensitive: true } },
          outputs: { url: { sensitive: true } },
          resources: [
            { address: "outreach_webhook.crm" },
            { address: "outreach_webhook.eu", provider_config_key: "outreach.eu" },
          ],
        },
      },
    });
  });

  test("an output that is partly known shows that part", () => {
    const outputs = [
      {
        name: "out",
        sensitive: false,
        before: null,
        after: { value: { ids: ["a", UNKNOWN], of: { x: UNKNOWN, y: 1 } } },
      },
    ];
    expect(shown(planOf([], { outputs }))).toMatchObject({
      output_changes: {
        out: {
          actions: ["create"],
          after: { ids: ["a", null], of: { y: 1 } },
          after_unknown: { ids: [false, true], of: { x: true } },
        },
      },
      planned_values: { outputs: { out: { sensitive: false } } },
    });
  });

  test.each<readonly [Partial<Plan>, object]>([
    [{ diagnostics: [ERROR] }, { errored: true, applyable: false, complete: false }],
    [{ undecided: [UNDECIDED] }, { errored: false, applyable: false, complete: false }],
    [
      { steps: [{ ...BASE, action: "create", after: NEW }], undecided: [UNDECIDED] },
      { errored: false, applyable: true, complete: false },
    ],
    [{}, { errored: false, applyable: false, complete: true }],
  ])("whether it can be applied, and is all there is: %#", (more, expected) => {
    expect(shown(planOf([KEEP], more))).toMatchObject(expected);
  });
});

describe("whatever the plan", () => {
  test("its JSON keeps to Terraform's format, and its messages are a line each", () => {
    fc.assert(
      fc.property(
        anyPlan,
        fc.constantFrom("apply" as const, "destroy" as const, "refresh-only" as const),
        (plan, mode) => {
          shown(plan, { mode });
          for (const line of planLines(plan, { catalog, mode, outputs: [] })) {
            const text = lineText(line, 0);
            expectLine(JSON.parse(text));
            expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("no output holds a digest of a secret, or what could steer a terminal", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const context = { ...shownOf(plan), catalog, version: "0.1.0" };
        const texts = [
          planText(plan, { catalog, paint: plain }),
          jsonText(planJson(plan, context)),
          ...planLines(plan, context).map((line) => lineText(line, 0)),
        ];
        for (const text of texts) {
          expect(text).not.toContain(DIGEST);
          // Lines and tabs only move what is behind them.
          expect(text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        }
      }),
      { numRuns: 200 },
    );
  });
});
