import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Options, type Sandbox, apply, plan, startSandbox } from "outreach-as-code";
import { afterEach, beforeEach, expect, test } from "vitest";

let sandbox: Sandbox;
let folder: string;
beforeEach(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(path.join(tmpdir(), "outreach-test-"));
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

function options(): Options {
  const environment = { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.apiKey };
  return { environment, state: path.join(folder, "state.json") };
}

test("each event has a webhook of its own", async () => {
  expect(await apply("outreach.yaml", options())).toMatchObject({ status: "complete", counts: { add: 3 } });
  const types = sandbox.webhooks().map(({ type }) => type);
  expect(types.toSorted()).toEqual(["emailsReplied", "interested", "warmed"]);
});

test("a second apply changes nothing", async () => {
  await apply("outreach.yaml", options());
  expect(await plan("outreach.yaml", options())).toMatchObject({ status: "unchanged" });
});

test("no webhook goes to a receiver without https", async () => {
  const { status, diagnostics } = await plan("outreach.yaml", {
    ...options(),
    variables: { receiver: "http://crm.example.com" },
  });
  expect(status).toBe("failed");
  expect(diagnostics[0]?.detail).toContain("uses http:");
});
