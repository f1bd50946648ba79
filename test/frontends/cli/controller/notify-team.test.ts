import { describe, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../listen/listening.ts";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const webhooks = (...names: readonly string[]): string =>
  names.map((name) => `  ${name}: { target_url: "https://crm.example.com/${name}" }\n`).join("");

interface Sent {
  readonly event: string;
  readonly key: string;
  readonly team: string;
  readonly summary: string;
  readonly lines: readonly string[];
}

async function receiving(status: () => number = () => 200) {
  const receiver = await startReceiver(() => status());
  onTestFinished(receiver.close);
  return {
    notify: (rest = ""): string => `notify:\n  ops: { url: "${receiver.url}/\${team.name}"${rest} }\n`,
    taken: (): readonly Sent[] => receiver.requests.splice(0).map(({ body }) => JSON.parse(body) as Sent),
    paths: (): readonly string[] => receiver.requests.map(({ path }) => path),
  };
}

test("a plan that waits is told of once, again after the reminder, and when it changes", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  await fleet.declare(webhooks("one"), receiver.notify(", remind: 1h"));
  for (let run = 0; run < 3; run++)
    expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
  expect(receiver.paths()).toEqual(["/emea"]);
  expect(receiver.taken()).toMatchObject([
    {
      event: "approval",
      team: "emea",
      summary: "A plan waits for approval. Plan: 1 to add, 0 to change, 0 to destroy.",
    },
  ]);
  fleet.project.clock.pass(61 * 60_000);
  await fleet.reconcile("none");
  expect(receiver.taken()).toHaveLength(1);
  await fleet.declare(webhooks("one", "two"), receiver.notify(", remind: 1h"));
  await fleet.reconcile("none");
  await fleet.reconcile("none");
  expect(receiver.taken()).toMatchObject([
    { summary: "A plan waits for approval. Plan: 2 to add, 0 to change, 0 to destroy." },
  ]);
});

test("the notice of a plan that waits names what it deletes although nothing manages it", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  fleet.project.sandbox.add("webhooks", { _id: "hoo_old", targetUrl: "https://old.example.com/" });
  await fleet.declare(webhooks("one"), `${receiver.notify()}removals: [{ id: hoo_old, reason: nobody reads it }]\n`);
  await fleet.reconcile("none");
  expect(receiver.taken()).toMatchObject([
    {
      event: "approval",
      lines: [
        "A person must approve removals. The plan deletes 1 webhook that nothing manages, as removals says: hoo_old.",
      ],
    },
  ]);
});

test("a failure is told of once while it lasts, and again when it comes back; drift when it is repaired", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  const { sandbox } = fleet.project;
  await fleet.declare(webhooks("one"), receiver.notify());
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
  expect(receiver.taken()).toEqual([]);
  const fail = async (): Promise<void> => {
    const id = sandbox.addFault({
      action: { kind: "answer", status: 401, body: "The authentication you supplied is incorrect" },
      when: "before",
      times: null,
    });
    for (let run = 0; run < 2; run++) expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "failed" });
    sandbox.removeFault(id);
  };
  await fail();
  expect(receiver.taken()).toMatchObject([{ event: "failed" }]);
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "unchanged" });
  await fail();
  expect(receiver.taken()).toMatchObject([{ event: "failed" }]);
  for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
  expect(await fleet.reconcile("all")).toMatchObject({ drifted: 1 });
  expect(receiver.taken()).toMatchObject([{ event: "drift", lines: ["outreach_webhook.one: missing"] }]);
});

test("a notice that cannot be sent is a warning of the run, and is sent by the next one", async () => {
  let status = 500;
  const receiver = await receiving(() => status);
  const fleet = await openFleet();
  await fleet.declare(webhooks("one"), receiver.notify());
  expect(await fleet.reconcile("none")).toMatchObject({
    outcome: "waiting",
    messages: [{ severity: "warning", code: "notification_failed", detail: "notify.ops: its receiver answered 500." }],
  });
  status = 200;
  expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
  expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
  expect(receiver.taken()).toHaveLength(2);
});

/** A fleet whose team has applied a webhook that somebody deleted since. */
async function drifted(notify: string): Promise<Fleet> {
  const fleet = await openFleet();
  const { sandbox } = fleet.project;
  await fleet.declare(webhooks("one"), `notify:\n${notify}`);
  expect(await fleet.reconcile("all")).toMatchObject({ outcome: "applied" });
  for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
  return fleet;
}

test("a notice says what was found, and where; the same finding has the same key", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  const { sandbox } = fleet.project;
  await fleet.declare(webhooks("one", "two"), receiver.notify());
  await fleet.reconcile("all");
  const removeAndRepair = async (count: number): Promise<Sent | undefined> => {
    const live = sandbox.webhooks().toSorted((a, b) => a.targetUrl.localeCompare(b.targetUrl));
    for (const { _id } of live.slice(0, count)) sandbox.remove("webhooks", _id);
    await fleet.reconcile("all");
    const [sent] = receiver.taken();
    expect(await fleet.reconcile("all")).toMatchObject({ outcome: "unchanged" });
    return sent;
  };
  const first = await removeAndRepair(1);
  expect(first).toEqual({
    version: 1,
    event: "drift",
    key: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    configuration: "outreach.yaml",
    team: "emea",
    at: expect.stringMatching(/Z$/) as string,
    summary: "Drift detected: 1 missing or changed.",
    lines: ["outreach_webhook.one: missing"],
  });
  const [again, other] = [await removeAndRepair(1), await removeAndRepair(2)];
  expect([again?.key === first?.key, other?.key === first?.key]).toEqual([true, false]);
});

