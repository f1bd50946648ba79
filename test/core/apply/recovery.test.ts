import { describe, expect, test } from "vitest";
import { openLiveList } from "../../../src/core/apply/live/live-list.ts";
import { undecidedWriteDiagnostic } from "../../../src/core/plan/undecided.ts";
import type { RecoveryPorts } from "../../../src/core/apply/recovery/recovery-context.ts";
import { recover, unconfirmedIrreversible } from "../../../src/core/apply/recovery/recovery.ts";
import { checkLostCreates } from "../../../src/core/apply/recovery/lost-creates.ts";
import type { LiveListing, LiveObject } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import type { LostCreate } from "../../../src/core/state/lost-create.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { type Intent, type JournalEvent, pendingIntents } from "../../../src/core/state/journal-event.ts";
import { type OpenState, withDocument } from "../../../src/core/state/open-state.ts";
import { HOLDER, NEVER, document, intent, processOf } from "../state/state-fixtures.ts";
import { listing, live, recorded } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type Shop, shopCatalog, shout, shouted, thing } from "./shop-things.ts";
import { cpuCost } from "../../cpu-cost.ts";

const START = 1_700_000_000_000;
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const httpDate = (seconds: number): string => new Date(START + seconds * 1000).toUTCString();
const DELAY = { answered: 10_000, unanswered: 60_000 };

interface Setting {
  readonly events: readonly JournalEvent[];
  readonly instances?: readonly RecordedInstance[];
  readonly document?: Partial<StateDocument>;
  /** What each list in turn shows; the last one stands for all that follow. An error is thrown. */
  readonly lists?: readonly (LiveListing | Error)[];
  readonly startMs?: number;
  readonly sender?: OpenState["sender"];
  readonly more?: Partial<RecoveryPorts>;
}

/** Recovers from what a journal tells. */
async function recovering({
  events,
  instances = [],
  document: other = {},
  lists = [listing([])],
  startMs = START + 600_000,
  sender,
  more,
}: Setting) {
  const clock = virtualClock(startMs);
  const asked: (boolean | undefined)[] = [];
  const shop: Pick<Shop, "list"> = {
    list: async (_, confirm) => {
      const next = lists[Math.min(asked.length, lists.length - 1)];
      asked.push(confirm);
      await Promise.resolve();
      if (!next || next instanceof Error) throw next ?? new Error("no list");
      return next;
    },
  };
  const list = openLiveList(thing, shop, () => new Set());
  const base: OpenState = {
    document: document({ instances, journalSeq: 0, ...other }),
    version: "1",
    journal: null,
    restored: null,
    pending: [],
    run: "run-1",
    ...(sender ? { sender } : {}),
  };
  const open = withDocument(base, fold(base.document, events));
  const recovered = await recover(open, {
    catalog: shopCatalog,
    live: () => list,
    clock,
    process: processOf(),
    listingDelayMs: DELAY,
    signal: NEVER,
    ...more,
  });
  return { ...recovered, open, asked, slept: clock.slept, clock };
}

const KITE = {
  name: "kite",
  room: null,
  shiny: null,
  secret: { $secret: "aa" },
  secret_wo: null,
  allow_duplicate: null,
  rotation: null,
  id: null,
  made_at: null,
};
const listed = (...ids: readonly string[]): JournalEvent => ({ seq: 1, kind: "listed", ids });
const create = (seq: number, more: Partial<Intent> = {}): JournalEvent =>
  intent(seq, { planned: KITE, listed: 1, sentAtMs: START, serverDate: httpDate(0), ...more });
const found = (id: string, madeAt = at(1), more = {}): LiveObject => live("kite", { id, made_at: madeAt, ...more });
const addresses = ({ instances }: StateDocument) => instances.map(({ address, id }) => [address, id]);
const codes = (diagnostics: readonly { readonly code: string }[]) => diagnostics.map(({ code }) => code);

describe("the wait before a list is believed", () => {
  const unanswered = [listed(), create(2)];
  const answered = [
    ...unanswered,
    { seq: 3, kind: "undecided", of: 2, cause: "502", answered: true, atMs: START + 1000 } as const,
  ];
  const timedOut = [
    ...unanswered,
    { seq: 3, kind: "undecided", of: 2, cause: "timeout", answered: false, atMs: START + 30_000 } as const,
  ];
  test.each<readonly [string, readonly JournalEvent[], number, readonly number[]]>([
    ["10 s after an answer that told nothing", answered, 1000, [10_000]],
    ["the rest of them when some have passed", answered, 4000, [7000]],
    ["none when they have passed", answered, 11_000, []],
    ["60 s after a time-out", timedOut, 30_000, [60_000]],
    ["60 s after the request when the run was killed", unanswered, 5000, [55_000]],
    ["never more than that, even when the clock was set back", answered, -86_400_000, [10_000]],
  ])("is %s", async (_, events, nowMs, slept) => {
    expect((await recovering({ events, startMs: START + nowMs })).slept).toEqual(slept);
  });

  test("begins when a request that was announced can no longer be sent, even if the list has no delay: its run may still be sending", async () => {
    const ahead = [listed(), create(2, { ahead: true, sentAtMs: START + 10_000 })];
    const noDelay = { listingDelayMs: { answered: 0, unanswered: 0 } };
    expect((await recovering({ events: ahead, startMs: START + 2000, more: noDelay })).slept).toEqual([8000]);
    expect((await recovering({ events: ahead, startMs: START + 11_000, more: noDelay })).slept).toEqual([]);
    expect((await recovering({ events: ahead, startMs: START + 2000 })).slept).toEqual([68_000]);
    expect((await recovering({ events: ahead, startMs: START - 86_400_000, more: noDelay })).slept).toEqual([10_000]);
  });

  test.each([
    ["has ended", HOLDER, [], 60_000],
    ["still runs", HOLDER, ["10/100"], 68_000],
    ["ran on another machine", { ...HOLDER, host: "there" }, [], 68_000],
    ["is not known", undefined, [], 68_000],
  ])("when the process that announced them %s", async (_, sender, alive, sleptMs) => {
    const events = [listed(), create(2, { ahead: true, sentAtMs: START + 10_000 })];
    const more = { process: processOf(alive, { pid: 11, startedAt: "101" }) };
    const { slept } = await recovering({ events, startMs: START + 2000, sender, more });
    expect(slept).toEqual([sleptMs]);
  });

  test("is one for all, and is announced before", async () => {
    const told: number[] = [];
    const { slept } = await recovering({
      events: [listed(), create(2), create(3, { key: { name: "doll" }, sentAtMs: START + 5000 })],
      startMs: START + 6000,
      more: { waiting: (ms) => void told.push(ms) },
    });
    expect([slept, told]).toEqual([[59_000], [59_000]]);
  });

  test("ends at once with an interruption, and everything stays open", async () => {
    const { undecided, changed, asked } = await recovering({
      events: unanswered,
      startMs: START,
      more: { signal: AbortSignal.abort(new Error("stop")) },
    });
    expect([undecided.length, changed, asked]).toEqual([1, false, []]);
  });

  test("fails with a clock that fails", async () => {
    const clock = { ...virtualClock(START), sleep: () => Promise.reject(new Error("no timer")) };
    await expect(recovering({ events: unanswered, startMs: START, more: { clock } })).rejects.toThrow("no timer");
  });

  test("is followed by two lists, each asked for proof that it is whole", async () => {
    expect((await recovering({ events: unanswered })).asked).toEqual([true, true]);
  });
});

