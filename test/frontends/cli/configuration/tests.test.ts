import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { stackOf } from "../../cdk/stack.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const CONFIGURATION = `version: 1
variables:
  stage: { default: staging }
data:
  campaign:
    q3: { name: Q3 launch }
  campaigns:
    live: { status: running, labels: [emea] }
webhooks:
  crm:
    target_url: https://crm.example.com/\${var.stage}/replies
    type: emailsReplied
    campaign: q3
    secret: { env: CRM_HOOK_SECRET }
  slack:
    target_url: https://slack.example.com/in
    types: [emailsReplied, emailsBounced]
    campaigns: live
  audit:
    target_url: https://audit.example.com/hook
    is_first: true
`;
const Q3 = "campaigns: [{ id: cam_000001, name: Q3 launch, labels: [emea] }]\n";

/** A project without a service, a key and the secrets. */
async function withTests(files: { readonly [name: string]: string }, configuration = CONFIGURATION): Promise<Project> {
  const project = await openProject();
  Object.assign(project.environment, { OUTREACH_BASE_URL: undefined, OUTREACH_API_KEY: undefined });
  project.write("outreach.yaml", configuration);
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}

function oneTest(event: string, receives: string, more = Q3): string {
  return `version: 1\n${more}tests:\n  t:\n    event: ${event}\n    receives: ${receives}\n`;
}

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, "../../../..", file), "utf8");

describe("outreach test", () => {
  test("says which tests pass, and shows the receivers of those that fail; it needs no service, key, secret or state", async () => {
    const project = await withTests({
      "tests/a.yaml": `version: 1
variables: { stage: production }
${Q3}tests:
  replies of Q3:
    event: { type: emailsReplied, campaign: q3 }
    receives:
      - { url: "https://crm.example.com/production/replies", secret: { env: CRM_HOOK_SECRET } }
      - { webhook: outreach_webhook.slack, secret: none }
      - outreach_webhook.audit
  bounces:
    event: { type: emailsBounced, campaign: Q3 launch, first: false }
    receives: ["https://slack.example.com/on"]
  secrets:
    event: { type: emailsReplied, campaign: cam_000001 }
    receives:
      - { webhook: outreach_webhook.crm, secret: { env: OTHER } }
      - { webhook: 'outreach_webhook.slack["emailsReplied/cam_000001"]', secret: any }
      - { webhook: outreach_webhook.audit, count: 2 }
`,
      "tests/b.yml": oneTest("{ type: emailsReplied, third_party: true }", "[outreach_webhook.audit]"),
      "tests/notes.txt": "not a test",
    });
    expect(await project.run("test")).toEqual({
      code: 1,
      err: "",
      sent: [],
      out: `tests/a.yaml... fail
  replies of Q3... pass
  bounces... fail

    on tests/a.yaml:11:3
    emailsBounced of Q3 launch (cam_000001), not the first one
      - https://slack.example.com/on: expected 1 delivery, got none. Did you mean https://slack.example.com/in?
      + https://slack.example.com/in: expected none, got 1 from outreach_webhook.slack["emailsBounced/cam_000001"]

  secrets... fail

    on tests/a.yaml:14:3
    emailsReplied of Q3 launch (cam_000001)
      ~ outreach_webhook.crm: expected the environment variable OTHER, but outreach_webhook.crm has the environment variable CRM_HOOK_SECRET
      ~ outreach_webhook.slack["emailsReplied/cam_000001"]: expected any secret, but outreach_webhook.slack["emailsReplied/cam_000001"] has no secret
      - outreach_webhook.audit: expected 2 deliveries, got 1

tests/b.yml... pass
  t... pass

