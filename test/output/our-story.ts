import type { OutputValue } from "../../src/core/model/declaration.ts";
import type { RecordedInstance } from "../../src/core/model/instance.ts";
import { type Attributes, UNKNOWN, type Value } from "../../src/core/model/value.ts";
import type { Drift, OutputChange, Plan, Step } from "../../src/core/plan/plan.ts";

/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-return -- JSON as another program prints it */

/** The chapters once more, in our own words: what is recorded is what terraform's state shows. */
export class Ours {
  readonly #state: any;

  constructor(state: any) {
    this.#state = state;
  }

  get outputs(): readonly OutputValue[] {
    return Object.entries<any>(this.#state.values?.outputs ?? {}).map(([name, { value, sensitive }]) => ({
      name,
      value,
      sensitive,
    }));
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
    const found =
      this.#state.values.root_module.resources.find((resource: any) => resource.address === address)?.values ?? {};
    return { ...found, ...(typeof found.secret === "string" ? { secret: { $secret: "00ff00ff" } } : {}) };
  }

  id(address: string): string {
    return String(this.attributes(address)["id"]);
  }
}

export const CRM = "outreach_webhook.crm";
export const QUICK = "outreach_webhook.quick";
const FOUND = "outreach_webhook.found";
export const SENT = 'outreach_webhook.audit["emailsSent"]';
export const BOUNCED = 'outreach_webhook.audit["emailsBounced"]';
const LEAD = 'outreach_lead_unsubscription.gdpr-2026["ada@example.com"]';
export const OLD_LEAD = 'outreach_lead_unsubscription.gdpr["ada@example.com"]';

const EMPTY = {
  id: UNKNOWN,
  created_at: UNKNOWN,
  type: null,
  campaign_id: null,
  is_first: null,
  automation_id: null,
  secret: null,
};
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
  return {
    ...base(address),
    action: "replace",
    order: more.order ?? "delete-first",
    id: ours.id(address),
    because,
    before,
    after,
  };
}

function planOf(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  const sorted = steps.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return { format: 1, steps: sorted, drift: [], outputs: [], diagnostics: [], undecided: [], ...more };
}

function output(name: string, before: Value | undefined, after: Value | undefined): OutputChange {
  return {
    name,
    sensitive: false,
    before: before === undefined ? null : { value: before },
    after: after === undefined ? null : { value: after },
  };
}

export function createPlan(): Plan {
  const create = (address: string, after: Attributes): Step => ({ ...base(address), action: "create", after });
  const lead = {
    campaign_id: "cam_000001",
    email: "ada@example.com",
    on_not_found: "watch",
    recheck: "24h",
    reassert: "never",
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

export function changePlan(ours: Ours, later: Ours): Plan {
  const lead = ours.attributes(OLD_LEAD);
  const found = later.attributes(FOUND);
  return planOf(
    [
      {
        ...base(LEAD),
        action: "update-state",
        id: ours.id(OLD_LEAD),
        before: lead,
        after: lead,
        returned: {},
        movedFrom: OLD_LEAD,
      },
      { ...base(BOUNCED), action: "delete", id: ours.id(BOUNCED), before: ours.attributes(BOUNCED) },
      keep(ours, SENT),
      replace(ours, CRM, { type: "emailsSent" }),
      replace(ours, QUICK, { target_url: "https://quick.example.com/b" }, { order: "create-first" }),
      { ...base(FOUND), action: "adopt", id: String(found["id"]), after: found, returned: found },
    ],
    { outputs: [output("crm_id", ours.id(CRM), UNKNOWN)] },
  );
}

function driftOf(ours: Ours): readonly Drift[] {
  const [sent, crm] = [ours.attributes(SENT), ours.attributes(CRM)];
  const type = "outreach_webhook";
  return [
    { address: SENT, type, before: sent, after: null, changed: [], masked: [] },
    {
      address: CRM,
      type,
      before: crm,
      after: { ...crm, target_url: "https://elsewhere.example.com/" },
      changed: ["target_url"],
      masked: [],
    },
  ];
}

function again(ours: Ours): Step {
  return { ...base(SENT), action: "create", after: { ...ours.attributes(SENT), id: UNKNOWN, created_at: UNKNOWN } };
}

export function driftPlan(ours: Ours): Plan {
  const crm = replace(
    ours,
    CRM,
    { target_url: "https://crm.example.com/prod" },
    { before: { target_url: "https://elsewhere.example.com/" } },
  );
  const steps = [keep(ours, LEAD), again(ours), crm, keep(ours, FOUND), keep(ours, QUICK)];
  return planOf(steps, { drift: driftOf(ours), outputs: [output("crm_id", ours.id(CRM), UNKNOWN)] });
}

export function refreshPlan(ours: Ours): Plan {
  const [gone, changed] = driftOf(ours);
  const after = changed?.after ?? {};
  return planOf(
    [
      { ...base(SENT), action: "forget", before: gone?.before ?? {}, gone: true },
      {
        ...base(CRM),
        action: "update-state",
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

export function settingsPlan(ours: Ours): Plan {
  const crm = ours.attributes(CRM);
  const because = [{ attribute: "allow_duplicate", why: "config" }] as const;
  return planOf(
    [
      keep(ours, LEAD),
      again(ours),
      {
        ...base(CRM),
        action: "update-state",
        id: ours.id(CRM),
        before: crm,
        after: { ...crm, allow_duplicate: true },
        returned: {},
        because,
      },
      replace(ours, FOUND, {}, { requested: true }),
      { ...base(QUICK), action: "forget", before: ours.attributes(QUICK) },
    ],
    { drift: driftOf(ours).slice(0, 1) },
  );
}

export function destroyPlan(ours: Ours): Plan {
  const webhooks = [CRM, FOUND, QUICK].map((address): Step => ({
    ...base(address),
    action: "delete",
    id: ours.id(address),
    before: ours.attributes(address),
  }));
  const outputs = [output("crm_id", ours.id(CRM), undefined), output("stage", "prod", undefined)];
  return planOf([...webhooks, { ...base(LEAD), action: "forget", before: ours.attributes(LEAD) }], { outputs });
}
