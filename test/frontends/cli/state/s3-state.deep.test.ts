import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { StateDocument } from "../../../../src/core/state/document.ts";
import { type S3Options, type S3Server, startS3Server } from "../../../core/state/s3/s3-server.ts";
import { type Project, oneWebhook, until, useProjects } from "../project.ts";

const openProject = useProjects();
const servers: S3Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const HOUR_MS = 3_600_000;
const KEY = "crm/production.json";
const LOCK_KEY = `${KEY}.tflock`;
const SECRET = "webhook-secret-1";
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\nsecret: { env: S }");
const TWO_RUNS = "two runs at once must not share the clock's jumps";

interface Remote {
  readonly project: Project;
  readonly server: S3Server;
}

/** A project with its state in a bucket, as a CI job names it. The time of its runs jumps, so its store takes any time. */
async function openRemote(options: Parameters<typeof openProject>[0] = {}, s3: S3Options = {}): Promise<Remote> {
  const project = await openProject(options);
  const server = await startS3Server({ nowMs: null, ...s3 });
  servers.push(server);
  Object.assign(project.environment, {
    OUTREACH_STATE: `s3://${server.bucket}/${KEY}`,
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: server.region,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    S: SECRET,
  });
  project.write("outreach.yaml", CONFIGURATION);
  return { project, server };
}

function stateOf({ objects }: S3Server): StateDocument {
  return JSON.parse(objects.get(KEY)?.body.toString() ?? "null") as StateDocument;
}

function lockId({ objects }: S3Server): string {
  return (JSON.parse(objects.get(LOCK_KEY)?.body.toString() ?? "{}") as { readonly ID?: string }).ID ?? "";
}

const urlOf = (index: number): string => `https://crm.example.com/${String(index)}`;

function manyWebhooks(count: number): string {
  return `version: 1\nwebhooks:\n${Array.from({ length: count }, (_, index) => `  w${String(index)}: { target_url: "${urlOf(index)}" }\n`).join("")}`;
}

function liveUrls({ sandbox }: Project): readonly string[] {
  return sandbox
    .webhooks()
    .map(({ targetUrl }) => targetUrl)
    .toSorted();
}

const posts = ({ sandbox }: Project): number => sandbox.requests().filter(({ method }) => method === "POST").length;

