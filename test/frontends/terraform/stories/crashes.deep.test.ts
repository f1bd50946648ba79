import { describe, expect, vi } from "vitest";
import type { FaultAction } from "../../../../src/sandbox/faults.ts";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type RunningTerraform, type TerraformUnderTest, isRunning } from "../terraform-under-test.ts";
import { live, story, webhook } from "./story.ts";

const NAMES = ["one", "two", "three"];
const DECLARED = NAMES.map((name) => webhook(name, ['secret = "s3cret"'])).join("");

/** Waits until the sandbox holds a request of this method, whatever became of it. */
function waitForRequest(sandbox: Sandbox, method: string, count = 1): Promise<void> {
  return vi.waitFor(
    () =>
      expect(sandbox.requests().filter((request) => request.method === method).length).toBeGreaterThanOrEqual(count),
    {
      timeout: 60_000,
      interval: 10,
    },
  );
}

function killProviders(running: RunningTerraform): void {
  const pids = running.providers();
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

/** One live webhook for each declaration, and nothing left to do. */
async function converges(sandbox: Sandbox, terraform: TerraformUnderTest): Promise<void> {
  const applied = await terraform.apply();
  expect([applied.status, applied.output]).toEqual([0, expect.stringContaining("Apply complete!")]);
  expect(
    sandbox
      .webhooks()
      .map(({ targetUrl }) => targetUrl)
      .toSorted(),
  ).toEqual(NAMES.map((name) => `https://${name}.example.com/`).toSorted());
  const planned = await terraform.plan();
  expect([planned.status, planned.output]).toEqual([0, expect.stringContaining("No changes.")]);
}

const HELD: FaultAction = { kind: "late", delayMs: 1500 };
/** Longer than the test. */
const NEVER: FaultAction = { kind: "late", delayMs: 3_600_000 };

describe.concurrent("the provider is killed in the middle of an apply", { timeout: 300_000 }, () => {
  story("after it has sent a create that the service carries out later", async ({ sandbox, terraform }) => {
    terraform.environment = { ...terraform.environment, OUTREACH_SETTLE: "2s" };
    terraform.write("main.tf", DECLARED);
    sandbox.addFault({ action: HELD, operation: "addWebhook", times: null });
    const running = terraform.beginApply();
    await waitForRequest(sandbox, "POST");
    killProviders(running);
    expect((await running.ended).status).toBe(1);
    sandbox.clearFaults();
    await converges(sandbox, terraform);
  });

  story("after a create that Terraform has not stored yet", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", DECLARED);
    sandbox.addFault({ action: NEVER, operation: "addWebhook", skip: 1, times: null });
    const running = terraform.beginApply("-parallelism=2");
    await waitForRequest(sandbox, "POST", 2);
    killProviders(running);
    running.kill();
    await running.ended;
    sandbox.clearFaults();
    await converges(sandbox, terraform);
  });
});

describe.concurrent("terraform is killed in the middle of an apply", { timeout: 300_000 }, () => {
  for (const [when, action, times] of [
    ["while creates are under way", HELD, null],
    ["when one is created and others are under way", HELD, 2],
  ] as const) {
    story(
      `${when}: its provider ends by itself, and the next apply doubles nothing`,
      async ({ sandbox, terraform }) => {
        terraform.write("main.tf", DECLARED);
        sandbox.addFault({ action, operation: "addWebhook", when: "after", times, skip: times === null ? 0 : 1 });
        const running = terraform.beginApply();
        await waitForRequest(sandbox, "POST", 3);
        const providers = running.providers();
        expect(providers).not.toEqual([]);
        running.kill();
        await vi.waitFor(() => expect(providers.filter(isRunning)).toEqual([]), { timeout: 30_000, interval: 100 });
        sandbox.clearFaults();
        // Terraform locks its state by the file system, which lets go with the process.
        await converges(sandbox, terraform);
        expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(3);
      },
    );
  }
});

describe.concurrent("an answer is lost", { timeout: 300_000 }, () => {
  story("and the webhook is found: it is recorded, and not sent again", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("one"));
    sandbox.addFault({ action: { kind: "drop" }, operation: "addWebhook", when: "after" });
    const { status, output } = await terraform.apply();
    expect([status, output]).toEqual([0, expect.stringContaining("Warning: ")]);
    expect((await terraform.attributes("outreach_webhook.one"))["id"]).toBe(live(sandbox, "one")?._id);
    expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(1);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("and the webhook is not there: it is sent once more", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("one"));
    sandbox.addFault({ action: { kind: "drop" }, operation: "addWebhook" });
    expect((await terraform.apply()).status).toBe(0);
    expect(sandbox.webhooks()).toHaveLength(1);
    expect((await terraform.plan()).status).toBe(0);
  });

  story("and the list cannot be read: an error, and the next plan finds it", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("one"));
    sandbox.addFault({ action: { kind: "drop" }, operation: "addWebhook", when: "after" });
    sandbox.addFault({ action: { kind: "answer", status: 500 }, operation: "listWebhooks", skip: 2, times: null });
    const lost = await terraform.apply();
    expect(lost.status).toBe(1);
    expect(await terraform.addresses()).toEqual(["outreach_webhook.one"]);
    sandbox.clearFaults();
    expect((await terraform.run("untaint", "outreach_webhook.one")).status).toBe(0);
    expect((await terraform.apply()).status).toBe(0);
    expect(sandbox.webhooks()).toHaveLength(1);
    expect((await terraform.plan()).status).toBe(0);
    expect(sandbox.requests().filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  story(
    "the same without untaint: Terraform replaces it, and one is live in the end",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("one"));
      sandbox.addFault({ action: { kind: "drop" }, operation: "addWebhook", when: "after" });
      sandbox.addFault({ action: { kind: "answer", status: 500 }, operation: "listWebhooks", skip: 2, times: null });
      expect((await terraform.apply()).status).toBe(1);
      sandbox.clearFaults();
      expect((await terraform.apply()).status).toBe(0);
      expect(sandbox.webhooks()).toHaveLength(1);
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  for (const [what, options] of [
    ["without a refresh", ["-refresh=false"]],
    ["while the list cannot be read, and then once more", []],
  ] as const) {
    story(`the same, replaced ${what}: one is live in the end`, async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("one"));
      sandbox.addFault({ action: { kind: "drop" }, operation: "addWebhook", when: "after" });
      sandbox.addFault({ action: { kind: "answer", status: 500 }, operation: "listWebhooks", skip: 2, times: null });
      expect((await terraform.apply()).status).toBe(1);
      if (options.length === 0) expect((await terraform.apply()).status).toBe(1);
      sandbox.clearFaults();
      const { status, words } = await terraform.apply(...options);
      expect([status, words]).toEqual([0, expect.stringContaining("Apply complete!")]);
      expect(sandbox.webhooks()).toHaveLength(1);
      expect((await terraform.plan()).status).toBe(0);
    });
  }
});
