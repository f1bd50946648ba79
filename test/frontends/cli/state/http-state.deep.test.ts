import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { StateDocument } from "../../../../src/core/state/document.ts";
import {
  type Dialect,
  type HttpStateServer,
  SERVER_PASSWORD,
  startHttpStateServer,
} from "../../../core/state/http/http-state-server.ts";
import { type Project, oneWebhook, until, useProjects } from "../project.ts";

const openProject = useProjects();
const servers: HttpStateServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await server.close();
    if (server.violations.length > 0) throw new Error(`against the protocol: ${server.violations.join("; ")}`);
  }
});

const HOUR_MS = 3_600_000;
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\nsecret: { env: S }");
const SECRET = "webhook-secret-1";
const TWO_RUNS = "two runs at once must not share the clock's jumps";

/** A project with its state on a server, named as a CI job names it. */
async function openRemote(
  dialect: Dialect,
  options: Parameters<typeof openProject>[0] = {},
): Promise<{ readonly project: Project; readonly server: HttpStateServer }> {
  const server = await startHttpStateServer(dialect);
  servers.push(server);
  const project = await openProject(options);
  const { TF_HTTP_ADDRESS: address, ...others } = server.environment();
  Object.assign(project.environment, others, { OUTREACH_STATE: address, S: SECRET });
  project.write("outreach.yaml", CONFIGURATION);
  return { project, server };
}

function stateOf(server: HttpStateServer): StateDocument {
  return JSON.parse(server.state()?.toString() ?? "null") as StateDocument;
}

describe.each(["plain", "gitlab"] as const)("with its state on a %s server,", (dialect) => {
  test("a project is planned, applied, looked at, repaired and destroyed, and leaves no file", async () => {
    const { project, server } = await openRemote(dialect);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 2,
      out: expect.stringContaining("Plan: 1 to add") as string,
    });
    expect(server.state()).toBeNull();
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Resources: 1 added") as string,
    });
    expect(stateOf(server)).toMatchObject({ instances: [{ address: "outreach_webhook.crm" }], pending: [] });
    const from = server.requests.length;
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(server.requests.slice(from).map(({ target }) => target)).toEqual(["lock", "read", "unlock"]);

    expect((await project.run("state list")).out).toBe("outreach_webhook.crm\n");
    const { out: pulled } = await project.run("state pull");
    expect(JSON.parse(pulled)).toEqual(stateOf(server));
    expect((await project.run("state rm outreach_webhook.crm")).code).toBe(0);
    expect((await project.run("state list")).out).toBe("");
    project.write("before.json", pulled);
    expect((await project.run("state push --force before.json")).code).toBe(0);
    rmSync(path.join(project.folder, "before.json"));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });

    expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toEqual([]);
    expect(server.lock()).toBeNull();
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
    for (const secret of [SECRET, SERVER_PASSWORD, project.sandbox.keys.good])
      expect(server.state()?.toString()).not.toContain(secret);
  });

  test("a run waits for another, or stops and names it, and goes past it without a lock", async () => {
    const { project, server } = await openRemote(dialect, { realTime: TWO_RUNS });
    project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, method: "POST", when: "before" });
    const holder = project.start("apply --auto-approve");
    await until(() => project.sandbox.requests().some(({ method }) => method === "POST"), "the create is sent");
    const id = server.lock()?.["ID"] ?? "";
    const stopped = await project.run("plan");
    expect(stopped).toMatchObject({ code: 1, sent: [] });
    expect(stopped.err).toContain(`(lock id ${id})`);
    expect(stopped.err).toContain(`outreach force-unlock ${id}`);
    const shown = JSON.parse((await project.run("state lock --json")).out) as object;
    expect(shown).toMatchObject({ id, operation: dialect === "plain" ? "apply" : "unknown" });
    expect((await project.run("plan --lock=false")).code).toBe(0);
    const waiter = project.start("plan --detailed-exitcode --lock-timeout 30s");
    let said = "";
    waiter.child.stderr?.on("data", (chunk: string) => (said += chunk));
    await until(() => said.includes("Waiting up to 30s for the lock of http://"), "the other one waits");
    project.clock.pass(HOUR_MS);
    expect(await holder.ended).toMatchObject({ code: 0 });
    expect(await waiter.ended).toMatchObject({ code: 0 });
    expect((await project.run("state lock")).out).toContain("is not locked");
  });

  test("a run whose lock is taken away stops, keeps what it cannot store, and the next run finds what it has created", async () => {
    const { project, server } = await openRemote(dialect, { realTime: TWO_RUNS });
    const urls = Array.from({ length: 6 }, (_, index) => `https://crm.example.com/${String(index)}`);
    project.write(
      "outreach.yaml",
      `version: 1\nwebhooks:\n${urls.map((url, index) => `  w${String(index)}: { target_url: "${url}" }\n`).join("")}`,
    );
    project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, method: "POST", when: "before", times: 4 });
    const posts = (): number => project.sandbox.requests().filter(({ method }) => method === "POST").length;
    const running = project.start("apply --auto-approve");
    await until(() => posts() === 4, "four creates are sent");
    expect(await project.run(`force-unlock --force ${server.lock()?.["ID"] ?? ""}`)).toMatchObject({ code: 0 });
    const before = server.state()?.toString();
    project.clock.pass(HOUR_MS);
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([1, expect.stringContaining("The state lock was lost")]);
    expect(err).toContain("errored.outreach.state.json");
    expect(server.state()?.toString()).toBe(before);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(
      project.sandbox
        .webhooks()
        .map(({ targetUrl }) => targetUrl)
        .toSorted(),
    ).toEqual(urls);
    expect([posts(), stateOf(server).instances.length]).toEqual([6, 6]);
  });

  test("a run that fails and cannot release its lock says both", async () => {
    const { project, server } = await openRemote(dialect);
    server.addFault({ target: "unlock", when: "before", action: "drop", times: 3 });
    const { code, err } = await project.run("plan", { OUTREACH_API_KEY: project.sandbox.keys.wrong });
    expect(code).toBe(1);
    expect(err).toContain("The authentication you supplied is incorrect");
    expect(err).toMatch(new RegExp(`still locked by this run \\(lock id ${server.lock()?.["ID"] ?? "-"}\\)`));
  });
});

