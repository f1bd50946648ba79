import type { Declaration, Statements } from "../../src/core/model/declaration.ts";
import {
  type Catalog,
  type LiveListing,
  type LiveObject,
  type WriteOutcome,
  defineResource,
} from "../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../src/core/model/instance.ts";
import type { Attributes } from "../../src/core/model/value.ts";

/** What the toys are kept in. */
export interface ToyShop {
  list(expectedIds: ReadonlySet<string>): Promise<LiveListing>;
  create(planned: Attributes): Promise<WriteOutcome>;
  delete(id: string): Promise<WriteOutcome>;
}

/** A resource that no service has: each attribute stands for one way in which attributes differ. */
export const toy = defineResource<ToyShop, ToyShop>()({
  type: "toy_thing",
  noun: "thing",
  plural: "things",
  effects: { duplicate: "everything rings twice", missing: "nothing rings" },
  version: 0,
  docs: "A toy.",
  identity: ["name", "room"],
  destroy: "delete",
  schema: {
    name: { type: "string", mode: "required", docs: "", canonical: (value) => String(value).toLowerCase() },
    room: { type: "string", mode: "optional", docs: "", observed: "when-present" },
    shiny: { type: "bool", mode: "optional", docs: "", observed: "never", canonical: (value) => value ?? false },
    secret: { type: "string", mode: "optional", docs: "", sensitive: true, observed: "never" },
    secret_wo: { type: "string", mode: "optional", docs: "", observed: "never", writeOnly: { of: "secret" } },
    allow_duplicate: { type: "bool", mode: "optional", docs: "", observed: "never", onChange: "record" },
    rotation: {
      type: "string",
      mode: "optional",
      docs: "",
      observed: "never",
      onChange: "record",
      canonical: (value) => value ?? "delete_first",
    },
    id: { type: "string", mode: "computed", docs: "" },
    made_at: { type: "string", mode: "computed", docs: "" },
  },
  list: ({ client, expectedIds }) => client.list(expectedIds),
  create: (planned, { client }) => client.create(planned),
  delete: (id, { client }) => client.delete(id),
});

/** Never listed and never deleted: it is only forgotten. */
export const irreversibleToy = defineResource<ToyShop, ToyShop>()({
  type: "toy_shout",
  noun: "shout",
  plural: "shouts",
  version: 0,
  docs: "A toy that cannot be taken back.",
  identity: ["word"],
  destroy: "forget",
  schema: { word: { type: "string", mode: "required", docs: "" } },
  create: (planned, { client }) => client.create(planned),
});

export const toys: Catalog = { resources: [toy, irreversibleToy], dataSources: [] };

/** Of a configuration that only declares. */
export const NO_STATEMENTS: Statements = { imports: [], moved: [], removed: [] };

/** As the planner gets it: absent attributes are absent. */
export function declared(name: string, attributes: Attributes = {}, more: Partial<Declaration> = {}): Declaration {
  const type = more.type ?? "toy_thing";
  return {
    address: `${type}.${name}`,
    type,
    provider: "toy",
    attributes: { name, ...attributes },
    secrets: {},
    masked: [],
    locate: () => undefined,
    ...more,
  };
}

const EMPTY = {
  room: null,
  shiny: null,
  secret: null,
  secret_wo: null,
  allow_duplicate: null,
  rotation: null,
  made_at: "then",
};

export function recorded(
  name: string,
  attributes: Attributes = {},
  more: Partial<RecordedInstance> = {},
): RecordedInstance {
  const id = more.id === undefined ? `id_${name}` : more.id;
  return {
    address: `toy_thing.${name}`,
    type: "toy_thing",
    provider: "toy",
    schemaVersion: 0,
    id,
    attributes: { ...EMPTY, name, id, ...attributes },
    returned: { name, id, made_at: "then" },
    unobserved: [],
    assumed: [],
    recordedAtMs: 0,
    ...more,
  };
}

/** What the shop shows of a thing; an attribute given as undefined is not shown. */
export function live(
  name: string,
  attributes: { readonly [name: string]: Attributes[string] | undefined } = {},
): LiveObject {
  const shown = { name, id: `id_${name}`, made_at: "then", room: null, ...attributes };
  const seen = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as Attributes;
  return { id: shown.id, attributes: seen };
}

export function listing(objects: readonly LiveObject[], complete = true): LiveListing {
  return { objects, complete, serverDate: "" };
}
