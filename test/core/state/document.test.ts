import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type StateDocument, decodeState, encodeState } from "../../../src/core/state/document.ts";
import { recorded } from "../toy.ts";
import { document, intent } from "./state-fixtures.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a state document", () => {
  test("is read as it was written", () => {
    const whole = document({ pending: [intent(4)], service: null });
    expect(decodeState(encodeState(whole), "s")).toEqual(whole);
  });

  test("survives every text in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.dictionary(fc.string(), fc.jsonValue()), (text, values) => {
        const whole = document({ instances: [recorded("ball", { room: text, ...(values as object) })] });
        expect(JSON.stringify(decodeState(encodeState(whole), "s"))).toBe(JSON.stringify(whole));
      }),
    );
  });

  const odd = (more: Partial<StateDocument>): string => new TextDecoder().decode(encodeState(document(more)));
  const good = new TextDecoder().decode(encodeState(document()));
  test.each([
    ["an empty file", "", "The file is empty"],
    ["half of it", good.slice(0, good.length / 2), "not JSON"],
    ["text of another kind", "terraform", "not JSON"],
    ["JSON of another kind", '{"version": 4}', "not a state of this tool"],
    ["null", "null", "not a state of this tool"],
    ["a list", "[]", "not a state of this tool"],
    ["a format that is not known yet", good.replace('"format": 1', '"format": 2'), "format 2"],
    ["one that was edited", good.replace("toy_thing.ball", "toy_thing.bell"), "checksum"],
    ["one without its checksum", good.replace(/,\s*"checksum": "[0-9a-f]+"/, ""), "checksum"],
    ["two of them", good + good, "not JSON"],
    [
      "a record whose attributes hold what is no value",
      odd({ instances: [recorded("ball", { room: { $secret: 7 } as never })] }),
      "Number 1 of its instances",
    ],
    [
      "a record without an id",
      odd({ instances: [{ ...recorded("ball"), id: 7 as never }] }),
      "Number 1 of its instances",
    ],
    [
      "an undecided write without its address",
      odd({ pending: [{ ...intent(4), address: 7 as never }] }),
      "Its pending is not",
    ],
    [
      "an event of a kind of JavaScript's own",
      odd({ pending: [{ seq: 1, kind: "constructor" as never } as never] }),
      "Its pending is not",
    ],
    ["outputs without names", odd({ outputs: [{} as never] }), "Its outputs is not"],
  ])("refuses %s, and names the file", (_, content, detail) => {
    expect(() => decodeState(bytes(content), "dir/s.json")).toThrow(
      expect.objectContaining({
        diagnostics: [
          expect.objectContaining({
            code: "state_unreadable",
            detail: expect.stringMatching(new RegExp(`${detail}.*dir/s\\.json`)),
          }),
        ],
      }),
    );
  });

  test.each([
    ["a salt that is no text", { salt: null }, "no salt"],
    ["a key for plans that anybody could guess", { planKey: "" }, "no key for its plans"],
    ["no lost creates", { lostCreates: undefined }, "lostCreates"],
    ["lost creates that are no list", { lostCreates: {} }, "lostCreates"],
    ["an output that is no record", { outputs: [null] }, "outputs"],
    ["an event that is no record", { pending: [1] }, "pending"],
    [
      "an instance without the list of what was assumed",
      { instances: [{ ...recorded("ball", {}), assumed: undefined }] },
      "Number 1",
    ],
    [
      "an instance whose returned values are no map",
      { instances: [{ ...recorded("ball", {}), returned: true }] },
      "Number 1",
    ],
    ["a format that is no number", { format: "x".repeat(100_000) }, "not a state"],
  ])("refuses %s, even with the right checksum", (_name, damage, said) => {
    const damaged = JSON.parse(JSON.stringify({ ...document(), ...damage })) as StateDocument;
    expect(() => decodeState(encodeState(damaged), "s")).toThrow(said);
  });

  test("refuses what is nested too deeply", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect(() => decodeState(bytes(`{"format":1,"instances":${deep}}`), "s")).toThrow(/^The state cannot be read/);
    expect(() => decodeState(bytes(`{"format":${deep}}`), "s")).toThrow(/^The state cannot be read/);
  });

  test("refuses itself cut off at any byte", () => {
    const whole = encodeState(document());
    for (let length = 0; length < whole.length - 1; length++)
      expect(() => decodeState(whole.slice(0, length), "s"), String(length)).toThrow();
  });
});