describe("a target", () => {
  test("gets only the events that it wants, and the form that it names", async () => {
    const receiver = await startReceiver(() => 200);
    onTestFinished(receiver.close);
    const target = (name: string, rest: string): string => `  ${name}: { url: "${receiver.url}/${name}", ${rest} }\n`;
    const fleet = await drifted(
      target("slack", "format: slack, on: [drift]") +
        target("teams", "format: teams") +
        target("none", "on: [failed, undecided]"),
    );
    await fleet.reconcile("all");
    const bodies = new Map(receiver.requests.map(({ path, body }) => [path, JSON.parse(body) as object]));
    const text = "outreach.yaml (emea): Drift detected: 1 missing or changed.\noutreach_webhook.one: missing";
    expect([...bodies.keys()].toSorted()).toEqual(["/slack", "/teams"]);
    expect(bodies.get("/slack")).toMatchObject({ blocks: [{ type: "section", text: { type: "plain_text", text } }] });
    expect(JSON.stringify(bodies.get("/teams"))).toContain('{"type":"TextRun","text":"outreach_webhook.one: missing"}');
  });

  test("can be a command, with the notice on its standard input, the team's name, and no secret in its environment", async () => {
    const fleet = await openFleet();
    const { project } = fleet;
    project.environment["HOOK"] = "the-secret-of-the-webhook";
    project.environment["NOTICE_URL"] = "http://127.0.0.1:9/secret-token";
    await fleet.declare(
      "  crm: { target_url: https://crm.example.com/hooks, secret: { env: HOOK } }\n",
      [
        "notify:",
        '  a: { command: [sh, -c, "cat > $0.json; env > $0.env; echo printed", "${team.name}"] }',
        "  b: { url: { env: NOTICE_URL }, on: [drift] }",
        "",
      ].join("\n"),
    );
    expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
    expect(JSON.parse(project.read("emea.json"))).toMatchObject({ event: "approval", team: "emea" });
    for (const hidden of [project.sandbox.keys.good, "the-secret-of-the-webhook", "secret-token"])
      expect(project.read("emea.env")).not.toContain(hidden);
  });

  test.each([
    ["its receiver answers 404", (url: string) => `url: "${url}"`, "notify.a: its receiver answered 404."],
    ["nothing listens there", () => 'url: "http://127.0.0.1:9/token"', "notify.a: the host refused the connection."],
    ["it is plain http", () => "url: { env: PLAIN }", "notify.a: plain http only reaches this machine: use https."],
    ["it is no URL", () => "url: { env: NO_URL }", "notify.a: its url is not a URL."],
    ["its secret is missing", () => "url: { env: NOWHERE }", "notify.a: The environment variable NOWHERE is not set."],
    ["its command fails", () => "command: [sh, -c, exit 3]", 'notify.a: The command "sh" failed (exit 3).'],
    [
      "its program does not exist",
      () => "command: [no-such-program]",
      'notify.a: The command "no-such-program" failed to start: the program does not exist.',
    ],
    ["its program reads nothing", () => 'command: ["true"]', null],
    ["its program leaves a process", () => 'command: [sh, -c, "cat > notice; sleep 600 & echo $! > pid"]', null],
  ])("that cannot be reached is a warning, without its URL, and the run goes on: %s", async (_, target, warning) => {
    const receiver = await startReceiver(() => 404);
    onTestFinished(receiver.close);
    const fleet = await openFleet();
    Object.assign(fleet.project.environment, { PLAIN: "http://chat.example.com/token", NO_URL: "token" });
    await fleet.declare(webhooks("one"), `notify:\n  a: { ${target(receiver.url)} }\n`);
    const { outcome, messages } = await fleet.reconcile("none");
    if (target("").includes("> pid")) process.kill(Number(fleet.project.read("pid")));
    expect(outcome).toBe("waiting");
    expect(messages).toEqual(
      warning === null
        ? []
        : [
            expect.objectContaining({
              severity: "warning",
              code: "notification_failed",
              detail: warning,
              hint: "The result of the run stays as it is.",
            }),
          ],
    );
    expect(JSON.stringify(messages)).not.toContain("/token");
  });
});

test("rechecks that found people are told of without their addresses", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  await fleet.declare(
    webhooks("one"),
    `${receiver.notify()}lead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [late@leads.example.com], recheck: 0s }\n`,
  );
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
  fleet.project.sandbox.add("leads", { campaignId: "cam_000001", email: "late@leads.example.com" });
  await fleet.reconcile("safe");
  expect(receiver.taken()).toMatchObject([
    { event: "rechecked", summary: "1 person of a list appeared in a campaign, and is unsubscribed now.", lines: [] },
  ]);
});

test("no notice holds an email address of a lead", async () => {
  const receiver = await startReceiver(() => 200);
  onTestFinished(receiver.close);
  const fleet = await openFleet();
  await fleet.declare(
    webhooks("one"),
    `notify: { a: { url: "${receiver.url}" } }\nlead_unsubscriptions:\n  l: { campaign_id: cam_000001, emails: [ada.lovelace@example.com], on_not_found: error }\n`,
  );
  expect(await fleet.reconcile("all")).toMatchObject({ outcome: "failed" });
  const [{ body } = { body: "" }] = receiver.requests;
  expect(body).toContain("a***@example.com#");
  expect(body).not.toContain("ada.lovelace");
});
