import { mkdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { checksumOf } from "../../../../src/core/state/document.ts";
import { useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const webhooks = (...names: readonly string[]): string =>
  names.map((name) => `  ${name}: { target_url: "https://crm.example.com/${name}" }\n`).join("");
const NAMES = ["one", "two", "three", "four", "five"];

test("a team is applied, and then unchanged", async () => {
  const fleet = await openFleet();
  await fleet.declare(webhooks("one", "two"));
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied", counts: { add: 2 }, plan: null });
  expect(await fleet.reconcile("safe")).toMatchObject({
    outcome: "unchanged",
    counts: { add: 0 },
    drifted: 0,
    messages: [],
    plan: null,
    requests: 1,
  });
  expect(fleet.project.sandbox.webhooks()).toHaveLength(2);
});

describe("a plan waits", () => {
  test("for approval where nothing is automatic, and is applied as it was approved", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const waiting = await fleet.reconcile("none");
    expect(waiting).toMatchObject({ outcome: "waiting", counts: { add: 1 }, messages: [] });
    const planned = await fleet.project.run("plan --team emea");
    expect(waiting.plan?.text).toBe(planned.out);
    expect(fleet.project.sandbox.webhooks()).toEqual([]);
    const plan = waiting.plan?.bytes ?? new Uint8Array();
    expect(await fleet.work.applyPlan("emea", plan, fleet.signal)).toMatchObject({
      outcome: "applied",
      counts: { add: 1 },
      plan: null,
    });
    expect(await fleet.work.applyPlan("emea", plan, fleet.signal)).toMatchObject({
      outcome: "outdated",
      messages: [{ code: "plan_stale" }],
    });
    expect(await fleet.reconcile("none")).toMatchObject({ outcome: "unchanged" });
  });

  test("where removals delete what nothing manages, however much is automatic", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    await fleet.reconcile("safe");
    const { sandbox } = fleet.project;
    sandbox.add("webhooks", { _id: "hoo_old", targetUrl: "https://old.example.com/" });
    await fleet.declare(webhooks("one", "two"), "removals: [{ id: hoo_old, reason: nobody reads it }]\n");
    const said = {
      code: "removal_unapproved",
      severity: "warning",
      detail: "The plan deletes 1 webhook that nothing manages, as removals says: hoo_old.",
    };
    for (const auto of ["none", "safe", "all"] as const)
      expect(await fleet.reconcile(auto)).toMatchObject({
        outcome: "waiting",
        counts: { add: 1, destroy: 1 },
        messages: [said],
        plan: { removals: ["hoo_old"] },
      });
    const frozen = await fleet.work.reconcile("emea", "all", fleet.signal, {
      seen: null,
      hangsAfterMs: 30_000,
      hold: "Frozen until then.",
    });
    expect(frozen).toMatchObject({ outcome: "waiting", messages: [said, { code: "fleet_held" }] });
    expect(sandbox.webhooks()).toHaveLength(2);
    const waiting = await fleet.reconcile("all");
    expect(await fleet.work.applyPlan("emea", waiting.plan?.bytes ?? new Uint8Array(), fleet.signal)).toMatchObject({
      outcome: "applied",
    });
    expect(sandbox.webhooks().map(({ _id }) => _id)).not.toContain("hoo_old");
    expect(await fleet.reconcile("all")).toMatchObject({ outcome: "unchanged" });
  });

  test("and what was approved before is looked for all the same", async () => {
    const fleet = await openFleet();
    const { sandbox } = fleet.project;
    const list =
      "lead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [late@leads.example.com], recheck: 0s }\n";
    await fleet.declare(webhooks("one"), list);
    expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
    sandbox.add("leads", { campaignId: "cam_000001", email: "late@leads.example.com" });
    await fleet.declare(webhooks("one", "two"), list);
    const waiting = await fleet.reconcile("none");
    expect(waiting).toMatchObject({ outcome: "waiting", counts: { add: 1 } });
    expect(waiting.messages.map(({ code }) => code)).toContain("unsubscriptions_rechecked");
    expect(sandbox.requests().at(-1)).toMatchObject({ method: "DELETE", status: 200 });
    // The plan that waits is still the one that was made.
    expect(await fleet.work.applyPlan("emea", waiting.plan?.bytes ?? new Uint8Array(), fleet.signal)).toMatchObject({
      outcome: "applied",
      counts: { add: 1 },
    });
    expect(await fleet.reconcile("none")).toMatchObject({ outcome: "unchanged" });
  });

  test("with a digest of what it does, also of what its text leaves out", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    await fleet.reconcile("safe");
    const plans = [];
    for (const last of ["y", "z", "z"]) {
      const emails = [..."abcdefghijk", last].map((name) => `${name}@leads.example.com`);
      await fleet.declare(
        webhooks("one"),
        `lead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [${emails.join(", ")}] }\n`,
      );
      plans.push((await fleet.reconcile("none")).plan);
    }
    const [first, second, third] = plans;
    expect([second?.text, third?.text]).toEqual([first?.text, first?.text]);
    expect(second?.digest).not.toBe(first?.digest);
    expect(third?.digest).toBe(second?.digest);
  });

  test("is the same plan before the first state too, whoever makes it, as long as it does the same", async () => {
    const fleet = await openFleet();
    const another = fleet.another();
    const planOf = async (last: string, token: string, work = fleet.work) => {
      fleet.project.environment["OUTREACH_VAR_token"] = token;
      const emails = [..."abcdefghijk", last].map((name) => `${name}@leads.example.com`);
      const hook = '  crm: { target_url: "https://crm.example.com/?${var.token}" }\n';
      const rest = `variables: { token: { sensitive: true } }\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [${emails.join(", ")}] }\n`;
      await fleet.declare(hook, rest);
      await work.read(fleet.signal);
      return (await work.reconcile("emea", "none", fleet.signal)).plan;
    };
    const plans = [
      await planOf("y", "one"),
      await planOf("y", "one"),
      await planOf("y", "one", another),
      await planOf("z", "one"),
      await planOf("y", "two"),
    ];
    const [first, again, elsewhere, otherEmail, otherToken] = plans.map((plan) => ({
      text: plan?.text,
      digest: plan?.digest,
    }));
    expect(first?.text).toMatch(/a\*\*\*@leads\.example\.com#[0-9a-f]{8}/);
    expect([again, elsewhere]).toEqual([first, first]);
    expect([otherEmail?.text, otherToken?.text]).toEqual([first?.text, first?.text]);
    expect(new Set([first?.digest, otherEmail?.digest, otherToken?.digest, "", undefined])).toHaveLength(5);
    for (const name of "abcdefghijky")
      fleet.project.sandbox.add("leads", { campaignId: "cam_000001", email: `${name}@leads.example.com` });
    expect(await fleet.work.applyPlan("emea", plans[1]?.bytes ?? new Uint8Array(), fleet.signal)).toMatchObject({
      outcome: "outdated",
    });
    await planOf("y", "one");
    expect(await fleet.work.applyPlan("emea", plans[1]?.bytes ?? new Uint8Array(), fleet.signal)).toMatchObject({
      outcome: "applied",
    });
    expect(await fleet.reconcile("none")).toMatchObject({ outcome: "unchanged" });
  });

  test("where it deletes more than the limit", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks(...NAMES));
    await fleet.reconcile("safe");
    await fleet.declare(webhooks("one"));
    const waiting = await fleet.reconcile("safe");
    expect(waiting).toMatchObject({
      outcome: "waiting",
      counts: { destroy: 4 },
      messages: [{ severity: "warning", code: "limit_delete" }],
    });
    expect(waiting.messages[0]?.hint).toMatch(/Approve/);
    expect(waiting.plan?.text.match(/Plan: /g)).toHaveLength(1);
    const applied = await fleet.work.applyPlan("emea", waiting.plan?.bytes ?? new Uint8Array(), fleet.signal);
    expect(applied).toMatchObject({ outcome: "applied", counts: { destroy: 4 } });
  });

  test("of the same kind is applied where anything may be", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks(...NAMES));
    await fleet.reconcile("safe");
    await fleet.declare(webhooks("one"));
    expect(await fleet.reconcile("all")).toMatchObject({ outcome: "applied", counts: { destroy: 4 }, plan: null });
  });

  test("where webhooks seem to be missing, whatever is automatic: the list may be wrong", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks(...NAMES));
    await fleet.reconcile("safe");
    for (const { _id } of fleet.project.sandbox.webhooks()) fleet.project.sandbox.remove("webhooks", _id);
    for (const auto of ["safe", "all"] as const) {
      const waiting = await fleet.reconcile(auto);
      expect(waiting).toMatchObject({ outcome: "waiting", counts: { add: 5 }, messages: [{ severity: "warning" }] });
      expect(fleet.project.sandbox.webhooks()).toEqual([]);
    }
  });

  test("and is outdated once the service is not as it was, or if the bytes are no plan", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    await fleet.reconcile("safe");
    await fleet.declare(webhooks("two"));
    const { plan } = await fleet.reconcile("none");
    expect(fleet.project.sandbox.remove("webhooks", "hoo_000001")).toBe(true);
    expect(await fleet.work.applyPlan("emea", plan?.bytes ?? new Uint8Array(), fleet.signal)).toMatchObject({
      outcome: "outdated",
      counts: { add: 0, destroy: 0 },
    });
    expect(await fleet.work.applyPlan("emea", new Uint8Array([123]), fleet.signal)).toMatchObject({
      outcome: "outdated",
    });
  });

  test("and is outdated if somebody has edited it in the database, with a checksum that matches", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    await fleet.reconcile("safe");
    await fleet.declare(webhooks("one", "two"));
    const bytes = (await fleet.reconcile("none")).plan?.bytes ?? new Uint8Array();
    const { checksum: _, ...saved } = JSON.parse(Buffer.from(bytes).toString()) as {
      readonly checksum: string;
      readonly choices: object;
    };
    for (const change of [
      { choices: { ...saved.choices, destroy: true } },
      { state: "postgres://evil.example.com/states?schema=outreach&name=emea" },
    ]) {
      const edited = { ...saved, ...change };
      const forged = Buffer.from(JSON.stringify({ ...edited, checksum: checksumOf(edited) }));
      const code = "state" in change ? "plan_of_another_place" : "plan_changed";
      expect(await fleet.work.applyPlan("emea", forged, fleet.signal)).toMatchObject({
        outcome: "outdated",
        messages: [{ code }],
        requests: 0,
      });
    }
    expect(await fleet.work.applyPlan("emea", bytes, fleet.signal)).toMatchObject({
      outcome: "applied",
      counts: { add: 1 },
    });
  });
});

