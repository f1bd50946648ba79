import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, NO_BYTES, ProviderUnderTest, plain, said } from "../provider-under-test.ts";

let provider: ProviderUnderTest;

// Terraform moves before it configures the provider.
beforeEach(async () => {
  provider = await ProviderUnderTest.start({ baseUrl: "", apiKey: "" });
});
afterEach(async () => {
  await provider.kill();
  provider.removeFolder();
});

async function move(state: Json | string, { from = "restapi_object", to = "outreach_webhook" } = {}) {
  const json = new TextEncoder().encode(typeof state === "string" ? state : JSON.stringify(state));
  const { targetState, targetPrivate, targetIdentity, diagnostics } = await provider.rpc.moveResourceState({
    sourceProviderAddress: "registry.terraform.io/mastercard/restapi",
    sourceTypeName: from,
    sourceSchemaVersion: 0,
    sourceState: { json, flatmap: {} },
    targetTypeName: to,
  });
  return {
    state: plain(targetState),
    private: targetPrivate,
    identity: plain(targetIdentity?.identityData),
    said: said(diagnostics),
    details: diagnostics.map(({ detail }) => detail).join(),
  };
}

describe("a move from another resource's type", () => {
  it.each<readonly [string, Json | string, { readonly from?: string; readonly to?: string }, string]>([
    ["another provider's object", { id: "hoo_000001" }, {}, "error: A webhook cannot be moved from restapi_object"],
    [
      "another type of this provider",
      { id: "hoo_000001" },
      { from: "outreach_lead_unsubscription" },
      "error: A webhook cannot be moved from outreach_lead_unsubscription",
    ],
    [
      "an unsubscription",
      { id: "lea_1" },
      { to: "outreach_lead_unsubscription" },
      "error: A lead unsubscription cannot be moved from restapi_object",
    ],
    ["a damaged state", "{", {}, "error: A webhook cannot be moved from restapi_object"],
    ["an unknown type", { id: "hoo_1" }, { to: "outreach_nothing" }, "error: The provider failed"],
  ])("is refused: %s", async (_what, state, types, expected) => {
    expect(await move(state, types)).toMatchObject({
      state: null,
      private: NO_BYTES,
      identity: null,
      said: [expected],
    });
  });

  it("says which import to write instead", async () => {
    const [hook, lead] = [await move({}), await move({}, { to: "outreach_lead_unsubscription" })];
    expect(hook.details).toContain('to = outreach_webhook.NAME\n    id = "ID"');
    expect(lead.details).toContain('to = outreach_lead_unsubscription.NAME\n    id = "CAMPAIGN_ID/EMAIL"');
  });
});
