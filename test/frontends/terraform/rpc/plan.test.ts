import { describe, expect, it } from "vitest";
import { type Json, NO_BYTES, UNKNOWN, plain, value, webhook, useProvider } from "../provider-under-test.ts";

const { provider } = await useProvider();

describe("planning", () => {
  const url = "https://plan.example.com/";
  const prior = {
    state: webhook({
      id: "hoo_1",
      created_at: "t",
      target_url: url,
      type: "emailsSent",
      secret: "s",
      secret_wo_version: 1,
    }),
    private: NO_BYTES,
  };
  const same = { target_url: url, type: "emailsSent", secret: "s", secret_wo_version: 1 };

  it("a new webhook knows all but what the service gives it", async () => {
    const planned = await provider.plan(null, { target_url: url, secret: "s", secret_wo: null, campaign_id: UNKNOWN });
    expect(planned.planned).toEqual(
      webhook({ target_url: url, secret: "s", campaign_id: UNKNOWN, id: UNKNOWN, created_at: UNKNOWN }),
    );
  });

  const changes: readonly [string, Json, readonly string[]][] = [
    ["nothing", {}, []],
    ["the address", { target_url: "https://other.example.com/" }, ["target_url"]],
    ["the same address written differently", { target_url: "https://plan.example.com" }, []],
    ["the host's letters", { target_url: "https://PLAN.example.com/" }, []],
    ["the port to the usual one", { target_url: "https://plan.example.com:443/" }, []],
    ["the port", { target_url: "https://plan.example.com:8443/" }, ["target_url"]],
    ["the path's last slash", { target_url: "https://plan.example.com//" }, ["target_url"]],
    ["the type", { type: null }, ["type"]],
    ["two attributes", { type: "emailsOpened", campaign_id: "cam_1" }, ["type", "campaign_id"]],
    ["the type to an unknown value, next to a known change", { type: UNKNOWN, is_first: true }, ["type", "is_first"]],
    ["the automation", { automation_id: "a" }, ["automation_id"]],
    ["the secret to none", { secret: null }, ["secret"]],
    [
      "the secret from stored to write-only",
      { secret: null, secret_wo: "s", secret_wo_version: 2 },
      ["secret", "secret_wo_version"],
    ],
    ["our own setting to what is not known yet", { allow_duplicate: UNKNOWN }, []],
    ["a value that is not known yet", { campaign_id: UNKNOWN }, ["campaign_id"]],
    ["the secret", { secret: "t" }, ["secret"]],
    ["the write-only secret alone", { secret: "s", secret_wo: "new" }, []],
    ["the write-only secret's version", { secret_wo: "new", secret_wo_version: 2 }, ["secret_wo_version"]],
    ["is_first from absent to false", { is_first: false }, []],
    ["is_first from absent to true", { is_first: true }, ["is_first"]],
    ["our own setting", { allow_duplicate: true }, []],
  ];
  it.each(changes)("a change of %s replaces what it must", async (_what, change, replaces) => {
    const plan = await provider.plan(prior, { ...same, ...change });
    expect(plan.said).toEqual([]);
    expect(plan.replaces).toEqual(replaces);
    const computed = replaces.length > 0 ? { id: UNKNOWN, created_at: UNKNOWN } : { id: "hoo_1", created_at: "t" };
    expect(plan.planned).toEqual(webhook({ ...same, ...change, secret_wo: null, ...computed }));
  });

  it.each([
    ["https://müller.example.com/ä", "https://xn--mller-kva.example.com/%C3%A4"],
    ["https://a.example.com/x/../y?q=é", "https://a.example.com/y?q=%C3%A9"],
  ])("%s and %s are the same, whichever is written", async (one, other) => {
    for (const [had, wanted] of [
      [one, other],
      [other, one],
    ] as const) {
      const plan = await provider.plan(
        { state: { ...prior.state, target_url: had }, private: NO_BYTES },
        { ...same, target_url: wanted },
      );
      expect([plan.replaces, plan.planned]).toEqual([[], { ...prior.state, target_url: wanted }]);
    }
  });

  it("a replace is planned once more as a create, and plans the same", async () => {
    const config = { ...same, type: "emailsOpened", secret: null, secret_wo: "wr1te-only", is_first: false };
    const first = await provider.plan(prior, config);
    const second = await provider.plan(null, config);
    expect(first.replaces).toEqual(["type", "secret"]);
    expect([second.planned, second.replaces]).toEqual([first.planned, []]);
  });

  it("no secret is in the provider's own bytes, and a write-only one is nowhere", async () => {
    for (const kept of [null, prior]) {
      const plan = await provider.plan(kept, {
        ...same,
        secret: "hunter22",
        secret_wo: "wr1te-only",
        secret_wo_version: 3,
      });
      expect(new TextDecoder().decode(plan.private)).not.toMatch(/hunter22|wr1te-only/);
      expect(JSON.stringify(plan.planned)).not.toContain("wr1te-only");
    }
  });

  it("a version as large as Terraform's numbers is kept to the digit", async () => {
    const version = 9_007_199_254_740_993n;
    const plan = await provider.plan(null, { ...same, secret_wo_version: version });
    const kept = await provider.plan(
      { state: { ...prior.state, secret_wo_version: version }, private: NO_BYTES },
      { ...same, secret_wo_version: version },
    );
    expect([plan.planned?.["secret_wo_version"], kept.replaces]).toEqual([String(version), []]);
    const next = await provider.plan(
      { state: { ...prior.state, secret_wo_version: version }, private: NO_BYTES },
      { ...same, secret_wo_version: version + 1n },
    );
    expect(next.replaces).toEqual(["secret_wo_version"]);
  });

  it("what is configured is planned as it is configured, whatever was there before", async () => {
    const values: { readonly [name: string]: readonly unknown[] } = {
      target_url: [url, "https://PLAN.example.com", UNKNOWN],
      type: [null, "emailsSent", UNKNOWN],
      campaign_id: [null, "cam_1", UNKNOWN],
      is_first: [null, false, true, UNKNOWN],
      secret: [null, "s", UNKNOWN],
      secret_wo_version: [null, 1, UNKNOWN],
      allow_duplicate: [null, true, UNKNOWN],
    };
    for (const [name, candidates] of Object.entries(values)) {
      for (const had of candidates.filter((one) => one !== UNKNOWN)) {
        for (const wanted of candidates) {
          const plan = await provider.plan(
            { state: { ...prior.state, [name]: had }, private: NO_BYTES },
            { ...same, [name]: wanted },
          );
          expect(plan.planned).toMatchObject({ ...same, [name]: wanted });
        }
      }
    }
  });

  it("a destroy plans nothing", async () => {
    const { plannedState, diagnostics } = await provider.rpc.planResourceChange({
      typeName: "outreach_webhook",
      priorState: value(prior.state),
      proposedNewState: value(null),
      config: value(null),
      priorPrivate: NO_BYTES,
      clientCapabilities: undefined,
    });
    expect([plain(plannedState), diagnostics]).toEqual([null, []]);
  });
});
