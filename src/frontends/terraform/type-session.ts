import { type PastLists, isContradicted } from "../../core/apply/live/list-records.ts";
import { type LiveList, managing, openLiveList } from "../../core/apply/live/live-list.ts";
import { openBaseline } from "../../core/apply/write/write-context.ts";
import type { AnyResource, LiveListing, LiveObject } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import type { Attributes } from "../../core/model/value.ts";
import { type Unlisted, missingFrom } from "../../core/plan/missing.ts";
import type { CreateJournal } from "./journal/create-journal.ts";
import { nameOf } from "./journal/known-creates.ts";
import { openLateDuplicates, type Unmanaged, openUnmanaged } from "./unmanaged.ts";
import { type CreateRecovery, openCreateRecovery } from "./journal/create-recovery.ts";
import { type Writing, openQueues } from "./journal/write-queues.ts";
import type { NotedObjects } from "./journal/list-notes.ts";
import { untilQuiet, type TerraformObjects } from "./terraform-objects.ts";
import type { Connection, Services } from "./services.ts";

/** State of one process for one resource type. */
export interface TypeSession {
  readonly live: LiveList;
  readonly writing: Writing;
  readonly lateDuplicates: () => Promise<readonly Diagnostic[]>;
  readonly unmanaged: Unmanaged;
  /** The live object, from one list for all concurrent calls; null when the list does not show it, which it may miss. */
  find(recorded: Recorded): Promise<{ readonly object: LiveObject | null; readonly isMissing: boolean }>;
  /** Whether the plan saw that this object is managed: that it is replaced, for example. Terraform does not tell the process that applies the plan. */
  isPlanned(id: string): Promise<boolean>;
  /** When this process created its objects, by id. */
  readonly created: ReadonlyMap<string, number>;
  /** When the last list was requested; null when there was none. */
  listedAtMs(): number | null;
}

/** An object that Terraform has in its state. */
export interface Recorded {
  readonly id: string;
  readonly attributes: Attributes;
}

export interface TypePorts extends Pick<Services, "clock" | "listingDelayMs" | "appliedPlan">, Connection {
  readonly journal: CreateJournal;
  readonly signal: AbortSignal;
  /** Ids of managed objects: grows while the process runs. */
  readonly managed: Set<string>;
  readonly objects: Pick<TerraformObjects, "recorded" | "staying">;
  readonly noted: NotedObjects;
  /** Whether the service allows one object per value of the type's exclusive attribute. */
  readonly exclusive: boolean;
  /** What earlier processes have learnt of the list. */
  readonly pastLists: () => Promise<PastLists>;
  /** When an object was created that no list has shown since, although one was read. */
  readonly hiddenSinceMs: (id: string) => Promise<number | undefined>;
}

/** How long the first read waits for the ids of others, so that one list serves all of them. */
const JOIN_BATCH_MS = 10;

export function openType(definition: AnyResource, ports: TypePorts): TypeSession {
  const {
    readClient,
    access,
    journal,
    clock,
    listingDelayMs,
    signal,
    managed,
    objects,
    noted,
    pastLists,
    exclusive,
    appliedPlan,
  } = ports;
  let requested: RequestedList | null = null;
  const list = openLiveList(
    notingLists(definition, clock, (last) => (requested = last)),
    readClient,
    () => new Set(managed),
    pastLists,
  );
  const created = new Map<string, number>();
  const managedList = managing(list, managed);
  const live: LiveList = {
    ...managedList,
    added: (object) => {
      created.set(object.id, clock.now());
      managedList.added(object);
    },
  };
  const made = (id: string): void => void managed.add(id);
  const isManaged = (id: string): boolean => managed.has(id);
  const isPlanned = async (id: string): Promise<boolean> => {
    if (await noted.isAlike(id)) return true;
    const removed = await appliedPlan.removedBy(definition);
    return typeof removed !== "string" && removed.has(id);
  };
  const isNoted = async (id: string): Promise<boolean> => (await isPlanned(id)) || noted.isKept(id);
  const shown = new Map<string, Recorded>();
  const unlisted = (listing: LiveListing): readonly Unlisted[] => unlistedOrMore(listing, shown);
  const shared = { live, journal, clock, listingDelayMs, signal, isManaged, isNoted, made, unlisted };
  const late = openLateDuplicates(definition, { ...shared, reportedBefore: () => noted.late() });
  // The journal has those of this process as soon as they are recorded.
  const lost = { known: async () => (await journal.known()).lostCreates, add: () => undefined };
  const queues = openQueues(definition, live, signal);
  const recovery = openCreateRecovery(definition, {
    ...shared,
    isNoted: async (id) => (await isNoted(id)) && !(await noted.isFound(id)),
  });
  return {
    live,
    created,
    writing: {
      context: {
        access,
        live,
        journal,
        baseline: openBaseline(definition, live, journal),
        lost,
        exclusive,
        listingDelayMs,
        clock,
        isManaged,
        signal,
      },
      live,
      journal,
      recovery,
      queues,
      isKnown: (attributes) => objects.recorded.has(nameOf(definition, attributes)),
      made,
      returned: new Map(),
      unconfirmed: new Set(),
      staying: objects.staying,
      unlisted,
    },
    lateDuplicates: () => late.report(),
    unmanaged: openUnmanaged(definition, { live, exclusive, clock, signal, managed, isNoted, late, appliedPlan }),
    find: openFinder(definition, {
      ...ports,
      live,
      recovery,
      shown,
      unlisted,
      isRequested: (id) => requested?.ids.has(id) === true,
    }),
    isPlanned,
    listedAtMs: () => requested && requested.atMs,
  };
}

