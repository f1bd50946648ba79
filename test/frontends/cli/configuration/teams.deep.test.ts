import { describe, expect, test } from "vitest";
import { type Project, needsTerminal, runOnTerminal, until, useProjects } from "../project.ts";

const openProject = useProjects();

const TEAMS = `teams:
  emea:
    api_key: { env: KEY_EMEA }
    variables: { crm: crm-emea.example.com }
  apac:
    api_key: { env: KEY_APAC }
`;
const WEBHOOK = "  crm: { target_url: 'https://${var.crm}/${team.name}', type: emailsReplied }\n";

/** Two teams of the sandbox, each with its own key. */
function withTeams({ teams = TEAMS, webhooks = WEBHOOK, rest = "" } = {}): string {
  return `version: 1\nvariables:\n  crm: { default: crm.example.com }\n${teams}${rest}webhooks:\n${webhooks}`;
}

async function openTeams(
  parts: Parameters<typeof withTeams>[0] = {},
  options: Parameters<typeof openProject>[0] = {},
): Promise<Project> {
  const project = await openProject(options);
  const { keys } = project.sandbox;
  Object.assign(project.environment, { KEY_EMEA: keys.good, KEY_APAC: keys.otherTeam, OUTREACH_API_KEY: undefined });
  project.write("outreach.yaml", withTeams(parts));
  return project;
}

const targets = (project: Project): readonly string[] =>
  project.sandbox
    .webhooks()
    .map(({ targetUrl }) => targetUrl)
    .toSorted();
/** One note for all teams. */
const SOME_WITHOUT_STATE = expect.stringMatching(
  /^\nNote: No state exists yet \[state_missing\]\n\nThe state \S+ does not exist: outreach manages nothing yet\.\n\d+ teams have such a note: .*\n\n$/,
) as string;
const PLANNED = "Plan: 1 to add, 0 to change, 0 to destroy.";

