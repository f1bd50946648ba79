import { describe, expect, test } from "vitest";
import { CONFIGURATION, FIRST, NAMES, SECOND, SECRET, unset, variableOf, useThirtyTeams } from "./thirty-teams.ts";

const { openTeams, openApplied } = useThirtyTeams();

describe("a plan of 30 teams", () => {
  test("prints only teams with changes or errors, and counts the others", async () => {
    const project = await openApplied();
    expect(await project.run("plan --detailed-exitcode", SECRET)).toMatchObject({
      code: 0,
      err: "",
      out: "\n=== All teams ===\n\n30 teams: 30 without changes.\n",
    });
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace(`  ${FIRST}:\n`, `  ${FIRST}: { variables: { host: new.example.com } }\n`)
        .replace("crm.example.com", "${var.host}")
        .replace("teams:", "variables: { host: { default: crm.example.com } }\nteams:"),
    );
    const planned = await project.run("plan --detailed-exitcode", { ...SECRET, [variableOf(SECOND)]: "wrong" });
    expect(planned.code).toBe(1);
    expect(planned.out.match(/^=== .*/gm)).toEqual([`=== Team ${FIRST} ===`, "=== All teams ==="]);
    expect(planned.err.match(/^=== .*/gm)).toEqual([`=== Team ${SECOND} ===`]);
    expect(planned.out).toMatch(
      /TEAM +RESULT\nteam-01 +Plan: 1 to add, 0 to change, 1 to destroy\.\nteam-02 +Failed\.\n\n30 teams: 1 with changes, 1 failed, 28 without changes\.\n$/,
    );
    const [one] = [await project.run("plan --detailed-exitcode", SECRET)];
    expect(one.code).toBe(2);
  });

  test("an apply prints the same way", async () => {
    const project = await openApplied();
    const gone = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl.endsWith(SECOND));
    project.sandbox.remove("webhooks", gone?._id ?? "");
    const applied = await project.run("apply --auto-approve --allow-recreate", SECRET);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(applied.out.match(/^=== .*/gm)).toEqual([`=== Team ${SECOND} ===`, "=== All teams ==="]);
    expect(applied.out).toMatch(
      /team-02 +Apply complete! Resources: 1 added, .*\n\n30 teams: 1 with changes, 29 without changes\.\n$/,
    );
  });

  test("notes of teams without changes are not printed", async () => {
    const project = await openApplied();
    for (const { _id, targetUrl } of project.sandbox.webhooks()) {
      const team = targetUrl.split("/").at(-1) ?? "";
      if (team !== FIRST) continue;
      await project.run(`state rm outreach_webhook.replies --team ${team}`);
      expect(await project.run(`import outreach_webhook.replies ${_id} --team ${team}`, SECRET)).toMatchObject({
        code: 0,
      });
    }
    expect((await project.run(`plan --team ${FIRST}`, SECRET)).err).toContain("Note: Secret assumed, not verified");
    expect(await project.run("plan", SECRET)).toMatchObject({
      code: 0,
      err: "",
      out: "\n=== All teams ===\n\n30 teams: 30 without changes.\n",
    });
  });

  test("notes that most teams have are printed once, with the teams that have them", async () => {
    const project = await openTeams();
    const applied = await project.run("apply --auto-approve", SECRET);
    expect(applied).toMatchObject({ code: 0 });
    for (const name of NAMES.slice(0, 12)) project.remove(`outreach.${name}.state.json`);
    const imports = 'imports: [{ to: outreach_webhook.replies, id: "${var.id}" }]\n';
    const ids = new Map(project.sandbox.webhooks().map(({ _id, targetUrl }) => [targetUrl.split("/").at(-1), _id]));
    const teams = NAMES.map((name) => `  ${name}: { variables: { id: "${ids.get(name) ?? ""}" } }\n`).join("");
    project.write(
      "outreach.yaml",
      `${CONFIGURATION.replace(/teams:\n[^]*?webhooks:/, `variables: { id: {} }\nteams:\n${teams}webhooks:`)}${imports}`,
    );
    const { code, err } = await project.run("plan", SECRET);
    expect([code, err.match(/secret_assumed/g)]).toEqual([0, ["secret_assumed"]]);
    expect(err).toContain("12 teams have such a note: team-01, team-02, team-03");
  });

  test("the same key under two names is a warning, the same name twice is not", async () => {
    const project = await openTeams();
    const same = { [variableOf(SECOND)]: `key-${FIRST}` };
    for (const command of ["plan --no-secrets", "plan"]) {
      const planned = await project.run(command, { ...SECRET, ...same });
      expect(planned.code).toBe(0);
      expect(planned.err).toContain(
        `\nWarning: Teams with the same API key [team_same_key]\n\nThe keys of these teams come from different places, and are the same key:\nteam-01: the environment variable ${variableOf(FIRST)}\nteam-02: the environment variable ${variableOf(SECOND)}\n`,
      );
      expect(planned.err).not.toContain(`key-${FIRST}`);
    }
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace(`  ${SECOND}:\n`, `  ${SECOND}: { api_key: { env: ${variableOf(FIRST)} } }\n`),
    );
    expect((await project.run("plan --no-secrets")).err).toMatch(
      /^\nNote: No state exists yet \[state_missing\]\n\n.*\n30 teams have such a note: .*\n\n$/,
    );
  });

  test("a warning of a team without changes is printed", async () => {
    const project = await openApplied();
    project.write(
      "outreach.yaml",
      `${CONFIGURATION}checks: { named: { condition: '\${team.name != "${FIRST}"}', message: "Look at it.", severity: warning } }\n`,
    );
    const planned = await project.run("plan", SECRET);
    expect(planned.err).toMatch(
      /^\n=== Team team-01 ===\n\nWarning: Check named failed \[check_failed\]\n[^]*Look at it\.\n\n$/,
    );
    expect(planned.out).toBe("\n=== All teams ===\n\n30 teams: 30 without changes.\n");
  });
});

