import { describe, expect, test } from "vitest";
import { type LiveList, openLiveList } from "../../../src/core/apply/live/live-list.ts";
import { readImported } from "../../../src/core/apply/run/read-imported.ts";
import type { PlanRequest } from "../../../src/core/apply/run/run-ports.ts";
import type { AnyResource, LiveListing, LiveObject } from "../../../src/core/model/definition.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { irreversibleToy, listing, live, recorded, toy } from "../toy.ts";

const NEVER = new AbortController().signal;

/** A list whose reads are answered by hand, in any order. */
function byHand() {
  const reads: {
    readonly answer: (objects: readonly LiveObject[]) => void;
    readonly fail: () => void;
    readonly expected: readonly string[];
  }[] = [];
  const confirmed: (boolean | undefined)[] = [];
  const expected: string[] = [];
  const client = {
    list: (ids: ReadonlySet<string>) =>
      new Promise<LiveListing>((resolve, reject) => {
        reads.push({
          answer: (objects) => resolve(listing(objects)),
          fail: () => reject(new Error("no list")),
          expected: [...ids],
        });
      }),
  };
  const definition: AnyResource = {
    ...toy,
    list: ({ expectedIds, confirm }) => {
      confirmed.push(confirm);
      return client.list(expectedIds);
    },
  };
  const list: LiveList = openLiveList(definition, client, () => new Set(expected));
  return { list, reads, expected, confirmed };
}

const ids = ({ objects }: LiveListing): readonly string[] => objects.map(({ id }) => id);

describe("the live list", () => {
  test("is read once however many ask for it, at once or later", async () => {
    const { list, reads } = byHand();
    const asked = [list.get(NEVER), list.get(NEVER)];
    reads[0]?.answer([live("ball")]);
    for (const one of [...asked, list.get(NEVER)]) expect(ids(await one)).toEqual(["id_ball"]);
    expect(reads).toHaveLength(1);
  });

  test("is read again on request, and then for all", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    reads[0]?.answer([live("ball")]);
    await first;
    const again = list.again(NEVER);
    const shared = list.get(NEVER);
    reads[1]?.answer([live("kite")]);
    expect(ids(await again)).toEqual(["id_kite"]);
    expect(ids(await shared)).toEqual(["id_kite"]);
    expect(reads).toHaveLength(2);
  });

  test("is asked for proof that it is whole only where that is needed", async () => {
    const { list, confirmed } = byHand();
    void list.get(NEVER);
    void list.again(NEVER);
    void list.again(NEVER, { confirm: true });
    await Promise.resolve();
    expect(confirmed).toEqual([undefined, undefined, true]);
  });

  test("is read again to show it as the service does only after own writes", async () => {
    const { list, reads } = byHand();
    const first = list.shown(NEVER);
    reads[0]?.answer([live("ball")]);
    expect([ids(await first), ids(await list.shown(NEVER)), reads.length]).toEqual([["id_ball"], ["id_ball"], 1]);
    list.added(live("doll"));
    const again = list.shown(NEVER);
    reads[1]?.answer([live("ball")]);
    expect(ids(await again)).toEqual(["id_ball"]);
    await list.shown(NEVER);
    expect(reads).toHaveLength(2);
  });

  test("is known only once it was read", async () => {
    const { list, reads } = byHand();
    expect(await list.known()).toBeNull();
    const first = list.get(NEVER);
    reads[0]?.answer([live("ball")]);
    await first;
    expect((await list.known())?.objects).toHaveLength(1);
  });

  test("is asked for with the ids that should be there at that moment", async () => {
    const { list, reads, expected } = byHand();
    void list.get(NEVER);
    expected.push("id_ball");
    void list.again(NEVER);
    expect(reads.map((read) => read.expected)).toEqual([[], ["id_ball"]]);
  });

  test("knows own writes without being read again", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    reads[0]?.answer([live("ball"), live("kite")]);
    await first;
    list.removed("id_ball");
    list.added(live("doll"));
    list.added(live("doll", { room: "attic" }));
    const { objects } = await list.get(NEVER);
    expect(objects.map(({ id, attributes }) => [id, attributes["room"]])).toEqual([
      ["id_kite", null],
      ["id_doll", "attic"],
    ]);
    expect(reads).toHaveLength(1);
  });

  test("knows own writes that were made while it was being read", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    list.removed("id_ball");
    list.added(live("doll"));
    reads[0]?.answer([live("ball")]);
    expect(ids(await first)).toEqual(["id_doll"]);
    expect(ids(await list.get(NEVER))).toEqual(["id_doll"]);
  });

  test("believes a later read over its own memory", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    reads[0]?.answer([]);
    await first;
    list.added(live("doll"));
    const again = list.again(NEVER);
    reads[1]?.answer([live("kite")]);
    expect(ids(await again)).toEqual(["id_kite"]);
  });

  test("does not change what was handed out before", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    reads[0]?.answer([live("ball")]);
    const before = await first;
    list.removed("id_ball");
    await list.get(NEVER);
    expect(ids(before)).toEqual(["id_ball"]);
  });

  test("is read again after a read that failed", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    reads[0]?.fail();
    await expect(first).rejects.toThrow("no list");
    const second = list.get(NEVER);
    reads[1]?.answer([live("ball")]);
    expect(ids(await second)).toEqual(["id_ball"]);
  });

  test("is what it was, with own writes, where a later read fails", async () => {
    const { list, reads } = byHand();
    const first = list.get(NEVER);
    reads[0]?.answer([live("ball"), live("kite")]);
    await first;
    const again = list.again(NEVER);
    list.added(live("doll"));
    const shared = list.get(NEVER);
    reads[1]?.fail();
    await expect(again).rejects.toThrow("no list");
    expect(ids(await shared)).toEqual(["id_ball", "id_kite", "id_doll"]);
    list.removed("id_ball");
    expect(ids(await list.get(NEVER))).toEqual(["id_kite", "id_doll"]);
    expect(reads).toHaveLength(2);
  });

  test("stays as a later read has shown it where an earlier one fails after that", async () => {
    const { list, reads } = byHand();
    const [first, again] = [list.get(NEVER), list.again(NEVER)];
    reads[1]?.answer([live("kite")]);
    await again;
    reads[0]?.fail();
    await expect(first).rejects.toThrow("no list");
    expect(ids(await list.get(NEVER))).toEqual(["id_kite"]);
    expect(reads).toHaveLength(2);
  });

  test("is asked for proof that it is whole where it lacks what is to be imported, and for nothing where that is recorded", async () => {
    const { list, reads, confirmed } = byHand();
    const imports = [{ to: "toy_thing.ball", id: "id_ball", locate: () => undefined }];
    const request = { options: PLAIN_OPTIONS } as PlanRequest;
    const importing = { type: "toy_thing", request, prepared: { imports }, instances: [], signal: NEVER };
    const found = readImported(listing([]), list, importing);
    reads[0]?.answer([live("ball")]);
    expect([ids(await found), confirmed]).toEqual([["id_ball"], [true]]);
    const before = listing([]);
    expect(await readImported(before, list, { ...importing, instances: [recorded("ball", {}, { id: "other" })] })).toBe(
      before,
    );
    expect(await readImported(before, list, { ...importing, type: "toy_shout" })).toBe(before);
    const shown = listing([live("ball")]);
    expect(await readImported(shown, list, importing)).toBe(shown);
  });

  test("is for types that can be listed", async () => {
    await expect((async () => openLiveList(irreversibleToy, {}, () => new Set()).get(NEVER))()).rejects.toThrow(
      "toy_shout has no list",
    );
  });
});
