import type { Declaration, Statements } from "../../../src/core/model/declaration.ts";
import {
  type AnyResource,
  type LiveListing,
  type LiveObject,
  type WriteOutcome,
  defineResource,
} from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { Limits } from "../../../src/core/model/limits.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { PLAIN_OPTIONS, type PlanInput, type PlanOptions } from "../../../src/core/plan/plan-context.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { NO_STATEMENTS, declared, listing, recorded, toy } from "../toy.ts";

/** The toy with all settings of ours. */
export const thing: AnyResource = {
  ...toy,
  schema: {
    ...toy.schema,
    rotation: {
      type: "string",
      mode: "optional",
      docs: "",
      observed: "never",
      onChange: "record",
      canonical: (value) => value ?? "delete_first",
    },
    protect: {
      type: "bool",
      mode: "optional",
      docs: "",
      observed: "never",
      onChange: "record",
      canonical: (value) => value ?? false,
    },
  },
};

const NO_ANSWER = { outcome: "unconfirmed" };

/** A promise to somebody in a club: given once, and never taken back. */
export const pledge: AnyResource = defineResource<never, never>()({
  type: "toy_pledge",
  noun: "pledge",
  plural: "pledges",
  version: 0,
  docs: "",
  identity: ["club", "name"],
  destroy: "forget",
  irreversible: {
    done: { outcome: "given" },
    unconfirmed: NO_ANSWER,
    gone: { outcome: "gone" },
    watch: { attribute: "on_missing", value: "watch", interval: "recheck", accept: "accept" },
    reassert: "reassert",
  },
  schema: {
    club: { type: "string", mode: "required", docs: "" },
    name: {
      type: "string",
      mode: "required",
      docs: "",
      personal: true,
      canonical: (value) => String(value).toLowerCase(),
    },
    on_missing: { type: "string", mode: "optional-computed", default: "warn", onChange: "record", docs: "" },
    recheck: { type: "string", mode: "optional-computed", default: "24h", onChange: "record", docs: "" },
    reassert: { type: "string", mode: "optional-computed", default: "never", onChange: "record", docs: "" },
    outcome: { type: "string", mode: "computed", docs: "" },
  },
  create: (): Promise<WriteOutcome> => Promise.reject(new Error("a plan creates nothing")),
});

export interface World {
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  readonly live: readonly LiveObject[] | LiveListing;
  readonly limits: Limits;
  readonly options: Partial<PlanOptions>;
  readonly undecided: readonly string[];
  readonly statements: Partial<Statements>;
}

export function inputOf(world: Partial<World>): PlanInput {
  const {
    declarations = [],
    instances = [],
    live = [],
    limits = {},
    options = {},
    undecided = [],
    statements = {},
  } = world;
  return {
    catalog: { resources: [thing, pledge], dataSources: [] },
    declarations,
    instances,
    live: new Map([["toy_thing", "objects" in live ? live : listing(live)]]),
    limits,
    options: { ...PLAIN_OPTIONS, ...options },
    undecided: undecided.map((address) => ({
      address,
      type: "toy_thing",
      sent: "create",
      cause: "it timed out",
      why: "No list",
      candidates: [],
      ways: [],
    })),
    ...NO_STATEMENTS,
    ...statements,
  };
}

export function planOf(world: Partial<World>): Plan {
  return makePlan(inputOf(world));
}

/** `create thing.a`, `record thing.b from thing.c`, `delete thing.d (old)`, a line each. */
export function steps(plan: Pick<Plan, "steps">): readonly string[] {
  return plan.steps.map((step) => {
    const from = step.movedFrom === undefined ? "" : ` from ${short(step.movedFrom)}`;
    return `${step.action} ${short(step.address)}${from}${step.action === "delete" && step.deposed ? ` (deposed ${step.id})` : ""}`;
  });
}

export function codes({ diagnostics }: Pick<Plan, "diagnostics">): readonly string[] {
  return diagnostics.map(({ code, address }) => (address === undefined ? code : `${code} ${short(address)}`));
}

function short(address: string): string {
  return address.replace(/^toy_/u, "");
}

export function pledged(at: string, attributes: Attributes, more: Partial<Declaration> = {}): Declaration {
  return { ...declared(at, {}, { type: "toy_pledge", ...more }), attributes };
}

export function given(at: string, attributes: Attributes, more: Partial<RecordedInstance> = {}): RecordedInstance {
  return recorded(
    at,
    {},
    {
      type: "toy_pledge",
      address: `toy_pledge.${at}`,
      id: null,
      attributes: { on_missing: "warn", recheck: "24h", reassert: "never", outcome: "given", ...attributes },
      returned: {},
      ...more,
    },
  );
}