describe("plan --no-secrets", () => {
  test("reads the key of each team, but no secret of a webhook", async () => {
    const project = await openApplied();
    const planned = await project.run("plan --no-secrets --detailed-exitcode");
    expect(planned, planned.err).toMatchObject({
      code: 0,
      err: "",
      out: "\n=== All teams ===\n\n30 teams: 30 without changes.\n",
    });
    expect(planned.sent).toEqual(NAMES.map(() => "GET /hooks 200"));
  });

  test("skips the teams whose key is not set, with one note, and counts them", async () => {
    const project = await openTeams();
    const planned = await project.run("plan --no-secrets --detailed-exitcode", unset(NAMES.slice(1, 13)));
    expect(planned.code).toBe(2);
    expect(planned.err.slice(planned.err.indexOf("\n\nNote: Teams") + 1)).toBe(
      `\nNote: Teams skipped [team_skipped]\n\n12 of 30 teams were not planned, because they have no API key here:\n${NAMES.slice(
        1,
        11,
      )
        .map((name) => `${name}: ${variableOf(name)} is not set`)
        .join("\n")}\n… and 2 more\nA team is planned once its key is set.\n\n`,
    );
    expect(planned.out.match(/^=== Team/gm)).toHaveLength(18);
    expect(planned.out).toMatch(/\n\n30 teams: 18 with changes, 12 skipped\.\n$/);
    expect(planned.sent).toHaveLength(18);
  });

  test("without a key of any team, it says that nothing was planned", async () => {
    const project = await openTeams();
    for (const words of ["plan --no-secrets", "plan --no-secrets --json", "plan --no-secrets --out plans"]) {
      const { code, err, out, sent } = await project.run(words, unset(NAMES));
      expect([code, sent]).toEqual([1, []]);
      expect(words.includes("json") ? out : err).toContain("Nothing was planned: no team has an API key");
    }
  });

  test("a missing key is an error without the option, and for a team that is named", async () => {
    const project = await openTeams();
    const planned = await project.run("plan", { ...SECRET, ...unset([SECOND]) });
    expect(planned.code).toBe(1);
    expect(planned.err).toMatch(
      /=== Team team-02 ===\n\nError: No API key \[api_key_missing\]\n[^]*OUTREACH_API_KEY_TEAM_02/,
    );
    const named = await project.run(`plan --no-secrets --team ${SECOND}`, unset([SECOND]));
    expect(named).toMatchObject({ code: 1 });
    expect(named.err).toContain("Error: No API key");
  });

  test("reads no other variable for an unreviewed configuration, and no file", async () => {
    for (const key of ["{ env: CLOUD_TOKEN }", "{ file: key.txt }", "{ command: [sh, -c, 'touch ran.txt'] }"]) {
      const project = await openTeams(CONFIGURATION.replace(`  ${FIRST}:\n`, `  ${FIRST}: { api_key: ${key} }\n`));
      project.write("key.txt", "key-team-01");
      const planned = await project.run("plan --no-secrets", { CLOUD_TOKEN: "key-team-01" });
      expect(planned.err).toContain(
        "team-01: with --no-secrets, a team's key comes only from OUTREACH_API_KEY, or from a variable that begins with OUTREACH_API_KEY_",
      );
      expect(planned.sent).toHaveLength(29);
      expect(project.files()).not.toHaveProperty("ran.txt");
    }
  });

  test("the lines of JSON name each team that is skipped", async () => {
    const project = await openTeams();
    const { out } = await project.run("plan --no-secrets --json", unset([FIRST]));
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type: string; readonly team: string; readonly "@message": string });
    expect(lines.filter(({ team, type }) => team === FIRST && type === "log")).toMatchObject([
      { "@message": "Team skipped: OUTREACH_API_KEY_TEAM_01 is not set, so the team was not planned." },
    ]);
    expect(lines.filter(({ type }) => type === "change_summary")).toHaveLength(29);
  });

  test("of a team that is skipped or fails, no older plan stays in the folder", async () => {
    const project = await openTeams();
    expect(await project.run("plan --no-secrets --out plans")).toMatchObject({ code: 0 });
    expect(
      await project.run("plan --no-secrets --out plans", { ...unset([FIRST]), [variableOf(SECOND)]: "wrong" }),
    ).toMatchObject({ code: 1 });
    expect(Object.keys(project.files()).filter((name) => name.startsWith("plans/"))).toEqual(
      NAMES.slice(2).map((name) => `plans/${name}.plan`),
    );
  });
});

