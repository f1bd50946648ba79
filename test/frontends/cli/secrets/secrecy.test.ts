import { expect, test } from "vitest";
import type { Fault } from "../../../../src/sandbox/faults.ts";
import { type Project, type Ran, oneWebhook, until, useProjects } from "../project.ts";

const openProject = useProjects();
/** With characters that JSON, URLs and base64 each write differently. */
const SECRET = 'p/w+1 "quoted" \\ü~?>:secret-of-the-hook';
const OTHER = "another/secret+of the=hook?>";
const TARGET = "https://crm.example.com/hooks";
const KEY = 'key/with+odd "chars"?>~of-the-team';

function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = [secret, json, `:${secret}`].map((text) => Buffer.from(text).toString("base64").replace(/=+$/, ""));
  return [
    secret,
    json,
    encodeURIComponent(secret),
    encodeURI(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    ...base64,
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    unicode(secret),
    references(secret),
    encodeURIComponent(unicode(secret)),
  ];
}

function unicode(text: string): string {
  return text.replaceAll(/./gu, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function references(text: string): string {
  return text.replaceAll(/./gu, (character) => `&#${String(character.charCodeAt(0))};`);
}

function expectNothingOf(secrets: readonly string[], texts: { readonly [where: string]: string }): void {
  for (const [where, text] of Object.entries(texts)) {
    for (const form of secrets.flatMap(encodings)) expect(text.includes(form), `${where} holds ${form}`).toBe(false);
  }
}

/** Runs a command and looks through what it prints and leaves behind. */
async function watched(project: Project, line: string): Promise<Ran> {
  const ran = await project.run(line);
  expectNothingOf([SECRET, OTHER, KEY], {
    [`stdout of ${line}`]: ran.out,
    [`stderr of ${line}`]: ran.err,
    ...project.files(),
  });
  return ran;
}

async function secretiveProject(): Promise<Project> {
  const project = await openProject();
  project.sandbox.add("keys", { name: "odd", key: KEY, userId: "usr_000001" });
  project.environment["OUTREACH_API_KEY"] = KEY;
  project.environment["S"] = SECRET;
  project.write("outreach.yaml", oneWebhook(`target_url: ${TARGET}\nsecret: { env: S }`));
  return project;
}

test("no file and no output holds a secret or the key, in whatever encoding, from the first plan to the last", async () => {
  const project = await secretiveProject();
  for (const line of ["validate", "plan", "apply --auto-approve", "plan"])
    expect((await watched(project, line)).code).toBe(0);
  expect(project.sandbox.webhooks()[0]?.secret).toBe(SECRET);
  project.environment["S"] = OTHER;
  for (const line of ["plan", "apply --auto-approve"]) expect((await watched(project, line)).code).toBe(0);
  expect(project.sandbox.webhooks()[0]?.secret).toBe(OTHER);
  await watched(project, "destroy --auto-approve");
});

test.each<readonly [string, Fault, number]>([
  [
    "a service that echoes them in an error",
    {
      action: {
        kind: "answer",
        status: 500,
        body: `no: ${SECRET} ${KEY} ${Buffer.from(`:${KEY}`).toString("base64")} ${JSON.stringify({ secret: SECRET })}`,
      },
      method: "POST",
    },
    0,
  ],
  [
    "a list that echoes them in an error",
    {
      action: { kind: "answer", status: 400, body: `${KEY} ${SECRET} ${encodeURIComponent(KEY)}` },
      method: "GET",
      times: null,
    },
    1,
  ],
  ["a create that is never answered", { action: { kind: "drop" }, when: "after", method: "POST" }, 0],
  [
    "a create that echoes it in other encodings, and stays undecided",
    {
      action: { kind: "answer", status: 500, body: `no: ${unicode(SECRET)} ${unicode(JSON.stringify(KEY))}` },
      method: "POST",
      times: null,
    },
    3,
  ],
  [
    "a list that echoes them in other encodings",
    {
      action: { kind: "answer", status: 400, body: `${references(SECRET)} ${encodeURIComponent(unicode(KEY))}` },
      method: "GET",
      times: null,
    },
    1,
  ],
  [
    "a create that answers with the secret in other fields",
    {
      action: {
        kind: "answer",
        body: JSON.stringify({
          _id: "hoo_000001",
          targetUrl: TARGET,
          createdAt: SECRET,
          type: SECRET,
          campaignId: unicode(SECRET),
        }),
      },
      when: "after",
      method: "POST",
    },
    0,
  ],
  [
    "a list that shows the secret in other fields",
    {
      action: {
        kind: "answer",
        body: JSON.stringify([
          { _id: "hoo_000001", targetUrl: TARGET, createdAt: unicode(SECRET), type: SECRET, campaignId: SECRET },
        ]),
      },
      method: "GET",
      times: null,
      skip: 1,
    },
    0,
  ],
  [
    "a create whose outcome stays undecided",
    { action: { kind: "answer", status: 500, body: `no: ${SECRET}` }, method: "POST", times: null },
    3,
  ],
])("nor with %s", async (_name, fault, code) => {
  const project = await secretiveProject();
  project.sandbox.addFault(fault);
  expect((await watched(project, "apply --auto-approve")).code).toBe(code);
  await watched(project, "plan");
});

test("nor in the journal and the lock while a run is under way, nor after it was killed", async () => {
  const project = await secretiveProject();
  project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, method: "POST" });
  const { child, ended } = project.start("apply --auto-approve");
  await until(() => project.sandbox.requests().some(({ method }) => method === "POST"), "the create arrives");
  const files = project.files();
  expect(Object.keys(files)).toEqual([
    "outreach.state.json",
    "outreach.state.json.journal",
    "outreach.state.json.lock",
    "outreach.yaml",
  ]);
  expectNothingOf([SECRET, KEY], files);
  child.kill("SIGKILL");
  const { out, err } = await ended;
  expectNothingOf([SECRET, KEY], { out, err, ...project.files() });
  expect((await watched(project, "plan")).code).toBe(0);
});