describe("a run that cannot do its work", () => {
  test("is busy while somebody else has the lock of the state", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const { sandbox } = fleet.project;
    sandbox.addFault({ action: { kind: "late", delayMs: 3000 }, operation: "listWebhooks", times: 1 });
    const other = fleet.another();
    await other.read(fleet.signal);
    const holding = other.reconcile("emea", "safe", fleet.signal);
    await expect.poll(() => sandbox.requests().length, { timeout: 20_000 }).toBe(1);
    expect(await fleet.reconcile("safe")).toMatchObject({
      outcome: "busy",
      requests: 0,
      messages: [{ code: "state_locked" }],
    });
    expect(await holding).toMatchObject({ outcome: "applied" });
  });

  test("fails soon where the service answers nothing, and not where it answers late", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const { sandbox } = fleet.project;
    const facts = { seen: null, hangsAfterMs: 2000, hold: null };
    sandbox.addFault({ action: { kind: "late", delayMs: 60_000 }, operation: "listWebhooks", times: 1 });
    const hanging = await fleet.work.reconcile("emea", "safe", fleet.signal, facts);
    expect(hanging).toMatchObject({ outcome: "failed", messages: [{ code: "service_hangs" }] });
    sandbox.addFault({ action: { kind: "late", delayMs: 2500 }, method: "POST", times: 1 });
    expect(await fleet.work.reconcile("emea", "safe", fleet.signal, facts)).toMatchObject({ outcome: "applied" });
  });

  test("is undecided where the service does not tell what it has done", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const { sandbox } = fleet.project;
    sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST", times: 1 });
    sandbox.addFault({
      action: { kind: "answer", status: 200, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 1,
    });
    const undecided = await fleet.reconcile("safe");
    expect(undecided).toMatchObject({ outcome: "undecided" });
  });

  test("fails with the messages of the command, and the next one goes on", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    fleet.project.environment["KEY_EMEA"] = "wrong-key-of-emea";
    const failed = await fleet.reconcile("safe");
    expect(failed).toMatchObject({
      outcome: "failed",
      plan: null,
      messages: [{ severity: "error", code: expect.stringMatching(/^service_/) as string }],
    });
    fleet.project.environment["KEY_EMEA"] = fleet.project.sandbox.keys.good;
    expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
  });

  test("throws the error of the fleet's database, and loses nothing", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one", "two", "three"));
    const error = fleet.unavailable();
    const away = fleet.another({ removed: error });
    await away.read(fleet.signal);
    await expect(away.reconcile("emea", "safe", fleet.signal)).rejects.toBe(error);
    await fleet.reconcile("safe");
    expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "unchanged" });
    expect(fleet.project.sandbox.webhooks()).toHaveLength(3);
  });

  test("is interrupted where the database of the states ends its session: that says nothing about the team", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    fleet.project.sandbox.addFault({ action: { kind: "late", delayMs: 1000 }, operation: "listWebhooks", times: 1 });
    const running = fleet.reconcile("safe");
    await expect.poll(() => fleet.project.sandbox.requests().length, { timeout: 20_000 }).toBe(1);
    await endSessions(fleet.url);
    expect(await running).toMatchObject({ outcome: "interrupted", messages: [{ code: "lock_lost" }] });
    expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
  });

  test("is interrupted where that happens while it looks for a create without an answer, which the next one finds", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const { sandbox } = fleet.project;
    sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST", times: 1 });
    sandbox.addFault({ action: { kind: "late", delayMs: 1000 }, operation: "listWebhooks", times: 1, skip: 1 });
    const running = fleet.reconcile("safe");
    await expect.poll(() => sandbox.requests().length, { timeout: 20_000 }).toBe(3);
    await endSessions(fleet.url);
    expect(await running).toMatchObject({ outcome: "interrupted" });
    await fleet.reconcile("safe");
    expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "unchanged" });
    expect(sandbox.webhooks()).toHaveLength(1);
  });

  test("throws the reason of the signal", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const stop = new AbortController();
    fleet.project.sandbox.addFault({ action: { kind: "late", delayMs: 5000 }, operation: "listWebhooks", times: null });
    const running = fleet.work.reconcile("emea", "safe", stop.signal);
    await expect.poll(() => fleet.project.sandbox.requests().length, { timeout: 20_000 }).toBe(1);
    const reason = new Error("the process ends");
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(fleet.work.reconcile("emea", "safe", stop.signal)).rejects.toBe(reason);
  });
});

