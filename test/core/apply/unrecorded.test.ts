import { expect, test } from "vitest";
import { type SeenLock, waitsForApply } from "../../../src/core/apply/recovery/unrecorded.ts";
import type { HeldLockInfo } from "../../../src/core/state/state-store.ts";
import { document, intent } from "../state/state-fixtures.ts";
import { virtualClock } from "../virtual-clock.ts";

const NOW_MS = Date.parse("2026-07-01T12:00:00Z");
const MINUTE_MS = 60_000;
const ago = (minutes: number): string => new Date(NOW_MS - minutes * MINUTE_MS).toISOString();
const lock = (fate: HeldLockInfo["fate"], since: string | null): HeldLockInfo => ({
  id: "lock-1",
  who: "ada",
  operation: "apply",
  since,
  holder: "ada on runner (apply)",
  fate,
});
const AT_WORK = ["run_at_work"];
const LEFT = ["lock_left"];

test.each<readonly [string, SeenLock | "own", sentMinutesAgo: number, waits: boolean, codes: readonly string[]]>([
  ["this run has the lock", "own", 0, true, []],
  ["nobody has the lock", null, 0, true, []],
  ["its holder has ended", lock("ended", ago(0)), 0, true, []],
  ["its holder runs, however long", lock("running", ago(600)), 600, false, AT_WORK],
  ["its holder cannot be checked", lock("unknown", ago(59)), 600, false, AT_WORK],
  ["its holder has sent something since", lock("unknown", ago(600)), 59, false, AT_WORK],
  ["its holder has been quiet for an hour", lock("unknown", ago(60)), 60, true, LEFT],
  ["the lock has no time", lock("unknown", null), 59, false, AT_WORK],
  ["the lock has no time, and is an hour old", lock("unknown", null), 60, true, LEFT],
  ["the lock has a time that nobody can read", lock("unknown", "yesterday"), 60, true, LEFT],
  ["the lock cannot be seen", "hidden", 59, false, AT_WORK],
  ["the lock cannot be seen for an hour", "hidden", 60, true, LEFT],
])("an outcome where %s", async (_, held, sentMinutesAgo, waits, codes) => {
  const clock = { ...virtualClock(), now: () => NOW_MS };
  const open = {
    document: document({ pending: [intent(4, { sentAtMs: NOW_MS - sentMinutesAgo * MINUTE_MS })] }),
    restored: null,
  };
  const found = await waitsForApply(open, {
    clock,
    ...(held === "own" ? {} : { seenLock: () => Promise.resolve(held) }),
  });
  expect([found.waits, found.diagnostics.map(({ code }) => code)]).toEqual([waits, codes]);
  const ways = found.diagnostics.flatMap((one) => one.ways ?? []);
  expect(ways).toEqual(codes === LEFT ? [{ kind: "unlock", id: held === "hidden" ? "LOCK_ID" : "lock-1" }] : []);
});
