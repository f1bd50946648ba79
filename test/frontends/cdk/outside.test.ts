import { describe, expect, test } from "vitest";
import { checkStack } from "./check-stack.ts";
import { type Json, from, webhooks } from "./stack.ts";

const hook = (rest: Json = {}): Json => ({
  ...from("app/hooks/crm"),
  target_url: "https://crm.example.com/hook",
  ...rest,
});
const AT = "construct app/hooks/crm";
const WITH_TERRAFORM = "Run this stack with Terraform and the outreach provider; it declares the same webhooks.";

describe("features of Terraform are reported with the construct, the reason and a hint", () => {
  test.each<readonly [string, Json, string, string, string]>([
    [
      "another provider's resource",
      { resource: { aws_s3_bucket: { b: from("app/bucket") } } },
      "app/bucket",
      "the resource type aws_s3_bucket",
      "another provider",
    ],
    [
      "another provider's data source",
      { data: { http: { b: from("app/http") } } },
      "app/http",
      "the data source type http",
      "another provider",
    ],
    [
      "another provider",
      { provider: { aws: [{ region: "x" }] } },
      "provider.aws",
      "the provider aws",
      "not the outreach provider",
    ],
    [
      "a resource of another provider's configuration",
      webhooks({ crm: hook({ provider: "aws.eu" }) }),
      "app/hooks/crm",
      "the provider aws.eu",
      "not the outreach provider",
    ],
    [
      "a module",
      { module: { net: { ...from("app/net"), source: "./net" } } },
      "app/net",
      "a module",
      "downloads and reads modules",
    ],
    [
      "an ephemeral resource",
      { ephemeral: { random: { p: from("app/p") } } },
      "app/p",
      "an ephemeral resource",
      "exist only during a run",
    ],
    [
      "a provisioner",
      webhooks({ crm: hook({ provisioner: [{ "local-exec": { command: "x" } }] }) }),
      "app/hooks/crm",
      "the block provisioner",
      "runs programs",
    ],
    [
      "a connection",
      webhooks({ crm: hook({ connection: { host: "x" } }) }),
      "app/hooks/crm",
      "the block connection",
      "provisioners",
    ],
    [
      "a dynamic block",
      webhooks({ crm: hook({ dynamic: {} }) }),
      "app/hooks/crm",
      "the block dynamic",
      "no nested blocks",
    ],
    ...["replace_triggered_by", "action_trigger"].map(
      (name) =>
        [
          name,
          webhooks({ crm: hook({ lifecycle: { [name]: [] } }) }),
          "app/hooks/crm",
          `lifecycle.${name}`,
          "",
        ] as const,
    ),
    [
      "an ephemeral variable",
      { variable: { v: { ...from("app/v"), default: "a", ephemeral: true } } },
      "app/v",
      "ephemeral",
      "exist only during a run",
    ],
    [
      "an import of many",
      { import: [{ to: "outreach_webhook.a", id: "x", for_each: [] }] },
      "import outreach_webhook.a",
      "import with for_each",
      "per block",
    ],
    [
      "a move out of a module",
      { moved: [{ from: "module.m.outreach_webhook.a", to: "outreach_webhook.b" }] },
      "moved module.m.outreach_webhook.a",
      "module.m",
      "modules",
    ],
    [
      "a removal with a program",
      { removed: [{ from: "outreach_webhook.a", provisioner: {} }] },
      "removed outreach_webhook.a",
      "removed with provisioner",
      "runs programs",
    ],
    [
      "a data source that waits for a resource",
      {
        ...webhooks({ crm: hook() }),
        data: { outreach_webhooks: { all: { ...from("app/all"), depends_on: ["outreach_webhook.crm"] } } },
      },
      "app/all",
      "depends on a resource",
      "only after the apply",
    ],
    [
      "a dependency on a module",
      webhooks({ crm: hook({ depends_on: ["module.m"] }) }),
      "app/hooks/crm",
      "a dependency on module.m",
      "modules",
    ],
  ])("%s", async (_name, parts, construct, what, why) => {
    const { text } = await checkStack(parts);
    expect(text).toContain("Error: Requires Terraform");
    expect(text).toContain(`on hooks/cdk.tf.json, construct ${construct}`);
    expect(text).toContain(what);
    expect(text).toContain(why);
    expect(text).toContain(WITH_TERRAFORM);
  });

  test.each<readonly [string, Json]>([
    [
      "the id of another resource",
      webhooks({
        crm: hook({ automation_id: "${outreach_webhook.b.id}" }),
        b: hook({ target_url: "https://b.example.com" }),
      }),
    ],
    [
      "a whole resource with its id",
      webhooks({
        crm: hook({ automation_id: "${jsonencode(outreach_webhook.b)}" }),
        b: hook({ target_url: "https://b.example.com" }),
      }),
    ],
    [
      "an id through a local",
      {
        locals: { id: "${outreach_webhook.b.id}" },
        ...webhooks({ crm: hook({ automation_id: "${local.id}" }), b: hook({ target_url: "https://b.example.com" }) }),
      },
    ],
    [
      "a count from an id",
      webhooks({
        crm: hook({ count: "${length(outreach_webhook.b.id)}" }),
        b: hook({ target_url: "https://b.example.com" }),
      }),
    ],
  ])("%s is known only after apply", async (_name, parts) => {
    const { diagnostics, text } = await checkStack(parts);
    expect(diagnostics).toMatchObject([{ code: "known_after_apply", place: { construct: "app/hooks/crm" } }]);
    expect(text).toContain("use Terraform");
  });

  test("an unknown function gets a hint to use Terraform", async () => {
    const { text } = await checkStack(webhooks({ crm: hook({ target_url: '${templatefile("url.tpl", {})}' }) }));
    expect(text).toContain("Error: Call to unknown function");
    expect(text).toContain(WITH_TERRAFORM);
  });

  test("but outputs can wait for the service's values, even through a local", async () => {
    const { diagnostics } = await checkStack({
      ...webhooks({ crm: hook() }),
      locals: { id: "${outreach_webhook.crm.id}" },
      output: { a: { value: "${local.id}" }, b: { value: "${outreach_webhook.crm}", sensitive: true } },
    });
    expect(diagnostics).toEqual([]);
  });
});

