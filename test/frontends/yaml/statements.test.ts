import { describe, expect, test } from "vitest";
import { type Given, checkConfiguration } from "./check-configuration.ts";

/** Line 1 and 2 are the version and the statements' section, whose items begin at line 3. */
const HOOKS = `webhooks:
  crm: { target_url: https://crm.example.com/hooks }
  audit: { target_url: https://audit.example.com, types: [emailsSent, emailsBounced] }
lead_unsubscriptions:
  gone: { campaign_id: cam_000001, emails: [ada@example.com] }
`;

/** `[line, column, summary, part of the hint]`. */
type Expected = readonly [line: number, column: number, summary: string, hint: string];
type Row = readonly [
  rule: string,
  items: readonly string[],
  expected: readonly Expected[],
  given?: Given & { readonly head?: string },
];

const rows: { readonly [section: string]: readonly Row[] } = {
  moved: [
    [
      "may name a block, an instance, and what was never there",
      [
        "{ from: outreach_webhook.old, to: outreach_webhook.crm }",
        "{ from: outreach_webhook.sent, to: 'outreach_webhook.audit[\"emailsSent\"]' }",
      ],
      [],
    ],
    [
      "must not name a block that is still declared",
      ["{ from: outreach_webhook.crm, to: outreach_webhook.new }"],
      [[3, 13, "Moved object still exists", "Declare it as outreach_webhook.new instead"]],
    ],
    [
      "must not name an instance that is still declared",
      ["{ from: 'outreach_webhook.audit[\"emailsSent\"]', to: outreach_webhook.new }"],
      [[3, 13, "Moved object still exists", "Declare it as outreach_webhook.new"]],
    ],
    [
      "must lead somewhere else",
      ["{ from: outreach_webhook.old, to: outreach_webhook.old }"],
      [[3, 39, "Redundant move statement", "Remove the statement"]],
    ],
    [
      "must stay of the same type",
      ["{ from: outreach_webhook.old, to: outreach_lead_unsubscription.gone }"],
      [[3, 39, "Resource type mismatch", "same type"]],
    ],
    [
      "must lead to one place",
      ["{ from: outreach_webhook.a, to: outreach_webhook.b }", "{ from: outreach_webhook.a, to: outreach_webhook.c }"],
      [[4, 13, "Ambiguous move statements", "Keep the statement that is right"]],
    ],
    [
      "must come from one place",
      ["{ from: outreach_webhook.a, to: outreach_webhook.c }", "{ from: outreach_webhook.b, to: outreach_webhook.c }"],
      [[4, 37, "Ambiguous move statements", "Keep the statement that is right"]],
    ],
    [
      "must not form a cycle",
      ["{ from: outreach_webhook.a, to: outreach_webhook.b }", "{ from: outreach_webhook.b, to: outreach_webhook.a }"],
      [[3, 13, "Cyclic dependency in move statements", "no other move starts from"]],
    ],
    [
      "must name resources",
      ["{ from: data.outreach_campaign.a, to: data.outreach_campaign.b }"],
      [
        [3, 13, "Data source address not allowed", "TYPE.NAME"],
        [3, 43, "Data source address not allowed", "TYPE.NAME"],
      ],
    ],
    [
      "must name types that there are",
      ["{ from: outreach_webhok.a, to: outreach_webhook.b }"],
      [[3, 13, "Unknown resource type", "Did you mean outreach_webhook?"]],
    ],
    [
      "must name addresses",
      ["{ from: crm, to: 'outreach_webhook.b[emailsSent]' }"],
      [
        [3, 13, "Invalid resource address", "TYPE.NAME"],
        [3, 22, "Invalid resource address", "double quotes"],
      ],
    ],
    [
      "needs both ends",
      ["{ from: outreach_webhook.a }"],
      [[3, 5, "Missing required argument", "{ from: outreach_webhook.OLD, to: outreach_webhook.NEW }"]],
    ],
    [
      "knows no other keys",
      ["{ from: outreach_webhook.a, to: outreach_webhook.b, frm: x }"],
      [[3, 57, "Unknown key", "Did you mean from?"]],
    ],
    ["is a list of maps", ["outreach_webhook.a"], [[3, 5, "Wrong type", "KEY: VALUE"]]],
  ],
  imports: [
    [
      "may name a block, an instance and an unsubscription",
      [
        "{ to: outreach_webhook.crm, id: hoo_1 }",
        "{ to: 'outreach_webhook.audit[\"emailsSent\"]', id: hoo_2 }",
        "{ to: 'outreach_lead_unsubscription.gone[\"ada@example.com\"]', id: cam_000001/ada@example.com }",
      ],
      [],
    ],
    [
      "must name what is declared",
      ["{ to: outreach_webhook.crn, id: hoo_1 }"],
      [[3, 11, "Configuration for import target does not exist", "Did you mean outreach_webhook.crm?"]],
    ],
    [
      "must name an instance of what has several",
      ["{ to: outreach_webhook.audit, id: hoo_1 }"],
      [[3, 11, "Configuration for import target does not exist", "Did you mean 'outreach_webhook.audit[\"emails"]],
    ],
    [
      "must name an instance that there is",
      ["{ to: 'outreach_webhook.audit[\"emailsSend\"]', id: hoo_1 }"],
      [
        [
          3,
          11,
          "Configuration for import target does not exist",
          "Did you mean 'outreach_webhook.audit[\"emailsSent\"]'?",
        ],
      ],
    ],
    [
      "takes an address once",
      ["{ to: outreach_webhook.crm, id: hoo_1 }", "{ to: outreach_webhook.crm, id: hoo_2 }"],
      [[4, 11, "Duplicate import", "Keep one"]],
    ],
    [
      "takes an object once",
      ["{ to: outreach_webhook.crm, id: hoo_1 }", "{ to: 'outreach_webhook.audit[\"emailsSent\"]', id: hoo_1 }"],
      [[4, 55, "Duplicate import", "Keep one"]],
    ],
    [
      "needs the id of a webhook for one",
      ["{ to: outreach_webhook.crm, id: cam_1 }"],
      [[3, 37, "Invalid webhook id", "begin with hoo_"]],
    ],
    [
      "needs an id that is not empty",
      ["{ to: outreach_webhook.crm, id: '${var.none}' }"],
      [[3, 37, "Invalid import id", "outreach get webhooks"]],
      { head: "variables: { none: { default: '' } }" },
    ],
    [
      "needs an id that is text",
      ["{ to: outreach_webhook.crm, id: '${[1]}' }"],
      [[3, 37, "Invalid import id", "outreach get webhooks"]],
    ],
    [
      "needs an id",
      ["{ to: outreach_webhook.crm }"],
      [[3, 5, "Missing required argument", "{ to: outreach_webhook.NEW, id: hoo_000001 }"]],
    ],
    [
      "must refer to declared names",
      ["{ to: outreach_webhook.crm, id: '${var.nothing}' }"],
      [[3, 40, "Invalid reference", "Declare it under variables."]],
    ],
    [
      "must not refer to what is managed",
      ["{ to: outreach_webhook.crm, id: '${outreach_webhook.audit}' }"],
      [[3, 40, "Invalid reference", "a variable or a data source"]],
    ],
  ],
  removed: [
    [
      "names a block, also one that was never there",
      ["{ from: outreach_webhook.old }", "{ from: outreach_webhook.older, destroy: false }"],
      [],
    ],
    [
      "must not name what is still declared",
      ["{ from: outreach_webhook.audit }"],
      [[3, 13, "Removed resource still exists", "Remove the declaration, or this statement"]],
    ],
    [
      "must not name a single instance",
      ["{ from: 'outreach_webhook.old[\"emailsSent\"]' }"],
      [[3, 13, "Resource instance keys not allowed", "Write outreach_webhook.old"]],
    ],
    [
      "must not name a data source",
      ["{ from: data.outreach_campaign.q3 }"],
      [[3, 13, "Data source address not allowed", "Use the address of a resource"]],
    ],
    [
      "must not say both",
      ["{ from: outreach_webhook.old }", "{ from: outreach_webhook.old, destroy: false }"],
      [[4, 13, "Conflicting removals", "Keep one"]],
    ],
    ["may say the same twice", ["{ from: outreach_webhook.old }", "{ from: outreach_webhook.old, destroy: true }"], []],
    [
      "destroys or does not",
      ["{ from: outreach_webhook.old, destroy: perhaps }"],
      [[3, 44, "Wrong type", "Write true or false, without quotes."]],
    ],
    [
      "needs an address",
      ["{ destroy: false }"],
      [[3, 5, "Missing required argument", "{ from: outreach_webhook.OLD }"]],
    ],
  ],
};

