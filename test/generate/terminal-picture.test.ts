import { expect, test } from "vitest";
import { terminalPicture } from "../../src/generate/terminal-picture.ts";

const PRINTED = [
  "$ outreach plan",
  "",
  "  # outreach_webhook.audit must be replaced",
  "-/+ outreach_webhook.audit",
  '      ~ type = "a" -> "b" # forces replacement',
  "  - gone",
];

test("a picture shows each line in the colours of a plan, with markup escaped", () => {
  const picture = terminalPicture("Q&A", `${PRINTED.join("\n")}\n`);
  expect(picture).toContain("<title>Q&amp;A</title>");
  expect(picture).toContain('<tspan class="dim">$ </tspan><tspan class="bold">outreach plan</tspan>');
  expect(picture).toContain('<tspan class="change">-/+</tspan> outreach_webhook.audit');
  expect(picture).toContain('<tspan class="change">~</tspan> type = "a" -&gt; "b"<tspan class="delete"> # forces replacement</tspan>');
  expect(picture).toContain('<tspan class="delete">-</tspan> gone');
});

test("a picture refers to nothing outside of itself", () => {
  const picture = terminalPicture("A plan", PRINTED.join("\n"));
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|href|@import|url\(/);
});
