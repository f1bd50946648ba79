import { afterEach, describe, expect, it } from "vitest";
import type { Services } from "../../../../src/frontends/terraform/services.ts";
import {
  type Json,
  NO_BYTES,
  ProviderUnderTest,
  UNKNOWN,
  said,
  value,
  webhook,
  useProvider,
} from "../provider-under-test.ts";

const { sandbox, provider } = await useProvider();
const extra: ProviderUnderTest[] = [];
afterEach(async () => {
  for (const one of extra.splice(0)) await one.kill();
});

async function another(
  options: Partial<Parameters<typeof ProviderUnderTest.start>[0]> = {},
): Promise<ProviderUnderTest> {
  const started = await ProviderUnderTest.start({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    folder: provider.folder,
    ...options,
  });
  extra.push(started);
  return started;
}

describe("the provider block", () => {
  const environment = { baseUrl: "https://environment.example.com/api", apiKey: "from-environment" };
  const none = { baseUrl: undefined, apiKey: "" };
  const url = "https://api.example.com/api";
  const wrongUrl = "error at base_url: Invalid address of the service";
  const wrongKey = "error at api_key: Invalid API key";
  const blocks: readonly [string, Json, Services["environment"], readonly string[]][] = [
    ["takes its attributes", { base_url: "https://api.example.com/api", api_key: "key" }, none, []],
    ["takes the environment for what is absent", { base_url: null, api_key: null }, environment, []],
    [
      "tells what is missing, on the attribute",
      { base_url: null, api_key: null },
      none,
      ["error at base_url: No address of the service", "error at api_key: No API key"],
    ],
    ["takes the environment for what is empty", { base_url: "", api_key: "" }, environment, []],
    ["reports a mistake next to an unknown value", { base_url: "ftp://x", api_key: UNKNOWN }, none, [wrongUrl]],
    [
      "reports a missing key next to an unknown address",
      { base_url: UNKNOWN, api_key: null },
      none,
      ["error at api_key: No API key"],
    ],
    ["takes no user info", { base_url: "https://ada:pw@api.example.com", api_key: "key" }, none, [wrongUrl]],
    ["takes no query", { base_url: `${url}?a=b`, api_key: "key" }, none, [wrongUrl]],
    ["takes http on this machine", { base_url: "http://127.0.0.1:4010/api", api_key: "key" }, none, []],
    ["takes no line end behind the address", { base_url: `${url}\n`, api_key: "key" }, none, [wrongUrl]],
    ["takes no line end behind the key", { base_url: url, api_key: "key\n" }, none, [wrongKey]],
    [
      "takes no line end behind the key from the environment",
      { base_url: url, api_key: null },
      { ...environment, apiKey: "key\r\n" },
      [wrongKey],
    ],
    ["takes no control character in the key", { base_url: url, api_key: "k\u0000ey" }, none, [wrongKey]],
    ["takes a key in any script", { base_url: url, api_key: "schlüssel-鍵:1" }, none, []],
    [
      "sends nothing where certificates are not verified",
      { base_url: url, api_key: "key" },
      { ...none, certificatesUnverified: true },
      ["error at base_url: Certificates would not be verified"],
    ],
    ["waits for what is unknown", { base_url: UNKNOWN, api_key: UNKNOWN }, none, []],
    [
      "sends no key in the clear",
      { base_url: "http://api.example.com", api_key: "key" },
      none,
      ["error at base_url: Invalid address of the service"],
    ],
    [
      "takes the attribute before the environment",
      { base_url: "nonsense", api_key: null },
      environment,
      ["error at base_url: Invalid address of the service"],
    ],
  ];
  it.each(blocks)("%s", async (_what, config, given, expected) => {
    const process = await another({ environment: given });
    const { diagnostics } = await process.rpc.configureProvider({
      terraformVersion: "1.11.4",
      config: value(config),
      clientCapabilities: undefined,
    });
    expect(said(diagnostics)).toEqual(expected);
  });

  it("prints no key, whatever is wrong with it", async () => {
    const process = await another({ environment: { ...environment, apiKey: "hunter22\n" } });
    for (const key of ["hunter22 ", "hunter\t22", null]) {
      const config = value({ base_url: url, api_key: key });
      const { diagnostics } = await process.rpc.configureProvider({
        terraformVersion: "1.11.4",
        config,
        clientCapabilities: undefined,
      });
      expect(said(diagnostics)).toEqual([wrongKey]);
      expect(JSON.stringify(diagnostics)).not.toMatch(/hunter/);
    }
  });

  it("names what holds a wrong value: the attribute or the environment variable", async () => {
    const process = await another({ environment: { baseUrl: "127.0.0.1:4010/api", apiKey: "key\n" } });
    const details = async (config: Json) => {
      const { diagnostics } = await process.rpc.configureProvider({
        terraformVersion: "1.11.4",
        config: value(config),
        clientCapabilities: undefined,
      });
      return diagnostics.map(({ detail }) => detail).join("\n");
    };
    expect(await details({ base_url: null, api_key: null })).toMatch(
      /Correct OUTREACH_BASE_URL[^]*OUTREACH_API_KEY begins or ends with white space/,
    );
    const written = await details({ base_url: "127.0.0.1:4010/api", api_key: "key\n" });
    expect(written).toMatch(/Correct base_url[^]*api_key begins or ends with white space[^]*trimspace/);
    expect(written).not.toContain("OUTREACH_");
  });

  it("is checked before it is used", async () => {
    const check = async (baseUrl: string) =>
      said(
        (await provider.rpc.validateProviderConfig({ config: value({ base_url: baseUrl, api_key: null }) }))
          .diagnostics,
      );
    expect(await check("ftp://api.example.com")).toEqual(["error at base_url: Invalid address of the service"]);
    expect(await check(UNKNOWN)).toEqual([]);
    const { diagnostics } = await provider.rpc.validateProviderConfig({
      config: value({ base_url: null, api_key: "key\n" }),
    });
    expect(said(diagnostics)).toEqual([wrongKey]);
    expect(
      said((await provider.rpc.validateProviderConfig({ config: value({ base_url: "", api_key: null }) })).diagnostics),
    ).toEqual([]);
  });

  it("plans while it is not known, reads nothing and sends nothing", async () => {
    const process = await another();
    await process.rpc.configureProvider({
      terraformVersion: "1.11.4",
      config: value({ base_url: UNKNOWN, api_key: null }),
      clientCapabilities: undefined,
    });
    const kept = { state: webhook({ id: "hoo_x", target_url: "https://a.example.com/" }), private: NO_BYTES };
    const seen = sandbox.requests().length;
    expect((await process.plan(null, { target_url: "https://a.example.com/" })).said).toEqual([]);
    expect(await process.read(kept)).toEqual({ ...kept, said: [], diagnostics: [] });
    const data = await process.rpc.readDataSource({
      typeName: "outreach_campaign",
      config: value({ id: "cam_000001" }),
      clientCapabilities: undefined,
    });
    expect(said(data.diagnostics)).toEqual(["error: The provider is not configured yet"]);
    expect((await process.create({ target_url: "https://a.example.com/" })).said).toEqual([
      "error: The provider is not configured yet",
    ]);
    expect(await process.import("hoo_1")).toMatchObject({
      state: null,
      said: ["error: The provider is not configured yet"],
    });
    expect(sandbox.requests()).toHaveLength(seen);
  });

  it("creates once it is known", async () => {
    const process = await another();
    const configure = (apiKey: string) =>
      process.rpc.configureProvider({
        terraformVersion: "1.11.4",
        config: value({ base_url: sandbox.baseUrl, api_key: apiKey }),
        clientCapabilities: undefined,
      });
    await configure(UNKNOWN);
    const attributes = { target_url: "https://later.example.com/" };
    const { planned, private: bytes } = await process.plan(null, attributes);
    await configure(sandbox.keys.good);
    const created = await process.apply(null, planned, { config: attributes, private: bytes });
    expect(created).toMatchObject({ said: [], state: { target_url: attributes.target_url } });
  });
});

