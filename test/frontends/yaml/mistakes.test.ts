import { describe, expect, test } from "vitest";
import { STATE_BACKENDS } from "../../../src/core/state/backends.ts";
import { type Given, checkConfiguration } from "./check-configuration.ts";

/** `[line, column, summary, part of the hint]` of each diagnostic, in any order. */
type Expected = readonly [line: number | undefined, column: number | undefined, summary: string, hint: string];
type Row = readonly [name: string, source: string | Uint8Array, expected: readonly Expected[], given?: Given];

const URL = "target_url: https://x.example.com/a";
const SOURCES = "{ env: NAME }";
/** A webhook from line 2; the lines of its body begin at line 4, column 5. */
function webhook(...body: readonly string[]): string {
  return `version: 1\nwebhooks:\n  a:\n${body.map((line) => `    ${line}\n`).join("")}`;
}
/** The same behind `data.campaign.q3`: the body begins at line 7. */
function withCampaign(...body: readonly string[]): string {
  return webhook(...body).replace("webhooks:", "data:\n  campaign:\n    q3: { name: Q3 launch }\nwebhooks:");
}
/** The same behind `data.campaigns.live`. */
function withFilter(...body: readonly string[]): string {
  return webhook(...body).replace("webhooks:", "data:\n  campaigns:\n    live: { status: running }\nwebhooks:");
}
/** A list of leads from line 3; the lines of its body begin at line 4, column 5. */
function unsubscription(...body: readonly string[]): string {
  return `version: 1\nlead_unsubscriptions:\n  a:\n${body.map((line) => `    ${line}\n`).join("")}`;
}
const fromFile = (path: string): string => unsubscription("campaign_id: cam_1", `emails_from: ${path}`);
const A_FILE: Given = { files: { "a.csv": "a@x.io\n" } };
const nested = (open: string, close: string, depth: number): string =>
  `version: 1\nwebhooks: ${open.repeat(depth)}${close.repeat(depth)}\n`;
