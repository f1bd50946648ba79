import { describe, expect, test } from "vitest";
import { describeWithTerraform } from "../terraform/terraform-under-test.ts";
import { terraformPlan } from "../../core/expression/terraform-console.ts";
import { checkStack } from "./check-stack.ts";
import { type Json, from, webhooks } from "./stack.ts";

const hook = (rest: Json = {}): Json => ({
  ...from("app/hooks/crm"),
  target_url: "https://crm.example.com/hook",
  type: "emailsSent",
  ...rest,
});
const stage = (validation: unknown, rest: Json = {}): Json => ({
  variable: { stage: { ...from("app/stage"), default: "prod", validation, ...rest } },
});
const rule = (condition: string, message = "Use another value."): Json => ({ condition, error_message: message });
const within = (kind: string, condition: string, message?: string): Json =>
  webhooks({ crm: hook({ lifecycle: { [kind]: [rule(condition, message)] } }) });

describe("a condition that holds says nothing", () => {
  test.each<readonly [string, Json]>([
    ["of a variable", stage([rule('${contains(["prod", "test"], var.stage)}')])],
    ["of a variable, as a text", stage(rule('${var.stage == "prod" ? "true" : "false"}'))],
    ["before a resource", { ...stage([]), ...within("precondition", '${var.stage == "prod"}') }],
    [
      "after a resource",
      within("postcondition", '${startswith(self.target_url, "https:") && self.type == "emailsSent"}'),
    ],
    [
      "of each instance",
      webhooks({
        crm: hook({
          for_each: { a: "x" },
          target_url: "https://${each.key}.example.com",
          lifecycle: { precondition: rule('${each.value == "x"}') },
        }),
      }),
    ],
    ["of an output", { output: { o: { value: "1", precondition: [rule("${local.one < 2}")] } }, locals: { one: 1 } }],
    ["of a check", { check: { up: { assert: [rule('${startswith(local.a, "a")}')] } }, locals: { a: "abc" } }],
  ])("%s", async (_name, parts) => {
    expect((await checkStack(parts)).diagnostics).toEqual([]);
  });
});

describe("a condition that fails is reported with its message and its construct", () => {
  test.each<readonly [string, Json, string, string]>([
    [
      "of a variable",
      stage([rule('${var.stage == "test"}', "Not ${var.stage}.")]),
      "Invalid value for variable",
      "Not prod.",
    ],
    [
      "before a resource",
      { ...stage([]), ...within("precondition", "${var.stage == null}") },
      "Precondition failed",
      "Use another value.",
    ],
    [
      "after a resource",
      within("postcondition", '${self.type == "emailsOpened"}', "Has ${self.type}."),
      "Postcondition failed",
      "Has emailsSent.",
    ],
    [
      "of an output",
      { output: { o: { ...from("app/o"), value: "1", precondition: [rule("${local.no}")] } }, locals: { no: false } },
      "Precondition of an output failed",
      "Use another",
    ],
  ])("%s", async (_name, parts, summary, message) => {
    const { diagnostics, text } = await checkStack(parts);
    expect(diagnostics).toMatchObject([{ severity: "error", summary, detail: expect.stringContaining(message) }]);
    expect(text).toMatch(/construct app\/(?:hooks\/crm|stage|o)\b/);
  });

  test("one of several instances, with its address", async () => {
    const { diagnostics } = await checkStack(
      webhooks({
        crm: hook({
          count: 2,
          target_url: "https://crm.example.com/${count.index}",
          lifecycle: { precondition: rule("${count.index < 1}", "No ${count.index}.") },
        }),
      }),
    );
    expect(diagnostics).toMatchObject([{ address: "outreach_webhook.crm[1]", detail: "No 1." }]);
  });

  test("but a failed check is a warning", async () => {
    const { diagnostics } = await checkStack({
      locals: { on: true },
      check: { up: { assert: [rule("${!local.on}", "Down."), rule("${local.on}")] } },
    });
    expect(diagnostics).toMatchObject([
      { severity: "warning", summary: "Check up failed", detail: "Down.", place: { construct: "check.up" } },
    ]);
  });

  test("without a sensitive value in its message", async () => {
    const { diagnostics, text } = await checkStack(
      stage([rule('${var.stage == "test"}', "Not ${var.stage}.")], {
        default: undefined,
        sensitive: true,
        type: "string",
      }),
      { environment: { TF_VAR_stage: "very-secret" } },
    );
    expect(diagnostics).toMatchObject([
      { severity: "error", detail: expect.stringContaining("contains a sensitive value") },
    ]);
    expect(text).not.toContain("very-secret");
  });
});

