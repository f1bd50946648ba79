import { expect, test } from "vitest";
import { type Project, oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const OWN = "secret-of-the-program-itself";

/** Sections in front of the webhooks. */
function configuration(secret: string, sections = ""): string {
  return oneWebhook(`target_url: https://crm.example.com/hooks\nsecret: ${secret}`).replace("\n", `\n${sections}`);
}

test.each<readonly [string, secret: string, sections: string, what: string, prepare: (project: Project) => void]>([
  [
    "the API key in another variable",
    "{ env: HOOK }",
    "",
    "the API key",
    ({ environment }) => (environment["HOOK"] = environment["OUTREACH_API_KEY"]),
  ],
  [
    "the API key from its file",
    "{ file: key }",
    "service: { api_key: { file: key } }\n",
    "the API key",
    (project) => project.write("key", `${String(project.environment["OUTREACH_API_KEY"])}\n`),
  ],
  [
    "the API key from its command",
    "{ command: [cat, key] }",
    "service: { api_key: { command: [cat, key] } }\n",
    "the API key",
    (project) => project.write("key", String(project.environment["OUTREACH_API_KEY"])),
  ],
  [
    "the passphrase of the state",
    "{ file: copy }",
    "state: { encryption: { passphrase: { file: passphrase } } }\n",
    "a secret of the state",
    (project) => ["copy", "passphrase"].forEach((file) => project.write(file, OWN)),
  ],
  [
    "the password of a state",
    "{ env: HOOK }",
    "",
    "that of TF_HTTP_PASSWORD",
    ({ environment }) => Object.assign(environment, { HOOK: OWN, TF_HTTP_PASSWORD: OWN }),
  ],
  [
    "the password in the URL of a fleet's database",
    "{ env: HOOK }",
    "",
    "that of OUTREACH_DATABASE",
    ({ environment }) =>
      Object.assign(environment, { HOOK: `${OWN}+%`, OUTREACH_DATABASE: `postgres://ada:${OWN}+%25@127.0.0.1/fleet` }),
  ],
  [
    "the controller's token",
    "{ env: HOOK }",
    "",
    "that of OUTREACH_CONTROLLER_TOKEN",
    ({ environment }) => Object.assign(environment, { HOOK: OWN, OUTREACH_CONTROLLER_TOKEN: OWN }),
  ],
])("a webhook's secret must not be %s: compared by value", async (_, secret, sections, what, prepare) => {
  const project = await openProject();
  prepare(project);
  project.write("outreach.yaml", configuration(secret, sections));
  for (const command of ["plan", "apply --auto-approve"]) {
    const { code, err, sent } = await project.run(command);
    expect({ code, sent: sent.filter((line) => !line.startsWith("GET")) }, err).toEqual({ code: 1, sent: [] });
    expect(err).toContain("Error: Key used as a webhook's secret [secret_is_key]\n\n  on outreach.yaml:");
    expect(err).toContain(`Its value is ${what}. The service sends the secret with every event`);
  }
});

test("nor a secret that listen --register would send", async () => {
  const project = await openProject();
  project.environment["HOOK"] = project.environment["OUTREACH_API_KEY"];
  const { code, err, sent } = await project.run("listen --port 0 --register https://crm.example.com --secret env:HOOK");
  expect({ code, sent }, err).toEqual({ code: 1, sent: [] });
  expect(err).toContain("[secret_is_key]");
});

test.each<readonly [string, secret: string, problem: string]>([
  ["a variable with a line break", "{ env: HOOK }", "the environment variable HOOK starts or ends with white space"],
  ["a variable of white space", "{ env: BLANK }", "the environment variable BLANK starts or ends with white space"],
  ["a variable that was copied", "{ env: COPIED }", "the environment variable COPIED starts or ends with an invisible"],
  ["a file with a second line break", "{ file: hook }", "the file hook starts or ends with white space"],
  ["a command's output", "{ command: [printf, 'hook '] }", 'command "printf" starts or ends with white space'],
])("a secret with white space at its ends is an error of the plan: %s", async (_, secret, problem) => {
  const project = await openProject();
  project.write("outreach.yaml", configuration(secret));
  project.write("hook", "hook-secret\n\n");
  const environment = { HOOK: "hook-secret\n", BLANK: "\u00a0", COPIED: "\u200bhook-secret" };
  const { code, err, sent } = await project.run("apply --auto-approve", environment);
  expect([code, sent.filter((line) => line.startsWith("POST"))]).toEqual([1, []]);
  expect(err).toContain("secret_white_space");
  expect(err.replaceAll(/\s+/g, " ")).toContain(problem);
  project.write("outreach.yaml", configuration("{ file: hook }"));
  project.write("hook", "hook-secret\r\n");
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(project.sandbox.webhooks().map((one) => one.secret)).toEqual(["hook-secret"]);
});