describe("OUTREACH_STATE with ${team.name}", () => {
  test("names the state of each team, also of an unreviewed configuration", async () => {
    const project = await openTeams();
    project.write("states/.keep", "");
    const place = { OUTREACH_STATE: "states/${team.name}.json" };
    expect(await project.run("apply --auto-approve", { ...SECRET, ...place })).toMatchObject({ code: 0 });
    expect(Object.keys(project.files())).toEqual(expect.arrayContaining(NAMES.map((name) => `states/${name}.json`)));
    expect(await project.run("plan --no-secrets --detailed-exitcode", place)).toMatchObject({ code: 0 });
    expect((await project.run(`state list --team ${FIRST}`, place)).out).toBe("outreach_webhook.replies\n");
    expect((await project.run(`state list --team ${FIRST} --state 'states/$\{team.name}.json'`)).out).toBe(
      "outreach_webhook.replies\n",
    );
    const ofNone = await project.run("state list", place);
    expect(ofNone.err).toContain(
      "OUTREACH_STATE contains ${team.name}, but this command is about no team.\nName the team with --team NAME.",
    );
  });

  test("without it, several teams have no place", async () => {
    const project = await openTeams();
    const { code, err, sent } = await project.run("plan --no-secrets", { OUTREACH_STATE: "one.json" });
    expect([code, sent]).toEqual([1, []]);
    expect(err).toContain("Write ${team.name} into the place, or declare it so under state.");
  });
});
