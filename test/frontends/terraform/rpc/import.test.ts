import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { ProviderUnderTest, sandboxForTest, webhook } from "../provider-under-test.ts";

const URL_A = "https://a.example.com/hook";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
let id: string;

beforeEach(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
  id = sandbox.add("webhooks", {
    targetUrl: URL_A,
    type: "emailsSent",
    campaignId: "cam_000001",
    isFirst: true,
    automationId: "au-1",
  })._id;
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

/** What is said, with the details. */
async function refused(text: string): Promise<string> {
  const { importedResources, diagnostics } = await provider.rpc.importResourceState({
    typeName: "outreach_webhook",
    id: text,
    clientCapabilities: undefined,
  });
  expect(importedResources).toEqual([]);
  return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
}

describe("import", () => {
  it("takes values that the list does not show, which then count", async () => {
    sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const imported = await provider.import(`${id},campaign_id=cam_000001,is_first=true, automation_id=au-1`);
    expect(imported.said).toEqual([]);
    const known = {
      target_url: URL_A,
      type: "emailsSent",
      campaign_id: "cam_000001",
      is_first: true,
      automation_id: "au-1",
    };
    expect(imported.state).toEqual(webhook({ ...known, id, created_at: imported.state?.["created_at"] }));
    expect(await provider.plan(imported, known)).toMatchObject({ replaces: [], planned: imported.state });
    expect((await provider.plan(imported, { ...known, is_first: false })).replaces).toEqual(["is_first"]);
    expect((await provider.plan(imported, { ...known, campaign_id: null })).replaces).toEqual(["campaign_id"]);
    expect((await provider.plan(imported, { ...known, secret: "s" })).replaces).toEqual([]);
  });

  it("believes the list before what was given", async () => {
    const imported = await provider.import(`${id},type=emailsReplied,campaign_id=cam_000002`);
    expect(imported.state).toMatchObject({ type: "emailsSent", campaign_id: "cam_000001" });
  });

  it("records what is configured of what was not seen, once, without a request", async () => {
    const imported = await provider.import(id);
    const configured = {
      target_url: URL_A,
      type: "emailsSent",
      campaign_id: "cam_000001",
      is_first: true,
      secret: "s3cret",
      allow_duplicate: true,
    };
    const { planned, replaces, private: bytes } = await provider.plan(imported, configured);
    expect([replaces, planned]).toEqual([
      [],
      webhook({ ...configured, id, created_at: imported.state?.["created_at"] }),
    ]);
    const applied = await provider.apply(imported, planned, { config: configured, private: bytes });
    expect((await provider.plan(applied, configured)).planned).toEqual(applied.state);
    expect((await provider.plan(applied, { ...configured, secret: "another" })).replaces).toEqual(["secret"]);
    expect(sandbox.requests().every(({ method }) => method === "GET")).toBe(true);
  });

  // A process reads before it plans; the one that applies the plan only plans again. Each process begins with what the reads before it stored.
  it.each([
    ["an import block", false, ["recorded", "replaced"]],
    ["terraform import", true, ["recorded", "recorded", "replaced"]],
  ])("records what is configured in the runs that belong to it: %s", async (_, onlyReads, runs) => {
    const configured = { target_url: URL_A, type: "emailsSent", campaign_id: "cam_000001", secret: "s3cret" };
    const of = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good };
    const outcome = ({ replaces, said }: Awaited<ReturnType<ProviderUnderTest["plan"]>>) =>
      replaces.includes("secret") &&
      said.join() === "warning at secret: A value was not declared when the webhook was imported"
        ? "replaced"
        : replaces.length === 0 && said.join() === "warning at secret: Imported values assumed, not verified"
          ? "recorded"
          : said.join() === "error at secret: An imported value needs a read"
            ? "refused"
            : said.join();
    const importing = await ProviderUnderTest.start({ ...of, command: { onlyReads } });
    let stored = await importing.import(id);
    const seen = [outcome(await importing.plan(stored, configured))];
    await importing.kill();
    importing.removeFolder();
    while (seen.length < runs.length) {
      const refreshing = await ProviderUnderTest.start({ ...of, command: { onlyReads: true } });
      stored = await refreshing.read(stored);
      await refreshing.kill();
      refreshing.removeFolder();
      const blind = await ProviderUnderTest.start({ ...of, command: { skipsReads: true } });
      expect(outcome(await blind.plan(stored, configured))).toBe("refused");
      await blind.kill();
      blind.removeFolder();
      const next = await ProviderUnderTest.start(of);
      // As the process that applies the plan does.
      expect(outcome(await next.plan(stored, configured))).toBe(seen.at(-1));
      stored = await next.read(stored);
      seen.push(outcome(await next.plan(stored, configured)));
      await next.kill();
      next.removeFolder();
    }
    expect(seen).toEqual(runs);
  });

  it.each([
    ["hoo_1,isfirst=true", /has no "isfirst".*Did you mean is_first\?/s],
    ["hoo_1,colour=red", /has no "colour".*campaign_id, is_first, automation_id/s],
    ["hoo_1,is_first", /"is_first", but it must be name=value/],
    ["hoo_1,", /"", but it must be name=value/],
    ["hoo_1,is_first=yes", /is_first is "yes", but must be true or false/],
    ["hoo_1,is_first=", /is_first is empty, but must be true or false/],
    ["hoo_1,secret_wo_version=1.5", /"1.5", but must be a whole number/],
    ["hoo_1,campaign_id=", /campaign_id is empty/],
    ["hoo_1,campaign_id=hoo_1", /Invalid campaign id/],
    ["hoo_1,type=emailSent", /Unknown event type.*Did you mean emailsSent/s],
    ["hoo_1,is_first=true,is_first=true", /is_first is given twice/],
    ["hoo_1,is_first=1,type=x", /true or false.*\n.*Unknown event type/s],
    ["hoo_1,target_url=https://a.example.com", /target_url comes from the service/],
    ["hoo_1,id=hoo_2", /id comes from the service/],
    ["hoo_1,secret=hunter22", /secret cannot be part of the id/],
    ["hoo_1,secret_wo=hunter22", /secret_wo cannot be part of the id/],
    ["hoo_1,rotation=create_first", /has no "rotation"/],
    ["hoo_1,constructor=1", /has no "constructor"/],
    ["cam_1,is_first=true", /Invalid webhook id/],
    ["", /Invalid webhook id/],
  ])("refuses %j", async (text, said) => {
    const details = await refused(text);
    expect(details).toMatch(said);
    expect(details).not.toContain("hunter22");
  });

  it("of what is not there, or belongs to another team, leaves it to Terraform to say so", async () => {
    const foreign = sandbox.add("webhooks", { targetUrl: URL_A, teamId: "tea_000002" })._id;
    expect(await provider.import("hoo_nothere")).toMatchObject({ state: null, said: [] });
    expect(await provider.import(foreign)).toMatchObject({ state: null, said: [] });
  });

  it("does not guess where the list may be cut off", async () => {
    for (let index = 0; index < 9; index++)
      sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` });
    sandbox.configure({ profile: { offset: false } });
    expect(await refused("hoo_nothere")).toContain("The webhook is not in a list that may be truncated");
    expect((await provider.import(id)).state).toMatchObject({ id });
  });

  it("of many at a time costs one list", async () => {
    const ids = Array.from(
      { length: 30 },
      (_, index) => sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` })._id,
    );
    sandbox.clearRequests();
    const imported = await Promise.all(ids.map((one) => provider.import(one)));
    expect(imported.map(({ state }) => state?.["id"])).toEqual(ids);
    expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /hooks"]);
  });
});