Failure! 2 passed, 2 failed.
`,
    });
    expect(await project.run("test tests/b.yml")).toMatchObject({
      code: 0,
      out: "tests/b.yml... pass\n  t... pass\n\nSuccess! 1 passed, 0 failed.\n",
      err: "",
    });
    expect(Object.keys(project.files())).not.toContain("outreach.state.json");
  });

  test("counts each delivery to a URL", async () => {
    const doubled = `version: 1\nwebhooks:\n  a: { target_url: "https://crm.example.com/hook" }\n  b: { target_url: "https://crm.example.com:443/hook", type: warmed }\n`;
    const url = "https://CRM.example.com/hook";
    const project = await withTests(
      {
        "tests/a.yaml": `version: 1\ntests:\n  twice: { event: { type: warmed }, receives: [{ url: "${url}", count: 2 }] }\n  once: { event: { type: warmed }, receives: ["${url}"] }\n`,
      },
      doubled,
    );
    const { code, out } = await project.run("test");
    expect(code).toBe(1);
    expect(out).toContain("  twice... pass\n  once... fail\n");
    expect(out).toContain(`      + ${url}: expected 1 delivery, got 2 from outreach_webhook.a, outreach_webhook.b\n`);
  });

  test.for<readonly [what: string, file: string, code: string, ...said: readonly string[]]>([
    [
      "an unknown type",
      oneTest("{ type: emailReplied }", "[]"),
      "event_type_unknown",
      "on tests/a.yaml:5:20",
      "Did you mean emailsReplied?",
    ],
    ["a removed type", oneTest("{ type: emailsSendFailed }", "[]"), "event_type_removed", "Use emailsFailed instead."],
    [
      "an unknown campaign",
      oneTest("{ type: annotated, campaign: Q3 lunch }", "[]"),
      "test_campaign_unknown",
      "tests/a.yaml:5:41",
      "Did you mean Q3 launch?",
    ],
    [
      "a short address",
      oneTest("{ type: annotated }", "[audit]"),
      "test_webhook_unknown",
      "tests/a.yaml:6:16",
      "Did you mean outreach_webhook.audit?",
    ],
    [
      "an unknown instance",
      oneTest("{ type: annotated }", `['outreach_webhook.slack["annotated"]']`),
      "test_webhook_unknown",
      "no webhook outreach_webhook.slack[",
    ],
    [
      "an expression",
      oneTest("{ type: annotated }", '["https://a.example.com/${var.stage}"]'),
      "test_receiver_invalid",
      "test files have none",
    ],
    [
      "a text that is no URL",
      oneTest("{ type: annotated }", '["https://"]'),
      "test_receiver_invalid",
      "Write it as in target_url.",
    ],
    [
      "two targets",
      oneTest("{ type: annotated }", '[{ url: "https://a.example.com", webhook: b }]'),
      "test_receiver_invalid",
      "exactly one of url and webhook",
    ],
    [
      "no target",
      oneTest("{ type: annotated }", "[{ count: 2 }]"),
      "test_receiver_invalid",
      "exactly one of url and webhook",
    ],
    [
      "a receiver twice",
      oneTest("{ type: annotated }", "[outreach_webhook.audit, outreach_webhook.audit]"),
      "test_receiver_twice",
      "count: 2",
    ],
    [
      "a literal secret",
      oneTest("{ type: annotated }", "[{ webhook: outreach_webhook.audit, secret: hunter2 }]"),
      "schema_invalid",
      "{ env: NAME }, or any, or none",
    ],
    [
      "a third-party reply with a campaign",
      oneTest("{ type: emailsReplied, third_party: true, campaign: q3 }", "[]"),
      "test_event_invalid",
      "Remove campaign.",
    ],
    [
      "another third-party event",
      oneTest("{ type: annotated, third_party: true }", "[]"),
      "test_event_invalid",
      "Remove third_party.",
    ],
    ["an unknown key", oneTest("{ typ: annotated }", "[]"), "unknown_key", "Did you mean type?"],
    ["no type", oneTest("{ campaign: q3 }", "[]"), "schema_invalid", "tests.t.event must have type"],
    [
      "no receivers",
      `version: 1\n${Q3}tests:\n  t: { event: { type: annotated } }\n`,
      "schema_invalid",
      "tests.t must have receives",
    ],
    ["no version", "tests: {}\n", "schema_invalid", "The test file must have version"],
    ["an empty file", "", "tests_missing", "Begin it with version: 1"],
    ["no tests", "version: 1\ntests: {}\n", "tests_missing", "tests/a.yaml has no tests."],
    ["a list", "- a\n", "wrong_type", "Not a test file"],
    ["a broken file", "version: 1\ntests: [\n", "yaml_invalid", "tests/a.yaml:"],
    [
      "a campaign that the configuration needs",
      oneTest("{ type: annotated }", "[]", ""),
      "test_campaign_missing",
      "- { id: cam_000001, name: Q3 launch }",
      "in data.outreach_campaign.q3",
    ],
    [
      "an id that is none",
      oneTest("{ type: annotated }", "[]", "campaigns: [{ id: 1st, name: Q3 launch }]\n"),
      "campaign_id_invalid",
      "tests/a.yaml:2:13",
    ],
    [
      "an id twice",
      oneTest("{ type: annotated }", "[]", "campaigns: [{ id: cam_1, name: Q3 launch }, { id: cam_1, name: b }]\n"),
      "test_campaign_twice",
    ],
    [
      "a name of two campaigns",
      oneTest(
        "{ type: annotated, campaign: b }",
        "[]",
        "campaigns: [{ id: cam_1, name: Q3 launch, labels: [emea] }, { id: cam_2, name: b }, { id: cam_3, name: b }]\n",
      ),
      "test_campaign_ambiguous",
      "cam_2 and cam_3",
    ],
    [
      "an undeclared variable",
      oneTest("{ type: annotated }", "[]", `variables: { stge: a }\n${Q3}`),
      "variable_undeclared",
      "tests/a.yaml:2:14",
    ],
    [
      "a variable that is no plain value",
      oneTest("{ type: annotated }", "[]", `variables: { stage: [a] }\n${Q3}`),
      "wrong_type",
      "variables.stage must be",
    ],
    ["an unknown team", oneTest("{ type: annotated }", "[]", `team: emea\n${Q3}`), "team_unknown"],
  ])("%s is an error, and no test passes", async ([, file, code, ...said]) => {
    const project = await withTests({ "tests/a.yaml": file });
    const ran = await project.run("test");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`[${code}]`);
    for (const text of said) expect(ran.err).toContain(text);
    expect(ran.err).not.toContain("hunter2");
    expect(ran.out).toMatch(
      /^tests\/a\.yaml\.\.\. error\n(?: {2}t\.\.\. error\n)?\nFailure! 0 passed, 0 failed, 1 could not run\.\n$/,
    );
    expect(ran.sent).toEqual([]);
  });

  test("a mistake in one test does not keep the others from running", async () => {
    const project = await withTests({
      "tests/a.yaml": `version: 1\n${Q3}tests:\n  wrong: { event: { type: none }, receives: [] }\n  right: { event: { type: annotated }, receives: [outreach_webhook.audit] }\n`,
    });
    expect((await project.run("test")).out).toBe(
      "tests/a.yaml... error\n  wrong... error\n  right... pass\n\nFailure! 1 passed, 0 failed, 1 could not run.\n",
    );
  });

  test("an event of a campaign whose type has none in our reading is a warning", async () => {
    const project = await withTests({
      "tests/a.yaml": oneTest("{ type: connectionIssue, campaign: q3 }", "[outreach_webhook.audit]"),
    });
    const { code, err } = await project.run("test");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("Warning: An event without a campaign [test_event_campaign]"),
    ]);
  });

  test.for<readonly [what: string, line: string, ...said: readonly string[]]>([
    ["no folder", "test", "The folder tests does not exist.", "receives: [https://crm.example.com/replies]"],
    ["a file that does not exist", "test nowhere.yaml", "The file nowhere.yaml does not exist."],
    ["an empty folder", "test empty", "The folder empty has no test file"],
    ["no configuration", "test -c nowhere.yaml", "The file nowhere.yaml does not exist."],
    ["a report in no folder", "test --junit-xml nowhere/r.xml", "The folder of nowhere/r.xml does not exist."],
    ["a report in place of another file", "test --junit-xml outreach.yaml", "outreach.yaml exists and is not XML"],
  ])("%s is an error", async ([, line, ...said]) => {
    const project = await withTests({ "empty/notes.txt": "" });
    const { code, err, out } = await project.run(line);
    expect([code, out]).toEqual([1, ""]);
    for (const text of said) expect(err).toContain(text);
  });

  test("a value that only the service knows is an error, where a webhook depends on it", async () => {
    const stack = (url: string): string =>
      stackOf({
        data: { outreach_warmup_settings: { w: { user_mailbox_id: "usm_1" } } },
        resource: { outreach_webhook: { a: { target_url: url } } },
      });
    const project = await withTests({ "tests/a.yaml": oneTest("{ type: annotated }", "[outreach_webhook.a]", "") });
    project.write("stack/cdk.tf.json", stack("https://a.example.com/${data.outreach_warmup_settings.w.daily_limit}"));
    const { code, err } = await project.run("test -c stack");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("target_url depends on a value that is known only from the service."),
    ]);
    project.write("stack/cdk.tf.json", stack("https://a.example.com/"));
    expect(await project.run("test -c stack")).toMatchObject({ code: 0, err: "" });
  });

  test.for(["has_error", "errors", "schedule_ids", "team_id", "created_at", "created_by", "sequence_id"])(
    "%s of a campaign is unknown: the test file does not give it",
    async (field) => {
      const url = (value: string): string => `https://a.example.com/\${${value} == null ? "bad" : "good"}`;
      const urls = [
        url(`data.outreach_campaign.q3.${field}`),
        url(`data.outreach_campaigns.all.campaigns[0].${field}`),
      ];
      const data = { outreach_campaign: { q3: { name: "Q3 launch" } }, outreach_campaigns: { all: {} } };
      const project = await withTests({ "tests/a.yaml": oneTest("{ type: annotated }", "[outreach_webhook.a]") });
      for (const target_url of urls) {
        project.write("stack/cdk.tf.json", stackOf({ data, resource: { outreach_webhook: { a: { target_url } } } }));
        const { code, err } = await project.run("test -c stack");
        expect([code, err]).toEqual([1, expect.stringContaining("[test_value_unknown]")]);
      }
    },
  );

  test("what a test file gives of a campaign is known", async () => {
    const target_url =
      "https://a.example.com/${data.outreach_campaign.q3.status}/${data.outreach_campaign.q3.labels[0]}/${data.outreach_campaign.q3.created_by}";
    const data = { outreach_campaign: { q3: { name: "Q3 launch" } } };
    const campaigns =
      "campaigns: [{ id: cam_000001, name: Q3 launch, status: paused, labels: [emea], created_by: usr_1 }]\n";
    const project = await withTests({
      "tests/a.yaml": oneTest("{ type: annotated }", '["https://a.example.com/paused/emea/usr_1"]', campaigns),
    });
    project.write("stack/cdk.tf.json", stackOf({ data, resource: { outreach_webhook: { a: { target_url } } } }));
    expect(await project.run("test -c stack")).toMatchObject({ code: 0, err: "" });
  });

  test.for([
    ["asc", "cam_1"],
    ["desc", "cam_2"],
  ] as const)("campaigns are listed in the order of their creation: %s begins with %s", async ([sort_order, first]) => {
    const target_url = "https://a.example.com/${data.outreach_campaigns.all.ids[0]}";
    const campaigns = "campaigns: [{ id: cam_1, name: a }, { id: cam_2, name: b }]\n";
    const project = await withTests({
      "tests/a.yaml": oneTest("{ type: annotated }", `["https://a.example.com/${first}"]`, campaigns),
    });
    project.write(
      "stack/cdk.tf.json",
      stackOf({
        data: { outreach_campaigns: { all: { sort_order } } },
        resource: { outreach_webhook: { a: { target_url } } },
      }),
    );
    expect(await project.run("test -c stack")).toMatchObject({ code: 0, err: "" });
  });

  test.for([
    ["a URL in another form", '["https://audit.example.com/hook", "https://AUDIT.example.com:443/hook"]'],
    ["a webhook and its URL", '["https://audit.example.com/hook", outreach_webhook.audit]'],
    ["the URL of a webhook and the webhook", '[outreach_webhook.audit, "https://AUDIT.example.com/hook"]'],
    [
      "a block and one of its instances",
      `[outreach_webhook.slack, 'outreach_webhook.slack["emailsReplied/cam_000001"]']`,
    ],
  ] as const)("%s would count one delivery twice, and is an error", async ([, receives]) => {
    const project = await withTests({ "tests/a.yaml": oneTest("{ type: emailsReplied, campaign: q3 }", receives) });
    const { code, err } = await project.run("test");
    expect([code, err]).toEqual([1, expect.stringContaining("[test_receiver_twice]")]);
    expect(err).toContain("stand for the same delivery, which would count twice.");
  });

  test("the folder of a configuration has its tests below it, and is not merged with them", async () => {
    const project = await withTests({
      "infra/a.yaml": CONFIGURATION,
      "infra/tests/t.yaml": oneTest("{ type: annotated }", "[outreach_webhook.audit]"),
    });
    expect(await project.run("test -c infra")).toMatchObject({
      code: 0,
      out: expect.stringContaining("infra/tests/t.yaml... pass\n") as string,
    });
    expect(await project.run("validate -c infra")).toMatchObject({ code: 0, err: "" });
    expect(await project.run("test -c infra infra/tests infra/tests/t.yaml")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 passed, 0 failed") as string,
    });
  });

  test("a test file names its team, and its variables take precedence", async () => {
    const teams = `version: 1
variables:
  stage: { default: staging }
teams:
  apac: { api_key: { env: APAC } }
  emea: { api_key: { env: EMEA }, variables: { stage: production } }
webhooks:
  a: { target_url: "https://\${team.name}.example.com/\${var.stage}" }
`;
    const of = (more: string, url: string): string => oneTest("{ type: annotated }", `["https://${url}"]`, more);
    const project = await withTests(
      {
        "tests/apac.yaml": of("team: apac\nvariables: { stage: test }\n", "apac.example.com/test"),
        "tests/emea.yaml": of("team: emea\n", "emea.example.com/production"),
      },
      teams,
    );
    expect(await project.run("test", { OUTREACH_VAR_other: "x" })).toMatchObject({ code: 0, err: "" });
    expect(await project.run("test --var stage=other --team apac")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^tests\/apac.yaml.*\n.*\n\nSuccess! 1 passed/) as string,
    });
    project.write("tests/apac.yaml", of("", "apac.example.com/test"));
    expect((await project.run("test")).err).toContain("[team_required]");
  });

  test("no report shows a value of a sensitive variable", async () => {
    const configuration = `version: 1\nvariables:\n  token: { sensitive: true }\nwebhooks:\n  a: { target_url: "https://a.example.com/\${var.token}" }\n`;
    const project = await withTests(
      { "tests/a.yaml": oneTest("{ type: annotated }", "[]", "variables: { token: s3cr3t-value }\n") },
      configuration,
    );
    for (const line of ["test --junit-xml r.xml", "test --json", "test --format markdown"]) {
      const { code, out, err } = await project.run(line);
      expect([line, code, out + err]).toEqual([line, 1, expect.not.stringContaining("s3cr3t-value")]);
      expect(out).toContain("https://a.example.com/");
    }
    expect(project.read("r.xml")).not.toContain("s3cr3t-value");
  });
});

