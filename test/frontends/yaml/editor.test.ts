import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { type Editor, openEditor } from "./language-server.ts";

const schema = new URL("../../../schemas/config.schema.json", import.meta.url).pathname;
const HOOK = "version: 1\nwebhooks:\n  crm:\n    target_url: https://x.example.com/a\n";

describe("an editor with the schema", () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor(schema);
  });
  afterAll(() => editor.close());

  test("offers every section at the top", async () => {
    const offered = await editor.complete("version: 1\n|");
    expect(offered).toEqual(expect.arrayContaining(["service", "state", "variables", "data", "webhooks", "lead_unsubscriptions", "outputs", "limits"]));
  });

  test.for<readonly [string, string, readonly string[]]>([
    [
      "a webhook",
      `${HOOK}    |\n`,
      ["type", "types", "campaign", "campaign_id", "campaigns", "secret", "is_first", "allow_duplicate", "rotation", "protect", "allow_empty", "prune"],
    ],
    [
      "a list of leads",
      "version: 1\nlead_unsubscriptions:\n  a:\n    |\n",
      ["campaign", "campaign_id", "campaigns", "email", "emails", "emails_from", "on_not_found", "recheck", "reassert"],
    ],
    ["data", "version: 1\ndata:\n  |\n", ["campaign", "campaigns", "schedules", "warmup_settings", "webhooks"]],
    ["a filter", "version: 1\ndata:\n  campaigns:\n    live:\n      |\n", ["status", "created_by", "labels", "name_regex", "sort_order"]],
    ["a secret", `${HOOK}    secret:\n      |\n`, ["env", "file", "command"]],
    ["the limits", "version: 1\nlimits:\n  |\n", ["delete", "recreate", "unsubscribe", "shrink", "recheck"]],
  ])("offers the keys of %s", async ([, text, expected]) => {
    expect(await editor.complete(text)).toEqual(expect.arrayContaining([...expected]));
  });

  test.for<readonly [string, string, readonly string[]]>([
    ["type", `${HOOK}    type: |\n`, EVENT_TYPES.map(({ name }) => name)],
    ["types", `${HOOK}    types:\n      - |\n`, EVENT_TYPES.map(({ name }) => name)],
    ["a campaign's status", "version: 1\ndata:\n  campaigns:\n    live:\n      status: |\n", ["running", "paused", "draft", "ended", "archived", "errors"]],
    ["rotation", `${HOOK}    rotation: |\n`, ["delete_first", "create_first"]],
    ["on_not_found", "version: 1\nlead_unsubscriptions:\n  a:\n    on_not_found: |\n", ["watch", "accept", "error"]],
    ["version", "version: |\n", ["1"]],
  ])("offers the values of %s", async ([, text, expected]) => {
    expect(await editor.complete(text)).toEqual(expect.arrayContaining([...expected]));
  });

  test.for<readonly [string, string, string]>([
    ["target_url", HOOK.replace("target_url", "target|_url"), "URL that receives the events: https"],
    ["types", `${HOOK}    typ|es: [emailsSent]\n`, "Fan-out over event types: one webhook per type."],
    ["emails_from", "version: 1\nlead_unsubscriptions:\n  a:\n    emails|_from: a.csv\n", "one address per line, or a CSV with an email column"],
    ["webhooks", HOOK.replace("webhooks", "web|hooks"), "Webhooks to manage"],
    ["limits", "version: 1\nlimits:\n  del|ete: 30%\n", "Maximum deletes"],
  ])("says what %s is", async ([, text, expected]) => {
    // The server writes its text as Markdown.
    expect((await editor.hover(text)).replaceAll("&nbsp;", " ").replaceAll("\\", "")).toContain(expected);
  });

  test("underlines what the command would refuse, and nothing of a whole configuration", async () => {
    expect((await editor.problems(`${HOOK}    typ: x\n    is_first: maybe\n`)).toSorted()).toEqual([
      expect.stringMatching(/^5: .*typ/),
      expect.stringMatching(/^6: /),
    ]);
    expect(await editor.problems(WHOLE)).toEqual([]);
  });
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
