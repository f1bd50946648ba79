import { describe, expect, test } from "vitest";
import { bothLists, decideCreates } from "../../../src/core/apply/recovery/decide-creates.ts";
import { checkLostCreates } from "../../../src/core/apply/recovery/lost-creates.ts";
import { markFor } from "../../../src/core/apply/write/marks.ts";
import type { AnyResource, LiveObject } from "../../../src/core/model/definition.ts";
import type { LostCreate } from "../../../src/core/state/lost-create.ts";
import { countingRandom, document } from "../state/state-fixtures.ts";
import { listing, live } from "../toy.ts";
import { shopCatalog, thing } from "./shop-things.ts";

const NOW_MS = 1_700_000_000_000;
const MARK = "0123456789abcdef";
const ADDRESS = "toy_thing.kite";
const at = (seconds: number): string => new Date(NOW_MS + seconds * 1000).toISOString();
const PLANNED = { name: "kite", room: null };
const LOST: LostCreate = {
  type: thing.type,
  provider: "toy",
  address: ADDRESS,
  key: PLANNED,
  planned: PLANNED,
  preIds: [],
  sentAtMs: NOW_MS,
  mark: MARK,
  serverDate: new Date(NOW_MS).toUTCString(),
};
const made = (
  id: string,
  seconds: number,
  more: { readonly mark?: string; readonly room?: string } = {},
): LiveObject => ({
  ...live("kite", { id, made_at: at(seconds), room: more.room ?? null }),
  mark: more.mark ?? MARK,
});

describe("an object with the mark of a create that was given up", () => {
  function check(...objects: readonly LiveObject[]) {
    const given = { catalog: shopCatalog, listings: new Map([[thing.type, listing(objects)]]), nowMs: NOW_MS };
    const { document: after, diagnostics } = checkLostCreates(document({ instances: [], lostCreates: [LOST] }), given);
    return {
      codes: diagnostics.map(({ code }) => code),
      recorded: after.instances.flatMap(({ id, deposed = [] }) => [id, ...deposed.map((old) => old.id)]),
    };
  }
  test.each<readonly [string, readonly LiveObject[], ReturnType<typeof check>]>([
    [
      "is recorded, and further ones are recorded for their delete",
      [made("a", 1), made("b", 2)],
      { codes: ["late_duplicate_found", "late_duplicate_found"], recorded: ["a", "b"] },
    ],
    [
      "is reported if it is older than the create: somebody has copied the mark",
      [made("a", -1)],
      { codes: ["late_duplicate"], recorded: [] },
    ],
    [
      "is reported if it shows another value",
      [made("a", 1, { room: "hall" })],
      { codes: ["late_duplicate"], recorded: [] },
    ],
    [
      "is reported if its age is not known",
      [{ ...made("a", 1), attributes: PLANNED }],
      { codes: ["late_duplicate"], recorded: [] },
    ],
    [
      "is none of its outcomes if it has another mark",
      [made("a", 1, { mark: "fedcba9876543210" })],
      { codes: [], recorded: [] },
    ],
  ])("%s", (_, objects, expected) => expect(check(...objects)).toEqual(expected));
});

describe("an open create", () => {
  const decided = (objects: readonly LiveObject[], mark?: string) => {
    const seen = bothLists(thing, { first: listing(objects), second: listing(objects), earlier: [] });
    const evidence = {
      definition: thing,
      seen,
      isManaged: () => false,
      lostCreates: [],
      unlisted: () => [],
      listingDelayMs: { answered: 0, unanswered: 0 },
    };
    const intent = {
      key: PLANNED,
      planned: PLANNED,
      provider: "toy",
      serverDate: LOST.serverDate ?? "",
      ...(mark === undefined ? {} : { mark }),
    };
    const create = {
      intent,
      before: { ids: new Set<string>(), partial: false },
      problem: null,
      answered: true,
      lastAtMs: NOW_MS,
    };
    return decideCreates([create], evidence)[0]?.decision;
  };
  test("has the oldest object with its mark; only what proves to be its own counts as a twin", () => {
    const found = decided([made("new", 3), made("old", 1), made("other", 2, { room: "hall" })], MARK);
    expect(found).toMatchObject({ kind: "found", object: { id: "old" }, twins: [{ id: "new" }] });
  });
  test("stays open if all that carries its mark shows other values: somebody has copied it", () => {
    expect(decided([made("other", 1, { room: "hall" })], MARK)).toMatchObject({
      kind: "open",
      why: "other carries its mark, but shows another room",
    });
  });
  test("without a mark has made nothing that carries one", () => {
    expect(decided([made("marked", 1)])).toMatchObject({ kind: "none" });
  });
});

describe("the mark of a create", () => {
  const definition: AnyResource = { ...thing, mark: true };
  const taken = (...marks: readonly string[]) => ({
    lostCreates: [LOST],
    taken: new Set<string | undefined>(marks),
    random: countingRandom(),
    marks: true,
  });
  const creation = (room: string | null) => ({
    address: ADDRESS,
    provider: "toy",
    attributes: { ...PLANNED, room },
    secrets: {},
    masked: [],
    lookups: {},
    allowDuplicate: false,
  });
  test("is that of the same create which was given up, unless an object carries it", () => {
    expect(markFor(definition, creation(null), taken())).toBe(MARK);
    expect(markFor(definition, creation(null), taken(MARK))).toMatch(/^(?!0123456789abcdef)[0-9a-f]{16}$/);
  });
  test("is a new one for other values", () => {
    expect(markFor(definition, creation("hall"), taken())).toMatch(/^(?!0123456789abcdef)[0-9a-f]{16}$/);
  });
});
