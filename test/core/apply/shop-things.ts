import {
  type AnyResource,
  type Catalog,
  type LiveListing,
  type WriteOutcome,
  defineResource,
} from "../../../src/core/model/definition.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { type ToyShop, toy } from "../toy.ts";

/** A shop whose list can be asked for proof, and which also shouts. */
export interface Shop extends ToyShop {
  list(expectedIds: ReadonlySet<string>, confirm?: boolean): Promise<LiveListing>;
  shout(word: string): Promise<WriteOutcome>;
}

/** A toy of which the shop tells when it was made, and which can be replaced in either order. */
export const thing: AnyResource = {
  ...toy,
  createdAt: "made_at",
  schema: {
    ...toy.schema,
    rotation: { type: "string", mode: "optional", docs: "", observed: "never", onChange: "record" },
  },
  list: ({ client, expectedIds, confirm }) => (client as Shop).list(expectedIds, confirm),
};

const NOTHING = { id: null };

/** What can be done once, and never looked up. */
export const shout = defineResource<Shop, Shop>()({
  type: "toy_shout",
  noun: "shout",
  plural: "shouts",
  version: 0,
  docs: "",
  identity: ["word"],
  destroy: "forget",
  irreversible: {
    done: { ...NOTHING, outcome: "heard" },
    unconfirmed: { ...NOTHING, outcome: "unconfirmed" },
    gone: { ...NOTHING, outcome: "nobody" },
  },
  schema: {
    word: { type: "string", mode: "required", docs: "" },
    id: { type: "string", mode: "computed", docs: "" },
    outcome: { type: "string", mode: "computed", docs: "" },
  },
  create: ({ word }, { client }) => client.shout(word),
});

export const shopCatalog: Catalog = { resources: [thing, shout], dataSources: [] };

export function shouted(word: string, outcome = "heard"): Attributes {
  return { word, id: null, outcome };
}
