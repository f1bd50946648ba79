import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventHandler, type OutreachEvent } from "../../../../src/service/receiver/index.ts";
import { bundledCommand } from "../bundled-command.ts";
import { type ReceivedRequest, startListening, startReceiver } from "../listen/listening.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const SECRET = "the-secret-of-the-receiver";

interface Fields {
  readonly _id: string;
  readonly type: string;
  readonly secret?: string;
}

function fieldsOf({ body }: ReceivedRequest): Fields {
  return JSON.parse(body) as Fields;
}

/** A receiver that answers an event with the right secret, and another one. */
async function receiving(right: number | Promise<number>, wrong: number | Promise<number> = 401) {
  const receiver = await startReceiver((request) =>
    Promise.resolve(fieldsOf(request).secret === SECRET ? right : wrong),
  );
  onTestFinished(receiver.close);
  return { ...receiver, host: `127.0.0.1:${String(receiver.port)}` };
}

/** A project whose webhooks were applied, each with a secret unless its body says otherwise. */
async function applied(webhooks: { readonly [name: string]: string }): Promise<Project> {
  const project = await openProject();
  project.environment["HOOK"] = SECRET;
  project.write("outreach.yaml", configuration(webhooks));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

function configuration(webhooks: { readonly [name: string]: string }): string {
  const blocks = Object.entries(webhooks).map(
    ([name, url]) => `  ${name}: { target_url: "${url}"${url.includes("open") ? "" : ", secret: { env: HOOK }"} }\n`,
  );
  return `version: 1\nwebhooks:\n${blocks.join("")}`;
}

interface Verified {
  readonly address: string;
  readonly host: string | null;
  readonly result: string;
  readonly reason: string;
  readonly message: string;
  readonly status: number | null;
  readonly wrong_secret_status: number | null;
}

async function verify(
  project: Project,
  words: string,
  environment: { readonly [name: string]: string | undefined } = {},
) {
  const { code, out, err, sent } = await project.run(`doctor --receivers --json ${words}`, environment);
  const { receivers } = JSON.parse(out) as { readonly receivers: readonly Verified[] };
  return { code, err, sent, receivers, results: receivers.map(({ result, reason }) => `${result} ${reason}`) };
}

describe("what a receiver answers", () => {
  test.each([
    [
      "204 to the secret, 401 to a wrong one",
      204,
      401,
      0,
      "ok secret_checked",
      "ok: accepts the secret, refuses a wrong one",
    ],
    [
      "200 to the secret, 403 to a wrong one",
      200,
      403,
      0,
      "ok secret_checked",
      "ok: accepts the secret, refuses a wrong one",
    ],
    ["200 to both", 200, 200, 1, "failed accepts_wrong_secret", "failed: accepts events without the right secret"],
    [
      "200 to the secret, 500 to a wrong one",
      200,
      500,
      1,
      "failed wrong_secret_status",
      "failed: does not answer 401 or 403 to a wrong secret (it answers 500)",
    ],
    [
      "200 to the secret, 302 to a wrong one",
      200,
      302,
      1,
      "failed wrong_secret_status",
      "failed: does not answer 401 or 403 to a wrong secret (it answers 302)",
    ],
    ["401 to the secret", 401, 401, 1, "failed refused", "failed: refuses the event"],
    ["404", 404, 404, 1, "failed status", "failed: does not accept the event"],
    ["500", 500, 401, 1, "failed status", "failed: does not accept the event"],
  ] as const)("%s", async (_, right, wrong, code, found, message) => {
    const receiver = await receiving(right, wrong);
    const project = await applied({ crm: `${receiver.url}/hooks` });
    const verified = await verify(project, `--allow ${receiver.host}`);
    expect(verified).toMatchObject({
      code,
      results: [found],
      receivers: [{ address: "outreach_webhook.crm", host: receiver.host, status: right, message }],
    });
    const [first, second] = receiver.requests.map(fieldsOf);
    expect(first?.secret).toBe(SECRET);
    // A receiver that does not accept the secret gets no other one.
    expect(receiver.requests).toHaveLength(right < 300 ? 2 : 1);
    if (second) expect(second.secret).toMatch(/^[0-9a-f]{64}$/);
  });

  test("none, or too late", async () => {
    const receiver = await receiving(new Promise<never>(() => undefined));
    const closed = await startReceiver(() => 200);
    await closed.close();
    const project = await applied({ a: `${receiver.url}/hooks`, b: `${closed.url}/hooks` });
    const { code, receivers } = await verify(project, "--allow 127.0.0.1", { OUTREACH_TIMEOUT: "300ms" });
    expect({ code, messages: receivers.map(({ message, status }) => ({ message, status })) }).toEqual({
      code: 1,
      messages: [
        { message: "failed: no answer (no complete answer within 0.3 s)", status: null },
        { message: "failed: no answer (the host refused the connection)", status: null },
      ],
    });
  });

  test("a redirect, which is not followed, not even with the method kept", async () => {
    const elsewhere = await receiving(200);
    const redirecting = await startReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }));
    onTestFinished(redirecting.close);
    const project = await applied({ crm: `${redirecting.url}/hooks` });
    expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({ code: 1, results: ["failed redirect"] });
    expect(elsewhere.requests).toEqual([]);
  });

  test("an answer without an end is cut off", async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200);
      const part = Buffer.alloc(64 * 1024);
      const more = (): void => void (response.destroyed || !response.write(part) || setImmediate(more));
      response.on("drain", more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void (server.closeAllConnections(), server.close()));
    const project = await applied({ crm: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks` });
    const { receivers } = await verify(project, "--allow 127.0.0.1");
    expect(receivers).toMatchObject([{ message: "failed: no answer (the answer is larger than 1 MB)" }]);
  });
});

test("the library answers without its onEvent, once it has verified the secret", async () => {
  const events: OutreachEvent[] = [];
  const rejected: string[] = [];
  const handler = eventHandler({
    secrets: [SECRET],
    onEvent: (event) => void events.push(event),
    onRejected: ({ code }) => void rejected.push(code),
  });
  // oxlint-disable-next-line typescript/no-misused-promises -- its promise never rejects
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const project = await applied({ crm: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks` });
  expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({
    code: 0,
    results: ["ok secret_checked"],
    receivers: [{ status: 204, wrong_secret_status: 401 }],
  });
  expect({ events, rejected }).toEqual({ events: [], rejected: ["secret_wrong"] });
});