describe("a configuration with teams", () => {
  test("is planned and applied for each, with its own key, values and state, in the declared order", async () => {
    const project = await openTeams();
    const planned = await project.run("plan --detailed-exitcode");
    expect(planned, planned.err).toMatchObject({ code: 2, err: SOME_WITHOUT_STATE });
    expect(planned.out.match(/^(?:=== .*|Plan: .*|.*target_url.*)$/gm)).toEqual([
      "=== Team emea ===",
      '      + target_url = "https://crm-emea.example.com/emea"',
      PLANNED,
      "=== Team apac ===",
      '      + target_url = "https://crm.example.com/apac"',
      PLANNED,
      "=== All teams ===",
    ]);
    expect(planned.out).toMatch(/TEAM {2}RESULT\nemea {2}Plan: 1 to add, .*\napac {2}Plan: 1 to add, .*\n$/);
    const applied = await project.run("apply --auto-approve");
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(applied.out).toMatch(/^\[emea\] outreach_webhook\.crm: Creating\.\.\.$/m);
    expect(applied.out).toMatch(/^apac {2}Apply complete! Resources: 1 added, 0 changed, 0 destroyed\.$/m);
    expect(targets(project)).toEqual(["https://crm-emea.example.com/emea", "https://crm.example.com/apac"]);
    expect(Object.keys(project.files())).toEqual(
      expect.arrayContaining(["outreach.apac.state.json", "outreach.emea.state.json"]),
    );
    expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
    expect(await project.run("refresh")).toMatchObject({ code: 0 });
    expect(await project.run("drift")).toMatchObject({ code: 0 });
    expect((await project.run("destroy --auto-approve")).out).toMatch(
      /^emea {2}Destroy complete! Resources: 1 destroyed\.$/m,
    );
    expect(project.sandbox.webhooks()).toEqual([]);
  });

  test("a team that fails stops no other, and the worst exit code counts", async () => {
    const project = await openTeams();
    const wrong = { KEY_EMEA: "wrong" };
    const planned = await project.run("plan --detailed-exitcode", wrong);
    expect(planned.code).toBe(1);
    expect(planned.err).toMatch(
      /^\n=== Team emea ===\n\nError: The service refused the request \[service_\(sensitive value\)_key\]\n/,
    );
    expect(planned.out).toMatch(/^emea {2}Failed\.\napac {2}Plan: 1 to add/m);
    expect(await project.run("apply --auto-approve", wrong)).toMatchObject({ code: 1 });
    expect(targets(project)).toEqual(["https://crm.example.com/apac"]);
  });

  test("an undecided outcome of one team is worse than the error of another", async () => {
    const project = await openTeams({ teams: `${TEAMS}  us: { api_key: { env: KEY_EMEA } }\n` });
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST", times: 1 });
    project.sandbox.addFault({
      action: { kind: "answer", status: 200, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 2,
    });
    const applied = await project.run("apply --auto-approve", { KEY_APAC: "wrong" });
    expect(applied.code, applied.err).toBe(3);
    expect(applied.out).toMatch(/^apac {2}Failed\.$/m);
    project.sandbox.clearFaults();
  });

  test("errors that are the same for all teams are shown once", async () => {
    const project = await openTeams({ webhooks: WEBHOOK.replace("crm }", "crm}").replace("${var.crm}", "${var.cmr}") });
    const { code, err, out } = await project.run("plan");
    expect(code).toBe(1);
    expect(err.match(/Did you mean var\.crm\?/g)).toHaveLength(1);
    expect(err).toContain("=== Team apac ===\n\nThe same errors as for the team emea.\n");
    expect(out).toContain("emea  Failed.\napac  Failed.\n");
  });

  test("is read once: a change of the file while a run is under way concerns none of its teams", async () => {
    const more = Array.from(
      { length: 4 },
      (_, index) => `  more-${String(index)}: { api_key: { env: KEY_APAC } }\n`,
    ).join("");
    const secret = `{ command: [node, -e, "require('fs').writeFileSync('outreach.yaml', 'no configuration'); console.log('a secret')"] }`;
    const project = await openTeams({
      teams: `${TEAMS}${more}`,
      webhooks: WEBHOOK.replace(" }\n", `, secret: ${secret} }\n`),
    });
    const planned = await project.run("plan");
    expect(planned, planned.err).toMatchObject({ code: 0, err: SOME_WITHOUT_STATE });
    expect(planned.out.match(new RegExp(PLANNED, "g"))?.length).toBe(12);
    expect(project.files()["outreach.yaml"]).toBe("no configuration");
  });

  test("a broken file is reported once, without teams", async () => {
    const project = await openTeams({ teams: TEAMS.replace("apac:", "APAC:") });
    const { code, err, out } = await project.run("validate");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Error: Invalid name \[name_invalid\]\n\n {2}on outreach\.yaml:8:3\n/);
    expect(err).toContain(
      "Names of teams are lower-case letters, digits, - and _, at most 63: they are parts of file names.",
    );
  });
});

describe("--team", () => {
  test("picks teams, which are still in the declared order; a single one prints no heading", async () => {
    const project = await openTeams({ teams: `${TEAMS}  us: { api_key: { env: KEY_APAC } }\n` });
    expect((await project.run("plan --team apac --team emea")).out.match(/=== Team \w+ ===/g)).toEqual([
      "=== Team emea ===",
      "=== Team apac ===",
    ]);
    const one = await project.run("plan --team apac");
    expect(one.out).not.toContain("===");
    expect(one.out).toContain("https://crm.example.com/apac");
    expect(one.sent).toEqual(["GET /hooks 200"]);
  });

  test.each([
    ["--team emae", "Did you mean --team emea?"],
    ["--team other", "The configuration declares emea, apac."],
    ["--team emea,apac", "To name several, repeat the option: --team NAME --team NAME."],
  ])("%s is refused", async (words, message) => {
    const { code, err } = await (await openTeams()).run(`plan ${words}`);
    expect(code).toBe(1);
    expect(err).toContain("Error: Team not found");
    expect(err).toContain(message);
  });

  test("is refused where the configuration has no teams", async () => {
    const project = await openTeams({ teams: "", webhooks: "  crm: { target_url: https://crm.example.com }\n" });
    expect((await project.run("plan --team emea")).err).toContain("The configuration declares no teams.\nOmit --team");
  });

  test("is needed by commands about one state", async () => {
    const project = await openTeams();
    await project.run("apply --auto-approve");
    const address = "outreach_webhook.crm";
    const commands = [
      "state list",
      "output",
      "show",
      "get webhooks",
      `import ${address} hoo_1`,
      "state pull",
      "generate --from-state --to hcl",
      `explain ${address}`,
    ];
    for (const command of commands) {
      const { code, err, sent } = await project.run(command);
      expect([code, sent]).toEqual([1, []]);
      expect(err).toContain(
        "This command is about one team, but the configuration has 2: emea, apac.\nName one, as in --team emea.",
      );
      const named = await project.run(`${command} --team apac`);
      expect(named.err).not.toContain("This command is about one team");
    }
  });

  test("is part of the commands in hints", async () => {
    const project = await openTeams();
    project.sandbox.add("webhooks", {
      _id: "hoo_theirs",
      teamId: "tea_000002",
      targetUrl: "https://crm.example.com/apac",
      type: "emailsReplied",
    });
    const { err } = await project.run("plan");
    expect(err).toContain("outreach import --team apac outreach_webhook.crm hoo_theirs");
  });
});

