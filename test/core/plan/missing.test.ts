import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListEvidence, LiveObject } from "../../../src/core/model/definition.ts";
import { isoTime } from "../../../src/core/model/iso-time.ts";
import { createAbsence, creationOrder, missingFrom } from "../../../src/core/plan/missing.ts";
import { webhook } from "../../../src/service/resources/webhook.ts";

const START_MS = 1_767_225_600_000;

/** A webhook that was created so many minutes after the start. */
function hook(minute: number, attributes: LiveObject["attributes"] = {}): LiveObject {
  const id = `hoo_${String(minute).padStart(4, "0")}`;
  const target = `https://example.com/${String(minute).padStart(4, "0")}`;
  return {
    id,
    attributes: {
      id,
      target_url: target,
      type: null,
      campaign_id: null,
      created_at: isoTime(START_MS + minute * 60_000 + 1),
      ...attributes,
    },
  };
}

const range = (from: number, to: number): readonly LiveObject[] =>
  Array.from({ length: to - from }, (_, index) => hook(from + index));

function evidenceOf(answer: readonly LiveObject[] | null, more: Partial<ListEvidence> = {}): ListEvidence {
  return { answer, records: answer && answer.length, longestSeen: 0, isContradicted: false, ...more };
}

function isMissing(
  object: LiveObject,
  answer: readonly LiveObject[] | null,
  more: Partial<ListEvidence> = {},
  others: readonly LiveObject[] = [],
): boolean {
  return missingFrom(webhook, { complete: false, evidence: evidenceOf(answer, more) }, [object, ...others])(object);
}

const without = (list: readonly LiveObject[], ...minutes: readonly number[]) =>
  list.filter(({ id }) => !minutes.some((minute) => hook(minute).id === id));

