import { describe, expect, test } from "vitest";
import { parseListProfile } from "../../../../src/sandbox/list-profile.ts";
import { EVERY_COMMAND } from "../program/every-command.ts";
import { type Project, type ProjectOptions, needsTerminal, runOnTerminal, useProjects } from "../project.ts";

const openProject = useProjects();
const OURS = "webhooks:\n  crm: { target_url: https://crm.example.com/replies, type: emailsReplied }\n";
const removals = (...ids: readonly string[]): string =>
  `removals:\n${ids.map((id) => `  - { id: ${id}, reason: nobody reads ${id} }\n`).join("")}`;
const ADDRESS = 'outreach_webhook.removals["hoo_old1"]';

/** One managed webhook, and three that other hands have left. */
async function withLeftovers(options: ProjectOptions = {}): Promise<Project> {
  const project = await openProject(options);
  project.write("outreach.yaml", `version: 1\n${OURS}`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  for (const name of ["old1", "old2", "theirs"])
    project.sandbox.add("webhooks", {
      _id: `hoo_${name}`,
      targetUrl: `https://${name}.example.com/hook`,
      type: "emailsSent",
      createdAt: "2021-02-16T08:02:42.000Z",
    });
  return project;
}

const declare = (project: Project, text: string): void => project.write("outreach.yaml", `version: 1\n${OURS}${text}`);
const idsIn = ({ sandbox }: Project): readonly string[] => sandbox.webhooks().map(({ _id }) => _id);
const isWrite = (request: string): boolean => !request.startsWith("GET ");

describe("removals: delete explicit foreign webhooks", () => {
  test("a plan shows each with its live values and the reason, as a delete, in text, JSON and Markdown", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_old1", "hoo_old2"));
    const { code, out, sent } = await project.run("plan --detailed-exitcode --out saved.plan");
    expect({ code, sent }).toEqual({ code: 2, sent: ["GET /hooks 200"] });
    expect(out).toContain(
      `  # ${ADDRESS} will be destroyed, although nothing manages it\n  # (reason: nobody reads hoo_old1)\n  - ${ADDRESS}\n`,
    );
    expect(out).toContain('- target_url = "https://old1.example.com/hook"');
    expect(out).toContain("Plan: 0 to add, 0 to change, 2 to destroy.");
    const { resource_changes: changes } = JSON.parse((await project.run("show --json saved.plan")).out) as {
      readonly resource_changes: readonly object[];
    };
    expect(changes).toContainEqual(
      expect.objectContaining({
        address: ADDRESS,
        type: "outreach_webhook",
        name: "removals",
        index: "hoo_old1",
        removal_reason: "nobody reads hoo_old1",
        change: expect.objectContaining({
          actions: ["delete"],
          after: null,
          before: expect.objectContaining({ id: "hoo_old1" }) as object,
        }) as object,
      }),
    );
    const markdown = (await project.run("show --format markdown saved.plan")).out;
    expect(markdown).toContain("#### 2 to destroy");
    expect(markdown).toContain("nobody reads hoo_old1");
    expect((await project.run("show --format html saved.plan")).out).toContain("nobody reads hoo_old1");
    expect((await project.run("plan --json")).out).toContain('"removal_reason":"nobody reads hoo_old1"');
  });

  test("explain knows their addresses, and why", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_old1", "hoo_nowhere"));
    const { code, out } = await project.run(`explain '${ADDRESS}'`);
    expect(code).toBe(0);
    expect(out).toContain(`# ${ADDRESS} will be destroyed, although nothing manages it\n`);
    expect(out).toContain("  yes, as hoo_old1\n");
    expect(out).toContain("  - Nothing manages hoo_old1, and removals names it: nobody reads hoo_old1\n");
    const gone = JSON.parse(
      (await project.run("explain --json 'outreach_webhook.removals[\"hoo_nowhere\"]'")).out,
    ) as object;
    expect(gone).toMatchObject({
      decision: {
        reasons: [
          {
            code: "removal",
            detail: "removals names hoo_nowhere, and the list of this API key's team does not show it.",
          },
        ],
      },
    });
    expect((await project.run("explain 'outreach_webhook.removals[\"hoo_old\"]'")).err).toContain("Did you mean");
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { url: { sensitive: true } }\nwebhooks:\n  crm: { target_url: '\${var.url}' }\n${removals("hoo_old1")}`,
    );
    const hidden = await project.run(`explain '${ADDRESS}' --var url=https://old1.example.com/hook`);
    expect([hidden.code, hidden.out]).toEqual([0, expect.not.stringContaining("https://old1.example.com")]);
    expect(hidden.out).toContain("target_url = (sensitive value) (host old1.example.com)\n");
  });

  test("--auto-approve is no approval: nothing at all is done, and the message names both ways", async () => {
    const project = await withLeftovers();
    declare(project, `  more: { target_url: https://crm.example.com/more }\n${removals("hoo_old1")}`);
    for (const line of [
      "apply --auto-approve",
      "apply --auto-approve --allow-deletes",
      "apply --auto-approve --json",
    ]) {
      const { code, out, err, sent } = await project.run(line);
      expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: 1, writes: [] });
      expect(out + err).toContain("A person must approve removals");
      expect(out + err).toContain("The plan deletes 1 webhook that nothing manages");
      expect(out + err).toContain("typed yes approves them, and so does a saved plan");
    }
    expect(idsIn(project)).toHaveLength(4);
  });

  test("a saved plan deletes exactly them, leaves no record, and a second apply has nothing to do", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_old1", "hoo_old2"));
    const before = (await project.run("state list")).out;
    await project.run("plan --out saved.plan");
    const { code, err, out, sent } = await project.run("apply saved.plan");
    expect({ code, err, deletes: sent.filter(isWrite).toSorted() }).toEqual({
      code: 0,
      err: "",
      deletes: ["DELETE /hooks/hoo_old1 200", "DELETE /hooks/hoo_old2 200"],
    });
    expect(out).toContain("Apply complete! Resources: 0 added, 0 changed, 2 destroyed.");
    expect(idsIn(project)).toContain("hoo_theirs");
    expect(idsIn(project)).toHaveLength(2);
    expect((await project.run("state list")).out).toBe(before);
    expect(project.read("outreach.state.json")).not.toContain("hoo_old1");
    const again = await project.run("apply --auto-approve");
    expect({ code: again.code, writes: again.sent.filter(isWrite) }).toEqual({ code: 0, writes: [] });
    expect(again.err).toContain("Note: 2 removals have nothing to delete [removal_done]");
    expect(again.err).toContain("Remove their entries from removals once no team's plan deletes them.");
  });

  test("a typed yes deletes them, anything else does not", async (context) => {
    needsTerminal(context);
    const project = await withLeftovers({ realProcess: "a terminal belongs to a process" });
    declare(project, removals("hoo_old1"));
    const no = await runOnTerminal(project, "apply", "no");
    expect({ code: no.code, writes: no.sent.filter(isWrite) }).toEqual({ code: 1, writes: [] });
    const yes = await runOnTerminal(project, "apply", "yes");
    expect({ code: yes.code, writes: yes.sent.filter(isWrite) }).toEqual({
      code: 0,
      writes: ["DELETE /hooks/hoo_old1 200"],
    });
  });

  test("a plan is stale once the webhook is another one, or gone", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_old1"));
    await project.run("plan --out saved.plan");
    project.sandbox.change("webhooks", "hoo_old1", { targetUrl: "https://in-use-now.example.com/" });
    const { code, err, sent } = await project.run("apply saved.plan");
    expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: 1, writes: [] });
    expect(err).toContain("[plan_stale]");
    expect(err).toContain(ADDRESS);
    project.sandbox.change("webhooks", "hoo_old1", { targetUrl: "https://old1.example.com/hook" });
    declare(project, removals("hoo_old1").replace("nobody reads", "we think that nobody reads"));
    expect((await project.run("apply saved.plan")).err).toContain(
      "the configuration has other imports, moves or removals",
    );
    declare(project, removals("hoo_old1"));
    project.sandbox.remove("webhooks", "hoo_old1");
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("[plan_stale]") as string,
    });
  });

  test.each<readonly [what: string, text: (id: string) => string, code: string, words: string]>([
    ["of a managed webhook", (id) => removals(id), "removal_refused", "is managed: outreach_webhook.crm records it"],
    [
      "of an imported one",
      () => `imports: [{ to: outreach_webhook.one, id: hoo_old1 }]\n${removals("hoo_old1")}`,
      "removal_refused",
      "also imports hoo_old1",
    ],
    [
      "that is listed twice",
      () => removals("hoo_old1", "hoo_old1"),
      "removal_twice",
      "the first time at outreach.yaml:",
    ],
    ["without a reason", () => "removals: [{ id: hoo_old1 }]\n", "attribute_missing", "reason"],
    [
      "with an empty reason",
      () => 'removals: [{ id: hoo_old1, reason: " " }]\n',
      "removal_reason",
      "The reason to delete hoo_old1 is empty",
    ],
    [
      "with a pattern for an id",
      () => 'removals: [{ id: "hoo_*", reason: x }]\n',
      "webhook_id_invalid",
      "is not the id of a webhook",
    ],
    [
      "with an expression for an id",
      () => 'removals: [{ id: "${var.x}", reason: x }]\nvariables: { x: { default: hoo_old1 } }\n',
      "webhook_id_invalid",
      "is not the id",
    ],
    ["that is no list", () => "removals: hoo_old1\n", "value_type", "removals"],
    ["with another key", () => "removals: [{ id: hoo_old1, reason: x, force: true }]\n", "unknown_key", "force"],
  ])("a removal %s is an error, and nothing is sent", async (_, text, expected, words) => {
    const project = await withLeftovers();
    const [id = ""] = idsIn(project);
    const written = text(id);
    declare(
      project,
      written.startsWith("imports")
        ? `  one: { target_url: https://old1.example.com/hook, type: emailsSent }\n${written}`
        : written,
    );
    const { code, err, sent } = await project.run("plan");
    expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: 1, writes: [] });
    expect(err).toContain(words);
    if (!expected.startsWith("value")) expect(err).toContain(`[${expected}]`);
  });

  test("a webhook that a list may hide is not deleted, with a warning", async () => {
    const project = await withLeftovers({ profile: parseListProfile("cap=10,no-offset,no-page").profile });
    for (let at = 0; at < 10; at++)
      project.sandbox.add("webhooks", { targetUrl: `https://x.example.com/${String(at)}` });
    declare(project, removals("hoo_hidden"));
    expect(await project.run("plan")).toMatchObject({
      code: 0,
      err: expect.stringContaining("Warning: A removal cannot be planned [removal_hidden]") as string,
    });
  });

  test("limits.delete counts them, and a target includes or leaves them out", async () => {
    const project = await withLeftovers();
    declare(project, `${removals("hoo_old1", "hoo_old2")}limits: { delete: 1 }\n`);
    const refused = await project.run("plan --out saved.plan");
    expect(refused.err).toContain("The plan deletes 2 of 3 managed webhooks and removals; the limit is 1.");
    expect((await project.run("plan --target outreach_webhook.crm")).out).toContain("No changes.");
    expect((await project.run(`plan --target '${ADDRESS}'`)).out).toContain(
      "Plan: 0 to add, 0 to change, 1 to destroy.",
    );
    expect((await project.run("plan --exclude outreach_webhook.removals")).out).toContain("No changes.");
    expect(await project.run("plan --out saved.plan --allow-deletes")).toMatchObject({ code: 0 });
  });

  test("an identical declared webhook is created after its removal, and not refused as a duplicate", async () => {
    const project = await withLeftovers();
    declare(project, `  one: { target_url: https://old1.example.com/hook, type: emailsSent }\n${removals("hoo_old1")}`);
    await project.run("plan --out saved.plan");
    const { code, sent } = await project.run("apply saved.plan");
    expect({ code, writes: sent.filter(isWrite) }).toEqual({
      code: 0,
      writes: ["DELETE /hooks/hoo_old1 200", "POST /hooks 200"],
    });
  });

  test("an answer that is lost leaves no record and no second delete of anything", async () => {
    for (const when of ["before", "after"] as const) {
      const project = await withLeftovers();
      declare(project, removals("hoo_old1"));
      await project.run("plan --out saved.plan");
      project.sandbox.addFault({ action: { kind: "drop" }, when, method: "DELETE" });
      const { code, out } = await project.run("apply saved.plan");
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("1 destroyed.") as string });
      expect(idsIn(project)).not.toContain("hoo_old1");
      expect(project.read("outreach.state.json")).not.toContain('"address":"outreach_webhook.removals');
      expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
    }
  });

  test("a delete whose outcome stays open is decided by the next run, without a second request", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_old1"));
    await project.run("plan --out saved.plan");
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "DELETE" });
    project.sandbox.addFault({
      action: { kind: "answer", status: 200, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 1,
    });
    expect((await project.run("apply saved.plan")).code).toBe(3);
    project.sandbox.clearFaults();
    const next = await project.run("apply --auto-approve");
    expect({ code: next.code, writes: next.sent.filter(isWrite) }).toEqual({ code: 0, writes: [] });
    expect(next.err).toContain("hoo_old1 is gone");
    expect(idsIn(project)).toHaveLength(3);
  });

  test("a webhook that is gone by then counts as deleted", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_old1", "hoo_old2"));
    await project.run("plan --out saved.plan");
    project.sandbox.addFault({
      action: { kind: "answer", status: 404, body: '"Webhook not found"' },
      when: "after",
      method: "DELETE",
    });
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 destroyed.") as string,
    });
  });

  test("a declared twin is no rename of what it removes", async () => {
    const project = await withLeftovers();
    declare(
      project,
      `  twin: { target_url: https://old1.example.com/hook, type: emailsSent }\n${removals("hoo_old1")}`,
    );
    const { code, out, err } = await project.run("plan");
    expect({ code, out: out + err }).toEqual({ code: 0, out: expect.not.stringContaining("maybe_renamed") as string });
    expect(out).toContain("Plan: 1 to add, 0 to change, 1 to destroy.");
  });

  test("a recheck plans none", async () => {
    const project = await withLeftovers();
    project.write("outreach.yaml", `version: 1\n${removals("hoo_old1", "hoo_nowhere")}`);
    const { code, out, err } = await project.run("recheck");
    expect({ code, out: out + err }).toEqual({ code: 0, out: expect.not.stringContaining("removal") as string });
    expect(idsIn(project)).toContain("hoo_old1");
  });

  test("what belongs to another team has nothing to delete, and no hint to remove it at once", async () => {
    const project = await withLeftovers();
    declare(project, removals("hoo_nowhere"));
    const { err } = await project.run("plan");
    expect(err).toContain("Note: A removal has nothing to delete [removal_done]");
    expect(err).toContain(
      "not live in the team of this API key: deleted already, or of another team.\nRemove its entry from removals once no team's plan deletes it.",
    );
  });

  test("its reason and values are masked like everything else", async () => {
    const project = await withLeftovers();
    project.sandbox.add("webhooks", { _id: "hoo_copy", targetUrl: "https://crm.example.com/very-hidden" });
    declare(
      project,
      '  secret: { target_url: "https://crm.example.com/${var.token}", allow_duplicate: true }\nvariables: { token: { sensitive: true } }\nremovals: [{ id: hoo_copy, reason: "asked by ada@leads.example.com" }]\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [ada@leads.example.com] }\n',
    );
    const environment = { OUTREACH_VAR_token: "very-hidden" };
    await project.run("apply --auto-approve --target outreach_webhook.secret", environment);
    const { out } = await project.run("plan", environment);
    expect(out).toContain("removals[");
    expect(out).not.toMatch(/very-hidden|ada@leads/);
  });
});

test("nothing foreign is deleted in another way", async () => {
  const project = await withLeftovers();
  declare(project, removals("hoo_old1"));
  // What nothing manages stays, whatever runs: only the plan above, approved, deletes hoo_old1.
  for (const line of [
    "refresh",
    "destroy --auto-approve",
    "apply --auto-approve --refresh-only",
    "recheck",
    "drift",
    ...Object.values(EVERY_COMMAND).flatMap(({ showsUrls = [] }) => showsUrls),
    "plan --destroy --out gone.plan",
    "apply gone.plan",
  ]) {
    const { sent } = await project.run(line);
    expect(
      sent.filter((request) => /^DELETE .*hoo_(?:old|theirs)/.test(request)),
      line,
    ).toEqual([]);
  }
  expect(idsIn(project).toSorted()).toEqual(["hoo_old1", "hoo_old2", "hoo_theirs"]);
  project.write("outreach.yaml", "version: 1\nwebhooks: {}\n");
  for (const line of ["apply --auto-approve --allow-deletes", "plan --out empty.plan", "apply empty.plan"])
    await project.run(line);
  expect(idsIn(project)).toHaveLength(3);
});