const laughs = [
  "a: &a [x, x, x]",
  ...[..."bcdefghi"].map(
    (name, index) =>
      `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefghi"[index] ?? ""}`).join(", ")}]`,
  ),
].join("\n");

const rows: { readonly [topic: string]: readonly Row[] } = {
  "unknown keys": [
    ["at the top", "version: 1\nwebhook: {}\n", [[2, 1, "Unknown key", "Did you mean webhooks?"]]],
    [
      "at the top, like nothing known",
      "version: 1\nfrobnicate: {}\n",
      [[2, 1, "Unknown key", "Known keys here: version, service, state"]],
    ],
    ["in service", "version: 1\nservice:\n  base_ur: x\n", [[3, 3, "Unknown key", "Did you mean base_url?"]]],
    ["in state", "version: 1\nstate: { pth: x }\n", [[2, 10, "Unknown key", "Did you mean path?"]]],
    [
      "in data",
      "version: 1\ndata:\n  campain:\n    a: { name: b }\n",
      [[3, 3, "Unknown key", "Did you mean campaign?"]],
    ],
    [
      "in a campaign",
      "version: 1\ndata:\n  campaign:\n    a: { nam: b, id: cam_1 }\n",
      [[4, 10, "Unknown key", "Did you mean name?"]],
    ],
    [
      "in a variable, which is then not said to lack a value",
      "version: 1\nvariables:\n  a: { defalt: 1 }\n",
      [[3, 8, "Unknown key", "Did you mean default?"]],
    ],
    ["in a webhook", webhook(URL, "typ: emailsSent"), [[5, 5, "Unknown key", "Did you mean type?"]]],
    [
      "a computed attribute",
      webhook(URL, "created_at: x"),
      [[5, 5, "Unknown key", "Known keys here: target_url, type"]],
    ],
    [
      "named like something that every object has",
      webhook(URL, "hasOwnProperty: 1"),
      [[5, 5, "Unknown key", "Known keys here"]],
    ],
    ["in a secret", webhook(URL, "secret: { vault: x }"), [[5, 15, "Unknown key", SOURCES]]],
  ],
  types: [
    ["a number for text", webhook(URL, "type: 3"), [[5, 11, "Wrong type", "quotes"]]],
    ["a list for text", webhook("target_url: [a]"), [[4, 5, "Wrong type", "single value"]]],
    ["nothing for text, said once", webhook("target_url:"), [[4, 16, "Wrong type", "Give it a value"]]],
    [
      "text for a boolean",
      webhook(URL, "is_first: yes"),
      [[5, 15, "Wrong type", "Write true or false, without quotes."]],
    ],
    ["a quoted boolean", webhook(URL, 'is_first: "true"'), [[5, 15, "Wrong type", "without quotes"]]],
    ["text for a webhook", "version: 1\nwebhooks:\n  a: hello\n", [[3, 6, "Wrong type", "KEY: VALUE"]]],
    ["nothing for a webhook", "version: 1\nwebhooks:\n  a:\n", [[3, 5, "Wrong type", "Indent its keys further"]]],
    ["a list of webhooks", "version: 1\nwebhooks:\n  - a: 1\n", [[2, 1, "Wrong type", "a name in place of the dash"]]],
    ["nothing under webhooks", "version: 1\nwebhooks:\n", [[2, 10, "Wrong type", "Indent its keys further"]]],
    ["a number for a campaign", webhook(URL, "campaign: 3"), [[5, 15, "Wrong type", "quotes"]]],
    [
      "a list as a default",
      "version: 1\nvariables: { x: { default: [1] } }\n",
      [[2, 19, "Wrong type", "single value"]],
    ],
    [
      "a number as a variable",
      "version: 1\nvariables: { x: 1 }\n",
      [[2, 17, "Wrong type", "Write x: { default: VALUE }."]],
    ],
    [
      "text that is no boolean from a variable",
      `${webhook(URL, "is_first: ${var.x}")}variables: { x: { default: maybe } }\n`,
      [[5, 15, "Incorrect attribute value type", ""]],
    ],
  ],
  rate_share: [
    ["over all of it", "version: 1\nservice:\n  rate_share: 150%\n", [[3, 15, "Invalid configuration", ""]]],
    ["nothing", "version: 1\nservice:\n  rate_share: 0%\n", [[3, 15, "Invalid configuration", ""]]],
    ["a number", "version: 1\nservice:\n  rate_share: 50\n", [[3, 15, "Wrong type", "quotes"]]],
  ],
  unique_target_url: [["text", "version: 1\nservice:\n  unique_target_url: only\n", [[3, 22, "Wrong type", ""]]]],
  mark: [
    ["text", "version: 1\nservice:\n  mark: perhaps\n", [[3, 9, "Wrong type", ""]]],
    ["in a webhook", webhook(URL, "mark: true"), [[5, 5, "Unknown key", "Known keys here"]]],
  ],
  target_url: [
    [
      "the mark of another webhook",
      webhook("target_url: https://x.example.com/?outreach=0123456789abcdef"),
      [[4, 17, "Invalid target URL", "Remove the parameter"]],
    ],
    [
      "missing",
      webhook("type: emailsSent"),
      [[3, 3, "Missing required argument", "Add target_url: URL that receives"]],
    ],
    ["http", webhook("target_url: http://x.example.com"), [[4, 17, "Invalid target URL", "Use https"]]],
    ["another scheme", webhook("target_url: ftp://x.example.com"), [[4, 17, "Invalid target URL", "Use https"]]],
    ["relative", webhook("target_url: /hook"), [[4, 17, "Invalid target URL", "Write it in full"]]],
    [
      "with user info",
      webhook("target_url: https://user:word@x.example.com"),
      [[4, 17, "Invalid target URL", "Use secret"]],
    ],
    [
      "over-long",
      webhook(`target_url: https://x.example.com/${"a".repeat(2027)}`),
      [[4, 17, "Invalid target URL", ""]],
    ],
    ["as long as it may be", webhook(`target_url: https://x.example.com/${"a".repeat(2026)}`), []],
    ["http to this machine", webhook("target_url: http://127.0.0.1:8080/a"), []],
  ],
  "event types": [
    [
      "removed, with a replacement",
      webhook(URL, "type: emailsSendFailed"),
      [[5, 11, "Removed event type", "Use emailsFailed instead."]],
    ],
    [
      "removed, with another replacement",
      webhook(URL, "type: opportunitiesDone"),
      [[5, 11, "Removed event type", "Use annotated or task-level webhooks instead."]],
    ],
    ["removed, without one", webhook(URL, "type: skipped"), [[5, 11, "Removed event type", "no replacement"]]],
    ["mistyped", webhook(URL, "type: emailReplied"), [[5, 11, "Unknown event type", "Did you mean emailsReplied?"]]],
    [
      "in the wrong case",
      webhook(URL, "type: emailsreplied"),
      [[5, 11, "Unknown event type", "Did you mean emailsReplied?"]],
    ],
    [
      "like nothing known",
      webhook(URL, "type: qqqqqqqqqqqq"),
      [[5, 11, "Unknown event type", "or remove the webhook or the entry"]],
    ],
  ],
  campaigns: [
    [
      "campaign and campaign_id",
      withCampaign(URL, "campaign: q3", "campaign_id: cam_1"),
      [[8, 5, "Given in two ways", "Keep one"]],
    ],
    ["an unknown block", withCampaign(URL, "campaign: q4"), [[8, 15, "Invalid reference", "Did you mean q3?"]]],
    [
      "an unknown block where there is none",
      webhook(URL, "campaign: q4"),
      [[5, 15, "Invalid reference", "Declare it under data.campaign."]],
    ],
    [
      "an expression in place of a name",
      withCampaign(URL, 'campaign: "q3.id}${var.x"'),
      [[8, 15, "Invalid reference", "Declare it under data.campaign."]],
    ],
    [
      "a mistyped name of a campaign",
      withCampaign(URL, "campaign: q3 lauch"),
      [[8, 15, "Invalid reference", 'Did you mean q3 (name "Q3 launch")?']],
    ],
    [
      "the name of a campaign in a list",
      withCampaign(URL, "campaigns: [Q3 launch]"),
      [[8, 17, "Invalid reference", 'Did you mean q3 (name "Q3 launch")?']],
    ],
    [
      "the name of a campaign as an id",
      withCampaign(URL, "campaign_id: Q3 launch"),
      [[8, 18, "Invalid campaign id", "Write campaign: q3."]],
    ],
    ["a bad id", webhook(URL, "campaign_id: 3x"), [[5, 18, "Invalid campaign id", "begin with cam_"]]],
    [
      "an id that would leave its path",
      webhook(URL, "campaign_id: cam_1/../x"),
      [[5, 18, "Invalid campaign id", "begin with cam_"]],
    ],
    [
      "a block without id and name",
      "version: 1\ndata: { campaign: { q: {} } }\n",
      [[2, 21, "A campaign without id and name", "Add one"]],
    ],
    [
      "a block with both",
      "version: 1\ndata: { campaign: { q: { id: cam_1, name: x } } }\n",
      [[2, 21, "A campaign with id and name", "Take one"]],
    ],
    [
      "an unknown status",
      "version: 1\ndata: { campaign: { q: { name: x, status: runing } } }\n",
      [[2, 43, "Value not allowed", "Did you mean running?"]],
    ],
  ],
  lists: [
    [
      "type and types",
      webhook(URL, "type: emailsSent", "types: [emailsSent]"),
      [[5, 5, "Given in two ways", "Keep one"]],
    ],
    [
      "campaign and campaigns",
      withCampaign(URL, "campaign: q3", "campaigns: [q3]"),
      [[8, 5, "Given in two ways", "Keep one"]],
    ],
    [
      "campaign, campaign_id and campaigns",
      withCampaign(URL, "campaigns: [q3]", "campaign: q3", "campaign_id: cam_1"),
      [[8, 5, "Given in two ways", "Keep one"]],
    ],
    [
      "email and emails",
      unsubscription("campaign_id: cam_1", "email: a@x.io", "emails: [b@x.io]"),
      [[5, 5, "Given in two ways", "Keep one"]],
    ],
    [
      "email and emails_from",
      unsubscription("campaign_id: cam_1", "email: a@x.io", "emails_from: a.csv"),
      [[5, 5, "Given in two ways", "Keep one"]],
      A_FILE,
    ],
    [
      "emails and emails_from are no mistake",
      unsubscription("campaign_id: cam_1", "emails: [b@x.io]", "emails_from: a.csv"),
      [],
      A_FILE,
    ],
    [
      "an event type twice",
      webhook(URL, "types: [emailsSent, emailsBounced, emailsSent]"),
      [[5, 40, "Duplicate value", "Remove one"]],
    ],
    ["a campaign twice", withCampaign(URL, "campaigns: [q3, q3]"), [[8, 21, "Duplicate value", "Remove one"]]],
    [
      "two names of one campaign",
      withCampaign(URL, "campaigns: [q3, q4]").replace("    q3:", "    q4: { id: cam_3 }\n    q3:"),
      [[9, 21, "Duplicate value", "Remove one"]],
      {
        read: new Map([
          ["data.outreach_campaign.q3", { id: "cam_3" }],
          ["data.outreach_campaign.q4", { id: "cam_3" }],
        ]),
      },
    ],
    [
      "each bad event type at its place",
      webhook(URL, "types: [emailReplied, emailsSent, skipped]"),
      [
        [5, 13, "Unknown event type", "Did you mean emailsReplied?"],
        [5, 39, "Removed event type", "no replacement"],
      ],
    ],
    ["text for a list", webhook(URL, "types: emailsSent"), [[5, 12, "Wrong type", "[a, b]"]]],
    ["a number in a list", webhook(URL, "types: [emailsSent, 3]"), [[5, 25, "Wrong type", "quotes"]]],
    ["nothing for a list", webhook(URL, "types:"), [[5, 11, "Wrong type", "Give it a value"]]],
    ["an empty list", webhook(URL, "types: []"), [[5, 5, "Empty fan-out", "allow_empty: true"]]],
    [
      "text for allow_empty",
      webhook(URL, "types: []", "allow_empty: yes"),
      [
        [6, 18, "Wrong type", ""],
        [5, 5, "Empty fan-out", "allow_empty"],
      ],
    ],
    [
      "an unknown campaign in a list",
      withCampaign(URL, "campaigns: [q3, q4]"),
      [[8, 21, "Invalid reference", "Did you mean q3?"]],
    ],
    ["an unknown filter", withFilter(URL, "campaigns: liv"), [[8, 16, "Invalid reference", "Did you mean live?"]]],
    [
      "a filter in place of a campaign",
      withFilter(URL, "campaign: live"),
      [[8, 15, "Invalid reference", "write campaigns: live, without a list"]],
    ],
    [
      "an expression without quotes inside brackets",
      webhook(URL, "types: [${var.a}]"),
      [[5, 13, "Invalid YAML", "Put the whole value in quotes"]],
    ],
    [
      "a filter in a list",
      withFilter(URL, "campaigns: [live]"),
      [[8, 17, "Invalid reference", "write campaigns: live, without a list"]],
    ],
    [
      "a campaign in place of a filter",
      withCampaign(URL, "campaigns: q3"),
      [[8, 16, "Invalid reference", "write campaigns: [q3]"]],
    ],
    ["a number for campaigns", withCampaign(URL, "campaigns: 3"), [[8, 16, "Wrong type", "list of names"]]],
    [
      "an id in a list of names",
      withCampaign(URL, "campaigns: [cam_1]"),
      [[8, 17, "Invalid reference", "Declare it under data.campaign."]],
    ],
    [
      "a bad address",
      unsubscription("campaign_id: cam_1", "emails: [a@x.io, a.x.io]"),
      [[5, 22, "Invalid email address", "name@example.com"]],
    ],
    [
      "without campaign and address",
      unsubscription("on_not_found: watch"),
      [
        [3, 3, "Missing required argument", "campaign_id"],
        [3, 3, "Missing required argument", "email"],
      ],
    ],
    [
      "an unknown on_not_found",
      unsubscription("campaign_id: cam_1", "email: a@x.io", "on_not_found: fail"),
      [[6, 19, "Value not allowed", ""]],
    ],
  ],
  "equal webhooks": [
    [
      "of two blocks",
      `${webhook(URL, "type: emailsSent")}  b: { ${URL}, type: emailsSent }\n`,
      [[6, 3, "The same webhook is declared twice", "allow_duplicate"]],
    ],
    [
      "of two blocks that mean it",
      `${webhook(URL, "allow_duplicate: true")}  b: { ${URL}, allow_duplicate: true }\n`,
      [],
    ],
    [
      "of a block and of another one's list",
      `${webhook(URL, "types: [emailsSent, emailsBounced]")}  b: { ${URL}, type: emailsBounced }\n`,
      [[6, 3, "The same webhook is declared twice", "allow_duplicate"]],
    ],
    [
      "without an address are not called equal",
      `${webhook("type: emailsSent")}  b: { type: emailsSent }\n`,
      [
        [3, 3, "Missing required argument", ""],
        [5, 3, "Missing required argument", ""],
      ],
    ],
    [
      "the same lead twice is no mistake",
      `${unsubscription("campaign_id: cam_1", "emails: [a@x.io]")}  b: { campaign_id: cam_1, email: A@x.io }\n`,
      [],
    ],
  ],
  "address files": [
    ["that is not there", fromFile("b.csv"), [[5, 18, "Cannot read addresses", "relative to the configuration"]]],
    ["without a name", fromFile('""'), [[5, 18, "Invalid configuration", "remove the key"]]],
    [
      "named by a variable without a value, said once",
      `${fromFile("${var.x}.csv")}variables: { x: {} }\n`,
      [[6, 14, "No value for required variable", "--var"]],
    ],
    [
      "that is a folder",
      fromFile("lists"),
      [[5, 18, "Cannot read addresses", "regular file"]],
      { files: { "lists/a.csv": "" } },
    ],
    [
      "outside of the configuration's folder",
      fromFile("../a.csv"),
      [[5, 18, "Cannot read addresses", "into that folder"]],
      { config: "conf/c.yaml", files: { "conf/c.yaml": fromFile("../a.csv"), "a.csv": "" } },
    ],
    [
      "that a link leads outside to",
      fromFile("a.csv"),
      [[5, 18, "Cannot read addresses", "into that folder"]],
      { links: { "a.csv": "/etc/hostname" } },
    ],
    [
      "that a link leads to, inside",
      fromFile("a.csv"),
      [],
      { files: { "b.csv": "a@x.io\n" }, links: { "a.csv": "b.csv" } },
    ],
    [
      "of more than 50 MB",
      fromFile("a.csv"),
      [[5, 18, "Cannot read addresses", "Split it"]],
      { files: { "a.csv": new Uint8Array(50 * 1024 * 1024 + 1) } },
    ],
    ["that is empty", fromFile("a.csv"), [[5, 18, "Empty fan-out", "allow_empty"]], { files: { "a.csv": "\n" } }],
    [
      "that is not text",
      fromFile("a.csv"),
      [[undefined, undefined, "Invalid address list", "UTF-8"]],
      { files: { "a.csv": new Uint8Array([0xc3, 0x28]) } },
    ],
    [
      "with bad addresses, each at its line",
      fromFile("a.csv"),
      [
        [2, 2, "Invalid email address", ""],
        [4, 1, "Invalid email address", ""],
      ],
      { files: { "a.csv": "a@x.io\n a.x.io\n\nb@@x.io\n" } },
    ],
    [
      "with bad addresses in a column",
      fromFile("a.csv"),
      [[3, 4, "Invalid email address", ""]],
      { files: { "a.csv": 'name,email\r\n"A\r\nB",ax.io\r\n' } },
    ],
    [
      "with columns, none of them called email",
      fromFile("a.csv"),
      [[1, 1, "Invalid address list", "email in the first line"]],
      { files: { "a.csv": "name,contact\nA,a@x.io\n" } },
    ],
    [
      "with semicolons, and no header",
      fromFile("a.csv"),
      [[1, 1, "Invalid address list", "column: Contact"]],
      { files: { "a.csv": "a@x.io;A\n" } },
    ],
    [
      "with a semicolon in one line",
      fromFile("a.csv"),
      [[2, 1, "Invalid address list", "one address a line"]],
      { files: { "a.csv": "a@x.io\nb@x.io;B\n" } },
    ],
    [
      "with two columns that are called like an address",
      fromFile("a.csv"),
      [[1, 1, "Invalid address list", "column: Work Email"]],
      { files: { "a.csv": "E-mail,Email Address\na@x.io,b@x.io\n" } },
    ],
    [
      "without the column that is named",
      fromFile("{ file: a.csv, column: Contact }"),
      [[1, 1, "Invalid address list", "Correct column"]],
      { files: { "a.csv": "email\na@x.io\n" } },
    ],
    [
      "that is a map without a file",
      fromFile("{ column: Contact }"),
      [[5, 5, "Missing required argument", "file: PATH"]],
    ],
    [
      "that is a pointer of Git LFS",
      fromFile("a.csv"),
      [[undefined, undefined, "Invalid address list", "git lfs pull"]],
      { files: { "a.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n" } },
    ],
    [
      "with a merge conflict",
      fromFile("a.csv"),
      [[3, 1, "Invalid address list", "remove the marks"]],
      { files: { "a.csv": "email\na@x.io\n<<<<<<< HEAD\nb@x.io\n=======\nc@x.io\n>>>>>>> main\n" } },
    ],
    [
      "with several addresses in a cell",
      fromFile("a.csv"),
      [[2, 1, "Invalid email address", "item of its own"]],
      { files: { "a.csv": 'email\n"a@x.io, b@x.io"\n' } },
    ],
    [
      "with one column that is called something else",
      fromFile("a.csv"),
      [[1, 1, "Invalid address list", "email in the first line"]],
      { files: { "a.csv": "Adresse\na@x.io\n" } },
    ],
    [
      "with a row without an address",
      fromFile("a.csv"),
      [
        [2, 1, "Invalid address list", "Add the address"],
        [3, 3, "Invalid address list", "Add the address"],
      ],
      { files: { "a.csv": "name,email\nA\nB,\n" } },
    ],
    [
      "with two addresses in a line",
      fromFile("a.csv"),
      [[2, 8, "Invalid address list", "one address a line"]],
      { files: { "a.csv": "a@x.io\nb@x.io,c@x.io\n" } },
    ],
    [
      "with a quote that is not closed",
      fromFile("a.csv"),
      [[2, 1, "Invalid address list", "double each quote"]],
      { files: { "a.csv": 'email\n"a@x.io\nb@x.io\n' } },
    ],
    [
      "with something behind a quote",
      fromFile("a.csv"),
      [[2, 1, "Invalid address list", "double each quote"]],
      { files: { "a.csv": 'email\n"a@x.io" b\n' } },
    ],
  ],
  data: [
    [
      "schedules without a campaign",
      "version: 1\ndata: { schedules: { a: {} } }\n",
      [[2, 22, "Missing required argument", "campaign_id"]],
    ],
    [
      "schedules of an unknown campaign",
      "version: 1\ndata: { schedules: { a: { campaign: q3 } } }\n",
      [[2, 37, "Invalid reference", "Declare it under data.campaign."]],
    ],
    [
      "a bad mailbox id",
      "version: 1\ndata: { warmup_settings: { a: { user_mailbox_id: a/b } } }\n",
      [[2, 50, "Invalid mailbox id", ""]],
    ],
    [
      "a filter with text for labels",
      "version: 1\ndata: { campaigns: { a: { labels: x } } }\n",
      [[2, 35, "Wrong type", "[a, b]"]],
    ],
    [
      "a filter with a bad expression of names",
      'version: 1\ndata: { campaigns: { a: { name_regex: "(" } } }\n',
      [[2, 39, "Invalid regular expression", "RE2's syntax"]],
    ],
    [
      "a filter with an unknown status",
      "version: 1\ndata: { campaigns: { a: { status: runing } } }\n",
      [[2, 35, "Value not allowed", "Did you mean running?"]],
    ],
    [
      "what a filter gives",
      "version: 1\ndata: { campaigns: { a: { ids: [] } } }\n",
      [[2, 27, "Unknown key", "Known keys here: status"]],
    ],
  ],
  outputs: [
    [
      "of an unknown attribute, without reading it",
      withCampaign(URL).replace("webhooks:", "outputs:\n  id: ${data.outreach_campaign.q3.idd}\nwebhooks:"),
      [[6, 9, "Invalid reference", "Did you mean id?"]],
    ],
    [
      "of an unknown attribute of a part",
      withFilter(URL).replace(
        "webhooks:",
        "outputs:\n  id: ${data.outreach_campaigns.live.campaigns[0].nme}\nwebhooks:",
      ),
      [[6, 9, "Invalid reference", "Did you mean name?"]],
    ],
    [
      "of a whole data source",
      withCampaign(URL).replace("webhooks:", "outputs:\n  id: ${data.outreach_campaign.q3}\nwebhooks:"),
      [[6, 9, "Invalid reference", ""]],
    ],
    [
      "without a value",
      "version: 1\noutputs:\n  id: { sensitive: true }\n",
      [[3, 3, "Missing required argument", "Add value"]],
    ],
    ["of nothing", "version: 1\noutputs:\n  id:\n", [[3, 6, "Wrong type", "Give it a value"]]],
    [
      "with an unknown key",
      "version: 1\noutputs:\n  id: { value: 1, sensitiv: true }\n",
      [[3, 19, "Unknown key", "Did you mean sensitive?"]],
    ],
    [
      "with an expression inside a map",
      "version: 1\noutputs:\n  id: { value: '${var.x}' }\n",
      [[3, 19, "Invalid reference", "Declare it under variables."]],
    ],
  ],
  limits: [
    ["over all", "version: 1\nlimits: { delete: 101% }\n", [[2, 19, "Invalid limit", "Write delete: 30%"]]],
    ["below nothing", "version: 1\nlimits: { recreate: -1 }\n", [[2, 21, "Invalid limit", "Write recreate: 20%"]]],
    ["half a webhook", "version: 1\nlimits: { delete: 1.5 }\n", [[2, 19, "Invalid limit", "Write delete: 30%"]]],
    ["as text", 'version: 1\nlimits: { unsubscribe: "many" }\n', [[2, 24, "Invalid limit", "Write unsubscribe: 50"]]],
    ["as a list", "version: 1\nlimits: { replace: [5] }\n", [[2, 11, "Invalid limit", "Write replace: 30%"]]],
    ["without a value", "version: 1\nlimits:\n  delete:\n", [[3, 10, "Invalid limit", "Write delete: 30%"]]],
    ["of something else", "version: 1\nlimits: { create: 3 }\n", [[2, 11, "Unknown key", "Did you mean recreate?"]]],
  ],
  secrets: [
    ["with two sources", webhook(URL, "secret: { env: A, file: b }"), [[5, 5, "Invalid configuration", SOURCES]]],
    ["without a source", webhook(URL, "secret: {}"), [[5, 5, "Invalid configuration", SOURCES]]],
    ["empty", webhook(URL, "secret:"), [[5, 12, "Wrong type", SOURCES]]],
    ["with an unknown source", webhook(URL, "secret: { keyring: x }"), [[5, 15, "Unknown key", SOURCES]]],
    ["with an empty name", webhook(URL, 'secret: { env: "" }'), [[5, 20, "Invalid configuration", SOURCES]]],
    ["with a command as text", webhook(URL, "secret: { command: pass show x }"), [[5, 24, "Wrong type", SOURCES]]],
    ["with an empty command", webhook(URL, "secret: { command: [] }"), [[5, 15, "Invalid configuration", SOURCES]]],
    ["with a command that is not text", webhook(URL, "secret: { command: [a, 1] }"), [[5, 28, "Wrong type", SOURCES]]],
    ["written out as a number", webhook(URL, "secret: 12345678"), [[5, 13, "A secret in plain text", SOURCES]]],
    ["as an expression", webhook(URL, "secret: ${var.x}"), [[5, 13, "A secret in plain text", SOURCES]]],
    [
      "the API key's variable",
      webhook(URL, "secret: { env: OUTREACH_API_KEY }"),
      [[5, 5, "API key used as a webhook's secret", "Create a separate secret"]],
    ],
    [
      "the variable that holds the API key here",
      `${webhook(URL, "secret: { env: MINE }")}service: { api_key: { env: MINE } }\n`,
      [[5, 5, "API key used as a webhook's secret", "Create a separate secret"]],
    ],
    [
      "the API key written out",
      "version: 1\nservice:\n  api_key: sk-1234567890\n",
      [[3, 12, "A secret in plain text", SOURCES]],
    ],
  ],
  files: [
    ["empty", "", [[undefined, undefined, "Empty configuration", "version: 1"]]],
    ["only comments", "# one\n\n# two\n", [[undefined, undefined, "Empty configuration", "version: 1"]]],
    ["text", "hello\n", [[1, 1, "Not a configuration", "version: 1"]]],
    ["a list", "- a\n", [[1, 1, "Not a configuration", "version: 1"]]],
    ["not YAML", "version: 1\nwebhooks: {a: [}\n", [[2, 16, "Invalid YAML", "closed"]]],
    ["of 6 MB", `version: 1\n#${"x".repeat(6 * 1024 * 1024)}`, [[undefined, undefined, "File too large", "Split it"]]],
    ["not text", new Uint8Array([0x76, 0xff, 0xfe]), [[undefined, undefined, "Not a text file", "UTF-8"]]],
    [
      "indented with tabs",
      "version: 1\nwebhooks:\n\ta:\n\t\ttarget_url: https://x.example.com\n",
      [
        [3, 1, "Invalid YAML", "spaces"],
        [4, 1, "Invalid YAML", "spaces"],
      ],
    ],
    [
      "with a byte order mark",
      `\ufeff${webhook("target_url: http://x.example.com")}`,
      [[4, 17, "Invalid target URL", "Use https"]],
    ],
    [
      "with a byte order mark, on the first line",
      "\ufeffversoin: 1\nversion: 1\n",
      [[1, 1, "Unknown key", "Did you mean version?"]],
    ],
    [
      "with CRLF",
      webhook("target_url: http://x.example.com", "typ: x").replaceAll("\n", "\r\n"),
      [
        [4, 17, "Invalid target URL", "Use https"],
        [5, 5, "Unknown key", "type"],
      ],
    ],
    ["of several documents", "version: 1\n---\nversion: 1\n", [[2, 1, "Invalid YAML", "remove the --- line"]]],
    ["that begins with ---", "---\nversion: 1\n", []],
    ["of another YAML", "%YAML 1.1\n---\nversion: 1\n", [[1, 1, "Not YAML 1.2", "%YAML"]]],
    ["without a version", "webhooks: {}\n", [[1, 1, "Invalid configuration", "version: 1"]]],
    ["of a later version", "version: 2\n", [[1, 10, "Invalid configuration", "Write version: 1."]]],
    ["of a version as text", "version: '1'\n", [[1, 10, "Invalid configuration", "Write version: 1."]]],
    ["with a duplicate key", webhook(URL, URL), [[5, 5, "Duplicate key", "Remove one"]]],
    [
      "with a duplicate name",
      "version: 1\nwebhooks:\n  a: { target_url: https://x.example.com }\n  a: { target_url: https://y.example.com }\n",
      [[4, 3, "Duplicate key", "another name"]],
    ],
  ],
  "YAML that is refused": [
    [
      "an alias",
      "version: 1\nwebhooks:\n  a: &x { target_url: https://x.example.com }\n  b: *x\n",
      [[4, 6, "Aliases are not supported", "Write it out"]],
    ],
    ["an alias to nothing", "version: 1\nwebhooks:\n  b: *x\n", [[3, 6, "Aliases are not supported", "Write it out"]]],
    [
      "a billion laughs, one problem for each anchor",
      laughs,
      [..."bcdefghi"].map((_, index): Expected => [index + 2, 8, "Aliases are not supported", "Write it out"]),
    ],
    [
      "a merge key",
      "version: 1\nwebhooks:\n  a: { <<: { target_url: https://x.example.com } }\n",
      [[3, 8, "Merge keys are not supported", "Write it out"]],
    ],
    [
      "a tag",
      "version: 1\nwebhooks:\n  a: !mine { target_url: https://x.example.com }\n",
      [[3, 12, "Tags are not supported", "Remove"]],
    ],
    [
      "a tag that makes functions",
      webhook("target_url: !!js/function 'x'"),
      [[4, 31, "Tags are not supported", "Remove"]],
    ],
    ["a tag that makes bytes", webhook("target_url: !!binary aGVsbG8="), [[4, 26, "Tags are not supported", "Remove"]]],
    ["a tag that makes a set", "version: 1\nwebhooks: !!set\n  ? a\n", [[3, 3, "Tags are not supported", "Remove"]]],
    [
      "a tag that makes an ordered map",
      "version: 1\nwebhooks: !!omap\n  - a: { target_url: https://x.example.com }\n",
      [[3, 3, "Tags are not supported", "Remove"]],
    ],
    [
      "tags that say nothing new are accepted",
      "version: !!int 1\nwebhooks: !!map\n  a: { target_url: !!str https://x.example.com }\n",
      [],
    ],
    ["a hundred lists in each other", nested("[", "]", 100), [[2, 75, "Nested too deeply", "no more than ten"]]],
    ["a hundred maps in each other", nested("{a: ", "}", 100), [[2, 267, "Nested too deeply", "no more than ten"]]],
    ["100,000 lists in each other", nested("[", "]", 100_000), [[2, 75, "Nested too deeply", "no more than ten"]]],
    ["100,000 maps in each other", nested("{a: ", "}", 100_000), [[2, 267, "Nested too deeply", "no more than ten"]]],
    [
      "100,000 brackets that are not closed",
      nested("[", "", 100_000),
      [[2, 75, "Nested too deeply", "no more than ten"]],
    ],
    [
      "names that objects have",
      "version: 1\nwebhooks:\n  __proto__: { target_url: https://x.example.com }\n  constructor: { target_url: https://x.example.com }\n",
      [
        [3, 3, "Reserved name", "another"],
        [4, 3, "Reserved name", "another"],
      ],
    ],
    [
      "keys that objects have",
      "version: 1\n__proto__: {}\nwebhooks:\n  a: { target_url: https://x.example.com, constructor: 1, prototype: 1 }\n",
      [
        [2, 1, "Reserved name", "another"],
        [4, 43, "Reserved name", "another"],
        [4, 59, "Reserved name", "another"],
      ],
    ],
    [
      "keys that are not text",
      "version: 1\nwebhooks:\n  1: {}\ntrue: a\nnull: b\n",
      [
        [3, 3, "A key that is not text", "quotes"],
        [4, 1, "A key that is not text", "quotes"],
        [5, 1, "A key that is not text", "quotes"],
      ],
    ],
    [
      "keys that are no values",
      "version: 1\nwebhooks:\n  ? [a, b]\n  : {}\n  ? { a: b }\n  : {}\n",
      [
        [3, 5, "A key that is not text", "Write a name"],
        [5, 5, "A key that is not text", "Write a name"],
      ],
    ],
  ],
  names: [
    [
      "each bad one at its place",
      "version: 1\nwebhooks:\n  a b: { target_url: https://x1.example.com }\n  '1a': { target_url: https://x2.example.com }\n  a.b: { target_url: https://x3.example.com }\n",
      [
        [3, 3, "Invalid name", "letters"],
        [4, 3, "Invalid name", "letters"],
        [5, 3, "Invalid name", "letters"],
      ],
    ],
    [
      "letters of any script",
      "version: 1\nwebhooks:\n  große-Glocke_1: { target_url: https://x4.example.com }\n  日本: { target_url: https://x5.example.com }\n",
      [],
    ],
    [
      "behind wide letters the column still counts",
      "version: 1\nwebhooks: { 日本: { typ: x, target_url: https://x.example.com } }\n",
      [[2, 19, "Unknown key", "type"]],
    ],
    [
      "like something that every object has",
      "version: 1\nwebhooks:\n  toString: { target_url: https://x.example.com, campaign: valueOf }\n",
      [[3, 60, "Invalid reference", "Declare it under data.campaign."]],
    ],
  ],
  expressions: [
    [
      "an unknown variable",
      webhook("target_url: https://x.example.com/${var.x}"),
      [[4, 41, "Invalid reference", "Declare it under variables."]],
    ],
    [
      "a mistyped variable",
      `${webhook("target_url: https://x.example.com/${var.stag}")}variables: { stage: { default: a } }\n`,
      [[4, 41, "Invalid reference", "Did you mean var.stage?"]],
    ],
    [
      "an unknown block",
      withCampaign(URL, "campaign_id: ${data.outreach_campaign.q4.id}"),
      [[8, 20, "Invalid reference", "Did you mean data.outreach_campaign.q3?"]],
    ],
    [
      "an unknown type",
      webhook(URL, "campaign_id: ${data.outreach_foo.x.id}"),
      [[5, 20, "Invalid reference", "Declare that data source."]],
    ],
    [
      "an unknown attribute",
      withCampaign(URL, "campaign_id: ${data.outreach_campaign.q3.idd}"),
      [[8, 20, "Invalid reference", "Did you mean id?"]],
      { read: new Map([["data.outreach_campaign.q3", { id: "cam_1", name: "Q3 launch" }]]) },
    ],
    [
      "letters in the wrong order, as behind escapes and in several lines",
      `${webhook('target_url: "https:\\u002f/x.example.com/${var.stgae}"', "campaign_id: >-", "  cam_", "  ${var.stgae}")}variables: { stage: { default: a } }\n`,
      [[4, 47, "Invalid reference", "Did you mean var.stage?"]],
    ],
    [
      "a section in place of a type",
      withCampaign(URL, "campaign_id: ${data.campaign.q3.id}"),
      [[8, 20, "Invalid reference", "Did you mean data.outreach_campaign.q3?"]],
    ],
    [
      "a section in place of a resource's type",
      `${webhook(URL)}outputs:\n  id: \${webhooks.a.id}\n`,
      [[6, 9, "Invalid reference", "Did you mean outreach_webhook.a.id?"]],
    ],
    [
      "a variable without var",
      `${webhook("target_url: https://x.example.com/${stage}")}variables: { stage: { default: a } }\n`,
      [[4, 41, "Invalid reference", "Did you mean var.stage?"]],
    ],
    [
      "something else",
      webhook("target_url: https://x.example.com/${local.x}"),
      [[4, 41, "Invalid reference", "write $${"]],
    ],
    ["not closed", webhook('target_url: "https://x.example.com/${var.x"'), [[4, 17, "Invalid expression", ""]]],
    ["empty", webhook('target_url: "https://x.example.com/${}"'), [[4, 42, "Invalid expression", ""]]],
    [
      "single quotation marks",
      webhook("target_url: https://x.example.com/${upper('x')}"),
      [[4, 47, "Invalid expression", ""]],
    ],
    [
      "an unknown function",
      webhook("target_url: 'https://x.example.com/${uper(\"x\")}'"),
      [[4, 42, "Call to unknown function", "Did you mean upper?"]],
    ],
    [
      "an operator that does not fit",
      webhook("target_url: 'https://x.example.com/${1 + true}'"),
      [[4, 44, "Expression cannot be evaluated", ""]],
    ],
    ["a directive", webhook('target_url: "https://x.example.com/%{ if true }"'), [[4, 40, "Invalid expression", ""]]],
    ["literals", 'version: 1\ndata: { campaign: { a: { name: "$${a}/%%{b}" } } }\n', []],
    [
      "in base_url",
      "version: 1\nservice: { base_url: 'https://${var.x}' }\n",
      [[2, 33, "Invalid reference", "Declare it under variables."]],
    ],
    [
      "in the state's path",
      "version: 1\nstate: { path: 'a.${var.x}.json' }\n",
      [[2, 21, "Invalid reference", "Declare it under variables."]],
    ],
  ],
  settings: [
    [
      "a base URL without https",
      "version: 1\nservice: { base_url: 'http://x.example.com' }\n",
      [[2, 22, "Invalid base URL", "https://"]],
    ],
    [
      "a base URL with user info",
      "version: 1\nservice: { base_url: 'https://user:word@x.example.com' }\n",
      [[2, 22, "Invalid base URL", ""]],
    ],
    [
      "a misspelled setting of another backend",
      "version: 1\nstate:\n  backend: consul\n  buckett: b\n",
      [
        [3, 12, "Invalid configuration", "Write backend: local"],
        [4, 3, "Unknown key", "Did you mean bucket?"],
      ],
    ],
    [
      "another backend",
      "version: 1\nstate: { backend: consul }\n",
      [[2, 19, "Invalid configuration", "Write backend: local"]],
    ],
    ["an empty path", "version: 1\nstate: { path: '' }\n", [[2, 16, "Invalid configuration", "remove the key"]]],
  ],
  variables: [
    [
      "without a value, said once",
      `${webhook("target_url: https://x.example.com/${var.x}")}variables: { x: {} }\n`,
      [[5, 14, "No value for required variable", "--var x=VALUE"]],
    ],
    [
      "--var for none",
      webhook(URL),
      [[undefined, undefined, "Value for undeclared variable", "Declare the variable"]],
      { var: ["stage=1"] },
    ],
    [
      "--var mistyped",
      "version: 1\nvariables: { stage: { default: a } }\n",
      [[undefined, undefined, "Value for undeclared variable", "Did you mean stage?"]],
      { var: ["stagee=1"] },
    ],
    [
      "--var without a value",
      webhook(URL),
      [[undefined, undefined, "Invalid --var", "NAME=VALUE"]],
      { var: ["stage"] },
    ],
    ["a surplus one in the environment is no mistake", webhook(URL), [], { environment: { OUTREACH_VAR_other: "1" } }],
    [
      "a file with a list",
      webhook(URL),
      [[1, 1, "Invalid variables file", "NAME: VALUE"]],
      { varFile: ["v.yaml"], files: { "v.yaml": "- a\n" } },
    ],
    [
      "a file with a list as a value",
      "version: 1\nvariables: { x: { default: 1 } }\n",
      [[1, 1, "Invalid variables file", "plain value"]],
      { varFile: ["v.yaml"], files: { "v.yaml": "x: [1]\n" } },
    ],
    ["an empty file is no mistake", webhook(URL), [], { varFile: ["v.yaml"], files: { "v.yaml": "" } }],
  ],
};

