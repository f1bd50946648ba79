import { describe, expect, test } from "vitest";
import { PROTECTED_WARNINGS } from "../../../../src/core/model/ignored-warnings.ts";
import { AUDIT_RULES } from "../../../../src/frontends/cli/commands/audit/audit-rules.ts";
import { parseListProfile } from "../../../../src/sandbox/list-profile.ts";
import { PROFILES } from "../../../../src/sandbox/profiles.ts";
import { catalog } from "../../../../src/service/resources/catalog.ts";
import { startListening } from "../listen/listening.ts";
import { type Project, until, useProjects } from "../project.ts";

const openProject = useProjects();
/** The members of the document, in their order. */
const MEMBERS = "format_version outreach_version as_of complete summary groups live names unknown diagnostics".split(
  " ",
);

const OURS = "https://crm.example.com/replies";
const ZAP = "https://hooks.zapier.com/hooks/catch/1/b9/";
const CONFIGURATION = `version: 1\nwebhooks:\n  crm: { target_url: ${OURS}, type: emailsReplied, secret: { env: S } }\n  open: { target_url: https://crm.example.com/open }\n`;

interface Live {
  readonly id: string;
  readonly held: string;
  readonly address: string | null;
  readonly values: { readonly [name: string]: unknown };
  readonly findings: readonly { readonly id: string; readonly why: string; readonly others: readonly string[] }[];
}

interface Audit {
  readonly complete: boolean;
  readonly summary: { readonly [group: string]: number };
  readonly groups: { readonly [group: string]: readonly string[] };
  readonly live: readonly Live[];
  readonly names: { readonly [id: string]: string };
  readonly unknown: readonly unknown[];
  readonly diagnostics: readonly { readonly summary: string }[];
}

/** What `--json` prints. */
async function auditOf(project: Project, line = "audit", environment = {}): Promise<Audit> {
  const { code, out, err } = await project.run(`${line} --json`, environment);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const found = JSON.parse(out) as Audit;
  expect(Object.keys(found)).toEqual(MEMBERS);
  return found;
}

/** Two managed webhooks, and what other hands have left. */
async function mess(options: Parameters<typeof openProject>[0] = {}): Promise<Project> {
  const project = await openProject(options);
  project.write("outreach.yaml", CONFIGURATION);
  expect(await project.run("apply --auto-approve", { S: "a-secret-of-ours" })).toMatchObject({ code: 0 });
  const { sandbox } = project;
  sandbox.add("webhooks", {
    _id: "hoo_zap1",
    targetUrl: ZAP,
    type: "emailsSent",
    createdAt: "2021-02-16T08:02:42.000Z",
  });
  sandbox.add("webhooks", {
    _id: "hoo_zap2",
    targetUrl: ZAP,
    type: "emailsSent",
    createdAt: "2021-02-16T08:05:11.000Z",
  });
  sandbox.add("webhooks", { _id: "hoo_twin", targetUrl: OURS, type: "emailsReplied" });
  sandbox.add("webhooks", { _id: "hoo_all", targetUrl: "https://audit.example.com/" });
  sandbox.add("webhooks", { _id: "hoo_sent", targetUrl: "https://audit.example.com/", type: "emailsSent" });
  sandbox.add("webhooks", { _id: "hoo_http", targetUrl: "http://old.example.com/hook", type: "emailsBounced" });
  sandbox.add("webhooks", {
    _id: "hoo_gone",
    targetUrl: "https://gone.example.com/",
    type: "emailsSent",
    campaignId: "cam_gone",
  });
  return project;
}

