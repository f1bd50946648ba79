import { describe, expect, test } from "vitest";
import { until, useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const webhook = (name: string, url: string): string => `  ${name}: { target_url: "https://crm.example.com/${url}" }\n`;
const HEAD = "version: 1\nwebhooks:\n";

const NO_LIST = {
  action: { kind: "answer", status: 200, body: '"no list"' },
  operation: "listWebhooks",
  times: null,
} as const;

/** A project whose create of `a` ended undecided, as there was no list to look for it in, with `b` managed. */
async function undecided(when: "before" | "after") {
  const project = await openProject();
  project.write("outreach.yaml", HEAD + webhook("b", "b"));
  await project.run("apply --auto-approve");
  project.sandbox.addFault({ action: { kind: "drop" }, when, method: "POST" });
  project.sandbox.addFault({ ...NO_LIST, skip: 1 });
  project.write("outreach.yaml", HEAD + webhook("a", "a") + webhook("b", "b"));
  const applied = await project.run("apply --auto-approve");
  expect([applied.code, applied.err]).toEqual([
    3,
    expect.stringContaining("outreach resolve outreach_webhook.a --retry"),
  ]);
  project.sandbox.clearFaults();
  const idOf = (url: string): string =>
    String(project.sandbox.webhooks().find(({ targetUrl }) => targetUrl.endsWith(`/${url}`))?._id);
  return { ...project, idOf };
}

const DUPLICATE = { _id: "hoo_duplicate", teamId: "tea_000001", targetUrl: "https://crm.example.com/a" };

describe("outreach resolve", () => {
  test("has a create that was not carried out done by the next apply", async () => {
    const { run, sandbox } = await undecided("before");
    const { code, out, sent } = await run("resolve outreach_webhook.a --retry");
    expect([code, sent]).toEqual([0, []]);
    expect(out).toContain("outreach_webhook.a: the create is recorded as not carried out.");
    expect((await run("apply --auto-approve")).out).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    expect(sandbox.webhooks()).toHaveLength(2);
  });

  test("does not double a create that was carried out after all: the plan stops at it, and says that it has turned up late", async () => {
    const { run, sandbox } = await undecided("after");
    await run("resolve outreach_webhook.a --retry");
    const { code, err } = await run("apply --auto-approve");
    expect([code, err]).toEqual([1, expect.stringContaining("An identical unmanaged webhook exists")]);
    expect(err).toContain("A webhook has appeared late");
    expect(sandbox.webhooks()).toHaveLength(2);
  });

  test("proposes commands that name the same configuration", async () => {
    const { run } = await undecided("before");
    const command = "outreach plan -c outreach.yaml\n";
    expect((await run("resolve -c outreach.yaml outreach_webhook.b --retry")).err).toContain(command);
    expect((await run("resolve -c outreach.yaml outreach_webhook.a --adopt hoo_999999")).err).toContain(command);
    expect((await run("resolve -c outreach.yaml outreach_webhook.a --retry")).out).toContain(command);
  });

  test("says when there is nothing to resolve, and needs to be told how", async () => {
    const { run } = await undecided("before");
    expect(await run("resolve outreach_webhook.b --retry")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Nothing to resolve") as string,
    });
    expect((await run("resolve outreach_webhook.a outreach_webhook.b --retry")).err).toContain("Nothing to resolve");
    for (const how of ["", "--retry --forget", "--adopt hoo_1 --retry"]) {
      const { code, err } = await run(`resolve outreach_webhook.a ${how}`);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining("needs exactly one of --adopt ID, --retry and --forget"),
      ]);
    }
    expect((await run("resolve outreach_webhook.a outreach_webhook.b --adopt hoo_1")).err).toContain(
      "Run resolve once for each address.",
    );
  });

  test("gives an open create up", async () => {
    const { run, sandbox } = await undecided("before");
    expect(await run("resolve outreach_webhook.a --forget")).toMatchObject({ code: 0, sent: [] });
    expect((await run("apply --auto-approve")).out).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    sandbox.add("webhooks", DUPLICATE);
    expect((await run("plan")).err).not.toContain("turned up late");
  });
});