for (const [topic, cases] of Object.entries(rows)) {
  describe(topic, () => {
    test.each(cases.map(([name, source, expected, given = {}]) => ({ name, source, expected, given })))(
      "$name",
      async ({ source, expected, given }) => {
        const { diagnostics, text } = await checkConfiguration(source, given);
        const found = diagnostics.map(({ place, summary, hint = "", severity }) => ({
          at: [place?.line, place?.column, summary],
          hint,
          severity,
        }));
        const byPlace = (a: { at: readonly unknown[] }, b: { at: readonly unknown[] }): number =>
          JSON.stringify(a.at) < JSON.stringify(b.at) ? -1 : 1;
        const wanted = expected.map(([line, column, summary, hint]) => ({
          at: [line, column, summary],
          hint: expect.stringContaining(hint) as string,
          severity: "error",
        }));
        expect(found.toSorted(byPlace)).toEqual(wanted.toSorted(byPlace));
        for (const [line, column] of expected) {
          if (line === undefined) continue;
          expect(text).toContain(`:${String(line)}:${String(column)}`);
        }
      },
    );
  });
}

test("all mistakes of a file are said in one run, each with its line and a caret", async () => {
  const source = `version: 2
webhok: {}
service: { base_ur: x }
webhooks:
  a:
    typ: x
    target_url: http://x.example.com
    type: skipped
    campaign: nowhere
  b:
    type: emailReplied
`;
  const { text } = await checkConfiguration(source);
  expect(
    text
      .split("\n")
      .filter((line) => /^Error|^ +on |\|/.test(line))
      .join("\n"),
  ).toBe(`Error: Invalid configuration [schema_invalid]
  on outreach.yaml:1:10
  1 | version: 2
    |          ^
Error: Unknown key [unknown_key]
  on outreach.yaml:2:1
  2 | webhok: (sensitive value)
    | ^
Error: Unknown key [unknown_key]
  on outreach.yaml:3:12
  3 | service: { base_ur: (sensitive value) }
    |            ^
Error: Unknown key [unknown_key]
  on outreach.yaml:6:5
  6 |     typ: (sensitive value)
    |     ^
Error: Invalid target URL [target_url_invalid]
  on outreach.yaml:7:17, in outreach_webhook.a
  7 |     target_url: http://x.example.com
    |                 ^
Error: Removed event type [event_type_removed]
  on outreach.yaml:8:11, in outreach_webhook.a
  8 |     type: skipped
    |           ^
Error: Invalid reference [reference_invalid]
  on outreach.yaml:9:15
  9 |     campaign: nowhere
    |               ^
Error: Missing required argument [attribute_missing]
  on outreach.yaml:10:3, in outreach_webhook.b
  10 |   b:
     |   ^
Error: Unknown event type [event_type_unknown]
  on outreach.yaml:11:11, in outreach_webhook.b
  11 |     type: emailReplied
     |           ^`);
});