test("the bytes of a plan that waits are encrypted if the state is", async () => {
  const fleet = await openFleet();
  fleet.project.environment["STATE_KEY"] = Buffer.alloc(32, 7).toString("base64");
  await fleet.declare(webhooks("one"), "", "{ key: { env: STATE_KEY } }");
  const bytes = (await fleet.reconcile("none")).plan?.bytes ?? new Uint8Array();
  expect(Buffer.from(bytes).toString()).toMatch(/"encryption": 1/);
  expect(Buffer.from(bytes).toString()).not.toContain("crm.example.com");
  expect(await fleet.work.applyPlan("emea", bytes, fleet.signal)).toMatchObject({
    outcome: "applied",
    counts: { add: 1 },
  });
});

test("a secret that was rotated is noticed by the next run", async () => {
  const fleet = await openFleet();
  const { environment } = fleet.project;
  environment["WEBHOOK_SECRET"] = "the-first-secret";
  await fleet.declare('  crm: { target_url: "https://crm.example.com", secret: { env: WEBHOOK_SECRET } }\n');
  await fleet.reconcile("safe");
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "unchanged" });
  environment["WEBHOOK_SECRET"] = "the-second-secret";
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied", counts: { add: 1, destroy: 1 } });
  expect(fleet.project.sandbox.webhooks()).toMatchObject([{ secret: "the-second-secret" }]);
});

