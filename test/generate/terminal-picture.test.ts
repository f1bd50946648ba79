import { expect, test } from "vitest";
import { terminalPicture } from "../../src/generate/plan-picture.ts";
import { ansi } from "../../src/output/content/paint.ts";

const PRINTED = [ansi("bold", "  # outreach_webhook.audit"), `${ansi("yellow", "-/+")} audit`, `a -> b${ansi("red", " # forces & replaces")}`].join("\n");

test("a picture shows the command and each line in its colours, with markup escaped", () => {
  const picture = terminalPicture("outreach plan", `${PRINTED}\n`);
  expect(picture).toContain("<title>outreach plan</title>");
  expect(picture).toContain('<tspan class="dim">$ </tspan><tspan class="bold">outreach plan</tspan></text>');
  expect(picture).toContain('><tspan class="bold">  # outreach_webhook.audit</tspan></text>');
  expect(picture).toContain('><tspan class="yellow">-/+</tspan> audit</text>');
  expect(picture).toContain('>a -&gt; b<tspan class="red"> # forces &amp; replaces</tspan></text>');
});

test("a picture refers to nothing outside of itself", () => {
  const picture = terminalPicture("outreach plan", PRINTED);
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|href|@import|url\(/);
});
