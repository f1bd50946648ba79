import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OutputValue } from "../../src/core/model/declaration.ts";
import type { RecordedInstance } from "../../src/core/model/instance.ts";
import { type Attributes, UNKNOWN, type Value } from "../../src/core/model/value.ts";
import type { Drift, OutputChange, Plan, Step } from "../../src/core/plan/plan.ts";
import { type Line, appliedLines, lineText, planLines, progressLine } from "../../src/output/json-lines.ts";
import { planJson } from "../../src/output/plan-json.ts";
import { stateJson } from "../../src/output/state-json.ts";
import type { PlanMode } from "../../src/output/step-json.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { hasTerraform } from "../doors/terraform/terraform-under-test.ts";
import { expectLine, expectPlan, expectState } from "./schemas.ts";
import { type Printed, SECRET, type Story, tellStory } from "./terraform-story.ts";

/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-return -- JSON as another program prints it */

/** What the real terraform cannot know: attributes that only our own reconciler has, times, and the value of a secret. */
function comparable(value: any): any {
  if (value === SECRET) return "(sensitive value)";
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>).filter(([name]) => !["rotation", "protect", "@module", "@timestamp"].includes(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, comparable(inner)]));
}

/** In any order. */
function messages(lines: readonly any[], ...types: readonly string[]): readonly unknown[] {
  return lines
    .filter(({ type }) => types.includes(type))
    .map(comparable)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const parsed = (lines: readonly Line[]): readonly any[] => lines.map((line) => JSON.parse(lineText(line, 0)));

/** The chapters once more, in our own words: what is recorded is what terraform's state shows. */
class Ours {
  readonly #state: any;

  constructor(state: any) {
    this.#state = state;
  }

  get outputs(): readonly OutputValue[] {
    return Object.entries<any>(this.#state.values?.outputs ?? {}).map(([name, { value, sensitive }]) => ({ name, value, sensitive }));
  }

  get instances(): readonly RecordedInstance[] {
    return this.#state.values.root_module.resources.map(({ address, type }: { address: string; type: string }) => {
      const attributes = this.attributes(address);
      return {
        address,
        type,
        provider: "outreach",
        schemaVersion: 0,
        id: attributes["id"],
        attributes,
        returned: {},
        unobserved: [],
        assumed: [],
        recordedAtMs: 0,
      };
    });
  }

  attributes(address: string): Attributes {
    const found = this.#state.values.root_module.resources.find((resource: any) => resource.address === address)?.values ?? {};
    return { ...found, ...(typeof found.secret === "string" ? { secret: { $secret: "00ff00ff" } } : {}) };
  }

  id(address: string): string {
    return String(this.attributes(address)["id"]);
  }
}

const CRM = "outreach_webhook.crm";
const QUICK = "outreach_webhook.quick";
const FOUND = "outreach_webhook.found";
const SENT = 'outreach_webhook.audit["emailsSent"]';
const BOUNCED = 'outreach_webhook.audit["emailsBounced"]';
const [OLD_LEAD, LEAD] = ['outreach_lead_unsubscription.gdpr["ada@example.com"]', 'outreach_lead_unsubscription.gdpr-2026["ada@example.com"]'];

const EMPTY = { id: UNKNOWN, created_at: UNKNOWN, type: null, campaign_id: null, is_first: null, automation_id: null, secret: null };
const NEW_SECRET = { $secret: "00ff00ff" };

function base(address: string) {
  return { address, type: address.split(".")[0] ?? "", provider: "outreach", because: [], masked: [] } as const;
}

function keep(ours: Ours, address: string): Step {
  return { ...base(address), action: "keep", id: ours.id(address), before: ours.attributes(address) };
}

function replace(
  ours: Ours,
  address: string,
  change: Attributes,
  more: { readonly before?: Attributes; readonly order?: "create-first"; readonly requested?: true } = {},
): Step {
  const before = { ...ours.attributes(address), ...more.before };
  const because: Step["because"] = more.requested
    ? [{ attribute: null, why: "requested" }]
    : Object.keys(change).map((attribute) => ({ attribute, why: "config" }));
  const after = { ...before, ...change, id: UNKNOWN, created_at: UNKNOWN };
  return { ...base(address), action: "replace", order: more.order ?? "delete-first", id: ours.id(address), because, before, after };
}

function planOf(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  const sorted = steps.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return { format: 1, steps: sorted, drift: [], outputs: [], diagnostics: [], undecided: [], ...more };
}

function output(name: string, before: Value | undefined, after: Value | undefined): OutputChange {
  return { name, sensitive: false, before: before === undefined ? null : { value: before }, after: after === undefined ? null : { value: after } };
}