describe("nothing open", () => {
  test("asks for nothing and changes nothing", async () => {
    const { asked, slept, changed, document: after, open } = await recovering({ events: [] });
    expect([asked, slept, changed]).toEqual([[], [], false]);
    expect(after).toBe(open.document);
  });
});

describe("a create without an answer", () => {
  test("that left nothing becomes a lost-create record, which keeps of what was there before only what is alike", async () => {
    const {
      document: after,
      diagnostics,
      undecided,
    } = await recovering({
      events: [listed("old", "other"), create(2)],
      lists: [listing([found("old", at(-100)), live("doll", { id: "other" })])],
    });
    expect(after.lostCreates).toEqual([
      {
        type: "toy_thing",
        provider: "toy",
        address: "toy_thing.kite",
        key: { name: "kite", room: null },
        planned: KITE,
        preIds: ["old"],
        sentAtMs: START,
      },
    ]);
    expect([after.instances, after.pending, undecided]).toEqual([[], [], []]);
    expect(diagnostics).toMatchObject([{ severity: "note", code: "outcome_recovered", address: "toy_thing.kite" }]);
  });

  test("that left one object is recorded, with what its intent remembers", async () => {
    const events = [listed("old"), create(2, { masked: ["name"], lookups: { room: "the hall" } })];
    const {
      document: after,
      diagnostics,
      clock,
    } = await recovering({ events, lists: [listing([found("old"), found("new")])] });
    expect(after.instances).toEqual([
      {
        address: "toy_thing.kite",
        type: "toy_thing",
        provider: "toy",
        schemaVersion: 0,
        id: "new",
        attributes: { ...KITE, id: "new", made_at: at(1) },
        returned: { id: "new", name: "kite", room: null, made_at: at(1) },
        unobserved: [],
        assumed: [],
        recordedAtMs: clock.now(),
        masked: ["name"],
        lookups: { room: "the hall" },
      },
    ]);
    expect(after.pending).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "note", detail: expect.stringContaining("new is recorded") }]);
  });

  test("that left one object may leave a second one late, which is reported: somebody else may have made the first", async () => {
    const { document: after } = await recovering({
      events: [listed("old"), create(2)],
      lists: [listing([found("old", at(-100)), found("new")])],
    });
    expect(after.lostCreates).toMatchObject([{ address: "toy_thing.kite", preIds: ["old", "new"], found: true }]);
    const looked = (...objects: readonly LiveObject[]) =>
      checkLostCreates(after, {
        catalog: shopCatalog,
        listings: new Map([["toy_thing", listing(objects)]]),
        nowMs: START,
      }).diagnostics;
    expect(looked(found("old"), found("new"))).toEqual([]);
    expect(looked(found("new"), found("late"))).toMatchObject([
      { code: "late_duplicate", detail: expect.not.stringContaining("given up") },
    ]);
  });

  test("is found by its key as far as it is observed", async () => {
    const { document: after } = await recovering({
      events: [listed(), create(2, { key: { name: "KITE", room: "attic" } })],
      lists: [listing([live("kite", { id: "new", room: undefined, made_at: at(1) })])],
    });
    expect(addresses(after)).toEqual([["toy_thing.kite", "new"]]);
  });

  test("is found when only the second list shows it", async () => {
    const { document: after } = await recovering({
      events: [listed(), create(2)],
      lists: [listing([]), listing([found("new")])],
    });
    expect(addresses(after)).toEqual([["toy_thing.kite", "new"]]);
  });

  test.each<readonly [string, Partial<Setting>]>([
    ["is managed", { instances: [recorded("other", { name: "kite" }, { id: "new" })] }],
    [
      "is a deposed object of another",
      { instances: [recorded("other", {}, { deposed: [{ id: "new", attributes: {}, returned: {} }] })] },
    ],
    ["was there before", { events: [listed("new"), create(2)] }],
  ])("does not take what %s", async (_, more) => {
    const { document: after } = await recovering({
      events: [listed(), create(2)],
      lists: [listing([found("new")])],
      ...more,
    });
    expect(after.lostCreates).toHaveLength(1);
    expect(after.instances).toEqual(more.instances ?? []);
  });

  test.each<readonly [string, LiveObject, Partial<Intent>, boolean, number]>([
    [
      "made in the same second, of which the service tells only the second",
      found("new", at(0)),
      { serverDate: httpDate(0.9) },
      false,
      1,
    ],
    ["made a second before", found("new", at(-1)), {}, false, 0],
    ["made at a time that nobody tells", found("new", "then"), {}, false, 1],
    ["made at a time that nobody tells, after a list that may have been cut off", found("new", "then"), {}, true, 0],
    ["made later, after a list that may have been cut off", found("new", at(1)), {}, true, 1],
    ["seen by a service without a clock", found("new", at(-100)), { serverDate: "" }, false, 1],
  ])("of an object %s", async (_, object, more, partial, count) => {
    const before: JournalEvent = { seq: 1, kind: "listed", ids: [], ...(partial ? { partial: true as const } : {}) };
    const { document: after, undecided } = await recovering({
      events: [before, create(2, more)],
      lists: [listing([object])],
    });
    expect([after.instances.length, undecided.length]).toEqual([count, 1 - count]);
  });

  test("that may have made one of two objects stays open, and says what to do with each", async () => {
    const {
      document: after,
      undecided,
      changed,
    } = await recovering({ events: [listed(), create(2)], lists: [listing([found("b"), found("a")])] });
    expect([after.instances, after.lostCreates, changed]).toEqual([[], [], false]);
    expect(pendingIntents(after.pending)).toHaveLength(1);
    expect(undecided).toMatchObject([
      {
        address: "toy_thing.kite",
        type: "toy_thing",
        sent: "create",
        candidates: ["a", "b"],
        ways: [
          { kind: "adopt", address: "toy_thing.kite", id: "a" },
          { kind: "adopt", address: "toy_thing.kite", id: "b" },
          { kind: "retry", address: "toy_thing.kite", type: "toy_thing" },
          { kind: "forget", address: "toy_thing.kite" },
        ],
      },
    ]);
  });

  test.each<readonly [string, readonly (LiveListing | Error)[]]>([
    ["the list fails", [new Error("502")]],
    ["the second list fails", [listing([]), new Error("502")]],
    ["a list may be cut off", [listing([], false), listing([])]],
    ["the second list may be cut off", [listing([]), listing([], false)]],
  ])("stays open when %s, and nothing is lost", async (_, lists) => {
    const { document: after, undecided, open, changed } = await recovering({ events: [listed(), create(2)], lists });
    expect(changed).toBe(false);
    expect(after).toEqual(open.document);
    expect(undecided.map(undecidedWriteDiagnostic)).toMatchObject([
      { code: "outcome_pending", severity: "error", address: "toy_thing.kite" },
    ]);
  });

  test.each<readonly [string, Partial<Setting>, string]>([
    [
      "there are two objects",
      { lists: [listing([found("b"), found("a")])] },
      "1 such create is undecided, and the list shows b, a",
    ],
    [
      "there is one object for two creates",
      { events: [listed(), create(2), create(3, { address: "toy_thing.other" })], lists: [listing([found("a")])] },
      "2 such creates are undecided, and the list shows a",
    ],
    [
      "the object shows another value, which may be how the service returns it",
      { lists: [listing([found("a", at(1), { shiny: true })])] },
      "a matches it, but shows another shiny",
    ],
    ["the object is older", { lists: [listing([found("a", at(-2))])] }, "a matches it, but may have existed before"],
    [
      "an earlier create may have made it",
      {
        lists: [listing([found("a")])],
        document: {
          lostCreates: [
            {
              type: "toy_thing",
              provider: "toy",
              address: null,
              key: { name: "kite" },
              planned: {},
              preIds: [],
              sentAtMs: START,
            },
          ],
        },
      },
      "a may also have come from an earlier create that was given up",
    ],
    [
      "nobody knows what was there before",
      { events: [create(2, { listed: null })] },
      "The objects that existed before it are not known",
    ],
    ["what was there before is lost", { events: [create(2)] }, "The objects that existed before it are not known"],
    ["its address is not known", { events: [listed(), create(2, { address: null })] }, "Its address is not known"],
    [
      "the list may be cut off",
      { lists: [listing([], false)] },
      "The service's list may be truncated: it shows 0 things, which may be the most that it ever shows. A longer list, or one that shows something created later, would decide it",
    ],
    ["the list fails", { lists: [new Error("502")] }, "The service's list could not be read (502)"],
  ])("stays open and says that %s", async (_, more, why) => {
    const { undecided } = await recovering({ events: [listed(), create(2)], ...more });
    expect(undecided.map((one) => one.why)).toEqual(undecided.map(() => why));
    expect(undecided.length).toBeGreaterThan(0);
  });

  test("names what left it open, and its type where its address is not known", async () => {
    const { undecided } = await recovering({ events: [listed(), create(2, { address: null })] });
    expect(undecided.map(undecidedWriteDiagnostic)).toMatchObject([
      {
        detail: expect.stringContaining(
          "The create of toy_thing may or may not have been carried out: the run ended before the service's answer was stored.",
        ),
      },
    ]);
    const lost = { seq: 3, kind: "undecided", of: 2, cause: "502", answered: true, atMs: START } as const;
    expect(
      (await recovering({ events: [listed(), create(2), lost], lists: [new Error("no")] })).undecided,
    ).toMatchObject([{ cause: "502" }]);
  });

  test("does not count what was found before, or is of another type, as what may have made it", async () => {
    const lostCreate = {
      provider: "toy",
      address: null,
      key: { name: "kite" },
      planned: {},
      preIds: [],
      sentAtMs: START,
    };
    for (const other of [
      { ...lostCreate, type: "toy_thing", found: true as const },
      { ...lostCreate, type: "toy_shout" },
    ]) {
      const { document: after } = await recovering({
        events: [listed(), create(2)],
        lists: [listing([found("a")])],
        document: { lostCreates: [other] },
      });
      expect(addresses(after)).toEqual([["toy_thing.kite", "a"]]);
    }
  });

  test("does not keep others from being resolved", async () => {
    const events = [
      listed(),
      create(2),
      create(3, { address: "toy_thing.doll", key: { name: "doll", room: null }, planned: { ...KITE, name: "doll" } }),
    ];
    const { document: after, undecided } = await recovering({
      events,
      lists: [listing([found("a"), found("b"), live("doll", { id: "d", made_at: at(1) })])],
    });
    expect(addresses(after)).toEqual([["toy_thing.doll", "d"]]);
    expect(undecided.map(({ address }) => address)).toEqual(["toy_thing.kite"]);
    expect(pendingIntents(after.pending).map(({ intent: { seq } }) => seq)).toEqual([2]);
  });

  test.each<readonly [string, readonly LiveObject[], readonly (readonly [string, string])[], readonly string[]]>([
    [
      "both are found where the list shows the value",
      [found("a", at(1), { shiny: true }), found("b", at(1), { shiny: false })],
      [
        ["toy_thing.kite", "b"],
        ["toy_thing.shiny", "a"],
      ],
      [],
    ],
    [
      "one is found, and the other was not carried out",
      [found("a", at(1), { shiny: true })],
      [["toy_thing.shiny", "a"]],
      [],
    ],
    [
      "both stay open where the list does not show the value",
      [found("a"), found("b")],
      [],
      ["toy_thing.kite", "toy_thing.shiny"],
    ],
  ])("is told apart from one that sent another value: %s", async (_, objects, resolved, open) => {
    const shiny = create(3, { address: "toy_thing.shiny", planned: { ...KITE, shiny: true } });
    const { document: after, undecided } = await recovering({
      events: [listed(), create(2), shiny],
      lists: [listing(objects)],
    });
    expect(addresses(after)).toEqual(resolved);
    expect(undecided.map(({ address }) => address)).toEqual(open);
  });

  test("that is not declared any more is recorded anyway: the plan decides about it", async () => {
    const { document: after } = await recovering({
      events: [listed(), create(2, { address: "toy_thing.removed" })],
      lists: [listing([found("new")])],
    });
    expect(addresses(after)).toEqual([["toy_thing.removed", "new"]]);
  });

  test("may also have been the late outcome of one that was given up and was not the same", async () => {
    const lostCreate = {
      type: "toy_thing",
      provider: "toy",
      address: "toy_thing.kite",
      key: { name: "kite", room: null },
      preIds: [],
      sentAtMs: START,
    };
    const other = await recovering({
      events: [listed(), create(2)],
      lists: [listing([found("new")])],
      document: { lostCreates: [{ ...lostCreate, planned: { ...KITE, secret: { $secret: "bb" } } }] },
    });
    expect([other.document.instances, other.undecided.length]).toEqual([[], 1]);
    const resolved = await recovering({
      events: [listed(), create(2)],
      lists: [listing([found("new")])],
      document: { lostCreates: [{ ...lostCreate, planned: { ...KITE, secret: { $secret: "bb" } }, found: true }] },
    });
    expect(addresses(resolved.document)).toEqual([["toy_thing.kite", "new"]]);
    const same = await recovering({
      events: [listed(), create(2)],
      lists: [listing([found("new")])],
      document: { lostCreates: [{ ...lostCreate, planned: KITE }] },
    });
    expect(addresses(same.document)).toEqual([["toy_thing.kite", "new"]]);
  });

  const EARLIER = {
    type: "toy_thing",
    provider: "toy",
    address: "toy_thing.kite",
    key: { name: "kite", room: null },
    planned: {},
    preIds: [],
    sentAtMs: START,
  };
  const OTHER = { ...EARLIER, planned: { ...KITE, secret: { $secret: "bb" } } };
  const SAME = { ...EARLIER, planned: KITE };
  const old = found("old", at(-121));
  const timeless = found("old", "then");
  test.each<
    readonly [string, readonly LiveObject[], readonly LostCreate[], readonly (readonly [string, string])[], number]
  >([
    ["older, and explained by one of something else", [old], [OTHER], [], 0],
    ["a little older, as clocks differ", [found("old", at(-119))], [OTHER], [], 1],
    ["older, beside one that may be of either", [found("new"), old], [OTHER], [], 1],
    ["older, and explained by one of something else and one of the same", [old], [OTHER, SAME], [], 1],
    ["older, and explained by one of the same", [old], [SAME], [], 1],
    ["older, and explained by one of which not all is known", [old], [{ ...OTHER, provider: "" }], [], 1],
    ["older, and there before the other one", [old], [{ ...OTHER, preIds: ["old"] }], [], 1],
    ["made at a time that nobody tells, and explained by one of something else", [timeless], [OTHER], [], 1],
    ["recorded before for something else", [timeless], [{ ...OTHER, id: "old" }], [], 0],
    [
      "recorded before for something else, beside its own",
      [found("new"), timeless],
      [{ ...OTHER, id: "old" }],
      [["toy_thing.kite", "new"]],
      0,
    ],
    [
      "recorded before for something else, while one of the same was given up",
      [timeless],
      [{ ...OTHER, id: "old" }, SAME],
      [],
      0,
    ],
    ["recorded before for the same", [old], [{ ...SAME, id: "old" }], [], 1],
  ])(
    "did not make what an earlier one that was given up has made: an object that is %s",
    async (_, objects, lostCreates, instances, undecided) => {
      const after = await recovering({
        events: [listed(), create(2)],
        lists: [listing(objects)],
        document: { lostCreates },
      });
      expect([addresses(after.document), after.undecided.length]).toEqual([instances, undecided]);
      expect(after.document.lostCreates).toHaveLength(lostCreates.length + 1 - undecided);
    },
  );
});

