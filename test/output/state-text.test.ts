import { describe, expect, test } from "vitest";
import type { RecordedInstance } from "../../src/core/model/instance.ts";
import type { Attributes } from "../../src/core/model/value.ts";
import type { StateDocument } from "../../src/core/state/document.ts";
import { plain } from "../../src/output/content/paint.ts";
import { stateJson } from "../../src/output/json/state-json.ts";
import { stateText, outputsText } from "../../src/output/text/state-text.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { expectState } from "./schemas.ts";

const LIVE: Attributes = {
  target_url: "https://crm.example.com/hooks",
  type: null,
  secret: { $secret: "0123abcd" },
  id: "hoo_000002",
};
const CRM: RecordedInstance = {
  address: "outreach_webhook.crm",
  type: "outreach_webhook",
  provider: "outreach",
  schemaVersion: 0,
  id: "hoo_000002",
  attributes: LIVE,
  returned: {},
  unobserved: [],
  assumed: [],
  recordedAtMs: 0,
};
const OLD = { id: "hoo_000001", attributes: { ...LIVE, id: "hoo_000001" }, returned: {} };

function lead(number: number): RecordedInstance {
  const email = `a${String(number)}@example.com`;
  const attributes = { campaign_id: "cam_000001", email, outcome: "unsubscribed" };
  return {
    ...CRM,
    type: "outreach_lead_unsubscription",
    address: `outreach_lead_unsubscription.gdpr["${email}"]`,
    id: null,
    attributes,
  };
}

function document(more: Partial<StateDocument>): StateDocument {
  return {
    format: 1,
    lineage: "",
    serial: 1,
    salt: "",
    planKey: "",
    service: null,
    instances: [],
    outputs: [],
    lostCreates: [],
    pending: [],
    journalSeq: 0,
    ...more,
  };
}

const OUTPUTS = [
  { name: "q3_id", value: "cam_000001", sensitive: false },
  { name: "hush", value: "not to be seen", sensitive: true },
];
const context = { catalog, paint: plain };

const LOST = {
  type: "outreach_webhook",
  address: "outreach_webhook.lost",
  key: {},
  planned: {},
  provider: "outreach",
  preIds: [],
  sentAtMs: Date.UTC(2026, 6, 1),
};

test("control characters of addresses and ids do not reach the terminal", () => {
  const evil = "\u{1b}]0;x\u{7}\u{e0001}";
  const leads = Array.from({ length: 40 }, (_, index) => ({ ...lead(index), address: evil }));
  const instances = [{ ...CRM, address: evil, deposed: [{ ...OLD, id: evil }] }, ...leads];
  const shown = stateText(document({ instances, outputs: [{ name: evil, value: evil, sensitive: false }] }), context);
  expect(shown).toContain("and 35 more");
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

describe("a state for people", () => {
  test("that is empty", () => {
    expect(stateText(document({}), context)).toBe("The state is empty: nothing is managed yet.\n");
  });

  test("with everything there can be", () => {
    const intent = {
      kind: "intent",
      op: "create",
      type: "outreach_webhook",
      provider: "outreach",
      id: null,
      key: {},
      planned: {},
      listed: null,
      serverDate: "",
    } as const;
    const text = stateText(
      document({
        instances: [{ ...CRM, deposed: [OLD] }, lead(1)],
        outputs: OUTPUTS,
        lostCreates: [LOST, { ...LOST, address: "outreach_webhook.hidden", id: "hoo_000004" }],
        pending: [{ ...intent, address: "outreach_webhook.open", sentAtMs: 0, seq: 1 }],
      }),
      context,
    );
    expect(text).toBe(`# outreach_webhook.crm:
resource "outreach_webhook" "crm" {
    target_url = "https://crm.example.com/hooks"
    secret     = (sensitive value)
    id         = "hoo_000002"
}

# outreach_webhook.crm (deposed object hoo_000001):
resource "outreach_webhook" "crm" {
    target_url = "https://crm.example.com/hooks"
    secret     = (sensitive value)
    id         = "hoo_000001"
}

# outreach_lead_unsubscription.gdpr["a1@example.com"]:
resource "outreach_lead_unsubscription" "gdpr" {
    campaign_id = "cam_000001"
    email       = "a1@example.com"
    outcome     = "unsubscribed"
}

Undecided outcomes; run outreach plan to see the ways out:
  outreach_webhook.open

Lost creates and missing objects. A plan reports any that appears later:
  outreach_webhook.lost, sent 2026-07-01T00:00:00.000Z
  outreach_webhook.hidden, hoo_000004, missing since 2026-07-01T00:00:00.000Z

Outputs:

q3_id = "cam_000001"
hush = (sensitive value)
`);
  });

  test("shows what was made from a sensitive variable as little as a plan does", () => {
    expect(stateText(document({ instances: [{ ...CRM, masked: ["target_url"] }] }), context)).toContain(
      "target_url = (sensitive value) (host crm.example.com)\n",
    );
  });

  test("counts long lists of leads", () => {
    const text = stateText(document({ instances: Array.from({ length: 30 }, (_, index) => lead(index)) }), context);
    expect(text.match(/^resource/gm)).toHaveLength(5);
    expect(text).toContain("# outreach_lead_unsubscription.gdpr: … and 25 more\n");
  });
});

describe("a state as JSON", () => {
  const shown = (more: Partial<StateDocument>): unknown => {
    const json = stateJson(document(more), { catalog, version: "0.1.0" });
    expectState(json);
    return json;
  };

  test("that is empty has no values", () => {
    expect(shown({})).toEqual({ format_version: "1.0", terraform_version: "1.11.4", outreach_version: "0.1.0" });
  });

  test("lists deposed objects next to the current one, and no sensitive value", () => {
    const common = {
      address: CRM.address,
      mode: "managed",
      type: CRM.type,
      name: "crm",
      provider_name: "registry.terraform.io/outreach-as-code/outreach",
      schema_version: 0,
    };
    const json = shown({ instances: [{ ...CRM, masked: ["target_url"], deposed: [OLD] }], outputs: OUTPUTS });
    expect(json).toMatchObject({
      values: {
        outputs: {
          q3_id: { sensitive: false, value: "cam_000001", type: "string" },
          hush: { sensitive: true, value: "(sensitive value)", type: "string" },
        },
        root_module: {
          resources: [
            {
              ...common,
              values: {
                id: "hoo_000002",
                target_url: "(sensitive value) (host crm.example.com)",
                type: null,
                secret: "(sensitive value)",
              },
              sensitive_values: { target_url: true, secret: true, secret_wo: true },
            },
            { ...common, values: { id: "hoo_000001" }, deposed_key: "hoo_000001" },
          ],
        },
      },
    });
    expect(JSON.stringify(json)).not.toMatch(/0123abcd|not to be seen/);
  });
});

describe("outputs", () => {
  test("are shown in full, what they hold on lines of its own", () => {
    const value = {
      ids: ["a", { deep: null }],
      none: [],
      empty: {},
      "a key": "\u001b[2J\u202e",
      digest: { $secret: "0123abcd" },
    };
    expect(outputsText([{ name: "all", value, sensitive: false }, ...OUTPUTS])).toBe(`all = {
  "ids" = [
    "a",
    {
      "deep" = null
    },
  ]
  "none" = []
  "empty" = {}
  "a key" = "\\u001b[2J\u{fffd}"
  "digest" = (sensitive value)
}
q3_id = "cam_000001"
hush = (sensitive value)
`);
  });
});
