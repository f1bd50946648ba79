import {
  type Decision,
  type Evidence,
  areWhole,
  type TwoLists,
  decideCreates,
  seeTwice,
} from "../../../core/apply/recovery/decide-creates.ts";
import { type ListingDelayMs, remainingListingDelayMs, waitForList } from "../../../core/apply/live/listing-delay.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import type { Clock } from "../../../core/model/ports.ts";
import { whyUnknown } from "../../../core/plan/missing.ts";
import type { CreateJournal } from "./create-journal.ts";
import { type ScopeView, type KnownCreate, isOpen, isOurs, madeIds } from "./known-creates.ts";
import { byName } from "../../../core/model/address.ts";

export interface CreateRecoveryPorts {
  readonly live: LiveList;
  readonly journal: Pick<CreateJournal, "known" | "reread">;
  readonly clock: Clock;
  readonly listingDelayMs: ListingDelayMs;
  readonly signal: AbortSignal;
  readonly isManaged: (id: string) => boolean;
  /** Whether the plan saw that an object is managed. Terraform does not tell this process. */
  readonly isNoted: (id: string) => Promise<boolean>;
  /** Notes an object as the outcome of a create. */
  readonly made: (id: string) => void;
  readonly unlisted: Evidence["unlisted"];
}

export interface RecoveredCreate {
  readonly decision: Decision;
  /** Null when no list could be read. */
  readonly seen: TwoLists | null;
}

/** Finds the outcomes of creates of one type: it waits, and reads the list twice. It sends no write. */
export interface CreateRecovery {
  /** Never fails: an outcome that it cannot find is open. From then on, an object that it finds belongs to the caller. */
  decide(create: KnownCreate): Promise<RecoveredCreate>;
  /** The list, read when it shows everything up to a moment. Fails if it cannot be read. */
  lookAfter(moment: Moment): Promise<TwoLists>;
  /** Looks for what a create may have made that the journal does not have. `managed`: identical objects that others made, or that Terraform has. Never fails. */
  lookFor(
    key: Attributes,
    nowMs: number,
  ): Promise<{ readonly decision: Exclude<Decision, { kind: "found" }>; readonly managed: readonly string[] }>;
}

/** When a write ended, and whether an answer arrived. */
type Moment = Pick<KnownCreate, "answered" | "lastAtMs">;

/** How long the first create waits for others, so that they share one wait and two lists. */
const JOIN_BATCH_MS = 10;

interface Decided {
  readonly seen: TwoLists;
  /** Decisions of all open creates, by name. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

interface Batch {
  readonly members: Map<string, KnownCreate>;
  readonly moments: Moment[];
  readonly outcome: Promise<Decided>;
}

export function openCreateRecovery(definition: AnyResource, ports: CreateRecoveryPorts): CreateRecovery {
  const { live, clock, listingDelayMs, signal } = ports;
  /** The batch that new creates join. */
  let current: Batch | null = null;
  const shared = openShared(ports);

  function batch(): Batch {
    if (current) return current;
    const members: Batch["members"] = new Map();
    const moments: Batch["moments"] = [];
    current = { members, moments, outcome: decideAll() };
    current.outcome.catch(() => undefined);
    return current;

    async function decideAll() {
      try {
        await clock.sleep(JOIN_BATCH_MS, signal);
        for (let waitMs = left(); waitMs > 0; waitMs = left()) await waitForList(waitMs, ports);
      } finally {
        current = null;
      }
      return shared.begin(async () => {
        const seen = await seeTwice(definition, live, signal);
        return { seen, decisions: await decideAmongAll([...members.values()], seen, { ...ports, definition }) };
      });
    }
    function left(): number {
      return [...members.values(), ...moments].reduce(
        (most, one) => Math.max(most, remainingListingDelayMs(one, listingDelayMs, clock.now())),
        0,
      );
    }
  }
  async function decideNow(create: KnownCreate): Promise<RecoveredCreate> {
    const { members, outcome } = batch();
    members.set(create.name, create);
    const { seen, decisions } = await outcome;
    const decision = decisions.get(create.name);
    if (!decision) throw new Error("a create was not decided");
    return { decision, seen };
  }
  async function lookAfter(moment: Moment): Promise<TwoLists> {
    const { moments, outcome } = batch();
    moments.push(moment);
    return (await outcome).seen;
  }
  const openBecause = (error: unknown): Extract<Decision, { kind: "open" }> => {
    const why = signal.aborted
      ? "Terraform was interrupted before the provider could look for it"
      : `The provider could not look for it (${error instanceof Error ? error.message : String(error)})`;
    return { kind: "open", why, candidates: [] };
  };

  return {
    lookAfter,
    decide: async (create) => {
      try {
        return (await shared.decided(create)) ?? (await decideNow(create));
      } catch (error) {
        return { decision: openBecause(error), seen: null };
      }
    },
    lookFor: async (key, nowMs) => {
      try {
        return await unmanagedLookalikes(key, await lookAfter({ answered: false, lastAtMs: nowMs }), {
          ...ports,
          definition,
        });
      } catch (error) {
        return { decision: openBecause(error), managed: [] };
      }
    },
  };
}