test("a program that prints a secret sees neither the database nor the token of the controller", async () => {
  const { project, url, declare, reconcile } = await openFleet();
  Object.assign(project.environment, {
    OUTREACH_DATABASE: url,
    OUTREACH_CONTROLLER_TOKEN: "a-token-of-the-controller",
  });
  await declare(
    "  a: { target_url: https://crm.example.com/a, secret: { command: [sh, -c, 'env > seen; echo s3cret'] } }\n",
  );
  expect(await reconcile("all")).toMatchObject({ outcome: "applied" });
  expect(project.read("seen")).toContain("OUTREACH_BASE_URL=");
  expect(project.read("seen")).not.toMatch(/^OUTREACH_(?:DATABASE|CONTROLLER_TOKEN)=/m);
});

test("results show no secret and no email", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  const email = "ann@leads.example.com";
  project.environment["WEBHOOK_SECRET"] = "secret-of-the-webhook";
  project.sandbox.add("leads", { campaignId: "cam_000001", email });
  await fleet.declare(
    `  crm: { target_url: "https://crm.example.com/secret-of-the-webhook", secret: { env: WEBHOOK_SECRET } }\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: ["${email}"] }\n`,
  );
  const waiting = await fleet.reconcile("none");
  expect(waiting.outcome, JSON.stringify(waiting)).toBe("waiting");
  expect(waiting.plan?.text).toMatch(/a\*\*\*@leads\.example\.com#/);
  const failed = await fleet.reconcile("safe");
  for (const text of [waiting.plan?.text, JSON.stringify(waiting.messages), JSON.stringify(failed)]) {
    expect(text).not.toContain(email);
    expect(text).not.toContain("secret-of-the-webhook");
    expect(text).not.toContain(project.sandbox.keys.good);
  }
});

