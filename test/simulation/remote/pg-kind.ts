import { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { type MemoryPlace, memoryPlace, memoryStore } from "../../core/state/memory-store.ts";
import type { StateLock, StateStore } from "../../../src/core/state/state-store.ts";
import { lockLost, storeUnreachable } from "../../../src/core/state/store-errors.ts";
import { type Life, type ProcessPorts, type StoreKind, never } from "../ports.ts";
import type { Stored } from "../service.ts";
import type { StorePart, World } from "../world.ts";
import { textOf } from "./state-server.ts";

const LATENCY_MS = 10;
const NEVER = new AbortController().signal;

/**
 * A state in a database, as the store of PostgreSQL promises to its users: a write compares and replaces in one step, the lock ends with the
 * session, and a lost connection is the end of both. The statements themselves are not simulated.
 */
class PgPart implements StorePart {
  readonly place: MemoryPlace;
  /** A write whose sender may still die before it is carried out. */
  inFlight: Uint8Array | null = null;
  /** The process whose session has the lock. */
  holder: Life | null = null;

  constructor(place: MemoryPlace) {
    this.place = place;
  }

  copy(): this {
    const copy = new PgPart({ ...this.place, counts: { ...this.place.counts } });
    copy.inFlight = this.inFlight;
    copy.holder = this.holder;
    return copy as this;
  }

  key(): string {
    return [textOf(this.stored().state), this.place.held?.id].join("\n");
  }

  /** The session ends, and with it the lock. A write in flight arrives, or does not. */
  afterDeath(): readonly this[] {
    const alone = this.#ended(null);
    return this.inFlight ? [alone, this.#ended(this.inFlight)] : [alone];
  }

  #ended(bytes: Uint8Array | null): this {
    const after = this.copy();
    after.inFlight = null;
    after.unlock();
    if (bytes) after.putBack(bytes);
    return after;
  }

  stored(): Stored {
    return { state: this.place.stored?.bytes ?? null, journal: null };
  }

  texts(): readonly string[] {
    return [textOf(this.stored().state), JSON.stringify(this.place.held)];
  }

  unlock(): void {
    this.place.held = null;
  }

  putBack(bytes: Uint8Array): void {
    this.place.stored = { bytes, version: String(++this.place.counts.writes) };
  }
}

function openStore(world: Pick<World, "store">, { clock, decisions, life }: ProcessPorts): StateStore {
  const part = world.store as PgPart;
  const store = memoryStore(clock, part.place);
  const lost = new AbortController();
  let own: StateLock | null = null;

  function unreachable(request: string): DiagnosticsError {
    decisions.sees(`no answer to ${request}`);
    return new DiagnosticsError([storeUnreachable({ request, why: "the connection was lost", hint: null })]);
  }
  /** The session has ended, and with it the lock. */
  function lose(): DiagnosticsError {
    part.unlock();
    const error = new DiagnosticsError([lockLost(store.name, own?.id ?? "")]);
    lost.abort(error);
    return error;
  }
  async function passes<F extends string>(point: string, fates: readonly [F, ...F[]]): Promise<F> {
    if (life.isOver) return never();
    const fate = decisions.choose(point, fates);
    if (fate === fates[0] && part.inFlight) decisions.mayDie(point);
    await clock.sleep(LATENCY_MS, NEVER);
    if (life.isOver) return never();
    decisions.does(`${point} ${fate}`);
    return fate;
  }

  return {
    ...store,
    isOnThisMachine: false,
    lock: async (...request) => {
      if ((await passes("lock the state", ["well", "lost"])) === "lost") throw unreachable("lock");
      // The session of a killed process has ended.
      if (part.holder?.isOver) part.unlock();
      own = await store.lock(...request);
      part.holder = life;
      decisions.sees("locked");
      return { ...own, lost: AbortSignal.any([own.lost, lost.signal]) };
    },
    read: async (signal) => {
      if ((await passes("read the state", ["well", "lost"])) === "lost") throw unreachable("read");
      const stored = await store.read(signal);
      decisions.sees(textOf(stored?.bytes ?? null));
      return stored;
    },
    write: async (bytes, expected, signal) => {
      lost.signal.throwIfAborted();
      part.inFlight = bytes;
      const fate = await passes("write the state", ["well", "lost-before", "lost-after", "stolen"]);
      part.inFlight = null;
      if (fate === "stolen") part.unlock();
      if (fate === "lost-before") throw lose();
      const version = await store.write(bytes, expected, signal).catch((error: unknown) => {
        decisions.sees(`the write is refused: ${String(error)}`);
        throw error;
      });
      decisions.sees(`written ${fate}`);
      // It is looked up by another session, after the lock was given up.
      if (fate === "lost-after") lose();
      return version;
    },
  };
}

export const pgKind: StoreKind = {
  name: "pg",
  tidy: () => undefined,
  newPart: () => new PgPart(memoryPlace()),
  open: openStore,
};
