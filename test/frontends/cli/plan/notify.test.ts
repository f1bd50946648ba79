import { describe, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../events/listening.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const WEBHOOK = "webhooks:\n  crm: { target_url: https://crm.example.com/hooks }\n";

interface Sent {
  readonly event: string;
  readonly key: string;
  readonly team: string | null;
  readonly summary: string;
  readonly lines: readonly string[];
  readonly job: string | null;
}

async function receiving(status = 200) {
  const receiver = await startReceiver(() => status);
  onTestFinished(receiver.close);
  return { ...receiver, sent: () => receiver.requests.map(({ body }) => JSON.parse(body) as Sent) };
}

/** A project whose webhook was applied. */
async function applied(notify: string, rest = WEBHOOK): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\n${rest}${notify === "" ? "" : `notify:\n${notify}`}`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

function deleteByHand({ sandbox }: Project): void {
  for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
}

describe("drift", () => {
  test("sends what it has found, and nothing where it has found nothing", async () => {
    const receiver = await receiving();
    const project = await applied(`  a: { url: "${receiver.url}/notices" }\n`);
    expect(await project.run("drift")).toMatchObject({ code: 0 });
    expect(receiver.requests).toEqual([]);
    deleteByHand(project);
    const { code, out, err } = await project.run("drift", {
      GITHUB_SERVER_URL: "https://git.example.com",
      GITHUB_REPOSITORY: "o/r",
      GITHUB_RUN_ID: "7",
    });
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(receiver.requests).toMatchObject([
      { method: "POST", path: "/notices", headers: { "content-type": "application/json" } },
    ]);
    expect(receiver.sent()).toEqual([
      {
        version: 1,
        event: "drift",
        key: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        configuration: "outreach.yaml",
        team: null,
        at: expect.stringMatching(/Z$/) as string,
        summary: "Drift detected: 1 missing.",
        lines: ["outreach_webhook.crm: missing"],
        job: "https://git.example.com/o/r/actions/runs/7",
      },
    ]);
    expect(out).toContain("Drift detected: 1 missing.");
  });

  test("has the same key for the same finding, and another one for another", async () => {
    const receiver = await receiving();
    const project = await applied(
      `  a: { url: "${receiver.url}" }\n`,
      `${WEBHOOK}  b: { target_url: https://b.example.com }\n`,
    );
    const [first, second] = project.sandbox.webhooks();
    project.sandbox.remove("webhooks", first?._id ?? "");
    for (let run = 0; run < 2; run++) await project.run("drift --json");
    project.sandbox.remove("webhooks", second?._id ?? "");
    await project.run("drift --format markdown");
    const [one, again, other] = receiver.sent().map(({ key }) => key);
    expect([one === again, one === other]).toEqual([true, false]);
  });

  test("tells of a run that fails, in each format, and exits as it would", async () => {
    const receiver = await receiving();
    const project = await applied(`  a: { url: "${receiver.url}" }\n`);
    for (const format of ["", " --json"])
      expect(await project.run(`drift${format}`, { OUTREACH_API_KEY: "wrong" })).toMatchObject({ code: 1 });
    expect(receiver.sent().map(({ event, summary }) => ({ event, summary }))).toEqual([
      { event: "failed", summary: "The run failed: The service refused the request." },
      { event: "failed", summary: "Drift cannot be determined." },
    ]);
  });

  test("does what it did without the section", async () => {
    const project = await applied("");
    deleteByHand(project);
    expect(await project.run("drift")).toMatchObject({ code: 2, err: "" });
  });
});