test("a long line is cut around the place, and the caret still points at it", async () => {
  const { text } = await checkConfiguration(
    `version: 1\nwebhooks: { a: { target_url: https://x.example.com, automation_id: ${"q".repeat(1000)}, typ: x } }\n`,
  );
  const [line = "", caret = ""] = text.split("\n").slice(3, 5);
  expect(line.length).toBeLessThan(330);
  expect(line.slice(caret.indexOf("^"))).toBe("typ: (sensitive value) } }");
});

test("characters that could steer a terminal are not printed", async () => {
  const { text } = await checkConfiguration(
    `version: 1\nwebhooks:\n  a: { target_url: https://x.example.com, typ: x } # \u009b31m \u202e\n`,
  );
  expect(text).toContain("# \u{fffd}31m \u{fffd}");
});

describe("a secret that is written out is never printed", () => {
  const SECRET = "hunter2";
  const values = [
    "hunter2hunter2",
    '"hunter2hunter2"',
    "'hunter2hunter2",
    '"hunter2\n      hunter2"',
    "@hunter2",
    "`hunter2",
    "hunter2: hunter2",
    "*hunter2",
    "&hunter2 x",
    "!hunter2 x",
    "!!hunter2 x",
    "%hunter2",
    "|hunter2",
    "| hunter2",
    "|\n      hunter2\n      hunter2",
    ">-\n      hunter2",
    "[hunter2",
    "[hunter2]",
    "{hunter2",
    "{hunter2}",
    "{hunter2: hunter2}",
    "{value: hunter2}",
    "{env: [hunter2]}",
    "{env: {hunter2: hunter2}}",
    "{env: X, hunter2: 1}",
    "- hunter2",
    "\n      - hunter2",
    "\n      value: hunter2",
    '\n      "hunter2',
    "hunter2, hunter2",
    '{"hunter2": }',
    "? hunter2",
    '"hunter2"x',
    '"hunter2" hunter2',
    '"\\qhunter2"',
    '"hunter2\\u0041"',
    "'hunter2''hunter2'",
    "}hunter2",
    "]hunter2",
    ",hunter2",
    "hunter2 #c",
    "{<<: hunter2}",
    "{<<: *hunter2}",
    "{__proto__: hunter2}",
    "{1: hunter2}",
    "{[hunter2]: x}",
    "${hunter2",
    "%{hunter2",
    "!<hunter2> x",
    "!e!hunter2 x",
    '"hunter2\\u00',
    "\n\thunter2",
    '"a\n hunter2"',
    "hunter2\n  hunter2",
  ];
  const around: { readonly [where: string]: (value: string) => string } = {
    "in a block": (value) => webhook("target_url: http://x.example.com", `secret: ${value}`, "typ: x"),
    "in braces, next to other mistakes": (value) =>
      `version: 1\nwebhooks: { a: { target_url: http://x.example.com, secret: ${value}, typ: 1 }, b: 3 }\n`,
    twice: (value) => webhook(`secret: ${value}`, `secret: ${value}`),
    "under a mistyped key": (value) => webhook(URL, `sercet: ${value}`),
    "as the API key": (value) => `version: 1\nservice:\n    api_key: ${value}\n`,
  };
  test.each(Object.entries(around))("%s", async (where, make) => {
    for (const value of values) {
      if (where.startsWith("in braces") && value === "\n      value: hunter2") continue;
      const { text, diagnostics } = await checkConfiguration(make(value));
      expect(diagnostics, value).not.toHaveLength(0);
      expect(text, value).not.toContain(SECRET);
    }
  });

  const settings = STATE_BACKENDS.flatMap(({ name: backend, settings: all }) =>
    Object.entries(all).flatMap(([name, { kind }]) => (kind === "secret" ? [[backend, name] as const] : [])),
  );
  test.each(settings)("as the setting of the state backend %s that is a secret, %s", async (backend, name) => {
    const { text, diagnostics } = await checkConfiguration(
      `version: 1\nstate:\n  backend: ${backend}\n  ${name}: host=db user=u password=${SECRET}\n`,
    );
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "secret_literal" }));
    expect(text).not.toContain(SECRET);
  });

  test("and the caret points at what is left of the line", async () => {
    const { text } = await checkConfiguration(
      "version: 1\nwebhooks: { a: { target_url: https://x.example.com, secret: hunter2, typ: 1 } }\n",
    );
    expect(text).toContain(`
  2 | webhooks: { a: { target_url: https://x.example.com, secret: (sensitive value), typ: (sensitive value) } }
    |                                                                                ^
`);
  });

  test("nor is the password in a URL", async () => {
    const { text } = await checkConfiguration(webhook("target_url: https://user:hunter2@x.example.com"));
    expect(text).toContain("target_url: https://(sensitive value)@x.example.com");
    expect(text).not.toContain(SECRET);
  });

  test("nor what a variables file holds", async () => {
    const { text, diagnostics } = await checkConfiguration("version: 1\n", {
      varFile: ["v.yaml"],
      files: { "v.yaml": 'token: "hunter2\n' },
    });
    expect(diagnostics).not.toHaveLength(0);
    expect(text).not.toContain(SECRET);
  });
});

test("no message shows the value of an unknown key, wherever it stands in the line", async () => {
  const { text } = await checkConfiguration(
    [
      "version: 1",
      "webhooks:",
      "  a: { target_url: 5, password: { x: hunter2-a }, tokens: [hunter2-b], typ: 1 }",
      "  b:",
      "    target_url: https://x.example.com",
      "    credentials: hunter2-c",
      "    bearer: >",
      "      hunter2-d",
      "service: { auth: hunter2-e, base_url: [] }",
      "widgets: { deep: { token: hunter2-f } }",
      "",
    ].join("\n"),
  );
  expect(text).toContain('"credentials" is not a known key in webhooks.b.');
  expect(text).not.toContain("hunter2");
});
