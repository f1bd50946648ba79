import { describe, expect, it } from "vitest";
import { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { memoryPlace, memoryStore } from "../../core/state/memory-store.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import type { Ledger } from "../../../src/frontends/provider-journal/ledger.ts";
import { type LedgerStore, openLedgerStore } from "../../../src/frontends/provider-journal/ledger-store.ts";
import { type Chance, chanceOf } from "../../core/apply/chance.ts";
import { type Life, mortalFiles, never, newLife } from "../../core/apply/life.ts";
import { memoryFiles } from "../../core/state/memory-files.ts";
import { NEVER, countingRandom, processOf } from "../../core/state/state-fixtures.ts";
import { virtualClock } from "../../core/virtual-clock.ts";

const MARK = { host: "here", bootId: "1", pidNamespace: "1", pid: 1, startedAt: "1" };
const SEEDS = Number(process.env["OUTREACH_SEEDS"] ?? "150");

/** A change that can be seen, and made again. */
const adding =
  (id: string) =>
  (ledger: Ledger): Ledger => ({ ...ledger, processes: { ...ledger.processes, [id]: MARK } });

const idsIn = ({ processes }: Ledger): readonly string[] => Object.keys(processes).toSorted();

async function storedIn(ledger: LedgerStore): Promise<Ledger> {
  await ledger.read();
  return ledger.known();
}

/** A store that counts what it is asked for. */
function counted(store: StateStore) {
  const counts = { reads: 0, writes: 0, locks: 0 };
  const counting: StateStore = {
    ...store,
    read: (signal) => (counts.reads++, store.read(signal)),
    write: (bytes, expected, signal) => (counts.writes++, store.write(bytes, expected, signal)),
    lock: (holder, timeoutMs, signal) => (counts.locks++, store.lock(holder, timeoutMs, signal)),
  };
  return { store: counting, counts };
}

interface World {
  readonly clock: ReturnType<typeof virtualClock>;
  readonly chance: Chance;
  readonly lives: Map<number, Life>;
  /** The store as this process has it; null for one that only looks. */
  open(pid: number | null): StateStore;
}

const LOCAL = "local files, which a lock protects";
const ATOMIC = "a store that compares and writes in one step, and loses answers";

function newWorld(kind: string, seed: number): World {
  const [clock, chance] = [virtualClock(), chanceOf(seed)];
  const lives = new Map<number, Life>();
  const disk = memoryFiles({ delay: () => clock.sleep(chance.below(4), NEVER) });
  const place = memoryPlace();
  const isAlive = (pid: number): Promise<boolean> => Promise.resolve(lives.get(pid)?.isOver === false);
  return {
    clock,
    chance,
    lives,
    open: (pid) => {
      const life = (pid === null ? null : lives.get(pid)) ?? newLife();
      if (kind === LOCAL) {
        const random = { ...countingRandom(), uuid: () => `${String(pid)}-${String(chance.below(1e9))}` };
        return localStore("work/ledger.json", {
          files: mortalFiles(disk, life),
          clock,
          random,
          process: processOf([], { pid: pid ?? 0, isAlive }),
        });
      }
      return pid === null ? memoryStore(clock, place) : faulty(memoryStore(clock, place), { clock, chance, life });
    },
  };
}

/** The answers of writes are slow, and some of them are lost. */
function faulty(
  store: StateStore,
  { clock, chance, life }: Pick<World, "clock" | "chance"> & { readonly life: Life },
): StateStore {
  const slow = async <T>(call: () => Promise<T>): Promise<T> => {
    await clock.sleep(chance.below(10), NEVER);
    if (life.isOver) return never();
    const answer = await call();
    await clock.sleep(chance.below(10), NEVER);
    return life.isOver ? never() : answer;
  };
  return {
    ...store,
    read: (signal) => slow(() => store.read(signal)),
    write: async (bytes, expected, signal) => {
      const version = await slow(() => store.write(bytes, expected, signal));
      if (chance.percent(10)) throw new Error("the answer was lost");
      return version;
    },
  };
}

/** Some processes change the ledger at once; some are killed. Returns what is there then, and what was promised. */
async function tell(
  kind: string,
  seed: number,
): Promise<{ readonly stored: readonly string[]; readonly promised: readonly string[] }> {
  const world = newWorld(kind, seed);
  const { clock, chance, lives } = world;
  const promised: string[] = [];
  const work = async (pid: number): Promise<void> => {
    const life = newLife();
    lives.set(pid, life);
    const ledger = openLedgerStore(world.open(pid), { clock, process: processOf([], { pid }) });
    if (chance.percent(40)) void clock.sleep(chance.below(400), NEVER).then(() => life.end());
    await Promise.race([
      life.over,
      Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          await clock.sleep(chance.below(300), NEVER);
          const id = `${String(pid)}/${String(index)}`;
          await ledger.update(adding(id)).then(
            () => promised.push(id),
            () => undefined,
          );
        }),
      ),
    ]);
    life.end();
  };
  await Promise.all([1, 2, 3].map(work));
  return {
    stored: idsIn(await storedIn(openLedgerStore(world.open(null), { clock, process: processOf() }))),
    promised,
  };
}