describe("an error in an expression is shown in its text, with a caret", () => {
  test.each<readonly [string, Json, string]>([
    [
      "an undeclared variable",
      webhooks({ crm: hook({ target_url: "https://crm.example.com/${var.stge}/hook" }) }),
      `  on hooks/cdk.tf.json, ${AT}, in outreach_webhook.crm
  target_url | https://crm.example.com/\${var.stge}/hook
             |                           ^
`,
    ],
    [
      "in a list",
      { data: { outreach_campaigns: { live: { ...from("app/live"), labels: ["a", "b-${1 +}"] } } } },
      `  on hooks/cdk.tf.json, construct app/live, in data.outreach_campaigns.live
  labels[1] | b-\${1 +}
            |        ^
`,
    ],
    [
      "in a local",
      { locals: { base: "x${upper(1, 2)}" } },
      `  on hooks/cdk.tf.json, construct local.base
  base | x\${upper(1, 2)}
       |    ^
`,
    ],
    [
      "in a map of an output",
      { output: { o: { value: { k: "${nope}" } } } },
      `  on hooks/cdk.tf.json, construct output.o, in output.o
  value.k | \${nope}
          |   ^
`,
    ],
    [
      "far along in a long text",
      webhooks({
        crm: hook({ target_url: `https://crm.example.com/${"a".repeat(100)}\${file("x")}${"b".repeat(100)}` }),
      }),
      `  target_url | …${"a".repeat(58)}\${file("x")}${"b".repeat(50)}…
             | ${" ".repeat(61)}^
`,
    ],
    [
      "in one of several lines",
      webhooks({ crm: hook({ target_url: '${join("", [\n  "https://a.example.com",\n  var.x,\n])}' }) }),
      `  target_url |   var.x,
             |   ^
`,
    ],
    [
      "in for_each",
      webhooks({ crm: hook({ for_each: "${toset(var.x)}", target_url: "https://x.example.com/${each.key}" }) }),
      `  for_each | \${toset(var.x)}
           |         ^
`,
    ],
  ])("%s", async (_name, parts, expected) => {
    const { text } = await checkStack(parts);
    expect(text.replace(/\n\n {2}on/, "\n  on")).toContain(expected);
  });

  test("the text of a secret is not shown", async () => {
    const { text } = await checkStack({ ...webhooks({ crm: hook({ secret: "half-of-it-${var.nope}" }) }) });
    expect(text).toContain("The configuration does not declare the variable nope");
    expect(text).not.toContain("half-of-it");
  });
});

