import { describe, expect, test } from "vitest";
import { type StateDocument, encodeState } from "../../../../src/core/state/document.ts";
import { type Project, needsTerminal, runOnTerminal, useProjects } from "../project.ts";

const openProject = useProjects();

const GOOD = `version: 1
webhooks:
  crm: { target_url: 'https://crm.example.com/a', type: emailsReplied, secret: { env: CRM } }
  audit: { target_url: 'https://audit.example.com', types: [emailsSent, emailsBounced], secret: { env: AUDIT } }
  stays: { target_url: 'https://stays.example.com', type: emailsClicked }
lead_unsubscriptions:
  gdpr: { campaign_id: cam_000001, emails: [ada@example.com] }
`;
const BAD = `version: 1
webhooks:
  crm: { target_url: 'https://crm.example.com/wrong', type: emailsReplied, secret: { env: CRM } }
  audit: { target_url: 'https://audit.example.com', types: [emailsSent], secret: { env: AUDIT } }
  stays: { target_url: 'https://stays.example.com', type: emailsClicked }
  extra: { target_url: 'https://extra.example.com', type: emailsOpened }
lead_unsubscriptions:
  gdpr: { campaign_id: cam_000001, emails: [ada@example.com, bob@example.com] }
`;
const [CRM, AUDIT] = ["crm-secret-of-the-test", "audit-secret-of-the-test"];

/** GOOD is serial 2, and BAD, which is applied, serial 3. */
async function misled(bad = BAD, good = GOOD): Promise<Project> {
  const project = await openProject();
  Object.assign(project.environment, { CRM, AUDIT });
  for (const text of [good, bad]) {
    project.write("outreach.yaml", text);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  }
  return project;
}

const live = (project: Project): readonly string[] =>
  project.sandbox
    .webhooks()
    .map(
      ({ targetUrl, type, secret }) =>
        `${targetUrl} ${type ?? "all"}${secret === undefined || secret === null ? "" : ` ${secret}`}`,
    )
    .toSorted();

const OF_GOOD = [
  `https://audit.example.com emailsBounced ${AUDIT}`,
  `https://audit.example.com emailsSent ${AUDIT}`,
  `https://crm.example.com/a emailsReplied ${CRM}`,
  "https://stays.example.com emailsClicked",
];
const unsubscribed = ({ sent }: { readonly sent: readonly string[] }): readonly string[] =>
  sent.filter((line) => line.includes("/leads/"));

