import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import { diagnosticText } from "../../src/output/content/diagnostic-text.ts";
import { ansi, plain, printed } from "../../src/output/content/paint.ts";

const BASE: Diagnostic = {
  code: "some_code",
  severity: "error",
  summary: "A summary",
  detail: "What is wrong, and why.",
};
const PLACE = { file: "outreach.yaml", line: 12, column: 5, text: "    typ: x" };

test.each<readonly [name: string, diagnostic: Diagnostic, text: string]>([
  ["nothing but words", BASE, "Error: A summary [some_code]\n\nWhat is wrong, and why.\n"],
  [
    "line ends where there is one line",
    { ...BASE, summary: "A\nsummary", address: "a\nb", place: { ...PLACE, file: "a.yaml\nPlan: 0 to add" } },
    "Error: A\u{fffd}summary [some_code]\n\n  on a.yaml\u{fffd}Plan: 0 to add:12:5, in a\u{fffd}b\n  12 |     typ: x\n     |     ^\n\nWhat is wrong, and why.\n",
  ],
  ["a hint", { ...BASE, hint: "Do that." }, "Error: A summary [some_code]\n\nWhat is wrong, and why.\nDo that.\n"],
  ["a warning", { ...BASE, severity: "warning" }, "Warning: A summary [some_code]\n\nWhat is wrong, and why.\n"],
  ["a note", { ...BASE, severity: "note" }, "Note: A summary [some_code]\n\nWhat is wrong, and why.\n"],
  [
    "an address",
    { ...BASE, address: "outreach_webhook.crm" },
    "Error: A summary [some_code]\n\n  with outreach_webhook.crm\n\nWhat is wrong, and why.\n",
  ],
  [
    "a file",
    { ...BASE, place: { file: "outreach.yaml" } },
    "Error: A summary [some_code]\n\n  on outreach.yaml\n\nWhat is wrong, and why.\n",
  ],
  [
    "a line",
    { ...BASE, place: PLACE },
    "Error: A summary [some_code]\n\n  on outreach.yaml:12:5\n  12 |     typ: x\n     |     ^\n\nWhat is wrong, and why.\n",
  ],
  [
    "a line and an address",
    { ...BASE, place: PLACE, address: "outreach_webhook.crm", hint: "Did you mean type?" },
    "Error: A summary [some_code]\n\n  on outreach.yaml:12:5, in outreach_webhook.crm\n  12 |     typ: x\n     |     ^\n\nWhat is wrong, and why.\nDid you mean type?\n",
  ],
  [
    "a line whose text is not shown",
    { ...BASE, place: { file: "vars.yaml", line: 3, column: 2 } },
    "Error: A summary [some_code]\n\n  on vars.yaml:3:2\n\nWhat is wrong, and why.\n",
  ],
  [
    "a construct",
    { ...BASE, place: { file: "cdk.tf.json", construct: "hooks/crm" }, address: "outreach_webhook.crm" },
    "Error: A summary [some_code]\n\n  on cdk.tf.json, construct hooks/crm, in outreach_webhook.crm\n\nWhat is wrong, and why.\n",
  ],
  [
    "a line with tabs, under which the caret still stands right",
    { ...BASE, place: { ...PLACE, text: "\ta\ttyp: x", column: 4 } },
    "Error: A summary [some_code]\n\n  on outreach.yaml:12:4\n  12 | \ta\ttyp: x\n     | \t \t^\n\nWhat is wrong, and why.\n",
  ],
  [
    "a line that is not shown as it is",
    { ...BASE, place: { ...PLACE, column: 400, text: "…secret: (sensitive value), typ: x", caret: 29 } },
    `Error: A summary [some_code]\n\n  on outreach.yaml:12:400\n  12 | …secret: (sensitive value), typ: x\n     | ${" ".repeat(28)}^\n\nWhat is wrong, and why.\n`,
  ],
  [
    "characters that could steer a terminal or hide words",
    {
      ...BASE,
      detail: "It says \u001b[2J\u202eabc.",
      hint: "Look\u0007.",
      place: { ...PLACE, text: "    typ: \u001b[31m\u200bx" },
    },
    "Error: A summary [some_code]\n\n  on outreach.yaml:12:5\n  12 |     typ: \u{fffd}[31m\u{fffd}x\n     |     ^\n\nIt says \u{fffd}[2J\u{fffd}abc.\nLook\u{fffd}.\n",
  ],
])("a diagnostic with %s", (_name, diagnostic, text) => {
  expect(diagnosticText(diagnostic, plain)).toBe(text);
});

test.each<readonly [hasCodes: boolean, lines: string, shown: string]>([
  [false, "::error::x\n \t::set-output name=a::b\n", "\u{fffd}:error::x\n \t\u{fffd}:set-output name=a::b\n"],
  [
    false,
    "See ##[add-mask]x, ::1 and a::b::c.\n::1 ## [x]\n",
    "See #\u{fffd}[add-mask]x, ::1 and a::b::c.\n::1 ## [x]\n",
  ],
  [false, "name  ##vso[task.setvariable variable=a]b\n", "name  #\u{fffd}vso[task.setvariable variable=a]b\n"],
  [false, "a\r::error::x\u2028\u001b[31mred\u202e\n", "a\u{fffd}::error::x\u{fffd}\u{fffd}[31mred\u{fffd}\n"],
  [
    true,
    "\r\u001b[K\u001b[31mred\u001b[39m \u001b[2J\u001b]0;t\u0007 ##[group]\n",
    "\r\u001b[K\u001b[31mred\u001b[39m \u{fffd}[2J\u{fffd}]0;t\u{fffd} #\u{fffd}[group]\n",
  ],
])("a stream (codes: %s) gets %j without hidden characters and commands of runners", (hasCodes, lines, shown) => {
  expect(printed(lines, { hasCodes })).toBe(shown);
});

test("colours are put around words and take nothing from them", () => {
  const diagnostic: Diagnostic = { ...BASE, place: PLACE };
  const coloured = diagnosticText(diagnostic, ansi);
  expect(coloured).toContain(
    "\u001b[31m\u001b[1mError: A summary\u001b[22m\u001b[39m \u001b[2m[some_code]\u001b[22m\n",
  );
  expect(coloured).toContain("\u001b[31m^\u001b[39m");
  // oxlint-disable-next-line no-control-regex -- what is looked for is a control character
  expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(diagnosticText(diagnostic, plain));
});
