import { expect, test } from "vitest";
import type { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import { assertKnownTypes } from "../../../src/core/state/known-types.ts";
import { recorded, toys } from "../toy.ts";
import { document, intent } from "./state-fixtures.ts";

function detailsOf(more: Partial<StateDocument>) {
  try {
    assertKnownTypes(toys, document({ instances: [], ...more }));
  } catch (error) {
    return (error as DiagnosticsError).diagnostics.map(({ detail, ways = [] }) => [detail.split(", which")[0], ways]);
  }
  return [];
}

const drum = (name: string) => recorded(name, {}, { address: `toy_drum.${name}`, type: "toy_drum" });
const lost = { type: "toy_drum", key: {}, planned: {}, provider: "toy", preIds: [], sentAtMs: 0 };

test("records, open writes and lost creates of known types are accepted", () => {
  const [known] = [recorded("ball")];
  expect(
    detailsOf({ instances: [known], pending: [{ seq: 1, kind: "listed", ids: [] }, intent(2, { listed: 1 })] }),
  ).toEqual([]);
  expect(detailsOf({ lostCreates: [{ ...lost, type: "toy_thing", address: null }] })).toEqual([]);
});

test("records of an unknown type are an error each type, with the way to remove what is recorded", () => {
  const remove = (address: string) => ({ kind: "remove-record", address, type: "toy_drum" });
  expect(detailsOf({ instances: [recorded("ball"), drum("a")] })).toEqual([
    ["toy_drum.a has the resource type toy_drum", [remove("toy_drum.a")]],
  ]);
  expect(
    detailsOf({ instances: [drum("a"), drum("b")], pending: [intent(1, { type: "toy_drum", address: "toy_drum.b" })] }),
  ).toEqual([["toy_drum.a, toy_drum.b have the resource type toy_drum", [remove("toy_drum.a"), remove("toy_drum.b")]]]);
  expect(
    detailsOf({
      pending: [intent(1, { type: "toy_drum", address: "toy_drum.b" })],
      lostCreates: [{ ...lost, type: "toy_flute", address: null }],
    }),
  ).toEqual([
    ["toy_drum.b has the resource type toy_drum", []],
    ["A lost create has the resource type toy_flute", []],
  ]);
});

test.each([
  [10, ""],
  [11, " and 1 more"],
  [13, " and 3 more"],
])("%i records of an unknown type are counted after the first ten", (count, more) => {
  const instances = Array.from({ length: count }, (_, index) => drum(`n${String(index)}`));
  const named = instances.slice(0, 10).map(({ address }) => address);
  expect(detailsOf({ instances })[0]?.[0]).toBe(`${named.join(", ")}${more} have the resource type toy_drum`);
  expect(detailsOf({ instances })[0]?.[1]).toHaveLength(10);
});
