import type { AnyResource, ListEvidence, LiveListing, LiveObject } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Attributes } from "../../model/value.ts";
import { type LiveIndex, indexLive, observableIdentity } from "../../plan/live-index.ts";
import { NO_PAST_LISTS, type PastLists } from "./list-records.ts";

/**
 * The live objects of one resource type, read once for a provider and run. Concurrent callers share the promise, and the run's
 * own writes are folded in.
 */
export interface LiveList {
  get(signal: AbortSignal): Promise<LiveListing>;
  /** Reads the list again, whatever is known; if that fails, the last list still counts. `confirm` asks for proof that it is whole. */
  again(signal: AbortSignal, options?: { readonly confirm: boolean }): Promise<LiveListing>;
  /** A list that the service shows after this call, whole if it can be. Calls that wait for one share it; if it fails, the last list still counts. */
  fresh(signal: AbortSignal): Promise<LiveListing>;
  /** The list as the service shows it: read again if own writes have been folded in since. */
  shown(signal: AbortSignal): Promise<LiveListing>;
  /** The last list, without reading; null when there is none. */
  known(): Promise<LiveListing | null>;
  find(id: string, signal: AbortSignal): Promise<LiveObject | undefined>;
  /** The objects that are identical to what `wanted` would create, as far as the service shows it. */
  duplicates(wanted: Attributes, signal: AbortSignal): Promise<readonly LiveObject[]>;
  /** The objects with the same value of the type's exclusive attribute. */
  holders(wanted: Attributes, signal: AbortSignal): Promise<readonly LiveObject[]>;
  /** The identity attributes by which the service's list can tell two objects apart. */
  observable(signal: AbortSignal): Promise<readonly string[]>;
  added(object: LiveObject): void;
  removed(id: string): void;
  /** How many different objects the longest answer has held so far, without paging; 0 before the first. */
  longestAnswer(): number;
}

/**
 * `expectedIds` are the ids that should be there at the moment of a read. `past` describes earlier lists; it is
 * asked where a list may be truncated. The definition must have a `list`.
 */
export function openLiveList(
  definition: AnyResource,
  client: unknown,
  expectedIds: () => ReadonlySet<string>,
  past: () => PastLists | Promise<PastLists> = () => NO_PAST_LISTS,
): LiveList {
  let current: Promise<LiveState> | null = null;
  /** Own writes since the last read began: its answer may be older than they are. */
  let since: ((objects: LiveIndex) => void)[] = [];
  let longest = 0;
  async function readState(listing: Promise<LiveListing>): Promise<LiveState> {
    const { objects, firstAnswer = [], complete, serverDate, warnings = [] } = await listing;
    const length = new Set(firstAnswer).size;
    longest = Math.max(longest, length);
    const isOneAnswer = firstAnswer.length === length && length === objects.length;
    const index = indexLive(definition, objects);
    const state = { complete, serverDate, warnings, index, observable: observableIdentity(definition, objects), snapshot: null };
    if (complete) return state;
    const before = await past();
    return { ...state, evidence: { answer: isOneAnswer ? objects : null, longestSeen: Math.max(longest, before.longestSeen), absent: before.absent } };
  }
  function read(signal: AbortSignal, confirm: boolean): Promise<LiveState> {
    if (!definition.list) throw new Error(`${definition.type} has no list`);
    since = [];
    const reading = readState(definition.list({ client, signal, expectedIds: expectedIds(), ...(confirm ? { confirm } : {}) })).then((state) => {
      for (const write of since) write(state.index);
      return state;
    });
    const before = current;
    const now = before ? reading.catch(() => before) : reading;
    current = now;
    now.catch(() => {
      if (current === now) current = null;
    });
    return reading;
  }
  function wrote(write: (objects: LiveIndex) => void): void {
    since.push(write);
    void current?.then(
      (state) => {
        write(state.index);
        state.snapshot = null;
      },
      () => undefined,
    );
  }
  const readAfterwards = oneAfterAnother((signal) => read(signal, true));
  const known = (signal: AbortSignal): Promise<LiveState> => current ?? read(signal, false);
  return {
    get: async (signal) => listingOf(await known(signal)),
    again: async (signal, { confirm } = { confirm: false }) => listingOf(await read(signal, confirm)),
    fresh: async (signal) => listingOf(await readAfterwards(signal)),
    shown: async (signal) => listingOf(await (since.length > 0 ? read(signal, false) : known(signal))),
    known: async () => (current ? listingOf(await current) : null),
    find: async (id, signal) => (await known(signal)).index.byId.get(id),
    duplicates: async (wanted, signal) => (await known(signal)).index.duplicates(wanted),
    holders: async (wanted, signal) => (await known(signal)).index.holders(wanted),
    observable: async (signal) => (await known(signal)).observable,
    added: (object) => wrote((objects) => objects.put(object)),
    removed: (id) => wrote((objects) => objects.remove(id)),
    longestAnswer: () => longest,
  };
}

/** Reads that begin after each call; calls that arrive during one share the next. */
function oneAfterAnother<T>(read: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return (signal) => {
    next ??= last.then(() => {
      next = null;
      const now = read(signal);
      last = now.catch(() => undefined);
      return now;
    });
    return next;
  };
}

interface LiveState {
  readonly index: LiveIndex;
  readonly observable: readonly string[];
  readonly complete: boolean;
  readonly serverDate: string;
  readonly warnings: readonly Diagnostic[];
  readonly evidence?: ListEvidence;
  /** The objects when they were last asked for; null after a write. */
  snapshot: readonly LiveObject[] | null;
}

function listingOf(state: LiveState): LiveListing {
  const { index, complete, serverDate, warnings, evidence } = state;
  state.snapshot ??= [...index.byId.values()];
  return { objects: state.snapshot, complete, serverDate, ...(evidence ? { evidence } : {}), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** A created object counts as managed at once, so that no parallel create claims its id too. */
export function managing(live: LiveList, managed: Pick<Set<string>, "add">): LiveList {
  return {
    ...live,
    added: (object) => {
      managed.add(object.id);
      live.added(object);
    },
  };
}
