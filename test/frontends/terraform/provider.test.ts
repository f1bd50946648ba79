import { describe, expect, it } from "vitest";
import { plain, said, webhook, useProvider } from "./provider-under-test.ts";

const { provider } = await useProvider();

describe("metadata", () => {
  it("names every resource and data source, and what may be skipped", async () => {
    const metadata = await provider.rpc.getMetadata({});
    expect(metadata.resources).toContainEqual({ typeName: "outreach_webhook" });
    expect(metadata.dataSources).toContainEqual({ typeName: "outreach_campaign" });
    expect(metadata.serverCapabilities).toEqual({
      planDestroy: true,
      getProviderSchemaOptional: true,
      moveResourceState: true,
      generateResourceConfig: true,
    });
    expect((await provider.rpc.getFunctions({})).diagnostics).toEqual([]);
  });

  it("gives the same schemas as it names", async () => {
    const { resourceSchemas, dataSourceSchemas, provider: own } = await provider.rpc.getProviderSchema({});
    const { resources, dataSources } = await provider.rpc.getMetadata({});
    expect(Object.keys(resourceSchemas)).toEqual(resources.map(({ typeName }) => typeName));
    expect(Object.keys(dataSourceSchemas)).toEqual(dataSources.map(({ typeName }) => typeName));
    expect(own?.block?.attributes.map(({ name, sensitive }) => [name, sensitive])).toEqual([
      ["base_url", false],
      ["api_key", true],
      ["unique_target_url", false],
      ["mark", false],
    ]);
  });
});

describe("stored states", () => {
  const upgrade = async (json: string, version = 0) => {
    const { upgradedState, diagnostics } = await provider.rpc.upgradeResourceState({
      typeName: "outreach_webhook",
      version,
      rawState: { json: new TextEncoder().encode(json), flatmap: {} },
    });
    return [plain(upgradedState), said(diagnostics)];
  };

  it("are read as they are, without what is no longer in the schema", async () => {
    expect(
      await upgrade('{"id":"hoo_1","target_url":"https://ü.example.com/","secret_wo_version":3,"gone":[1]}'),
    ).toEqual([webhook({ id: "hoo_1", target_url: "https://ü.example.com/", secret_wo_version: 3 }), []]);
  });

  it("of a newer version, or damaged, are refused", async () => {
    expect(await upgrade("{}", 1)).toEqual([null, ["error: The provider failed"]]);
    expect(await upgrade("{")).toEqual([null, ["error: The provider failed"]]);
  });
});
