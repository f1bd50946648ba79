import type { AnyResource, LiveListing, LiveObject } from "../../model/definition.ts";
import type { Attributes } from "../../model/value.ts";
import { type LiveIndex, indexLive, observableIdentity } from "../../plan/live-index.ts";

/**
 * What is live of one resource type: read once for a provider and run. Concurrent callers share the promise, and own
 * writes keep it true.
 */
export interface LiveList {
  get(signal: AbortSignal): Promise<LiveListing>;
  /** Reads the list anew, whatever is known; where that fails, what was known before still is. `confirm` asks for proof that it is whole. */
  again(signal: AbortSignal, options?: { readonly confirm: boolean }): Promise<LiveListing>;
  /** The list as the service has shown it, in its words: read anew where own writes have been folded into it since. */
  shown(signal: AbortSignal): Promise<LiveListing>;
  /** What the last read has shown, without reading; null when there is nothing. */
  known(): Promise<LiveListing | null>;
  find(id: string, signal: AbortSignal): Promise<LiveObject | undefined>;
  /** The objects that are what `wanted` would create, as far as the service shows it. */
  duplicates(wanted: Attributes, signal: AbortSignal): Promise<readonly LiveObject[]>;
  /** The attributes of the identity by which the service's list can tell two objects apart. */
  observable(signal: AbortSignal): Promise<readonly string[]>;
  added(object: LiveObject): void;
  removed(id: string): void;
}

/** `expectedIds` tells the ids that should be there at the moment of a read. The definition must have a `list`. */
export function openLiveList(definition: AnyResource, client: unknown, expectedIds: () => ReadonlySet<string>): LiveList {
  let current: Promise<LiveState> | null = null;
  /** Own writes since the last read was begun: what it answers may be older than they are. */
  let since: ((objects: LiveIndex) => void)[] = [];
  function read(signal: AbortSignal, confirm: boolean): Promise<LiveState> {
    if (!definition.list) throw new Error(`${definition.type} has no list`);
    since = [];
    const reading = definition.list({ client, signal, expectedIds: expectedIds(), ...(confirm ? { confirm } : {}) }).then(({ objects, ...rest }): LiveState => {
      const state = { ...rest, index: indexLive(definition, objects), observable: observableIdentity(definition, objects), snapshot: null };
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
  const known = (signal: AbortSignal): Promise<LiveState> => current ?? read(signal, false);
  return {
    get: async (signal) => listingOf(await known(signal)),
    again: async (signal, { confirm } = { confirm: false }) => listingOf(await read(signal, confirm)),
    shown: async (signal) => listingOf(await (since.length > 0 ? read(signal, false) : known(signal))),
    known: async () => (current ? listingOf(await current) : null),
    find: async (id, signal) => (await known(signal)).index.byId.get(id),
    duplicates: async (wanted, signal) => (await known(signal)).index.duplicates(wanted),
    observable: async (signal) => (await known(signal)).observable,
    added: (object) => wrote((objects) => objects.put(object)),
    removed: (id) => wrote((objects) => objects.remove(id)),
  };
}

interface LiveState extends Omit<LiveListing, "objects"> {
  readonly index: LiveIndex;
  readonly observable: readonly string[];
  /** The objects as they were when they were last asked for; null after a write. */
  snapshot: readonly LiveObject[] | null;
}

function listingOf(state: LiveState): LiveListing {
  state.snapshot ??= [...state.index.byId.values()];
  return { objects: state.snapshot, complete: state.complete, serverDate: state.serverDate };
}
