import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { ProviderUnderTest, UNKNOWN, said, sandboxForTest } from "../provider-under-test.ts";
import { unsubscription, unsubscriptionCalls } from "./unsubscription-calls.ts";

const CAMPAIGN = "cam_000001";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
let calls: ReturnType<typeof unsubscriptionCalls>;
/** The address of a lead of the campaign. */
let email: string;

beforeEach(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
  calls = unsubscriptionCalls(provider);
  email = String(sandbox.records("leads").find(({ campaignId }) => campaignId === CAMPAIGN)?.email);
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

function sent(): number {
  return sandbox.requests().filter(({ method }) => method === "DELETE").length;
}

describe("an unsubscription", () => {
  it("is sent once, and kept without a read", async () => {
    const done = await calls.apply(null, { campaign_id: CAMPAIGN, email });
    expect(done).toMatchObject({ said: [], state: { campaign_id: CAMPAIGN, email, on_not_found: "warn", outcome: "unsubscribed" } });
    expect(sandbox.requests().map(({ method }) => method)).toEqual(["GET", "DELETE"]);
    expect(await calls.read(done)).toEqual({ state: done.state, private: done.private, said: [] });
    expect(await calls.plan(done, { campaign_id: CAMPAIGN, email })).toMatchObject({ planned: done.state, replaces: [] });
    expect(sent()).toBe(1);
  });

  it("that is declared at two addresses is sent once", async () => {
    const [one, other] = await Promise.all(
      ["ada@example.com", "Ada@example.com"].map((address) => calls.apply(null, { campaign_id: CAMPAIGN, email: address })),
    );
    expect(other).toMatchObject({ said: [], state: { ...one?.state, email: "Ada@example.com", outcome: "unsubscribed" } });
    expect(sent()).toBe(1);
  });

  it("plans what it cannot know as unknown, and nothing else", async () => {
    const { planned } = await calls.plan(null, { campaign_id: CAMPAIGN, email });
    expect(planned).toEqual(
      unsubscription({ campaign_id: CAMPAIGN, email, on_not_found: "warn", id: UNKNOWN, contact_id: UNKNOWN, is_paused: UNKNOWN, outcome: UNKNOWN }),
    );
  });

  it("is another one for another lead or campaign, and the same for an address in other letters", async () => {
    const done = await calls.apply(null, { campaign_id: CAMPAIGN, email });
    expect((await calls.plan(done, { campaign_id: CAMPAIGN, email: "other@example.com" })).replaces).toEqual(["email"]);
    expect((await calls.plan(done, { campaign_id: "cam_000002", email })).replaces).toEqual(["campaign_id"]);
    const rewritten = await calls.plan(done, { campaign_id: CAMPAIGN, email: email.toUpperCase() });
    expect(rewritten).toMatchObject({ replaces: [], planned: done.state });
    const applied = await calls.apply(done, { campaign_id: CAMPAIGN, email: email.toUpperCase() });
    expect([applied.state?.["email"], sent()]).toEqual([email, 1]);
  });

  it("is only forgotten, which a warning of the plan says without the address", async () => {
    const done = await calls.apply(null, { campaign_id: CAMPAIGN, email });
    const gone = await calls.destroy(done);
    expect(gone).toMatchObject({ state: null, said: [] });
    expect(said(gone.planned)).toEqual(["warning: The lead unsubscription is only forgotten"]);
    expect(gone.planned[0]?.detail).toMatch(/ cam_000001\/.\*\*\*@.* documents no request that undoes it/);
    expect(gone.planned[0]?.detail).not.toContain(email);
    expect(sent()).toBe(1);
  });

  it("records a change of on_not_found without a request", async () => {
    const done = await calls.apply(null, { campaign_id: CAMPAIGN, email });
    const changed = await calls.apply(done, { campaign_id: CAMPAIGN, email, on_not_found: "retry" });
    expect(changed).toMatchObject({ said: [], state: { ...done.state, on_not_found: "retry" } });
    expect(sent()).toBe(1);
  });
});

describe("the campaign of an unsubscription", () => {
  const unknown = { campaign_id: "cam_999999", email: "ada@example.com" };
  const refusal = ["error at campaign_id: No such campaign"];

  it("that the service does not know is an error of the plan", async () => {
    const { said: errors } = await calls.plan(null, unknown);
    expect([errors, sent()]).toEqual([refusal, 0]);
  });

  it("is not looked up while it is unknown", async () => {
    const { said: errors } = await calls.plan(null, { ...unknown, campaign_id: UNKNOWN });
    expect([errors, sandbox.requests()]).toEqual([[], []]);
  });

  it("is looked up once for any number of leads", async () => {
    const emails = ["ada@example.com", "bob@example.com", "eve@example.com"];
    await Promise.all(emails.map((one) => calls.apply(null, { campaign_id: CAMPAIGN, email: one })));
    expect(sandbox.requests().map(({ method }) => method)).toEqual(["GET", "DELETE", "DELETE", "DELETE"]);
  });
});

describe("a lead that the campaign does not have", () => {
  const lacking = { campaign_id: CAMPAIGN, email: "nobody@example.com" };

  it("is recorded with a warning, which does not tell the address", async () => {
    const done = await calls.apply(null, lacking);
    expect(done).toMatchObject({ said: ["warning at email: No such lead in the campaign"], state: { id: null, outcome: "not_found" } });
    expect(JSON.stringify(done.diagnostics)).not.toContain("nobody");
    expect(await calls.plan(done, lacking)).toMatchObject({ planned: done.state, replaces: [] });
    expect((await calls.destroy(done)).said).toEqual([]);
  });

  it("with on_not_found ignore is recorded without a warning", async () => {
    const done = await calls.apply(null, { ...lacking, on_not_found: "ignore" });
    expect(done).toMatchObject({ said: [], state: { id: null, outcome: "not_found" } });
  });

  it.each(["error", "retry"])("with on_not_found %s is an error, and nothing is recorded", async (setting) => {
    const failed = await calls.apply(null, { ...lacking, on_not_found: setting });
    expect(failed).toMatchObject({ said: ["error at email: No such lead in the campaign"], state: null });
    expect(failed.diagnostics[0]?.detail).toContain(setting === "retry" ? "The next apply tries again." : "Check the address and the campaign");
  });

  it("is sent at each address, as on_not_found may differ", async () => {
    await calls.apply(null, lacking);
    expect((await calls.apply(null, { ...lacking, on_not_found: "error" })).said).toEqual(["error at email: No such lead in the campaign"]);
    expect(sent()).toBe(2);
  });

  it("is tried again once on_not_found says retry", async () => {
    const done = await calls.apply(null, lacking);
    expect((await calls.plan(done, { ...lacking, on_not_found: "error" })).replaces).toEqual([]);
    expect((await calls.plan(done, { ...lacking, on_not_found: "retry" })).replaces).toEqual(["on_not_found"]);
    sandbox.add("leads", { campaignId: CAMPAIGN, email: lacking.email });
    expect((await calls.apply(null, { ...lacking, on_not_found: "retry" })).state).toMatchObject({ outcome: "unsubscribed" });
  });
});

describe("an imported unsubscription", () => {
  it("is as if it had been sent, and sends nothing", async () => {
    const imported = await calls.import(`${CAMPAIGN}/Ada+x/y@example.com`);
    expect(imported).toMatchObject({
      said: [],
      state: unsubscription({ campaign_id: CAMPAIGN, email: "Ada+x/y@example.com", on_not_found: "warn", outcome: "unsubscribed" }),
    });
    const read = await calls.read(imported);
    expect(await calls.plan(read, { campaign_id: CAMPAIGN, email: "Ada+x/y@example.com" })).toMatchObject({ planned: imported.state, replaces: [] });
    expect((await calls.plan(read, { campaign_id: CAMPAIGN, email: "ada+x/y@example.com" })).replaces).toEqual([]);
    expect(sent()).toBe(0);
  });

  it.each([
    ["", /is CAMPAIGN_ID\/EMAIL\..*cam_000001\/ada@example\.com/s],
    ["cam_000001", /is CAMPAIGN_ID\/EMAIL\./],
    ["hoo_1/ada@example.com", /is not the id of a campaign/],
    ["ada@example.com/cam_000001", /"a\*\*\*@example\.com" is not the id of a campaign/],
    ["cam_000001/ada", /not of the form name@host/],
    ["cam_000001/", /not of the form name@host/],
    ["cam_000001/a***@example.com#1f3a9c02", /email is masked, as output shows it\.\n\nWrite the value itself/],
  ])("needs both parts: %j", async (id, detail) => {
    const { state, diagnostics } = await calls.import(id);
    expect(state).toBeNull();
    expect(diagnostics.map((one) => one.detail).join("\n")).toMatch(detail);
  });
});

describe("validation", () => {
  it.each([
    ["an id that is none", { campaign_id: "lea_1" }, ["error at campaign_id: Invalid campaign id"]],
    ["an address that is none", { email: "ada" }, ["error at email: Invalid email address"]],
    ["an unknown setting", { on_not_found: "retries" }, ["error at on_not_found: Value not allowed"]],
    ["a mistake next to an unknown value", { campaign_id: UNKNOWN, email: "a b@c" }, ["error at email: Invalid email address"]],
    ["what is not known", { campaign_id: UNKNOWN, email: UNKNOWN, on_not_found: UNKNOWN }, []],
  ])("of %s", async (_what, attributes, expected) => {
    expect(said(await calls.validate({ campaign_id: CAMPAIGN, email: "ada@example.com", ...attributes }))).toEqual(expected);
  });

  it("never prints an address, wherever it was put", async () => {
    const diagnostics = await calls.validate({ campaign_id: "ada@example.com", email: "ada@ex@ample", on_not_found: "ada@example.com" });
    expect(diagnostics).toHaveLength(3);
    expect(JSON.stringify(diagnostics)).not.toMatch(/ada/);
  });
});
