import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { ProviderUnderTest, UNKNOWN, said, sandboxForTest } from "../provider-under-test.ts";
import { unsubscription, unsubscriptionCalls } from "./unsubscription-calls.ts";

const CAMPAIGN = "cam_000001";
const DEFAULTS = { on_not_found: "watch", recheck: "24h", reassert: "never" };

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
    expect(done).toMatchObject({
      said: [],
      state: { campaign_id: CAMPAIGN, email, ...DEFAULTS, outcome: "unsubscribed" },
    });
    expect(sandbox.requests().map(({ method }) => method)).toEqual(["GET", "DELETE"]);
    expect(await calls.read(done)).toEqual({ state: done.state, private: done.private, said: [] });
    expect(await calls.plan(done, { campaign_id: CAMPAIGN, email })).toMatchObject({
      planned: done.state,
      replaces: [],
    });
    expect(sent()).toBe(1);
  });

  it("that is declared at two addresses is sent once", async () => {
    const [one, other] = await Promise.all(
      ["ada@example.com", "Ada@example.com"].map((address) =>
        calls.apply(null, { campaign_id: CAMPAIGN, email: address }),
      ),
    );
    expect(other).toMatchObject({
      said: [],
      state: { ...one?.state, email: "Ada@example.com", outcome: "unsubscribed" },
    });
    expect(sent()).toBe(1);
  });

  it("plans what it cannot know as unknown, and nothing else", async () => {
    const { planned } = await calls.plan(null, { campaign_id: CAMPAIGN, email });
    expect(planned).toEqual(
      unsubscription({
        campaign_id: CAMPAIGN,
        email,
        ...DEFAULTS,
        id: UNKNOWN,
        contact_id: UNKNOWN,
        is_paused: UNKNOWN,
        outcome: UNKNOWN,
      }),
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
    const changed = await calls.apply(done, { campaign_id: CAMPAIGN, email, on_not_found: "error" });
    expect(changed).toMatchObject({ said: [], state: { ...done.state, on_not_found: "error" } });
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

  it("is recorded without a warning, and kept until its time has passed", async () => {
    const done = await calls.apply(null, lacking);
    expect(done).toMatchObject({ said: [], state: { id: null, outcome: "not_found" } });
    expect(await calls.plan(done, lacking)).toMatchObject({ planned: done.state, replaces: [] });
    expect((await calls.destroy(done)).said).toEqual([]);
    expect(sent()).toBe(1);
  });

  it("is looked for again by an update in place once recheck has passed", async () => {
    const watched = { ...lacking, recheck: "0s" };
    const done = await calls.apply(null, watched);
    const { planned, replaces } = await calls.plan(done, watched);
    expect([planned?.["outcome"], planned?.["id"], planned?.["email"], replaces]).toEqual([
      UNKNOWN,
      UNKNOWN,
      lacking.email,
      [],
    ]);
    const again = await calls.apply(done, watched);
    expect(again).toMatchObject({ said: [], state: { ...watched, id: null, outcome: "not_found" } });
    expect(sent()).toBe(2);
    sandbox.add("leads", { campaignId: CAMPAIGN, email: lacking.email });
    const found = await calls.apply(again, watched);
    expect(found).toMatchObject({
      said: [],
      state: { ...watched, outcome: "unsubscribed", id: expect.stringMatching(/^lea_/) as string },
    });
    expect(await calls.plan(found, watched)).toMatchObject({ planned: found.state, replaces: [] });
    expect(sent()).toBe(3);
  });

  it("is not looked for again by the time of its first request, but by that of the last", async () => {
    const watched = { ...lacking, recheck: "1h" };
    const done = await calls.apply(null, watched);
    expect(await calls.plan(done, watched)).toMatchObject({ planned: done.state });
    const later = { ...done, private: privateAt(done.private, -3_600_001) };
    expect((await calls.plan(later, watched)).planned?.["outcome"]).toBe(UNKNOWN);
    const again = await calls.apply(later, watched);
    expect(await calls.plan(again, watched)).toMatchObject({ planned: again.state });
  });

  it("at two addresses is sent once where the first one has found it", async () => {
    const watched = { ...lacking, recheck: "0s" };
    const [one, other] = [await calls.apply(null, watched), await calls.apply(null, watched)];
    sandbox.add("leads", { campaignId: CAMPAIGN, email: lacking.email });
    const before = sent();
    expect((await calls.apply(one, watched)).state).toMatchObject({ outcome: "unsubscribed" });
    expect((await calls.apply(other, watched)).state).toMatchObject({ outcome: "unsubscribed" });
    expect(sent() - before).toBe(1);
  });

  it("whose recheck is refused keeps what is known, and rests", async () => {
    const watched = { ...lacking, recheck: "1h" };
    const done = await calls.apply(null, watched);
    sandbox.addFault({
      action: { kind: "answer", status: 422, body: "No such thing" },
      operation: "unsubscribeLead",
      times: null,
    });
    const refused = await calls.apply({ ...done, private: privateAt(done.private, -3_600_001) }, watched);
    expect(refused.state).toEqual(done.state);
    expect(refused.said).toEqual([expect.stringMatching(/^warning: /)]);
    expect(await calls.plan(refused, watched)).toMatchObject({ planned: done.state });
  });

  it("is sent again by the next run when its answer was lost, and rests after that", async () => {
    sandbox.addFault({ action: { kind: "drop" }, when: "before", operation: "unsubscribeLead", times: null });
    const lost = await calls.apply(null, lacking);
    expect(lost.state).toMatchObject({ outcome: "unconfirmed" });
    sandbox.clearFaults();
    const again = await calls.apply(lost, lacking);
    // The lost request may have been carried out.
    expect(again.state).toMatchObject({ outcome: "unconfirmed" });
    expect(await calls.plan(again, lacking)).toMatchObject({ planned: again.state });
  });

  it("with on_not_found accept is recorded as done, and never looked for again", async () => {
    const accepted = { ...lacking, on_not_found: "accept", recheck: "0s" };
    const done = await calls.apply(null, accepted);
    expect(done).toMatchObject({ said: [], state: { id: null, outcome: "not_found" } });
    expect(await calls.plan(done, accepted)).toMatchObject({ planned: done.state });
  });

  it("with on_not_found error is an error, and nothing is recorded", async () => {
    const failed = await calls.apply(null, { ...lacking, on_not_found: "error" });
    expect(failed).toMatchObject({ said: ["error at email: No such lead in the campaign"], state: null });
    expect(failed.diagnostics[0]?.detail).toContain("Check the address and the campaign");
    expect(JSON.stringify(failed.diagnostics)).not.toContain("nobody");
  });

  it("is sent at each address, as on_not_found may differ", async () => {
    await calls.apply(null, lacking);
    expect((await calls.apply(null, { ...lacking, on_not_found: "error" })).said).toEqual([
      "error at email: No such lead in the campaign",
    ]);
    expect(sent()).toBe(2);
  });
});

describe("a done unsubscription", () => {
  it("is sent again once reassert has passed, as an update in place", async () => {
    const config = { campaign_id: CAMPAIGN, email, reassert: "1h" };
    const done = await calls.apply(null, config);
    expect(await calls.plan(done, config)).toMatchObject({ planned: done.state });
    const later = { ...done, private: privateAt(done.private, -3_600_001) };
    expect((await calls.plan(later, config)).planned?.["outcome"]).toBe(UNKNOWN);
    expect(await calls.apply(later, config)).toMatchObject({ said: [], state: done.state });
    expect(sent()).toBe(2);
  });
});

/** Private bytes whose last request was sent at another time. */
function privateAt(bytes: Uint8Array, byMs: number): Uint8Array {
  const stored = JSON.parse(new TextDecoder().decode(bytes)) as { readonly sentAtMs: number };
  return new TextEncoder().encode(JSON.stringify({ ...stored, sentAtMs: stored.sentAtMs + byMs }));
}

describe("an imported unsubscription", () => {
  it("is as if it had been sent, and sends nothing", async () => {
    const imported = await calls.import(`${CAMPAIGN}/Ada+x/y@example.com`);
    expect(imported).toMatchObject({
      said: [],
      state: unsubscription({
        campaign_id: CAMPAIGN,
        email: "Ada+x/y@example.com",
        ...DEFAULTS,
        outcome: "unsubscribed",
      }),
    });
    const read = await calls.read(imported);
    expect(await calls.plan(read, { campaign_id: CAMPAIGN, email: "Ada+x/y@example.com" })).toMatchObject({
      planned: imported.state,
      replaces: [],
    });
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
    [
      "a mistake next to an unknown value",
      { campaign_id: UNKNOWN, email: "a b@c" },
      ["error at email: Invalid email address"],
    ],
    ["what is not known", { campaign_id: UNKNOWN, email: UNKNOWN, on_not_found: UNKNOWN }, []],
  ])("of %s", async (_what, attributes, expected) => {
    expect(said(await calls.validate({ campaign_id: CAMPAIGN, email: "ada@example.com", ...attributes }))).toEqual(
      expected,
    );
  });

  it("never prints an address, wherever it was put", async () => {
    const diagnostics = await calls.validate({
      campaign_id: "ada@example.com",
      email: "ada@ex@ample",
      on_not_found: "ada@example.com",
    });
    expect(diagnostics).toHaveLength(3);
    expect(JSON.stringify(diagnostics)).not.toMatch(/ada/);
  });
});
