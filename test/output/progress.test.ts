import { expect, test } from "vitest";
import type { ProgressEvent } from "../../src/output/content/output-format.ts";
import { liveLine, logLine, progressText } from "../../src/output/content/progress-text.ts";

const START: ProgressEvent = {
  kind: "start",
  phase: "create",
  address: "outreach_webhook.crm",
  id: null,
  elapsedMs: 0,
};

test.each<readonly [ProgressEvent, string]>([
  [START, "outreach_webhook.crm: Creating..."],
  [
    { ...START, kind: "complete", id: "hoo_1", elapsedMs: 1400 },
    "outreach_webhook.crm: Creation complete after 1s [id=hoo_1]",
  ],
  [
    { ...START, kind: "complete", id: "hoo_1", elapsedMs: 100, gapMs: 131.2 },
    "outreach_webhook.crm: Creation complete after 0s (gap 0.14 s) [id=hoo_1]",
  ],
  [
    { ...START, kind: "complete", id: "hoo_1", elapsedMs: 61_000, gapMs: 60_500 },
    "outreach_webhook.crm: Creation complete after 1m01s (gap 60.50 s) [id=hoo_1]",
  ],
  [{ ...START, kind: "errored", elapsedMs: 65_000 }, "outreach_webhook.crm: Creation errored after 1m05s"],
  [
    { ...START, kind: "unsure", elapsedMs: 30_000 },
    "outreach_webhook.crm: Creation without a definite answer after 30s",
  ],
  [{ ...START, phase: "delete", id: "hoo_1" }, "outreach_webhook.crm: Destroying... [id=hoo_1]"],
  [{ ...START, phase: "delete", kind: "complete" }, "outreach_webhook.crm: Destruction complete after 0s"],
  [{ ...START, address: 'outreach_webhook.a["\u202e"]' }, 'outreach_webhook.a["\u{fffd}"]: Creating...'],
])("the line about one address: %#", (event, text) => {
  expect(progressText(event)).toBe(text);
});

test.each([
  [{ done: 0, total: 300, failed: 0, elapsedMs: 0 }, "0/300", "Still applying: 0 of 300 done, 0s elapsed"],
  [{ done: 0, total: 300, failed: 0, elapsedMs: 10_000 }, "0/300", "Still applying: 0 of 300 done, 10s elapsed"],
  [
    { done: 100, total: 300, failed: 0, elapsedMs: 10_000 },
    "100/300 · 10.0/s · 20s left",
    "Still applying: 100 of 300 done, 10s elapsed, 10.0 a second, about 20s left",
  ],
  [
    { done: 1, total: 61, failed: 1, elapsedMs: 2000 },
    "1/61 · 1 failed · 0.5/s · 2m00s left",
    "Still applying: 1 of 61 done, 1 of them failed, 2s elapsed, 0.5 a second, about 2m00s left",
  ],
  [
    { done: 10, total: 72_010, failed: 0, elapsedMs: 1000 },
    "10/72010 · 10.0/s · 2h00m left",
    "Still applying: 10 of 72010 done, 1s elapsed, 10.0 a second, about 2h00m left",
  ],
  [
    { done: 300, total: 300, failed: 0, elapsedMs: 30_000 },
    "300/300 · 10.0/s",
    "Still applying: 300 of 300 done, 30s elapsed, 10.0 a second",
  ],
])("how far an apply has come: %#", (counts, live, log) => {
  expect([liveLine(counts), logLine(counts)]).toEqual([live, log]);
});
