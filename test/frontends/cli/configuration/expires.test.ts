import { describe, expect, test } from "vitest";
import { isoTime } from "../../../../src/core/model/iso-time.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const DAY_MS = 86_400_000;

const dayIn = (project: Project, days: number): string =>
  isoTime(project.clock.ofService.now() + days * DAY_MS).slice(0, 10);

function configured(expires: string, more = ""): string {
  return `version: 1
webhooks:
  crm: { target_url: 'https://crm.example.com' }
  event: { target_url: 'https://event.example.com', types: [emailsSent, emailsBounced], expires: ${expires} }
${more}`;
}

describe("expires", () => {
  test("a block counts as not declared once its day in UTC is over, and the plan says why it deletes", async () => {
    const project = await openProject();
    const date = dayIn(project, 10);
    project.write("outreach.yaml", configured(date));
    const early = await project.run("apply --auto-approve");
    expect([early.code, early.err.includes("expires")]).toEqual([0, false]);
    project.clock.pass(4 * DAY_MS);
    const soon = await project.run("plan --detailed-exitcode");
    expect(soon.code).toBe(0);
    expect(soon.err).toContain("Note: A block expires soon [block_expires]\n\n  on outreach.yaml:4:");
    expect(soon.err).toContain(
      `outreach_webhook.event expires on ${date}. The first apply after that destroys what it declares.\n`,
    );
    project.clock.pass(7 * DAY_MS);
    const late = await project.run("plan --out late.plan");
    expect(late.out).toContain("Plan: 0 to add, 0 to change, 2 to destroy.");
    expect(late.err).toContain(
      `outreach_webhook.event expired on ${date}, so it counts as not declared: a plan destroys what is left of it.\n`,
    );
    expect((await project.run("show --format markdown late.plan")).out).toContain(`expired on ${date}`);
    expect((await project.run("show --json late.plan")).out).toContain('"delete"');
    expect(await project.run("apply late.plan")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks().map(({ targetUrl }) => targetUrl)).toEqual(["https://crm.example.com"]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 0,
      err: expect.stringContaining("[block_expired]") as string,
    });
  });

  test("the deletes count for limits.delete", async () => {
    const project = await openProject();
    project.write("outreach.yaml", configured(dayIn(project, 1)));
    await project.run("apply --auto-approve");
    project.clock.pass(3 * DAY_MS);
    project.write("outreach.yaml", configured(dayIn(project, -1), "limits: { delete: 1 }\n"));
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 1,
      err: expect.stringContaining("limits.delete") as string,
    });
    expect(project.sandbox.webhooks()).toHaveLength(3);
  });

  test("a plan that was saved before the date is stale after it, and says that the block has expired", async () => {
    const project = await openProject();
    project.write("outreach.yaml", configured(dayIn(project, 1)));
    await project.run("plan --out saved.plan");
    project.clock.pass(3 * DAY_MS);
    const { code, err, sent } = await project.run("apply saved.plan");
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain("has expired since");
  });

  test("a time with its zone ends at that time", async () => {
    const project = await openProject();
    const at = isoTime(project.clock.ofService.now() + 3_600_000);
    project.write("outreach.yaml", configured(at));
    await project.run("apply --auto-approve");
    project.clock.pass(2 * 3_600_000);
    expect((await project.run("plan")).out).toContain("2 to destroy");
  });

  test.each([
    "2026-02-30",
    "2026-13-01",
    "tomorrow",
    "2026-12-31T18:00:00",
    "31.12.2026",
    "''",
    "2026-06-31T00:00:00Z",
  ])("%s is refused at its place", async (date) => {
    const project = await openProject();
    project.write("outreach.yaml", configured(date));
    const { code, err, sent } = await project.run("plan");
    expect([code, sent]).toEqual([1, []]);
    expect(err).toContain("Error: Invalid date [expires_invalid]\n\n  on outreach.yaml:4:98\n");
  });

  test.each([
    [
      "protect: true",
      `  kept: { target_url: 'https://k.example.com', protect: true, expires: 2099-01-01 }\n`,
      "[expires_protected]",
    ],
    ["an output of it", `outputs: { id: '\${outreach_webhook.event["emailsSent"].id}' }\n`, "[expires_referenced]"],
    [
      "an unsubscription",
      "lead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: [ada@example.com], expires: 2099-01-01 }\n",
      "[expires_irreversible]",
    ],
  ])("is refused with %s", async (_, more, code) => {
    const project = await openProject();
    project.write("outreach.yaml", configured("2099-01-01", more));
    expect(await project.run("plan")).toMatchObject({ code: 1, err: expect.stringContaining(code) as string });
  });

  test("Terraform has none, and convert says so", async () => {
    const project = await openProject();
    project.write("outreach.yaml", configured("2099-01-01"));
    const { out, err } = await project.run("convert --to hcl");
    expect(`${out}${err}`).toContain("Terraform knows no expiry");
  });
});