describe("reports", () => {
  const HOSTILE = `version: 1\n${Q3}tests:\n  "<b>&\\"a|b@c\\"": { event: { type: annotated }, receives: [] }\n  typo: { event: { type: anotated }, receives: [] }\n  ok: { event: { type: annotated }, receives: [outreach_webhook.audit] }\n`;

  test("in JUnit's format are for a CI, and replace only an earlier one", async () => {
    const project = await withTests({ "tests/a.yaml": HOSTILE, "tests/b.yaml": "" });
    for (let count = 0; count < 2; count++) expect((await project.run("test --junit-xml r.xml")).code).toBe(1);
    expect(project.read("r.xml")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="tests/a.yaml" tests="3" skipped="0" failures="1" errors="1">
    <testcase name="&lt;b&gt;&amp;&quot;a|b@c&quot;" classname="tests/a.yaml">
      <failure message="Other receivers than expected">tests/a.yaml:4:3
annotated
+ https://audit.example.com/hook: expected none, got 1 from outreach_webhook.audit</failure>
    </testcase>
    <testcase name="typo" classname="tests/a.yaml">
      <error message="The test could not run">Error: Unknown event type [event_type_unknown]

  on tests/a.yaml:5:26
  5 |   typo: { event: { type: anotated }, receives: [] }
    |                          ^

The service has no event type &quot;anotated&quot;.
Did you mean annotated?</error>
    </testcase>
    <testcase name="ok" classname="tests/a.yaml"></testcase>
  </testsuite>
  <testsuite name="tests/b.yaml" tests="1" skipped="0" failures="0" errors="1">
    <testcase name="tests/b.yaml" classname="tests/b.yaml">
      <error message="The test could not run">Error: No tests [tests_missing]

  on tests/b.yaml

tests/b.yaml is empty.
Begin it with version: 1, and write tests under tests.</error>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  test("in XML have no character that XML does not have", async () => {
    const project = await withTests({
      "tests/a.yaml": `version: 1\n${Q3}tests:\n  "a\\uFFFE\\uFFFFb": { event: { type: annotated }, receives: [] }\n`,
    });
    await project.run("test --junit-xml r.xml");
    expect(project.read("r.xml")).toContain('name="a\u{fffd}\u{fffd}b"');
  });

  test("in Markdown show a name of a test literally", async () => {
    const project = await withTests({ "tests/a.yaml": HOSTILE });
    const { out } = await project.run("test --format markdown");
    expect(out).toContain("### Tests failed\n\n**1 passed, 1 failed, 1 could not run**\n");
    expect(out).toContain("#### 3 tests in `tests/a.yaml`\n");
    expect(out).toContain('| `<b>&"a`&#124;`b@c"` | fail | `annotated` |');
    expect(out).not.toMatch(/^[^`]*<b>/m);
  });

  test("in JSON have what people see", async () => {
    const project = await withTests({ "tests/a.yaml": HOSTILE });
    const { code, out, err } = await project.run("test --json");
    expect([code, err]).toEqual([1, ""]);
    const validate = new Ajv.default({ strict: false }).compile(
      JSON.parse(read("schemas/tests-report.schema.json")) as object,
    );
    expect([validate(JSON.parse(out)), validate.errors]).toEqual([true, null]);
    expect(JSON.parse(out)).toMatchObject({
      format_version: "1.0",
      status: "fail",
      summary: { passed: 1, failed: 1, errored: 1 },
      files: [
        {
          file: "tests/a.yaml",
          status: "error",
          tests: [
            {
              status: "fail",
              line: 4,
              event: { type: "annotated", campaign_id: null, first: true, third_party: false },
              receivers: [
                {
                  target: "https://audit.example.com/hook",
                  met: false,
                  expected: 0,
                  delivered: 1,
                  webhooks: ["outreach_webhook.audit"],
                  secret: null,
                },
              ],
            },
            { name: "typo", status: "error", event: null, receivers: [] },
            { name: "ok", status: "pass" },
          ],
          diagnostics: [
            { severity: "error", summary: "Unknown event type", range: { start: { line: 5, column: 26 } } },
          ],
        },
      ],
    });
  });
});

test("the schema for editors accepts the example, and knows the keys and the types", () => {
  const ajv = new Ajv.default({ strict: false });
  const validate = ajv.compile(JSON.parse(read("schemas/tests.schema.json")) as object);
  const example = parse(read("examples/configuration-tests/tests/receivers.yaml")) as { readonly tests: object };
  expect([validate(example), validate.errors]).toEqual([true, null]);
  for (const wrong of [
    { tests: {} },
    { version: 1 },
    { version: 1, tests: { a: { event: { type: "annotated" } } } },
    { ...example, team: "A b" },
  ])
    expect(validate(wrong), JSON.stringify(wrong)).toBe(false);
  expect(read("schemas/tests.schema.json")).toContain('"emailsReplied"');
});
