import { describe, expect, vi } from "vitest";
import { isRunning } from "../terraform-under-test.ts";
import { story, webhook } from "./story.ts";

const NAMES = ["one", "two", "three", "four"];
const DECLARED = NAMES.map((name) => webhook(name)).join("");

describe.concurrent("Ctrl-C in the middle of an apply", { timeout: 300_000 }, () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    story(
      `once, by ${signal}: what is under way is finished and recorded, the rest is left, and the next apply goes on`,
      async ({ sandbox, terraform }) => {
        terraform.write("main.tf", DECLARED);
        sandbox.addFault({
          action: { kind: "late", delayMs: 1000 },
          operation: "addWebhook",
          when: "after",
          times: null,
        });
        const running = terraform.beginApply("-parallelism=2");
        await vi.waitFor(() => expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(2), {
          timeout: 60_000,
          interval: 10,
        });
        running.interrupt(signal);
        const stopped = await running.ended;
        expect(stopped.status).toBe(1);
        expect(stopped.output).toContain("Interrupt received.");
        expect(sandbox.webhooks()).toHaveLength(2);
        expect(await terraform.addresses()).toHaveLength(2);
        sandbox.clearFaults();
        expect((await terraform.apply()).output).toContain("Resources: 2 added, 0 changed, 0 destroyed.");
        expect(sandbox.webhooks()).toHaveLength(4);
        expect((await terraform.plan()).status).toBe(0);
      },
    );

  story(
    "twice: terraform exits at once, its provider too, and the next apply doubles nothing",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", DECLARED);
      sandbox.addFault({
        action: { kind: "late", delayMs: 1500 },
        operation: "addWebhook",
        when: "after",
        times: null,
      });
      const running = terraform.beginApply();
      await vi.waitFor(() => expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(4), {
        timeout: 60_000,
        interval: 10,
      });
      const providers = running.providers();
      running.interrupt();
      await vi.waitFor(() => expect(running.output).toContain("Interrupt received."), {
        timeout: 60_000,
        interval: 10,
      });
      running.interrupt();
      expect((await running.ended).status).toBe(1);
      await vi.waitFor(() => expect(providers.filter(isRunning)).toEqual([]), { timeout: 30_000, interval: 100 });
      sandbox.clearFaults();
      const applied = await terraform.apply();
      expect([applied.status, applied.output]).toEqual([0, expect.stringContaining("Apply complete!")]);
      expect(
        sandbox
          .webhooks()
          .map(({ targetUrl }) => targetUrl)
          .toSorted(),
      ).toEqual(NAMES.map((name) => `https://${name}.example.com/`).toSorted());
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  story(
    "by a terminal that closes: the provider ends, and the next apply doubles nothing",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", DECLARED);
      sandbox.addFault({
        action: { kind: "late", delayMs: 1500 },
        operation: "addWebhook",
        when: "after",
        times: null,
      });
      const running = terraform.beginApply();
      await vi.waitFor(() => expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(4), {
        timeout: 60_000,
        interval: 10,
      });
      const providers = running.providers();
      running.interrupt("SIGHUP");
      await running.ended;
      await vi.waitFor(() => expect(providers.filter(isRunning)).toEqual([]), { timeout: 30_000, interval: 100 });
      sandbox.clearFaults();
      expect((await terraform.apply()).output).toContain("Apply complete!");
      expect(sandbox.webhooks()).toHaveLength(4);
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  story("while a plan reads: it stops at once, and nothing was sent", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", DECLARED);
    await terraform.apply();
    sandbox.clearRequests();
    sandbox.addFault({ action: { kind: "late", delayMs: 3_600_000 }, operation: "listWebhooks", times: null });
    const running = terraform.begin("plan", "-no-color", "-input=false");
    await vi.waitFor(() => expect(sandbox.requests()).not.toEqual([]), { timeout: 60_000, interval: 10 });
    running.interrupt();
    expect((await running.ended).status).toBe(1);
    expect(sandbox.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    sandbox.clearFaults();
    expect((await terraform.plan()).status).toBe(0);
  });
});