describe("several creates without an answer", () => {
  const duplicate = (seq: number, name: string, planned = {}): JournalEvent =>
    create(seq, { address: `toy_thing.${name}`, planned: { ...KITE, ...planned } });
  test("that would make the same are given as many objects in any order", async () => {
    const { document: after, undecided } = await recovering({
      events: [listed(), duplicate(2, "b"), duplicate(3, "a", { allow_duplicate: true })],
      lists: [listing([found("y"), found("x")])],
    });
    expect(addresses(after)).toEqual([
      ["toy_thing.a", "x"],
      ["toy_thing.b", "y"],
    ]);
    expect(undecided).toEqual([]);
  });

  test.each<readonly [string, readonly JournalEvent[], readonly LiveObject[]]>([
    ["fewer objects than creates", [duplicate(2, "a"), duplicate(3, "b")], [found("x")]],
    ["more objects than creates", [duplicate(2, "a"), duplicate(3, "b")], [found("x"), found("y"), found("z")]],
    ["another secret", [duplicate(2, "a"), duplicate(3, "b", { secret: { $secret: "bb" } })], [found("x"), found("y")]],
    [
      "another value that the service does not show",
      [duplicate(2, "a"), duplicate(3, "b", { shiny: true })],
      [found("x"), found("y")],
    ],
  ])("stay open with %s", async (_, events, objects) => {
    const { document: after, undecided } = await recovering({
      events: [listed(), ...events],
      lists: [listing(objects)],
    });
    expect([after.instances, after.lostCreates, undecided.length]).toEqual([[], [], 2]);
  });

  test("that may have made some of the same objects stay open together, and others are found", async () => {
    const attic = (seq: number, name: string, room: string | null): JournalEvent =>
      create(seq, { address: `toy_thing.${name}`, key: { name: "kite", room }, planned: { ...KITE, room } });
    const doll = create(5, {
      address: "toy_thing.doll",
      key: { name: "doll", room: null },
      planned: { ...KITE, name: "doll" },
    });
    const objects = [
      found("x", at(1), { room: "attic" }),
      found("y", at(1), { room: "hall" }),
      live("doll", { id: "d", made_at: at(1) }),
    ];
    const { document: after, undecided } = await recovering({
      events: [listed(), attic(2, "a", "attic"), attic(3, "b", "hall"), doll],
      lists: [listing(objects)],
    });
    expect([addresses(after), undecided]).toEqual([
      [
        ["toy_thing.a", "x"],
        ["toy_thing.b", "y"],
        ["toy_thing.doll", "d"],
      ],
      [],
    ]);
    const hidden = objects.map(({ id, attributes: { room: _, ...shown } }) => ({ id, attributes: shown }));
    const untold = await recovering({
      events: [listed(), attic(2, "a", "attic"), attic(3, "b", "hall"), doll],
      lists: [listing(hidden)],
    });
    expect([addresses(untold.document), untold.undecided.map(({ address }) => address)]).toEqual([
      [["toy_thing.doll", "d"]],
      ["toy_thing.a", "toy_thing.b"],
    ]);
  });

  test("by different providers are not given each other's objects", async () => {
    const { document: after } = await recovering({
      events: [listed(), duplicate(2, "a"), create(3, { address: "toy_thing.b", provider: "other", planned: KITE })],
      lists: [listing([found("x"), found("y")])],
    });
    expect(after.instances).toEqual([]);
  });

  test("that left nothing become a lost-create record each", async () => {
    const { document: after } = await recovering({ events: [listed(), duplicate(2, "a"), duplicate(3, "b")] });
    expect(after.lostCreates.map(({ address }) => address)).toEqual(["toy_thing.a", "toy_thing.b"]);
  });

  test("by the thousand are resolved quickly", async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `t${String(index)}`);
    const events = [
      listed(),
      ...names.map((name, index) =>
        create(index + 2, { address: `toy_thing.${name}`, key: { name, room: null }, planned: { ...KITE, name } }),
      ),
    ];
    const objects = names
      .filter((_, index) => index % 2)
      .map((name) => live(name, { id: `id_${name}`, made_at: at(1) }));
    const recover = async () => {
      const { document: after } = await recovering({ events, lists: [listing(objects)] });
      expect([after.instances.length, after.lostCreates.length]).toEqual([1500, 3000]);
    };
    expect(await cpuCost(recover)).toBeLessThan(330);
  });
});

