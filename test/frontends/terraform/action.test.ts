import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { eventsOf } from "./protocol-client.ts";
import { type Json, ProviderUnderTest, UNKNOWN, said, sandboxForTest, value } from "./provider-under-test.ts";

const EXPORT = "outreach_campaign_export";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
beforeEach(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

/** The progress messages, and exactly one end. */
async function invoke(campaignId: unknown, { of = provider, actionType = EXPORT } = {}) {
  const events = await eventsOf(of.rpc.invokeAction({ actionType, config: value({ campaign_id: campaignId }) }));
  const progress = events.flatMap(({ type }) => (type?.$case === "progress" ? [type.progress.message] : []));
  const completed = events.flatMap(({ type }) => (type?.$case === "completed" ? [type.completed.diagnostics] : []));
  expect([completed.length, events.at(-1)?.type?.$case]).toEqual([1, "completed"]);
  return { progress, diagnostics: completed.flat(), said: said(completed.flat()) };
}

const starts = (): readonly string[] => sandbox.requests().map(({ method, path }) => `${method} ${path}`);

describe("an export of a campaign", () => {
  it("is started once, and named", async () => {
    const done = await invoke("cam_000001");
    expect(done.said).toEqual([]);
    expect(done.progress).toEqual([
      "Starting an export of cam_000001.",
      expect.stringMatching(/^Export axp_\w+ of "Q3 launch" is started \(pending\)\.$/),
    ]);
    expect(starts()).toEqual(["GET /campaigns/cam_000001/export/start"]);
  });

  it("is another one each time", async () => {
    const both = [await invoke("cam_000001"), await invoke("cam_000001")];
    expect(new Set(both.map(({ progress }) => progress.at(-1))).size).toBe(2);
  });

  const unsure: readonly [string, Parameters<Sandbox["addFault"]>[0]][] = [
    ["the answer is lost", { action: { kind: "drop" }, when: "after" }],
    ["the connection ends", { action: { kind: "drop" } }],
    ["a proxy answers", { action: { kind: "html" } }],
    ["the answer is no export", { action: { kind: "answer", status: 200, body: "{}" } }],
    ["no answer comes in time", { action: { kind: "late", delayMs: 10_000 } }],
  ];
  it.each(unsure)("is not asked for again when %s: whether it was started is not known", async (_what, fault) => {
    sandbox.addFault(fault);
    const { said: lines, progress, diagnostics } = await invoke("cam_000001");
    expect([lines, progress]).toEqual([
      ["error: It is not known whether an export was started"],
      ["Starting an export of cam_000001."],
    ]);
    expect(diagnostics[0]?.detail).toMatch(
      /It was not asked for again\.\n\nLook in the application\. Invoking the action again starts another one\.$/,
    );
    expect(starts()).toHaveLength(1);
  });

  const refused: readonly [string, string, string][] = [
    ["of a campaign that does not exist", "cam_999999", "error at campaign_id: The service refused the request"],
    ["of another team's campaign", "cam_000101", "error at campaign_id: The service refused the request"],
  ];
  it.each(refused)("%s is refused at the campaign", async (_what, campaignId, expected) => {
    expect((await invoke(campaignId)).said).toEqual([expected]);
  });

  it("with a wrong key is refused as a whole", async () => {
    const stranger = await ProviderUnderTest.start({
      baseUrl: sandbox.baseUrl,
      apiKey: "wrong",
      folder: provider.folder,
    });
    expect((await invoke("cam_000001", { of: stranger })).said).toEqual(["error: The service refused the request"]);
    await stranger.kill();
  });

  it("that the rate limit refuses was not started, and is asked for when there is room", async () => {
    sandbox.addFault({ action: { kind: "answer", status: 429, headers: { "retry-after": "1" }, body: "" } });
    expect((await invoke("cam_000001")).said).toEqual([]);
    expect(starts()).toHaveLength(2);
  });

  it("is not begun after the user has asked to stop", async () => {
    await provider.rpc.stopProvider({});
    expect((await invoke("cam_000001")).said).toEqual([expect.stringMatching(/^error: /)]);
    expect(starts()).toEqual([]);
  });

  it("that is under way when the user asks to stop is waited for", async () => {
    sandbox.addFault({ action: { kind: "late", delayMs: 500 } });
    const invoked = invoke("cam_000001");
    while (starts().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await provider.rpc.stopProvider({});
    const { progress, said: lines } = await invoked;
    expect([lines, progress.at(-1)]).toEqual([[], expect.stringContaining("is started")]);
  });

  it("needs a provider that is configured, and an action that there is", async () => {
    const later = await ProviderUnderTest.start({ baseUrl: UNKNOWN, apiKey: "key", folder: provider.folder });
    expect((await invoke("cam_000001", { of: later })).said).toEqual(["error: The provider is not configured yet"]);
    await later.kill();
    expect((await invoke("cam_000001", { actionType: "outreach_other" })).said).toEqual(["error: The provider failed"]);
  });
});

describe("its configuration", () => {
  const cases: readonly [string, Json, readonly string[]][] = [
    ["a campaign", { campaign_id: "cam_000001" }, []],
    ["a campaign that is not known yet", { campaign_id: UNKNOWN }, []],
    ["none", { campaign_id: null }, ["error at campaign_id: Missing required argument"]],
    ["another kind of id", { campaign_id: "lea_1" }, ["error at campaign_id: Invalid campaign id"]],
  ];
  it.each(cases)("is checked when it is validated and when it is planned: %s", async (_what, attributes, expected) => {
    const config = value(attributes);
    const validated = await provider.rpc.validateActionConfig({ typeName: EXPORT, config });
    const planned = await provider.rpc.planAction({ actionType: EXPORT, config });
    expect([said(validated.diagnostics), said(planned.diagnostics), starts()]).toEqual([expected, expected, []]);
  });

  it("has a schema, and the action is named", async () => {
    const { actionSchemas } = await provider.rpc.getProviderSchema({});
    expect((await provider.rpc.getMetadata({})).actions).toEqual([{ typeName: EXPORT }]);
    expect(actionSchemas[EXPORT]?.schema?.block?.attributes.map(({ name, required }) => [name, required])).toEqual([
      ["campaign_id", true],
    ]);
  });
});
