import { expect, test } from "vitest";
import { type CheckedReferences, checkReferences } from "../../../src/core/apply/run/check-references.ts";
import { type AnyResource, type Catalog, type IdCheck, defineDataSource } from "../../../src/core/model/definition.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import type { Step } from "../../../src/core/plan/plan.ts";
import { toy } from "../toy.ts";

const asked: string[] = [];
const rooms = defineDataSource<null>()({
  type: "toy_room",
  docs: "",
  schema: { name: { type: "string", mode: "required", docs: "" } },
  read: () => Promise.reject(new Error("was read")),
  checkIds: (ids, { isThorough }) => {
    asked.push(`${ids.join("+")}${isThorough ? " thoroughly" : ""}`);
    const unknown = ids.filter((id) => id.startsWith("no"));
    return Promise.resolve(
      new Map(
        unknown.map((id) => [id, { code: "no_room", severity: "error", summary: "No such room", detail: `No ${id}.` }]),
      ),
    );
  },
});
const thing: AnyResource = {
  ...toy,
  schema: {
    ...toy.schema,
    room: { type: "string", mode: "optional", docs: "", refersTo: { type: "toy_room", yaml: "room_name" } },
  },
};
const shout: AnyResource = { ...thing, type: "toy_shout", irreversible: { done: {}, unconfirmed: {}, gone: {} } };
const catalog: Catalog = { resources: [thing, shout], dataSources: [rooms] };

const base = (name: string) => ({
  address: `toy_thing.${name}`,
  type: "toy_thing",
  provider: "toy",
  because: [],
  masked: [],
});
const create = (name: string, room: string | null, more = {}): Step => ({
  ...base(name),
  action: "create",
  after: { name, room },
  ...more,
});
const replace = (
  name: string,
  from: string,
  room: string,
  order: "delete-first" | "create-first" = "delete-first",
): Step => ({
  ...base(name),
  action: "replace",
  order,
  id: name,
  before: { room: from },
  after: { room },
});

interface Checking {
  readonly isThorough?: boolean;
  readonly known?: { readonly [address: string]: Attributes };
  readonly checked?: CheckedReferences;
}

async function checking(steps: readonly Step[], { isThorough = true, known = {}, checked = new Map() }: Checking = {}) {
  asked.splice(0);
  const reading: IdCheck<unknown> = { client: null, signal: new AbortController().signal, isThorough };
  const diagnostics = await checkReferences(
    { steps },
    { catalog, reading, known: new Map(Object.entries(known)), checked },
  );
  return { asked: [...asked], found: diagnostics.map(({ address, path, detail }) => [address, path, detail]) };
}

test("ids that a plan sends are asked about once, in their order, and a problem stands where the first is sent", async () => {
  const steps = [create("a", "no2"), create("b", "yes"), create("c", "no2"), create("d", "no1"), create("e", null)];
  expect(await checking(steps)).toEqual({
    asked: ["no1+no2+yes thoroughly"],
    found: [
      ["toy_thing.d", ["room"], "No no1."],
      ["toy_thing.a", ["room"], "No no2. 1 more of this plan name it too."],
    ],
  });
});

test("ids that nothing is sent with, or that data sources have found, are not asked about", async () => {
  const quiet: Step = { ...base("a"), action: "delete", id: "a", before: { room: "no" } };
  expect((await checking([quiet])).asked).toEqual([]);
  expect((await checking([create("a", "no", { again: "unconfirmed" })])).asked).toEqual([]);
  const known = { "data.toy_room.all": { rooms: [{ id: "x" }, { id: "y" }], total: 2, none: null } };
  expect((await checking([create("a", "x"), create("b", "y"), create("c", "z")], { known })).asked).toEqual([
    "z thoroughly",
  ]);
});

test("an apply asks only about a new id whose refusal would leave nothing", async () => {
  const steps = [
    replace("a", "old", "new"),
    replace("b", "same", "same"),
    replace("c", "old", "other", "create-first"),
    create("d", "created"),
  ];
  expect((await checking(steps, { isThorough: false })).asked).toEqual(["new thoroughly", "created+other+same"]);
  const both = [create("a", "room"), replace("b", "old", "room")];
  expect((await checking(both, { isThorough: false })).asked).toEqual(["room thoroughly"]);
  expect((await checking(both.toReversed(), { isThorough: false })).asked).toEqual(["room thoroughly"]);
});

test("an apply asks about each id that an irreversible write sends", async () => {
  const sent: Step = { ...create("a", "no"), type: "toy_shout" };
  expect(await checking([sent, create("b", "yes")], { isThorough: false })).toEqual({
    asked: ["no thoroughly", "yes"],
    found: [["toy_thing.a", ["room"], "No no."]],
  });
});

test("a plan that is made again asks nothing twice, and says the same", async () => {
  const checked: CheckedReferences = new Map();
  const first = await checking([create("a", "no")], { checked });
  const second = await checking([create("a", "no")], { checked });
  expect([first.asked, second.asked, second.found]).toEqual([["no thoroughly"], [], first.found]);
  expect((await checking([create("a", "no"), create("b", "yes")], { checked })).asked).toEqual(["no+yes thoroughly"]);
});
