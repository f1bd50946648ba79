import { describe, expect, onTestFinished, test } from "vitest";
import type { WebhookRecord } from "../../../../src/sandbox/sandbox-records.ts";
import { event, post, startListening, startReceiver } from "./listening.ts";
import { type Project, until, useProjects } from "../project.ts";

const openProject = useProjects();
const TARGET = /\/outreach-listen\/[0-9a-f]{32}$/;

/** The only webhook of the service. */
function webhookOf({ sandbox }: Project): WebhookRecord {
  const [only, ...others] = sandbox.webhooks();
  expect(others).toEqual([]);
  if (!only) throw new Error("there is no webhook");
  return only;
}

async function killed(project: Project, words = "--register"): Promise<string> {
  const listening = await startListening(project, words);
  await until(() => listening.lines("registered").length > 0, "it is registered");
  process.kill(listening.pid, "SIGKILL");
  await listening.ended;
  return String(listening.lines("registered")[0]?.["id"]);
}

test("a webhook with a secret of its own leads to the listener as long as it runs", async () => {
  const project = await openProject();
  const listening = await startListening(project, "--register --type emailsReplied --campaign cam_000001");
  await until(() => listening.lines("registered").length > 0, "it is registered");
  const { _id: id, targetUrl, type, campaignId, secret } = webhookOf(project);
  expect({ type, campaignId }).toEqual({ type: "emailsReplied", campaignId: "cam_000001" });
  expect(targetUrl).toMatch(TARGET);
  expect(targetUrl.startsWith(`${listening.url}/`)).toBe(true);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect((await post(targetUrl, event({ secret }))).status).toBe(200);
  expect((await post(targetUrl, event())).status).toBe(401);
  const { code, out, err, sent } = await listening.stop("SIGTERM");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(sent.slice(-1)).toEqual([`DELETE /hooks/${id} 200`]);
  expect(project.sandbox.webhooks()).toEqual([]);
  expect(listening.lines("registered")).toEqual([{ kind: "registered", id, targetUrl }]);
  expect(listening.lines("removed")).toEqual([{ kind: "removed", id }]);
  expect(out).not.toContain(secret);
});

test("the webhook gets the given secret, which receivers know, and leads through the given tunnel", async () => {
  const project = await openProject();
  const listening = await startListening(project, "--register https://tunnel.example.com/dev/ --secret env:HOOK", {
    HOOK: "the-receivers-secret",
  });
  await until(() => listening.lines("registered").length > 0, "it is registered");
  expect(webhookOf(project)).toMatchObject({
    secret: "the-receivers-secret",
    targetUrl: expect.stringMatching(/^https:\/\/tunnel\.example\.com\/dev\/outreach-listen\//) as string,
  });
  expect((await listening.stop()).code).toBe(0);
  expect(project.sandbox.webhooks()).toEqual([]);
});

test("a note says that receivers cannot know a random secret", async () => {
  const project = await openProject();
  const receiving = await startReceiver(() => 401);
  onTestFinished(receiving.close);
  const listening = await startListening(project, `--register --forward ${receiving.url}`);
  await until(() => listening.lines("registered").length > 0, "it is registered");
  project.sandbox.trigger({ type: "interested" });
  await until(() => receiving.requests.length > 0, "the event is forwarded");
  expect((await listening.stop()).err).toContain("Note: The receivers do not know the secret [secret_unknown]\n");
});

describe("nothing is created, and nothing listens", () => {
  test.each([
    [
      "without a URL that the service can reach",
      "--register",
      { OUTREACH_BASE_URL: "https://api.example.com/api" },
      "--register needs the public https URL of a tunnel",
    ],
    [
      "with a URL of this machine, for a service elsewhere",
      "--register http://localhost:4020",
      { OUTREACH_BASE_URL: "https://api.example.com/api" },
      "--register needs the public https URL of a tunnel",
    ],
    ["with a URL that is not one", "--register tunnel", {}, "not an absolute URL"],
    ["with plain http", "--register http://tunnel.example.com", {}, "Use https"],
    ["with an unknown type", "--register --type emailReplied", {}, "Did you mean emailsReplied"],
    ["with a filter alone", "--type emailsReplied", {}, "Add --register"],
    ["without a key", "--register", { OUTREACH_API_KEY: "" }, "No API key"],
    ["with a wrong key", "--register", { OUTREACH_API_KEY: "wrong" }, "The service refused the request"],
    ["for a campaign that does not exist", "--register --campaign cam_999999", {}, "Check the campaign"],
  ])("%s", async (_, words, environment, said) => {
    const project = await openProject();
    const { code, err } = await project.run(`listen --port 0 ${words}`, environment);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(said) as string });
    expect(project.sandbox.webhooks()).toEqual([]);
  });
});

describe("a lost answer", () => {
  test("to the create: the list finds the webhook by its target URL", async () => {
    const project = await openProject();
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST", times: 1 });
    const listening = await startListening(project, "--register");
    await until(() => listening.lines("registered").length > 0, "it is registered");
    expect(listening.lines("registered")).toMatchObject([{ id: webhookOf(project)._id }]);
    expect((await listening.stop()).code).toBe(0);
    expect(project.sandbox.webhooks()).toEqual([]);
  });

  test("to a create that was not carried out: it says that the webhook may exist", async () => {
    const project = await openProject();
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", method: "POST", times: 1 });
    const { code, err } = await project.run("listen --port 0 --register");
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("Error: The temporary webhook may exist") as string,
    });
    expect(err).toContain(
      "in a minute. If it lists the webhook, add its id to removals in a configuration, and apply.",
    );
    expect(project.sandbox.webhooks()).toEqual([]);
  });

  test("to the delete: it is sent again, also if the terminal was closed, which the system and the shell both say", async () => {
    const project = await openProject();
    const listening = await startListening(project, "--register");
    await until(() => listening.lines("registered").length > 0, "it is registered");
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", method: "DELETE", times: 2 });
    void listening.stop("SIGHUP");
    await until(() => listening.said().err.includes("Trying again."), "it is sent again");
    const { code, err } = await listening.stop("SIGHUP");
    expect(code).toBe(0);
    expect(err.match(/is not removed yet: .* Trying again\./g)).toHaveLength(2);
    expect(project.sandbox.webhooks()).toEqual([]);
  });
});

test("where the webhook cannot be removed, it says how to remove it", async () => {
  const project = await openProject();
  const listening = await startListening(project, "--register");
  await until(() => listening.lines("registered").length > 0, "it is registered");
  const { _id: id } = webhookOf(project);
  const fault = project.sandbox.addFault({
    action: { kind: "answer", status: 401, body: "User linked to this API key is blocked" },
    method: "DELETE",
  });
  const { code, err } = await listening.stop();
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`add { id: ${id}, reason: left by outreach listen } to removals`) as string,
  });
  project.sandbox.removeFault(fault);
  project.write("outreach.yaml", `version: 1\nremovals:\n  - { id: ${id}, reason: left by outreach listen }\n`);
  expect((await project.run("plan")).out).toContain("1 to destroy");
});

describe("after a kill", () => {
  test("doctor, the next listen and generate leave the webhook out", async () => {
    const project = await openProject();
    const id = await killed(project);
    expect((await project.run("doctor")).err).toBe("");
    expect(await project.run("generate")).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining(`${id}: It belongs to an outreach listen`) as string,
    });
    const listening = await startListening(project, "--register");
    await until(() => listening.lines("registered").length > 0, "it is registered");
    expect((await listening.stop()).err).not.toContain(id);
    expect(webhookOf(project)._id).toBe(id);
  });
});
