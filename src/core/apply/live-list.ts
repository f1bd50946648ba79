import type { AnyResource, LiveListing, LiveObject } from "../model/definition.ts";

/**
 * What is live of one resource type: read once for a provider and run. Concurrent callers share the promise, and own
 * writes keep it true.
 */
export interface LiveList {
  get(signal: AbortSignal): Promise<LiveListing>;
  /** Reads the list anew, whatever is known. */
  again(signal: AbortSignal): Promise<LiveListing>;
  added(object: LiveObject): void;
  removed(id: string): void;
}

/** `expectedIds` tells the ids that should be there at the moment of a read. The definition must have a `list`. */
export function openLiveList(definition: AnyResource, client: unknown, expectedIds: () => ReadonlySet<string>): LiveList {
  let current: Promise<LiveState> | null = null;
  /** Own writes since the last read was begun: what it answers may be older than they are. */
  let since: ((objects: Map<string, LiveObject>) => void)[] = [];
  function read(signal: AbortSignal): Promise<LiveState> {
    if (!definition.list) throw new Error(`${definition.type} has no list`);
    since = [];
    const reading = definition.list({ client, signal, expectedIds: expectedIds() }).then(({ objects, ...rest }): LiveState => {
      const state = { ...rest, byId: new Map(objects.map((object) => [object.id, object])), snapshot: null };
      for (const write of since) write(state.byId);
      return state;
    });
    current = reading;
    reading.catch(() => {
      if (current === reading) current = null;
    });
    return reading;
  }
  function wrote(write: (objects: Map<string, LiveObject>) => void): void {
    since.push(write);
    void current?.then(
      (state) => {
        write(state.byId);
        state.snapshot = null;
      },
      () => undefined,
    );
  }
  return {
    get: async (signal) => listingOf(await (current ?? read(signal))),
    again: async (signal) => listingOf(await read(signal)),
    added: (object) => wrote((objects) => void objects.set(object.id, object)),
    removed: (id) => wrote((objects) => void objects.delete(id)),
  };
}

interface LiveState extends Omit<LiveListing, "objects"> {
  readonly byId: Map<string, LiveObject>;
  /** The objects as they were when they were last asked for; null after a write. */
  snapshot: readonly LiveObject[] | null;
}

function listingOf(state: LiveState): LiveListing {
  state.snapshot ??= [...state.byId.values()];
  return { objects: state.snapshot, complete: state.complete, serverDate: state.serverDate };
}