describe("a target", () => {
  test("gets only the events that it wants, and the form that it names", async () => {
    const receiver = await receiving();
    const target = (name: string, rest: string): string => `  ${name}: { url: "${receiver.url}/${name}", ${rest} }\n`;
    const project = await applied(
      target("slack", "format: slack, on: [drift]") +
        target("teams", "format: teams") +
        target("none", "on: [failed, undecided]"),
    );
    deleteByHand(project);
    await project.run("drift");
    const bodies = new Map(receiver.requests.map(({ path, body }) => [path, JSON.parse(body) as object]));
    const text = "outreach.yaml: Drift detected: 1 missing.\noutreach_webhook.crm: missing";
    expect([...bodies.keys()].toSorted()).toEqual(["/slack", "/teams"]);
    expect(bodies.get("/slack")).toMatchObject({ blocks: [{ type: "section", text: { type: "plain_text", text } }] });
    expect(JSON.stringify(bodies.get("/teams"))).toContain('{"type":"TextRun","text":"outreach_webhook.crm: missing"}');
  });

  test("can be a command, with the notice on its standard input, the team's name, and no secret in its environment", async () => {
    const project = await openProject();
    project.environment["HOOK"] = "the-secret-of-the-webhook";
    project.environment["NOTICE_URL"] = "http://127.0.0.1:9/secret-token";
    project.write(
      "outreach.yaml",
      [
        "version: 1",
        "teams: { emea: { api_key: { env: OUTREACH_API_KEY } } }",
        "webhooks:",
        "  crm: { target_url: https://crm.example.com/hooks, secret: { env: HOOK } }",
        "notify:",
        '  a: { command: [sh, -c, "cat > $0.json; env > $0.env; echo printed", "${team.name}"] }',
        "  b: { url: { env: NOTICE_URL }, on: [approval] }",
        "",
      ].join("\n"),
    );
    await project.run("apply --auto-approve");
    deleteByHand(project);
    const { code, out } = await project.run("drift");
    expect(code).toBe(2);
    expect(out).not.toContain("printed");
    expect(JSON.parse(project.read("emea.json"))).toMatchObject({
      event: "drift",
      team: "emea",
      lines: ["outreach_webhook.crm: missing"],
    });
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
  ])(
    "that cannot be reached is a warning, without its URL, and the exit code stays: %s",
    async (_, target, warning) => {
      const receiver = await receiving(404);
      const project = await applied(`  a: { ${target(receiver.url)} }\n`);
      Object.assign(project.environment, { PLAIN: "http://chat.example.com/token", NO_URL: "token" });
      deleteByHand(project);
      const { code, out, err } = await project.run("drift");
      if (target("").includes("> pid")) process.kill(Number(project.read("pid")));
      expect(code).toBe(2);
      expect(out).toContain("Drift detected: 1 missing.");
      if (warning === null) expect(err).toBe("");
      else
        expect(err).toBe(
          `Warning: A notification was not sent [notification_failed]\n\n${warning}\nThe result of the run stays as it is.\n\n`,
        );
      expect(err).not.toContain("token\n");
    },
  );
});