function createPlan(): Plan {
  const create = (address: string, after: Attributes): Step => ({ ...base(address), action: "create", after });
  const lead = {
    campaign_id: "cam_000001",
    email: "ada@example.com",
    on_not_found: "warn",
    id: UNKNOWN,
    contact_id: UNKNOWN,
    is_paused: UNKNOWN,
    outcome: UNKNOWN,
  };
  return planOf(
    [
      create(OLD_LEAD, lead),
      create(SENT, { ...EMPTY, target_url: "https://audit.example.com/", type: "emailsSent" }),
      create(BOUNCED, { ...EMPTY, target_url: "https://audit.example.com/", type: "emailsBounced" }),
      create(CRM, { ...EMPTY, target_url: "https://crm.example.com/prod", type: "emailsReplied", secret: NEW_SECRET }),
      create(QUICK, { ...EMPTY, target_url: "https://quick.example.com/a" }),
    ],
    { outputs: [output("crm_id", undefined, UNKNOWN), output("stage", undefined, "prod")] },
  );
}

function changePlan(ours: Ours, later: Ours): Plan {
  const lead = ours.attributes(OLD_LEAD);
  const found = later.attributes(FOUND);
  return planOf(
    [
      { ...base(LEAD), action: "record", id: ours.id(OLD_LEAD), before: lead, after: lead, returned: {}, movedFrom: OLD_LEAD },
      { ...base(BOUNCED), action: "delete", id: ours.id(BOUNCED), before: ours.attributes(BOUNCED) },
      keep(ours, SENT),
      replace(ours, CRM, { type: "emailsSent" }),
      replace(ours, QUICK, { target_url: "https://quick.example.com/b" }, { order: "create-first" }),
      { ...base(FOUND), action: "adopt", id: String(found["id"]), after: found, returned: {} },
    ],
    { outputs: [output("crm_id", ours.id(CRM), UNKNOWN)] },
  );
}

function driftOf(ours: Ours): readonly Drift[] {
  const [sent, crm] = [ours.attributes(SENT), ours.attributes(CRM)];
  const type = "outreach_webhook";
  return [
    { address: SENT, type, before: sent, after: null, changed: [], masked: [] },
    { address: CRM, type, before: crm, after: { ...crm, target_url: "https://elsewhere.example.com/" }, changed: ["target_url"], masked: [] },
  ];
}

function again(ours: Ours): Step {
  return { ...base(SENT), action: "create", after: { ...ours.attributes(SENT), id: UNKNOWN, created_at: UNKNOWN } };
}

function driftPlan(ours: Ours): Plan {
  const crm = replace(ours, CRM, { target_url: "https://crm.example.com/prod" }, { before: { target_url: "https://elsewhere.example.com/" } });
  const steps = [keep(ours, LEAD), again(ours), crm, keep(ours, FOUND), keep(ours, QUICK)];
  return planOf(steps, { drift: driftOf(ours), outputs: [output("crm_id", ours.id(CRM), UNKNOWN)] });
}

function refreshPlan(ours: Ours): Plan {
  const [gone, changed] = driftOf(ours);
  const after = changed?.after ?? {};
  return planOf(
    [
      { ...base(SENT), action: "forget", before: gone?.before ?? {} },
      {
        ...base(CRM),
        action: "record",
        id: ours.id(CRM),
        before: ours.attributes(CRM),
        after,
        returned: {},
        because: [{ attribute: "target_url", why: "drift" }],
      },
      ...[LEAD, FOUND, QUICK].map((address) => keep(ours, address)),
    ],
    { drift: driftOf(ours) },
  );
}

function settingsPlan(ours: Ours): Plan {
  const crm = ours.attributes(CRM);
  const because = [{ attribute: "allow_duplicate", why: "config" }] as const;
  return planOf(
    [
      keep(ours, LEAD),
      again(ours),
      { ...base(CRM), action: "record", id: ours.id(CRM), before: crm, after: { ...crm, allow_duplicate: true }, returned: {}, because },
      replace(ours, FOUND, {}, { requested: true }),
      { ...base(QUICK), action: "forget", before: ours.attributes(QUICK) },
    ],
    { drift: driftOf(ours).slice(0, 1) },
  );
}

function destroyPlan(ours: Ours): Plan {
  const webhooks = [CRM, FOUND, QUICK].map((address): Step => ({ ...base(address), action: "delete", id: ours.id(address), before: ours.attributes(address) }));
  const outputs = [output("crm_id", ours.id(CRM), undefined), output("stage", "prod", undefined)];
  return planOf([...webhooks, { ...base(LEAD), action: "forget", before: ours.attributes(LEAD) }], { outputs });
}