describe("Terraform's errors are errors here too", () => {
  test.each<readonly [string, Json, string]>([
    ["for_each over a list", webhooks({ crm: hook({ for_each: ["a"] }) }), "Convert the list with toset."],
    ["for_each over numbers", webhooks({ crm: hook({ for_each: "${toset([1])}" }) }), "this set contains a number"],
    ["for_each over text", webhooks({ crm: hook({ for_each: "a" }) }), "a map or a set of strings, but it is text"],
    [
      "for_each over null in a set",
      webhooks({ crm: hook({ for_each: '${toset(["a", null])}' }) }),
      "this set contains null",
    ],
    ["a negative count", webhooks({ crm: hook({ count: -1 }) }), "a whole number of at least 0, but it is -1"],
    ["half a count", webhooks({ crm: hook({ count: 0.5 }) }), "a whole number"],
    ["count of text", webhooks({ crm: hook({ count: "x" }) }), "a whole number of at least 0, but it is text"],
    ["an enormous count", webhooks({ crm: hook({ count: 10_000_000 }) }), "more than 100000 instances"],
    [
      "count and for_each",
      webhooks({ crm: hook({ count: 1, for_each: {} }) }),
      "Invalid combination of count and for_each",
    ],
    [
      "sensitive keys",
      {
        variable: { s: { sensitive: true, type: "set(string)" } },
        ...webhooks({ crm: hook({ for_each: "${var.s}" }) }),
      },
      "printed everywhere",
    ],
    [
      "keys of a sensitive map",
      { locals: { s: '${sensitive({ a = "emailsSent" })}' }, ...webhooks({ crm: hook({ for_each: "${local.s}" }) }) },
      "printed everywhere",
    ],
    [
      "a map key from a sensitive value",
      {
        variable: { s: { sensitive: true, type: "string" } },
        ...webhooks({ crm: hook({ for_each: { "${var.s}": "emailsSent" } }) }),
      },
      "printed everywhere",
    ],
    [
      "a sensitive count",
      { variable: { s: { sensitive: true, type: "number" } }, ...webhooks({ crm: hook({ count: "${var.s}" }) }) },
      "printed everywhere",
    ],
    [
      "an error in a block without instances",
      webhooks({ crm: hook({ count: 0, type: "emailsSnt" }) }),
      "Did you mean emailsSent?",
    ],
    [
      "an error in a block with unknown instances",
      {
        data: { outreach_campaigns: { live: { ...from("app/live"), status: "running" } } },
        ...webhooks({
          crm: hook({ for_each: "${toset(data.outreach_campaigns.live.ids)}", campaign_id: "${each.kye}" }),
        }),
      },
      "each only has each.key and each.value.",
    ],
    [
      "each without for_each",
      webhooks({ crm: hook({ type: "${each.key}" }) }),
      "each is only available inside a block with for_each",
    ],
    [
      "count without count",
      webhooks({ crm: hook({ type: "${count.index}" }) }),
      "count is only available inside a block with count",
    ],
    [
      "a cycle of locals",
      { locals: { a: "${local.b}", b: "${local.a}", c: "${local.a}" } },
      "local.a → local.b → local.a",
    ],
    ["a local that refers to itself", { locals: { a: "${local.a}" } }, "local.a → local.a"],
    [
      "a resource that refers to itself",
      webhooks({ crm: hook({ type: "${outreach_webhook.crm.type}" }) }),
      "outreach_webhook.crm → outreach_webhook.crm",
    ],
    [
      "a cycle through depends_on",
      webhooks({
        crm: hook({ depends_on: ["outreach_webhook.b"] }),
        b: hook({ target_url: "${outreach_webhook.crm.target_url}" }),
      }),
      "outreach_webhook.b",
    ],
    [
      "a dependency on nothing",
      webhooks({ crm: hook({ depends_on: ["outreach_webhook.crn"] }), crx: hook() }),
      "Did you mean outreach_webhook.cr",
    ],
    [
      "a missing instance",
      webhooks({ crm: hook({ count: 1 }), b: hook({ type: "${outreach_webhook.crm[1].type}" }) }),
      "Write outreach_webhook.crm[0].",
    ],
    [
      "an undeclared resource",
      webhooks({ crm: hook({ type: "${outreach_webhook.crn.type}" }), crn2: hook() }),
      "The configuration does not declare outreach_webhook.crn.",
    ],
    [
      "an unknown alias",
      webhooks({ crm: hook({ provider: "outreach.eu" }) }),
      "This stack does not declare the provider outreach.eu.",
    ],
    [
      "the same provider twice",
      { provider: { outreach: [{}, {}] }, ...webhooks({ crm: hook() }) },
      "outreach is configured twice",
    ],
    [
      "a flag of a provider that is neither true nor false",
      { provider: { outreach: [{ unique_target_url: "x" }] } },
      "unique_target_url is not true or false.",
    ],
    ["an unknown argument of a provider", { provider: { outreach: [{ base_uri: "x" }] } }, "Did you mean base_url?"],
    ["an unknown type", { variable: { v: { type: "list(strng)", default: [] } } }, "The type strng does not exist"],
    [
      "a default of another type",
      { variable: { v: { type: "list(string)", default: "x" } } },
      "It must be a list, but is text.",
    ],
    [
      "a default that lacks an attribute",
      { variable: { v: { type: "object({a = string})", default: {} } } },
      "It.a is missing.",
    ],
    ["a default with a reference", { variable: { v: { default: "${var.w}" } } }, "a default must be a literal value"],
    [
      "null for a variable that is not nullable",
      { variable: { v: { default: null, nullable: false, type: "string" } } },
      "It must not be null.",
    ],
    [
      "ignore_changes of nothing",
      webhooks({ crm: hook({ lifecycle: { ignore_changes: ["target_ur"] } }) }),
      "Did you mean target_url?",
    ],
    [
      "a lifecycle by an expression",
      webhooks({ crm: hook({ lifecycle: { prevent_destroy: "${true}" } }) }),
      "lifecycle.prevent_destroy must be true or false, without an expression.",
    ],
    [
      "an unknown part of a lifecycle",
      webhooks({ crm: hook({ lifecycle: { prevent_destory: true } }) }),
      "Did you mean prevent_destroy?",
    ],
    [
      "a lifecycle twice",
      webhooks({ crm: hook({ lifecycle: [{ prevent_destroy: true }, { create_before_destroy: true }] }) }),
      "lifecycle appears more than once.",
    ],
    [
      "a lifecycle that is text",
      webhooks({ crm: hook({ lifecycle: "prevent_destroy" }) }),
      "lifecycle is not a JSON object.",
    ],
    [
      "depends_on without a list",
      webhooks({ crm: hook({ depends_on: "outreach_webhook.other" }) }),
      "depends_on must be a list of block names, without expressions.",
    ],
    [
      "depends_on with a number",
      webhooks({ crm: hook({ depends_on: [5] }) }),
      "depends_on must be a list of block names, without expressions.",
    ],
    ["an invalid provider name", webhooks({ crm: hook({ provider: 5 }) }), "5 is not a provider."],
    [
      "a removal with an expression for destroy",
      { removed: [{ from: "outreach_webhook.old", lifecycle: { destroy: "${false}" } }] },
      "lifecycle.destroy must be true or false, without an expression.",
    ],
    [
      "an unknown part of a removal's lifecycle",
      { removed: [{ from: "outreach_webhook.old", lifecycle: { destory: false } }] },
      "Did you mean destroy?",
    ],
    [
      "a removal with two lifecycles",
      { removed: [{ from: "outreach_webhook.old", lifecycle: [{ destroy: false }, { destroy: false }] }] },
      "lifecycle appears more than once.",
    ],
    ["an output without a value", { output: { o: {} } }, "The output o has no value."],
    [
      "an import to nothing",
      { import: [{ to: "outreach_webhook.a", id: "hoo_1" }] },
      "The configuration does not declare outreach_webhook.a.",
    ],
    [
      "an import without an id",
      { ...webhooks({ a: hook() }), import: [{ to: "outreach_webhook.a" }] },
      "This import block has no id.",
    ],
    [
      "a move of a declared block",
      { ...webhooks({ a: hook(), b: hook() }), moved: [{ from: "outreach_webhook.a", to: "outreach_webhook.b" }] },
      "still",
    ],
    [
      "a removal of a declared block",
      { ...webhooks({ a: hook() }), removed: [{ from: "outreach_webhook.a" }] },
      "Removed resource still exists",
    ],
    [
      "invalid blocks",
      { resource: { outreach_webhook: { crm: "x" } } },
      "This block outreach_webhook crm is not a JSON object.",
    ],
    ["an unknown part", { resources: {} }, '"resources" is not a known part of a stack'],
    [
      "the same block twice",
      { resource: [webhooks({ crm: hook() })["resource"], webhooks({ crm: hook() })["resource"]] },
      "outreach_webhook.crm is declared twice.",
    ],
  ])("%s", async (_name, parts, words) => {
    const { diagnostics, text } = await checkStack(parts, { environment: { TF_VAR_s: sensitive(parts) } });
    expect(diagnostics.filter(({ severity }) => severity === "error")).not.toEqual([]);
    expect(text).toContain(words);
  });

  const sensitive = (parts: Json): string => (JSON.stringify(parts).includes("set(string)") ? '["a"]' : "3");
  test.each([
    ["number", "x", "It must be a number, but is text."],
    ["list(number)", '["x"]', "It[0] must be a number, but is text."],
    ["map(bool)", "{a = 3}", 'It["a"] must be true or false, but is a number.'],
    ["list(string)", "a b", "It is not a value in Terraform's syntax"],
    ["any", "word", "word is a reference, but this must be a value."],
    ["tuple([string])", "[]", "It must be a list of 1, but is a list."],
  ])("a value that does not fit %s: %s", async (type, value, words) => {
    const { text } = await checkStack(
      { variable: { v: { ...from("app/v"), type } } },
      { environment: { TF_VAR_v: value } },
    );
    expect(text).toContain(
      "Error: Invalid value for variable [variable_invalid]\n\n  on hooks/cdk.tf.json, construct app/v\n",
    );
    expect(text).toContain(words);
  });
});

