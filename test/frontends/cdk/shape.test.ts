import { describe, expect, test } from "vitest";
import { checkConfiguration } from "../yaml/check-configuration.ts";
import { checkStack } from "./check-stack.ts";
import { type Json, from, stackOf, webhooks } from "./stack.ts";

const FILE = "hooks/cdk.tf.json";
const hook = (rest: Json = {}): Json => ({
  ...from("app/hooks/crm"),
  target_url: "https://crm.example.com/hook",
  ...rest,
});

const checkText = (text: string) => checkConfiguration("", { files: { [FILE]: text }, config: "hooks" });

describe("no part of a stack is lost because of its notation", () => {
  const webhook = '{"target_url": "https://crm.example.com/hook"}';
  test.each([
    [
      "a part",
      `{"resource": {"outreach_webhook": {"a": ${webhook}}},\n "resource": {}}`,
      '"resource" appears twice, and only one',
      "2:2",
    ],
    [
      "a type",
      `{"resource": {"outreach_webhook": {"a": ${webhook}}, "outreach_webhook": {}}}`,
      '"outreach_webhook" appears twice in resource,',
      "1:90",
    ],
    [
      "a webhook",
      `{"resource": {"outreach_webhook": {"a": ${webhook}, "a": ${webhook}}}}`,
      '"a" appears twice in resource.outreach_webhook,',
      "1:89",
    ],
    [
      "an argument",
      `{"locals": [{"x": 1}, {"a\\"b": {"c": [], "\\u0063": "}"}}]}`,
      '"c" appears twice in locals.1.a"b,',
      "1:42",
    ],
  ])("%s that appears twice", async (_name, text, words, at) => {
    const checked = await checkText(text);
    expect(checked.diagnostics).toMatchObject([{ code: "stack_invalid" }]);
    expect(checked.text).toContain(words);
    expect(checked.text).toContain(`${FILE}:${at}`);
  });

  test.each([
    [
      "the same key in several objects",
      '{"locals": {"a": {"x": 1}, "b": {"x": {"x": [{"x": 1}, {"x": 2}]}}, "c": "\\\\\\"{a,a}"}}',
    ],
    ["comments", `{"//": 1, "//": ${"[".repeat(300)}${"]".repeat(300)}, "locals": {"//": 1, "//": 2}}`],
    [
      "numbers without loss",
      '{"locals": {"a": [9007199254740992, 1000000000000000000, -1.5e-10, 0.30000000000000004]}}',
    ],
    ["equal-looking texts with different keys", '{"locals": {"a": {"e": 1, "\u00e9": 2}}}'],
  ])("but not %s", async (_name, text) => {
    expect((await checkText(text)).diagnostics).toEqual([]);
  });

  test("digits of a number", async () => {
    const { text } = await checkText('{"locals": {"id": 9007199254740993}}');
    expect(text).toContain("9007199254740993 has more digits than a number can hold.");
    expect(text).toContain(`${FILE}:1:19`);
  });

  test("an equal-looking key", async () => {
    expect((await checkText('{"locals": {"a": {"e\\u0301": 1, "\u00e9": 2}}}')).text).toContain(
      '"\u00e9" appears twice in locals.a,',
    );
  });

  test.each([
    ["lists", `{"locals": {"a": ${"[".repeat(5000)}${"]".repeat(5000)}}}`],
    ["objects", `{"locals": ${'{"a":'.repeat(1000)}1${"}".repeat(1000)}}`],
  ])("%s nested too deeply", async (_name, text) => {
    expect((await checkText(text)).text).toContain("nested more than 200 levels deep");
  });

  test("invalid JSON is not quoted", async () => {
    const { text } = await checkText('{"secret": hunter2}');
    expect(text).toContain("is not JSON");
    expect(text).not.toContain("hunter2");
  });

  test.each<readonly [string, Json, string]>([
    [
      "a count without a value",
      webhooks({ crm: hook({ count: null }) }),
      "a whole number of at least 0, but it is null",
    ],
    [
      "for_each without a value",
      webhooks({ crm: hook({ for_each: null }) }),
      "a map or a set of strings, but it is null",
    ],
    [
      "a lifecycle in two pieces",
      webhooks({ crm: hook({ lifecycle: [{ prevent_destroy: true }, { create_before_destroy: true }] }) }),
      "more than once",
    ],
    [
      "a lifecycle that is not an object",
      webhooks({ crm: hook({ lifecycle: "prevent_destroy" }) }),
      "lifecycle is not a JSON object",
    ],
    [
      "prevent_destroy without a value",
      webhooks({ crm: hook({ lifecycle: { prevent_destroy: null } }) }),
      "must be true or false",
    ],
    ["an unknown argument without a value", webhooks({ crm: hook({ secrets: null }) }), "Did you mean secret?"],
    [
      "an unknown part of a lifecycle without a value",
      webhooks({ crm: hook({ lifecycle: { prevent: null } }) }),
      '"lifecycle.prevent" is not a known argument',
    ],
    [
      "ignore_changes as text",
      webhooks({ crm: hook({ lifecycle: { ignore_changes: "type" } }) }),
      "a list of attributes, or the word all",
    ],
    [
      "all in a list",
      webhooks({ crm: hook({ lifecycle: { ignore_changes: ["all"] } }) }),
      'ignore_changes contains "all"',
    ],
    ["a wildcard", webhooks({ crm: hook({ lifecycle: { ignore_changes: ["*"] } }) }), 'ignore_changes contains "*"'],
    [
      "a setting of YAML",
      webhooks({ crm: hook({ lifecycle: { ignore_changes: ["protect"] } }) }),
      'ignore_changes contains "protect"',
    ],
    [
      "a variable that is sensitive by an expression",
      { variable: { v: { sensitive: "${true}" } } },
      "sensitive must be true or false, without an expression.",
    ],
    [
      "a variable that is sensitive by another word",
      { variable: { v: { sensitive: "yes", default: "" } } },
      "sensitive must be true or false",
    ],
    [
      "an output that is sensitive by a number",
      { output: { o: { value: "x", sensitive: 1 } } },
      "sensitive must be true or false",
    ],
    [
      "nullable by an expression",
      { variable: { v: { nullable: "${false}", default: "" } } },
      "nullable must be true or false",
    ],
    [
      "an unknown argument of a variable",
      { variable: { v: { defualt: false, default: "" } } },
      '"defualt" is not a known argument',
    ],
    ["a type without a value", { variable: { v: { type: null, default: "" } } }, "The type must be a string."],
    [
      "an unknown argument of an output",
      { output: { o: { value: 1, type: "string" } } },
      '"type" is not a known argument',
    ],
    [
      "an output that depends on a missing resource",
      { output: { o: { value: 1, depends_on: ["outreach_webhook.a"] } } },
      "which this stack does not declare",
    ],
    ["a webhook with an invalid name", webhooks({ "a b": hook() }), '"a b" is not a valid name'],
    ["a webhook without a name", webhooks({ "": hook() }), '"" is not a valid name'],
    ["a data source with an invalid name", { data: { outreach_webhooks: { "1": {} } } }, '"1" is not a valid name'],
    ["a local with an invalid name", { locals: { "a.b": 1 } }, '"a.b" is not a valid name'],
    ["an output with an invalid name", { output: { "a b": { value: 1 } } }, '"a b" is not a valid name'],
    [
      "a variable with a reserved name",
      { variable: { count: { default: 1 } } },
      "A variable cannot have the name count",
    ],
    ["a variable twice", { variable: [{ a: { default: 1 } }, { a: { default: 2 } }] }, "var.a is declared twice."],
    ["a local twice", { locals: [{ a: 1 }, { a: 2 }] }, "local.a is declared twice."],
    ["an output twice", { output: [{ a: { value: 1 } }, { a: { value: 2 } }] }, "output.a is declared twice."],
    [
      "a dependency as text",
      webhooks({ crm: hook({ depends_on: "outreach_webhook.b" }), b: hook({ type: "emailsSent" }) }),
      "depends_on must be a list",
    ],
    [
      "a dependency on an attribute",
      webhooks({ crm: hook({ depends_on: ["outreach_webhook.b.id"] }), b: hook({ type: "emailsSent" }) }),
      "Did you mean outreach_webhook.b?",
    ],
    [
      "a key that becomes the same",
      { locals: { k: "a", m: { a: 1, "${local.k}": 2 } } },
      "Two keys of this map are the same",
    ],
    [
      "an optional attribute with too much",
      { variable: { v: { type: 'object({a=optional(string, "", "")})', default: {} } } },
      "optional takes a type and, if needed, a default",
    ],
    [
      "a move by an expression",
      { ...webhooks({ b: hook() }), moved: [{ from: 'outreach_webhook.a["${x}"]', to: "outreach_webhook.b" }] },
      "is an expression",
    ],
    ["a provider by a number", webhooks({ crm: hook({ provider: 1 }) }), "1 is not a provider."],
    ["a provider by nothing", webhooks({ crm: hook({ provider: null }) }), "null is not a provider."],
    [
      "a provider by too much",
      webhooks({ crm: hook({ provider: "outreach.a.b" }) }),
      '"outreach.a.b" is not a provider.',
    ],
    ["an alias without letters", { provider: { outreach: [{}, { alias: "" }] } }, '"" is not a valid alias.'],
    ["an unknown setting", { terraform: { required_provider: {} } }, "Did you mean required_providers?"],
    ["settings that are not an object", { terraform: "x" }, "is not a JSON object"],
    [
      "a removal by another word",
      { removed: [{ from: "outreach_webhook.a", lifecycle: { destroy: "no" } }] },
      "lifecycle.destroy must be true or false",
    ],
    [
      "a removal with an unknown word",
      { removed: [{ from: "outreach_webhook.a", lifecycle: { destory: false } }] },
      '"lifecycle.destory" is not a known argument',
    ],
    [
      "a removal that is not an object",
      { removed: [{ from: "outreach_webhook.a", lifecycle: false }] },
      "lifecycle is not a JSON object",
    ],
  ])("%s", async (_name, parts, words) => {
    const { diagnostics, text } = await checkStack(parts, { environment: { TF_VAR_v: "x" } });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
    expect(text).toContain(words);
  });

  test.each<readonly [string, Json]>([
    [
      "lists of one, and words for true and false",
      webhooks({ crm: hook({ lifecycle: [[{ prevent_destroy: "true", "//": "why" }]], type: null }) }),
    ],
    [
      "a dependency on an instance",
      webhooks({
        crm: hook({ type: "emailsReplied", depends_on: ["outreach_webhook.b[0]"] }),
        b: hook({ count: 1, type: "emailsSent" }),
      }),
    ],
    ["no lifecycle", webhooks({ crm: hook({ lifecycle: [] }) })],
    [
      "a variable that is not ephemeral",
      { variable: { v: { ephemeral: false, sensitive: "false", nullable: "true" } } },
    ],
    [
      "our provider from a private registry",
      { terraform: { required_providers: { outreach: { source: "registry.example.com/outreach-as-code/outreach" } } } },
    ],
  ])("but %s work as in Terraform", async (_name, parts) => {
    expect((await checkStack(parts, { environment: { TF_VAR_v: "x" } })).diagnostics).toEqual([]);
  });

  test("another provider with our name requires Terraform", async () => {
    const { text } = await checkStack({
      terraform: { required_providers: { outreach: { source: "somebody/outreach", version: "1.0" } } },
    });
    expect(text).toContain(
      "This stack has the provider somebody/outreach under the name outreach, which requires Terraform",
    );
  });
});