describe("with its state in a bucket,", () => {
  test("a project is planned, applied, looked at, repaired and destroyed, and leaves no file", async () => {
    const { project, server } = await openRemote();
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 2,
      out: expect.stringContaining("Plan: 1 to add") as string,
    });
    expect([...server.objects.keys()]).toEqual([]);
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Resources: 1 added") as string,
    });
    expect(stateOf(server)).toMatchObject({ instances: [{ address: "outreach_webhook.crm" }], pending: [] });
    server.log.length = 0;
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(server.log.toSorted()).toEqual([
      `DELETE ${LOCK_KEY} 204`,
      `GET ${KEY} 200`,
      `GET ${LOCK_KEY} 200`,
      `PUT ${LOCK_KEY} 200`,
      `PUT ${LOCK_KEY} 412`,
    ]);

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
    expect([...server.objects.keys()]).toEqual([KEY]);
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
    for (const secret of [SECRET, server.secretAccessKey, project.sandbox.keys.good])
      expect(server.objects.get(KEY)?.body.toString()).not.toContain(secret);
  });

  test("a run waits for another, or stops and names it, and goes past it without a lock", async () => {
    const { project, server } = await openRemote({ realTime: TWO_RUNS });
    project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, method: "POST", when: "before" });
    const holder = project.start("apply --auto-approve");
    await until(() => posts(project) === 1, "the create is sent");
    const id = lockId(server);
    const stopped = await project.run("apply --auto-approve");
    expect(stopped).toMatchObject({ code: 1, sent: [] });
    expect(stopped.err).toContain(`(apply, process ${String(holder.child.pid)} on `);
    expect(stopped.err).toContain(`outreach force-unlock ${id}`);
    expect(JSON.parse((await project.run("state lock --json")).out)).toMatchObject({ id, operation: "apply" });
    expect((await project.run("plan --lock=false")).code).toBe(0);
    const waiter = project.start("plan --detailed-exitcode --lock-timeout 30s");
    let said = "";
    waiter.child.stderr?.on("data", (chunk: string) => (said += chunk));
    await until(
      () => said.includes(`Waiting up to 30s for the lock of s3://${server.bucket}/${KEY}`),
      "the other one waits",
    );
    project.clock.pass(HOUR_MS);
    expect(await holder.ended).toMatchObject({ code: 0 });
    expect(await waiter.ended).toMatchObject({ code: 0 });
    expect((await project.run("state lock")).out).toContain("is not locked");
  });

  test("a run whose lock is taken away stops, keeps what it cannot store, and the next run finds what it has created", async () => {
    const { project, server } = await openRemote({ realTime: TWO_RUNS });
    project.write("outreach.yaml", manyWebhooks(6));
    project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, method: "POST", when: "before", times: 4 });
    const running = project.start("apply --auto-approve");
    await until(() => posts(project) === 4, "four creates are sent");
    expect(await project.run(`force-unlock --force ${lockId(server)}`)).toMatchObject({ code: 0 });
    const before = server.objects.get(KEY)?.body;
    project.clock.pass(HOUR_MS);
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([1, expect.stringContaining("The state lock was lost")]);
    expect(err).toContain("errored.outreach.state.json");
    expect(server.objects.get(KEY)?.body).toBe(before);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(liveUrls(project)).toEqual(Array.from({ length: 6 }, (_, index) => urlOf(index)));
    expect([posts(project), stateOf(server).instances.length]).toEqual([6, 6]);
  });

  test.each(["before", "after"] as const)(
    "an apply that is killed with its folder %s the service has created is put right by a new runner",
    async (when) => {
      const { project, server } = await openRemote({ realTime: "the run that is killed does not wait either" });
      project.write("outreach.yaml", manyWebhooks(30));
      project.sandbox.addFault({
        action: { kind: "late", delayMs: HOUR_MS },
        method: "POST",
        when,
        where: ({ body }) => JSON.stringify(body).includes(`${urlOf(25)}"`),
      });
      const killed = project.start("apply --auto-approve");
      await until(
        () => project.sandbox.requests().some(({ body }) => JSON.stringify(body ?? null).includes(`${urlOf(25)}"`)),
        "the 26th create is sent",
      );
      killed.child.kill("SIGKILL");
      await killed.ended;
      rmSync(project.folder, { recursive: true });
      mkdirSync(project.folder);
      project.write("outreach.yaml", manyWebhooks(30));
      project.sandbox.clearFaults();

      const locked = await project.run("apply --auto-approve");
      expect([locked.code, locked.err]).toEqual([
        1,
        expect.stringContaining(`(apply, process ${String(killed.child.pid)} on `),
      ]);
      expect(await project.run(`force-unlock --force ${lockId(server)}`)).toMatchObject({ code: 0 });
      expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
      expect(liveUrls(project)).toEqual(Array.from({ length: 30 }, (_, index) => urlOf(index)).toSorted());
      expect(stateOf(server)).toMatchObject({ pending: [] });
      expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
      expect([...server.objects.keys()]).toEqual([KEY]);
    },
  );

  test("a store that ignores conditions is refused before anything is sent", async () => {
    const { project, server } = await openRemote({}, { putConditions: "ignored" });
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, sent, err]).toEqual([1, [], expect.stringContaining("The store cannot keep a state")]);
    expect([...server.objects.keys()]).toEqual([]);
  });

  test("settings and a command for the credentials can be in the configuration", async () => {
    const { project, server } = await openRemote();
    for (const name of Object.keys(project.environment))
      if (name.startsWith("AWS_") || name === "OUTREACH_STATE") delete project.environment[name];
    const printed = JSON.stringify({
      Version: 1,
      AccessKeyId: server.accessKeyId,
      SecretAccessKey: server.secretAccessKey,
    });
    project.write("print.mjs", `console.log(${JSON.stringify(printed)});`);
    const state = `state:\n  backend: s3\n  bucket: ${server.bucket}\n  key: ${KEY}\n  region: ${server.region}\n  endpoint: ${server.url}\n  credentials: { command: [${process.execPath}, print.mjs] }\n`;
    project.write("outreach.yaml", CONFIGURATION.replace("version: 1\n", `version: 1\n${state}`));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(stateOf(server).instances).toHaveLength(1);
    project.write("outreach.yaml", CONFIGURATION.replace("version: 1\n", `version: 1\n${state.replace(KEY, "a+b")}`));
    const wrong = await project.run("plan");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("A key with a plus sign cannot be signed")]);
    expect(wrong.err).toContain("outreach.yaml:5:");
  });

  test.each<readonly [string, { readonly [name: string]: string | undefined }, readonly string[]]>([
    [
      "with another secret key",
      { AWS_SECRET_ACCESS_KEY: "hunter2hunter2" },
      ["SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"],
    ],
    ["without credentials", { AWS_ACCESS_KEY_ID: undefined }, ["AWS_ACCESS_KEY_ID is not set"]],
    [
      "in another region",
      { AWS_REGION: "eu-west-9" },
      ["in the region eu-test-1, not in eu-west-9", "Set state.region, or AWS_REGION, to eu-test-1."],
    ],
    [
      "without a region",
      { AWS_ENDPOINT_URL_S3: undefined, AWS_REGION: undefined },
      ["needs the region of the bucket", "AWS_ENDPOINT_URL_S3"],
    ],
    [
      "over plain http to another machine",
      { AWS_ENDPOINT_URL_S3: "http://s3.example.com" },
      ["plain http only reaches this machine"],
    ],
    ["that nothing answers", { AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" }, ["127.0.0.1:9 refused the connection"]],
  ])("a state %s is refused before anything is sent to the service", async (_, environment, texts) => {
    const { project, server } = await openRemote();
    const { code, out, err, sent } = await project.run("plan", environment);
    expect([code, sent]).toEqual([1, []]);
    for (const text of texts) expect(err.replaceAll(/\s+/g, " ")).toContain(text);
    for (const secret of ["hunter2", server.secretAccessKey]) expect(out + err).not.toContain(secret);
  });
});