describe("rollback", () => {
  test("lists the versions from the state alone, as a table and as JSON", async () => {
    const project = await misled();
    const { code, out, err, sent } = await project.run("rollback", { OUTREACH_API_KEY: undefined });
    expect([code, err, sent]).toEqual([0, "", []]);
    expect(out).toBe(
      "SERIAL  WRITTEN  WEBHOOKS  CHANGED SINCE\n2       -        4         3\n\nThe state now has serial 3. To go back: outreach rollback --to SERIAL\n",
    );
    const json = await project.run("rollback --json");
    expect(JSON.parse(json.out)).toEqual({
      current: 3,
      versions: [{ serial: 2, written: null, webhooks: 4, changed_since: 3 }],
    });
  });

  test("goes back to what was declared, with the secrets of today, and sends no unsubscription", async () => {
    const project = await misled();
    const ran = await project.run("rollback --to 2 --auto-approve");
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringContaining("Plan: 2 to add, 0 to change, 2 to destroy.") as string,
    });
    expect(ran.out).toContain("No webhook of this configuration gets emailsOpened any more.");
    expect(ran.err).toContain("Warning: The configuration still says otherwise [rollback_not_configured]");
    expect(ran.err).toContain("Note: No rollback of lead unsubscriptions [rollback_final]");
    expect([unsubscribed(ran), live(project)]).toEqual([[], OF_GOOD]);
    expect(`${ran.out}${ran.err}${project.read("outreach.state.json")}`).not.toContain(CRM);
    const again = await project.run("rollback --to 3 --auto-approve");
    expect([again.code, live(project).some((line) => line.includes("wrong"))]).toEqual([0, true]);
    project.write("outreach.yaml", GOOD);
    await project.run("apply --auto-approve");
    const none = await project.run("rollback");
    expect(none.out).toContain("4 ");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("asks for a typed yes, and does nothing after another answer", async (context) => {
    needsTerminal(context);
    const project = await misled();
    const no = await runOnTerminal(project, "rollback --to 2", "no");
    expect([no.code, no.out.includes("Rollback cancelled. Nothing was changed."), live(project).length]).toEqual([
      1,
      true,
      4,
    ]);
    expect(live(project)).not.toEqual(OF_GOOD);
    expect(await runOnTerminal(project, "rollback --to 2", "yes")).toMatchObject({ code: 0 });
    expect(live(project)).toEqual(OF_GOOD);
  });

  test("saves a plan that apply carries out, and that every report calls a rollback", async () => {
    const project = await misled();
    const saved = await project.run("rollback --to 2 --out back.plan");
    expect(saved).toMatchObject({ code: 0, out: expect.stringContaining("outreach apply back.plan") as string });
    const markdown = (await project.run("show --format markdown back.plan")).out;
    expect(markdown).toContain(
      "<!-- outreach-as-code: outreach.yaml, rollback -->\n\n### Rollback plan for `outreach.yaml`",
    );
    expect(markdown).toContain("Warning: The configuration still says otherwise");
    expect((await project.run("show --format html back.plan")).out).toContain("Rollback plan");
    expect((await project.run("show --json back.plan")).out).toContain("https://crm.example.com/a");
    expect(project.read("back.plan")).not.toContain(CRM);
    const backup = project.read("outreach.state.json.backup");
    project.remove("outreach.state.json.backup");
    expect(await project.run("apply back.plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("[versions_missing]") as string,
    });
    project.write("outreach.state.json.backup", backup);
    expect(await project.run("apply back.plan")).toMatchObject({ code: 0 });
    expect(live(project)).toEqual(OF_GOOD);
    expect(await project.run("apply back.plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("[plan_stale]") as string,
    });
  });

  test("leaves and names a webhook whose secret is no longer declared", async () => {
    const project = await misled(
      "version: 1\nwebhooks:\n  stays: { target_url: 'https://stays.example.com', type: emailsClicked }\n  crm: { target_url: 'https://other.example.com' }\n",
    );
    const ran = await project.run("rollback --to 2 --auto-approve");
    expect(ran.err).toContain("Warning: Left as they are, because their secrets are gone [rollback_secret_gone]");
    expect(ran.err).toContain(
      '  - outreach_webhook.audit["emailsBounced"]\n  - outreach_webhook.audit["emailsSent"]\n  - outreach_webhook.crm\n',
    );
    expect([ran.code, ran.out.includes("No changes. Your webhooks match the earlier state.")]).toEqual([0, true]);
    expect(live(project)).toEqual(["https://other.example.com all", "https://stays.example.com emailsClicked"]);
  });

  test("without changes, says so, and does not warn", async () => {
    const project = await misled(
      GOOD.replace("emails: [ada@example.com]", "emails: [ada@example.com, bob@example.com]"),
    );
    const ran = await project.run("rollback --to 2 --auto-approve");
    expect([ran.code, ran.out.startsWith("No changes. Your webhooks match the earlier state.\n")]).toEqual([0, true]);
    expect(ran.err).not.toContain("rollback_not_configured");
    expect(ran.sent.every((line) => line.startsWith("GET"))).toBe(true);
  });

  test.each([
    ["limits.delete", `${BAD}limits: { delete: 0 }\n`, "limits.delete"],
    ["the protection of today", BAD.replace("extra: { ", "extra: { protect: true, "), "[protected]"],
    [
      "a failing check of the configuration",
      `${BAD}checks: { never: { condition: '\${length(var.x) > 9}', message: no, severity: error } }\nvariables: { x: { default: y } }\n`,
      "Check never failed",
    ],
    ["a mistake in the configuration", BAD.replace("emailsOpened", "emailsOpend"), "emailsOpend"],
  ])("stops on %s", async (_, text, words) => {
    const project = await misled();
    project.write("outreach.yaml", text);
    const { code, err } = await project.run("rollback --to 2 --auto-approve");
    expect([code, err.includes(words), live(project).length]).toEqual([1, true, 4]);
  });

  test("takes a target and an exclusion", async () => {
    const project = await misled();
    expect((await project.run("rollback --to 2 --target outreach_webhook.crm --auto-approve")).out).toContain(
      "1 to add, 0 to change, 1 to destroy.",
    );
    expect((await project.run("rollback --to 3 --exclude 'outreach_webhook.*' --auto-approve")).out).toContain(
      "Nothing was compared",
    );
  });

  test("a missing value of a secret stops it, as it stops a plan", async () => {
    const project = await misled();
    const { code, err, sent } = await project.run("rollback --to 2 --auto-approve", { CRM: undefined });
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain("[secret_unavailable]");
  });

  test.each([
    ["--to 9 --auto-approve", "The state keeps no serial 9. It keeps 2."],
    ["--to 3 --auto-approve", "Serial 3 is the current state."],
    ["--to 0", "--to does not accept 0."],
    ["--to last", "--to does not accept last."],
    ["--auto-approve", "need --to"],
    ["--out x.plan", "need --to"],
    ["--to 2 --out x.plan --auto-approve", "conflicts with --auto-approve"],
    ["--to 2", "rollback asks for a typed yes"],
    ["--to 2 --json", "rollback asks for a typed yes"],
  ])("%s is refused", async (words, said) => {
    const project = await misled();
    const { code, out, err, sent } = await project.run(`rollback ${words} --lock-timeout 1s`);
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(`${out}${err}`).toContain(said);
  });

  test.each([
    ["no state", "rm", "[state_missing]"],
    ["a state that was written once", "once", "[versions_missing]"],
    ["an unreadable backup", "damaged", "[versions_missing]"],
    ["a backup of another state", "foreign", "[versions_missing]"],
    ["a backup with objects that nobody knows", "strange", "[versions_missing]"],
  ])("with %s, says so", async (_, what, code) => {
    const project = await misled();
    if (what === "rm") for (const file of ["outreach.state.json", "outreach.state.json.backup"]) project.remove(file);
    if (what === "once") project.remove("outreach.state.json.backup");
    if (what === "damaged")
      project.write("outreach.state.json.backup", project.read("outreach.state.json.backup").slice(0, -9));
    if (what === "strange") {
      const { checksum: _, ...document } = JSON.parse(
        project.read("outreach.state.json.backup").replaceAll('"outreach_webhook"', '"outreach_door"'),
      ) as StateDocument & {
        checksum: string;
      };
      project.write("outreach.state.json.backup", Buffer.from(encodeState(document)).toString());
    }
    if (what === "foreign") {
      const other = await openProject();
      other.write("outreach.yaml", "version: 1\nwebhooks: { a: { target_url: 'https://a.example.com' } }\n");
      await other.run("apply --auto-approve");
      project.write("outreach.state.json.backup", other.read("outreach.state.json"));
    }
    for (const words of ["", " --to 2 --auto-approve"]) {
      expect(await project.run(`rollback${words}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(code) as string,
      });
    }
  });

  test("belongs to the service of then", async () => {
    const project = await misled();
    const { code, err, sent } = await project.run("rollback --to 2 --auto-approve", {
      OUTREACH_BASE_URL: "http://127.0.0.1:9/api",
    });
    expect([code, err.includes("[service_changed]"), sent]).toEqual([1, true, []]);
  });
});

describe("rollback of teams", () => {
  const TEAMS = (suffix: string): string => `version: 1
teams:
  emea: { api_key: { env: KEY_EMEA } }
  apac: { api_key: { env: KEY_APAC } }
webhooks:
  crm: { target_url: 'https://crm.example.com/\${team.name}${suffix}' }
`;

  test("goes back for the named team alone, and lists the versions of each", async () => {
    const project = await openProject();
    Object.assign(project.environment, {
      KEY_EMEA: project.sandbox.keys.good,
      KEY_APAC: project.sandbox.keys.otherTeam,
      OUTREACH_API_KEY: undefined,
    });
    for (const suffix of ["", "/wrong"]) {
      project.write("outreach.yaml", TEAMS(suffix));
      expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    }
    const all = await project.run("rollback --to 2 --auto-approve");
    expect([all.code, all.sent, all.err.includes("--team")]).toEqual([1, [], true]);
    const listed = await project.run("rollback");
    expect([listed.code, listed.out.split("SERIAL  WRITTEN").length]).toEqual([0, 3]);
    const ran = await project.run("rollback --team emea --to 2 --auto-approve --json");
    expect([ran.code, ran.out.includes('"team":"emea"')]).toEqual([0, true]);
    expect(live(project)).toEqual(["https://crm.example.com/apac/wrong all", "https://crm.example.com/emea all"]);
  });
});