describe("the values of a team", () => {
  test("give way to those from outside", async () => {
    const project = await openTeams();
    expect((await project.run("plan --var crm=here.example.com")).out.match(/https:\S+(?=")/g)).toEqual([
      "https://here.example.com/emea",
      "https://here.example.com/apac",
    ]);
    expect((await project.run("plan", { OUTREACH_VAR_crm: "there.example.com" })).out).toContain(
      "https://there.example.com/emea",
    );
  });

  test("must be of declared variables, and allowed; mistakes name their places", async () => {
    const project = await openTeams({ teams: TEAMS.replace("{ crm:", "{ cmr:") });
    expect((await project.run("validate")).err).toMatch(
      /Error: Value for undeclared variable \[variable_undeclared\]\n\n {2}on outreach\.yaml:7:23\n[^]*Did you mean crm\?/,
    );
    project.write(
      "outreach.yaml",
      withTeams().replace("{ default: crm.example.com }", "{ default: crm.example.com, allowed: [crm.example.com] }"),
    );
    const { err, out } = await project.run("validate");
    expect(err).toMatch(
      /=== Team emea ===\n\nError: Value not allowed for variable \[variable_not_allowed\]\n\n {2}on outreach\.yaml:7:23\n/,
    );
    expect(err).toContain("The value comes from teams.emea.variables.");
    expect(out).toContain("emea  Failed.\napac  Done.\n");
  });

  test("team.name is known in settings, secrets, files, outputs and checks", async () => {
    const rest = `service: { api_key: { env: "KEY_\${upper(team.name)}" } }
state: { path: "states/\${team.name}.json" }
data: { campaigns: { live: { status: running } } }
outputs: { team: "\${team.name}" }
checks: { named: { condition: '\${team.name != "apac"}', message: "Not \${team.name}." } }
lead_unsubscriptions: { all: { campaigns: live, allow_empty: true, emails_from: "leads/\${team.name}.csv" } }
`;
    const project = await openTeams({
      teams: "teams: { emea: , apac: }\n",
      rest,
      webhooks: WEBHOOK.replace("type:", 'secret: { env: "HOOK_${team.name}" }, type:'),
    });
    project.write("leads/emea.csv", "grace@example.com\n");
    project.write("leads/apac.csv", "ada@example.com\n");
    project.write("states/.keep", "");
    const { err, out } = await project.run("plan --show-emails", { HOOK_emea: "one-secret", HOOK_apac: "another" });
    expect(err).toContain("Warning: Check named failed");
    expect(err).toContain("Not apac.");
    expect(out).toMatch(/all\["cam_\w+\/grace@example.com"\][^]*\+ team = "emea"[^]*=== Team apac/);
    const without = await project.run("validate --team emea");
    expect(without, without.err).toMatchObject({ code: 0 });
  });

  test("team has only a name, and none without teams", async () => {
    const project = await openTeams({ webhooks: WEBHOOK.replace("team.name", "team.key") });
    expect((await project.run("validate")).err).toContain("team.key does not exist: a team only has team.name.");
    project.write("outreach.yaml", withTeams({ teams: "" }));
    expect((await project.run("validate")).err).toContain(
      "The configuration declares no teams, so team.name has no value.",
    );
  });
});

describe("one team sees nothing of another", () => {
  test("a webhook's secret must not be the key of any team", async () => {
    const project = await openTeams({ webhooks: WEBHOOK.replace("type:", "secret: { env: KEY_EMEA }, type:") });
    const { err } = await project.run("validate --team apac");
    expect(err).toContain("Error: API key used as a webhook's secret");
  });

  test("a program that prints a secret sees neither keys nor secrets of other teams", async () => {
    const secret = `secret: { env: "HOOK_\${team.name}" }, type:`;
    const program = `  seen: { target_url: 'https://\${var.crm}/seen', secret: { command: [sh, -c, 'env > seen.txt; echo x'] } }\n`;
    const project = await openTeams({ webhooks: WEBHOOK.replace("type:", secret) + program });
    const { code, err } = await project.run("plan --team apac", {
      HOOK_apac: "one-secret",
      HOOK_emea: "another",
      PLAIN: "yes",
    });
    expect(code, err).toBe(0);
    expect(project.read("seen.txt")).toContain("PLAIN=yes");
    expect(project.read("seen.txt")).not.toMatch(/KEY_|HOOK_/);
  });

  test.each(["--team apac ", ""])("also where variables of a saved plan name these secrets: apply %s", async (team) => {
    const secret = `secret: { env: "HOOK_\${team.name}_\${var.crm}" }, type:`;
    const program = `  seen: { target_url: 'https://crm.example.com/seen', secret: { command: [sh, -c, 'env >> seen.txt; echo x'] } }\n`;
    const project = await openTeams({
      teams: TEAMS.replace(/ +variables:.*\n/, ""),
      webhooks: WEBHOOK.replace("https://${var.crm}", "https://crm.example.com").replace("type:", secret) + program,
    });
    Object.assign(project.environment, { HOOK_apac_new: "one-secret", HOOK_emea_new: "another" });
    await project.run(`plan ${team}--var crm=new --out saved.plan`);
    project.remove("seen.txt");
    const applied = await project.run(`apply ${team}saved.plan`);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(project.read("seen.txt")).not.toMatch(/KEY_|HOOK_/);
  });

  test("also where the plan of another team, which fails, has other variables", async () => {
    const secret = `secret: { env: "HOOK_\${team.name}_\${var.crm}" }, type:`;
    const program = `  seen: { target_url: 'https://crm.example.com/seen', secret: { command: [sh, -c, 'env >> seen.txt; echo x'] } }\n`;
    const project = await openTeams({
      teams: TEAMS.replace(/ +variables:.*\n/, ""),
      webhooks: WEBHOOK.replace("https://${var.crm}", "https://crm.example.com").replace("type:", secret) + program,
    });
    for (const name of ["HOOK_emea_old", "HOOK_emea_new", "HOOK_apac_new"]) project.environment[name] = `of ${name}`;
    await project.run("plan --team emea --var crm=old --out emea.plan");
    await project.run("plan --var crm=new --out plans");
    project.write("plans/emea.plan", project.read("emea.plan"));
    project.remove("seen.txt");
    const applied = await project.run("apply plans", { KEY_EMEA: "" });
    expect(applied.code, applied.err).toBe(1);
    expect(applied.out).toContain("apac");
    expect(project.read("seen.txt")).not.toMatch(/KEY_|HOOK_\w+_new/);
  });
});

describe("the state of each team", () => {
  test("must not be the same", async () => {
    const project = await openTeams({ rest: "state: { path: common.json }\n" });
    const { code, err, sent } = await project.run("plan");
    expect([code, sent]).toEqual([1, []]);
    expect(err).toMatch(/^Error: All teams would share one state \[state_shared\]\n\n {2}on outreach\.yaml:10:16\n/);
    expect(err).toContain("Add the team's name to state.path, as in path: outreach.${team.name}.state.json.");
    // A function may make the same of two names.
    project.write("outreach.yaml", withTeams({ rest: "state: { path: 'x.${substr(team.name, 1, 1)}.json' }\n" }));
    expect((await project.run("validate")).err).toContain("All teams would share one state");
    project.write("outreach.yaml", withTeams({ rest: "state: { path: common.json }\n" }));
    for (const words of ["state list --team emea", "plan --team emea"])
      expect((await project.run(words)).err).toContain("share one state");
    project.write(
      "outreach.yaml",
      withTeams({ rest: "state: { backend: pg, url: { env: PG_URL }, schema: outreach }\n" }),
    );
    expect((await project.run("validate")).err).toContain("no url, schema, name contains ${team.name}");
  });

  test("is not that of --state or OUTREACH_STATE, unless one team is named", async () => {
    const project = await openTeams();
    expect((await project.run("plan --state one.json")).err).toContain(
      "--state and OUTREACH_STATE name one state, but this command runs for emea, apac.",
    );
    expect((await project.run("plan", { OUTREACH_STATE: "one.json" })).code).toBe(1);
    expect(await project.run("apply --team emea --auto-approve --state one.json")).toMatchObject({ code: 0 });
    expect(await project.run("state list --state one.json")).toMatchObject({ code: 0, out: "outreach_webhook.crm\n" });
  });

  test("does not begin anew where the configuration had one before its teams", async () => {
    const project = await openTeams({ teams: "", webhooks: WEBHOOK.replace("${team.name}", "emea") });
    await project.run("apply --auto-approve", { OUTREACH_API_KEY: project.sandbox.keys.good });
    project.write("outreach.yaml", withTeams());
    const stopped = await project.run("apply --auto-approve");
    expect(stopped, stopped.out).toMatchObject({ code: 1, sent: [] });
    expect(stopped.err).toContain("outreach.emea.state.json has no state yet, but outreach.state.json has one.");
    expect(stopped.err).toContain("outreach init --migrate-state --team emea --from outreach.state.json");
    const migrated = await project.run("init --migrate-state --team emea --from outreach.state.json");
    expect(migrated, migrated.err).toMatchObject({ code: 0 });
    const planned = await project.run("plan");
    expect(planned.out, planned.err).toMatch(
      /^emea {2}Plan: 1 to add, 0 to change, 1 to destroy\.\napac {2}Plan: 1 to add, 0 to change, 0 to destroy\.$/m,
    );
  });
});

describe("JSON", () => {
  test("lines carry the team", async () => {
    const project = await openTeams();
    for (const [command, teams] of [
      ["plan --json", ["apac", "emea"]],
      ["apply --json --auto-approve --team emea", ["emea"]],
    ] as const) {
      const { out } = await project.run(command);
      const lines = out
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { readonly team: string; readonly "@level": string });
      expect([...new Set(lines.map(({ team }) => team))].toSorted()).toEqual(teams);
      expect(lines.every((line) => "@level" in line)).toBe(true);
    }
    const failed = await project.run("plan --json", { KEY_APAC: "wrong" });
    expect(failed.out).toMatch(/"type":"diagnostic","team":"apac"\}\n/);
  });

  test.each(["validate", "doctor", "drift"])("%s prints a list of documents", async (command) => {
    const project = await openTeams();
    await project.run("apply --auto-approve");
    const { out } = await project.run(`${command} --json`);
    expect(JSON.parse(out)).toMatchObject([{ team: "emea" }, { team: "apac" }]);
    const failed = await project.run(`${command} --json`, { KEY_APAC: "wrong", OUTREACH_VAR_crm: undefined });
    expect(JSON.parse(failed.out)).toMatchObject([{ team: "emea" }, { team: "apac" }]);
  });
});

