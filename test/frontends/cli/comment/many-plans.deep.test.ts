import { describe, expect, test } from "vitest";
import { CONFIGURATION, FIRST, NAMES, SECOND, unset, useThirtyTeams } from "../configuration/thirty-teams.ts";

const { openTeams, openApplied } = useThirtyTeams();

describe("comment of a folder of plans", () => {
  const MOST = 65_536;

  test("is one comment: teams with changes in a table and folded, the others as counts, and who was not planned", async () => {
    const project = await openApplied();
    const changed = CONFIGURATION.replace("teams:", "variables: { host: { default: crm.example.com } }\nteams:")
      .replace("crm.example.com/", "${var.host}/")
      .replace(`  ${FIRST}:\n`, `  ${FIRST}: { variables: { host: new.example.com } }\n`);
    project.write("outreach.yaml", changed);
    expect(await project.run("plan --no-secrets --out plans", unset([SECOND]))).toMatchObject({ code: 0 });
    const { code, out, sent } = await project.run("comment --dry-run plans", unset(NAMES));
    expect([code, sent]).toEqual([0, []]);
    expect(out.slice(out.indexOf("<!--"))).toMatch(
      /^<!-- outreach-as-code: outreach\.yaml, all teams -->\n\n### Plan for `outreach\.yaml`\n\n\*\*Plan: 1 to add, 0 to change, 1 to destroy\.\*\*\n\n30 teams: 1 with changes, 28 without changes, 1 not planned\.\n\nNot planned, because .*: `team-02`\.\n\n\| Team \| Plan \|\n\|---\|---\|\n\| `team-01` \| `Plan: 1 to add, 0 to change, 1 to destroy\.`<br>Requests: 4, at least 0 s at 20 per 2 s \|\n\n<details><summary>Team `team-01`<\/summary>\n\n[^]*forces replacement[^]*<\/details>\n$/,
    );
    const one = await project.run(`comment --dry-run --team ${SECOND} --team ${NAMES[2] ?? ""} plans`);
    expect(one.out).toContain("2 teams: 0 with changes, 1 without changes, 1 not planned.");
  });

  test("says so where the configuration cannot be read: it cannot name teams without a plan", async () => {
    const project = await openApplied();
    expect(await project.run("plan --no-secrets --out plans", unset([SECOND]))).toMatchObject({ code: 0 });
    project.write("outreach.yaml", "version: [\n");
    for (const config of ["outreach.yaml", "gone.yaml"]) {
      const { code, out, err } = await project.run(`comment --dry-run -c ${config} plans`);
      expect(code, err).toBe(0);
      expect(out).toContain(
        "29 teams: 0 with changes, 29 without changes.\n\nTeams without a plan are not named here, because the configuration could not be read",
      );
      expect(err).toContain(
        `Warning: Teams without a plan are not named [teams_unknown]\n\nThe configuration ${config} cannot be read, so its teams are not known.`,
      );
    }
  });

  test("fits into a comment, however many change, and shows first who loses webhooks", async () => {
    const project = await openApplied();
    const many = Array.from(
      { length: 40 },
      (_, index) =>
        `  hook-${String(index)}: { target_url: 'https://${"long.".repeat(20)}example.com/${String(index)}/\${team.name}' }\n`,
    ).join("");
    project.write(
      "outreach.yaml",
      `${CONFIGURATION}${many}limits: { delete: 100% }\n`.replace(
        "/${team.name}', type",
        `/\${team.name == "${NAMES[20] ?? ""}" ? "new" : team.name}', type`,
      ),
    );
    expect(await project.run("plan --no-secrets --out plans")).toMatchObject({ code: 0 });
    const { out } = await project.run("comment --dry-run plans");
    const body = out.slice(out.indexOf("<!--"));
    expect(body.length).toBeLessThan(MOST);
    expect(body).toContain("**Plan: 1201 to add, 0 to change, 1 to destroy.**");
    expect(body).toMatch(
      /\|---\|---\|\n\| `team-21` \| `Plan: 41 to add, 0 to change, 1 to destroy\.`<br>Requests: 44, at least 4 s at 20 per 2 s \|\n/,
    );
    expect(body.match(/<details><summary>Team/g)?.length).toBeGreaterThan(5);
    expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length);
  });

  test("refuses a folder without plans, with renamed plans, or of several configurations", async () => {
    const project = await openTeams();
    project.write("none/.keep", "");
    expect((await project.run("comment --dry-run none")).err).toContain(
      "The folder none has no saved plan.\nMake the plans of all teams: outreach plan --out none",
    );
    expect(await project.run("plan --no-secrets --out plans")).toMatchObject({ code: 0 });
    project.write(`plans/other.plan`, project.read(`plans/${FIRST}.plan`));
    expect((await project.run("comment --dry-run plans")).err).toContain(
      "plans/other.plan is not the plan of the team other.",
    );
    project.remove("plans/other.plan");
    project.write("other.yaml", CONFIGURATION);
    expect(
      await project.run(`plan -c other.yaml --no-secrets --team ${FIRST} --out plans/${FIRST}.plan`),
    ).toMatchObject({ code: 0 });
    expect((await project.run("comment --dry-run plans")).err).toContain(
      "plans has plans of other.yaml and of outreach.yaml.",
    );
  });

  test("has what show prints of the folder as Markdown", async () => {
    const project = await openTeams();
    expect(await project.run("plan --no-secrets --out plans")).toMatchObject({ code: 0 });
    const { out } = await project.run("show --format markdown plans");
    expect(out).toContain("30 teams: 30 with changes");
    expect((await project.run("comment --dry-run plans")).out).toContain(out.trim());
  });
});
