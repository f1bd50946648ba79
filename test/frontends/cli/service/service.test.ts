import { describe, expect, test } from "vitest";
import { startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { PLAN_PRINTERS } from "../program/every-command.ts";
import { oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\ntype: emailsReplied");

describe("a key that does not open the service", () => {
  test.each([
    ["wrong", "The authentication you supplied is incorrect", "Check the API key (OUTREACH_API_KEY"],
    [
      "blocked",
      "User linked to this API key is blocked",
      "the service blocks its user. Set OUTREACH_API_KEY to the key of another user",
    ],
    ["withoutUser", "No user found for this API key", "Create a key in the integration settings of the application."],
  ] as const)("%s: the plan says so and stays an error, also with recorded webhooks", async (kind, words, hint) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const before = project.files();
    for (const command of ["plan --detailed-exitcode", "apply --auto-approve", "destroy --auto-approve"]) {
      const { code, out, err, sent } = await project.run(command, { OUTREACH_API_KEY: project.sandbox.keys[kind] });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(words);
      expect(err).toContain(hint);
      expect(err).not.toContain(project.sandbox.keys[kind]);
      expect(sent).toHaveLength(1);
    }
    expect(project.files()).toEqual(before);
  });

  test("none: the message says where keys come from, and nothing is sent", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    expect(await project.run("plan", { OUTREACH_API_KEY: undefined })).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining(
        "Error: No API key [api_key_missing]\n\nThe environment variable OUTREACH_API_KEY is not set.",
      ) as string,
    });
  });
});

test.each([
  [" KEY", "The API key starts or ends with white space"],
  ["KEY\n", "The API key starts or ends with white space"],
  ["KEY ", "The API key starts or ends with white space"],
  ['"KEY"', "The API key is in quotes. Nothing was sent.\nRemove the quotes"],
  ["'KEY'", "The API key is in quotes."],
  ["Bearer KEY", "The API key starts with Bearer. Nothing was sent.\nRemove that word"],
])("a key with more than the key, as in %j, is refused before it is sent", async (written, words) => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  const given = written.replace("KEY", project.sandbox.keys.good);
  const { code, err, sent } = await project.run("plan", { OUTREACH_API_KEY: given });
  expect([code, sent]).toEqual([1, []]);
  expect(err).toContain(words);
  expect(err).not.toContain(project.sandbox.keys.good);
});

describe("another team's key", () => {
  test("recorded webhooks that it cannot see are never gone", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const before = project.files();
    for (const command of ["plan --detailed-exitcode", "apply --auto-approve", "destroy --auto-approve"]) {
      const { code, err, sent } = await project.run(command, { OUTREACH_API_KEY: project.sandbox.keys.otherTeam });
      expect(code).toBe(1);
      expect(err).toContain("Error: Another API key, and recorded webhooks are missing [key_changed]\n");
      expect(err).toContain("--allow-recreate");
      expect(sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
    }
    expect(project.files()).toEqual(before);
  });

  test("the same team's other key is accepted", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    expect(
      await project.run("plan --detailed-exitcode", { OUTREACH_API_KEY: project.sandbox.keys.sameTeam }),
    ).toMatchObject({ code: 0, err: "" });
  });

  test("--allow-recreate lifts the guard", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    expect(
      await project.run("plan --detailed-exitcode --allow-recreate", {
        OUTREACH_API_KEY: project.sandbox.keys.otherTeam,
      }),
    ).toMatchObject({
      code: 2,
      err: "",
    });
  });
});

