import type { Clock, Random } from "../../../src/core/model/ports.ts";
import { type StateDocument, decodeState } from "../../../src/core/state/document.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { readJournal } from "../../../src/core/state/journal.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { memoryPlace, memoryStore } from "../state/memory-store.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { memoryFiles } from "../state/memory-files.ts";
import { HOLDER, NEVER, processOf } from "../state/state-fixtures.ts";
import type { Chance } from "./chance.ts";
import { type Life, mortalFiles, never } from "./life.ts";

const PATH = "work/s.json";

/** Where the state of a story is kept, whatever happens to the processes that use it. */
export interface Home {
  /** The store as a process has it. */
  storeOf(life: Life): StateStore;
  /** Locks it until it recovers, where that matters to a story. The signal tells of the loss of the lock. */
  lock(store: StateStore): Promise<AbortSignal>;
  /** What lies there now, with what a journal tells; throws where it cannot be read. */
  read(): Promise<StateDocument | null>;
  /** All that lies there, to tell whether anything was written. */
  texts(): string;
  /** Something may go wrong from now on. Where somebody takes the lock away by force, `stolen` is called. */
  suffer(stolen: () => void): void;
  /** Nothing goes wrong any more. */
  recover(): void;
}

export interface HomePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly chance: Chance;
}

/** A state in a file with a journal next to it, on a disk that may fail. */
export function localHome({ clock, random, chance }: HomePorts): Home {
  const files = memoryFiles();
  return {
    storeOf: (life) => localStore(PATH, { files: mortalFiles(files, life), clock, random, process: processOf() }),
    lock: () => Promise.resolve(NEVER),
    read: async () => {
      const read = (): Promise<Uint8Array | null> => Promise.resolve(files.contents.get(`${PATH}.journal`) ?? null);
      const journal = await readJournal({ name: "journal", read });
      const bytes = files.contents.get(PATH);
      if (!bytes) return null;
      const document = decodeState(bytes, PATH);
      return journal && journal !== "unfinished" ? fold(document, journal.events) : document;
    },
    texts: () => JSON.stringify([...files.contents].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])),
    suffer: () =>
      files.fail({
        at: chance.below(40),
        code: chance.oneOf(["CRASH", "CRASH", "ENOSPC", "EIO"]),
        done: chance.oneOf(["nothing", "half", "all"]),
      }),
    recover: () => files.fail(null),
  };
}

/** What becomes of a write of the state. */
type Fate = "crash-before" | "crash-after" | "lost-before" | "lost-after" | "stolen";

/** A state on a server that takes its time, with the intents inside it. */
export function remoteHome({ clock, chance }: HomePorts): Home {
  const place = memoryPlace();
  let fault: { readonly at: number; readonly fate: Fate } | null = null;
  let writes = 0;
  let onStolen: (() => void) | null = null;
  function mortal(store: StateStore, life: Life): StateStore {
    return {
      ...store,
      read: async (signal) => (life.isOver ? never() : store.read(signal)),
      write: async (bytes, expected, signal) => {
        await clock.sleep(1 + chance.below(30), NEVER);
        if (life.isOver) return never();
        const fate = fault?.at === writes++ ? fault.fate : "well";
        if (fate === "crash-before") life.end();
        if (fate === "lost-before") throw new Error("the state's server is not there");
        if (fate === "stolen") {
          place.held = null;
          onStolen?.();
        }
        if (life.isOver) return never();
        const version = await store.write(bytes, expected, signal);
        if (fate === "crash-after") life.end();
        if (life.isOver) return never();
        if (fate === "lost-after") throw new Error("the answer of the state's server was lost");
        return version;
      },
    };
  }
  return {
    storeOf: (life) => mortal(memoryStore(clock, place), life),
    lock: async (store) => (await store.lock(HOLDER, 0, NEVER)).lost,
    read: () => Promise.resolve(place.stored && decodeState(place.stored.bytes, "memory")),
    texts: () => JSON.stringify([place.stored, place.before].map((kept) => kept && JSON.stringify(kept))),
    suffer: (stolen) => {
      writes = 0;
      onStolen = stolen;
      fault = {
        at: chance.below(8),
        fate: chance.oneOf(["crash-before", "crash-after", "lost-before", "lost-after", "stolen", "stolen"]),
      };
    },
    recover: () => {
      fault = null;
      onStolen = null;
      place.held = null;
    },
  };
}
