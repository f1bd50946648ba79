import { describe, expect, vi } from "vitest";
import type { FaultAction } from "../../../../src/sandbox/faults.ts";
import { story, webhook } from "./story.ts";

const NAMES = ["one", "two", "three"];
const DECLARED = NAMES.map((name) => webhook(name, ['secret = "s3cret"'])).join("");

const SLOW: FaultAction = { kind: "late", delayMs: 6000 };
const REFUSED: FaultAction = { kind: "answer", status: 429, headers: { "Retry-After": "5" } };

describe.concurrent(
  "terraform is killed, and started again while its first provider still runs",
  { timeout: 300_000 },
  () => {
    for (const [what, action] of [
      ["has a create under way", SLOW],
      ["waits to send a create", REFUSED],
    ] as const) {
      story(`which ${what}: nothing is doubled`, async ({ sandbox, terraform }) => {
        terraform.write("main.tf", DECLARED);
        sandbox.addFault({ action, operation: "addWebhook", times: null });
        const running = terraform.beginApply();
        await vi.waitFor(() => expect(sandbox.requests().some(({ method }) => method === "POST")).toBe(true), {
          timeout: 60_000,
          interval: 10,
        });
        running.kill();
        sandbox.clearFaults();
        const applied = await terraform.apply();
        // What is under way comes to its end.
        await vi.waitFor(() => expect(running.providers()).toEqual([]), { timeout: 30_000, interval: 100 });
        await new Promise((resolve) => setTimeout(resolve, 7000));
        expect([applied.status, applied.words]).toEqual([0, expect.stringContaining("Apply complete!")]);
        expect(
          sandbox
            .webhooks()
            .map(({ targetUrl }) => targetUrl)
            .toSorted(),
        ).toEqual(NAMES.map((name) => `https://${name}.example.com/`).toSorted());
        expect((await terraform.plan()).status).toBe(0);
      });
    }
  },
);
