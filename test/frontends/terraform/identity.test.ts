import { describe, expect, it } from "vitest";
import type { ResourceIdentityData } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import {
  type Json,
  NO_BYTES,
  ProviderUnderTest,
  UNKNOWN,
  plain,
  said,
  value,
  webhook,
  useProvider,
} from "./provider-under-test.ts";

const URL = "https://identity.example.com/";
const WEBHOOK = { typeName: "outreach_webhook" };
const UNSUBSCRIPTION = { typeName: "outreach_lead_unsubscription" };
const NOTHING = value(null);

function identity(attributes: Json): ResourceIdentityData {
  return { identityData: value(attributes) };
}

function seen(data: ResourceIdentityData | undefined): Json | null {
  return plain(data?.identityData);
}

function stored(attributes: Json) {
  return { json: new TextEncoder().encode(JSON.stringify(attributes)), flatmap: {} };
}

function unsubscription(attributes: Json): Json {
  return {
    campaign_id: null,
    email: null,
    on_not_found: "watch",
    recheck: "24h",
    reassert: "never",
    id: null,
    contact_id: null,
    is_paused: null,
    outcome: null,
    ...attributes,
  };
}

const { sandbox, provider } = await useProvider();

describe("the schema of identities", () => {
  it("is the id for what the service gives one to, and what tells it from others for the rest", async () => {
    const { identitySchemas, diagnostics } = await provider.rpc.getResourceIdentitySchemas({});
    const shown = Object.entries(identitySchemas).map(([type, { version, identityAttributes }]) => [
      type,
      version,
      identityAttributes.map(({ name, type: kind, requiredForImport, optionalForImport, description }) => ({
        name,
        type: new TextDecoder().decode(kind),
        requiredForImport,
        optionalForImport,
        described: description.length > 0,
      })),
    ]);
    const required = { type: '"string"', requiredForImport: true, optionalForImport: false, described: true };
    expect([diagnostics, shown]).toEqual([
      [],
      [
        ["outreach_webhook", 0, [{ name: "id", ...required }]],
        [
          "outreach_lead_unsubscription",
          0,
          [
            { name: "campaign_id", ...required },
            { name: "email", ...required },
          ],
        ],
      ],
    ]);
  });
});

