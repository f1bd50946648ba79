import { expect, test } from "vitest";
import { EVERY_COMMAND } from "../program/every-command.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const HOST = "receiver.evil.example";
const PATH = "path-nobody-sees";

/** A webhook whose URL is a sensitive variable, and one whose host equals a secret. */
async function hiding(): Promise<Project> {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { url: { sensitive: true } }
webhooks:
  masked: { target_url: "\${var.url}" }
  equal: { target_url: "https://${HOST}/equal", secret: { env: HOOK } }
`,
  );
  Object.assign(project.environment, { OUTREACH_VAR_url: `https://${HOST}/${PATH}`, HOOK: HOST });
  return project;
}

test("the host of a target_url is shown, also where a sensitive variable or an equal secret would mask it", async () => {
  const project = await hiding();
  const planned = await project.run("plan --out saved.plan");
  expect(planned.out).toContain(`target_url = (sensitive value) (host ${HOST})`);
  expect(planned.out).toContain(`target_url = "https://${HOST}/equal"`);
  const commands = [
    "show saved.plan",
    "show --format markdown saved.plan",
    "show --format html saved.plan",
    "show --json saved.plan",
    "apply saved.plan",
    "state show outreach_webhook.masked",
    "state show outreach_webhook.equal",
    "show --format html",
    "explain outreach_webhook.masked",
    ...Object.values(EVERY_COMMAND).flatMap(({ showsUrls = [] }) => showsUrls),
    "destroy --auto-approve",
  ];
  for (const command of commands) {
    const { code, out, err } = await project.run(command);
    expect(code, `${command}\n${err}`).toBe(0);
    if (command !== "apply saved.plan") expect(out, command).toContain(HOST);
    if (!command.startsWith("get webhooks")) expect(out + err, command).not.toContain(PATH);
  }
});

test("the whole of a URL with a secret stays masked, and so does a secret that is longer than the host", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { path: { sensitive: true } }
webhooks: { a: { target_url: "https://${HOST}/\${var.path}" } }
outputs: { url: "\${outreach_webhook.a.target_url}" }
`,
  );
  project.environment["OUTREACH_VAR_path"] = `${PATH}.${HOST}`;
  const { out } = await project.run("plan");
  expect(out).toContain(`target_url = (sensitive value) (host ${HOST})`);
  expect(out).toContain("+ url = (sensitive value)\n");
  expect(out).not.toContain(PATH);
});

test("a sensitive variable has no default: it would be in the file for everybody", async () => {
  const project = await openProject();
  const text = (given: string): string =>
    `version: 1\nvariables:\n  token: { sensitive: true, default: ${given} }\nwebhooks:\n  a: { target_url: "https://crm.example.com/\${var.token}" }\n`;
  for (const given of ["hush-hush", '""', "17"]) {
    project.write("outreach.yaml", text(given));
    const { code, out, err } = await project.run("validate", { OUTREACH_VAR_token: "another-value" });
    expect(code, out).toBe(1);
    expect(err).toContain("Error: A secret in plain text [secret_literal]\n\n  on outreach.yaml:3:");
    expect(err).toContain("The sensitive variable token has a default, so anyone who can read the file can read it.");
    expect(err).toContain("Remove the default, and set OUTREACH_VAR_token.");
    expect(err).not.toContain("hush-hush");
  }
});

const TEAM_PLACES: readonly (readonly [place: string, text: string, list: string | null])[] = [
  ["outreach.yaml:4:38", "teams: { emea: { variables: { token: hush-hush } } }", null],
  ["teams.csv:2:6", "teams_from: teams.csv", "team,token\nemea,hush-hush\n"],
];

test.each(TEAM_PLACES)("a sensitive variable has no value of a team in a file: %s", async (place, text, list) => {
  const project = await openProject();
  const webhook = 'webhooks: { a: { target_url: "https://crm.example.com/${var.token}" } }\n';
  project.write("outreach.yaml", `version: 1\nvariables: { token: { sensitive: true } }\n${webhook}${text}\n`);
  if (list !== null) project.write("teams.csv", list);
  for (const command of ["validate", "plan", "validate --team emea"]) {
    const { code, out, err } = await project.run(command, { OUTREACH_VAR_token: "another-value" });
    expect(code, out).toBe(1);
    expect(err).toContain(`Error: A secret in plain text [secret_literal]\n\n  on ${place}`);
    expect(err).toContain(
      "The team emea sets the sensitive variable token, so anyone who can read the file can read it.",
    );
    expect(out + err).not.toContain("hush-hush");
  }
});

test("a sensitive variable takes the value of a team from the output of a command", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1
variables: { token: { sensitive: true } }
webhooks: { a: { target_url: "https://crm.example.com/\${var.token}" } }
teams_from: { command: [cat, printed] }
`,
  );
  project.write("printed", "team,token\nemea,hush-hush\n");
  const { code, out, err } = await project.run("plan");
  expect(code, err).toBe(0);
  expect(out + err).not.toContain("hush-hush");
});
