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
export function openLiveList<R>(definition: AnyResource, client: R, expectedIds: () => ReadonlySet<string>): LiveList {
  let current: Promise<LiveListing> | null = null;
  const own: ((listing: LiveListing) => LiveListing)[] = [];
  function read(signal: AbortSignal): Promise<LiveListing> {
    if (!definition.list) throw new Error(`${definition.type} has no list`);
    own.length = 0;
    const reading = definition.list({ client, signal, expectedIds: expectedIds() });
    current = reading;
    reading.catch(() => {
      if (current === reading) current = null;
    });
    return reading;
  }
  const withOwnWrites = async (reading: Promise<LiveListing>): Promise<LiveListing> => {
    const listing = await reading;
    return own.reduce((listed, write) => write(listed), listing);
  };
  return {
    get: (signal) => withOwnWrites(current ?? read(signal)),
    again: (signal) => withOwnWrites(read(signal)),
    added: (object) => {
      own.push((listing) => ({ ...listing, objects: [...listing.objects.filter(({ id }) => id !== object.id), object] }));
    },
    removed: (id) => {
      own.push((listing) => ({ ...listing, objects: listing.objects.filter((object) => object.id !== id) }));
    },
  };
}
