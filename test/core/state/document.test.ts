import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeState, encodeState } from "../../../src/core/state/document.ts";
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
        const whole = document({ lineage: text, instances: [recorded("ball", { room: text, ...(values as object) })] });
        expect(JSON.stringify(decodeState(encodeState(whole), "s"))).toBe(JSON.stringify(whole));
      }),
    );
  });

  const good = new TextDecoder().decode(encodeState(document()));
  test.each([
    ["an empty file", "", "The file is empty"],
    ["half of it", good.slice(0, good.length / 2), "not JSON"],
    ["text of another kind", "terraform", "not JSON"],
    ["JSON of another kind", '{"version": 4}', "not a state of this tool"],
    ["null", "null", "not a state of this tool"],
    ["a list", "[]", "not a state of this tool"],
    ["a format that is not known yet", good.replace('"format": 3', '"format": 4'), "format 4"],
    ["one that was edited", good.replace("toy_thing.ball", "toy_thing.bell"), "checksum"],
    ["one without its checksum", good.replace(/,\s*"checksum": "[0-9a-f]+"/, ""), "checksum"],
    ["two of them", good + good, "not JSON"],
  ])("refuses %s, and names the file and its backup", (_, content, detail) => {
    expect(() => decodeState(bytes(content), "dir/s.json")).toThrow(
      expect.objectContaining({
        diagnostics: [
          expect.objectContaining({
            code: "state_unreadable",
            detail: expect.stringMatching(new RegExp(`${detail}.*dir/s\\.json`)),
            hint: expect.stringContaining("dir/s.json.backup"),
          }),
        ],
      }),
    );
  });

  test("refuses itself cut off at any byte", () => {
    const whole = encodeState(document());
    for (let length = 0; length < whole.length - 1; length++) expect(() => decodeState(whole.slice(0, length), "s"), String(length)).toThrow();
  });
});