describe("for the same story, beside the real terraform,", () => {
  let story: Story;
  let none: Ours;
  let created: Ours;
  let changed: Ours;

  beforeAll(async () => {
    if (!hasTerraform) return;
    story = await tellStory();
    none = new Ours({});
    created = new Ours(story.created.state);
    changed = new Ours(story.changed.state);
  }, 120_000);

  beforeEach((context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
  });

  type Chapter = "create" | "change" | "drift" | "refresh" | "settings" | "destroy";
  const chapters: readonly (readonly [Chapter, PlanMode, () => readonly [Plan, Ours]])[] = [
    ["create", "apply", () => [createPlan(), none]],
    ["change", "apply", () => [changePlan(created, changed), created]],
    ["drift", "apply", () => [driftPlan(changed), changed]],
    ["refresh", "refresh-only", () => [refreshPlan(changed), changed]],
    ["settings", "apply", () => [settingsPlan(changed), changed]],
    ["destroy", "destroy", () => [destroyPlan(changed), changed]],
  ];

  describe.each(chapters)("the chapter %s", (chapter, mode, tell) => {
    let theirs: Printed;
    let show: any;
    let lines: readonly any[];

    beforeAll(() => {
      if (!hasTerraform) return;
      const [plan, { outputs }] = tell();
      theirs = story[chapter];
      show = planJson(plan, { catalog, version: "0.1.0", mode, variables: {}, outputs });
      lines = parsed(planLines(plan, { catalog, mode, outputs }));
    });

    it("both keep to the schemas", () => {
      expectPlan(show);
      for (const line of lines) expectLine(line);
      // Of an object that it forgets terraform plans the values, and then leaves them out.
      if (chapter !== "settings") expectPlan(theirs.show);
      for (const line of theirs.lines) expectLine(line);
    });

    it("changes the same resources in the same way, for the same reason", () => {
      const ofLeads = (change: any): boolean => chapter === "destroy" && change.type === "outreach_lead_unsubscription";
      expect(comparable(show.resource_changes?.filter((change: any) => !ofLeads(change)))).toEqual(
        comparable(theirs.show.resource_changes?.filter((change: any) => !ofLeads(change))),
      );
      expect(comparable(show.resource_drift)).toEqual(comparable(theirs.show.resource_drift));
    });

    it("changes the same outputs, and says the same of the whole", () => {
      const { applyable, complete, errored, output_changes, format_version, terraform_version } = theirs.show;
      expect(show).toMatchObject({ applyable, complete, errored, output_changes, format_version, terraform_version });
    });

    it("comes from the same state and leads to the same", () => {
      const values = ({ address, values: one }: any): unknown => ({ address, values: one });
      const objects = (module: any): unknown => comparable(module.resources?.filter((one: any) => one.values !== undefined).map(values));
      expect(objects(show.planned_values.root_module)).toEqual(objects(theirs.show.planned_values.root_module));
      expect(objects(show.prior_state.values.root_module)).toEqual(objects(theirs.show.prior_state.values.root_module));
      expect(show.planned_values.outputs).toEqual(theirs.show.planned_values.outputs);
    });

    it("says the same in messages", () => {
      const ofLeads = (line: any): boolean => chapter === "destroy" && line.change?.resource.resource_type === "outreach_lead_unsubscription";
      const said = (all: readonly any[]): readonly unknown[] =>
        messages(
          all.filter((line) => !ofLeads(line)),
          "planned_change",
          "resource_drift",
          "outputs",
        );
      expect(said(lines)).toEqual(said(theirs.lines));
      const counted = (all: readonly any[]): any => all.find(({ type }) => type === "change_summary").changes;
      const [mine, their] = [counted(lines), counted(theirs.lines)];
      // What nothing can undo is forgotten, and not destroyed; and a moved record is a change of the state.
      const expected = { change: { ...their, change: 1 }, settings: { ...their, forget: 1 }, destroy: { ...their, remove: 3, forget: 1 } };
      expect(mine).toEqual(chapter in expected ? expected[chapter as keyof typeof expected] : their);
    });
  });

  it("shows the same state", () => {
    for (const [state, ours] of [
      [story.created.state, created],
      [story.changed.state, changed],
    ] as const) {
      const mine: any = stateJson({ instances: ours.instances, outputs: ours.outputs }, { catalog, version: "0.1.0" });
      expectState(mine);
      expectState(state);
      const { outreach_version: _, ...theirKeys } = mine;
      expect(comparable(theirKeys)).toEqual(comparable(state));
    }
  });

  it("tells of an apply in the same messages", () => {
    const event = (kind: "start" | "complete", address: string) =>
      progressLine({ kind, phase: "create", address, id: kind === "start" ? null : created.id(address), elapsedMs: 90 });
    const addresses = [OLD_LEAD, SENT, BOUNCED, CRM, QUICK];
    const mine = parsed([
      ...addresses.flatMap((address) => [event("start", address), event("complete", address)]),
      ...appliedLines({ add: 5, change: 0, destroy: 0, import: 0, forget: 0 }, { destroying: false, ending: "complete", outputs: created.outputs }),
    ]);
    for (const line of mine) expectLine(line);
    const types = ["apply_start", "apply_complete", "change_summary", "outputs"];
    const timeless = (lines: readonly unknown[]): unknown =>
      JSON.parse(
        JSON.stringify(lines)
          .replaceAll(/after \d+s/g, "after 0s")
          .replaceAll(/"elapsed_seconds":\d+/g, '"elapsed_seconds":0'),
      );
    expect(timeless(messages(mine, ...types))).toEqual(timeless(messages(story.created.lines, ...types)));
  });
});