/** How long what two lists have proven counts for calls that begin later. */
const SHARED_MS = 10_000;

/**
 * What the lists that were begun last prove for calls that begin later: the outcome of each create that had been left behind by
 * then, and whose listing delay was over. What they leave open may be decided by new ones.
 */
function openShared({ journal, clock, listingDelayMs, isManaged, made }: CreateRecoveryPorts) {
  let last: {
    readonly begunAtMs: number;
    readonly proven: ReadonlySet<string>;
    readonly outcome: Promise<Decided>;
  } | null = null;
  return {
    begin: async (decide: () => Promise<Decided>): Promise<Decided> => {
      const { creates } = await journal.known().catch(() => ({ creates: [] }));
      const proven = creates.filter(
        (one) => one.owner === "nobody" && remainingListingDelayMs(one, listingDelayMs, clock.now()) <= 0,
      );
      last = { begunAtMs: clock.monotonicMs(), proven: new Set(proven.map(({ name }) => name)), outcome: decide() };
      return last.outcome;
    },
    decided: async ({ name }: KnownCreate): Promise<RecoveredCreate | null> => {
      if (!last?.proven.has(name) || clock.monotonicMs() - last.begunAtMs > SHARED_MS) return null;
      const decided = await last.outcome.catch(() => null);
      const decision = decided?.decisions.get(name);
      if (!decided || !decision || decision.kind === "open") return null;
      if (decision.kind === "found") {
        const { id } = decision.object;
        if (isManaged(id)) return null;
        made(id);
      }
      return { decision, seen: decided.seen };
    },
  };
}

async function unmanagedLookalikes(
  key: Attributes,
  seen: TwoLists,
  { definition, journal, isManaged, isNoted, unlisted }: CreateRecoveryPorts & { readonly definition: AnyResource },
): ReturnType<CreateRecovery["lookFor"]> {
  const { creates } = await journal.known();
  // An object that was found for another one without an id may be this one's.
  const isUnsure = ({ outcome }: KnownCreate): boolean =>
    outcome.kind === "made" ? outcome.returned === "without-id" : outcome.kind === "over" && outcome.isSought;
  const made = madeIds({ creates: creates.filter((one) => !isUnsure(one)) });
  const managed: string[] = [];
  const candidates: LiveObject[] = [];
  for (const object of seen.index.duplicates(key)) {
    const { id } = object;
    if (isManaged(id) || made.has(id) || (await isNoted(id))) managed.push(id);
    else candidates.push(object);
  }
  if (candidates.length > 0)
    return {
      decision: { kind: "open", why: "An identical one is live, and not known to be managed", candidates },
      managed,
    };
  if (areWhole(definition, seen, unlisted)) return { decision: { kind: "none", proof: "proven" }, managed };
  return { decision: { kind: "open", why: whyUnknown(definition, seen.listings[0]), candidates }, managed };
}

/** Decides the members together with all other creates that may have made the same. */
async function decideAmongAll(
  members: readonly KnownCreate[],
  seen: TwoLists,
  { definition, ...ports }: CreateRecoveryPorts & { readonly definition: AnyResource },
): Promise<ReadonlyMap<string, Decision>> {
  if (members.length === 0) return new Map();
  // Another process may have found, or made, one of the listed objects in the meantime.
  const known = await ports.journal.reread();
  const asked = new Set(members.map(({ name }) => name));
  const others = known.creates
    .filter((one) => one.intent.type === definition.type && isOpen(one) && !asked.has(one.name))
    // A running process finds its own objects. An object that may be from it is left to it.
    .map((one) => (isOurs(one) ? one : { ...one, intent: { ...one.intent, provider: "another process" } }));
  const creates = [...members, ...others].toSorted(byName);
  const isManaged = await managedObjects(creates, seen, { ...ports, known });
  const decided = decideCreates(creates, { ...ports, definition, seen, isManaged, lostCreates: known.lostCreates });
  for (const { create, decision } of decided)
    if (decision.kind === "found" && asked.has(create.name)) ports.made(decision.object.id);
  return new Map(decided.map(({ create, decision }) => [create.name, decision]));
}

/** Objects that none of the creates can have made: this process or the plan knows them as managed, or another create made them. */
async function managedObjects(
  creates: readonly KnownCreate[],
  { index }: TwoLists,
  { known, isManaged, isNoted }: CreateRecoveryPorts & { readonly known: ScopeView },
): Promise<(id: string) => boolean> {
  const others = new Set(madeIds(known));
  for (const { id } of creates.flatMap(({ intent }) => index.duplicates(intent.key)))
    if (await isNoted(id)) others.add(id);
  return (id) => isManaged(id) || others.has(id);
}
