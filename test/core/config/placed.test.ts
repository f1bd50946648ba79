import { describe, expect, test } from "vitest";
import { withLocationIn } from "../../../src/core/config/with-location.ts";

/** What is shown of a text in a construct, and the character that the caret stands under. */
function shown(text: string, offset: number): { readonly text: string | undefined; readonly under: string | undefined } {
  const said = { code: "toy", severity: "error", summary: "Hm", detail: "Hm.", written: { text, offset } } as const;
  const { place } = withLocationIn(said, () => ({ file: "cdk.tf.json", construct: "stack/hook" }));
  return { text: place?.text, under: place?.text?.slice((place.caret ?? 1) - 1, place.caret) };
}

describe("a mistake in a construct shows its text", () => {
  test.each<readonly [string, string, string, string]>([
    ["of one line, whole", "${vr.x}", "${vr.x}", "v"],
    ["of several lines, the line of the mistake", "one\n${vr.x}\nthree", "${vr.x}", "v"],
    ["that begins with the end of a line", "\n${vr.x}", "${vr.x}", "v"],
    ["that is long, the part around it", `${"a".repeat(100)}vr.x${"b".repeat(100)}`, `…${"a".repeat(60)}vr.x${"b".repeat(56)}…`, "v"],
    ["that is long, and no half of a character", `${"😀".repeat(50)}.vr.x${"😀".repeat(50)}`, `…${"😀".repeat(29)}.vr.x${"😀".repeat(28)}…`, "v"],
  ])("%s", (_what, text, part, under) => {
    expect(shown(text, text.indexOf("vr.x"))).toEqual({ text: part, under });
  });

  test("where the mistake is its very beginning", () => {
    expect(shown("\nrest", 0)).toEqual({ text: "", under: "" });
  });
});
