import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownSecrets } from "../../../../src/frontends/terraform/own-keys.ts";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { ProviderUnderTest, UNKNOWN, sandboxForTest } from "../provider-under-test.ts";

const ENVIRONMENT = {
  OUTREACH_API_KEY: "key-of-the-environment",
  OUTREACH_API_KEY_EMEA: "key-of-another-team",
  OUTREACH_JOURNAL: "postgres://me:p%40ss-word@db.example.com/ledgers",
  OUTREACH_STATE: "https://me:pass-of-state@state.example.com/x",
  TF_HTTP_PASSWORD: "pass-of-http",
  CRM_HOOK_SECRET: "a-secret-of-its-own",
};

let sandbox: Sandbox;
let provider: ProviderUnderTest;
beforeAll(async () => {
  sandbox = await sandboxForTest();
  provider = await ProviderUnderTest.start({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    adapt: (services) => ({ ...services, ownSecrets: ownSecrets(ENVIRONMENT) }),
  });
});
afterAll(async () => {
  await provider.kill();
  provider.removeFolder();
  await sandbox.close();
});

const url = "https://keys.example.com/";
const withSecret = (secret: string) =>
  [
    ["secret", { target_url: url, secret }],
    ["secret_wo", { target_url: url, secret_wo: secret, secret_wo_version: 1 }],
  ] as const;

describe("a secret that is a key of the provider", () => {
  it.each([
    ["the API key of the provider block", () => sandbox.keys.good, "the API key"],
    ...(
      [
        ["OUTREACH_API_KEY", "key-of-the-environment"],
        ["OUTREACH_API_KEY_EMEA", "key-of-another-team"],
        ["OUTREACH_JOURNAL", ENVIRONMENT.OUTREACH_JOURNAL],
        ["OUTREACH_JOURNAL", "p%40ss-word"],
        ["OUTREACH_JOURNAL", "p@ss-word"],
        ["OUTREACH_STATE", "pass-of-state"],
        ["TF_HTTP_PASSWORD", "pass-of-http"],
      ] as const
    ).map(([name, secret]) => [`that of ${name}: ${secret}`, () => secret, `that of ${name}`] as const),
  ] as const)("is refused, in either attribute: %s", async (_, secret, what) => {
    for (const [name, attributes] of withSecret(secret())) {
      const { said, diagnostics } = await provider.plan(null, attributes);
      expect(said).toEqual([`error at ${name}: Key used as a webhook's secret`]);
      expect(diagnostics[0]?.detail).toContain(`Its value is ${what}.`);
      expect(JSON.stringify(diagnostics)).not.toContain(secret());
    }
    expect(sandbox.requests().filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("is refused by the apply where the plan did not know it", async () => {
    const secret = sandbox.keys.good;
    const { planned, private: bytes } = await provider.plan(null, { target_url: url, secret: UNKNOWN });
    const applied = await provider.apply(
      null,
      { ...planned, secret },
      {
        config: { target_url: url, secret },
        private: bytes,
      },
    );
    expect(applied.said).toEqual(["error at secret: Key used as a webhook's secret"]);
    expect(sandbox.requests().filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("stops no plan with a secret of its own, and no delete", async () => {
    const own = { target_url: `${url}own`, secret: ENVIRONMENT.CRM_HOOK_SECRET };
    const made = await provider.create(own);
    expect(made.said).toEqual([]);
    expect((await provider.delete({ ...made, state: { ...made.state, secret: sandbox.keys.good } })).said).toEqual([]);
  });
});
