import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attributesOf } from "../../../src/core/model/attribute.ts";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { webhook } from "../../../src/service/resources/webhook.ts";
import { checkConfiguration } from "./check-configuration.ts";
import { type Editor, openEditor } from "../../deep/language-server.ts";

const schema = new URL("../../../schemas/config.schema.json", import.meta.url).pathname;
const EXPRESSION = "${var.stage}";
const LIST = "version: 1\nlead_unsubscriptions:\n  a:\n    campaign_id: cam_1\n";
const HOOK = "version: 1\nwebhooks:\n  crm:\n    target_url: https://x.example.com/a\n";

describe("an editor with the schema", () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor(schema);
  });
  afterAll(() => editor.close());

  test("offers every section at the top", async () => {
    const offered = await editor.complete("version: 1\n|");
    expect(offered).toEqual(
      expect.arrayContaining([
        "service",
        "state",
        "variables",
        "data",
        "webhooks",
        "lead_unsubscriptions",
        "outputs",
        "limits",
      ]),
    );
  });

  test.for<readonly [string, string, readonly string[]]>([
    [
      "a webhook",
      `${HOOK}    |\n`,
      [
        ...attributesOf(webhook.schema, "yaml").flatMap(([name, { mode }]) => (mode === "optional" ? [name] : [])),
        "types",
        "campaign",
        "campaigns",
        "allow_empty",
        "prune",
      ],
    ],
    [
      "a list of leads",
      "version: 1\nlead_unsubscriptions:\n  a:\n    |\n",
      ["campaign", "campaign_id", "campaigns", "email", "emails", "emails_from", "on_not_found", "recheck", "reassert"],
    ],
    ["data", "version: 1\ndata:\n  |\n", catalog.dataSources.map(({ type }) => type.replace("outreach_", ""))],
    [
      "a filter",
      "version: 1\ndata:\n  campaigns:\n    live:\n      |\n",
      ["status", "created_by", "labels", "name_regex", "sort_order"],
    ],
    ["a secret", `${HOOK}    secret:\n      |\n`, ["env", "file", "command"]],
    ["the limits", "version: 1\nlimits:\n  |\n", ["delete", "recreate", "unsubscribe", "shrink", "recheck"]],
  ])("offers the keys of %s", async ([, text, expected]) => {
    expect(await editor.complete(text)).toEqual(expect.arrayContaining([...expected]));
  });

  test.for<readonly [string, string, readonly string[]]>([
    ["type", `${HOOK}    type: |\n`, EVENT_TYPES.map(({ name }) => name)],
    ["types", `${HOOK}    types:\n      - |\n`, EVENT_TYPES.map(({ name }) => name)],
    [
      "a campaign's status",
      "version: 1\ndata:\n  campaigns:\n    live:\n      status: |\n",
      ["running", "paused", "draft", "ended", "archived", "errors"],
    ],
    ["rotation", `${HOOK}    rotation: |\n`, ["delete_first", "create_first"]],
    [
      "ignore",
      "version: 1\nignore:\n  - |\n",
      ["overlapping_webhooks", "webhook_without_secret", "dead_campaign", "unused_variable", "target_url_host"],
    ],
    [
      "ignore of a webhook",
      `${HOOK}    ignore:\n      - |\n`,
      ["overlapping_webhooks", "webhook_without_secret", "dead_campaign", "target_url_host"],
    ],
    ["on_not_found", "version: 1\nlead_unsubscriptions:\n  a:\n    on_not_found: |\n", ["watch", "accept", "error"]],
    ["version", "version: |\n", ["1"]],
  ])("offers the values of %s", async ([, text, expected]) => {
    expect(await editor.complete(text)).toEqual(expect.arrayContaining([...expected]));
  });

  test("says what an event type is where it is offered", async () => {
    expect(await editor.offer(`${HOOK}    type: |\n`, "emailsSent")).toEqual({
      inserted: "emailsSent",
      says: "An email was sent to a lead.",
    });
  });

  test("offers the settings of every backend of the state", async () => {
    expect(await editor.complete("version: 1\nstate:\n  |\n")).toEqual(
      expect.arrayContaining(["backend", "encryption", "path", "bucket", "url"]),
    );
    const { inserted } = await editor.offer("version: 1\n|", "state");
    expect(inserted).toContain("state:\n  ");
  });

  test.for<readonly [string, string]>([
    ["secret", `${HOOK}    secret: |\n`],
    ["api_key", "version: 1\nservice:\n  api_key: |\n"],
  ])("offers the three forms of a secret for %s", async ([, text]) => {
    const forms = ["env: NAME", "file: path", "command: [program, argument]"];
    expect(await editor.complete(text)).toEqual(expect.arrayContaining(forms));
    const offers = await Promise.all(forms.map((form) => editor.offer(text, form)));
    expect(offers.map(({ inserted }) => inserted.replaceAll(/\s+/g, " ").trim())).toEqual([
      "env: ${1:NAME}",
      "file: ${1:path}",
      "command: - ${1:program} - ${2:argument}",
    ]);
  });

  test.for<readonly [string, string, string]>([
    ["target_url", HOOK.replace("target_url", "target|_url"), "URL that receives the events: https"],
    ["types", `${HOOK}    typ|es: [emailsSent]\n`, "Fan-out over event types: one webhook per type."],
    [
      "emails_from",
      "version: 1\nlead_unsubscriptions:\n  a:\n    emails|_from: a.csv\n",
      "one address per line, or a CSV with an email column",
    ],
    ["webhooks", HOOK.replace("webhooks", "web|hooks"), "Webhooks to manage"],
    ["limits", "version: 1\nlimits:\n  del|ete: 30%\n", "Maximum deletes"],
    [
      "rotation",
      `${HOOK}    rota|tion: create_first\n`,
      "`delete_first` (default; no event is delivered in between) or `create_first`",
    ],
    [
      "emails_from, with its braces and brackets",
      `${LIST}    emails|_from: a.csv\n`,
      "{ command: [PROGRAM, ARGUMENT] } runs a command",
    ],
    ["an event type", `${HOOK}    type: emails|Sent\n`, "`emailsSent`: An email was sent to a lead."],
    ["the type that an event type is for", `${HOOK}    type: emails|Sent\n`, "Event type to receive."],
    [
      "an event type in a list",
      `${HOOK}    types:\n      - emails|Sent\n`,
      "`emailsSent`: An email was sent to a lead.",
    ],
    ["a setting of a backend", "version: 1\nstate:\n  backend: s3\n  buc|ket: a\n  key: b\n", "Name of the bucket."],
  ])("says what %s is", async ([, text, expected]) => {
    expect(await editor.hover(text)).toContain(expected);
  });

  test.for(MISTAKES)("underlines %s", async ([, text, , expected]) => {
    expect(await editor.problems(text)).toEqual(expected.map((said) => expect.stringContaining(said) as unknown));
  });

  test("accepts an expression in place of each choice", async () => {
    expect(
      await editor.problems(
        `${HOOK}    type: ${EXPRESSION}\n    rotation: ${EXPRESSION}\n    is_first: ${EXPRESSION}\n`,
      ),
    ).toEqual([]);
  });

  test("underlines what the command would refuse, and nothing of a whole configuration", async () => {
    expect((await editor.problems(`${HOOK}    typ: x\n    is_first: maybe\n`)).toSorted()).toEqual([
      expect.stringMatching(/^5: .*typ/),
      expect.stringMatching(/^6: /),
    ]);
    expect(await editor.problems(WHOLE)).toEqual([]);
  });
});

