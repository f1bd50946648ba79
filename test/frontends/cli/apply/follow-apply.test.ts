import { describe, expect, test } from "vitest";
import type { Step } from "../../../../src/core/plan/plan.ts";
import { followApply } from "../../../../src/frontends/cli/plans/apply-and-show.ts";
import { logLine } from "../../../../src/output/content/progress-text.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";

const NEVER = new AbortController().signal;

function step(name: string): Step {
  const address = `outreach_webhook.${name}`;
  return {
    action: "create",
    address,
    type: "outreach_webhook",
    provider: "outreach",
    because: [],
    masked: [],
    after: {},
  };
}

/** Follows three creates, and notes when what is said. */
function following(isLive: boolean) {
  const clock = virtualClock();
  const said: string[] = [];
  const at = (): string => `${String(clock.monotonicMs() / 1000)}s`;
  const view = {
    isLive,
    progress: () => undefined,
    still: (
      counts: Parameters<typeof logLine>[0],
      inFlight: readonly { readonly address: string; readonly elapsedMs: number }[],
    ) =>
      void said.push(
        `${at()} ${logLine(counts)} (${inFlight.map(({ address, elapsedMs }) => `${address} ${String(elapsedMs / 1000)}s`).join(", ")})`,
      ),
  };
  const { report, end } = followApply(clock, view, { steps: [step("a"), step("b"), step("c")] });
  const tell = (kind: "start" | "complete" | "errored", name: string): void =>
    report({ kind, phase: "create", address: `outreach_webhook.${name}`, id: null, elapsedMs: 0 });
  return { clock, said, tell, end, pass: (seconds: number) => clock.sleep(seconds * 1000, NEVER) };
}

describe("off a terminal", () => {
  test("how far an apply has come is said every ten seconds, with what is under way", async () => {
    const { said, tell, pass, end } = following(false);
    tell("start", "a");
    await pass(5);
    tell("complete", "a");
    tell("start", "b");
    await pass(7);
    tell("errored", "b");
    tell("start", "c");
    await pass(9);
    expect(said).toEqual([
      "10s Still applying: 1 of 3 done, 10s elapsed, 0.1 a second, about 20s left (outreach_webhook.b 5s)",
      "20s Still applying: 2 of 3 done, 1 of them failed, 20s elapsed, 0.1 a second, about 10s left (outreach_webhook.c 8s)",
    ]);
    tell("complete", "c");
    await pass(30);
    expect(said).toHaveLength(2);
    await end();
  });

  test("nothing is said of an apply that is over sooner", async () => {
    const { said, tell, pass, end, clock } = following(false);
    for (const name of ["a", "b", "c"]) {
      tell("start", name);
      await pass(3);
      tell("complete", name);
    }
    await end();
    expect(said).toEqual([]);
    expect(clock.monotonicMs()).toBe(9000);
  });
});

test("on a terminal the line is redrawn after each step and each second", async () => {
  const { said, tell, pass, end } = following(true);
  tell("start", "a");
  await pass(2.5);
  tell("complete", "a");
  expect(said.map((line) => line.replace(" Still applying:", "").replace(/ done.*/, ""))).toEqual([
    "0s 0 of 3",
    "1s 0 of 3",
    "2s 0 of 3",
    "2.5s 1 of 3",
  ]);
  await end();
});