test("a synthetic event names nothing that a receiver could do something to", async () => {
  const receiver = await receiving(200);
  const project = await applied({ crm: `${receiver.url}/hooks?event=all` });
  await verify(project, "--allow 127.0.0.1");
  const [first, second] = receiver.requests;
  expect(first).toMatchObject({
    method: "POST",
    path: "/hooks?event=all",
    headers: { "content-type": "application/json", "outreach-verify": "1" },
  });
  expect(fieldsOf(first as ReceivedRequest)).toEqual({
    _id: expect.stringMatching(/^vfy_[0-9a-f-]{36}$/) as string,
    type: "verification",
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    secret: SECRET,
  });
  // Another one: a receiver that handles each event once would not look at it.
  expect(fieldsOf(second as ReceivedRequest)._id).not.toBe(fieldsOf(first as ReceivedRequest)._id);
});

test("a webhook without a secret gets one event, without one", async () => {
  const receiver = await receiving(401, 200);
  const project = await applied({ crm: `${receiver.url}/open` });
  expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({ code: 0, results: ["ok no_secret"] });
  expect(receiver.requests.map(fieldsOf)).toEqual([
    { _id: expect.any(String) as string, type: "verification", createdAt: expect.any(String) as string },
  ]);
});

describe("what gets nothing", () => {
  test("without --allow: nothing at all, and the error has the command to copy", async () => {
    const receiver = await receiving(200);
    const project = await applied({ a: `${receiver.url}/a`, b: "https://crm.example.com/hooks", c: "http://[::1]:9/" });
    const { code, out, err, sent } = await project.run("doctor --receivers", { HOOK: undefined });
    expect({ code, out, sent, requests: receiver.requests }).toEqual({ code: 1, out: "", sent: [], requests: [] });
    expect(err).toContain("Error: No host is allowed [verify_not_allowed]\n");
    expect(err).toContain(
      `run: outreach doctor --receivers --allow ${receiver.host} --allow '[::1]:9' --allow crm.example.com\n`,
    );
  });

  test("--allow without --receivers, which says how to go on", async () => {
    const receiver = await receiving(200);
    const project = await applied({ a: `${receiver.url}/a` });
    const { code, out, err, sent } = await project.run("doctor --allow 127.0.0.1");
    expect({ code, out, sent, requests: receiver.requests }).toEqual({ code: 1, out: "", sent: [], requests: [] });
    expect(err).toBe(`Error: Conflicting options [options_conflict]

--allow names the hosts that doctor --receivers sends events to. Nothing was sent.
Add --receivers, or leave out --allow.

`);
  });

  test("a host that is not allowed, whose secret is not even read", async () => {
    const receiver = await receiving(200);
    const project = await applied({ a: `${receiver.url}/a` });
    expect(await verify(project, "--allow crm.example.com", { HOOK: undefined })).toMatchObject({
      code: 1,
      results: ["skipped host_not_allowed"],
    });
    expect(receiver.requests).toEqual([]);
  });

  test("a URL that was changed and not applied: the applied one gets the secret", async () => {
    const [before, after] = [await receiving(204), await receiving(204)];
    const project = await applied({ crm: `${before.url}/hooks` });
    project.write("outreach.yaml", configuration({ crm: `${after.url}/hooks` }));
    expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({
      code: 0,
      results: ["ok secret_checked"],
      receivers: [{ host: before.host }],
    });
    expect(after.requests).toEqual([]);
  });

  test("a secret that was changed and not applied", async () => {
    const receiver = await receiving(200);
    const project = await applied({ crm: `${receiver.url}/hooks` });
    expect(await verify(project, "--allow 127.0.0.1", { HOOK: "another-secret" })).toMatchObject({
      code: 1,
      results: ["skipped apply_first"],
    });
    project.write("outreach.yaml", configuration({ crm: `${receiver.url}/open` }));
    expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({ code: 1, results: ["skipped apply_first"] });
    expect(receiver.requests).toEqual([]);
  });

  test("a webhook whose secret nobody knows: its block is gone, or its secret is missing", async () => {
    const receiver = await receiving(200);
    const project = await applied({ crm: `${receiver.url}/hooks`, b: "https://crm.example.com" });
    expect(await verify(project, "--allow 127.0.0.1", { HOOK: undefined })).toMatchObject({
      code: 1,
      receivers: [{}, { message: "failed: its secret is not available (The environment variable HOOK is not set)" }],
    });
    project.write("outreach.yaml", configuration({ b: "https://crm.example.com" }));
    expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({
      code: 1,
      results: ["skipped host_not_allowed", "skipped not_declared"],
    });
    expect(receiver.requests).toEqual([]);
  });

  test("a webhook that was imported with a secret that only the service knows", async () => {
    const receiver = await receiving(200);
    const project = await openProject();
    project.sandbox.add("webhooks", { _id: "hoo_old", targetUrl: `${receiver.url}/open`, secret: SECRET });
    project.write("outreach.yaml", configuration({ crm: `${receiver.url}/open` }));
    expect(await project.run("import outreach_webhook.crm hoo_old")).toMatchObject({ code: 0 });
    expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({ code: 1, results: ["skipped secret_unknown"] });
    expect(receiver.requests).toEqual([]);
  });

  test("a webhook that the service no longer lists", async () => {
    const receiver = await receiving(200);
    const project = await applied({ crm: `${receiver.url}/hooks` });
    for (const { _id } of project.sandbox.webhooks()) project.sandbox.remove("webhooks", _id);
    expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({ code: 1, results: ["skipped missing"] });
    expect(receiver.requests).toEqual([]);
  });

  test("a webhook with an undecided replace", async () => {
    const receiver = await receiving(200);
    const project = await applied({ crm: `${receiver.url}/hooks` });
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", method: "DELETE" });
    await project.run("apply --auto-approve", { HOOK: "another" });
    project.sandbox.clearFaults();
    const { code, results } = await verify(project, "--allow 127.0.0.1");
    expect(code).toBe(1);
    expect(results[0]).toMatch(/^skipped/);
    expect(receiver.requests).toEqual([]);
  });

  test("a state without a webhook, and no state", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\noutputs: { a: one }\n");
    const none = await project.run("doctor --receivers --allow crm.example.com");
    expect(none).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("Error: No state was found") as string,
    });
    await project.run("apply --auto-approve");
    expect(await project.run("doctor --receivers --allow crm.example.com")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\nNothing to verify: the state has no webhook\.\n$/) as string,
      err: "",
    });
  });
});