describe("the configuration", () => {
  test("is refused without teams, with local states, and with one state for two teams", async () => {
    const fleet = await openFleet();
    const { project, work } = fleet;
    const refusal = async (text: string): Promise<readonly string[]> => {
      project.write("outreach.yaml", `version: 1\n${text}webhooks:\n${webhooks("one")}`);
      const error: unknown = await work.read(fleet.signal).catch((thrown: unknown) => thrown);
      return (error as { readonly diagnostics: readonly { readonly code: string }[] }).diagnostics.map(
        ({ code }) => code,
      );
    };
    expect(await refusal("")).toEqual(["fleet_teams_missing"]);
    expect(await refusal("teams: { emea: {}, apac: {} }\n")).toEqual(["fleet_state_local"]);
    const shared = "variables: { of: { default: c } }\nteams: { a: { variables: { of: bc } }, ab: {} }\n";
    expect(await refusal(`${shared}state: { backend: pg, schema: states, name: "\${team.name}\${var.of}" }\n`)).toEqual(
      ["fleet_state_shared"],
    );
    await expect(work.read(AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
  });

  test("has a digest for each team, which changes with what the team declares, and not with secrets", async () => {
    const fleet = await openFleet();
    const variables = (token: string): string => {
      fleet.project.environment["OUTREACH_VAR_token"] = token;
      return 'variables: { of: { default: "a" }, token: { sensitive: true } }\n';
    };
    const text = '  crm: { target_url: "https://crm.example.com/${team.name}/${var.of}?${var.token}" }\n';
    const before = await fleet.declare(text, variables("one"));
    const rotated = await fleet.declare(text, variables("two"));
    expect(rotated).toEqual(before);
    const changed = await fleet.declare(text.replace("crm.example", "other.example"), variables("one"));
    for (const [index, team] of before.teams.entries()) expect(changed.teams[index]?.digest).not.toBe(team.digest);
    const removing = await fleet.declare(
      text,
      `${variables("one")}removals: [{ id: hoo_old, reason: nobody reads it }]\n`,
    );
    for (const [index, team] of before.teams.entries()) expect(removing.teams[index]?.digest).not.toBe(team.digest);
    await fleet.declare(text.replace("crm.example", "other.example"), variables("one"));
    fleet.project.write(
      "outreach.yaml",
      fleet.project.read("outreach.yaml").replace("emea: {", "emea: { variables: { of: b },"),
    );
    const ofEmea = await fleet.work.read(fleet.signal);
    expect(ofEmea.teams.map(({ digest }, index) => digest === changed.teams[index]?.digest)).toEqual([false, true]);
    expect(ofEmea.digest).not.toBe(changed.digest);
  });

  test("is read again once any of its files is another one", async () => {
    const fleet = await openFleet();
    const { project, work } = fleet;
    project.write("stop.csv", "email\nann@leads.example.com\n");
    const before = await fleet.declare(
      `${webhooks("one")}lead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails_from: stop.csv }\n`,
    );
    expect(await work.read(fleet.signal)).toEqual(before);
    project.write("stop.csv", "email\nann@leads.example.com\nbob@leads.example.com\n");
    expect((await work.read(fleet.signal)).digest).not.toBe(before.digest);
    project.write("stop.csv", "email\nann@leads.example.com\n");
    expect(await work.read(fleet.signal)).toEqual(before);
  });

  test("stays in force while a new one has mistakes", async () => {
    const fleet = await openFleet();
    await fleet.declare(webhooks("one"));
    const broken = fleet.declare("  one: { target_url: 1 2 }\n  two: 3\n");
    await expect(broken).rejects.toMatchObject({
      diagnostics: [{ code: "wrong_type", place: { file: "outreach.yaml", line: 8 } }],
    });
    expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied", counts: { add: 1 } });
  });

  test("names the commit of its checkout, also of a worktree and of packed branches", async () => {
    const fleet = await openFleet();
    const { project } = fleet;
    const commitOf = async (): Promise<string | null> => (await fleet.declare(webhooks("one"))).commit;
    const [first, second] = ["a".repeat(40), "b".repeat(40)];
    expect(await commitOf()).toBe(null);
    mkdirSync(path.join(project.folder, ".git/refs/heads"), { recursive: true });
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write(
      ".git/packed-refs",
      `# pack-refs with: peeled\n${"c".repeat(40)} refs/heads/other\n${first} refs/heads/main\n`,
    );
    expect(await commitOf()).toBe(first);
    project.write(".git/refs/heads/main", `${second}\n`);
    expect(await commitOf()).toBe(second);
    project.write(".git/worktrees/it/HEAD", "ref: refs/heads/main\n");
    project.write(".git/worktrees/it/commondir", "../..\n");
    project.write("it/.git", `gitdir: ${project.folder}/.git/worktrees/it\n`);
    project.write("it/outreach.yaml", project.read("outreach.yaml"));
    expect((await fleet.another({ config: "it/outreach.yaml" }).read(fleet.signal)).commit).toBe(second);
  });
});

/** As a server that is stopped. */
async function endSessions(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await client.end();
}