describe("a webhook's identity", () => {
  const planOf = async (prior: Json | null, config: Json) =>
    provider.rpc.planResourceChange({
      ...WEBHOOK,
      priorState: value(prior),
      proposedNewState: value({
        ...config,
        id: prior?.["id"] ?? UNKNOWN,
        created_at: prior?.["created_at"] ?? UNKNOWN,
      }),
      config: value(config),
      priorPrivate: NO_BYTES,
      ...(prior ? { priorIdentity: identity({ id: prior["id"] }) } : {}),
    });

  it("comes with the create, not before, and stays until the delete", async () => {
    const config = webhook({ target_url: URL });
    const planned = await planOf(null, config);
    expect(seen(planned.plannedIdentity)).toBeNull();
    const created = await provider.rpc.applyResourceChange({
      ...WEBHOOK,
      priorState: NOTHING,
      plannedState: planned.plannedState,
      config: value(config),
      plannedPrivate: planned.plannedPrivate,
    });
    const { id } = plain(created.newState) ?? {};
    expect([id, seen(created.newIdentity)]).toEqual([expect.stringMatching(/^hoo_/), { id }]);

    const currentIdentity = identity({ id });
    const read = await provider.rpc.readResource({
      ...WEBHOOK,
      currentState: created.newState,
      private: created.private,
      currentIdentity,
    });
    expect([said(read.diagnostics), seen(read.newIdentity)]).toEqual([[], { id }]);

    const state = plain(read.newState) ?? {};
    const settings = await planOf(state, { ...config, allow_duplicate: true });
    expect(seen(settings.plannedIdentity)).toEqual({ id });
    const deleted = await provider.rpc.applyResourceChange({
      ...WEBHOOK,
      priorState: read.newState,
      plannedState: NOTHING,
      config: NOTHING,
      plannedPrivate: read.private,
      plannedIdentity: currentIdentity,
    });
    expect([said(deleted.diagnostics), seen(deleted.newIdentity)]).toEqual([[], null]);
    const gone = await provider.rpc.readResource({
      ...WEBHOOK,
      currentState: read.newState,
      private: read.private,
      currentIdentity,
    });
    expect([plain(gone.newState), seen(gone.newIdentity)]).toEqual([null, null]);
  });

  it("is kept where a change fails, or cannot be looked for", async () => {
    const { _id: id, createdAt } = sandbox.add("webhooks", { targetUrl: "https://kept.example.com/" });
    const state = value(webhook({ id, created_at: createdAt, target_url: "https://kept.example.com/" }));
    const remove = { ...WEBHOOK, priorState: state, plannedState: NOTHING, config: NOTHING, plannedPrivate: NO_BYTES };
    sandbox.addFault({ action: { kind: "answer", status: 400, body: "Bad team" }, method: "DELETE" });
    const failed = await provider.rpc.applyResourceChange(remove);
    expect([said(failed.diagnostics), seen(failed.newIdentity)]).toEqual([
      ["error: The service refused the request"],
      { id },
    ]);

    const other = await ProviderUnderTest.start({ baseUrl: "", apiKey: "", folder: provider.folder });
    const read = await other.rpc.readResource({
      ...WEBHOOK,
      currentState: state,
      private: NO_BYTES,
      currentIdentity: identity({ id }),
    });
    expect([said(read.diagnostics), seen(read.newIdentity)]).toEqual([[], { id }]);
    await other.kill();
  });

  it("is not what a call fails for, where a value is not an object", async () => {
    const wrong = { msgpack: Uint8Array.of(0xa1, 0x78), json: NO_BYTES };
    const given = { ...WEBHOOK, priorState: wrong, plannedState: NOTHING, config: NOTHING, plannedPrivate: NO_BYTES };
    const applied = await provider.rpc.applyResourceChange(given);
    const imported = await provider.rpc.importResourceState({ ...WEBHOOK, id: "", identity: { identityData: wrong } });
    for (const { diagnostics } of [applied, imported])
      expect(said(diagnostics)).toEqual(["error: The provider failed"]);
    expect(plain(applied.newState)).toBe("x");
  });

  it("imports it without an id", async () => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://imported.example.com/", type: "emailsSent" });
    const { importedResources, diagnostics } = await provider.rpc.importResourceState({
      ...WEBHOOK,
      id: "",
      identity: identity({ id }),
    });
    const [imported] = importedResources;
    expect([said(diagnostics), imported?.typeName, seen(imported?.identity)]).toEqual([[], "outreach_webhook", { id }]);
    const read = await provider.rpc.readResource({
      ...WEBHOOK,
      currentState: imported?.state,
      private: imported?.private ?? NO_BYTES,
      currentIdentity: imported?.identity,
    });
    expect(plain(read.newState)).toMatchObject({ id, target_url: "https://imported.example.com/", type: "emailsSent" });
  });

  it("comes with an import by id too, and an id that is none stays an error", async () => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://by-id.example.com/" });
    const { importedResources } = await provider.rpc.importResourceState({ ...WEBHOOK, id });
    expect(importedResources.map((one) => seen(one.identity))).toEqual([{ id }]);
    for (const wrong of ["lea_1", "", null]) {
      const refused = await provider.rpc.importResourceState({ ...WEBHOOK, id: "", identity: identity({ id: wrong }) });
      expect([said(refused.diagnostics), refused.importedResources]).toEqual([["error: Invalid webhook id"], []]);
    }
  });
});

