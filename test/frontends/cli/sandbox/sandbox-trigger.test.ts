import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../../sandbox/delivery/receiver.ts";
import { problemsOf } from "../../../service/openapi/event-validator.ts";
import { until, useProjects } from "../project.ts";

const openProject = useProjects();

/** The text with every duration and port the same. */
function stable(text: string): string {
  return text
    .replaceAll(/in \d+ ms/g, "in 0 ms")
    .replaceAll(/in \d+\.\d s/g, "in 0.0 s")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:0");
}

/** A project whose sandbox delivers to a receiver. */
async function openReceiver(webhook: object = {}) {
  const project = await openProject();
  const receiver = await startReceiver();
  project.sandbox.add("webhooks", { targetUrl: receiver.url, ...webhook });
  return { project, received: receiver.received, bodies: () => receiver.received.map(({ body }) => body) };
}

/** Starts a server that is no sandbox, and returns its URL. */
async function startOther(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

describe("one event, by the built command", () => {
  test("reaches the receiver, and the result is shown", async () => {
    const { project, bodies } = await openReceiver({ secret: "correct-horse" });
    const words =
      "sandbox trigger emailsReplied --campaign cam_000002 --lead katherine@example.net --set subject=Hi --set 'cc=Grace Hopper <GRACE@example.com>,alan@example.com' --set to[0].name=G";
    const { code, out, err } = await project.start(words).ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(stable(out)).toBe(
      "act_000001  emailsReplied  → hoo_000001 http://127.0.0.1:0/hook  204 in 0 ms\nact_000002  warmed         → hoo_000001 http://127.0.0.1:0/hook  204 in 0 ms\n",
    );
    const [reply, warmed] = bodies().toSorted((a, b) => String(a["_id"]).localeCompare(String(b["_id"])));
    for (const body of bodies()) expect(problemsOf(body)).toEqual([]);
    expect(reply).toMatchObject({
      campaignId: "cam_000002",
      leadEmail: "katherine@example.net",
      subject: "Hi",
      to: [{ address: "alan@northwind.example.com", name: "G" }],
      cc: [
        { address: "grace@example.com", name: "Grace Hopper" },
        { address: "alan@example.com", name: "" },
      ],
      secret: "correct-horse",
    });
    expect(warmed).toMatchObject({ type: "warmed", leadEmail: "katherine@example.net" });
  });

  test("of a third party has no campaign", async () => {
    const { project, bodies } = await openReceiver();
    expect(await project.run("sandbox trigger emailsReplied --third-party")).toMatchObject({ code: 0, err: "" });
    expect(bodies()).toEqual([expect.objectContaining({ isThirdPartyReply: true })]);
    expect(bodies()[0]).not.toHaveProperty("campaignId");
  });

  test("with an id is a duplicate", async () => {
    const { project, bodies } = await openReceiver();
    for (let time = 0; time < 2; time++)
      expect(await project.run("sandbox trigger emailsBounced --set _id=act_seen")).toMatchObject({ code: 0 });
    expect(bodies().map(({ _id }) => _id)).toEqual(["act_seen", "act_seen"]);
  });

  test("shows a failed attempt and its retry, and a URL that is not allowed", async () => {
    const { project } = await openReceiver();
    const failing = await startReceiver((_request, response) => void response.writeHead(503).end());
    project.sandbox.add("webhooks", { targetUrl: failing.url, type: "emailsBounced" });
    project.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/hooks" });
    const { code, out, err } = await project.run("sandbox trigger emailsBounced");
    expect(code).toBe(0);
    expect(stable(out).split("\n")).toEqual([
      "act_000001  emailsBounced  → hoo_000001 http://127.0.0.1:0/hook  204 in 0 ms",
      "act_000001  emailsBounced  → hoo_000002 http://127.0.0.1:0/hook  503 in 0 ms, retry in 5 s",
      "act_000001  emailsBounced  → hoo_000003  not sent",
      "",
    ]);
    expect(err).toContain("To deliver to any host, start it with: outreach sandbox --deliver any\n");
  });

  test("that no webhook receives is a note", async () => {
    const { project } = await openReceiver({ type: "smsSent" });
    const { code, out, err } = await project.run("sandbox trigger emailsBounced");
    expect({ code, out }).toEqual({ code: 0, out: "act_000001  emailsBounced  no webhook\n" });
    expect(err).toBe(
      "Note: No webhook matches [event_unmatched]\n\nNo webhook of team tea_000001 is for emailsBounced.\nDeclare a webhook for it, and run: outreach apply\n\n",
    );
  });
});

describe("many events", () => {
  test("arrive at the rate, and the summary counts them", async () => {
    const { project, bodies } = await openReceiver();
    const { code, out } = await project.start("sandbox trigger emailsBounced --count 60 --rate 100").ended;
    expect(code).toBe(0);
    const [, seconds = ""] = /^Triggered 60 events in (\d+\.\d) s\. 60 deliveries: 60 delivered\.\n$/.exec(out) ?? [];
    // The first is due at once, and the 60th after 0.59 s.
    expect(Number(seconds), out).toBeGreaterThanOrEqual(0.5);
    expect(new Set(bodies().map(({ _id }) => _id)).size).toBe(60);
  });

  test("without a rate arrive in batches", async () => {
    const { project, bodies } = await openReceiver();
    const { code, out } = await project.start("sandbox trigger emailsSent --count 1200").ended;
    // A loaded machine may not deliver all of them within the command's wait.
    expect({ code, out: stable(out) }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Triggered 1,200 events in 0\.0 s\. 2,400 deliveries: [\d,]+ delivered/) as string,
    });
    await project.sandbox.whenIdle();
    expect(bodies()).toHaveLength(2400);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("stop at %s, with a summary", async (signal) => {
    const { project, received } = await openReceiver();
    const { child, ended } = project.start("sandbox trigger emailsBounced --count 1000000 --rate 20");
    await until(() => received.length > 2, "events arrive");
    child.kill(signal);
    const { code, out } = await ended;
    expect(code).toBe(1);
    expect(out).toMatch(/^Triggered \d+ of 1,000,000 events in \d+\.\d s\. \d+ deliveries: /);
  });

  test("that the sandbox stops taking are an error with their number", async () => {
    const { project, received } = await openReceiver();
    const { ended } = project.start("sandbox trigger emailsBounced --count 1000000 --rate 20");
    await until(() => received.length > 2, "events arrive");
    await project.sandbox.close();
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^Triggered [\d,]+ of 1,000,000 events before the error\.\nError: No sandbox \[sandbox_unreachable\]\n/,
    );
  });
});