describe("apply", () => {
  test("sends in a job of a CI alone, and a plan never", async () => {
    const receiver = await receiving();
    const project = await applied(`  a: { url: "${receiver.url}" }\n`);
    const broken = { OUTREACH_API_KEY: "wrong" };
    await project.run("apply --auto-approve", broken);
    await project.run("plan", { ...broken, CI: "true" });
    await project.run("plan --no-secrets", { ...broken, CI: "true" });
    expect(receiver.requests).toEqual([]);
    expect(await project.run("apply --auto-approve", { ...broken, CI: "true" })).toMatchObject({ code: 1 });
    expect(await project.run("apply --auto-approve", { CI: "true" })).toMatchObject({ code: 0 });
    expect(receiver.sent()).toMatchObject([
      { event: "failed", summary: "The run failed: The service refused the request." },
    ]);
  });

  test("tells of a step of a saved plan that failed", async () => {
    const receiver = await receiving();
    const project = await openProject();
    project.write("outreach.yaml", `version: 1\n${WEBHOOK}notify:\n  a: { url: "${receiver.url}" }\n`);
    const ci = { CI: "true", OUTREACH_STATE: "outreach.state.json" };
    project.sandbox.addFault({
      action: { kind: "answer", status: 400, body: "No" },
      when: "before",
      method: "POST",
      times: 1,
    });
    await project.run("plan --out saved.plan --allow-local-state", ci);
    const saved = await project.run("apply saved.plan", ci);
    expect(saved.code).toBe(1);
    expect(receiver.sent()).toMatchObject([{ event: "failed" }]);
    expect(receiver.sent()[0]?.lines.join()).toContain("outreach_webhook.crm");
  });

  test("tells of rechecks that found people, without their addresses", async () => {
    const receiver = await receiving();
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nlead_unsubscriptions:\n  l: { campaign_id: cam_000001, emails: [late.lead@example.com] }\nnotify:\n  a: { url: "${receiver.url}" }\n`,
    );
    expect(await project.run("apply --auto-approve --allow-unsubscribes")).toMatchObject({ code: 0 });
    const [lead] = project.sandbox.records("leads");
    project.sandbox.add("leads", {
      ...lead,
      _id: "lea_late",
      contactId: undefined,
      email: "late.lead@example.com",
      campaignId: "cam_000001",
    } as never);
    project.clock.pass(25 * 3_600_000);
    const { code, out } = await project.run("apply --auto-approve", { CI: "true" });
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(receiver.sent()).toMatchObject([
      { event: "rechecked", summary: "1 person of a list appeared in a campaign, and is unsubscribed now.", lines: [] },
    ]);
  });
});

test("drift, and an apply in CI, tell of secrets that are too old", async () => {
  const receiver = await receiving();
  const project = await openProject();
  project.environment["HOOK"] = "the-secret-of-the-webhook";
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks:\n  crm: { target_url: https://crm.example.com/hooks, secret: { env: HOOK } }\nlint: { secret_max_age: 30d }\nnotify:\n  a: { url: "${receiver.url}", on: [secret_age] }\n`,
  );
  await project.run("apply --auto-approve", { CI: "true" });
  project.clock.pass(40 * 86_400_000);
  expect(await project.run("apply --auto-approve", { CI: "true" })).toMatchObject({ code: 0 });
  expect(await project.run("drift")).toMatchObject({ code: 0 });
  const old = { event: "secret_age", summary: "1 secret is older than the configuration allows." };
  expect(receiver.sent()).toMatchObject([old, old]);
  expect(receiver.sent()[0]?.lines.join()).toMatch(/^The secret of outreach_webhook\.crm is \d+ days old\./);
});

test("no notice holds an email address of a lead", async () => {
  const receiver = await receiving();
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1\nlead_unsubscriptions:\n  l: { campaign_id: cam_000001, emails: [ada.lovelace@example.com], on_not_found: error }\nnotify:\n  a: { url: "${receiver.url}" }\n`,
  );
  expect(
    await project.run("apply --auto-approve --allow-unsubscribes --allow-local-state", { CI: "true" }),
  ).toMatchObject({ code: 1 });
  const [{ body } = { body: "" }] = receiver.requests;
  expect(body).toContain("a***@example.com#");
  expect(body).not.toContain("ada.lovelace");
});

test.each([
  ["neither url nor command", "a: { format: slack }", "url or command is required in notify.a"],
  ["both", "a: { url: https://a.example, command: [b] }", "notify.a has both url and command"],
  ["an unknown event", "a: { url: https://a.example, on: [deploy] }", "drift, failed, undecided, approval"],
  ["an unknown format", "a: { url: https://a.example, format: discord }", "json, slack"],
  ["a remind that is no duration", "a: { url: https://a.example, remind: daily }", "remind"],
  ["an unknown key", "a: { url: https://a.example, channel: ops }", "channel"],
  [
    "two sources of its url",
    "a: { url: { env: HOOK, file: hook.txt } }",
    "notify.a.url must have exactly one of env, file and command.",
  ],
])("a configuration with %s is refused", async (_, target, said) => {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\nnotify:\n  ${target}\n`);
  const { code, out, err } = await project.run("validate");
  expect({ code, text: out + err }).toEqual({ code: 1, text: expect.stringContaining(said) as string });
});

describe("validate and plan find the mistakes of a target, and show no URL", () => {
  test.each([
    ["a variable that is not declared", "url: https://h.example/t0ken/${var.nope}", "5:"],
    ["another scheme", "url: htp://h.example/t0ken", "notify.a: its url does not use https."],
    ["no URL", "url: not a url t0ken", "notify.a: its url is not a URL."],
    ["plain http", "url: http://h.example/t0ken", "notify.a: plain http only reaches this machine: use https."],
    ["a password", "url: https://u:t0ken@h.example/", "notify.a: its url has a password in it."],
    ["a variable that makes no URL", "url: ${var.set}", "notify.a: its url is not a URL."],
    ["a word of a command", 'command: [notify-send, "${var.nope}"]', "5:"],
  ])("%s", async (_, target, said) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { set: { default: t0ken } }\nnotify:\n  a:\n    ${target}\n`,
    );
    for (const command of ["validate", "plan"]) {
      const { code, out, err } = await project.run(command);
      const text = out + err;
      expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(said) as string });
      expect(text).toMatch(/outreach\.yaml:5:\d+/);
      expect(text).not.toContain("t0ken");
    }
  });

  test.each([
    "url: { env: NOT_SET }",
    "url: https://u:${var.secret}@h.example",
    "url: ${var.secret}",
    "url: http://127.0.0.1:1/a",
    'command: ["${var.secret}"]',
  ])("but not in %s", async (target) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { secret: { sensitive: true } }\nnotify:\n  a:\n    ${target}\n`,
    );
    expect(await project.run("validate")).toMatchObject({ code: 0 });
  });
});
