import { expect, it } from "vitest";
import { openLiveList } from "../../../../src/core/apply/live/live-list.ts";
import type { LiveObject } from "../../../../src/core/model/definition.ts";
import type { ScopeView, KnownCreate } from "../../../../src/frontends/terraform/journal/known-creates.ts";
import { openCreateRecovery } from "../../../../src/frontends/terraform/journal/create-recovery.ts";
import { NEVER, intent } from "../../../core/state/state-fixtures.ts";
import { listing, live, recorded, toy } from "../../../core/toy.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";

const LISTING_DELAY_MS = { answered: 10_000, unanswered: 60_000 };
const KITE = live("kite");

function create(name: string, more: Partial<KnownCreate> = {}): KnownCreate {
  const outcome: KnownCreate["outcome"] = { kind: "open", cause: "no answer", answered: false, lastAtMs: 0 };
  const place = { owner: "me", process: "own", unknownOwner: null } as const;
  return {
    name,
    intent: intent(1),
    before: { ids: new Set(), partial: false },
    problem: null,
    outcome,
    answered: false,
    lastAtMs: 0,
    ...place,
    ...more,
  };
}

/** A recovery, with what the service shows, what the journal has, and when the list was read. */
function openStory(shown: (nowMs: number) => readonly LiveObject[]) {
  const clock = virtualClock(0);
  const nothing: ScopeView = { creates: [], lostCreates: [], otherScopes: [], lists: {}, madeElsewhere: new Set() };
  const story = { clock, reads: [] as number[], known: nothing, newest: nothing };
  const client = {
    list: () => {
      story.reads.push(clock.now());
      return Promise.resolve(listing(shown(clock.now())));
    },
  };
  const recovery = openCreateRecovery(toy, {
    live: openLiveList(toy, client, () => new Set()),
    journal: { known: () => Promise.resolve(story.known), reread: () => Promise.resolve(story.newest) },
    clock,
    listingDelayMs: LISTING_DELAY_MS,
    signal: NEVER,
    isManaged: () => false,
    isNoted: () => Promise.resolve(false),
    made: () => undefined,
    unlisted: () => [],
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
  const made = create("other#1", {
    owner: "alive",
    process: "other",
    outcome: { kind: "made", record: recorded("kite"), returned: "unknown" },
  });
  story.newest = { ...story.known, creates: [made] };
  expect((await recovery.decide(create("own#1"))).decision).toEqual({ kind: "none", proof: "proven" });
});

/** Looks for the first create, and once that is decided, for the second one. The journal has both, that one maybe in another state. */
async function oneAfterTheOther(
  first: KnownCreate,
  second: KnownCreate,
  {
    known = second,
    shown = () => [],
    pauseMs = 0,
  }: { readonly known?: KnownCreate; readonly shown?: Parameters<typeof openStory>[0]; readonly pauseMs?: number } = {},
) {
  const { story, recovery } = openStory(shown);
  story.known = story.newest = { ...story.known, creates: [first, known] };
  const decided = [(await recovery.decide(first)).decision];
  await story.clock.sleep(pauseMs, NEVER);
  decided.push((await recovery.decide(second)).decision);
  return { reads: story.reads, kinds: decided.map(({ kind }) => kind) };
}

/** A create of a process that ended. */
function left(name: string, more: Partial<KnownCreate> = {}): KnownCreate {
  return create(name, { owner: "nobody", process: null, answered: true, ...more });
}

it("the lists that decide one create decide all that ended processes left, as long as their listing delay was over", async () => {
  const { reads, kinds } = await oneAfterTheOther(left("other#1"), left("other#2", { lastAtMs: -1 }));
  expect([reads, kinds]).toEqual([
    [10_000, 10_000],
    ["none", "none"],
  ]);
});

const RUNNING = { owner: "alive", process: "other" } as const;
it.each<[string, { readonly known: KnownCreate; readonly asked: KnownCreate }]>([
  [
    "whose listing delay was not over",
    { known: left("other#2", { lastAtMs: 11 }), asked: left("other#2", { lastAtMs: 11 }) },
  ],
  ["whose process still ran", { known: left("other#2", RUNNING), asked: left("other#2") }],
  [
    "that this process sent",
    { known: create("own#2", { answered: true }), asked: create("own#2", { answered: true }) },
  ],
])("lists prove nothing about a create %s when they were begun", async (_what, { known, asked }) => {
  const { reads } = await oneAfterTheOther(left("other#1"), asked, { known });
  expect(reads).toEqual([10_000, 10_000, expect.closeTo(10_010, -1), expect.closeTo(10_010, -1)]);
});

it("old lists decide nothing, and neither do lists that could not be read, or that leave it open", async () => {
  const both = [left("other#1"), left("other#2")] as const;
  expect((await oneAfterTheOther(...both, { pauseMs: 60_000 })).reads).toHaveLength(4);
  const failing = (nowMs: number): readonly LiveObject[] => {
    if (nowMs === LISTING_DELAY_MS.answered) throw new Error("no answer");
    return [];
  };
  expect((await oneAfterTheOther(...both, { shown: failing })).kinds).toEqual(["open", "none"]);
  const early = (nowMs: number): readonly LiveObject[] => (nowMs === LISTING_DELAY_MS.answered ? [KITE] : []);
  expect((await oneAfterTheOther(...both, { shown: early })).kinds).toEqual(["open", "none"]);
});