test("secrets from files and commands stay where they are", async () => {
  const project = await secretiveProject();
  project.write(
    "outreach.yaml",
    "version: 1\nwebhooks:\n  a: { target_url: https://a.example.com, secret: { file: secrets/a } }\n  b: { target_url: https://b.example.com, secret: { command: [cat, secrets/b] } }\n",
  );
  project.write("secrets/a", `${SECRET}\n`);
  project.write("secrets/b", `${OTHER}\n`);
  const { out, err, code } = await project.run("apply --auto-approve");
  expect(code).toBe(0);
  expect(
    project.sandbox
      .webhooks()
      .map(({ secret }) => secret)
      .toSorted(),
  ).toEqual([SECRET, OTHER].toSorted());
  const others = Object.fromEntries(Object.entries(project.files()).filter(([file]) => !file.startsWith("secrets/")));
  expectNothingOf([SECRET, OTHER, KEY], { out, err, ...others });
});

test("a command that fetches a secret sees neither the key, nor other secrets, nor sensitive variables", async () => {
  const project = await secretiveProject();
  project.write(
    "outreach.yaml",
    "version: 1\nwebhooks:\n  a: { target_url: https://a.example.com, secret: { env: S } }\n  b: { target_url: https://b.example.com, secret: { command: [env] } }\nvariables:\n  token: { sensitive: true }\n  stage: {}\n",
  );
  await project.run("apply --auto-approve", {
    KEPT: "this is passed on",
    OUTREACH_VAR_stage: "staging",
    OUTREACH_VAR_token: "value-of-token",
    TF_VAR_token: "value-of-tokens-stack",
    OUTREACH_VAR_elsewhere: "of-another-configuration",
  });
  const environment = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl.includes("b."))?.secret ?? "";
  expect(environment).toContain("KEPT=this is passed on");
  expect(environment).toContain("OUTREACH_VAR_stage=staging");
  expect(environment).not.toMatch(/^(S|OUTREACH_API_KEY|(OUTREACH|TF)_VAR_(token|elsewhere))=/m);
  expectNothingOf([SECRET, KEY], { environment });
});

test("a sensitive variable in a URL is masked in output", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `${oneWebhook("target_url: https://crm.example.com/${var.token}")}variables: { token: { sensitive: true } }\n`,
  );
  const environment = { OUTREACH_VAR_token: "token-in-the-url" };
  for (const line of ["plan", "apply --auto-approve", "plan", "destroy --auto-approve"]) {
    const { out, err, code } = await project.run(line, environment);
    expect(code).toBe(0);
    expect(out + err).not.toContain("token-in-the-url");
  }
  project.sandbox.add("webhooks", { _id: "hoo_900001", targetUrl: "https://crm.example.com/token-in-the-url" });
  const { code, err } = await project.run("plan", environment);
  expect(code).toBe(1);
  expect(err).not.toContain("token-in-the-url");
});

test.each([
  ["password", "password: hush-hush"],
  ["a mistyped password", "pasword: hush-hush"],
  ["a header", "headers: { Authorization: hush-hush, X: 1 }"],
  ["credentials", "credentials: hush-hush"],
])("a message about the settings of a state does not show %s in plain text", async (_, setting) => {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\nstate: { backend: http, address: ftp, ${setting} }\n`);
  for (const command of ["validate", "validate --json", "plan"]) {
    const { code, out, err } = await project.run(command);
    expect(code).toBe(1);
    expect(out + err).toMatch(/outreach\.yaml/);
    expect(out + err, command).not.toContain("hush");
  }
});