describe("mistakes", () => {
  test.each([
    [
      "sandbox trigger emailReplied",
      "The sandbox refused the event",
      "No event type is named emailReplied.\nDid you mean emailsReplied?",
    ],
    [
      "sandbox trigger zzz",
      "The sandbox refused the event",
      "No event type is named zzz.\nRun outreach events to list them.",
    ],
    [
      "sandbox trigger skipped",
      "The sandbox refused the event",
      "Event type skipped has been removed: there is no replacement.",
    ],
    [
      "sandbox trigger smsSent --campaign cam_9",
      "The sandbox refused the event",
      "Campaign cam_9 does not exist.\nThe campaigns are ",
    ],
    [
      "sandbox trigger smsSent --lead ruby@example.org",
      "The sandbox refused the event",
      "No campaign has a lead ruby@example.org.\nThe leads are ",
    ],
    [
      "sandbox trigger campaignComplete --lead ada@example.com",
      "The sandbox refused the event",
      "An event of type campaignComplete has no lead",
    ],
    [
      "sandbox trigger smsSent --third-party",
      "The sandbox refused the event",
      "Only emailsReplied has third-party replies, not smsSent.",
    ],
    [
      "sandbox trigger emailsSent --set subjct=x",
      "The sandbox refused the event",
      "subjct: an event of type emailsSent has no such field.\nDid you mean subject?",
    ],
    [
      "sandbox trigger emailsSent --set __proto__=x",
      "The sandbox refused the event",
      "__proto__: an event of type emailsSent has no such field.",
    ],
    [
      "sandbox trigger emailsSent --set constructor.prototype.x=y",
      "The sandbox refused the event",
      "constructor.prototype.x: not a path",
    ],
    [
      "sandbox trigger emailsSent --set secret=x",
      "The sandbox refused the event",
      "secret: the sandbox adds the secret of each webhook.",
    ],
    [
      "sandbox trigger emailsSent --set teamId=tea_000002",
      "The sandbox refused the event",
      "teamId: the event's team is tea_000001, and its campaign decides that.",
    ],
    ["sandbox trigger emailsSent --set subject", "Invalid value", "--set does not accept subject."],
    ["sandbox trigger emailsSent --set =x", "Invalid value", "--set does not accept =x."],
    ["sandbox trigger emailsSent --set subject=a --set subject=b", "Invalid value", "subject is set twice."],
    [
      "sandbox trigger emailsSent --count 0",
      "Invalid value",
      "--count does not accept 0.\nUse a number from 1 to 1000000.",
    ],
    ["sandbox trigger emailsSent --count 1e3", "Invalid value", "--count does not accept 1e3."],
    ["sandbox trigger emailsSent --count 2 --rate 0", "Invalid value", "--rate does not accept 0."],
    [
      "sandbox trigger emailsSent --rate 5",
      "Conflicting options",
      "--rate spaces out several events, but only one is triggered.",
    ],
    ["sandbox trigger emailsSent --file reply.json", "Unknown option", "--file"],
    ["sandbox trigger emailsSent --url http://127.0.0.1:4010", "Unknown option", "--url"],
    ["sandbox trigger", "Missing argument", "The argument event-type is missing."],
    [
      "sandbox triger emailsSent",
      "Unknown command",
      "outreach sandbox has no command triger.\nIts commands: outreach sandbox trigger\n",
    ],
    [
      "sandbox --port 0 trigger emailsSent",
      "Unexpected option",
      "--port belongs to outreach sandbox, and has no effect on outreach sandbox trigger.",
    ],
  ])("%s", async (words, summary, detail) => {
    const { project, received } = await openReceiver();
    const { code, out, err } = await project.run(words);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`Error: ${summary} [`);
    expect(err).toContain(detail);
    expect(received).toEqual([]);
  });

  test("control characters of a value reach the receiver, but not the terminal", async () => {
    const { project, bodies } = await openReceiver();
    expect(await project.run("sandbox trigger emailsBounced --set subject=\u001b[2J")).toMatchObject({
      code: 0,
      err: "",
    });
    expect(bodies()).toMatchObject([{ subject: "\u001b[2J" }]);
    const { err } = await project.run("sandbox trigger emailsBounced --campaign cam_\u001b[2J");
    expect(err).toContain("does not exist");
    expect(err).not.toContain("\u001b");
  });

  test("no sandbox", async () => {
    const project = await openProject();
    await project.sandbox.close();
    const { code, err } = await project.run("sandbox trigger emailsSent");
    expect(code).toBe(1);
    expect(stable(err)).toBe(
      "Error: No sandbox [sandbox_unreachable]\n\nNothing listens on http://127.0.0.1:0.\nStart one in another terminal: outreach sandbox\nFor one on another port, set OUTREACH_BASE_URL to the base URL that it prints.\n\n",
    );
  });

  test.each([
    [200, '{"ok":true}'],
    [404, "Not found"],
    [400, '{"errors":["a",1]}'],
    [200, "<html>"],
  ])("a server that answers %i %s is not a sandbox", async (status, body) => {
    const project = await openProject();
    const url = await startOther(status, body);
    const { code, err } = await project.run("sandbox trigger emailsSent", { OUTREACH_BASE_URL: url });
    expect(code).toBe(1);
    expect(err).toContain(
      `Error: Not a sandbox [sandbox_unreachable]\n\n${url} answers with ${String(status)}, but not as the control API of a sandbox.\n`,
    );
  });
});

describe("the sandbox", () => {
  test("is found by its base URL", async () => {
    const project = await openProject();
    expect(
      await project.run("sandbox trigger emailsSent", { OUTREACH_BASE_URL: `${project.sandbox.baseUrl}/` }),
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining("act_000001") as string,
    });
  });

  test("of another machine's base URL is not asked", async () => {
    const project = await openProject();
    // Whether or not something listens on port 4010 of this machine, it is not this project's sandbox.
    await project.run("sandbox trigger emailsSent", { OUTREACH_BASE_URL: "https://api.example.com/api" });
    expect(project.sandbox.deliveries()).toEqual([]);
    expect(project.sandbox.trigger({ type: "emailsBounced" })[0]?._id).toBe("act_000001");
  });
});
