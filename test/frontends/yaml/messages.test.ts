import { expect, test } from "vitest";
import { BACKEND_NAMES } from "../../../src/core/state/backends.ts";
import { type Given, checkConfiguration } from "./check-configuration.ts";

const URL = "target_url: https://x.example.com/a";

/** A webhook from line 3; the lines of its body begin at line 4. */
function webhook(...body: readonly string[]): string {
  return `version: 1\nwebhooks:\n  crm:\n${body.map((line) => `    ${line}\n`).join("")}`;
}

/** The same behind `data.campaign.q3`; the lines of its body begin at line 7. */
function withCampaign(...body: readonly string[]): string {
  return webhook(...body).replace("webhooks:", "data:\n  campaign:\n    q3: { name: Q3 launch }\nwebhooks:");
}

/** Each mistake as it is printed: what, where with the line and a caret, why, and what to do. */
const MESSAGES: readonly (readonly [name: string, source: string, text: string, given?: Given])[] = [
  [
    "an unknown key",
    webhook(URL, "typ: emailsSent"),
    `Error: Unknown key [unknown_key]

  on outreach.yaml:5:5
  5 |     typ: (sensitive value)
    |     ^

"typ" is not a known key in webhooks.crm.
Did you mean type?`,
  ],
  [
    "a state backend of another tool",
    `${webhook(URL)}state: { backend: gcs }\n`,
    `Error: Invalid configuration [schema_invalid]

  on outreach.yaml:5:19
  5 | state: { backend: gcs }
    |                   ^

"gcs" is not a value of state.backend.
Write backend: ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(BACKEND_NAMES)}.`,
  ],
  [
    "a misspelled state backend",
    `${webhook(URL)}state: { backend: locla }\n`,
    `Error: Invalid configuration [schema_invalid]

  on outreach.yaml:5:19
  5 | state: { backend: locla }
    |                   ^

"locla" is not a value of state.backend.
Did you mean local?`,
  ],
  [
    "a passphrase and a key",
    `${webhook(URL)}state: { encryption: { passphrase: { env: P }, key: { env: K } } }\n`,
    `Error: Invalid configuration [schema_invalid]

  on outreach.yaml:5:10
  5 | state: { encryption: { passphrase: { env: P }, key: { env: K } } }
    |          ^

state.encryption must have exactly one of passphrase and key.`,
  ],
  [
    "a wrong type",
    webhook(URL, "type: 3"),
    `Error: Wrong type [wrong_type]

  on outreach.yaml:5:11
  5 |     type: 3
    |           ^

webhooks.crm.type must be text, but is a number.
Put it in quotes.`,
  ],
  [
    "several types under type",
    webhook(URL, "type: [emailsSent, emailsReplied]"),
    `Error: Wrong type [wrong_type]

  on outreach.yaml:5:5
  5 |     type: [emailsSent, emailsReplied]
    |     ^

webhooks.crm.type must be text, but is a list.
For a list, write types in place of type.`,
  ],
  [
    "several campaigns under campaign",
    webhook(URL, "campaign: [q3]"),
    `Error: Wrong type [wrong_type]

  on outreach.yaml:5:5
  5 |     campaign: [q3]
    |     ^

webhooks.crm.campaign must be text, but is a list.
For a list, write campaigns in place of campaign.`,
  ],
  [
    "a quote that is not closed",
    webhook("target_url: 'https://x.example.com/a", "type: emailsSent"),
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:4:17
  4 |     target_url: 'https://x.example.com/a
    |                 ^

The quotation mark ' is not closed.
Close it, or remove it.`,
  ],
  [
    "a quote that is not closed in braces",
    'version: 1\ndata:\n  campaign:\n    q3: { name: "Q3 launch }\nwebhooks: {}\n',
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:4:17
  4 |     q3: { name: "Q3 launch }
    |                 ^

The quotation mark " is not closed.
Close it, or remove it.`,
  ],
  [
    "webhooks as a list",
    "version: 1\nwebhooks:\n  - target_url: https://x.example.com/a\n",
    `Error: Wrong type [wrong_type]

  on outreach.yaml:2:1
  2 | webhooks:
    | ^

webhooks must be a map, but is a list.
Give each entry a name in place of the dash, and indent its keys below it.`,
  ],
  [
    "a variable as a plain value",
    "version: 1\nvariables:\n  stage: staging\n",
    `Error: Wrong type [wrong_type]

  on outreach.yaml:3:10
  3 |   stage: staging
    |          ^

variables.stage must be a map, but is text.
Write stage: { default: VALUE }.`,
  ],
  [
    "a source where a text is expected",
    webhook("target_url: { env: HOOK_URL }"),
    `Error: Wrong type [wrong_type]

  on outreach.yaml:4:5
  4 |     target_url: { env: HOOK_URL }
    |     ^

webhooks.crm.target_url must be text, but is a map.
Only secrets have env, file and command. Declare a variable, and refer to it as in \${var.NAME}.`,
  ],
  [
    "an environment variable in a URL",
    webhook("target_url: $HOOK_URL"),
    `Error: Invalid target URL [target_url_invalid]

  on outreach.yaml:4:17, in outreach_webhook.crm
  4 |     target_url: $HOOK_URL
    |                 ^

target_url is not an absolute URL: nothing replaces $HOOK_URL.
Write it in full, or refer to a variable as in \${var.host}.`,
  ],
  [
    "all events by a star",
    webhook(URL, 'type: "*"'),
    `Error: Unknown event type [event_type_unknown]

  on outreach.yaml:5:11, in outreach_webhook.crm
  5 |     type: "*"
    |           ^

The service has no event type "*".
For all events, omit type.`,
  ],
  [
    "no type, as an empty text",
    webhook(URL, 'type: ""'),
    `Error: Unknown event type [event_type_unknown]

  on outreach.yaml:5:11, in outreach_webhook.crm
  5 |     type: ""
    |           ^

The service has no event type "".
For all events, omit type.`,
  ],
  [
    "no campaign, as an empty text",
    webhook(URL, 'campaign_id: ""'),
    `Error: Invalid campaign id [campaign_id_invalid]

  on outreach.yaml:5:18, in outreach_webhook.crm
  5 |     campaign_id: ""
    |                  ^

"" is not the id of a campaign.
For all campaigns, omit campaign_id.`,
  ],
  [
    "an expression as a secret in braces",
    "version: 1\nwebhooks:\n  crm: { target_url: https://x.example.com/a, secret: ${HOOK_SECRET} }\n",
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:3:55
  3 |   crm: { target_url: https://x.example.com/a, secret: (sensitive value)
    |                                                       ^

Between brackets, an expression must be in quotes.
Write secret: { env: HOOK_SECRET }.`,
  ],
  [
    "a duplicate key",
    webhook(URL, URL),
    `Error: Duplicate key [yaml_invalid]

  on outreach.yaml:5:5
  5 |     target_url: https://x.example.com/a
    |     ^

This map has the same key twice.
Remove one of the two, or give it another name.`,
  ],
  [
    "a missing target_url",
    webhook("type: emailsSent"),
    `Error: Missing required argument [attribute_missing]

  on outreach.yaml:3:3, in outreach_webhook.crm
  3 |   crm:
    |   ^

target_url is required, but is not set.
Add target_url: URL that receives the events: https, without user info, backslashes and invisible characters, at most 2,048 characters. http is valid only for loopback hosts.`,
  ],
  [
    "an http URL",
    webhook("target_url: http://x.example.com/a"),
    `Error: Invalid target URL [target_url_invalid]

  on outreach.yaml:4:17, in outreach_webhook.crm
  4 |     target_url: http://x.example.com/a
    |                 ^

target_url uses http: events carry personal data of leads, and the secret.
Use https; http is accepted for loopback hosts only.`,
  ],
  [
    "a removed event type",
    webhook(URL, "type: emailsSendFailed"),
    `Error: Removed event type [event_type_removed]

  on outreach.yaml:5:11, in outreach_webhook.crm
  5 |     type: emailsSendFailed
    |           ^

The service no longer accepts the event type emailsSendFailed.
Use emailsFailed instead.`,
  ],
  [
    "a mistyped event type",
    webhook(URL, "type: emailReplied"),
    `Error: Unknown event type [event_type_unknown]

  on outreach.yaml:5:11, in outreach_webhook.crm
  5 |     type: emailReplied
    |           ^

The service has no event type "emailReplied".
Did you mean emailsReplied?`,
  ],
  [
    "an event type like others",
    webhook(URL, "type: linkedinReplied"),
    `Error: Unknown event type [event_type_unknown]

  on outreach.yaml:5:11, in outreach_webhook.crm
  5 |     type: linkedinReplied
    |           ^

The service has no event type "linkedinReplied".
Remove the webhook or the entry, or use a similar event type: emailsReplied, networkReplied, chatReplied, smsReplied.`,
  ],
  [
    "a removed event type without a replacement",
    webhook(URL, "types: [emailsSent, skipped]"),
    `Error: Removed event type [event_type_removed]

  on outreach.yaml:5:25, in outreach_webhook.crm
  5 |     types: [emailsSent, skipped]
    |                         ^

The service no longer accepts the event type skipped.
It has no replacement. Remove the webhook or the entry, or use a similar event type: networkFollowSkipped, networkEndorseSkipped.`,
  ],
  [
    "type and types",
    webhook(URL, "type: emailsSent", "types: [emailsSent]"),
    `Error: Given in two ways [two_ways]

  on outreach.yaml:5:5
  5 |     type: emailsSent
    |     ^

type and types are both given, but they are ways to say the same.
Keep one of them.`,
  ],
  [
    "an unknown campaign name",
    webhook(URL, "campaign: q3"),
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:5:15
  5 |     campaign: q3
    |               ^

campaign names "q3", but data.campaign declares no such block.
Declare it under data.campaign.`,
  ],
  [
    "a campaign's name in place of the block's",
    withCampaign(URL, "campaign: Q3 launch"),
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:8:15
  8 |     campaign: Q3 launch
    |               ^

campaign names "Q3 launch", but data.campaign declares no such block.
Did you mean q3 (name "Q3 launch")?`,
  ],
  [
    "a campaign's id in place of the block's name",
    withCampaign(URL, "campaign: cam_000001"),
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:8:15
  8 |     campaign: cam_000001
    |               ^

campaign names "cam_000001", but data.campaign declares no such block.
Write campaign_id: cam_000001.`,
  ],
  [
    "a block's name in place of an id",
    withCampaign(URL, "campaign_id: q3"),
    `Error: Invalid campaign id [campaign_id_invalid]

  on outreach.yaml:8:18, in outreach_webhook.crm
  8 |     campaign_id: q3
    |                  ^

"q3" is not the id of a campaign.
Write campaign: q3.`,
  ],
  [
    "a mistyped variable",
    `${webhook("target_url: https://x.example.com/${var.stgae}")}variables: { stage: { default: a } }\n`,
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:4:41, in outreach_webhook.crm
  4 |     target_url: https://x.example.com/\${var.stgae}
    |                                         ^

The configuration does not declare the variable stgae.
Did you mean var.stage?`,
  ],
  [
    "a mistyped function",
    webhook("target_url: \"https://x.example.com/${lowr('A')}\"").replaceAll("'A'", '\\"A\\"'),
    `Error: Call to unknown function [function_unknown]

  on outreach.yaml:4:42, in outreach_webhook.crm
  4 |     target_url: "https://x.example.com/\${lowr(\\"A\\")}"
    |                                          ^

The function lowr does not exist, or is not supported.
Did you mean lower?`,
  ],
  [
    "an undeclared variable used ten times",
    `version: 1\nwebhooks:\n${Array.from({ length: 10 }, (_, index) => `  w${String(index)}: { target_url: "https://x.example.com/\${var.host}/${String(index)}" }\n`).join("")}`,
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:3:46, in outreach_webhook.w0
  3 |   w0: { target_url: "https://x.example.com/\${var.host}/0" }
    |                                              ^

The configuration does not declare the variable host.
It is used in outreach.yaml:3:46, outreach.yaml:4:46, outreach.yaml:5:46 and 7 more places.
Declare it under variables.`,
  ],
  [
    "an undeclared variable used twice",
    webhook("target_url: https://${var.host}/${var.host}"),
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:4:27, in outreach_webhook.crm
  4 |     target_url: https://\${var.host}/\${var.host}
    |                           ^

The configuration does not declare the variable host.
It is used in outreach.yaml:4:27 and outreach.yaml:4:39.
Declare it under variables.`,
  ],
  [
    "an environment variable as in a shell",
    webhook(URL, "secret: { env: $HOOK_SECRET }"),
    `Error: Not the name of an environment variable [env_name_invalid]

  on outreach.yaml:5:20, in outreach_webhook.crm
  5 |     secret: { env: $HOOK_SECRET }
    |                    ^

env takes the name of an environment variable, but is $HOOK_SECRET.
Write env: HOOK_SECRET.`,
  ],
  [
    "an environment variable as an expression",
    webhook(URL, 'secret: { env: "${HOOK_SECRET}" }'),
    `Error: Not the name of an environment variable [env_name_invalid]

  on outreach.yaml:5:20, in outreach_webhook.crm
  5 |     secret: { env: "\${HOOK_SECRET}" }
    |                    ^

env takes the name of an environment variable, but is \${HOOK_SECRET}.
Write env: HOOK_SECRET.`,
  ],
  [
    "the API key's variable as in a shell",
    "version: 1\nservice:\n  api_key:\n    env: ${KEY}\n",
    `Error: Not the name of an environment variable [env_name_invalid]

  on outreach.yaml:4:10
  4 |     env: \${KEY}
    |          ^

env takes the name of an environment variable, but is \${KEY}.
Write env: KEY.`,
  ],
  [
    "a variable as an environment variable, without var",
    `${webhook(URL, 'secret: { env: "${stage}" }')}variables: { stage: { default: a } }\n`,
    `Error: Invalid reference [reference_invalid]

  on outreach.yaml:5:23, in outreach_webhook.crm
  5 |     secret: { env: "\${stage}" }
    |                       ^

stage refers to neither a variable nor a data source.
Did you mean var.stage?`,
  ],
  [
    "an environment variable as an expression in braces",
    webhook(URL, "secret: { env: ${HOOK_SECRET} }"),
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:5:20
  5 |     secret: (sensitive value)
    |             ^

Between brackets, an expression must be in quotes.
Write env: HOOK_SECRET.`,
  ],
  [
    "an expression in braces",
    "version: 1\nwebhooks:\n  crm: { target_url: https://${var.host}/a }\n",
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:3:30
  3 |   crm: { target_url: https://\${var.host}/a }
    |                              ^

Between brackets, an expression must be in quotes.
Put the whole value in quotes, as in "\${var.stage}".`,
  ],
  [
    "a line that is indented less than the ones above it",
    webhook(URL).concat("   type: emailsSent\n"),
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:5:1
  5 |    type: emailsSent
    | ^

The indentation of this line fits no line above it.
Check the indentation, and that every bracket and quote is closed.`,
  ],
  [
    "a line that is indented further than the one above it",
    webhook(URL, "  type: emailsSent"),
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:4:17
  4 |     target_url: https://x.example.com/a
    |                 ^

The next line is indented further than this one, so it continues this value.
Indent both lines equally.`,
  ],
  [
    "keys that are not indented below their block",
    "version: 1\nwebhooks:\n  crm:\n  other: { target_url: https://x.example.com/a }\n",
    `Error: Wrong type [wrong_type]

  on outreach.yaml:3:7
  3 |   crm:
    |       ^

webhooks.crm must be a map, but is empty.
Indent its keys further than its name, or remove it.`,
  ],
  [
    "a missing colon",
    webhook(URL, "type emailsSent"),
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:5:5
  5 |     type emailsSent
    |     ^

The line has no colon after its key.
Write KEY: VALUE.`,
  ],
  [
    "a missing colon at the top",
    "version 1\nwebhooks:\n  crm: {}\n",
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:1:1
  1 | version 1
    | ^

The line has no colon after its key, or does not belong to the value above it.
Write KEY: VALUE. Indent a line that continues a value further than its key.`,
  ],
  [
    "a missing colon in a line of its own",
    webhook("target_url https://x.example.com/a"),
    `Error: Wrong type [wrong_type]

  on outreach.yaml:4:5
  4 |     target_url https://x.example.com/a
    |     ^

webhooks.crm must be a map, but is text.
Write a colon after the key, as in KEY: VALUE.`,
  ],
  [
    "a missing space after the colon",
    webhook("target_url:https://x.example.com/a"),
    `Error: Wrong type [wrong_type]

  on outreach.yaml:4:5
  4 |     target_url:https://x.example.com/a
    |     ^

webhooks.crm must be a map, but is text.
Write a space after the colon, as in KEY: VALUE.`,
  ],
  [
    "a limit over all",
    "version: 1\nlimits: { delete: 300% }\n",
    `Error: Invalid limit [schema_invalid]

  on outreach.yaml:2:19
  2 | limits: { delete: 300% }
    |                   ^

limits.delete is 300%, but must be a whole number from 0, or a percentage from 0% to 100%.
Write delete: 30%, for example.`,
  ],
  [
    "half a limit",
    "version: 1\nlimits: { unsubscribe: 1.5 }\n",
    `Error: Invalid limit [schema_invalid]

  on outreach.yaml:2:24
  2 | limits: { unsubscribe: 1.5 }
    |                        ^

limits.unsubscribe is 1.5, but must be a whole number from 0, or a percentage from 0% to 100%.
Write unsubscribe: 50, for example.`,
  ],
  [
    "a literal secret",
    webhook(URL, "secret: hunter2hunter2"),
    `Error: A secret in plain text [secret_literal]

  on outreach.yaml:5:13
  5 |     secret: (sensitive value)
    |             ^

secret is written in plain text, so anyone who can read the configuration can read it.
Write { env: NAME } for an environment variable, { file: path } for a file, or { command: [program, argument] } for what a program prints.`,
  ],
  [
    "an empty file",
    "",
    `Error: Empty configuration [config_empty]

  on outreach.yaml

outreach.yaml is empty.
Begin it with version: 1, and declare a webhook under webhooks.`,
  ],
  [
    "what is not YAML",
    webhook(URL, "types: [emailsSent"),
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:6:1
  6 | 
    | ^

A bracket is not closed, or a line within brackets is not indented.
Check the indentation, and that every bracket and quote is closed.`,
  ],
  [
    "6 MB",
    "#".repeat(6 * 1024 * 1024),
    `Error: File too large [yaml_invalid]

  on outreach.yaml

outreach.yaml has 6291456 bytes; at most 5 MB are read.
Split it into several configurations.`,
  ],
  [
    "a billion laughs",
    "version: 1\na: &a [x, x]\nb: &b [*a, *a]\n",
    `Error: Aliases are not supported [yaml_refused]

  on outreach.yaml:3:8
  3 | b: &b [*a, *a]
    |        ^

An alias repeats another part of the file.
Write it out, so that a reader sees the applied values.`,
  ],
  [
    "deep nesting",
    `version: 1\nwebhooks: ${"[".repeat(70)}${"]".repeat(70)}\n`,
    `Error: Nested too deeply [yaml_refused]

  on outreach.yaml:2:75
  2 | webhooks: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
    |                                                                           ^

The file is nested deeper than 64 levels.
A configuration needs no more than ten.`,
  ],
  [
    "tabs",
    "version: 1\nwebhooks:\n\tcrm: {}\n",
    `Error: Invalid YAML [yaml_invalid]

  on outreach.yaml:3:1
  3 | 	crm: {}
    | ^

The line is indented with a tab.
Indent with spaces.`,
  ],
  [
    "a byte order mark",
    `\ufeff${webhook("target_url: http://x.example.com/a")}`,
    `Error: Invalid target URL [target_url_invalid]

  on outreach.yaml:4:17, in outreach_webhook.crm
  4 |     target_url: http://x.example.com/a
    |                 ^

target_url uses http: events carry personal data of leads, and the secret.
Use https; http is accepted for loopback hosts only.`,
  ],
  [
    "CRLF",
    webhook("target_url: http://x.example.com/a").replaceAll("\n", "\r\n"),
    `Error: Invalid target URL [target_url_invalid]

  on outreach.yaml:4:17, in outreach_webhook.crm
  4 |     target_url: http://x.example.com/a
    |                 ^

target_url uses http: events carry personal data of leads, and the secret.
Use https; http is accepted for loopback hosts only.`,
  ],
  [
    "names that are not ASCII",
    "version: 1\nwebhooks: { größe: { typ: x, target_url: https://x.example.com } }\n",
    `Error: Unknown key [unknown_key]

  on outreach.yaml:2:22
  2 | webhooks: { größe: { typ: (sensitive value), target_url: https://x.example.com } }
    |                      ^

"typ" is not a known key in webhooks["größe"].
Did you mean type?`,
  ],
  [
    "__proto__",
    "version: 1\nwebhooks:\n  __proto__: {}\n",
    `Error: Reserved name [yaml_refused]

  on outreach.yaml:3:3
  3 |   __proto__: {}
    |   ^

__proto__ cannot be used as a name.
Choose another name.`,
  ],
  [
    "a bad address in a file",
    "version: 1\nlead_unsubscriptions:\n  a: { campaign_id: cam_1, emails_from: a.csv }\n",
    `Error: Invalid email address [email_invalid]

  on a.csv:2:1, in outreach_lead_unsubscription.a
  2 | ada.example.com
    | ^

The address is not of the form name@host: one @, no white space, brackets or quotes, and a host without empty parts.
Write it as in name@example.com.`,
    { files: { "a.csv": "email\nada.example.com\n" } },
  ],
  [
    "an empty list",
    webhook(URL, "types: []"),
    `Error: Empty fan-out [fan_out_empty]

  on outreach.yaml:5:5, in outreach_webhook.crm
  5 |     types: []
    |     ^

The list for type is empty, so this block declares nothing.
If this is intended, set allow_empty: true in the block.`,
  ],
  [
    "an event type twice",
    webhook(URL, "types: [emailsSent, emailsSent]"),
    `Error: Duplicate value [value_twice]

  on outreach.yaml:5:25, in outreach_webhook.crm
  5 |     types: [emailsSent, emailsSent]
    |                         ^

"emailsSent" appears twice in type: as number 1 and number 2 of the list.
Remove one of them.`,
  ],
];

test.for(MESSAGES)("%s", async ([, source, expected, given]) => {
  const { text } = await checkConfiguration(source, given);
  expect(text.trim()).toBe(expected);
});
