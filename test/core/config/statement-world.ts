import type { Block, Configuration } from "../../../src/core/config/block.ts";
import { evaluator } from "../../../src/core/config/evaluate.ts";
import { type Catalog, defineResource } from "../../../src/core/model/definition.ts";
import { hasErrors } from "../../../src/core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import type { Plan, Step } from "../../../src/core/plan/plan.ts";
import { listing } from "../toy.ts";

export const NAMES = ["a", "b", "c"] as const;
export const KEYS = ["x", "y"] as const;

/** The instances of a block: one without a key, or one per key. */
type Instances = "one" | readonly string[];

/** The declared and recorded `terraform_data`, by block name, and the statements about addresses. */
export interface World {
  readonly declared: { readonly [name: string]: Instances };
  readonly recorded: { readonly [name: string]: Instances };
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly { readonly from: string; readonly destroy: boolean }[];
  readonly imports: readonly { readonly to: string; readonly id: string }[];
}

/** The summaries of the errors, and `ACTION ADDRESS from ADDRESS` for each planned change; both sorted. */
export interface Said {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly changes: readonly string[];
}

/** Each instance has its own name, so that nothing moves without a statement. Terraform has no duplicates, so they are allowed. */
const thing = defineResource<never, never>()({
  type: "terraform_data",
  noun: "thing",
  plural: "things",
  version: 0,
  docs: "",
  identity: ["name", "key"],
  destroy: "delete",
  schema: {
    name: { type: "string", mode: "required", docs: "" },
    key: { type: "string", mode: "optional", docs: "" },
    allow_duplicate: { type: "bool", mode: "optional", docs: "", observed: "never", onChange: "record" },
    id: { type: "string", mode: "computed", docs: "" },
  },
  list: () => Promise.reject(new Error("a plan reads nothing")),
  create: () => Promise.reject(new Error("a plan creates nothing")),
});

const CATALOG: Catalog = { resources: [thing], dataSources: [] };
const nowhere = (): undefined => undefined;

function blockOf([name, keys]: readonly [string, Instances]): Block {
  const values = {
    kind: "list",
    items: (keys === "one" ? [] : keys).map((value) => ({ kind: "literal", value }) as const),
  } as const;
  const fanOut = keys === "one" ? {} : { fanOut: [{ attribute: "key", values, filtered: false, distinct: true }] };
  return {
    mode: "managed",
    type: "terraform_data",
    name,
    provider: "terraform",
    arguments: { name: { kind: "literal", value: `new ${name}` }, allow_duplicate: { kind: "literal", value: true } },
    locate: nowhere,
    ...fanOut,
  };
}

function recordedOf([name, keys]: readonly [string, Instances]): readonly RecordedInstance[] {
  return (keys === "one" ? [null] : keys).map((key) => {
    const address = `terraform_data.${name}${key === null ? "" : `["${key}"]`}`;
    const attributes = { name: `old ${name}`, key, id: `id ${address}` };
    const instance = {
      address,
      type: "terraform_data",
      provider: "terraform",
      schemaVersion: 0,
      id: attributes.id,
      attributes,
      returned: {},
    };
    return { ...instance, unobserved: [], assumed: [], recordedAtMs: 0 };
  });
}

function configurationOf({ declared, moved, removed, imports }: World): Configuration {
  return {
    variables: [],
    blocks: Object.entries(declared).map(blockOf),
    outputs: [],
    imports: imports.map(({ to, id }) => ({ to, id: { kind: "literal", value: id }, locate: nowhere })),
    moved: moved.map((one) => ({ ...one, locate: nowhere })),
    removed: removed.map((one) => ({ ...one, locate: nowhere })),
    limits: {},
    service: { baseUrl: null, apiKey: null, locate: nowhere },
    state: { backend: "local", settings: {} },
    folder: "/",
  };
}

/** Our plan. Terraform's own resource updates in place where this one is replaced; both keep the address. */
export function planned(world: World): Said {
  const instances = Object.entries(world.recorded).flatMap(recordedOf);
  const evaluation = evaluator(configurationOf(world), new Map(), CATALOG)({ known: new Map(), instances });
  const errors = evaluation.diagnostics.filter(({ severity }) => severity === "error");
  if (hasErrors(errors)) return { errors: summariesOf(errors), warnings: [], changes: [] };
  const found = evaluation.imports.map(({ to }) => ({
    id: "5",
    attributes: { ...evaluation.declarations.find(({ address }) => address === to)?.attributes },
  }));
  const objects = [...instances.map(({ id, attributes }) => ({ id: String(id), attributes })), ...found];
  const live = new Map([["terraform_data", listing(objects)]]);
  const plan = makePlan({
    catalog: CATALOG,
    ...evaluation,
    instances,
    live,
    limits: {},
    options: { ...PLAIN_OPTIONS, guarded: false },
    undecided: [],
  });
  return {
    errors: summariesOf(plan.diagnostics.filter(({ severity }) => severity === "error")),
    warnings: summariesOf(plan.diagnostics.filter(({ severity }) => severity === "warning")),
    changes: plan.steps.flatMap(changeOf).toSorted(),
  };
}

function summariesOf(diagnostics: Plan["diagnostics"]): readonly string[] {
  return [...new Set(diagnostics.map(({ summary }) => summary.replace(/ by outreach$/, "")))].toSorted();
}

function changeOf(step: Step): readonly string[] {
  const { action, address, movedFrom } = step;
  const from = movedFrom === undefined ? "" : ` from ${movedFrom}`;
  if (action === "keep" || action === "update-state" || action === "replace")
    return from === "" ? [] : [`move ${address}${from}`];
  return [`${action === "adopt" ? "import" : action} ${address}${from}`];
}