test("a Markdown document names its team itself; only messages have a heading", async () => {
  const project = await openTeams();
  await project.run("apply --auto-approve");
  for (const { _id } of project.sandbox.webhooks()) project.sandbox.remove("webhooks", _id);
  const { code, out, err } = await project.run("drift --format markdown", { KEY_APAC: "wrong" });
  expect(code).toBe(1);
  expect(out).toContain("### Drift of `outreach.yaml#emea`");
  expect(out).not.toContain("===");
  expect(err).toContain("=== Team apac ===\n\nError: The service refused the request");
});

describe("saved plans", () => {
  test("of several teams are files of a folder, which apply takes as a whole or one by one", async () => {
    const project = await openTeams();
    const planned = await project.run("plan --out plans");
    expect(planned, planned.err).toMatchObject({ code: 0 });
    expect(planned.out).toContain("outreach apply --team emea plans/emea.plan");
    expect((await project.run("show plans/apac.plan")).out).toContain("https://crm.example.com/apac");
    const one = await project.run("apply --team emea plans/emea.plan");
    expect(one.out, one.err).toContain("Apply complete! Resources: 1 added");
    expect(targets(project)).toEqual(["https://crm-emea.example.com/emea"]);
    const all = await project.run("apply plans");
    expect(all.code).toBe(1);
    expect(all.err).toMatch(/=== Team emea ===\n\nError: Saved plan is stale/);
    expect(all.out).toContain("apac  Apply complete! Resources: 1 added");
    expect(targets(project)).toHaveLength(2);
  });

  test("belong to their team", async () => {
    const project = await openTeams();
    await project.run("plan --out plans");
    expect((await project.run("show plans")).err).toContain(
      "plans is a folder.\nName one plan in it, as in plans/NAME.plan.",
    );
    expect((await project.run("apply plans/emea.plan --team apac")).err).toContain(
      "The team of the saved plan is emea, but this command uses apac.",
    );
    expect((await project.run("apply plans/emea.plan")).err).toContain("Name one, as in --team emea.");
    expect((await project.run("apply plans --team apac")).out).toContain("Apply complete! Resources: 1 added");
    expect(await project.run("plan --team emea --out one.plan")).toMatchObject({ code: 0 });
    expect((await project.run("apply --team emea one.plan")).out).toContain("Apply complete! Resources: 1 added");
    expect((await project.run("plan --out one.plan")).err).toContain(
      "For several teams, --out names a folder, but one.plan is a file.",
    );
  });

  test("are shown together as a page", async () => {
    const project = await openTeams();
    await project.run("plan --out plans");
    const page = await project.run("show --format html plans");
    expect(page).toMatchObject({ code: 0, err: "", sent: [] });
    expect(page.out).toContain("2 teams: 2 with changes, 0 without changes.");
    expect([...page.out.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading)).toEqual([
      "Team apac",
      "Team emea",
    ]);
    expect((await project.run("show --format html plans --team emea")).out).not.toContain("Team apac");
  });

  test("of another configuration are applied with that one", async () => {
    const project = await openTeams();
    project.write(
      "other.yaml",
      withTeams({ webhooks: "  other: { target_url: 'https://other.example.com/${team.name}' }\n" }),
    );
    await project.run("plan -c other.yaml --out plans");
    expect(await project.run("apply plans")).toMatchObject({ code: 1, sent: [] });
    const applied = await project.run("apply -c other.yaml plans");
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(targets(project)).toEqual(["https://other.example.com/apac", "https://other.example.com/emea"]);
  });

  test("are encrypted with the key of their team", async () => {
    const project = await openTeams({ rest: 'state: { encryption: { passphrase: { env: "PASS_${team.name}" } } }\n' });
    Object.assign(project.environment, {
      PASS_emea: "a long passphrase of emea",
      PASS_apac: "another passphrase of apac",
    });
    expect(await project.run("plan --out plans")).toMatchObject({ code: 0 });
    expect(project.read("plans/emea.plan")).not.toContain("crm-emea");
    const applied = await project.run("apply --team emea plans/emea.plan", { PASS_apac: undefined });
    expect(applied.out, applied.err).toContain("Apply complete! Resources: 1 added");
    expect((await project.run("show --team apac plans/apac.plan")).out).toContain("https://crm.example.com/apac");
  });
});