test("what an open create has made can be imported, too", async () => {
  const { run, idOf } = await undecided("after");
  expect(await run(`import outreach_webhook.a ${idOf("a")}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining("Import complete") as string,
  });
  expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
});

test("nothing is resolved with another service", async () => {
  const { run, sandbox } = await undecided("after");
  const before = sandbox.requests().length;
  for (const how of ["--retry", "--forget", "--adopt hoo_1"]) {
    const { code, err } = await run(`resolve outreach_webhook.a ${how}`, {
      OUTREACH_BASE_URL: "http://127.0.0.1:9/api",
    });
    expect([code, err]).toEqual([1, expect.stringContaining("The state belongs to another service")]);
  }
  expect(sandbox.requests()).toHaveLength(before);
});

describe("outreach resolve --adopt", () => {
  test("records what an open create has made; then the plan is clean", async () => {
    const { run, idOf } = await undecided("after");
    expect((await run(`resolve outreach_webhook.a --adopt ${idOf("b")}`)).err).toContain(
      `${idOf("b")} is already managed.`,
    );
    expect((await run("resolve outreach_webhook.a --adopt hoo_none")).err).toContain("does not show hoo_none");
    expect((await run("resolve outreach_webhook.a --adopt ../x")).err).toContain("Invalid webhook id");
    const { code, out, sent } = await run(`resolve outreach_webhook.a --adopt ${idOf("a")}`);
    expect([code, out, sent]).toEqual([
      0,
      expect.stringContaining(`outreach_webhook.a: ${idOf("a")} is recorded.`),
      ["GET /hooks 200"],
    ]);
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("decides between two that it could be, as the plan proposes it", async () => {
    const { run, sandbox, idOf } = await undecided("after");
    const made = idOf("a");
    sandbox.add("webhooks", DUPLICATE);
    const plan = await run("plan");
    expect([plan.code, plan.err]).toEqual([
      3,
      expect.stringContaining("outreach resolve outreach_webhook.a --adopt hoo_duplicate"),
    ]);
    expect(plan.err).toContain(`outreach resolve outreach_webhook.a --adopt ${made}`);
    await run(`resolve outreach_webhook.a --adopt ${made}`);
    const after = await run("plan --detailed-exitcode");
    expect([after.code, after.err]).toEqual([
      0,
      expect.stringMatching(
        /^Warning: An identical unmanaged webhook is live \[duplicate_live\]\n[^]*hoo_duplicate is live with/u,
      ),
    ]);
    expect(sandbox.webhooks()).toHaveLength(3);
  });

  test("of what has turned up late has the next apply delete it, and nothing else", async () => {
    const { run, sandbox, idOf } = await undecided("before");
    await run("resolve outreach_webhook.a --retry");
    await run("apply --auto-approve");
    const current = idOf("a");
    sandbox.add("webhooks", DUPLICATE);
    expect((await run("plan")).err).toContain("outreach resolve outreach_webhook.a --adopt hoo_duplicate");
    expect((await run("resolve outreach_webhook.a --adopt hoo_duplicate")).out).toContain(
      "hoo_duplicate is deposed. The next apply deletes it.",
    );
    expect((await run("plan")).out).toContain("Plan: 0 to add, 0 to change, 1 to destroy.");
    const { code, sent } = await run("apply --auto-approve");
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([0, ["DELETE /hooks/hoo_duplicate 200"]]);
    expect(sandbox.webhooks().map(({ _id }) => _id)).toContain(current);
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });
});

describe("an unsubscription without an answer that nobody watches", () => {
  const CONFIGURATION =
    "version: 1\nlead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: [ada@example.com] }\n";
  const ADDRESS = `'outreach_lead_unsubscription.gdpr["ada@example.com"]'`;
  const lost = async (when: "before" | "after", onNotFound = "accept") => {
    const project = await openProject({ choices: { repeatedUnsubscribe: "not-found" } });
    project.write("outreach.yaml", CONFIGURATION.replace("emails:", `on_not_found: ${onNotFound}, emails:`));
    project.sandbox.addFault({ action: { kind: "drop" }, when, operation: "unsubscribeLead", times: 3 });
    return { ...project, first: await project.run("apply --auto-approve") };
  };

  test("is sent three times in the run; then it is unconfirmed, and no apply that nobody has approved sends it again", async () => {
    const { run, first } = await lost("before");
    expect([first.code, first.sent.filter((line) => line.startsWith("DELETE")).length]).toEqual([3, 3]);
    expect(first.err).toContain("The outcome of a write is unconfirmed");
    expect(await run("apply --auto-approve")).toMatchObject({ code: 3, sent: [] });
  });

  test("is sent again by resolve --retry", async () => {
    const { run } = await lost("before");
    expect(await run(`resolve ${ADDRESS} --retry`)).toMatchObject({
      code: 0,
      sent: ["DELETE /campaigns/cam_000001/leads/ada%40example.com 200"],
    });
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });
  });

  test.each(["accept", "error"])(
    "and whose lead is not found by the retry stays unconfirmed, with on_not_found: %s too",
    async (setting) => {
      const { run } = await lost("after", setting);
      const { code, err } = await run(`resolve ${ADDRESS} --retry`);
      expect([code, err]).toEqual([
        3,
        expect.stringContaining("the answer to an earlier attempt was lost, and the retry failed: "),
      ]);
      expect(err).toContain("404 Lead not found");
      expect(await run("plan --detailed-exitcode")).toMatchObject({
        code: 2,
        out: expect.stringContaining("was never confirmed") as string,
      });
      expect(await run(`resolve ${ADDRESS} --forget`)).toMatchObject({ code: 0, sent: [] });
      expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    },
  );

  test("stays as it is, and is not asked about again, after resolve --forget", async () => {
    const { run } = await lost("before");
    expect(await run(`resolve ${ADDRESS} --forget`)).toMatchObject({ code: 0, sent: [] });
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("is unconfirmed when the run was killed: resolve understands what the plan proposes", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION.replace("emails:", "on_not_found: error, emails:"));
    project.sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, operation: "unsubscribeLead" });
    const { child, ended } = project.start("apply --auto-approve");
    await until(() => project.sandbox.requests().length === 2, "the request arrives");
    child.kill("SIGKILL");
    await ended;
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 3, sent: [] });
    expect(await project.run(`resolve ${ADDRESS} --retry`)).toMatchObject({
      code: 0,
      sent: [expect.stringMatching(/^DELETE .* 200$/)],
    });
  });
});

describe("outreach import", () => {
  test("does not record one webhook under two addresses, not even where a create is undecided", async () => {
    const { run, idOf } = await undecided("before");
    const { code, err } = await run(`import outreach_webhook.a ${idOf("b")}`);
    expect([code, err]).toEqual([1, expect.stringContaining("is already managed, as outreach_webhook.b")]);
  });

  test("does not take another team's key for the state's own", async () => {
    const { run, sandbox, write } = await openProject();
    write("outreach.yaml", HEAD + webhook("b", "b"));
    await run("apply --auto-approve");
    const [foreign] = sandbox.records("teams").filter(({ _id }) => _id !== "tea_000001");
    sandbox.add("webhooks", {
      _id: "hoo_foreign",
      teamId: String(foreign?._id),
      targetUrl: "https://crm.example.com/a",
    });
    write("outreach.yaml", HEAD + webhook("a", "a") + webhook("b", "b"));
    const { code, err } = await run("import outreach_webhook.a hoo_foreign", {
      OUTREACH_API_KEY: sandbox.keys.otherTeam,
    });
    expect([code, err]).toEqual([1, expect.stringContaining("Another API key, and recorded webhooks are missing")]);
  });

  test("warns when the imported webhook is not as declared", async () => {
    const { run, sandbox, write } = await openProject();
    sandbox.add("webhooks", { _id: "hoo_other", teamId: "tea_000001", targetUrl: "https://crm.example.com/other" });
    write("outreach.yaml", HEAD + webhook("a", "a"));
    const { code, err } = await run("import outreach_webhook.a hoo_other");
    expect([code, err]).toEqual([0, expect.stringContaining("The imported webhook is not as declared")]);
  });
});

test("a proposed command names the configuration and the state that were given", async () => {
  const { run, sandbox, write } = await openProject();
  sandbox.add("webhooks", { _id: "hoo_there", teamId: "tea_000001", targetUrl: "https://crm.example.com/a" });
  write("other.yaml", HEAD + webhook("a", "a"));
  const { err } = await run("plan -c other.yaml --state=mine.json");
  expect(err).toContain("Import it: outreach import -c other.yaml --state mine.json outreach_webhook.a hoo_there");
});

describe("what the record remembers", () => {
  test("drift back to the value of the first create is noticed after a record-only change", async () => {
    const { run, sandbox, write } = await openProject();
    write("outreach.yaml", HEAD + webhook("a", "old"));
    await run("apply --auto-approve");
    const id = String(sandbox.webhooks()[0]?._id);
    sandbox.change("webhooks", id, { targetUrl: "https://crm.example.com/new" });
    write("outreach.yaml", HEAD + webhook("a", "new"));
    expect((await run("apply --auto-approve")).out).toContain("0 added, 1 changed, 0 destroyed");
    sandbox.change("webhooks", id, { targetUrl: "https://crm.example.com/old" });
    expect((await run("plan --detailed-exitcode")).code).toBe(2);
  });

  test("a value made from a sensitive variable stays masked when block and variable are gone", async () => {
    const { run, write, environment } = await openProject();
    environment["OUTREACH_VAR_token"] = "987654321";
    write(
      "outreach.yaml",
      `version: 1\nvariables: { token: { sensitive: true } }\nwebhooks:\n${webhook("a", "${var.token}")}`,
    );
    const applied = await run("apply --auto-approve");
    const destroyed = await run("plan --destroy");
    write("outreach.yaml", "version: 1\nwebhooks: {}\n");
    const removed = await run("plan");
    for (const { out, err } of [applied, destroyed, removed]) expect(out + err).not.toContain("987654321");
    expect(removed.out).toContain("- target_url = (sensitive value)");
  });
});

test("a pipe that closes early does not end an apply", async () => {
  const { start, sandbox, write, run } = await openProject({ latency: { minMs: 50, maxMs: 50 } });
  write(
    "outreach.yaml",
    HEAD + Array.from({ length: 6 }, (_, index) => webhook(`w${String(index)}`, String(index))).join(""),
  );
  const { child, ended } = start("apply --auto-approve");
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, err: NO_STATE_YET });
  expect(sandbox.webhooks()).toHaveLength(6);
  expect((await run("plan --detailed-exitcode")).code).toBe(0);
});

test.each(["abc", "99999", "-1"])("sandbox --port %s is refused in words", async (port) => {
  const { run } = await openProject();
  const { code, err } = await run(`sandbox --port=${port}`);
  expect([code, err]).toEqual([1, expect.stringContaining("Use a number from 0 to 65535.")]);
});