/** Mistakes that the command finds in these lines, and what an editor says of each: nothing about rules over several keys. */
const MISTAKES: readonly (readonly [string, string, readonly number[], readonly string[]])[] = [
  ["a mistyped event type", `${HOOK}    type: emailReplied\n`, [5], ["5: The service has no such event type."]],
  ["a removed event type", `${HOOK}    type: emailsSendFailed\n`, [5], ["5: The service has no such event type."]],
  [
    "a mistyped event type in a list",
    `${HOOK}    types: [emailsSent, emailReplied]\n`,
    [5],
    ["5: The service has no such event type."],
  ],
  [
    "a mistyped rotation",
    `${HOOK}    rotation: create_frist\n`,
    [5],
    ['5: Value is not accepted. Valid values: "delete_first", "create_first".'],
  ],
  [
    "a mistyped on_not_found",
    `${LIST}    email: a@x.io\n    on_not_found: wran\n`,
    [6],
    ['6: Value is not accepted. Valid values: "watch", "accept", "error".'],
  ],
  [
    "a mistyped code",
    `${LIST}    email: a@x.io\n    ignore: [campain_unchecked]\n`,
    [6],
    ['6: Value is not accepted. Valid values: "campaign_unchecked".'],
  ],
  ["type with types", `${HOOK}    type: emailsSent\n    types: [emailsSent]\n`, [5], []],
  ["a campaign by id and name", "version: 1\ndata:\n  campaign:\n    a: { id: cam_1, name: x }\n", [4], []],
  ["a campaign without both", "version: 1\ndata:\n  campaign:\n    a: {}\n", [4], []],
  ["an empty unsubscription", "version: 1\nlead_unsubscriptions:\n  a: {}\n", [3, 3], []],
  ["an entry without a file", `${LIST}    emails_from: { column: mail }\n`, [5], []],
  ["a setting of another backend", "version: 1\nstate:\n  bucket: x\n", [3], []],
  [
    "a setting of no backend",
    "version: 1\nstate:\n  backend: local\n  buckets: x\n",
    [4],
    ["4: Property buckets is not allowed."],
  ],
  [
    "a secret in plain text",
    `${HOOK}    secret: abc\n`,
    [5],
    ["5: A secret is never written in plain text. Write { env: NAME }", "5: Matches a schema that is not allowed."],
  ],
  [
    "two sources of a secret",
    `${HOOK}    secret: { env: A, file: b }\n`,
    [5],
    ["5: Matches a schema that is not allowed."],
  ],
  [
    "no source of a secret",
    `${HOOK}    secret: {}\n`,
    [5],
    ["5: Object has fewer properties than the required number of 1"],
  ],
  ["a limit over 100%", "version: 1\nlimits: { delete: 101% }\n", [2], ["2: String does not match the pattern"]],
  ["an invalid name", HOOK.replace("crm", "1st"), [3], ["3: String does not match the pattern"]],
];