describe("a delete without an answer", () => {
  const BALL = recorded("ball", {}, { id: "ball" });
  const pendingDelete = (more: Partial<Intent> = {}) =>
    intent(2, { op: "delete", address: BALL.address, id: "ball", planned: null, key: {}, ...more });
  const there = listing([live("ball", { id: "ball" })]);
  test.each<readonly [string, readonly (LiveListing | Error)[], readonly string[], number]>([
    ["was carried out when two whole lists are without it", [listing([])], [], 0],
    ["was not when it is still there", [there], ["ball"], 0],
    ["was not when only one list is without it", [there, listing([])], ["ball"], 0],
    ["was not when a list that may be cut off shows it", [listing([live("ball", { id: "ball" })], false)], ["ball"], 0],
    ["stays open when a list may be cut off", [listing([], false)], ["ball"], 1],
    ["stays open when the list fails", [new Error("502")], ["ball"], 1],
  ])("%s", async (_, lists, ids, open) => {
    const { document: after, undecided } = await recovering({ events: [pendingDelete()], instances: [BALL], lists });
    expect([after.instances.map(({ id }) => id), undecided.length, pendingIntents(after.pending).length]).toEqual([
      ids,
      open,
      open,
    ]);
  });

  test("of a deposed object leaves the current one", async () => {
    const instance = recorded(
      "ball",
      {},
      {
        id: "new",
        deposed: [
          { id: "ball", attributes: {}, returned: {} },
          { id: "older", attributes: {}, returned: {} },
        ],
      },
    );
    const { document: after } = await recovering({
      events: [pendingDelete()],
      instances: [instance],
      lists: [listing([live("ball", { id: "new" }), live("ball", { id: "older" })])],
    });
    expect(after.instances).toMatchObject([{ id: "new", deposed: [{ id: "older" }] }]);
  });

  test("does not forget the deposed objects of its address", async () => {
    const instance = { ...BALL, deposed: [{ id: "older", attributes: {}, returned: {} }] };
    const { document: after } = await recovering({ events: [pendingDelete()], instances: [instance] });
    expect(after.instances).toMatchObject([{ deposed: [{ id: "older" }] }]);
  });

  test("of which nobody knows the address is told by its type", async () => {
    const { diagnostics } = await recovering({ events: [pendingDelete({ address: null })], instances: [BALL] });
    expect(diagnostics).toMatchObject([{ detail: "The delete of toy_thing was carried out: ball is gone." }]);
    expect(diagnostics[0]).not.toHaveProperty("address");
    expect((await recovering({ events: [pendingDelete()], instances: [BALL] })).diagnostics).toMatchObject([
      { address: BALL.address },
    ]);
  });

  test("of what no record holds any more is resolved, and remembers nothing", async () => {
    const { document: after, diagnostics } = await recovering({
      events: [pendingDelete()],
      instances: [recorded("other")],
      lists: [listing([live("other")])],
    });
    expect([after.instances.length, after.lostCreates, after.pending, codes(diagnostics)]).toEqual([
      1,
      [],
      [],
      ["outcome_recovered"],
    ]);
  });

  test("finds its object under the address that it has moved to", async () => {
    const { document: after } = await recovering({
      events: [pendingDelete({ address: "toy_thing.elsewhere" })],
      instances: [BALL],
    });
    expect(after.instances).toEqual([]);
  });
});

