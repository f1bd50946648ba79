import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const CORE = fileURLToPath(new URL("../../src/core", import.meta.url));

/** What the core must not contain, in code, strings or comments: frontends and the service have their own words for it. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  // A default value is no text.
  ["the command, its command lines, and types of the service", /(?<!^ *default: ")\boutreach(?:_\w+)?\b/i],
  ["a flag", /(?<![\w-])--[a-z][a-z-]+/],
  // Those of Terraform's http backend belong to its protocol, and TF_BUILD to a CI.
  ["an environment variable of ours", /\b(?:OUTREACH|TF(?!_HTTP|_BUILD))_[A-Za-z]\w*/],
  ["a command of Terraform", /\bterraform (?:apply|plan|state|import|untaint)\b/],
  ["an HCL block in a text", /["'`][^"'`]*\b(?:import|moved|removed|resource|lifecycle)\b(?: \\?"\w+\\?")* \{/],
  ["an HCL attribute in a text", /["'`][^"'`]*\b[a-z]+(?:_[a-z]+)+ = (?:true|false|\\?")/],
  [
    "a noun of the service",
    /\b(?:web)?hooks?\b|\bcampaigns?\b|\bunsubscri\w+|\bmailbox(?:es)?\b|\bwarm-?ups?\b|\bevent types?\b|\bemails?(?:Sent|Opened|Replied|Bounced)\b|\bsequence (?:id|step)s?\b/i,
  ],
  // `lead` is a noun of the service; the verb leads to, back, on, nowhere or away.
  ["a lead", /\bleads?\b(?! (?:to|back|on|nowhere|away|there|from|only)\b)/i],
  ["the delivery of events", /\bdeliver(?:s|ed|y|ies)?\b/i],
];

interface Finding {
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

function wordsIn(source: string): readonly Finding[] {
  return source.split("\n").flatMap((text, index) => {
    const found = FORBIDDEN.filter(([, pattern]) => pattern.test(text));
    return found.map(([what]): Finding => ({ line: index + 1, what, text: text.trim() }));
  });
}

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith(".ts")).toSorted();
}

test("no file of the core contains the words of a frontend or of the service", async () => {
  const names = await sourcesIn(CORE);
  expect(names.length).toBeGreaterThan(50);
  const found = await Promise.all(
    names.map(async (name) => {
      const source = await readFile(path.join(CORE, name), "utf8");
      return wordsIn(source).map(({ line, what, text }) => `${name}:${String(line)}: ${what}: ${text}`);
    }),
  );
  expect(found.flat()).toEqual([]);
});

describe("the test finds a planted", () => {
  test.each([
    ["command line", 'hint: "Run outreach plan.",'],
    ["command line with quoting", "hint: `outreach resolve ${shellWord(address)} --retry`,"],
    ["flag", '      detail: "Pass --allow-deletes.",'],
    ["environment variable", 'hint: "Check OUTREACH_API_KEY.",'],
    ["variable of Terraform", 'hint: "Set TF_VAR_name.",'],
    ["command of Terraform", 'hint: "Run terraform state rm.",'],
    ["HCL block", "hint: `Import it:\\n\\n  import {\\n    to = a.NAME`,"],
    ["HCL block with labels", 'hint: \'resource "a" "b" {\','],
    ["HCL attribute", 'hint: "Set allow_duplicate = true in both.",'],
    ["type of the service", "/** As in `outreach_webhook.crm`. */"],
    ["noun in a comment", "/** Deletes a webhook. */"],
    ["noun in a message", 'summary: "More webhooks are missing"'],
    ["noun in a name", "const hook = 1;"],
    ["lead", "// There may be thousands of leads behind it."],
    ["unsubscription", 'readonly assume: "unsubscribed";'],
    ["campaign", 'const what = "campaign";'],
    ["event type", "// The event type that it has."],
    ["delivery", 'detail: "Each event is delivered twice."'],
  ])("%s", (_, line) => {
    expect(wordsIn(`const a = 1;\n${line}\n`).map((one) => one.line)).toContain(2);
  });

  test.each([
    ["verb", "// The reference leads back to itself."],
    ["import of a module", 'import { blockOf } from "../model/address.ts";'],
    ["import of a module over several lines", "import {"],
    ["setting of a state backend", 'environment: ["TF_HTTP_ADDRESS"],'],
    ["decrement", "for (let i = length; i--;) go(i);"],
    ["meta word of Terraform", "// `moved`, `removed` and `import` statements, `count` and `for_each`."],
  ])("and not a %s", (_, line) => {
    expect(wordsIn(line)).toEqual([]);
  });
});