describe("a webhook that the list does not show counts as missing", () => {
  const middle = without(range(0, 11), 5);
  const cases: readonly (readonly [
    string,
    boolean,
    LiveObject,
    readonly LiveObject[] | null,
    Partial<ListEvidence>?,
  ])[] = [
    ["between two listed ones, oldest first", true, hook(5), middle],
    ["between two listed ones, newest first", true, hook(5), middle.toReversed()],
    ["not after the newest", false, hook(10), range(0, 10)],
    ["not before the oldest", false, hook(0), range(1, 11)],
    ["not after the newest where that comes first", false, hook(10), range(0, 10).toReversed()],
    [
      "not at the same time as the newest",
      false,
      hook(5, { created_at: hook(10).attributes["created_at"] ?? null }),
      middle,
    ],
    [
      "not at the same time as the oldest",
      false,
      hook(5, { created_at: hook(0).attributes["created_at"] ?? null }),
      middle,
    ],
    ["not in a list out of order", false, hook(5), [...middle.slice(1), ...middle.slice(0, 1)]],
    [
      "not in a list that shows no times",
      false,
      hook(5),
      middle.map(({ id, attributes: { created_at: _, ...rest } }) => ({ id, attributes: rest })),
    ],
    [
      "not in a list of which one shows no time",
      false,
      hook(5),
      [...middle.slice(0, 9), hook(10, { created_at: null })],
    ],
    ["not where its own time is not recorded", false, hook(5, { created_at: null }), middle],
    [
      "not in a list of too few different times",
      false,
      hook(5, { created_at: hook(1).attributes["created_at"] ?? null }),
      [hook(0), ...Array.from({ length: 8 }, () => hook(2)), hook(3)],
    ],
    ["not in a list joined of several answers, or with duplicates", false, hook(5), null],
    ["where a longer list was seen", true, hook(10), range(0, 10), { longestSeen: 11 }],
    [
      "where a much longer list was seen, and the list has no order",
      true,
      hook(12),
      [...range(5, 10), ...range(0, 5)],
      { longestSeen: 12 },
    ],
    ["not where one of the same length was seen", false, hook(10), range(0, 10), { longestSeen: 10 }],
    ["not by a longer list where the answer is not the list", false, hook(10), null, { longestSeen: 11 }],
    ["where the list is empty", true, hook(10), []],
    ["not where the list is empty after a contradiction", false, hook(10), [], { isContradicted: true }],
    ["where the list is short", true, hook(10), range(0, 9)],
    ["not where the list is short after a contradiction", false, hook(10), range(0, 9), { isContradicted: true }],
    ["where the length is no cap", true, hook(30), range(0, 14)],
    ["not where the length may be a cap", false, hook(30), range(0, 15)],
    ["not where the length is no cap after a contradiction", false, hook(30), range(0, 14), { isContradicted: true }],
    [
      "where a longer list was seen since a contradiction",
      true,
      hook(30),
      range(0, 15),
      { longestSeen: 16, isContradicted: true },
    ],
    ["not where the records, with those listed twice, may be a cap", false, hook(30), null, { records: 20 }],
    ["where the records, with those listed twice, are no cap", true, hook(30), null, { records: 14 }],
    ["not between by time and last by its address", false, hook(5, { target_url: "https://example.com/zzz" }), middle],
    ["not between by time and first by its id", false, { ...hook(5), id: "hoo_" }, middle],
    [
      "between by time, whatever an order that the list does not have",
      true,
      hook(5, { target_url: "https://zzz.example.com/" }),
      shuffled(middle),
    ],
    ["not of a type that a list by type may have cut", false, hook(5, { type: "smsSent" }), middle],
    [
      "not early among the type that a list by type ends with",
      false,
      hook(3, { type: "smsSent" }),
      byType([0, 1, 2, 4, 5, 6], [7, 8, 9, 10]),
    ],
    [
      "among the times of the type that a list by type ends with",
      true,
      hook(8, { type: "smsSent" }),
      byType([0, 1, 2, 3, 4, 5], [6, 7, 9, 10]),
    ],
    [
      "not within a second of an end where the list has whole seconds",
      false,
      hook(0, { created_at: seconds(0, 0.9) }),
      inSeconds(without(range(0, 11), 5)),
    ],
    ["between where the list has whole seconds", true, hook(5), inSeconds(middle)],
    ["between in whole seconds", true, hook(5, { created_at: seconds(5, 0) }), inSeconds(middle)],
  ];
  test.each(cases.map(([name, expected, object, answer, more]) => ({ name, expected, object, answer, more })))(
    "$name",
    ({ expected, object, answer, more }) => {
      expect(isMissing(object, answer, more)).toBe(expected);
    },
  );

  test("whenever the service shows that nothing follows, and never without evidence", () => {
    expect(missingFrom(webhook, { complete: true }, [hook(10)])(hook(10))).toBe(true);
    expect(missingFrom(webhook, { complete: false }, [hook(5)])(hook(5))).toBe(false);
  });

  test.each([
    [
      "not where several are missing at the newest end: a cap that was introduced looks the same",
      false,
      [hook(10), hook(11)],
    ],
    ["not where several are missing at the oldest end", false, [hook(-2), hook(-1)]],
    ["not where nobody knows when one of several was created", false, [hook(10), hook(4, { created_at: null })]],
    ["where they are missing at both ends", true, [hook(-1), hook(10)]],
    ["where one of them is missing in the middle", true, [hook(4.5), hook(10)]],
  ] as const)("by a longer list, %s", (_, expected, [first, ...others]) => {
    expect(isMissing(first, range(0, 10).toReversed(), { longestSeen: 12 }, others)).toBe(expected);
    expect(isMissing(first, shuffle(range(0, 10), 7), { longestSeen: 12 }, others)).toBe(
      expected || others.some(({ id }) => id === hook(4.5).id),
    );
  });
});

/** The same times and ids, with addresses in no order. */
function shuffled(list: readonly LiveObject[]): readonly LiveObject[] {
  return list.map(({ id, attributes }, index) => ({
    id,
    attributes: { ...attributes, target_url: `https://example.com/${String((index * 7) % 10)}` },
  }));
}