describe("an unsubscription's identity", () => {
  it("is known before it is sent, and the same however the address is written", async () => {
    const config = {
      ...unsubscription({ campaign_id: "cam_000001", email: "Ada@Example.COM" }),
      on_not_found: null,
      recheck: null,
      reassert: null,
    };
    const given = { ...UNSUBSCRIPTION, priorState: NOTHING, config: value(config), priorPrivate: NO_BYTES };
    const proposed = {
      ...config,
      on_not_found: UNKNOWN,
      recheck: UNKNOWN,
      reassert: UNKNOWN,
      id: UNKNOWN,
      contact_id: UNKNOWN,
      is_paused: UNKNOWN,
      outcome: UNKNOWN,
    };
    const planned = await provider.rpc.planResourceChange({ ...given, proposedNewState: value(proposed) });
    expect([said(planned.diagnostics), seen(planned.plannedIdentity)]).toEqual([
      [],
      { campaign_id: "cam_000001", email: "ada@example.com" },
    ]);
    const later = { ...proposed, campaign_id: UNKNOWN };
    const unknown = await provider.rpc.planResourceChange({
      ...given,
      config: value({ ...config, campaign_id: UNKNOWN }),
      proposedNewState: value(later),
    });
    expect(seen(unknown.plannedIdentity)).toBeNull();
  });

  it("comes with a read, which asks the service nothing", async () => {
    sandbox.clearRequests();
    const state = value(
      unsubscription({ campaign_id: "cam_000001", email: "ada@example.com", outcome: "unsubscribed" }),
    );
    const read = await provider.rpc.readResource({ ...UNSUBSCRIPTION, currentState: state, private: NO_BYTES });
    expect([seen(read.newIdentity), sandbox.requests()]).toEqual([
      { campaign_id: "cam_000001", email: "ada@example.com" },
      [],
    ]);
  });

  it("imports it, also with a slash in the address", async () => {
    sandbox.clearRequests();
    for (const email of ["ada@example.com", "a/b@example.com"]) {
      const given = identity({ campaign_id: "cam_000001", email });
      const { importedResources, diagnostics } = await provider.rpc.importResourceState({
        ...UNSUBSCRIPTION,
        id: "",
        identity: given,
      });
      const [imported] = importedResources;
      expect([said(diagnostics), plain(imported?.state), seen(imported?.identity)]).toEqual([
        [],
        expect.objectContaining({ campaign_id: "cam_000001", email }),
        { campaign_id: "cam_000001", email },
      ]);
    }
    expect(sandbox.requests()).toEqual([]);
  });

  it("that is not whole imports nothing", async () => {
    const given = identity({ campaign_id: "cam_000001", email: null });
    const { importedResources, diagnostics } = await provider.rpc.importResourceState({
      ...UNSUBSCRIPTION,
      id: "",
      identity: given,
    });
    expect([importedResources, said(diagnostics)]).toEqual([[], ["error: Invalid email address"]]);
  });
});

describe("a stored identity", () => {
  it("is handed back as it is", async () => {
    const { upgradedIdentity, diagnostics } = await provider.rpc.upgradeResourceIdentity({
      ...WEBHOOK,
      version: 0,
      rawIdentity: stored({ id: "hoo_1" }),
    });
    expect([diagnostics, seen(upgradedIdentity)]).toEqual([[], { id: "hoo_1" }]);
  });

  const wrong: readonly [string, number, Json, RegExp][] = [
    ["of a newer version", 1, { id: "hoo_1" }, /newer version of the provider/],
    ["that lacks an attribute", 0, {}, /lacks an attribute/],
  ];
  it.each(wrong)("%s is an error", async (_what, version, attributes, message) => {
    const { upgradedIdentity, diagnostics } = await provider.rpc.upgradeResourceIdentity({
      ...WEBHOOK,
      version,
      rawIdentity: stored(attributes),
    });
    expect([upgradedIdentity, diagnostics.map(({ detail }) => detail)]).toEqual([
      undefined,
      [expect.stringMatching(message)],
    ]);
  });
});
