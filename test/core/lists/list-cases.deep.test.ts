import { describe, expect, test } from "vitest";
import type { Fate, ListBehaviour } from "./capped-service.ts";
import { type ListWorld, listWorld, urlOf } from "./list-world.ts";

const ORDERS = ["oldest", "newest", "shuffled"] as const;
/** So many of 36 lost answers are undecided, where neither the length of the list nor its order decides. */
const UNDECIDED = { oldest: 12, newest: 1, shuffled: 6 } as const;
const PAGING = ["nothing", "offset", "page", "page-from-0"] as const;
const FOREIGN = 3;
const YEARS_AGO_MS = Date.parse("2021-02-16T08:02:42Z");

/** Every multiple of 5 from 10 to 300: a shorter list counts as whole, so a cap of 5 is known only by a contradiction. */
const CAPS = Array.from({ length: 59 }, (_, index) => (index + 2) * 5);
const SOME_CAPS = [10, 15, 25, 50, 75, 100, 200, 300];
/** Of the caps above 100, each order has every third, and the three orders together have all. */
const capsOf = (order: (typeof ORDERS)[number]) => CAPS.filter((cap) => cap <= 100 || ORDERS[(cap / 5) % 3] === order);
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

function world(behaviour: Partial<ListBehaviour> & Pick<ListBehaviour, "cap">): ListWorld {
  const opened = listWorld({ order: "oldest", by: "nothing", isDated: true, ...behaviour });
  for (let index = 0; index < FOREIGN; index++)
    opened.service.add(`https://hooks.automation.example/${String(index)}`, { createdMs: YEARS_AGO_MS + index });
  return opened;
}

/** What holds at any time: nothing of ours is there twice, and everything that is foreign is untouched and not managed. */
async function expectSafe(opened: ListWorld, what: unknown, doubled = 0): Promise<void> {
  const foreign = opened.service.hooks().filter(({ isOurs }) => !isOurs);
  const recorded = await opened.recorded();
  expect({ what, doubled: opened.doubled(), adopted: foreign.filter(({ _id }) => recorded.has(_id)) }).toEqual({
    what,
    doubled,
    adopted: [],
  });
}

/** Applies twice more. */
async function settle(opened: ListWorld, names: readonly number[], what: unknown): Promise<void> {
  for (let run = 0; run < 2; run++) {
    await opened.apply(names);
    await expectSafe(opened, [what, "again", run]);
  }
}

async function destroyed(opened: ListWorld): Promise<number> {
  await opened.apply([], { destroy: true });
  return opened.service.hooks().filter(({ isOurs }) => isOurs).length;
}

describe.each(ORDERS)("a list at caps to 300, %s first", (order) => {
  test.each(PAGING)(
    "paged by %s: however many webhooks there are, none is doubled, and a destroy leaves none",
    async (by) => {
      for (const cap of by === "nothing" ? capsOf(order) : SOME_CAPS) {
        const names = range(cap - FOREIGN + ((cap / 5) % 4));
        const opened = world({ cap, order, by });
        expect(await opened.apply(names)).toMatchObject({ exit: 0 });
        await settle(opened, names, { cap });
        expect({ cap, left: await destroyed(opened) }).toEqual({ cap, left: 0 });
      }
    },
  );

  test("the answer to one create is lost: it is found, sent again, or undecided, and never doubled", async () => {
    let undecided = 0;
    for (const cap of SOME_CAPS.filter((one) => one <= 100)) {
      for (const fate of ["lost before", "lost after"] as const) {
        for (const more of [-1, 0, 2]) {
          const names = range(cap - FOREIGN + more);
          const opened = world({ cap, order });
          opened.service.fate((create) => (create === names.length - 1 ? fate : "done"));
          const { exit } = await opened.apply(names);
          await expectSafe(opened, { cap, fate, more });
          opened.service.fate(() => "done");
          await settle(opened, names, { cap, fate, more });
          const missing = names.length - opened.service.hooks().filter(({ isOurs }) => isOurs).length;
          // Where all fit into the list, it shows the one that was carried out.
          if (fate === "lost after" && more <= 0)
            expect({ cap, fate, more, exit }).toEqual({ cap, fate, more, exit: 0 });
          if (missing > 0) expect({ cap, fate, more, exit }).toEqual({ cap, fate, more, exit: 3 });
          undecided += exit === 3 ? 1 : 0;
        }
      }
    }
    expect(undecided).toBe(UNDECIDED[order]);
  });

  test("a run is killed with creates under way: the next one finishes it, and doubles nothing", async () => {
    // Before and after it, the length is one that may be a cap, or is none.
    for (const [live, more] of [7, 8, 9, 10, 11, 15, 20, 30, 55, 100].flatMap((count) =>
      [17, 18, 19, 20, 21].map((added) => [count, added] as const),
    )) {
      const opened = world({ cap: 1000, order });
      const names = range(live + more);
      const last = live - FOREIGN - 1;
      // Of those that are under way then, some are carried out, and two are not.
      opened.service.fate((create): Fate =>
        create === last ? "killed" : create === last + 1 || create === last + 2 ? "lost before" : "done",
      );
      expect((await opened.apply(names)).exit).toBe("died");
      opened.service.fate(() => "done");
      const next = await opened.apply(names);
      await expectSafe(opened, { live, more, codes: next.codes });
      expect({ live, more, exit: next.exit, count: opened.service.hooks().length }).toEqual({
        live,
        more,
        exit: 0,
        count: names.length + FOREIGN,
      });
      expect(await opened.plan(names)).toMatchObject({ exit: 0, codes: [] });
    }
  });
});