describe("on GitLab,", () => {
  test("the first use finds no record of the state: plan goes on without a state, drift has nothing to compare, and the apply creates the state", async () => {
    const { project, server } = await openRemote("gitlab");
    const looked = async (): Promise<void> => {
      expect(await project.run("plan --no-secrets --lock=false --out review.plan")).toMatchObject({
        code: 0,
        out: expect.stringContaining("1 to add") as string,
      });
      expect(await project.run("drift --lock=false")).toMatchObject({
        code: 1,
        err: expect.stringContaining("compared nothing") as string,
      });
      expect(await project.run("plan --lock=false --out saved.plan")).toMatchObject({ code: 0 });
    };
    await looked();
    expect(server.requests.map(({ target, status }) => [target, status])).toEqual([
      ["read", 404],
      ["read", 404],
      ["read", 404],
    ]);
    // A plan with a lock makes the record: from then on, GitLab answers 204.
    expect(await project.run("plan")).toMatchObject({ code: 0 });
    await looked();
    expect(server.requests.at(-1)).toMatchObject({ target: "read", status: 204 });
    expect(await project.run("apply saved.plan")).toMatchObject({ code: 0 });
    expect(stateOf(server).instances).toHaveLength(1);
  });

  test("a project that the user may not see is no state", async () => {
    const { project } = await openRemote("gitlab");
    const OUTREACH_STATE = project.environment["OUTREACH_STATE"]?.replace("/projects/7/", "/projects/8/");
    const { code, err, sent } = await project.run("plan --lock=false", { OUTREACH_STATE });
    expect([code, sent]).toEqual([1, []]);
    expect(err).toContain("status 404: 404 Project Not Found");
  });
});

