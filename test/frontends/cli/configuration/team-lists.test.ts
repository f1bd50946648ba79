import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const KEY = 'service: { api_key: { env: \'OUTREACH_API_KEY_${upper(replace(team.name, "-", "_"))}\' } }\n';
const WEBHOOK = "webhooks:\n  crm: { target_url: 'https://${var.crm_host}/${team.name}', type: emailsReplied }\n";
const COMMAND = "{ command: [sh, clients.sh] }";

/** The sandbox's two teams, by the names acme and north-sea. */
async function opened(from: string, files: { readonly [name: string]: string } = {}, rest = ""): Promise<Project> {
  const project = await openProject();
  const { keys } = project.sandbox;
  Object.assign(project.environment, {
    OUTREACH_API_KEY_ACME: keys.good,
    OUTREACH_API_KEY_NORTH_SEA: keys.otherTeam,
    OUTREACH_API_KEY: undefined,
  });
  const source = from === "" ? "" : `teams_from: ${from}\n`;
  project.write(
    "outreach.yaml",
    `version: 1\nvariables: { crm_host: { default: crm.example.com } }\n${KEY}${source}${rest}${WEBHOOK}`,
  );
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}

const targets = (project: Project): readonly string[] =>
  project.sandbox
    .webhooks()
    .map(({ targetUrl }) => targetUrl)
    .toSorted();
const headings = (out: string): readonly string[] => out.match(/^=== Team .*$/gm) ?? [];

