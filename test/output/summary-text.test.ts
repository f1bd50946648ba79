import { expect, test } from "vitest";
import { appliedText } from "../../src/output/content/summary-text.ts";

const NONE = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };

test.each([
  [NONE, false, "complete", "Apply complete! Resources: 0 added, 0 changed, 0 destroyed."],
  [{ ...NONE, add: 2, destroy: 1 }, false, "complete", "Apply complete! Resources: 2 added, 0 changed, 1 destroyed."],
  [
    { import: 1, add: 2, change: 3, destroy: 4, forget: 5 },
    false,
    "complete",
    "Apply complete! Resources: 1 imported, 2 added, 3 changed, 4 destroyed, 5 forgotten.",
  ],
  [{ ...NONE, add: 1 }, false, "incomplete", "Apply incomplete. Resources: 1 added, 0 changed, 0 destroyed."],
  [{ ...NONE, add: 1 }, false, "interrupted", "Apply interrupted. Resources: 1 added, 0 changed, 0 destroyed."],
  [{ ...NONE, destroy: 3 }, true, "complete", "Destroy complete! Resources: 3 destroyed."],
  [{ ...NONE, destroy: 1, forget: 2 }, true, "incomplete", "Destroy incomplete. Resources: 1 destroyed, 2 forgotten."],
] as const)("the line that ends an apply: %#", (counts, destroying, ending, line) => {
  expect(appliedText(counts, { destroying, ending })).toBe(line);
});