describe.each(Object.entries(rows))("%s", (section, all) => {
  test.for(all)("%s", async ([, items, expected, { head, ...given } = {}]) => {
    const list = `${section}:\n${items.map((item) => `  - ${item}\n`).join("")}`;
    const { diagnostics } = await checkConfiguration(
      `version: 1\n${list}${HOOKS}${head === undefined ? "" : `${head}\n`}`,
      given,
    );
    const said = diagnostics.map(({ place, summary, hint }) => [place?.line, place?.column, summary, hint]);
    expect(said).toEqual(
      expected.map(([line, column, summary, hint]) => [line, column, summary, expect.stringContaining(hint)]),
    );
  });
});

test("what contradicts it is named with its place", async () => {
  const source = `version: 1\nmoved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.new }\nremoved:\n  - { from: outreach_webhook.audit }\n${HOOKS}`;
  const { text } = await checkConfiguration(source);
  expect(text).toContain("but outreach_webhook.crm is still declared at outreach.yaml:7:3.");
  expect(text).toContain("removes outreach_webhook.audit, but it is still declared at outreach.yaml:8:3.");
});

test("an import to a fan-out that is not known yet is left to the plan", async () => {
  const source = `version: 1
imports:
  - { to: 'outreach_webhook.live["cam_1"]', id: hoo_1 }
data: { campaigns: { live: { status: running } } }
webhooks: { live: { target_url: https://x.example.com, campaigns: live } }
`;
  expect((await checkConfiguration(source)).diagnostics).toEqual([]);
  const read = new Map([["data.outreach_campaigns.live", { ids: ["cam_2"] }]]);
  expect((await checkConfiguration(source, { read })).diagnostics).toMatchObject([
    { code: "import_undeclared", place: { line: 3, column: 11 } },
  ]);
});

test("the statements of all files of a folder count as one", async () => {
  const files = {
    "conf/a.yaml": "version: 1\nmoved:\n  - { from: outreach_webhook.a, to: outreach_webhook.b }\n",
    "conf/b.yaml": "version: 1\nmoved:\n  - { from: outreach_webhook.a, to: outreach_webhook.c }\n",
  };
  const { diagnostics } = await checkConfiguration("", { files, config: "conf" });
  expect(diagnostics).toMatchObject([
    {
      code: "moved_ambiguous",
      place: { file: "conf/b.yaml", line: 3 },
      detail: expect.stringContaining("conf/a.yaml:3:"),
    },
  ]);
});
