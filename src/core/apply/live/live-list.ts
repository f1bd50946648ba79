import type { AnyResource, ListEvidence, ListQuery, LiveListing, LiveObject } from "../../model/definition.ts";
import type { Attributes } from "../../model/value.ts";
import { type LiveIndex, indexLive, observableIdentity } from "../../plan/live-index.ts";
import { type ListFindings, NO_PAST_LISTS, type PastLists, findingsAfter, findingsBefore } from "./list-records.ts";

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
  /** The list as the service shows it: read again if own writes have been folded in since. `expected` are the ids that should be there, if they are others now. */
  shown(signal: AbortSignal, expected?: ReadonlySet<string>): Promise<LiveListing>;
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
  /** The last lists of the run as the service showed them, oldest first. */
  earlier(): readonly LiveListing[];
  /** Notes that a list has lacked what it must have shown: from now on no length that was seen before proves anything. */
  contradict(nowMs: number): void;
  findings(): ListFindings;
}

/**
 * `expectedIds` are the ids that should be there at the moment of a read. `pastLists` describes the lists of earlier runs.
 * The definition must have a `list`.
 */
export function openLiveList(
  definition: AnyResource,
  client: unknown,
  expectedIds: () => ReadonlySet<string>,
  pastLists: () => PastLists | Promise<PastLists> = () => NO_PAST_LISTS,
): LiveList {
  const reader = openReader(definition, client);
  let current: Promise<LiveState> | null = null;
  /** Own writes since the last read began: its answer may be older than they are. */
  let since: ((objects: LiveIndex) => void)[] = [];
  function read(
    signal: AbortSignal,
    {
      confirm = false,
      expected = expectedIds(),
    }: { readonly confirm?: boolean; readonly expected?: ReadonlySet<string> },
  ) {
    since = [];
    const past = pastLists();
    const query = { signal, expectedIds: expected, ...(confirm ? { confirm } : {}) };
    const reading = (
      past instanceof Promise ? past.then((known) => reader.read(known, query)) : reader.read(past, query)
    ).then((state) => {
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
  const readAfterwards = oneAfterAnother((signal) => read(signal, { confirm: true }));
  const known = (signal: AbortSignal): Promise<LiveState> => current ?? read(signal, {});
  const shown = (state: LiveState): LiveListing => listingOf(state, reader.findings());
  return {
    get: async (signal) => shown(await known(signal)),
    again: async (signal, { confirm } = { confirm: false }) => shown(await read(signal, { confirm })),
    fresh: async (signal) => shown(await readAfterwards(signal)),
    shown: async (signal, expected) =>
      shown(await (since.length > 0 ? read(signal, expected ? { expected } : {}) : known(signal))),
    known: async () => (current ? shown(await current) : null),
    find: async (id, signal) => (await known(signal)).index.byId.get(id),
    duplicates: async (wanted, signal) => (await known(signal)).index.duplicates(wanted),
    holders: async (wanted, signal) => (await known(signal)).index.holders(wanted),
    observable: async (signal) => (await known(signal)).observable,
    added: (object) => {
      reader.noteCreated(object.id);
      wrote((objects) => objects.put(object));
    },
    removed: (id) => {
      reader.noteDeleted(id);
      wrote((objects) => objects.remove(id));
    },
    earlier: () => reader.earlier().map(shown),
    contradict: reader.contradict,
    findings: reader.findings,
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

/** Reads a list, and notes what its answers have shown. */
function openReader(definition: AnyResource, client: unknown) {
  /** The objects that the run has created and deleted, and that no list has reflected yet. */
  const since = { created: new Set<string>(), deleted: new Set<string>() };
  let earlier: readonly LiveState[] = [];
  let findings: ListFindings = findingsBefore(NO_PAST_LISTS);
  return {
    read: async (
      past: PastLists,
      query: Pick<ListQuery, "expectedIds" | "confirm"> & { readonly signal: AbortSignal },
    ): Promise<LiveState> => {
      const { list } = definition;
      if (!list) throw new Error(`${definition.type} has no list`);
      if (findings.listed === null) findings = findingsBefore(past, findings);
      const { paging, contradictedAtMs } = findings;
      const asked = {
        ...query,
        ...(paging === null ? {} : { paging }),
        ...(contradictedAtMs === null ? {} : { isDoubtful: true }),
      };
      const [created, deleted] = [[...since.created], [...since.deleted]];
      const listing = await list({ client, ...asked });
      const { objects } = listing;
      const length = listing.firstAnswer ? new Set(listing.firstAnswer).size : null;
      const state = {
        listing,
        past,
        length,
        index: indexLive(definition, objects),
        observable: observableIdentity(definition, objects),
        snapshot: null,
      };
      findings = findingsAfter(findings, listing, created.length - deleted.length);
      for (const id of created) since.created.delete(id);
      for (const id of deleted) since.deleted.delete(id);
      // What was written while the list was read may be in it already.
      for (const { id } of objects) since.created.delete(id);
      for (const id of since.deleted) if (!state.index.byId.has(id)) since.deleted.delete(id);
      earlier = [...earlier.slice(1 - MOST_EARLIER), { ...state, snapshot: objects }];
      return state;
    },
    noteCreated: (id: string): void => void (findings.listed?.has(id) === true || since.created.add(id)),
    noteDeleted: (id: string): void =>
      void (since.created.delete(id) || findings.listed?.has(id) === false || since.deleted.add(id)),
    contradict: (nowMs: number): void =>
      void (findings = { ...findings, longest: 0, unchanged: null, contradictedAtMs: nowMs }),
    earlier: () => earlier,
    findings: () => findings,
  };
}

/** So many lists of a run are kept as evidence. */
const MOST_EARLIER = 8;

interface LiveState {
  readonly index: LiveIndex;
  readonly observable: readonly string[];
  readonly listing: LiveListing;
  readonly past: PastLists;
  /** How many different objects the answer without paging held; null where that is not known. */
  readonly length: number | null;
  /** The objects when they were last asked for; null after a write. */
  snapshot: readonly LiveObject[] | null;
}

/** The list, with what earlier ones tell about it, and what the run has learnt since it was read. */
function listingOf(state: LiveState, findings: ListFindings): LiveListing {
  const { index, listing } = state;
  state.snapshot ??= [...index.byId.values()];
  const evidence = evidenceOf(state, findings);
  return { ...listing, objects: state.snapshot, ...(evidence ? { evidence } : {}) };
}

function evidenceOf(
  { listing: { objects, firstAnswer }, past, length }: LiveState,
  { longest, contradictedAtMs }: ListFindings,
): ListEvidence | null {
  if (!firstAnswer || length === null) return null;
  const isOneAnswer = length === objects.length;
  return {
    answer: isOneAnswer && firstAnswer.length === length ? objects : null,
    records: isOneAnswer ? firstAnswer.length : null,
    longestSeen: contradictedAtMs === past.contradictedAtMs ? Math.max(longest, past.longestSeen) : longest,
    isContradicted: contradictedAtMs !== null,
  };
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