test("one receiver of several webhooks is asked once for each secret, and writes nothing", async () => {
  const receiver = await receiving(204);
  const project = await openProject();
  project.environment["HOOK"] = SECRET;
  const types = "types: [emailsSent, emailsReplied, interested]";
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks:\n  crm: { target_url: "${receiver.url}/hooks", ${types}, secret: { env: HOOK } }\n`,
  );
  await project.run("apply --auto-approve");
  const files = project.files();
  const { code, sent, results } = await verify(project, "--allow 127.0.0.1");
  expect({ code, results, requests: receiver.requests.length }).toEqual({
    code: 0,
    results: Array(3).fill("ok secret_checked"),
    requests: 2,
  });
  expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  expect(project.files()).toEqual(files);
});

test("receivers that never answer take four times the time of one answer, and those that were not asked are no success", async () => {
  const [one, other] = [
    await receiving(new Promise<never>(() => undefined)),
    await receiving(new Promise<never>(() => undefined)),
  ];
  const at = ({ url }: typeof one) => Array.from({ length: 40 }, (_, index) => `${url}/hooks${String(index)}`);
  const project = await applied(
    Object.fromEntries([...at(one), ...at(other)].map((url, index) => [`w${String(index)}`, url])),
  );
  const { code, err, results } = await verify(project, "--allow 127.0.0.1", { OUTREACH_TIMEOUT: "500ms" });
  expect([code, err, results.length, new Set(results)]).toEqual([
    1,
    "",
    80,
    new Set(["failed no_answer", "failed not_asked"]),
  ]);
  // Four rounds of eight: both hosts at the same time.
  for (const { requests } of [one, other]) expect(requests.length).toBeLessThanOrEqual(32);
  expect([one.requests.length > 0, other.requests.length > 0]).toEqual([true, true]);
});

test("a terminal shows how far it is, and nothing of that stays", async () => {
  const receiver = await receiving(204);
  const project = await applied({ crm: `${receiver.url}/hooks` });
  const { folder, clock } = project;
  const environment = {
    OUTREACH_BASE_URL: project.sandbox.baseUrl,
    OUTREACH_API_KEY: project.sandbox.keys.good,
    HOOK: SECRET,
  };
  const command = await bundledCommand();
  const running = command.runInProcess({
    words: ["doctor", "--receivers", "--allow", "127.0.0.1"],
    folder,
    environment,
    clock,
    providerFolder: "",
    columns: 80,
  });
  const { code, err } = await clock.jumpDuring(running.ended);
  expect([code, err]).toEqual([0, "\r\u001b[KVerifying receivers: 0/1 · 0s\r\u001b[K"]);
});

test("the report has no secret and no URL, and the host also where it is from a sensitive variable", async () => {
  const receiver = await receiving(200, 200);
  const project = await openProject();
  project.environment["HOOK"] = SECRET;
  project.environment["OUTREACH_VAR_place"] = receiver.url;
  project.write(
    "outreach.yaml",
    `version: 1\nvariables: { place: { sensitive: true } }\nwebhooks:\n  a: { target_url: "\${var.place}/path-token", secret: { env: HOOK } }\n  b: { target_url: "${receiver.url}/other?key=token", secret: { env: HOOK } }\n`,
  );
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  const refused = await project.run("doctor --receivers");
  expect(refused.err).toContain(`run: outreach doctor --receivers --allow ${receiver.host}\n`);
  const { code, out } = await project.run("doctor --receivers --allow 127.0.0.1");
  expect(code).toBe(1);
  expect(out).toMatch(
    /\nnote {2}Receiver of outreach_webhook\.a: 127\.0\.0\.1:\d+, 200 in \d+ ms\n {6}failed: accepts events without the right secret\n/,
  );
  expect(out).toContain("\n2 receivers: 2 failed.\n");
  const json = await project.run("doctor --receivers --json --allow 127.0.0.1");
  for (const text of [out, json.out, refused.err])
    for (const hidden of [SECRET, "token"]) expect(text).not.toContain(hidden);
});

test("doctor sends no events by default", async () => {
  const receiver = await receiving(200, 200);
  const project = await applied({ crm: `${receiver.url}/hooks` });
  expect(await project.run("doctor")).toMatchObject({ code: 0 });
  const refused = await project.run("doctor --receivers");
  expect(refused).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining(`run: outreach doctor --receivers --allow ${receiver.host}\n`) as string,
  });
  expect(receiver.requests).toEqual([]);
  const { code, out } = await project.run("doctor --receivers --allow 127.0.0.1");
  expect(code).toBe(1);
  expect(out).toMatch(
    /\nnote {2}Receiver of outreach_webhook\.crm: 127\.0\.0\.1:\d+, 200 in \d+ ms\n {6}failed: accepts events without the right secret\n/,
  );
  const { findings } = JSON.parse((await project.run("doctor --json --receivers --allow 127.0.0.1")).out) as {
    readonly findings: readonly unknown[];
  };
  expect(findings.at(-1)).toMatchObject({
    what: "Receiver of outreach_webhook.crm",
    means: "failed: accepts events without the right secret",
    holds: false,
  });
});

test("each team of a configuration is verified with its own state and secret", async () => {
  const receiver = await receiving(204);
  const project = await openProject();
  project.environment["HOOK"] = SECRET;
  project.write(
    "outreach.yaml",
    `version: 1\nteams:\n  emea: { api_key: { env: OUTREACH_API_KEY } }\n  apac: { api_key: { env: OUTREACH_API_KEY } }\nwebhooks:\n  crm: { target_url: "${receiver.url}/\${team.name}", secret: { env: HOOK } }\n`,
  );
  await project.run("apply --auto-approve");
  const { code, out } = await project.run("doctor --receivers --allow 127.0.0.1");
  expect(code).toBe(0);
  expect(out.match(/ok: accepts the secret, refuses a wrong one/g)).toHaveLength(2);
  expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(["/emea", "/apac"]));
});

test("outreach listen verifies the secret, forwards the event, and saves nothing", async () => {
  const receiver = await receiving(200);
  const project = await openProject();
  const listening = await startListening(
    project,
    `--secret env:HOOK --forward ${String(receiver.port)} --save events`,
    { HOOK: SECRET },
  );
  project.environment["HOOK"] = SECRET;
  project.write("outreach.yaml", configuration({ crm: `${listening.url}/hooks` }));
  await project.run("apply --auto-approve");
  expect(await verify(project, "--allow 127.0.0.1")).toMatchObject({ code: 0, results: ["ok secret_checked"] });
  expect((await listening.stop()).code).toBe(0);
  expect(
    listening.lines("event").map(({ type, secret, status, savedAs }) => ({ type, secret, status, savedAs })),
  ).toEqual([
    { type: "verification", secret: "ok", status: 200, savedAs: null },
    { type: "verification", secret: "wrong", status: 401, savedAs: null },
  ]);
  expect(receiver.requests).toHaveLength(1);
  expect(Object.keys(project.files()).filter((file) => file.startsWith("events/"))).toEqual([]);
});

test.each(["http://127.0.0.1", "*", "*.com", "crm.example.com/hooks"])("--allow %s is refused", async (host) => {
  const project = await openProject();
  const { code, err } = await project.run(`doctor --receivers --allow ${host}`);
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringContaining("crm.example.com:8443 or *.example.com") as string,
  });
});