describe("outreach audit", () => {
  test("groups everything that is live, reads only, and stores nothing", async () => {
    const project = await mess();
    const before = project.files();
    const { code, err, out, sent } = await project.run("audit --older-than 365d");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(sent.every((request) => request.startsWith("GET "))).toBe(true);
    expect(sent.filter((request) => request.startsWith("GET /campaigns"))).toHaveLength(1);
    expect(out.split("\n")[0]).toBe("9 live webhooks: 2 managed, 7 unmanaged. 9 have findings.");
    expect(out).toContain("Not known, and never a finding:");
    expect(project.files()).toEqual(before);
    const { groups, live, complete } = await auditOf(project, "audit --older-than 365d");
    const [crm = "", open = ""] = ["crm", "open"].map(
      (name) => live.find(({ address }) => address === `outreach_webhook.${name}`)?.id,
    );
    expect(complete).toBe(true);
    expect({ ...groups, managed: groups["managed"]?.toSorted(), unmanaged: groups["unmanaged"]?.toSorted() }).toEqual({
      managed: [crm, open].toSorted(),
      undecided: [],
      temporary: [],
      unmanaged: ["hoo_all", "hoo_gone", "hoo_http", "hoo_sent", "hoo_twin", "hoo_zap1", "hoo_zap2"],
      automation: ["hoo_zap1", "hoo_zap2"],
      duplicate: ["hoo_zap1", "hoo_zap2", crm, "hoo_twin"],
      overlap: ["hoo_all", "hoo_sent"],
      dead_campaign: ["hoo_gone"],
      http: ["hoo_http"],
      webhook_without_secret: [open],
      old: ["hoo_zap1", "hoo_zap2"],
    });
    expect(live.find(({ id }) => id === "hoo_twin")?.findings).toEqual([
      { id: "duplicate", why: `identical to ${crm} (outreach_webhook.crm)`, others: [crm] },
    ]);
    // The same facts for people.
    for (const { findings } of live) for (const { why } of findings) expect(out).toContain(why);
    for (const { id } of live) expect(out).toContain(id);
  });

  test("has a text and a JSON alone", async () => {
    const project = await openProject();
    const { code, err } = await project.run("audit --format markdown");
    expect([code, err]).toEqual([1, expect.stringContaining("Unknown option")]);
  });

  test.each(["365", "1y"])("needs a unit for an age, and %s has none", async (age) => {
    const project = await openProject();
    const { code, err, sent } = await project.run(`audit --older-than ${age}`);
    expect({ code, err, sent }).toEqual({
      code: 1,
      err: expect.stringContaining("Use a number and a unit, as in 365d.") as string,
      sent: [],
    });
  });

  test("reads no campaigns where no webhook names one, and finds nothing where nothing is wrong", async () => {
    const project = await openProject();
    expect(await project.run("audit -c outreach.yaml")).toMatchObject({ code: 0, out: "Nothing is live.\n" });
    project.write("outreach.yaml", `version: 1\nwebhooks:\n  crm: { target_url: ${OURS}, secret: { env: S } }\n`);
    await project.run("apply --auto-approve", { S: "a-secret-of-ours" });
    const { out, sent } = await project.run("audit");
    expect(sent.filter((request) => request.startsWith("GET /campaigns"))).toEqual([]);
    expect(out).toContain("1 live webhook: 1 managed. No findings.\n");
    expect(out).not.toContain("Duplicates");
  });

  test("a campaign that has ended is dead, a running one is not, and one that cannot be read is unknown", async () => {
    const project = await mess();
    project.sandbox.add("webhooks", {
      _id: "hoo_running",
      targetUrl: "https://a.example.com/",
      campaignId: "cam_000001",
    });
    project.sandbox.add("webhooks", {
      _id: "hoo_ended",
      targetUrl: "https://b.example.com/",
      campaignId: "cam_000002",
    });
    project.sandbox.change("campaigns", "cam_000001", { status: "running", name: "Running" });
    project.sandbox.change("campaigns", "cam_000002", { status: "ended", name: "Over" });
    const { live, groups, names } = await auditOf(project);
    expect(groups["dead_campaign"]?.toSorted()).toEqual(["hoo_ended", "hoo_gone"]);
    expect(names).toEqual({ cam_000001: "Running", cam_000002: "Over" });
    expect((await project.run("audit")).out).toMatch(/\n {2}hoo_running +\S+ +all events +cam_000001 \(Running\) /);
    expect(live.find(({ id }) => id === "hoo_ended")?.findings[0]?.why).toBe('campaign "Over" (cam_000002) has ended');
    project.sandbox.addFault({
      action: { kind: "answer", status: 403, body: '"Blocked"' },
      operation: "listCampaigns",
      times: null,
    });
    const without = await auditOf(project);
    expect(without.groups["dead_campaign"]).toEqual([]);
    expect(without.unknown).toContainEqual({ type: "outreach_webhook", attribute: "campaign_id", count: 3 });
    expect(without.diagnostics[0]?.summary).toBe("The campaigns could not be read");
  });

  test("what the list does not show is unknown, and never a finding", async () => {
    const project = await mess({ profile: parseListProfile("no-type").profile });
    const { groups, unknown, live } = await auditOf(project);
    // The recorded type of a managed webhook stands: it has no identical one that is known.
    expect(groups["duplicate"]).toEqual([]);
    expect(groups["overlap"]).toEqual([]);
    expect(unknown).toContainEqual({ type: "outreach_webhook", attribute: "type", count: 7 });
    expect(live.find(({ id }) => id === "hoo_all")?.values).not.toHaveProperty("type");
    expect((await project.run("audit")).out).toMatch(/\n {2}hoo_all +https:\/\/audit\.example\.com\/ +not shown /);
  });

  test("an automation id is a sign as good as a host, and a managed webhook is not left by anyone", async () => {
    const { choices, profile, seed } = PROFILES.published;
    const project = await openProject({ choices, profile, seed });
    project.write("outreach.yaml", `version: 1\nwebhooks:\n  zap: { target_url: ${ZAP}, automation_id: 7 }\n`);
    await project.run("apply --auto-approve");
    project.sandbox.add("webhooks", { _id: "hoo_flow", targetUrl: "https://flows.example.com/7", automationId: "42" });
    const { live, groups } = await auditOf(project);
    // The old ones of the published description come first: two have a placeholder, the others an automation id, but for one.
    const signs = groups["automation"]?.map(
      (id) => live.find((one) => one.id === id)?.findings.find((one) => one.id === "automation")?.why,
    );
    expect(signs?.filter((sign) => sign === "a placeholder in its URL")).toHaveLength(2);
    expect(groups["automation"]).toHaveLength(10);
    expect(groups["unmanaged"]).toHaveLength(11);
    expect(live.find(({ id }) => id === "hoo_flow")?.findings[0]?.why).toBe("automation_id 42");
  });

  test("a webhook that a killed listener has left is temporary", async () => {
    const project = await openProject();
    const listening = await startListening(project, "--register");
    await until(() => listening.lines("registered").length > 0, "it is registered");
    process.kill(listening.pid, "SIGKILL");
    await listening.ended;
    const id = String(listening.lines("registered")[0]?.["id"]);
    expect(await project.run("audit")).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`Temporary[^]*${id}`)) as string,
    });
  });

  test("a listener that may have left a webhook behind names it as what finds it", async () => {
    const project = await openProject();
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", method: "POST", times: 1 });
    const { err } = await project.run("listen --port 0 --register");
    expect(err).toContain("Run outreach audit in a minute. If it lists the webhook");
  });

  test("a webhook that an undecided create may have made is not unmanaged, and neither is one of outreach listen", async () => {
    const project = await mess();
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    project.sandbox.addFault({
      action: { kind: "answer", status: 200, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 1,
    });
    project.write("outreach.yaml", `${CONFIGURATION}  d: { target_url: "https://crm.example.com/d" }\n`);
    expect((await project.run("apply --auto-approve", { S: "a-secret-of-ours" })).code).toBe(3);
    project.sandbox.clearFaults();
    project.sandbox.add("webhooks", { _id: "hoo_other", targetUrl: "https://crm.example.com/d" });
    project.sandbox.add("webhooks", {
      _id: "hoo_listen",
      targetUrl: `https://t.example.com/outreach-listen/${"0".repeat(32)}`,
    });
    const { groups } = await auditOf(project);
    expect(groups["undecided"]).toContain("hoo_other");
    expect(groups["temporary"]).toEqual(["hoo_listen"]);
    for (const id of ["hoo_other", "hoo_listen"]) expect(groups["unmanaged"]).not.toContain(id);
  });

  test("without a state, everything is unmanaged, with a warning; another service and a wrong key are errors", async () => {
    const project = await mess();
    project.remove("outreach.state.json");
    const { groups, diagnostics } = await auditOf(project);
    expect(groups["managed"]).toEqual([]);
    expect(diagnostics.map(({ summary }) => summary)).toContain("No state exists at this place");
    const moved = await mess();
    const other = await openProject();
    expect(await moved.run("audit", { OUTREACH_BASE_URL: other.sandbox.baseUrl })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("The state belongs to another service") as string,
    });
    expect((await moved.run("audit", { OUTREACH_API_KEY: "wrong" })).code).toBe(1);
    expect((await moved.run("audit --older-than soon")).err).toContain("--older-than");
  });

  test("a value of a sensitive variable is hidden, also at a copy of the webhook", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { token: { sensitive: true } }\nwebhooks:\n  crm: { target_url: "https://crm.example.com/\${var.token}" }\n`,
    );
    await project.run("apply --auto-approve", { OUTREACH_VAR_token: "very-hidden" });
    project.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/very-hidden" });
    for (const line of ["audit", "audit --json"]) {
      const { out } = await project.run(line);
      expect(out).toContain("(sensitive value)");
      expect(out).not.toContain("very-hidden");
    }
  });

  test("each team has its part, and a team that fails says so", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nwebhooks:\n  crm: { target_url: ${OURS} }\nteams:\n  emea: { api_key: { env: EMEA } }\n  us: { api_key: { env: US } }\n`,
    );
    const keys = { EMEA: project.sandbox.keys.good, US: project.sandbox.keys.otherTeam };
    await project.run("apply --auto-approve", keys);
    const { code, out } = await project.run("audit", keys);
    expect(code).toBe(0);
    expect(out).toContain("=== Team emea ===\n\n1 live webhook: 1 managed.");
    expect(out).toContain("=== Team us ===");
    const parts = JSON.parse((await project.run("audit --json", keys)).out) as readonly {
      readonly team: string;
      readonly summary: { readonly managed: number };
    }[];
    expect(parts.map(({ team, summary }) => [team, summary.managed])).toEqual([
      ["emea", 1],
      ["us", 1],
    ]);
    const failed = await project.run("audit", { ...keys, US: "wrong" });
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("=== Team us ===");
    expect(failed.out).toMatch(/us +Failed\./);
  });
});

