import { describe, expect, test } from "vitest";
import { instancesAt, moveInstances, removeInstances } from "../../../src/core/state/edit.ts";
import { recorded } from "../toy.ts";
import { document } from "./state-fixtures.ts";

const BALL = recorded("ball");
const KITES = ["a", "b"].map((key) => recorded(`kite ${key}`, {}, { address: `toy_thing.kites["${key}"]` }));
const DOCUMENT = document({ instances: [BALL, ...KITES] });
const detailsOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly detail?: string }[] }) =>
  diagnostics.map(({ detail }) => detail);

describe("an address that a user types", () => {
  test.each([
    ["toy_thing.ball", [BALL]],
    ["toy_thing.kites", KITES],
    ['toy_thing.kites["b"]', KITES.slice(1)],
  ])("%s means what is recorded there", (typed, found) => {
    expect(instancesAt(DOCUMENT, typed)).toEqual({ value: found, diagnostics: [] });
  });

  test("that is none is an error", () => {
    expect(instancesAt(DOCUMENT, "ball")).toMatchObject({ value: [], diagnostics: [{ code: "address_invalid" }] });
  });

  test.each([
    ["toy_thing.bal", "toy_thing.ball"],
    ["toy_thing.kite", "toy_thing.kites"],
    ['toy_thing.kites["c"]', 'toy_thing.kites["a"]'],
    ["toy_thing.something", null],
  ])("%s, where nothing is recorded, is an error that names %s", (typed, meant) => {
    const ways = [...(meant === null ? [] : [{ kind: "use-address", address: meant }]), { kind: "list-records" }];
    expect(instancesAt(DOCUMENT, typed)).toMatchObject({
      value: [],
      diagnostics: [{ code: "address_unknown", detail: `The state records nothing at ${typed}.`, ways }],
    });
  });

  test("with the key of a recorded block is compared with the keys of that block only", () => {
    const instances = [
      recorded("a", {}, { address: 'toy_thing.kites["a long key"]' }),
      recorded("b", {}, { address: 'toy_thing.kite["x"]' }),
    ];
    expect(instancesAt({ instances }, 'toy_thing.kites["x"]').diagnostics).toMatchObject([
      { ways: [{ kind: "list-records" }] },
    ]);
  });
});

describe("a move", () => {
  test("that cannot be made says why, and changes nothing", () => {
    const failed = (from: string, to: string) => {
      const moved = moveInstances(DOCUMENT, { from, to });
      expect(moved.value).toEqual({ document: DOCUMENT, moves: [] });
      return [moved.diagnostics.map(({ code }) => code), ...detailsOf(moved)];
    };
    expect(failed("ball", "kite")).toEqual([
      ["address_invalid", "address_invalid"],
      expect.any(String),
      expect.any(String),
    ]);
    expect(failed("toy_thing.ball", "kite")).toEqual([["address_invalid"], expect.any(String)]);
    expect(failed("toy_thing.ball", "toy_shout.ball")).toEqual([
      ["move_type"],
      "toy_thing.ball cannot be moved to toy_shout.ball: the resource types do not match.",
    ]);
    expect(failed("toy_thing.ball", "data.toy_thing.ball")).toEqual([
      ["move_type"],
      expect.stringContaining("do not match"),
    ]);
    expect(failed("toy_thing.ball", 'toy_thing.kites["a"]')).toEqual([
      ["move_taken"],
      expect.stringContaining("that address has a record already"),
    ]);
    expect(failed("toy_thing.kites", 'toy_thing.others["a"]')).toEqual([
      ["move_block"],
      'toy_thing.kites is a block of 2 instances, so it cannot be moved to the single instance toy_thing.others["a"].',
    ]);
  });

  test("of a block of one instance to a single instance counts it", () => {
    const [kite = BALL] = KITES;
    expect(
      detailsOf(
        moveInstances(document({ instances: [kite] }), { from: "toy_thing.kites", to: 'toy_thing.others["a"]' }),
      ),
    ).toEqual([expect.stringContaining("is a block of 1 instance, so")]);
  });

  test("moves a block with its instances", () => {
    const { value } = moveInstances(DOCUMENT, { from: "toy_thing.kites", to: "toy_thing.others" });
    expect(value.moves).toEqual(
      ["a", "b"].map((key) => ({ from: `toy_thing.kites["${key}"]`, to: `toy_thing.others["${key}"]` })),
    );
    expect(value.document.instances.map(({ address }) => address)).toEqual([
      "toy_thing.ball",
      'toy_thing.others["a"]',
      'toy_thing.others["b"]',
    ]);
  });
});

test("removed records leave everything else, and are named once", () => {
  const { value, diagnostics } = removeInstances(DOCUMENT, [
    "toy_thing.kites",
    'toy_thing.kites["a"]',
    "toy_thing.gone",
  ]);
  expect(value).toEqual({ document: { ...DOCUMENT, instances: [BALL] }, removed: KITES });
  expect(diagnostics).toMatchObject([{ code: "address_unknown" }]);
});