describe("files that Terraform would also read are reported", () => {
  const checkedWith = (name: string) =>
    checkConfiguration("", {
      files: { [FILE]: stackOf(webhooks({ crm: hook() })), [`hooks/${name}`]: "" },
      config: "hooks",
    });

  test.each([
    "main.tf",
    "extra.tf.json",
    "terraform.tfvars",
    "terraform.tfvars.json",
    "team.auto.tfvars",
    "team.auto.tfvars.json",
  ])("%s", async (name) => {
    const { diagnostics, text } = await checkedWith(name);
    expect(diagnostics).toMatchObject([{ code: "stack_unsupported", place: { file: `hooks/${name}` } }]);
    expect(text).toContain(`the additional file ${name}`);
  });

  test.each([".terraform.lock.hcl", "team.tfvars", ".main.tf", "terraform.tfstate", "main.tf.bak"])(
    "but %s is not",
    async (name) => {
      expect((await checkedWith(name)).diagnostics).toEqual([]);
    },
  );

  test("even if the file itself is given", async () => {
    const { diagnostics } = await checkConfiguration("", {
      files: { [FILE]: stackOf({}), "hooks/main.tf": "" },
      config: FILE,
    });
    expect(diagnostics).toMatchObject([{ code: "stack_unsupported", place: { file: "hooks/main.tf" } }]);
  });

  test("a configuration in YAML in the folder of a stack", async () => {
    const { diagnostics } = await checkedWith("outreach.yaml");
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "config_beside_stack", place: { file: "hooks/outreach.yaml" } },
    ]);
  });

  test.each(["hooks/main.tf.json", "hooks/main.tf", "hooks/mycdk.tf.json"])(
    "%s is neither a stack nor YAML",
    async (config) => {
      await expect(checkConfiguration("", { files: { [config]: "{}" }, config })).rejects.toThrow(
        `${config} is a Terraform file.`,
      );
    },
  );
});
