import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../src/core/model/definition.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import type { WayOut } from "../../../src/core/model/way-out.ts";
import { duplicateExists, madeBefore, takenInstead } from "../../../src/frontends/terraform/journal/create-messages.ts";
import { appearedLate } from "../../../src/frontends/terraform/journal/duplicate-messages.ts";
import { missingWithAnotherKey } from "../../../src/frontends/terraform/private-state.ts";
import { engineOf, wayOutText } from "../../../src/frontends/terraform/wire/engine-words.ts";
import { pulumiText } from "../../../src/frontends/terraform/wire/pulumi-words.ts";
import { wireDiagnostics } from "../../../src/frontends/terraform/wire/wire-diagnostics.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

const SOURCES = new URL("../../../src/frontends/terraform/", import.meta.url);

const webhook = catalog.resources.find(({ type }) => type === "outreach_webhook") as AnyResource;
const at = { address: null, type: "outreach_webhook" };

function inPulumi(diagnostic: Diagnostic): string {
  return wireDiagnostics([diagnostic], "pulumi")
    .map(({ detail }) => detail)
    .join("\n");
}

test.for([
  ["1.0.0+pulumi-terraform-bridge", "pulumi"],
  ["pulumi-terraform-bridge", "pulumi"],
  ["1.11.4", "terraform"],
  ["", "terraform"],
] as const)("an engine that calls itself %j is %s", ([version, engine]) => {
  expect(engineOf(version)).toBe(engine);
});

describe("in Pulumi's words", () => {
  test.for<readonly [what: string, diagnostic: Diagnostic, contained: readonly string[]]>([
    [
      "an object of an earlier run",
      madeBefore(webhook, "hoo_1", "maybe-managed"),
      [
        "under another name",
        "pulumi import outreach:index/webhook:Webhook NAME hoo_1",
        "pulumi preview without --target, and run pulumi up again.",
      ],
    ],
    [
      "an object of a lost create",
      takenInstead(webhook, "hoo_1"),
      ["before Pulumi recorded it. Pulumi records it now."],
    ],
    ["a duplicate", duplicateExists(webhook, "hoo_1", "hoo_2"), ["import it under its own name", "NAME hoo_2"]],
    [
      "a late object",
      appearedLate(webhook, { id: "hoo_1", wasManaged: false }),
      ["import it under a name of its own", "NAME hoo_1"],
    ],
    ["a missing object", missingWithAnotherKey(webhook, "hoo_1"), ["(pulumi state delete) and run pulumi up."]],
  ])("%s", ([, diagnostic, contained]) => {
    for (const text of contained) expect(inPulumi(diagnostic)).toContain(text);
  });

  test.for<readonly [way: WayOut, text: string]>([
    [
      { kind: "import", ...at, ids: ["hoo_1"] },
      "Import it, with the name of this resource:\n\n  pulumi import outreach:index/webhook:Webhook NAME hoo_1",
    ],
    [
      { kind: "import", address: null, type: "outreach_lead_unsubscription", ids: ["cam_1/a b"], isUndeclared: true },
      "Import it under a name of its own, and add the code that Pulumi prints:\n\n  pulumi import outreach:index/leadUnsubscription:LeadUnsubscription NAME 'cam_1/a b'",
    ],
    [{ kind: "allow-duplicate", addresses: [null] }, "To create another one, set allowDuplicate: true."],
    [{ kind: "set-attribute", ...at, attribute: "is_first", value: false }, "Set isFirst: false."],
    [{ kind: "retry", ...at }, "Send it again: pulumi up --target-replace URN"],
    [{ kind: "remove-record", ...at }, "Remove it from the state: pulumi state delete URN"],
    [{ kind: "plan" }, "Run pulumi preview."],
    [{ kind: "apply" }, "Run pulumi up again."],
  ])("the way out %j", ([way, text]) => {
    expect(wayOutText([way], "pulumi")).toBe(text);
  });

  test("no message has a word of Terraform's", () => {
    const texts = literals();
    expect(texts.length).toBeGreaterThan(30);
    const left = texts
      .map((text) => pulumiText(text.replaceAll(/\$\{[^}]*\}/g, "outreach_webhook")))
      .filter((text) => FOREIGN.test(text));
    expect(left).toEqual([]);
  });
});

/** What Pulumi does not know. */
const FOREIGN = /(?<!\.)[Tt]erraform(?!-)|\btainted\b|untaint \w+\.|-replace=|create_before_destroy|import \{/;

/** Said to a person or an engine that starts the provider, or only where Terraform has a feature that the bridge does not use. */
const ELSEWHERE = [
  "plugin/",
  "generated/",
  "terraform-command.ts",
  "run-provider.ts",
  "wire/terraform-way-outs.ts",
  "wire/pulumi-words.ts",
  "wire/engine-words.ts",
];
const TERRAFORM_ONLY = [
  /marked the .* as tainted/,
  /write-only, which this version of Terraform/,
  /use Terraform 1\.16 or later/,
  /^terraform$/,
  /^\.terraform$/,
  /removed create_before/,
];

/** The texts of the provider's sources in which a word of Terraform's is. */
function literals(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !ELSEWHERE.some((one) => file.includes(one)),
  );
  return files.flatMap((file) => {
    const lines = readFileSync(new URL(file, SOURCES), "utf8").split("\n");
    const code = lines.filter((line) => !/^\s*(\/\/|\/?\*|import )/.test(line)).join("\n");
    return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].flatMap(([literal]) => {
      const text = literal.slice(1, -1);
      return FOREIGN.test(text) && !TERRAFORM_ONLY.some((one) => one.test(text)) ? [text] : [];
    });
  });
}