describe("ignore", () => {
  test("leaves out the findings that the configuration or a block silences", async () => {
    const project = await openProject();
    const text = (own: string, top = ""): string =>
      `version: 1\nwebhooks:\n  crm: { target_url: https://crm.example.com/hook${own} }\n  open: { target_url: https://open.example.com, campaign_id: cam_000005 }\n${top}`;
    const findings = async (): Promise<unknown> =>
      Object.fromEntries(
        (await auditOf(project)).live.map(({ address, findings: found }) => [address, found.map(({ id }) => id)]),
      );
    project.write("outreach.yaml", text(""));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(await findings()).toEqual({
      "outreach_webhook.crm": ["webhook_without_secret"],
      "outreach_webhook.open": ["dead_campaign", "webhook_without_secret"],
    });
    project.write("outreach.yaml", text(", ignore: [webhook_without_secret]", "ignore: [dead_campaign]\n"));
    expect(await findings()).toEqual({
      "outreach_webhook.crm": [],
      "outreach_webhook.open": ["webhook_without_secret"],
    });
  });
});

test("every finding of an audit can be silenced, or protects", () => {
  const rules = Object.values(AUDIT_RULES).flatMap((type) => (type?.rules ?? []).map(({ id }) => id));
  const found = ["duplicate", "overlap", "old", "webhook_without_secret", ...rules];
  const silenced = (catalog.ignorable ?? []).map(({ code }) => code);
  expect(found.filter((code) => !silenced.includes(code) && PROTECTED_WARNINGS[code] === undefined)).toEqual([]);
});