describe("on a terminal", () => {
  const answers = [
    ["yes", 0, ["https://crm-emea.example.com/emea", "https://crm.example.com/apac"], "emea  Apply complete!"],
    ["no", 1, [], "emea  Cancelled."],
  ] as const;

  test.for(answers)(
    "apply asks once for all teams, when all plans are shown: %s",
    async ([answer, code, expected, result], context) => {
      needsTerminal(context);
      const project = await openTeams({}, { realProcess: "it needs a terminal" });
      const ran = await runOnTerminal(project, "apply", answer);
      expect(ran.out.match(/Enter a value:/g)).toHaveLength(1);
      expect(ran.out).toMatch(
        /=== Team emea ===[^]*=== Team apac ===[^]*Teams: emea, apac\n\nDo you want to perform these actions\?/,
      );
      expect(ran.code).toBe(code);
      expect(ran.out).toContain(result);
      expect(targets(project)).toEqual(expected);
    },
  );

  test("a team that fails before the question does not keep the others from being asked", async (context) => {
    needsTerminal(context);
    const project = await openTeams({}, { realProcess: "it needs a terminal" });
    project.environment["KEY_EMEA"] = "wrong";
    const ran = await runOnTerminal(project, "apply", "yes");
    expect(ran.out).toContain("Teams: apac\n");
    expect(ran.code).toBe(1);
    expect(targets(project)).toEqual(["https://crm.example.com/apac"]);
  });
});

