import { expect, it } from "vitest";
import { openLiveList } from "../../../../src/core/apply/live/live-list.ts";
import type { LiveObject } from "../../../../src/core/model/definition.ts";
import type { Known, KnownCreate } from "../../../../src/frontends/terraform/journal/known-creates.ts";
import { openRecovery } from "../../../../src/frontends/terraform/journal/recovery.ts";
import { NEVER, intent } from "../../../core/state/state-fixtures.ts";
import { listing, live, recorded, toy } from "../../../core/toy.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";

const LISTING_DELAY_MS = { answered: 10_000, unanswered: 60_000 };
const KITE = live("kite");

function create(name: string, more: Partial<KnownCreate> = {}): KnownCreate {
  const outcome: KnownCreate["outcome"] = { kind: "open", cause: "no answer", answered: false, lastAtMs: 0 };
  const place = { standing: "begun", process: "own", hidden: null } as const;
  return { name, intent: intent(1), before: { ids: new Set(), partial: false }, problem: null, outcome, answered: false, lastAtMs: 0, ...place, ...more };
}

/** A recovery, with what the service shows, what the journal has, and when the list was read. */
function openStory(shown: (nowMs: number) => readonly LiveObject[]) {
  const clock = virtualClock(0);
  const nothing: Known = { creates: [], lostCreates: [], elsewhere: [] };
  const story = { clock, reads: [] as number[], known: nothing, newest: nothing };
  const client = {
    list: () => {
      story.reads.push(clock.now());
      return Promise.resolve(listing(shown(clock.now())));
    },
  };
  const recovery = openRecovery(toy, {
    live: openLiveList(toy, client, () => new Set()),
    journal: { known: () => Promise.resolve(story.known), look: () => Promise.resolve(story.newest) },
    clock,
    listingDelayMs: LISTING_DELAY_MS,
    signal: NEVER,
    isManaged: () => false,
    isMarked: () => Promise.resolve(false),
    made: () => undefined,
  });
  return { story, recovery };
}

it("a create is looked for only once the list shows what it made", async () => {
  const { story, recovery } = openStory((nowMs) => (nowMs >= LISTING_DELAY_MS.unanswered ? [KITE] : []));
  expect((await recovery.decide(create("own#1"))).decision).toMatchObject({ kind: "found", object: { id: KITE.id } });
  expect(story.reads).toEqual([60_000, 60_000]);
});

it("creates that are looked for together wait for the last of them", async () => {
  const { story, recovery } = openStory(() => []);
  const answered = create("own#1", { answered: true });
  const first = recovery.decide(answered);
  const second = recovery.decide(create("own#2", { answered: true, lastAtMs: 5000 }));
  expect([(await first).decision.kind, (await second).decision.kind]).toEqual(["none", "none"]);
  expect(story.reads).toEqual([15_000, 15_000]);
});

it("an object that another process has found in the meantime is not taken", async () => {
  const { story, recovery } = openStory(() => [KITE]);
  const made = create("other#1", { standing: "running", process: "other", outcome: { kind: "made", record: recorded("kite"), claim: "unknown" } });
  story.newest = { ...story.known, creates: [made] };
  expect((await recovery.decide(create("own#1"))).decision).toEqual({ kind: "none" });
});