describe("a replace without an answer", () => {
  const OLD = recorded("kite", {}, { id: "old" });
  const replace = (more: Partial<Intent> = {}) => create(2, { op: "replace", id: "old", ...more });
  const old = found("old", at(-100));
  const gone: JournalEvent = { seq: 3, kind: "deleted", of: 2 };
  /** What is reported if it appears: the outcomes of creates, and objects that only the lists lack. */
  const remembered = ({ lostCreates }: StateDocument): readonly string[] => lostCreates.map(({ id }) => id ?? "create");
  test.each<
    readonly [string, readonly JournalEvent[], readonly LiveObject[], readonly (string | null)[], readonly string[]]
  >([
    ["whose delete was carried out creates again", [replace()], [], [], ["old"]],
    ["whose delete was not carried out keeps what it has", [replace()], [old], ["old"], []],
    ["whose create was carried out is recorded", [replace(), gone], [found("new")], ["new"], ["create"]],
    ["whose create was not carried out leaves a lost-create record", [replace(), gone], [], [], ["create"]],
    [
      "whose create was not carried out does not take a stale list's old one for it",
      [replace(), gone],
      [old],
      [],
      ["create"],
    ],
    [
      "begun ahead, whose delete and create were carried out, is recorded",
      [replace({ ahead: true })],
      [found("new")],
      ["new"],
      ["create", "old"],
    ],
    [
      "begun ahead, whose delete alone was carried out, leaves a lost-create record",
      [replace({ ahead: true })],
      [],
      [],
      ["create", "old"],
    ],
    [
      "begun ahead, of which nothing seems carried out, keeps what it has, and remembers the create",
      [replace({ ahead: true })],
      [old],
      ["old"],
      ["create"],
    ],
  ])("delete first, %s", async (_, events, objects, ids, lostCreates) => {
    const { document: after, undecided } = await recovering({
      events: [listed("old"), ...events],
      instances: [OLD],
      lists: [listing(objects)],
    });
    expect([after.instances.map(({ id }) => id), remembered(after), undecided, after.pending]).toEqual([
      ids,
      lostCreates,
      [],
      [],
    ]);
  });

  test("says when a delete was sent that was carried out: only the first half of a replace leaves nothing", async () => {
    const details = async (
      events: readonly JournalEvent[],
      instances: readonly RecordedInstance[],
      objects: readonly LiveObject[] = [],
    ) =>
      (await recovering({ events: [listed("old"), ...events], instances, lists: [listing(objects)] })).diagnostics.map(
        ({ detail }) => detail,
      );
    expect(await details([replace()], [OLD])).toEqual([
      `The delete (first half of a replace) of toy_thing.kite was carried out: old is gone. It was sent at ${at(0)}: nothing rings until the next one exists.`,
    ]);
    expect(await details([first, made], [OLD], [found("new")])).toEqual([
      "The delete (second half of a replace) of toy_thing.kite was carried out: old is gone.",
    ]);
    expect(
      await details([intent(2, { op: "delete", address: OLD.address, id: "old", planned: null, key: {} })], [OLD]),
    ).toEqual(["The delete of toy_thing.kite was carried out: old is gone."]);
  });

  test.each<readonly [string, readonly LiveObject[], string]>([
    [
      "and says since when nothing exists",
      [],
      `The old thing was deleted at ${at(5)}: nothing rings until the next one exists.`,
    ],
    [
      "and says when the old one went and the new one came",
      [found("new", at(7))],
      `The old thing was deleted at ${at(5)}, and the new one created at ${at(7)}: nothing rings in between.`,
    ],
  ])("delete first, interrupted in its second half: %s", async (_, objects, told) => {
    const events = [listed("old"), replace(), { ...gone, atMs: START + 5000 }];
    const { diagnostics } = await recovering({ events, instances: [OLD], lists: [listing(objects)] });
    expect(diagnostics.map(({ detail }) => detail)).toEqual([expect.stringContaining(told)]);
  });

  const first = replace({ order: "create-first" });
  const ahead = replace({ order: "create-first", ahead: true });
  const NEW = recorded(
    "kite",
    {},
    { id: "new", deposed: [{ id: "old", attributes: OLD.attributes, returned: OLD.returned }] },
  );
  const made: JournalEvent = { seq: 3, kind: "created", of: 2, record: NEW };
  test.each<
    readonly [
      string,
      readonly JournalEvent[],
      readonly LiveObject[],
      readonly [string | null, readonly string[]],
      readonly string[],
    ]
  >([
    [
      "whose create was carried out has the new one, and the old one deposed",
      [first],
      [old, found("new")],
      ["new", ["old"]],
      ["create"],
    ],
    [
      "whose create was carried out, and whose old one is gone anyway",
      [first],
      [found("new")],
      ["new", []],
      ["create", "old"],
    ],
    ["whose create was not carried out keeps the old one", [first], [old], ["old", []], ["create"]],
    ["whose delete was carried out is done", [first, made], [found("new")], ["new", []], ["old"]],
    [
      "whose delete was not carried out keeps the old one deposed",
      [first, made],
      [old, found("new")],
      ["new", ["old"]],
      [],
    ],
    [
      "begun ahead, whose create is recorded, remembers no create",
      [ahead, made],
      [old, found("new")],
      ["new", ["old"]],
      [],
    ],
  ])("create first, %s", async (_, events, objects, [id, deposed], lostCreates) => {
    const { document: after, undecided } = await recovering({
      events: [listed("old"), ...events],
      instances: [OLD],
      lists: [listing(objects)],
    });
    expect(after.instances.map((one) => [one.id, (one.deposed ?? []).map((older) => older.id)])).toEqual([
      [id, deposed],
    ]);
    expect([remembered(after), undecided, after.pending]).toEqual([lostCreates, [], []]);
  });

  test("delete first, whose delete was carried out, waits for its new object", async () => {
    const { document: after } = await recovering({ events: [listed("old"), replace()], instances: [OLD] });
    expect(after.replacing).toEqual([OLD.address]);
  });

  test("begun ahead is not taken for half done by a list that may be truncated", async () => {
    const { document: after, undecided } = await recovering({
      events: [listed("old"), replace({ ahead: true })],
      instances: [OLD],
      lists: [listing([], false)],
    });
    expect([after.instances.map(({ id }) => id), undecided.length, remembered(after)]).toEqual([["old"], 1, []]);
    expect(undecided[0]?.sent).toContain("delete");
  });

  test("begun ahead, is reported if its create appears late: lists may have shown the old object after its delete", async () => {
    const events = [listed("old"), replace({ ahead: true })];
    for (const shown of [[listing([old])], [listing([old]), listing([found("new")])]]) {
      const { document: after, clock } = await recovering({ events, instances: [OLD], lists: shown });
      const late = checkLostCreates(after, {
        catalog: shopCatalog,
        listings: new Map([[OLD.type, listing([found("new")])]]),
        nowMs: clock.now(),
      });
      expect(late.diagnostics).toMatchObject([
        { code: "late_duplicate", detail: expect.stringMatching(/^new is live and not managed/) as string },
      ]);
    }
  });

  describe("begun ahead, of which nothing seems carried out", () => {
    const ahead = [listed("old", "theirs"), replace({ ahead: true })];
    const lateIn = (after: StateDocument, objects: readonly LiveObject[], nowMs: number) =>
      checkLostCreates(after, { catalog: shopCatalog, listings: new Map([[OLD.type, listing(objects)]]), nowMs });

    test("says that its new object is reported if it comes late", async () => {
      const { diagnostics } = await recovering({ events: ahead, instances: [OLD], lists: [listing([old])] });
      expect(diagnostics).toMatchObject([
        {
          detail: expect.stringMatching(
            /was not carried out: old still exists\. If the new one appears later/,
          ) as string,
        },
      ]);
    });

    test("does not report what is certainly another object, also once that is not managed any more", async () => {
      const twin = recorded("twin", { name: "kite" }, { id: "twin" });
      const theirs = found("theirs", at(-1000));
      for (const [events, lists] of [
        [ahead, [listing([old, found("twin"), theirs])]],
        [ahead, [listing([old, found("twin")], false)]],
        [
          [{ seq: 1, kind: "listed", ids: ["theirs"], partial: true }, replace({ ahead: true })],
          [listing([old, found("twin"), theirs])],
        ],
      ] as const) {
        const { document: after, clock } = await recovering({ events, instances: [OLD, twin], lists });
        expect(lateIn({ ...after, instances: [] }, [old, found("twin"), theirs], clock.now()).diagnostics).toEqual([]);
      }
    });

    const again = (seq: number, order: "delete-first" | "create-first" = "delete-first"): JournalEvent =>
      create(seq, {
        op: "replace",
        id: "old",
        order,
        planned: { ...KITE, secret: { $secret: "bb" } },
        sentAtMs: START + 600_000,
        serverDate: httpDate(600),
        listed: 11,
      });
    const made = recorded("kite", {}, { id: "new" });
    test.each<readonly [string, readonly JournalEvent[], boolean]>([
      [
        "once the service carries out the delete",
        [again(12), { seq: 13, kind: "deleted", of: 12, returned: { id: "old" } }],
        true,
      ],
      [
        "once the service carries out the delete of a create-first replace",
        [
          again(12, "create-first"),
          { seq: 13, kind: "created", of: 12, record: made },
          { seq: 14, kind: "done", of: 12, record: made, returned: { id: "old" } },
        ],
        true,
      ],
      [
        "once the object is deleted",
        [
          intent(12, { op: "delete", id: "old" }),
          { seq: 13, kind: "done", of: 12, record: null, returned: { id: "old" } },
        ],
        true,
      ],
      ["but not where it was gone before", [again(12), { seq: 13, kind: "deleted", of: 12, returned: {} }], false],
      ["but not where recovery found that out", [again(12), { seq: 13, kind: "deleted", of: 12 }], false],
      [
        "but not where another object is deleted",
        [intent(12, { op: "delete", id: "x" }), { seq: 13, kind: "done", of: 12, record: null, returned: { id: "x" } }],
        false,
      ],
    ])("waits for its create no longer %s", async (_, events, isOver) => {
      const { document: after } = await recovering({ events: ahead, instances: [OLD], lists: [listing([old])] });
      expect(
        remembered(fold({ ...after, journalSeq: 10 }, [{ seq: 11, kind: "listed", ids: ["old"] }, ...events])),
      ).toEqual(isOver ? [] : ["create"]);
    });

    test("keeps no later replace with another secret from being recovered", async () => {
      const { document: after, clock } = await recovering({ events: ahead, instances: [OLD], lists: [listing([old])] });
      const { undecided, document: then } = await recovering({
        document: { ...after, journalSeq: 10 },
        instances: after.instances,
        events: [
          { seq: 11, kind: "listed", ids: ["old"] },
          again(12),
          { seq: 13, kind: "deleted", of: 12, returned: { id: "old" } },
          { seq: 14, kind: "undecided", of: 12, cause: "timeout", answered: false, atMs: clock.now() },
        ],
        startMs: clock.now() + 600_000,
        lists: [listing([found("new", at(601))])],
      });
      expect([undecided, then.instances.map(({ id }) => id)]).toEqual([[], ["new"]]);
    });
  });

  test("begun ahead, whose delete was left open, has sent no create", async () => {
    const open = { seq: 3, kind: "undecided", of: 2, cause: "502", answered: true, atMs: START } as const;
    const { document: after } = await recovering({
      events: [listed("old"), replace({ ahead: true }), open],
      instances: [OLD],
    });
    expect([after.instances, remembered(after)]).toEqual([[], ["old"]]);
    const { document: kept } = await recovering({
      events: [listed("old"), replace({ ahead: true }), open],
      instances: [OLD],
      lists: [listing([old])],
    });
    expect([kept.instances, remembered(kept)]).toEqual([[OLD], []]);
  });

  test("create first is recorded at the address that its old object has moved to", async () => {
    const moved = { ...OLD, address: "toy_thing.elsewhere" };
    const { document: after } = await recovering({
      events: [listed("old"), first],
      instances: [moved],
      lists: [listing([old, found("new")])],
    });
    expect(after.instances).toMatchObject([{ address: moved.address, id: "new", deposed: [{ id: "old" }] }]);
  });

  test("that left two open halves says which half it was", async () => {
    for (const [events, words] of [
      [[replace()], "delete (first half of a replace)"],
      [[replace(), gone], "create (second half of a replace)"],
      [[first], "create (first half of a replace)"],
      [[first, made], "delete (second half of a replace)"],
    ] as const) {
      const { undecided } = await recovering({
        events: [listed("old"), ...events],
        instances: [OLD],
        lists: [new Error("502")],
      });
      expect(undecided[0]?.sent).toBe(words);
    }
  });
});