function byType(first: readonly number[], second: readonly number[]): readonly LiveObject[] {
  return [
    ...first.map((minute) => hook(minute, { type: "emailsSent" })),
    ...second.map((minute) => hook(minute, { type: "smsSent" })),
  ];
}

function seconds(minute: number, more: number): string {
  return isoTime(START_MS + minute * 60_000 + more * 1000).replace(".000Z", "Z");
}

function inSeconds(list: readonly LiveObject[]): readonly LiveObject[] {
  return list.map(({ id, attributes }) => ({
    id,
    attributes: { ...attributes, created_at: seconds(Number(id.slice(4)), 0) },
  }));
}

describe("the order of a list", () => {
  test.each([
    ["ascending", range(0, 10)],
    ["descending", range(0, 10).toReversed()],
    [null, [...range(5, 10), ...range(0, 5)]],
    [null, range(0, 7)],
    [null, []],
  ] as const)("is %s", (expected, list) => {
    expect(creationOrder(webhook, list)).toBe(expected);
  });
});

/** Uniform, unlike what fast-check draws: an order that is almost that of creation says nothing about shuffled lists. */
function shuffle<T>(list: readonly T[], seed: number): readonly T[] {
  let state = seed >>> 0;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return list
    .map((one) => ({ one, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ one }) => one);
}

const ORDERS: { readonly [name: string]: (list: readonly LiveObject[], seed: number) => readonly LiveObject[] } = {
  oldest: (list) => list,
  newest: (list) => list.toReversed(),
  shuffled: shuffle,
  id: (list) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  address: (list) =>
    list.toSorted((a, b) => (String(a.attributes["target_url"]) < String(b.attributes["target_url"]) ? -1 : 1)),
  type: (list) =>
    list.toSorted((a, b) => (String(a.attributes["type"] ?? "") < String(b.attributes["type"] ?? "") ? -1 : 1)),
};

const TYPES = [null, "contacted", "emailsSent", "smsSent"] as const;

/** Live webhooks in the order of creation. Their times may repeat, and so may their types; their addresses follow that order, or none. */
const liveHooks = fc
  .array(
    fc.record({
      afterMs: fc.constantFrom(0, 1, 40, 1000, 60_000),
      type: fc.constantFrom(...TYPES),
      address: fc.nat(1_000_000),
    }),
    {
      minLength: 10,
      maxLength: 130,
    },
  )
  .chain((made) => fc.record({ made: fc.constant(made), isAddressOrdered: fc.boolean(), isTypeOrdered: fc.boolean() }))
  .map(({ made, isAddressOrdered, isTypeOrdered }) => {
    let atMs = START_MS;
    return made.map(({ afterMs, type, address }, index): LiveObject => {
      atMs += afterMs;
      const id = `hoo_${String(index).padStart(4, "0")}`;
      const target = `https://example.com/${isAddressOrdered ? String(index).padStart(4, "0") : String(address)}`;
      const own = isTypeOrdered ? (TYPES[Math.floor((index * TYPES.length) / made.length)] ?? null) : type;
      return { id, attributes: { id, target_url: target, type: own, campaign_id: null, created_at: isoTime(atMs) } };
    });
  });

const RESOLUTIONS: { readonly [name: string]: (time: string) => string } = {
  "as recorded": (time) => time,
  seconds: (time) => isoTime(Math.floor(Date.parse(time) / 1000) * 1000),
};

