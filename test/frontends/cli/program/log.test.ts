import { expect, test } from "vitest";
import { oneWebhook, useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();
const BODY = "target_url: https://crm.example.com/hooks\nsecret: { env: S }";
const LEAD = "lead_unsubscriptions:\n  gone:\n    campaign_id: cam_000001\n    emails: [Ada@example.com]\n";

test("OUTREACH_LOG=debug tells of every request, and of no secret, key or lead", async () => {
  const project = await openProject();
  project.write("outreach.yaml", `${oneWebhook(BODY)}${LEAD}`);
  const { code, err } = await project.run("apply --auto-approve --allow-local-state --show-emails", {
    OUTREACH_LOG: "debug",
    S: "a-long-secret-value",
  });
  expect(code).toBe(0);
  const lines = err.split("\n").filter((line) => line.includes("[DEBUG]"));
  expect(lines.map((line) => line.replace(/^\S+Z /, "").replace(/\d+ ms$/, "N ms"))).toEqual([
    "[DEBUG] GET /api/hooks: 200, N ms",
    "[DEBUG] GET /api/campaigns/cam_000001/schedules/: 200, N ms",
    "[DEBUG] POST /api/hooks: 200, N ms",
    expect.stringMatching(
      /^\[DEBUG\] DELETE \/api\/campaigns\/cam_000001\/leads\/a\*\*\*@example\.com#[0-9a-f]{8}: 200, N ms$/,
    ),
    "[DEBUG] GET /api/hooks: 200, N ms",
  ]);
  expect(lines.join("\n")).not.toMatch(/a-long-secret-value|sandbox-key|ada@/i);
});

test("without it only messages are printed; a level that does not exist is an error", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
  expect(await project.run("plan")).toMatchObject({ code: 0, err: NO_STATE_YET });
  const { code, err, sent } = await project.run("plan", { OUTREACH_LOG: "loud" });
  expect([code, sent]).toEqual([1, []]);
  expect(err).toContain('OUTREACH_LOG is "loud", which is not a log level.\nUse one of error, warn, info, debug.');
});

test("what is refused by the rate limit is a warning", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
  project.sandbox.addFault({
    action: { kind: "answer", status: 429, headers: { "retry-after": "0" }, body: "Too many requests" },
    method: "POST",
  });
  const { err } = await project.run("apply --auto-approve", { OUTREACH_LOG: "warn" });
  expect(err).toMatch(/\[WARN\] (GET|POST) \/api\/hooks: 429, \d+ ms/);
});
