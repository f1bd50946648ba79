import { encode, ExtData } from "@msgpack/msgpack";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../../src/core/model/attribute.ts";
import { UNKNOWN, type Value } from "../../../src/core/model/value.ts";
import { decodeState, decodeValue, encodeValue } from "../../../src/frontends/terraform/wire/terraform-values.ts";

const given = { mode: "optional", docs: "" } as const;
const SCHEMA: Schema = {
  text: { ...given, type: "string" },
  count: { ...given, type: "number" },
  flag: { ...given, type: "bool" },
  names: { ...given, type: { list: "string" } },
  inner: {
    ...given,
    type: { list: { object: { text: { ...given, type: "string" }, count: { ...given, type: "number" } } } },
  },
  local: { ...given, type: "string", frontends: ["yaml"] },
};
const EMPTY = { text: null, count: null, flag: null, names: null, inner: null };

function sent(value: unknown, extra = {}) {
  return decodeValue({ msgpack: encode(value, { useBigInt64: true, ...extra }), json: new Uint8Array() }, SCHEMA);
}

describe("values from Terraform", () => {
  it("has every attribute of this frontend, null when absent", () => {
    expect(sent({ text: "a" })).toEqual({ ...EMPTY, text: "a" });
    expect(decodeValue(undefined, SCHEMA)).toBeNull();
    expect(sent(null)).toBeNull();
  });

  it("takes plain and refined unknowns as unknown, at any depth", () => {
    const unknown = new ExtData(0, new Uint8Array([0]));
    const refined = new ExtData(12, encode({ 1: false }));
    expect(
      sent({ text: unknown, count: refined, names: ["a", unknown], inner: [{ text: refined, count: 1 }] }),
    ).toEqual({
      ...EMPTY,
      text: UNKNOWN,
      count: UNKNOWN,
      names: ["a", UNKNOWN],
      inner: [{ text: UNKNOWN, count: 1 }],
    });
  });

  const wrong: readonly [string, unknown][] = [
    ["a text for an object", "text"],
    ["a number for a text", { text: 1 }],
    ["a text for a flag", { flag: "true" }],
    ["a word for a number", { count: "many" }],
    ["an object for a list", { names: { a: 1 } }],
  ];
  it.each(wrong)("refuses %s", (_what, value) => {
    expect(() => sent(value)).toThrow(/is not|another type/);
  });
});

describe("numbers", () => {
  const numbers: readonly [string, unknown, Value][] = [
    ["a small one", 7, 7],
    ["zero", 0, 0],
    ["one at the edge of what is exact", 9007199254740991n, 9007199254740991],
    ["one beyond it", 9007199254740993n, "9007199254740993"],
    ["one beyond 64 bits", "123456789012345678901234567890", "123456789012345678901234567890"],
    ["a large one that is exact anyway", 2n ** 60n, 2 ** 60],
    ["a decimal fraction", "0.1", 0.1],
    ["a binary fraction", 0.5, 0.5],
    ["more digits than a float has", "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
  ];
  it.each(numbers)("%s is kept exactly", (_what, count, expected) => {
    const decoded = sent({ count });
    expect(decoded?.["count"]).toEqual(expected);
    const again = decodeValue(encodeValue(decoded, SCHEMA), SCHEMA);
    expect(again).toEqual(decoded);
  });

  it("are the same from a stored state as over the wire", () => {
    const stored = '{"count":9007199254740993,"text":"12 \\"34\\" 5e6","inner":[{"text":null,"count":0.1}],"old":1}';
    expect(decodeState(new TextEncoder().encode(stored), SCHEMA)).toEqual({
      ...EMPTY,
      count: "9007199254740993",
      text: '12 "34" 5e6',
      inner: [{ text: null, count: 0.1 }],
    });
    expect(decodeState(new TextEncoder().encode("null"), SCHEMA)).toBeNull();
  });
});

it("every value comes back as it was sent", () => {
  const orUnknown = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof(
      { weight: 6, arbitrary },
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constant(UNKNOWN) },
    );
  const number = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
  );
  const text = fc.string({ unit: "binary" });
  const attributes = fc.record({
    text: orUnknown(text),
    count: orUnknown(number),
    flag: orUnknown(fc.boolean()),
    names: orUnknown(fc.array(orUnknown(text))),
    inner: orUnknown(fc.array(fc.record({ text: orUnknown(text), count: orUnknown(number) }))),
  });
  fc.assert(
    fc.property(attributes, (value) => {
      expect(decodeValue(encodeValue(value as never, SCHEMA), SCHEMA)).toEqual(value);
    }),
  );
});