describe("a condition that cannot be checked is an error", () => {
  test.each<readonly [string, Json, string]>([
    [
      "because it is not a bool",
      { ...stage([]), ...within("precondition", "${[var.stage]}") },
      "must be true or false",
    ],
    [
      "because it is null",
      { ...stage([]), ...within("precondition", "${var.stage == null ? true : null}") },
      "must be true or false",
    ],
    ["because it does not refer to the variable", stage([rule("${1 < 2}")]), "does not refer to var.stage"],
    ["because it refers to nothing", within("precondition", "${1 < 2}"), "refers to nothing in the configuration"],
    [
      "because its reference is wrong",
      within("precondition", "${var.none}"),
      "The configuration does not declare the variable none",
    ],
    [
      "because self is not there yet",
      within("precondition", '${self.type == ""}'),
      "self is only available in postconditions",
    ],
    ["because its attribute does not exist", within("postcondition", '${self.typ == ""}'), "Did you mean type?"],
    [
      "because only the service knows the value",
      within("postcondition", '${self.id != ""}'),
      "values that the service sets",
    ],
    [
      "because it has no message",
      webhooks({ crm: hook({ lifecycle: { precondition: [{ condition: "${true}" }] } }) }),
      "has no error_message",
    ],
    [
      "because it has another argument",
      stage([{ ...rule("${var.stage != null}"), message: "x" }]),
      '"validation.message" is not a known argument',
    ],
    [
      "because a check has a data source",
      { check: { up: { data: { outreach_campaigns: { all: {} } }, assert: [rule("${true}")] } } },
      "a data source in a check",
    ],
    ["because a check has no assert", { check: { up: {} } }, "The check up has no assert."],
  ])("%s", async (_name, parts, words) => {
    const { diagnostics, text } = await checkStack(parts);
    expect(diagnostics.filter(({ severity }) => severity === "error")).not.toEqual([]);
    expect(text).toContain(words);
  });
});

describeWithTerraform("the same conditions fail in Terraform, with the same messages", () => {
  const CONDITIONS = [
    "${var.list != null}",
    "${var.list == null}",
    "${tostring(var.list != null)}",
    "${1 < length(var.list)}",
    "${length(var.list) == 3}",
    '${try(var.list[5], "none") != "none"}',
    '${contains([for one in var.list : one == "b"], true)}',
    '${!contains([for one in var.list : one != "b"], false)}',
  ];
  const LIST = { list: { type: "list(string)", default: ["a", "b"] } };

  test("in checks and outputs", async () => {
    const check = Object.fromEntries(
      CONDITIONS.map((condition, index) => [
        `c${String(index)}`,
        { assert: rule(condition, `c${String(index)} of \${length(var.list)}`) },
      ]),
    );
    const output = {
      held: { value: 1, precondition: rule("${var.list != null}") },
      failed: { value: 1, precondition: [rule("${var.list == null}", "An output.")] },
    };
    const { here, there } = await failures({ variable: LIST, check, output });
    expect(here).toEqual([
      "error: An output.",
      "warning: c1 of 2",
      "warning: c4 of 2",
      "warning: c5 of 2",
      "warning: c7 of 2",
    ]);
    expect(there).toEqual(here);
  });

  test("in variables, with their own values and others'", async () => {
    const own = (condition: string, index: number): readonly [string, Json] => [
      `v${String(index)}`,
      {
        default: "b",
        validation: [
          rule(
            `\${var.v${String(index)} == "b" && ${condition.replace(/^\$\{(.*)\}$/, "$1")}}`,
            `v${String(index)}: \${var.v${String(index)}}`,
          ),
        ],
      },
    ];
    const { here, there } = await failures({ variable: { ...LIST, ...Object.fromEntries(CONDITIONS.map(own)) } });
    expect(here).toEqual(["error: v1: b", "error: v4: b", "error: v5: b", "error: v7: b"]);
    expect(there).toEqual(here);
  });

  async function failures(
    stack: Json,
  ): Promise<{ readonly here: readonly string[]; readonly there: readonly string[] }> {
    const { diagnostics } = await checkStack(stack);
    const told = (severity: string, detail: string): string =>
      `${severity}: ${detail.split("\n\nThis was checked by")[0] ?? ""}`;
    return {
      here: diagnostics.map(({ severity, detail }) => told(severity, detail)).toSorted(),
      there: terraformPlan(stack)
        .map(({ severity, detail }) => told(severity, detail))
        .toSorted(),
    };
  }
});