test("a live webhook never counts as missing, in whatever order a list is, and at whichever end it is cut", () => {
  fc.assert(
    fc.property(
      liveHooks,
      fc.constantFrom(10, 20, 50, 100),
      fc.constantFrom("start", "end"),
      fc.constantFrom(...Object.keys(ORDERS)),
      fc.constantFrom(...Object.keys(RESOLUTIONS)),
      fc.nat(),
      (live, cap, end, order, resolution, seed) => {
        const all = ORDERS[order]?.(live, seed) ?? [];
        const answer = (end === "start" ? all.slice(-cap) : all.slice(0, cap)).map(({ id, attributes }) => ({
          id,
          attributes: {
            ...attributes,
            created_at: RESOLUTIONS[resolution]?.(String(attributes["created_at"])) ?? null,
          },
        }));
        const listed = new Set(answer.map(({ id }) => id));
        // Every answer so far was cut as this one is.
        const longestSeen = answer.length;
        const wronged = live.filter((object) => !listed.has(object.id) && isMissing(object, answer, { longestSeen }));
        expect(wronged.map(({ id }) => id)).toEqual([]);
      },
    ),
    { numRuns: 2000 },
  );
});

/** A create that was carried out at a minute, and whose answer was lost: the service's clock and the listing delay bound when. */
const carriedOut = (minute: number) => ({
  fromMs: START_MS + minute * 60_000 - 1000,
  untilMs: START_MS + minute * 60_000 + 10_000,
});

test("a create that was carried out is never taken for one that was not, in whatever order a capped list is, whatever was created since", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 60 }).map((cap) => cap * 5 + 5),
      fc.integer({ min: 0, max: 320 }),
      fc.constantFrom("oldest", "newest", "shuffled", "id"),
      fc.nat(),
      (since, cap, before, order, seed) => {
        const all = [...range(0, before), hook(before), ...range(before + 1, before + 1 + since)];
        const answer = (ORDERS[order]?.(all, seed) ?? []).slice(0, cap);
        if (answer.some(({ id }) => id === hook(before).id)) return;
        // Every answer so far was cut as this one is.
        const listing = { complete: false, evidence: evidenceOf(answer, { longestSeen: answer.length }) };
        expect(createAbsence(webhook, listing, { times: carriedOut(before), unlisted: [] })).toBe("unknown");
      },
    ),
    { numRuns: 5000 },
  );
});

describe("a create that a list does not show", () => {
  const times = carriedOut(12);
  test.each([
    ["was not carried out, newest first", "proven", range(0, 10).toReversed(), {}],
    ["is unknown oldest first with nothing younger", "unknown", range(0, 10), {}],
    ["was not carried out oldest first with something younger", "proven", [...range(0, 10), ...range(13, 18)], {}],
    ["is unknown newest first with nothing older", "unknown", range(20, 30).toReversed(), {}],
    ["is unknown in no order", "unknown", shuffle([...range(0, 10), ...range(13, 18)], 3), {}],
    ["was not carried out as far as an odd length tells", "by-length", shuffle(range(0, 11), 3), {}],
    [
      "is unknown at an odd length after a contradiction",
      "unknown",
      shuffle(range(0, 11), 3),
      { isContradicted: true },
    ],
    ["was not carried out where the list is empty", "proven", [], {}],
    ["was not carried out where a longer list was seen", "proven", shuffle(range(0, 10), 3), { longestSeen: 11 }],
  ] as const)("%s", (_, expected, answer, more) => {
    expect(
      createAbsence(webhook, { complete: false, evidence: evidenceOf(answer, more) }, { times, unlisted: [] }),
    ).toBe(expected);
  });

  test("is unknown by a longer list where others of ours are missing at the same end", () => {
    const evidence = evidenceOf(shuffle(range(0, 10), 3), { longestSeen: 12 });
    const judged = (unlisted: readonly LiveObject[]) =>
      createAbsence(webhook, { complete: false, evidence }, { times, unlisted });
    expect([judged([hook(11)]), judged([hook(-1)]), judged([hook(4.5)])]).toEqual(["unknown", "proven", "proven"]);
  });
});

test("a deleted webhook counts as missing wherever the list shows one on either side of it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 49 }), fc.boolean(), (deleted, isNewestFirst) => {
      const left = without(range(0, 51), deleted);
      expect(isMissing(hook(deleted), isNewestFirst ? left.toReversed() : left)).toBe(true);
    }),
  );
});
