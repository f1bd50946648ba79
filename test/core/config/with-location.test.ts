import { describe, expect, test } from "vitest";
import { withLocationIn } from "../../../src/core/config/with-location.ts";

/** The excerpt of a text in a construct, and the character above the caret. */
function shown(
  text: string,
  offset: number,
): { readonly text: string | undefined; readonly under: string | undefined } {
  const said = { code: "toy", severity: "error", summary: "Hm", detail: "Hm.", written: { text, offset } } as const;
  const { place } = withLocationIn(said, () => ({ file: "cdk.tf.json", construct: "stack/hook" }));
  return { text: place?.text, under: place?.text?.slice((place.caret ?? 1) - 1, place.caret) };
}

describe("an error in a construct shows its text", () => {
  test.each<readonly [string, string, string, string]>([
    ["of one line, whole", "${vr.x}", "${vr.x}", "v"],
    ["of several lines, the line of the error", "one\n${vr.x}\nthree", "${vr.x}", "v"],
    ["that starts with a line break", "\n${vr.x}", "${vr.x}", "v"],
    [
      "that is long, the part around the error",
      `${"a".repeat(100)}vr.x${"b".repeat(100)}`,
      `…${"a".repeat(60)}vr.x${"b".repeat(56)}…`,
      "v",
    ],
    [
      "that is long, without half characters",
      `${"😀".repeat(50)}.vr.x${"😀".repeat(50)}`,
      `…${"😀".repeat(29)}.vr.x${"😀".repeat(28)}…`,
      "v",
    ],
  ])("%s", (_what, text, part, under) => {
    expect(shown(text, text.indexOf("vr.x"))).toEqual({ text: part, under });
  });

  test("with the error at its start", () => {
    expect(shown("\nrest", 0)).toEqual({ text: "", under: "" });
  });
});
