import { describe, expect } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type EventStream, startEvents } from "../../../scenarios/event-stream.ts";
import { type RotatingReceiver, startRotatingReceiver } from "../../../scenarios/rotating-receiver.ts";
import type { TerraformUnderTest } from "../terraform-under-test.ts";
import { live, story, webhook, writes } from "./story.ts";

const CREATE_BEFORE_DESTROY = "lifecycle {\n    create_before_destroy = true\n  }";
const [LATENCY_MS, SOME] = [200, 25];

interface Rotated {
  readonly stream: EventStream;
  readonly receiver: RotatingReceiver;
  /** The ids of the events that the receiver never got. */
  readonly lost: readonly string[];
}

describe.concurrent("50 events a second while a secret rotates", { timeout: 300_000 }, () => {
  story("create_before_destroy loses none; duplicates have the same id", async ({ sandbox, terraform }) => {
    const { stream, receiver, lost } = await rotate({ sandbox, terraform, lines: [CREATE_BEFORE_DESTROY] });
    expect([writes(sandbox), lost]).toEqual([["POST /hooks", "DELETE /hooks/ID"], []]);
    const seen = receiver.duplicates.map((key) => stream.events.find(({ id }) => key.includes(id)));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((event) => event?.webhooks !== 2)).toEqual([]);
  });

  story("the default order loses exactly those between the delete and the create", async ({ sandbox, terraform }) => {
    const { stream, receiver, lost } = await rotate({ sandbox, terraform, lines: [] });
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost).toEqual(stream.events.flatMap(({ id, webhooks }) => (webhooks === 0 ? [id] : [])));
    expect(receiver.duplicates).toEqual([]);
  });
});

/** Rotates the secret of a webhook while events flow to its receiver, which accepts both secrets. */
async function rotate({
  sandbox,
  terraform,
  lines,
}: {
  readonly sandbox: Sandbox;
  readonly terraform: TerraformUnderTest;
  readonly lines: readonly string[];
}): Promise<Rotated> {
  const receiver = await startRotatingReceiver(["the-old-secret", "the-new-secret"]);
  const declare = (secret: string): void =>
    terraform.write(
      "main.tf",
      webhook("crm", ['type = "emailsReplied"', `secret = "${secret}"`, ...lines], receiver.url),
    );
  declare("the-old-secret");
  expect((await terraform.apply()).status).toBe(0);
  sandbox.clearRequests();
  // The sandbox drops the queue of a webhook that is deleted: no event waits in it, on a slow machine too. One attempt each, so that each failure shows.
  sandbox.configure({
    latency: { minMs: LATENCY_MS, maxMs: LATENCY_MS },
    delivery: { concurrency: 100, retriesMs: [] },
  });
  const stream = startEvents(sandbox, ["emailsReplied"]);
  try {
    await stream.more(SOME);
    declare("the-new-secret");
    expect((await terraform.apply()).status).toBe(0);
    await stream.more(SOME);
  } finally {
    await stream.end();
    receiver.close();
  }
  expect(receiver.failures).toEqual([]);
  expect(sandbox.webhooks()).toMatchObject([{ secret: "the-new-secret" }]);
  const handled = new Set(receiver.handled.map(({ _id }) => _id));
  return { stream, receiver, lost: stream.events.flatMap(({ id }) => (handled.has(id) ? [] : [id])) };
}

describe.concurrent("a version of the write-only secret", { timeout: 300_000 }, () => {
  const VERSIONS = [
    ["a time in nanoseconds", "1764403200123456789", "1764403200123456790"],
    ["a hash", "340282366920938463463374607431768211455", "340282366920938463463374607431768211454"],
    ["a number that a float holds in more digits than it needs", "1764403200123456768", "1764403200123457024"],
    ["a number beyond 64 bits", "36893488147419103232", "73786976294838206464"],
    ["a fraction", "1764403200.123456789", "1764403200.12345679"],
    ["a small fraction that a float holds", "0.00000095367431640625", "0.000000476837158203125"],
  ] as const;
  for (const [what, first, second] of VERSIONS)
    story(`that is ${what} is kept exactly, and replaces only where it changes`, async ({ sandbox, terraform }) => {
      const version = (number: string, secret: string) =>
        terraform.write("main.tf", webhook("crm", [`secret_wo = "${secret}"`, `secret_wo_version = ${number}`]));
      version(first, "one");
      expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
      expect((await terraform.plan()).status).toBe(0);
      version(second, "two");
      expect((await terraform.apply()).output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
      expect((await terraform.plan()).status).toBe(0);
      expect(live(sandbox, "crm")?.secret).toBe("two");
    });
});
