import { describe, expect, test } from "vitest";
import type { Attributes } from "../../../../src/core/model/value.ts";
import { processesInTurn } from "../processes-in-turn.ts";
import { type Kept, ProviderUnderTest } from "../provider-under-test.ts";

const URL = "https://secret-path.example.com/s3cr3t";
const OTHER = "https://other.example.com/";

const { sandbox, next } = processesInTurn();

/** One of several processes in turn. */
async function inAProcess<T>(work: (provider: ProviderUnderTest) => Promise<T>): Promise<T> {
  const provider = await ProviderUnderTest.start({
    baseUrl: sandbox().baseUrl,
    apiKey: sandbox().keys.good,
    ...next(),
  });
  try {
    return await work(provider);
  } finally {
    await provider.shutdown();
  }
}

describe("a plan with a managed webhook that has an unmanaged duplicate", () => {
  test("warns once, without the URL, until the duplicate is gone or allowed", async () => {
    const kept = await inAProcess((provider) => provider.create({ target_url: URL }));
    const second = await inAProcess((provider) => provider.create({ target_url: OTHER }));
    const { _id: duplicate } = sandbox().add("webhooks", { targetUrl: URL });
    const reads = await inAProcess((provider) =>
      Promise.all([provider.read(kept), provider.read(second), provider.read(kept)]),
    );
    expect(reads.flatMap(({ said }) => said)).toEqual(["warning: An identical unmanaged webhook is live"]);
    const details = reads.flatMap(({ diagnostics }) => diagnostics.map(({ detail }) => detail)).join("\n");
    expect(details).toContain(`${duplicate} is identical to ${String(kept.state?.["id"])}`);
    expect(details).toContain(`id = "${duplicate}"`);
    expect(details).not.toContain("s3cr3t");
    expect(
      await inAProcess(
        async (provider) => (await provider.read({ ...kept, state: { ...kept.state, allow_duplicate: true } })).said,
      ),
    ).toEqual([]);
  });

  test("does not warn where the duplicate is managed too", async () => {
    const declared = { target_url: URL, allow_duplicate: true };
    const [one, two] = await inAProcess(async (provider) => [
      await provider.create(declared),
      await provider.create(declared),
    ]);
    const reads = await inAProcess((provider) =>
      Promise.all(
        [one, two].map((kept) => provider.read({ ...kept, state: { ...kept.state, allow_duplicate: null } })),
      ),
    );
    expect(reads.flatMap(({ said }) => said)).toEqual([]);
  });
});

describe("a webhook that a list hides, and that is created again", () => {
  test("is reported with its id when it returns, also when the new one was changed since", async () => {
    const hidden = await inAProcess((provider) => provider.create({ target_url: URL, secret: "t0p-s3cret" }));
    const [before] = sandbox().webhooks();
    sandbox().remove("webhooks", String(hidden.state?.["id"]));
    const missing = await inAProcess((provider) => provider.read(hidden));
    expect(missing).toMatchObject({ state: null, said: [] });
    const other = await inAProcess((provider) => provider.create({ target_url: OTHER }));
    sandbox().add("webhooks", before as never);
    const again = await inAProcess((provider) => provider.read(other));
    expect(again.said).toEqual(["warning: A missing webhook has returned"]);
    expect(again.diagnostics[0]?.detail).toContain(`id = "${String(hidden.state?.["id"])}"`);
    const later = await inAProcess((provider) => Promise.resolve(provider.greeting));
    expect(later).toEqual(["warning: A missing webhook has returned"]);
    expect(JSON.stringify(again.diagnostics)).not.toContain("s3cr3t");
  });
});