describe("an irreversible write without an answer", () => {
  test("is recorded as unconfirmed without a request, and reported", async () => {
    const events = [
      intent(1, {
        type: shout.type,
        address: "toy_shout.hey",
        key: { word: "hey" },
        planned: { word: "hey", id: null, outcome: null },
      }),
    ];
    const { document: after, diagnostics, undecided, asked, slept } = await recovering({ events });
    expect(after.instances).toMatchObject([
      { address: "toy_shout.hey", id: null, attributes: shouted("hey", "unconfirmed") },
    ]);
    expect([after.pending, asked, slept, undecided]).toEqual([[], [], [], []]);
    expect(diagnostics).toMatchObject([
      {
        code: "outcome_unconfirmed",
        severity: "warning",
        address: "toy_shout.hey",
        ways: [{ kind: "retry" }, { kind: "forget" }],
      },
    ]);
  });
});

describe("an irreversible write that nothing describes", () => {
  const open = (more: Partial<Intent>) =>
    recovering({
      events: [intent(1, { type: shout.type, address: "toy_shout.hey", planned: { word: "hey" }, ...more })],
    });
  test.each<readonly [string, Partial<Intent>]>([
    ["address", { address: null }],
    ["values", { planned: null }],
  ])("stays open without its %s", async (_, more) => {
    const { undecided, document: after } = await open(more);
    expect([undecided.map(({ why }) => why), pendingIntents(after.pending).length, after.instances]).toEqual([
      ["Nothing can look it up"],
      1,
      [],
    ]);
  });

  test("is recorded as unconfirmed by itself, next to what a list would have to decide", () => {
    const pending = [
      listed(),
      create(2),
      intent(3, { type: shout.type, address: "toy_shout.hey", planned: { word: "hey" } }),
    ];
    const before = document({ instances: [], pending });
    const after = unconfirmedIrreversible(before, shopCatalog, START);
    expect(after.instances).toMatchObject([
      { address: "toy_shout.hey", recordedAtMs: START, attributes: { outcome: "unconfirmed" } },
    ]);
    expect(pendingIntents(after.pending).map(({ intent: { address } }) => address)).toEqual(["toy_thing.kite"]);
    const without = document({ instances: [], pending: pending.slice(0, 2) });
    expect(unconfirmedIrreversible(without, shopCatalog, START)).toBe(without);
  });
});