describe("several providers at once", () => {
  const attributes = { target_url: "https://twice.example.com/", type: "emailsSent" };

  it("of different teams each see and change their own", async () => {
    const livingPids = [2001, 2002];
    const [first, second] = [
      await another({ pid: 2001, livingPids }),
      await another({ pid: 2002, livingPids, apiKey: sandbox.keys.otherTeam }),
    ];
    const [mine, theirs] = await Promise.all([first, second].map((process) => process.create(attributes)));
    if (!mine || !theirs) throw new Error("nothing was created");
    expect([mine.said, theirs.said]).toEqual([[], []]);
    expect((await first.read(mine)).state).toEqual(mine.state);
    expect((await second.read(theirs)).state).toEqual(theirs.state);
    expect((await first.read(theirs)).said).toEqual(["error: The webhook is not visible with this API key"]);
    expect((await first.delete(theirs)).said).toEqual(["error: The webhook is not visible with this API key"]);
    expect(await Promise.all([first.delete(mine), second.delete(theirs)])).toMatchObject([
      { state: null, said: [] },
      { state: null, said: [] },
    ]);
  });

  it("with the same key share what the service has, and nothing else", async () => {
    const livingPids = [2003, 2004];
    const [first, second] = [await another({ pid: 2003, livingPids }), await another({ pid: 2004, livingPids })];
    const created = await Promise.all([
      first.create({ target_url: "https://one.example.com/" }),
      second.create({ target_url: "https://two.example.com/" }),
    ]);
    expect(created.map((one) => one.said)).toEqual([[], []]);
    const [mine, theirs] = created;
    expect((await second.read(mine)).state).toEqual(mine.state);
    expect(await Promise.all([first.delete(mine), second.delete(theirs)])).toMatchObject([
      { state: null },
      { state: null },
    ]);
  });
});