test("Ctrl-C finishes the requests in flight of all teams, and saves them", async () => {
  const many = Array.from(
    { length: 12 },
    (_, index) =>
      `  w${String(index)}: { target_url: 'https://w${String(index)}.example.com/\${team.name}?of=\${var.crm}' }\n`,
  ).join("");
  const project = await openTeams({ webhooks: many }, { realProcess: "it is interrupted" });
  project.sandbox.addFault({ action: { kind: "late", delayMs: 800 }, when: "after", method: "POST", times: null });
  const { child, ended } = project.start("apply --auto-approve");
  await until(() => project.sandbox.webhooks().length === 8, "four creates of each team are in flight");
  child.kill("SIGINT");
  const ran = await ended;
  expect(ran.code).toBe(1);
  expect(ran.out.match(/Apply interrupted\. Resources: 4 added, 0 changed, 0 destroyed\./g)).toHaveLength(4);
  expect(project.sandbox.webhooks()).toHaveLength(8);
  project.sandbox.clearFaults();
  expect((await project.run("apply --auto-approve")).out).toMatch(
    /emea {2}Apply complete! Resources: 8 added[^]*apac {2}Apply complete! Resources: 8 added/,
  );
});

test("many requests in flight print no warning of Node.js", async () => {
  const many = Array.from(
    { length: 4 },
    (_, index) =>
      `  w${String(index)}: { target_url: 'https://w${String(index)}.example.com/\${team.name}?of=\${var.crm}' }\n`,
  ).join("");
  const teams = `teams:\n${["one", "two", "three", "four"].map((name) => `  ${name}: { api_key: { env: KEY_EMEA } }\n`).join("")}`;
  const project = await openTeams({ teams, webhooks: many }, { realProcess: "Node.js prints its warnings there" });
  project.sandbox.addFault({ action: { kind: "late", delayMs: 300 }, when: "after", method: "POST", times: null });
  expect(await project.start("apply --auto-approve").ended).toMatchObject({ code: 0, err: SOME_WITHOUT_STATE });
});

test("teams with the same key share one pacing: none is refused for its rate", async () => {
  const many = Array.from(
    { length: 30 },
    (_, index) =>
      `  w${String(index)}: { target_url: 'https://w${String(index)}.example.com/\${team.name}?of=\${var.crm}' }\n`,
  ).join("");
  const project = await openTeams({ teams: TEAMS.replace("KEY_APAC", "KEY_EMEA"), webhooks: many }, { rateLimit: {} });
  const applied = await project.run("apply --auto-approve");
  expect(applied, applied.err).toMatchObject({ code: 0 });
  expect(applied.sent.filter((line) => line.endsWith(" 429"))).toEqual([]);
  expect(project.sandbox.webhooks()).toHaveLength(60);
});
