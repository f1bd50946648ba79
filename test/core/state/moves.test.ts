import { describe, expect, test } from "vitest";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { moveInstances } from "../../../src/core/state/edit.ts";
import { NO_STATEMENTS, declared, listing, live, recorded, toys } from "../toy.ts";
import { document } from "./state-fixtures.ts";

/** Recorded addresses, a move, and what it moves: new address → the one before; or the code of the error. */
const CASES: readonly (readonly [
  string,
  readonly string[],
  string,
  string,
  { readonly [to: string]: string } | string,
])[] = [
  ["an instance", ["a"], "a", "b", { b: "a" }],
  ["a block with its keys", ['a["x"]', 'a["y"]'], "a", "b", { 'b["x"]': 'a["x"]', 'b["y"]': 'a["y"]' }],
  [
    "a block that has an instance with a key and one without",
    ["a", 'a["x"]'],
    "a",
    "b",
    { b: "a", 'b["x"]': 'a["x"]' },
  ],
  ["an instance to another key", ['a["x"]', 'a["z"]'], 'a["x"]', 'a["y"]', { 'a["y"]': 'a["x"]' }],
  ["an instance to the key of another block", ['a["x"]', 'b["z"]'], 'a["x"]', 'b["y"]', { 'b["y"]': 'a["x"]' }],
  ["an instance without a key to one with a key", ["a"], "a", 'b["x"]', { 'b["x"]': "a" }],
  ["an instance without a key to a key of its own block", ["a"], "a", 'a["x"]', { 'a["x"]': "a" }],
  ["an instance with a key to its own block without one", ['a["x"]'], 'a["x"]', "a", { a: 'a["x"]' }],
  ["an instance with a key to a block that has others", ['a["x"]', 'b["y"]'], 'a["x"]', "b", { b: 'a["x"]' }],
  ["the one without a key of a block that has others too", ["a", 'a["x"]'], "a", 'b["y"]', { 'b["y"]': "a" }],
  ["a block to where a key is recorded", ["a", 'b["x"]'], "a", "b", "move_taken"],
  ["a block with other keys to a recorded block", ['a["x"]', 'b["y"]'], "a", "b", "move_taken"],
  ["an instance to a recorded address", ['a["x"]', 'a["y"]'], 'a["x"]', 'a["y"]', "move_taken"],
  ["an instance into itself", ['a["x"]'], 'a["x"]', 'a["x"]', "move_taken"],
  ["a block into itself", ["a"], "a", "a", "move_taken"],
  ["a block with keys to a single instance", ['a["x"]', 'a["y"]'], "a", 'b["x"]', "move_block"],
  ["what is not recorded", ["a"], "c", "b", "address_unknown"],
  ["a key that is not recorded", ['a["x"]'], 'a["y"]', 'b["y"]', "address_unknown"],
];

describe("state mv and a moved statement", () => {
  test.each(CASES)("agree about %s", (_, names, from, to, expected) => {
    const at = (name: string): string => `toy_thing.${name}`;
    const instances = names.map((name, index) =>
      recorded(`n${String(index)}`, {}, { address: at(name), id: `id_${String(index)}` }),
    );
    const move = { from: at(from), to: at(to) };
    const before = document({ instances });
    const { value, diagnostics } = moveInstances(before, move);

    const moved = Object.fromEntries(
      value.moves.map((one) => [one.to.slice(at("").length), one.from.slice(at("").length)]),
    );
    expect(diagnostics.length > 0 ? diagnostics[0]?.code : moved).toEqual(expected);
    if (diagnostics.length > 0) expect(value.document).toBe(before);

    // Everything is declared where the move leaves it, so a plan only moves.
    const declarations = value.document.instances.map(({ address, attributes }) =>
      declared(String(attributes["name"]), {}, { address }),
    );
    const plan = makePlan({
      ...NO_STATEMENTS,
      catalog: toys,
      declarations,
      instances,
      live: new Map([
        [
          "toy_thing",
          listing(instances.map(({ id, attributes }) => live(String(attributes["name"]), { id: String(id) }))),
        ],
      ]),
      limits: {},
      options: PLAIN_OPTIONS,
      undecided: [],
      moved: [move],
    });
    const planned = plan.steps.flatMap(({ address, movedFrom }) =>
      movedFrom === undefined ? [] : [[address.slice(at("").length), movedFrom.slice(at("").length)]],
    );
    expect(Object.fromEntries(planned)).toEqual(typeof expected === "string" ? {} : expected);
  });
});