describe("a planned webhook that overlaps with another one", () => {
  const REPLIES = { target_url: URL, type: "emailsReplied" };
  const OVERLAP = "warning at target_url: Overlapping webhooks";

  test.for<readonly [what: string, one: Attributes, other: Attributes, said: readonly string[]]>([
    ["has a type that the other one receives too", { target_url: URL }, REPLIES, [OVERLAP]],
    ["has the type of a campaign", REPLIES, { ...REPLIES, campaign_id: "cam_000001" }, [OVERLAP]],
    ["has its URL, written otherwise", { target_url: URL.replace("https://crm", "https://CRM") }, REPLIES, [OVERLAP]],
    ["receives other events", REPLIES, { target_url: URL, type: "emailsSent" }, []],
    ["receives the group of its events", REPLIES, { target_url: URL, type: "warmed" }, []],
    ["allows it", { target_url: URL }, { ...REPLIES, allow_duplicate: true }, []],
    ["is allowed by the other one", { target_url: URL, allow_duplicate: true }, REPLIES, []],
  ])("%s", async ([, one, other, said]) => {
    const plans = await inAProcess(async (provider) => [
      await provider.plan(null, one),
      await provider.plan(null, other),
    ]);
    expect(plans.map((plan) => plan.said)).toEqual([[], said]);
    expect(JSON.stringify(plans[1]?.diagnostics)).not.toMatch(/s3cr3t|emailsReplied|cam_/);
  });

  test("is told with the id of the one that is kept, and not for the object that it replaces", async () => {
    const kept = await inAProcess((provider) => provider.create({ target_url: URL }));
    const id = String(kept.state?.["id"]);
    const [, again, replacing] = await inAProcess(async (provider) => [
      await provider.plan(kept, { target_url: URL }),
      await provider.plan(null, REPLIES),
      await provider.plan(kept, { ...REPLIES, campaign_id: "cam_000002" }),
    ]);
    expect(again?.said).toEqual([OVERLAP]);
    expect(again?.diagnostics[0]?.detail).toContain(`${id} has the same target_url`);
    expect(replacing?.said).toEqual([]);
  });
});

describe("a planned create", () => {
  const planned = (
    provider: ProviderUnderTest,
    attributes: Parameters<ProviderUnderTest["plan"]>[1],
    prior: Kept | null = null,
  ) => provider.plan(prior, attributes);

  test("of what is live warns at target_url, without its value, and with the id", async () => {
    const { _id: id } = sandbox().add("webhooks", { targetUrl: URL });
    const plan = await inAProcess((provider) => planned(provider, { target_url: URL }));
    expect(plan.said).toEqual(["warning at target_url: An identical webhook is live"]);
    expect(plan.diagnostics[0]?.detail).toContain(id);
    expect(plan.diagnostics[0]?.detail).not.toContain("s3cr3t");
    expect(
      (await inAProcess((provider) => planned(provider, { target_url: URL, allow_duplicate: true }))).said,
    ).toEqual([]);
    const refused = await inAProcess((provider) => provider.create({ target_url: URL }));
    expect(refused.said).toEqual(["error: An identical unmanaged webhook exists"]);
    expect(refused.diagnostics[0]?.detail).not.toContain("s3cr3t");
  });

  test("whose list cannot be read warns once, with the cause and what to check", async () => {
    sandbox().addFault({
      operation: "listWebhooks",
      action: { kind: "answer", status: 401, body: "Invalid API key" },
      times: null,
    });
    const plans = await inAProcess(async (provider) => [
      await planned(provider, { target_url: URL }),
      await planned(provider, { target_url: OTHER }),
    ]);
    expect(plans.map(({ said }) => said)).toEqual([["warning: The service's list of webhooks could not be read"], []]);
    expect(plans[0]?.diagnostics[0]?.detail).toMatch(
      /^GET \/hooks: 401 .*The plan could not look for identical webhooks, and the apply fails .*base_url/s,
    );
    expect((await inAProcess((provider) => provider.create({ target_url: URL }))).said[0]).toMatch(/^error/);
    expect(sandbox().webhooks()).toEqual([]);
  });

  test("that another resource repeats, or that Terraform keeps already, is an error", async () => {
    const kept = await inAProcess((provider) => provider.create({ target_url: OTHER }));
    const twice = "error at target_url: The same webhook is declared twice";
    const said = await inAProcess(async (provider) => {
      const both = [await planned(provider, { target_url: URL }), await planned(provider, { target_url: URL })];
      return [
        ...both,
        await planned(provider, { target_url: OTHER }, kept),
        await planned(provider, { target_url: OTHER }),
      ].map((plan) => plan.said);
    });
    expect(said).toEqual([[], [twice], [], [twice]]);
    const allowed = await inAProcess(async (provider) => {
      const declared = { target_url: URL, allow_duplicate: true };
      return [await planned(provider, declared), await planned(provider, declared)].flatMap((plan) => plan.said);
    });
    expect(allowed).toEqual([]);
  });
});