test.for(MISTAKES)("the command finds %s in its line", async ([, text, expected]) => {
  const { diagnostics } = await checkConfiguration(text);
  const lines = diagnostics.flatMap(({ severity, place }) => (severity === "error" ? [place?.line] : []));
  expect(lines).toEqual(expected);
});

const WHOLE = `version: 1
service:
  base_url: https://api.example.com/api
  api_key: { env: OUTREACH_API_KEY }
  rate_share: 100%
state:
  backend: local
  path: outreach.\${var.stage}.state.json
variables:
  stage: { default: staging }
data:
  campaign:
    q3: { name: "Q3 launch" }
  campaigns:
    live: { status: running, labels: [a, b] }
  schedules:
    q3: { campaign: q3 }
  warmup_settings:
    sales: { user_mailbox_id: usm_1 }
webhooks:
  crm-replies:
    target_url: https://crm.example.com/\${var.stage}/replies
    type: emailsReplied
    campaign: q3
    secret: { env: CRM_HOOK_SECRET }
    is_first: \${var.stage}
  audit:
    target_url: https://audit.example.com/hook
    types: [emailsSent, emailsBounced]
    campaigns: live
    rotation: create_first
lead_unsubscriptions:
  gdpr-2026-11:
    campaigns: [q3]
    emails: [ada@example.com]
    emails_from: suppressions/2026-11.csv
outputs:
  q3_id: \${data.outreach_campaign.q3.id}
  all: { value: ["\${var.stage}", 2], sensitive: true, description: both }
limits: { delete: 30%, recreate: 20%, unsubscribe: 100 }
`;