describe("the answer to the last create of a list that becomes 10, 20 or 30 long is lost", () => {
  test.each([10, 20, 30].flatMap((length) => ORDERS.map((order) => [length, order] as const)))(
    "%i, %s first: the list shows it",
    async (length, order) => {
      const names = range(length - FOREIGN);
      const opened = world({ cap: 1000, order });
      opened.service.fate((create) => (create === names.length - 1 ? "lost after" : "done"));
      expect((await opened.apply(names)).exit).toBe(0);
      await expectSafe(opened, length);
      expect(await opened.plan(names)).toMatchObject({ exit: 0, codes: [] });
    },
  );
});

describe("somebody deletes webhooks by hand", () => {
  /** What the plan wants to create again after these were deleted, of as many as the service has. */
  async function drift(opened: ListWorld, names: readonly number[], deleted: readonly number[]) {
    for (const name of deleted)
      opened.service.remove(opened.service.hooks().find(({ targetUrl }) => targetUrl === urlOf(name))?._id ?? "");
    const planned = await opened.plan(names);
    return {
      told: planned.steps.flatMap(({ action, address }) => (action === "create" ? [address] : [])),
      codes: planned.codes,
    };
  }

  test.each(ORDERS)(
    "one of any number, wherever it is, is told after an apply that created them (%s first)",
    async (order) => {
      for (const count of [4, 9, 10, 12, 15, 16, 21, 26, 31]) {
        for (const place of [0, Math.floor(count / 2), count - 1]) {
          const opened = world({ cap: 1000, order });
          expect((await opened.apply(range(count))).exit).toBe(0);
          expect({ count, place, ...(await drift(opened, range(count), [place])) }).toEqual({
            count,
            place,
            told: [`outreach_webhook.w${String(place)}`],
            codes: [],
          });
          await settle(opened, range(count), { count, place });
          expect(opened.service.hooks()).toHaveLength(count + FOREIGN);
        }
      }
    },
  );

  test("several at one end are told where the length is no cap, and kept where a new cap would look the same", async () => {
    const told = async (count: number) => {
      const opened = world({ cap: 1000 });
      await opened.apply(range(count));
      const youngest = opened.service
        .hooks()
        .slice(-2)
        .map(({ targetUrl }) => Number(new URL(targetUrl).searchParams.get("n")));
      const { told: names, codes } = await drift(opened, range(count), youngest);
      await settle(opened, range(count), count);
      return [names.length, codes];
    };
    expect(await told(26 - FOREIGN)).toEqual([2, []]);
    expect(await told(27 - FOREIGN)).toEqual([0, ["list_maybe_truncated", "list_maybe_truncated"]]);
  });

  test.each(PAGING.filter((by) => by !== "nothing"))("any are told where the list is paged by %s", async (by) => {
    const opened = world({ cap: 10, by, order: "shuffled" });
    await opened.apply(range(27));
    expect(await drift(opened, range(27), [1, 25, 26])).toEqual({
      told: ["outreach_webhook.w1", "outreach_webhook.w25", "outreach_webhook.w26"],
      codes: [],
    });
    await settle(opened, range(27), by);
    expect(opened.service.hooks()).toHaveLength(27 + FOREIGN);
  });
});

describe("a list that is cut at an odd length", () => {
  test.each(ORDERS)("doubles one lost create at most, and is known from then on (%s first)", async (order) => {
    for (const cap of [7, 11, 27, 54]) {
      const names = range(cap - FOREIGN + 6);
      const opened = world({ cap, order });
      // The last four are lost together, after they were carried out.
      opened.service.fate((create) => (create >= names.length - 4 && create < names.length ? "lost after" : "done"));
      for (let run = 0; run < 4; run++) {
        await opened.apply(names);
        opened.service.fate(() => "done");
      }
      expect({ cap, isAtMostOne: opened.doubled() <= 1 }).toEqual({ cap, isAtMostOne: true });
      if (opened.doubled() === 1)
        expect(await opened.knowledge()).toMatchObject([{ contradictedAtMs: expect.any(Number) as number }]);
    }
  });

  test("a cap of 5 is one of them", async () => {
    const opened = world({ cap: 5 });
    opened.service.fate((create) => (create >= 2 && create < 6 ? "lost after" : "done"));
    for (let run = 0; run < 3; run++) {
      await opened.apply(range(6));
      opened.service.fate(() => "done");
    }
    expect(opened.doubled()).toBeLessThanOrEqual(1);
  });
});

describe("an old identical webhook that a deletion brings into sight", () => {
  test.each([true, false])(
    "is not taken for a create whose answer was lost (the list shows times: %s)",
    async (isDated) => {
      const opened = world({ cap: 10, order: "newest", isDated });
      const old = opened.service.add(urlOf(8), { createdMs: YEARS_AGO_MS });
      for (let index = 0; index < 4; index++)
        opened.service.add(`https://other.example.com/${String(index)}`, { createdMs: YEARS_AGO_MS + 1000 + index });
      await opened.apply(range(8));
      opened.service.fate(() => "lost before");
      const { exit } = await opened.apply(range(9));
      opened.service.fate(() => "done");
      for (const { _id } of opened.service.hooks().filter(({ isOurs, targetUrl }) => !isOurs && targetUrl !== urlOf(8)))
        opened.service.remove(_id);
      for (let run = 0; run < 2; run++) await opened.apply(range(9));
      expect([exit, (await opened.recorded()).has(old._id)]).toEqual([3, false]);
    },
  );
});