describe("the settings of a state on a server", () => {
  test("come from the configuration, and a secret is only a reference there", async () => {
    const { project, server } = await openRemote("gitlab");
    for (const name of Object.keys(server.environment())) delete project.environment[name];
    delete project.environment["OUTREACH_STATE"];
    const settings = Object.entries(server.settings()).map(([name, value]) => `  ${name}: ${value}\n`);
    const state = `state:\n  backend: http\n${settings.join("")}  password: { env: STATE_TOKEN }\n`;
    project.write("outreach.yaml", CONFIGURATION.replace("version: 1\n", `version: 1\n${state}`));
    expect(await project.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("The environment variable STATE_TOKEN is not set") as string,
      sent: [],
    });
    expect((await project.run("plan")).err).toContain("on outreach.yaml:10:");
    expect(server.requests).toEqual([]);
    expect(await project.run("apply --auto-approve", { STATE_TOKEN: SERVER_PASSWORD })).toMatchObject({ code: 0 });
    expect(stateOf(server).instances.length).toBe(1);
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace("version: 1\n", `version: 1\n${state.replace("{ env: STATE_TOKEN }", "hunter2")}`),
    );
    const literal = await project.run("plan");
    expect([literal.code, literal.err]).toEqual([1, expect.stringContaining("outreach.yaml:10:")]);
  });

  test.each([
    [
      "without a lock address",
      { OUTREACH_STATE: "https://state.example.com/x", TF_HTTP_LOCK_ADDRESS: undefined },
      ["lock_address", "TF_HTTP_LOCK_ADDRESS", "Set TF_HTTP_LOCK_ADDRESS"],
    ],
    [
      "with a wrong password",
      { TF_HTTP_PASSWORD: "hunter2" },
      ["status 401: HTTP Basic: Access denied", "TF_HTTP_PASSWORD"],
    ],
    [
      "with a password in the URL",
      { OUTREACH_STATE: "https://ada:hunter2@state.example.com/x" },
      ["must not contain a user name or a password", "TF_HTTP_USERNAME"],
    ],
    [
      "over plain http to another machine",
      { OUTREACH_STATE: "http://state.example.com/x?token=hunter2" },
      ["unencrypted"],
    ],
    [
      "that nothing answers",
      { OUTREACH_STATE: "http://127.0.0.1:9/x", TF_HTTP_LOCK_ADDRESS: "http://127.0.0.1:9/x?token=hunter2" },
      ["127.0.0.1:9 refused the connection", "(3 attempts)"],
    ],
  ] as const)("are refused %s, before anything is sent to the service", async (_, environment, texts) => {
    const { project } = await openRemote("gitlab");
    const { code, err, sent } = await project.run("plan", environment);
    expect([code, sent]).toEqual([1, []]);
    for (const text of texts) expect(err).toContain(text);
    expect(err).not.toContain("hunter2");
  });

  test("name the variable that has the mistake, and the state that a command line names", async () => {
    const { project } = await openRemote("gitlab");
    const withoutScheme = await project.run("plan", { TF_HTTP_LOCK_ADDRESS: "state.example.com/lock" });
    expect([withoutScheme.code, withoutScheme.err]).toEqual([
      1,
      expect.stringContaining("TF_HTTP_LOCK_ADDRESS is not valid. It is not a URL."),
    ]);
    const { err } = await project.run("plan", {
      OUTREACH_STATE: "https://state.example.com/x?token=hunter2",
      TF_HTTP_LOCK_ADDRESS: undefined,
    });
    expect(err).toContain("The state is named https://state.example.com/x.");
  });

  test.each([
    ["are not set", {}],
    [
      "are of Terraform's own state",
      { TF_HTTP_LOCK_ADDRESS: "terraform/lock", TF_HTTP_UNLOCK_ADDRESS: "terraform/lock", TF_HTTP_LOCK_METHOD: "PUT" },
    ],
  ])("lock the state itself on GitLab where the variables of the lock %s", async (_, variables) => {
    const { project, server } = await openRemote("gitlab");
    const address = project.environment["OUTREACH_STATE"] ?? "";
    for (const name of Object.keys(server.environment())) if (name.includes("LOCK")) delete project.environment[name];
    const named = Object.entries(variables).map(([name, value]) => [
      name,
      value.replace("terraform", `${path.posix.dirname(address)}/terraform`),
    ]);
    Object.assign(project.environment, Object.fromEntries(named));
    server.stealLock({ ID: "of-terraform" }, "terraform");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(
      server.requests.filter(({ target }) => target !== "read").every((request) => request.path.includes("/state/one")),
    ).toBe(true);
    server.stealLock({ ID: "of-another-run" });
    expect(await project.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("force-unlock of-another-run") as string,
    });
    expect(await project.run("force-unlock --force of-another-run")).toMatchObject({ code: 0 });
    expect([server.lock(), server.lock("terraform")]).toEqual([null, { ID: "of-terraform" }]);
  });

  test("of an untrusted configuration get nothing: neither the key nor the state's password goes to a server that a pull request names", async () => {
    const { project, server } = await openRemote("plain");
    const { OUTREACH_STATE: address } = project.environment;
    const trap = await startHttpStateServer("plain");
    servers.push(trap);
    const settings = Object.entries(trap.settings()).map(([name, value]) => `  ${name}: ${value}\n`);
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace(
        "version: 1\n",
        `version: 1\nstate:\n  backend: http\n${settings.join("")}  password: { env: OUTREACH_API_KEY }\n`,
      ),
    );
    const { code, err, sent } = await project.run("plan --no-secrets", { OUTREACH_STATE: undefined });
    expect([code, sent]).toEqual([1, []]);
    expect(err).toContain("Set OUTREACH_STATE to the URL of the state");
    expect(trap.requests).toEqual([]);
    expect(await project.run("plan --no-secrets", { OUTREACH_STATE: address })).toMatchObject({ code: 0 });
    expect([trap.requests.length, server.requests.length]).toEqual([0, 3]);
  });

  test("are hidden from the programs that print secrets", async () => {
    const { project } = await openRemote("gitlab");
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace(
        "{ env: S }",
        '{ command: [sh, -c, "echo secret-$TF_HTTP_PASSWORD-$TF_HTTP_USERNAME >&2; env > seen; echo s3cret"] }',
      ),
    );
    expect(await project.run("plan")).toMatchObject({ code: 0 });
    expect(project.read("seen")).toContain("TF_HTTP_USERNAME=");
    expect(project.read("seen")).not.toContain(SERVER_PASSWORD);
  });

  test("that lead to a state of Terraform leave that state alone", async () => {
    const { project, server } = await openRemote("plain");
    const terraform = Buffer.from(
      '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{},"resources":[]}',
    );
    server.setState(terraform);
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("not a state of this tool") as string,
    });
    expect(server.state()).toEqual(terraform);
    expect(server.lock()).toBeNull();
  });
});