describe("a lost-create record", () => {
  const TOMB = {
    type: "toy_thing",
    provider: "toy",
    address: "toy_thing.kite",
    key: { name: "kite", room: null },
    planned: KITE,
    preIds: ["old"],
    sentAtMs: START,
  };
  const check = (
    listings: ReadonlyMap<string, LiveListing>,
    hours: number,
    instances: readonly RecordedInstance[] = [],
  ) =>
    checkLostCreates(document({ instances, lostCreates: [TOMB] }), {
      catalog: shopCatalog,
      listings,
      nowMs: START + hours * 3_600_000,
    });
  const shown = (...objects: readonly LiveObject[]) => new Map([["toy_thing", listing(objects)]]);

  test("reports what has turned up late, and how to have it deleted", () => {
    const { diagnostics, document: after } = check(shown(found("old"), found("late"), live("doll")), 1);
    expect(diagnostics).toMatchObject([
      {
        code: "late_duplicate",
        severity: "warning",
        address: "toy_thing.kite",
        detail: expect.stringContaining("late"),
        ways: [{ kind: "delete-late", address: "toy_thing.kite", id: "late" }, { kind: "dismiss" }],
      },
    ]);
    expect(after.lostCreates).toEqual([TOMB]);
  });

  test("says nothing of what is managed, also as a deposed object", () => {
    const instances = [
      recorded("a", {}, { id: "late" }),
      recorded("b", {}, { deposed: [{ id: "later", attributes: {}, returned: {} }] }),
    ];
    expect(check(shown(found("late"), found("later")), 1, instances).diagnostics).toEqual([]);
  });

  test.each<readonly [string, ReadonlyMap<string, LiveListing>, number, number]>([
    ["stays for a day", shown(), 23.9, 1],
    ["ends at a whole list a day later", shown(), 24, 0],
    ["stays while a list may be cut off", new Map([["toy_thing", listing([], false)]]), 25, 1],
    ["stays without a list", new Map(), 25, 1],
    ["stays while something is there that it reports", shown(found("late")), 25, 1],
    ["stays when the clock was set back", shown(), -1, 1],
  ])("%s", (_, listings, hours, count) => {
    expect(check(listings, hours).document.lostCreates).toHaveLength(count);
  });
});

