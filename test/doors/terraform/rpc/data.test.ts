import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type Json, NO_BYTES, ProviderUnderTest, UNKNOWN, plain, said, sandboxForTest, value, webhook } from "../provider-under-test.ts";

let sandbox: Sandbox;
let provider: ProviderUnderTest;
const extra: ProviderUnderTest[] = [];

beforeAll(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  for (const one of extra.splice(0)) await one.kill();
});
afterAll(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

async function another(options: Partial<Parameters<typeof ProviderUnderTest.start>[0]> = {}): Promise<ProviderUnderTest> {
  const started = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good, folder: provider.folder, ...options });
  extra.push(started);
  return started;
}

describe("data sources", () => {
  it("return what was asked for, whole", async () => {
    const { state, diagnostics } = await provider.rpc.readDataSource({
      typeName: "outreach_campaign",
      config: value({ name: "Q3 launch" }),
      clientCapabilities: undefined,
    });
    expect(diagnostics).toEqual([]);
    expect(plain(state)).toMatchObject({ id: "cam_000001", name: "Q3 launch", labels: ["launch", "emea"], has_error: false });
  });

  it("say what was not found", async () => {
    const { diagnostics } = await provider.rpc.readDataSource({
      typeName: "outreach_campaign",
      config: value({ name: "Q3 lunch" }),
      clientCapabilities: undefined,
    });
    expect(said(diagnostics)).toEqual(["error: No such campaign"]);
    expect(diagnostics[0]?.detail).toMatch(/Did you mean "Q3 launch"/);
  });
});
