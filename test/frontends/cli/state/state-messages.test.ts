import { describe, expect, test } from "vitest";
import { startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();

async function openWith(state: string) {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks", state));
  return project;
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ");
const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a mistake in the settings of the state", () => {
  test.each(["validate", "plan", "state list"])(
    "is one error of %s: a misspelled setting is not missing as well",
    async (command) => {
      const project = await openWith("state:\n  backend: http\n  adress: https://state.example.com/x\n");
      const { code, err } = await project.run(command);
      expect([code, count(err, "Error: "), plain(err)]).toEqual([
        1,
        1,
        expect.stringContaining("on outreach.yaml:4:3"),
      ]);
      expect(err).toContain("Did you mean address?");
    },
  );

  test.each(['path: "a\\0b"', 'path: "a\\nb"'])("a control character is refused: %s", async (setting) => {
    const { code, err } = await (await openWith(`state: { ${setting} }\n`)).run("plan");
    expect([code, plain(err)]).toEqual([
      1,
      expect.stringContaining("path is not valid. It contains a control character."),
    ]);
  });

  test.each([
    ["s3", "bucket, key, region, endpoint, use_path_style, server_side_encryption, kms_key_id, credentials"],
    ["pg", "url, schema, name"],
    ["local", "path"],
  ])("lists the keys of the backend %s, and of no other", async (backend, keys) => {
    const { err } = await (await openWith(`state: { backend: ${backend}, zzz: 1 }\n`)).run("validate");
    expect(err).toContain(`Known keys here: backend, encryption, ${keys}.`);
  });

  test.each([
    ["http", "address", "Set state.address, or TF_HTTP_ADDRESS. For example: address: https://gitlab.example.com/"],
    ["pg", "url", "Set state.url, or PG_CONN_STR. For example: url: { env: NAME }"],
    ["s3", "bucket", "Set state.bucket. For example: bucket: acme-states"],
  ])("%s without %s says what is missing, where, and how to set it", async (backend, name, hint) => {
    const { err } = await (await openWith(`state: { backend: ${backend} }\n`)).run("plan");
    expect(plain(err)).toContain(`on outreach.yaml:2:19 2 | state: { backend: ${backend} }`);
    expect(plain(err)).toContain(`The state backend ${backend} needs ${name}, which is not set. ${hint}`);
  });

  test("of a URL without a lock address offers only what a URL can have", async () => {
    const project = await openWith("");
    const { err } = await project.run("plan", { OUTREACH_STATE: "https://state.example.com/x" });
    expect(err).toContain("Set TF_HTTP_LOCK_ADDRESS.");
    expect(err).not.toContain("lock: false");
    const configured = await openWith("state: { backend: http, address: https://state.example.com/x }\n");
    expect((await configured.run("plan")).err).toContain("set lock: false");
  });

  const URL_TEXT = "postgres://u:pass-word@db.example.com/x";
  test.each([
    ["in quotes", "plan", "", { OUTREACH_STATE: `"${URL_TEXT}"` }],
    ["behind a space", "plan", "", { OUTREACH_STATE: ` ${URL_TEXT}` }],
    ["behind its variable", "plan", "", { OUTREACH_STATE: `OUTREACH_STATE=${URL_TEXT}` }],
    ["of an option", `state list --state '"${URL_TEXT}"'`, "", {}],
    ["of a migration", `init --migrate-state --from '"${URL_TEXT}"'`, "", {}],
    ["of the configuration", "plan", `state: { path: '"${URL_TEXT}"' }\n`, {}],
  ])("a URL %s is no file, and its password is not shown", async (_, command, configuration, environment) => {
    const project = await openWith(configuration);
    const { code, err, out, sent } = await project.run(command, environment);
    expect([code, sent, plain(err)]).toEqual([1, [], expect.stringContaining("Write the URL alone.")]);
    // The line of the configuration is shown as it stands in the file.
    const shown = (err + out).replaceAll(/^ *\d+ \| .*$/gm, "");
    expect(shown).not.toContain("pass-word");
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
  });

  const ALONE = "Write the path or the URL alone.";
  test.each<readonly [what: string, command: string, environment: Record<string, string>, shown: string]>([
    ["in quotes", "plan", { OUTREACH_STATE: '"mine.json"' }, '"\\"mine.json\\"" is in quotation marks.'],
    ["in single quotes", "plan", { OUTREACH_STATE: "'mine.json'" }, `"'mine.json'" is in quotation marks.`],
    ["in quotes of a page", "plan", { OUTREACH_STATE: "“mine.json”" }, '"“mine.json”" is in quotation marks.'],
    ["in single quotes of a page", "plan --state ‘mine.json’", {}, '"‘mine.json’" is in quotation marks.'],
    ["before a space", "plan", { OUTREACH_STATE: "mine.json " }, '"mine.json " has white space at its ends.'],
    [
      "before a blank without a width",
      "plan",
      { OUTREACH_STATE: "mine.json\u{200b}" },
      '"mine.json\u{fffd}" has an invisible character at its ends.',
    ],
    ["behind a tab", "state list", { OUTREACH_STATE: "\tmine.json" }, '"\\tmine.json" has white space at its ends.'],
    ["of an option", "plan --state 'mine.json '", {}, '"mine.json " has white space at its ends.'],
    [
      "before a space, as a URL",
      "plan",
      { OUTREACH_STATE: "https://u:pass-word@state.example.com/x?key=pass-word " },
      '"https://state.example.com/x" has white space at its ends.',
    ],
    ["below ~", "plan --state=~/mine.json", {}, '"~/mine.json" begins with ~, which only a shell expands.'],
  ])("a state %s is another one, so it is refused", async (_, command, environment, shown) => {
    const project = await openWith("");
    const { code, err, sent } = await project.run(command, environment);
    expect([code, sent, plain(err)]).toEqual([1, [], expect.stringContaining(shown)]);
    expect(plain(err)).toContain(ALONE);
    expect(err).not.toContain("pass-word");
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
  });

  test("so is the path of the configuration, wherever that is", async () => {
    const project = await openWith("");
    project.write("prod/outreach.yaml", "version: 1\nstate: { path: ~/mine.json }\n");
    const { code, err } = await project.run("plan -c prod/outreach.yaml");
    expect([code, plain(err)]).toEqual([1, expect.stringContaining('"~/mine.json" begins with ~')]);
    expect(err).toContain("on prod/outreach.yaml:2:16");
  });

  test("a line break that a CI stores behind a path is no part of it", async () => {
    const project = await openWith("");
    expect(await project.run("apply --auto-approve", { OUTREACH_STATE: "mine.json\n" })).toMatchObject({ code: 0 });
    expect(Object.keys(project.files())).toContain("mine.json");
  });

  test.each([
    ["OUTREACH_STATE", "plan", { OUTREACH_STATE: " " }],
    ["--state", "state list --state ' '", {}],
  ])("%s of spaces alone names no state", async (from, command, environment) => {
    const project = await openWith("");
    const { code, err, sent } = await project.run(command, environment);
    expect([code, sent, plain(err)]).toEqual([
      1,
      [],
      expect.stringContaining(`${from} has only spaces, so it names no state.`),
    ]);
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
  });
});

test("an error of the state's server shows the URL, and the line that names it if that is in the configuration", async () => {
  const server = await startHttpStateServer("gitlab");
  try {
    const { address = "" } = server.settings();
    const settings = Object.entries(server.settings()).map(([name, value]) => `  ${name}: ${value}\n`);
    const project = await openWith(`state:\n  backend: http\n${settings.join("")}  password: { env: WRONG }\n`);
    const line =
      project
        .read("outreach.yaml")
        .split("\n")
        .findIndex((text) => text.startsWith("  address:")) + 1;
    for (const command of ["plan", "state list", "state lock"]) {
      const { code, err } = await project.run(command, { WRONG: "hunter2hunter2" });
      expect([code, plain(err)]).toEqual([1, expect.stringContaining(`on outreach.yaml:${String(line)}:12`)]);
      expect(err).toContain(new URL(address).host);
      expect(err).toContain("was answered with status 401");
    }
    const { err } = await project.run("plan", {
      ...server.environment(),
      TF_HTTP_PASSWORD: "hunter2hunter2",
      OUTREACH_STATE: address,
    });
    expect(err).toContain("was answered with status 401");
    expect(err).not.toContain("on outreach.yaml");
  } finally {
    await server.close();
  }
});
