import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryPlace, memoryStore } from "../../../core/state/memory-store.ts";
import type { OpenStore } from "../../../../src/core/state/state-store.ts";
import type { AppliedPlan } from "../../../../src/frontends/terraform/terraform-command.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type Kept, NO_SAVED_PLAN, ProviderUnderTest, sandboxForTest } from "../provider-under-test.ts";

const URL = "https://rotated.example.com/";
const UNREADABLE: AppliedPlan = { ...NO_SAVED_PLAN, removedBy: () => Promise.resolve("unreadable") };
const UNKNOWN: AppliedPlan = { ...NO_SAVED_PLAN, removedBy: () => Promise.resolve("unknown") };

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await sandboxForTest();
});
afterEach(async () => sandbox.close());

interface Machine {
  readonly appliedPlan?: AppliedPlan;
  readonly store?: OpenStore;
}

/** A process of its own, with a disk and, without a store, a journal of its own. */
async function onAnotherMachine<T>(
  work: (provider: ProviderUnderTest) => Promise<T>,
  { appliedPlan = NO_SAVED_PLAN, ...options }: Machine = {},
): Promise<T> {
  const provider = await ProviderUnderTest.start({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    appliedPlan,
    ...options,
  });
  try {
    return await work(provider);
  } finally {
    await provider.shutdown();
    provider.removeFolder();
  }
}

/** The private data of a plan that replaces the webhook, as Terraform plans it: once as a change, and once as a create. */
async function planReplace(prior: Kept, machine?: Machine): Promise<Uint8Array> {
  return onAnotherMachine(async (provider) => {
    const { private: first } = await provider.plan(await provider.read(prior), { target_url: URL, secret: "two" });
    return (await provider.plan({ state: null, private: first }, { target_url: URL, secret: "two" })).private;
  }, machine);
}

async function applyReplace(plannedPrivate: Uint8Array | undefined, machine?: Machine) {
  return onAnotherMachine(async (provider) => {
    const declared = { target_url: URL, secret: "two" };
    const { planned, private: bytes, said: warned } = await provider.plan(null, declared, plannedPrivate);
    return { ...(await provider.apply(null, planned, { config: declared, private: bytes })), warned };
  }, machine);
}

test("a create that Terraform 1.16 passes the planned private data to replaces the webhook that the plan replaces", async () => {
  const prior = await onAnotherMachine((provider) => provider.create({ target_url: URL, secret: "one" }));
  const planned = await planReplace(prior);
  const applied = await applyReplace(planned);
  expect(applied.said).toEqual([]);
  expect(sandbox.webhooks()).toHaveLength(2);
});

test("a create that only a journal in a store tells of the plan replaces the webhook, too", async () => {
  const place = memoryPlace();
  const machine: Machine = { store: () => Promise.resolve(memoryStore(nodeClock, place)), appliedPlan: UNREADABLE };
  const prior = await onAnotherMachine((provider) => provider.create({ target_url: URL, secret: "one" }), machine);
  await planReplace(prior, machine);
  expect((await applyReplace(undefined, machine)).said).toEqual([]);
  expect(sandbox.webhooks()).toHaveLength(2);
});

test("a create that nothing passes the plan to stops, and says how the plan can be passed on", async () => {
  const prior = await onAnotherMachine((provider) => provider.create({ target_url: URL, secret: "one" }));
  await planReplace(prior);
  const refused = await applyReplace(undefined, { appliedPlan: UNKNOWN });
  expect(refused.warned).toEqual(["warning at target_url: An identical webhook is live"]);
  expect(refused.said).toEqual(["error: An identical unmanaged webhook exists"]);
  expect(refused.diagnostics[0]?.detail).toContain("Set OUTREACH_JOURNAL to a folder that plan and apply share");
  expect(refused.diagnostics[0]?.detail).toContain("Import it");
  expect((await applyReplace(undefined)).diagnostics[0]?.detail).not.toContain("OUTREACH_JOURNAL");
  expect(sandbox.webhooks()).toHaveLength(1);
});

test("a create of a saved plan that cannot be read stops, names the journal, and does not advise an import", async () => {
  const prior = await onAnotherMachine((provider) => provider.create({ target_url: URL, secret: "one" }));
  await planReplace(prior);
  const { said, diagnostics, warned } = await applyReplace(undefined, { appliedPlan: UNREADABLE });
  expect(warned).toEqual([]);
  expect(said).toEqual(["error: An identical unmanaged webhook exists"]);
  expect(diagnostics[0]?.detail).toContain(`${String(prior.state?.["id"])} is live`);
  expect(diagnostics[0]?.detail).toContain("Probably the saved plan replaces it");
  expect(diagnostics[0]?.detail).toContain("or set OUTREACH_JOURNAL to a place that plan and apply share");
  expect(diagnostics[0]?.detail).not.toMatch(/import \{|Import it|allow_duplicate/);
  expect(sandbox.webhooks()).toHaveLength(1);
});