describe("the base URL", () => {
  test("missing: the message says how to set it and how to start the sandbox, and nothing else is used", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    expect(await project.run("plan", { OUTREACH_BASE_URL: undefined })).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining(
        "Error: No base URL [base_url_missing]\n\nNeither OUTREACH_BASE_URL nor service.base_url is set.\nSet OUTREACH_BASE_URL. To try outreach without an account, start the local service: outreach sandbox\n",
      ) as string,
    });
  });

  test.each([
    ["without https", "http://service.example.com/api", "does not use https"],
    ["with user info", "https://user:word@service.example.com/api", "must not contain a user name or a password"],
    ["with a query", "https://service.example.com/api?x=1", "must not contain a query"],
    ["that is none", "service", "is not a URL"],
  ])("%s is refused before the key is sent, from the environment and from the file", async (_name, url, words) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    const inEnvironment = await project.run("plan", { OUTREACH_BASE_URL: url });
    expect(inEnvironment).toMatchObject({ code: 1, out: "", err: expect.stringContaining(words) as string });
    project.write("outreach.yaml", `${CONFIGURATION}service: { base_url: '${url}' }\n`);
    const inFile = await project.run("plan", { OUTREACH_BASE_URL: undefined });
    expect(inFile).toMatchObject({ code: 1, out: "", err: expect.stringContaining("on outreach.yaml:6:22") as string });
    expect(inEnvironment.err + inFile.err).not.toContain("word@");
  });

  test("of the environment wins over the file's", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `${CONFIGURATION}service: { base_url: 'https://elsewhere.example.com/api' }\n`);
    expect(await project.run("plan")).toMatchObject({ code: 0, sent: ["GET /hooks 200"] });
  });

  test("of the file is used where the environment has none, a slash at its end or not", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `${CONFIGURATION}service: { base_url: '\${var.url}/' }\nvariables: { url: {} }\n`);
    expect(
      await project.run("plan", { OUTREACH_BASE_URL: undefined, OUTREACH_VAR_url: project.sandbox.baseUrl }),
    ).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200"],
    });
  });

  test("changed, with recorded webhooks, is an error before anything is sent; --allow-service-change lifts it", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const moved = { OUTREACH_BASE_URL: project.sandbox.baseUrl.replace("127.0.0.1", "localhost") };
    for (const command of ["plan", "apply --auto-approve", "destroy --auto-approve"]) {
      expect(await project.run(command, moved)).toMatchObject({
        code: 1,
        out: "",
        sent: [],
        err: expect.stringContaining("Error: The state belongs to another service [service_changed]\n") as string,
      });
    }
    expect(await project.run("plan --allow-service-change --detailed-exitcode", moved)).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200"],
    });
    await project.run("destroy --auto-approve");
    expect(await project.run("plan --detailed-exitcode", moved)).toMatchObject({ code: 2 });
  });

  test("where nobody listens: the message names the request, the URL and where it was set", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    const { code, err } = await project.run("plan", { OUTREACH_BASE_URL: "http://127.0.0.1:9/api" });
    expect(code).toBe(1);
    expect(err).toContain(
      "Error: The service could not be read [service_read]\n\nGET /hooks: http://127.0.0.1:9/api refused the connection (OUTREACH_BASE_URL).\n",
    );
    project.write("outreach.yaml", `${CONFIGURATION}service: { base_url: 'http://127.0.0.1:9/api' }\n`);
    const inFile = await project.run("plan", { OUTREACH_BASE_URL: undefined });
    expect(inFile.err).toContain(
      "http://127.0.0.1:9/api refused the connection (service.base_url, outreach.yaml:6:22).\n",
    );
  });

  test("with https where plain http is spoken: the message says so, after one attempt", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    const baseUrl = project.sandbox.baseUrl.replace("http:", "https:");
    const { err } = await project.run("plan", { OUTREACH_BASE_URL: baseUrl, OUTREACH_LOG: "warn" });
    expect(err).toContain(
      `GET /hooks: ${baseUrl} does not speak TLS (OUTREACH_BASE_URL).\nNothing was changed. Is it http://?\n`,
    );
    expect(err.match(/\[WARN\]/g)).toHaveLength(1);
  });

  test("with an unknown host: the message says so", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    const { err } = await project.run("plan", { OUTREACH_BASE_URL: "https://service.invalid/api" });
    expect(err).toMatch(
      /GET \/hooks: https:\/\/service\.invalid\/api has (an unknown host name|a host name that could not be looked up) \(OUTREACH_BASE_URL\)\.\n/,
    );
  });
});

test("without verified certificates, no command sends anything: neither the key nor the password of a state", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  const server = await startHttpStateServer("plain");
  try {
    const state = server.environment();
    project.environment["OUTREACH_STATE"] = state["TF_HTTP_ADDRESS"];
    Object.assign(project.environment, state);
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
    const before = server.requests.length;
    const printers = PLAN_PRINTERS.map((words) => `${words} saved.plan`);
    for (const command of ["plan", "apply --auto-approve", "state list", ...printers, "get webhooks"])
      expect(await project.run(command, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }), command).toMatchObject({
        code: 1,
        sent: [],
        err: expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED=0 is set") as string,
      });
    expect(server.requests.slice(before)).toEqual([]);
  } finally {
    await server.close();
  }
});

describe("a list that cannot be trusted", () => {
  test.each([
    ["HTML", { kind: "html", status: 200 }],
    ["an object without an array", { kind: "answer", status: 200, body: '{"hooks":{}}' }],
    ["two arrays of webhooks", { kind: "answer", status: 200, body: '{"a":[],"b":[]}' }],
    ["something that is not webhooks", { kind: "answer", status: 200, body: '[{"id":1}]' }],
    ["nothing", { kind: "answer", status: 200, body: "null" }],
    ["an unknown 404", { kind: "html", status: 404 }],
    ["a redirect", { kind: "answer", status: 301, headers: { location: "https://elsewhere.example.com" }, body: "" }],
  ] as const)("%s is an error, never an empty list", async (_name, action) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    project.sandbox.addFault({ action, operation: "listWebhooks", times: null });
    const { code, out, err, sent } = await project.run("apply --auto-approve");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: The service could not be read [service_read]\n\nGET /hooks: ");
    expect(sent.every((line) => line.startsWith("GET /hooks"))).toBe(true);
    expect(project.sandbox.webhooks()).toHaveLength(1);
  });

  test("in an object it is understood", async () => {
    const project = await openProject({ profile: { envelope: "data" } });
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("that ignores paging and is a multiple of 10 long may be cut off: what is missing is not created again", async () => {
    const project = await openProject({ profile: { offset: false, cap: 10 } });
    for (let index = 0; index < 10; index++)
      project.sandbox.add("webhooks", {
        _id: `hoo_9${String(index)}`,
        targetUrl: `https://other.example.com/${String(index)}`,
      });
    project.write("outreach.yaml", CONFIGURATION);
    await project.run("apply --auto-approve");
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect({ code, sent }).toEqual({
      code: 0,
      sent: ["GET /hooks 200", "GET /hooks?offset=10 200", "GET /hooks?page=1 200", "GET /hooks?page=2 200"],
    });
    expect(err).toMatch(
      /hoo_\d+ is not in the service's list\. The service's list may be truncated: it has lacked objects before/,
    );
  });
});

test("a failing read is repeated until it works", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  project.sandbox.addFault({ action: { kind: "html", status: 502 }, operation: "listWebhooks" });
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({
    code: 2,
    sent: ["GET /hooks 502", "GET /hooks 200"],
  });
});