/** The ids that the last list was requested for, and when. */
interface RequestedList {
  readonly ids: ReadonlySet<string>;
  readonly atMs: number;
}

/** Notes each list that was read. A failed list says nothing about the ids it was requested for. */
function notingLists(definition: AnyResource, clock: Clock, note: (requested: RequestedList) => void): AnyResource {
  const { list } = definition;
  if (!list) return definition;
  return {
    ...definition,
    list: async (query) => {
      const requested = { ids: query.expectedIds, atMs: clock.now() };
      const listing = await list(query);
      note(requested);
      return listing;
    },
  };
}

/**
 * The objects that Terraform has shown and the list does not. It shows one after the other: where the list is shorter than
 * that many explain, others may be missing too.
 */
function unlistedOrMore({ objects, evidence }: LiveListing, shown: ReadonlyMap<string, Recorded>): readonly Unlisted[] {
  const there = new Set(objects.map(({ id }) => id));
  const missing = [...shown.values()].filter(({ id }) => !there.has(id));
  const fewer = (evidence?.longestSeen ?? 0) - (evidence?.answer?.length ?? 0);
  return missing.length < 2 && fewer > 1 ? [...missing, { id: null, attributes: {} }] : missing;
}

interface FinderPorts extends TypePorts {
  /** The objects that Terraform has shown. */
  readonly shown: Map<string, Recorded>;
  readonly unlisted: (listing: LiveListing) => readonly Unlisted[];
  readonly live: LiveList;
  readonly recovery: CreateRecovery;
  /** Whether the last list was requested for this id. */
  readonly isRequested: (id: string) => boolean;
}

function openFinder(
  definition: AnyResource,
  {
    live,
    recovery,
    shown,
    unlisted,
    isRequested,
    hiddenSinceMs,
    journal,
    clock,
    listingDelayMs,
    signal,
    managed,
  }: FinderPorts,
): TypeSession["find"] {
  /** Resolves when the ids of concurrent calls are collected. */
  let gathered: Promise<void> | null = null;
  let rechecking: Promise<unknown> | null = null;
  let madeAtMs: Promise<ReadonlyMap<string, number> | null> | null = null;
  const startedAtMs = clock.now();

  /** Reads the list again when it was not requested for this id: it may have ended early. */
  async function recheck(id: string): Promise<void> {
    for (let isIn = isRequested(id); !isIn; isIn = isRequested(id)) {
      rechecking ??= clock
        .sleep(JOIN_BATCH_MS, signal)
        .then(() => live.again(signal))
        .finally(() => (rechecking = null));
      await rechecking;
    }
  }
  /** An object created a moment ago may not be listed yet. */
  async function missing(recorded: Recorded): ReturnType<TypeSession["find"]> {
    const { id } = recorded;
    const times = await (madeAtMs ??= timesOfMade(journal));
    const hiddenMs = await hiddenSinceMs(id);
    const sinceMs = hiddenMs ?? (times === null ? startedAtMs : times.get(id));
    if (sinceMs !== undefined && sinceMs + listingDelayMs.answered > clock.now()) {
      const seen = await recovery.lookAfter({ answered: true, lastAtMs: sinceMs });
      const object = seen.index.byId.get(id);
      if (object) return { object, isMissing: false };
    }
    noteContradiction(hiddenMs);
    return {
      object: null,
      isMissing: (await isMissingFromList(recorded)) || ((await isShorter()) && (await isMissingFromAll(recorded))),
    };
  }
  async function isMissingFromList(recorded: Recorded): Promise<boolean> {
    const listing = await live.get(signal);
    return missingFrom(definition, listing, unlisted(listing))(recorded);
  }
  async function isShorter(): Promise<boolean> {
    const { evidence } = await live.get(signal);
    return evidence !== undefined && evidence.answer !== null && evidence.answer.length < evidence.longestSeen;
  }
  /** What a shorter list proves depends on all that are missing: waits until Terraform shows no further object. */
  async function isMissingFromAll(recorded: Recorded): Promise<boolean> {
    await untilQuiet(shown, { clock, signal });
    return isMissingFromList(recorded);
  }
  function noteContradiction(hiddenMs: number | undefined): void {
    const nowMs = clock.now();
    const hidden = hiddenMs === undefined ? [] : [{ unlisted: true as const, recordedAtMs: hiddenMs }];
    if (isContradicted(live.findings(), { missing: hidden, listingDelayMs: listingDelayMs.answered, nowMs }))
      live.contradict(nowMs);
  }
  return async (recorded) => {
    const { id } = recorded;
    managed.add(id);
    shown.set(id, recorded);
    await (gathered ??= clock.sleep(JOIN_BATCH_MS, signal));
    const first = await live.find(id, signal);
    if (first) return { object: first, isMissing: false };
    await recheck(id);
    const again = await live.find(id, signal);
    return again ? { object: again, isMissing: false } : missing(recorded);
  };
}

/** When earlier processes created their objects; null if the journal cannot be read, which is reported elsewhere. */
async function timesOfMade(journal: CreateJournal): Promise<ReadonlyMap<string, number> | null> {
  const known = await journal.known().catch(() => null);
  if (known === null) return null;
  const left = known.creates.filter(({ owner }) => owner === "nobody");
  const records = left.flatMap(({ outcome }) => (outcome.kind === "made" ? [outcome.record] : []));
  return new Map(records.flatMap(({ id, recordedAtMs }) => (id === null ? [] : [[id, recordedAtMs] as const])));
}