describe("the journal of a state that was put back to an older one", () => {
  const OLD = recorded("ball", {}, { id: "ball" });
  const NEW_KITE = recorded("kite", {}, { id: "kite" });
  const restoring = async (
    events: readonly JournalEvent[],
    lists: readonly (LiveListing | Error)[],
    {
      instances = [OLD],
      baseSeq = 0,
      startMs = START + 600_000,
      more,
    }: Partial<Setting> & { readonly baseSeq?: number } = {},
  ) => {
    const clock = virtualClock(startMs);
    const asked: (boolean | undefined)[] = [];
    const shop: Pick<Shop, "list"> = {
      list: async (_, confirm) => {
        const next = lists[Math.min(asked.length, lists.length - 1)];
        asked.push(confirm);
        await Promise.resolve();
        if (!next || next instanceof Error) throw next ?? new Error("no list");
        return next;
      },
    };
    const list = openLiveList(thing, shop, () => new Set());
    const base = document({ instances, journalSeq: 0, serial: 3 });
    const journal = { header: { journal: 1, lineage: base.lineage, baseSerial: 9, baseSeq } as const, events };
    const open: OpenState = { document: base, version: "1", journal, restored: journal, pending: [], run: "run-1" };
    const recovered = await recover(open, {
      catalog: shopCatalog,
      live: () => list,
      clock,
      process: processOf(),
      listingDelayMs: DELAY,
      signal: NEVER,
      ...more,
    });
    return { ...recovered, asked, slept: clock.slept };
  };
  const ball = live("ball", { id: "ball" });
  const kite = live("kite", { id: "kite" });
  const done: readonly JournalEvent[] = [create(2), { seq: 3, kind: "done", of: 2, record: NEW_KITE }];
  const deleted: readonly JournalEvent[] = [
    intent(2, { op: "delete", address: OLD.address, id: "ball", planned: null }),
    { seq: 3, kind: "done", of: 2, record: null },
  ];
  const replaced: readonly JournalEvent[] = [
    intent(2, { op: "replace", address: OLD.address, id: "ball", planned: KITE }),
    { seq: 3, kind: "deleted", of: 2 },
    { seq: 4, kind: "done", of: 2, record: recorded("ball", {}, { id: "next" }) },
  ];
  test.each<readonly [string, readonly JournalEvent[], readonly LiveObject[], readonly (string | null)[]]>([
    ["what it says was made, and is live", done, [ball, kite], ["ball", "kite"]],
    ["nothing that it says was made, and is not live", done, [ball], ["ball"]],
    ["that something was deleted, and is gone", deleted, [], []],
    ["nothing that it says was deleted, and is live", deleted, [ball], ["ball"]],
    ["both halves of a replace", replaced, [live("ball", { id: "next" })], ["next"]],
    [
      "a change of the record of what is live",
      [{ seq: 2, kind: "recorded", address: OLD.address, record: { ...OLD, id: "ball" } }],
      [ball],
      ["ball"],
    ],
    [
      "that something was forgotten, and is gone",
      [{ seq: 2, kind: "recorded", address: OLD.address, record: null }],
      [],
      [],
    ],
    [
      "a move",
      [
        {
          seq: 2,
          kind: "moved",
          records: [
            { address: OLD.address, record: null },
            { address: "toy_thing.moved", record: { ...OLD, address: "toy_thing.moved" } },
          ],
        },
      ],
      [ball],
      ["ball"],
    ],
  ])("tells %s", async (_, events, objects, ids) => {
    const {
      document: after,
      undecided,
      changed,
      diagnostics,
    } = await restoring([listed(), ...events], [listing(objects)]);
    expect(after.instances.map(({ id }) => id)).toEqual(ids);
    expect([undecided, changed, codes(diagnostics)]).toEqual([[], true, ["state_restored"]]);
    expect([after.serial, after.journalSeq]).toEqual([9, Math.max(...events.map(({ seq }) => seq))]);
  });

  test("is checked against a list that is proved to be whole, after the rest of the listing delay of its last write", async () => {
    const events = [
      listed(),
      create(2, { sentAtMs: START + 595_000 }),
      { seq: 3, kind: "done", of: 2, record: NEW_KITE } as const,
    ];
    const told: number[] = [];
    const { asked, slept } = await restoring(events, [listing([ball, kite])], {
      more: { waiting: (ms) => void told.push(ms) },
    });
    expect([asked, slept, told]).toEqual([[true], [5000], [5000]]);
    expect((await restoring(events, [listing([ball, kite])], { startMs: START - 86_400_000 })).slept).toEqual([10_000]);
    expect((await restoring(events, [listing([ball, kite])], { startMs: START + 605_000 })).slept).toEqual([]);
  });

  test("says which version was restored, and is not needed for a type without a list", async () => {
    const shouted = intent(2, { type: shout.type, address: "toy_shout.hey", planned: {} });
    const {
      diagnostics,
      asked,
      document: after,
    } = await restoring([shouted, { seq: 3, kind: "failed", of: 2, code: "no" }], [new Error("no list")]);
    expect(diagnostics).toMatchObject([
      { code: "state_restored", detail: expect.stringContaining("has serial 3, but its journal begins at serial 9") },
    ]);
    expect([asked, after.instances.map(({ id }) => id)]).toEqual([[], ["ball"]]);
  });

  test("takes out only what it says was deleted: what else is missing is for the plan to see", async () => {
    for (const events of [deleted, replaced.slice(0, 2)]) {
      const { document: after } = await restoring([listed(), ...events], [listing([])], {
        instances: [recorded("another"), OLD, recorded("other")],
      });
      expect(after.instances.map(({ id }) => id)).toEqual(["id_another", "id_other"]);
    }
  });

  test("counts on from where it begins, even if it is empty", async () => {
    expect((await restoring([], [listing([])], { baseSeq: 7 })).document.journalSeq).toBe(7);
  });

  test("forgets nothing else where it tells that an address was forgotten", async () => {
    const elsewhere: JournalEvent = { seq: 2, kind: "recorded", address: "toy_thing.none", record: null };
    expect((await restoring([elsewhere], [listing([])])).document.instances.map(({ id }) => id)).toEqual(["ball"]);
  });

  test("ends with an interruption, not with a complaint about the list", async () => {
    const signal = AbortSignal.abort(new Error("interrupted"));
    await expect(restoring(done, [new Error("502")], { more: { signal } })).rejects.toThrow("interrupted");
  });

  test("tells the new address of an object, and leaves none under the old one", async () => {
    const moved = { ...OLD, address: "toy_thing.moved" };
    const records = [
      { address: OLD.address, record: null },
      { address: moved.address, record: moved },
    ];
    for (const event of [
      { kind: "moved", records } as const,
      { kind: "recorded", address: moved.address, record: moved } as const,
    ]) {
      const { document: after } = await restoring([{ seq: 2, ...event }], [listing([ball])]);
      expect(addresses(after)).toEqual([[moved.address, "ball"]]);
    }
  });

  test("tells which older objects of an address are left, as far as they are live", async () => {
    const older = (id: string) => ({ id, attributes: {}, returned: {} });
    const next = recorded("ball", {}, { id: "next", deposed: [older("ball"), older("gone")] });
    const events = [
      create(2, { op: "replace", order: "create-first", id: "ball", address: OLD.address }),
      { seq: 3, kind: "created", of: 2, record: next } as const,
    ];
    const { document: after } = await restoring(
      [listed("ball"), ...events],
      [listing([ball, live("ball", { id: "next" })])],
    );
    expect(after.instances).toMatchObject([{ id: "next", deposed: [{ id: "ball" }] }]);
    expect(after.instances[0]?.deposed).toHaveLength(1);
  });

  test("tells that an irreversible write was done, whatever a list shows", async () => {
    const record: RecordedInstance = {
      ...recorded("x"),
      type: shout.type,
      address: "toy_shout.hey",
      id: "lead",
      attributes: shouted("hey"),
    };
    const events: readonly JournalEvent[] = [
      intent(2, { type: shout.type, address: "toy_shout.hey", planned: {} }),
      { seq: 3, kind: "done", of: 2, record },
    ];
    expect((await restoring(events, [listing([ball])])).document.instances.map(({ address }) => address)).toEqual([
      "toy_shout.hey",
      "toy_thing.ball",
    ]);
  });

  test("tells the values of what is live, and keeps nothing deposed where nothing is", async () => {
    const record = recorded("ball", { shiny: true }, { id: "ball" });
    const { document: after } = await restoring(
      [listed(), create(2), { seq: 3, kind: "recorded", address: OLD.address, record }],
      [listing([ball])],
    );
    expect(after.instances).toEqual([record]);
  });

  test("tells nothing of other irreversible writes, none of which has an id", async () => {
    const word = (text: string): RecordedInstance => ({
      ...recorded(text, {}, { id: null }),
      type: shout.type,
      address: `toy_shout.${text}`,
      attributes: shouted(text),
    });
    const events: readonly JournalEvent[] = [
      intent(2, { type: shout.type, address: "toy_shout.hey", planned: {} }),
      { seq: 3, kind: "done", of: 2, record: word("hey") },
      { seq: 4, kind: "recorded", address: "toy_shout.gone", record: null },
    ];
    const { document: after } = await restoring(events, [listing([])], { instances: [word("ho"), word("gone")] });
    expect(after.instances.map(({ address }) => address)).toEqual(["toy_shout.hey", "toy_shout.ho"]);
  });

  test("leaves everything else undecided, now and later", async () => {
    const { document: after, undecided } = await restoring([listed(), create(2)], [listing([ball, found("new")])]);
    expect([after.instances.map(({ id }) => id), after.lostCreates]).toEqual([["ball"], []]);
    expect(undecided).toMatchObject([
      { candidates: ["new"], why: "An older state was restored, so its outcome may have been forgotten" },
    ]);
    const again = await recovering({
      events: [],
      document: after,
      lists: [listing([ball, found("new")])],
      startMs: START + 1000,
    });
    expect([again.changed, again.undecided.length, again.slept]).toEqual([false, 1, []]);
  });

  test("leaves a delete without an outcome undecided, whatever the list shows", async () => {
    const open = [intent(2, { op: "delete", address: OLD.address, id: "ball", planned: null })];
    for (const objects of [[ball], []]) {
      const { document: after, undecided } = await restoring(open, [listing(objects)]);
      expect([after.instances.map(({ id }) => id), undecided.map(({ why }) => why)]).toEqual([
        ["ball"],
        ["An older state was restored, so its outcome may have been forgotten"],
      ]);
    }
  });

  test("does not push aside another live object that is recorded at its address", async () => {
    const events = [
      listed(),
      create(2, { address: OLD.address }),
      { seq: 3, kind: "done", of: 2, record: recorded("ball", {}, { id: "kite" }) } as const,
    ];
    const { document: after, undecided } = await restoring(events, [listing([ball, kite])]);
    expect([after.instances.map(({ id }) => id), undecided.length]).toEqual([["ball"], 1]);
  });

  test.each<readonly [string, LiveListing | Error]>([
    ["fails", new Error("502")],
    ["may be cut off", listing([ball], false)],
  ])("stops everything, undecided, when the list %s", async (_, list) => {
    const why = list instanceof Error ? "502" : "may be truncated";
    await expect(restoring(done, [list])).rejects.toMatchObject({
      undecided: true,
      diagnostics: [{ code: "journal_not_replayed", detail: expect.stringContaining(why) }],
    });
  });
});