describe("teams_from", () => {
  test("adds the teams of a file to those of the configuration, with their values, in the order of their names", async () => {
    const list = "Client;CRM Host;Name;Contact\nnorth-sea;;x;Ada\n";
    const project = await opened(
      "{ file: lists/clients.csv, column: client }",
      { "lists/clients.csv": list },
      "teams: { acme: { variables: { crm_host: acme.example.com } } }\n",
    );
    const applied = await project.run("apply --auto-approve");
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(headings(applied.out)).toEqual(["=== Team acme ===", "=== Team north-sea ==="]);
    expect(targets(project)).toEqual(["https://acme.example.com/acme", "https://crm.example.com/north-sea"]);
    project.write("lists/clients.csv", list.replace("north-sea;;", "north-sea;sea.example.com;"));
    const changed = await project.run("plan --team north-sea");
    expect(changed.out).toContain("https://sea.example.com/north-sea");
    expect((await project.run("state list --team north-sea")).out).toBe("outreach_webhook.crm\n");
  });

  test("cannot send a key to another service, and its cells are no expressions", async () => {
    const project = await opened("clients.csv", {
      "clients.csv": "team,base_url,crm_host\nacme,http://127.0.0.1:1/api,a${1+1}.example.com\n",
    });
    const planned = await project.run("plan", { OUTREACH_BASE_URL: undefined });
    expect([planned.code, planned.err]).toEqual([
      1,
      expect.stringContaining("Neither OUTREACH_BASE_URL nor service.base_url is set."),
    ]);
    const { out, err } = await project.run("plan");
    expect(out + err).toContain("a${1+1}.example.com");
  });

  test("runs a command once a run, without any key, and never for an untrusted configuration", async () => {
    const script = "echo run >> runs.log\nenv > seen.txt\ncat clients.csv\n";
    const project = await opened(COMMAND, { "clients.sh": script, "clients.csv": "team\nnorth-sea\nacme\n" });
    const planned = await project.run("plan");
    expect([planned.code, headings(planned.out), project.read("runs.log")]).toEqual([
      0,
      ["=== Team acme ===", "=== Team north-sea ==="],
      "run\n",
    ]);
    expect(project.read("seen.txt")).not.toContain("OUTREACH_API_KEY");
    project.remove("runs.log");
    const untrusted = await project.run("plan --no-secrets");
    expect([untrusted.code, untrusted.err]).toEqual([
      1,
      expect.stringContaining('Teams come from the command "sh", and no command runs here.'),
    ]);
    const valid = await project.run("validate");
    expect([valid.code, valid.out, valid.err]).toEqual([
      0,
      expect.stringContaining("is valid"),
      expect.stringContaining("The list of teams was not read"),
    ]);
    for (const line of ["test", "validate --json"]) await project.run(line);
    expect(project.files()["runs.log"]).toBeUndefined();
    expect((await project.run("get webhooks --team acme")).code).toBe(0);
    expect(project.read("runs.log")).toBe("run\n");
  });

  test.each<[string, { readonly [file: string]: string }, string, string, string?]>([
    ["no file", {}, "clients.csv", "The file clients.csv does not exist."],
    ["a file elsewhere", {}, "../clients.csv", "does not exist."],
    ["an empty file", { "clients.csv": "" }, "clients.csv", "The file clients.csv has no teams."],
    ["only a header", { "clients.csv": "team,crm_host\n" }, "clients.csv", "The file clients.csv has no teams."],
    [
      "no header",
      { "clients.csv": "acme\n" },
      "clients.csv",
      "on clients.csv:1:1\n\nThe first line has no column called team or name.",
    ],
    [
      "another column",
      { "clients.csv": "team\nacme\n" },
      "{ file: clients.csv, column: Client }",
      'No column is called "Client".',
    ],
    [
      "a name that is none",
      { "clients.csv": "team\nacme\nAcme Ltd\n" },
      "clients.csv",
      "on clients.csv:3:1\n  3 | Acme Ltd",
    ],
    ["a name twice", { "clients.csv": "team\nacme\nacme\n" }, "clients.csv", "The team acme is in line 2, too."],
    [
      "a declared name",
      { "clients.csv": "team\nacme\n" },
      "clients.csv",
      "The team acme is already declared in outreach.yaml:5.",
      "teams: { acme: {} }\n",
    ],
    [
      "a name in two lists",
      { "a.csv": "team\nacme\n", "b.csv": "team\nacme\n" },
      "[a.csv, b.csv]",
      "The team acme is already declared in a.csv:2.",
    ],
    ["a row without name", { "clients.csv": "team,crm_host\n,x\n" }, "clients.csv", "The row has no name of a team."],
    [
      "a row that is too long",
      { "clients.csv": "team\nacme,x\n" },
      "clients.csv",
      "The row has more cells than the header.",
    ],
    ["a cell that is not closed", { "clients.csv": 'team\n"acme\n' }, "clients.csv", "A quoted cell is not closed."],
    [
      "a variable twice",
      { "clients.csv": "team,crm_host,CRM Host\nacme,,\n" },
      "clients.csv",
      'Several columns are called "crm_host".',
    ],
    [
      "keys",
      { "clients.csv": "team,API Key\nacme,SECRET-KEY\n" },
      "clients.csv",
      'The list has a column "API Key". A list contains no secrets.',
    ],
    ["a conflict", { "clients.csv": "team\n<<<<<<< HEAD\nacme\n" }, "clients.csv", "a mark of a merge conflict"],
    ["an expression", {}, "'${var.crm_host}.csv'", "Write the path without ${…}."],
    ["no entry", {}, "{ column: team }", "teams_from names no file and no command."],
    ["a command that fails", { "clients.sh": "exit 3\n" }, COMMAND, 'The command "sh" '],
    ["a command that prints nothing", { "clients.sh": "true\n" }, COMMAND, 'The command "sh" printed nothing.'],
    [
      "a command that prints a header",
      { "clients.sh": "echo team\n" },
      COMMAND,
      'The output of the command "sh" has no teams.',
    ],
  ])("stops with %s, for a team that it may have, too", async (_, files, from, told, rest = "") => {
    const project = await opened(from, files, rest);
    for (const line of ["plan", "plan --team acme", "state list --team acme"]) {
      const ran = await project.run(line);
      expect([ran.code, ran.err.replaceAll("\n", "\n"), ran.sent], line).toEqual([
        1,
        expect.stringContaining(told),
        [],
      ]);
      expect(ran.out + ran.err).not.toContain("SECRET-KEY");
    }
  });
});
