import { afterEach, beforeEach, expect, it } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { NO_BYTES, ProviderUnderTest, sandboxForTest, webhook } from "./provider-under-test.ts";

const MANY = 10_000;

let sandbox: Sandbox;
let provider: ProviderUnderTest;
beforeEach(async () => {
  sandbox = await sandboxForTest();
  for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
  provider = await ProviderUnderTest.start({ baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.good });
});
afterEach(async () => {
  await provider.shutdown();
  provider.removeFolder();
  await sandbox.close();
});

const urlOf = (index: number): string => `https://crm.example.com/hooks/${String(index)}`;
const requests = (): readonly string[] => sandbox.requests().map(({ method, target }) => `${method} ${target}`);

it(
  "10,000 reads at a time cost one list, and each gets the answer for its own webhook",
  { timeout: 120_000 },
  async () => {
    const ids = Array.from(
      { length: MANY },
      (_, index) => sandbox.add("webhooks", { targetUrl: urlOf(index), type: "emailsOpened" })._id,
    );
    sandbox.clearRequests();
    const reads = await Promise.all(
      ids.map((id, index) =>
        provider.read({
          state: webhook({ id, target_url: urlOf(index), type: index % 100 === 7 ? "emailsClicked" : "emailsOpened" }),
          private: NO_BYTES,
        }),
      ),
    );
    // Whole hundreds are asked for the page after them: that is the same list.
    expect([...new Set(requests())]).toEqual(["GET /api/hooks", `GET /api/hooks?offset=${String(MANY)}`]);
    // On a busy machine, a connection may be closed while it is idle, and the list asked for again.
    expect(requests().length).toBeLessThanOrEqual(3);
    const wrong = reads.filter(
      ({ state, said }, index) =>
        state?.["id"] !== ids[index] ||
        state?.["target_url"] !== urlOf(index) ||
        state?.["type"] !== "emailsOpened" ||
        said.length > 0,
    );
    expect(wrong).toEqual([]);
  },
);

it(
  "10,000 plans and validations at a time cost one list, which may show what is planned",
  { timeout: 120_000 },
  async () => {
    sandbox.clearRequests();
    const plans = await Promise.all(
      Array.from({ length: MANY / 2 }, async (_, index) => {
        const attributes = { target_url: urlOf(index), type: "emailsOpened" };
        return { said: await provider.validate(attributes), planned: await provider.plan(null, attributes) };
      }),
    );
    expect(
      plans.every(
        ({ said, planned }, index) =>
          said.length === 0 && planned.said.length === 0 && planned.planned?.["target_url"] === urlOf(index),
      ),
    ).toBe(true);
    expect(requests()).toEqual(["GET /api/hooks"]);
  },
);