describe("values that look like a secret in plain text, but are not", () => {
  const given = { environment: { TF_VAR_s: "from-outside", TF_VAR_all: '{ a = "one-from-outside" }' } };
  const variable = { s: { sensitive: true, type: "string" }, all: { sensitive: true, type: "map(string)" } };
  test.each<readonly [string, string, Json]>([
    ["one in nonsensitive()", "${nonsensitive(var.s)}", {}],
    ["the same through a local", "${local.s}", { locals: { s: "${nonsensitive(var.s)}" } }],
    ["one that is a part of the text", "abc-${var.s}", {}],
    ["one of several", '${var.all["a"]}', {}],
    ["none, after all", '${var.s == "" ? var.s : null}', {}],
    ["another resource's", "${outreach_webhook.other.secret}", {}],
  ])("%s", async (_name, secret, rest) => {
    const { diagnostics } = await checkStack(
      {
        variable,
        ...rest,
        ...webhooks({
          crm: hook({ secret }),
          other: hook({ target_url: "https://other.example.com", secret: "${var.s}" }),
        }),
      },
      given,
    );
    expect(diagnostics).toEqual([]);
  });

  test.each<readonly [string, string, Json]>([
    ["a local", "${local.s}", { locals: { s: "plain-text" } }],
    ["a variable that is not sensitive", "${var.open}", {}],
    ["an expression without any variable", '${upper("plain-text")}', {}],
    ["an attribute of another resource", "${outreach_webhook.other.target_url}", {}],
  ])("but %s is one", async (_name, secret, rest) => {
    const { diagnostics } = await checkStack(
      {
        variable: { ...variable, open: { default: "plain-text" } },
        ...rest,
        ...webhooks({ crm: hook({ secret }), other: hook({ target_url: "https://other.example.com" }) }),
      },
      given,
    );
    expect(diagnostics).toMatchObject([{ code: "secret_literal" }]);
  });
});

test("a missing instance is an error, even after a reference to the whole block", async () => {
  const { text } = await checkStack({
    ...webhooks({ crm: hook({ count: 2, target_url: "https://crm.example.com/${count.index}" }) }),
    output: { all: { value: "${outreach_webhook.crm[*].type}" }, third: { value: "${outreach_webhook.crm[2].type}" } },
  });
  expect(text).toContain("outreach_webhook.crm has no instance outreach_webhook.crm[2].");
});

test("a value that depends on an error is not reported as known only after apply", async () => {
  const { diagnostics } = await checkStack(
    webhooks({
      crm: hook({ for_each: "${toset([for i in range(2) : nothing(i)])}" }),
      other: hook({ for_each: "${outreach_webhook.crm}" }),
    }),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["function_unknown"]);
});

test("a backend other than local is reported as unused", async () => {
  const { diagnostics } = await checkStack({ terraform: { backend: { s3: { bucket: "b" } } } });
  expect(diagnostics).toMatchObject([{ severity: "note", code: "backend_ignored" }]);
});