describe.each([LOCAL, ATOMIC])("a ledger in %s", (kind) => {
  it("keeps every change that was promised to be stored, whichever processes change it at once, and are killed", async () => {
    let total = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const { stored, promised } = await tell(kind, seed);
      total += promised.length;
      expect({ seed, lost: promised.filter((id) => !stored.includes(id)) }).toEqual({ seed, lost: [] });
    }
    expect(total).toBeGreaterThan(SEEDS * 6);
  });

  it("stores changes that come at once with few writes, and none that changes nothing", async () => {
    const { clock, open } = newWorld(kind, 1);
    const { store, counts } = counted(open(null));
    const ledger = openLedgerStore(store, { clock, process: processOf() });
    await Promise.all(Array.from({ length: 20 }, (_, index) => ledger.update(adding(String(index)))));
    expect(counts.writes).toBeLessThanOrEqual(2);
    await ledger.update((same) => same);
    expect(counts.writes).toBeLessThanOrEqual(2);
    expect((await storedIn(ledger)).serial).toBe(counts.writes);
  });

  it("of changes that come at once, one that throws fails alone", async () => {
    const { clock, open } = newWorld(kind, 1);
    const ledger = openLedgerStore(open(null), { clock, process: processOf() });
    const refusing = (): never => {
      throw new Error("not this one");
    };
    const [first, second, third] = await Promise.allSettled([
      ledger.update(adding("a")),
      ledger.update(refusing),
      ledger.update(adding("c")),
    ]);
    expect([first.status, second.status, third.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(idsIn(await storedIn(ledger))).toEqual(["a", "c"]);
  });

  it("is never written over something else", async () => {
    const { clock, open } = newWorld(kind, 1);
    const store = open(null);
    await store.write(new TextEncoder().encode('{"format":3}'), null, NEVER);
    const ledger = openLedgerStore(store, { clock, process: processOf() });
    await expect(ledger.update(adding("a"))).rejects.toThrow(DiagnosticsError);
    expect(new TextDecoder().decode((await store.read(NEVER))?.bytes)).toBe('{"format":3}');
  });
});

it("on a store that compares and writes in one step, an update takes one request and no lock", async () => {
  const { clock, open } = newWorld(ATOMIC, 1);
  const { store, counts } = counted(open(null));
  const ledger = openLedgerStore(store, { clock, process: processOf() });
  await ledger.update(adding("a"));
  await ledger.update(adding("b"));
  expect(counts).toEqual({ reads: 1, writes: 2, locks: 0 });
});

it("on any other store, a change is made of what is stored now, also where it changes nothing of what this process knew", async () => {
  const { clock, open } = newWorld(LOCAL, 1);
  const [one, other] = [1, 2].map((pid) => openLedgerStore(open(null), { clock, process: processOf([], { pid }) }));
  const present = (ledger: Ledger): Ledger => (idsIn(ledger).includes("a") ? ledger : adding("a")(ledger));
  await one?.update(present);
  await other?.update((ledger) => ({ ...ledger, processes: {} }));
  await one?.update(present);
  expect(other && idsIn(await storedIn(other))).toEqual(["a"]);
});
