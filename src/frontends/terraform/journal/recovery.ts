import { type Decision, type Seen, type ListingDelayMs, decideCreates, seeTwice } from "../../../core/apply/recovery/decide-creates.ts";
import type { LiveList } from "../../../core/apply/live/live-list.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import type { Attributes } from "../../../core/model/value.ts";
import type { Clock } from "../../../core/model/ports.ts";
import type { Journals } from "./journals.ts";
import { type LookedFor, longestWait, lookedFor } from "./journaled-create.ts";
import { byName } from "../../../core/model/address.ts";

export interface RecoveryPorts {
  readonly live: LiveList;
  readonly journals: Pick<Journals, "creates" | "look" | "madeIds" | "lostCreates">;
  readonly clock: Clock;
  readonly listingDelayMs: ListingDelayMs;
  readonly signal: AbortSignal;
  readonly isManaged: (id: string) => boolean;
  /** Whether the plan saw that an object is managed. Terraform does not tell this process. */
  readonly isMarked: (id: string) => Promise<boolean>;
  /** Marks an object as the outcome of a create. */
  readonly made: (id: string) => void;
}

export interface Recovered {
  readonly decision: Decision;
  /** Null when no list could be read. */
  readonly seen: Seen | null;
}

/** Finds the outcomes of creates of one type: it waits, and reads the list twice. It sends no write. */
export interface Recovery {
  /** Never fails: an outcome that it cannot find is open. From then on, an object that it finds belongs to the caller. */
  decide(create: LookedFor): Promise<Recovered>;
  /** The list, read when it shows everything up to a moment. Fails if it cannot be read. */
  lookAfter(moment: Moment): Promise<Seen>;
  /** Looks for what a create may have made that the journal does not have. `managed`: identical objects that others made, or that Terraform has. Never fails. */
  lookFor(key: Attributes, nowMs: number): Promise<{ readonly decision: Exclude<Decision, { kind: "found" }>; readonly managed: readonly string[] }>;
}

/** When a write ended, and whether an answer arrived. */
type Moment = Pick<LookedFor, "answered" | "lastAtMs">;

/** How long the first create waits for others, so that they share one wait and two lists. */
const GATHER_MS = 10;

interface Batch {
  readonly members: Map<string, LookedFor>;
  readonly moments: Moment[];
  readonly outcome: Promise<{ readonly seen: Seen; readonly decisions: ReadonlyMap<string, Decision> }>;
}

export function openRecovery(definition: AnyResource, ports: RecoveryPorts): Recovery {
  const { live, clock, listingDelayMs, signal } = ports;
  /** The batch that new creates join. */
  let current: Batch | null = null;

  function batch(): Batch {
    if (current) return current;
    const members: Batch["members"] = new Map();
    const moments: Batch["moments"] = [];
    current = { members, moments, outcome: decideAll() };
    current.outcome.catch(() => undefined);
    return current;

    async function decideAll() {
      try {
        await clock.sleep(GATHER_MS, signal);
        for (let waitMs = left(); waitMs > 0; waitMs = left()) await clock.sleep(waitMs, signal);
      } finally {
        current = null;
      }
      const seen = await seeTwice(definition, live, signal);
      return { seen, decisions: await decideAmongAll([...members.values()], seen, { ...ports, definition }) };
    }
    function left(): number {
      return longestWait([...members.values(), ...moments], listingDelayMs, clock.now());
    }
  }

  async function lookAfter(moment: Moment): Promise<Seen> {
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
        const { members, outcome } = batch();
        members.set(create.name, create);
        const { seen, decisions } = await outcome;
        const decision = decisions.get(create.name);
        if (!decision) throw new Error("a create was not decided");
        return { decision, seen };
      } catch (error) {
        return { decision: openBecause(error), seen: null };
      }
    },
    lookFor: async (key, nowMs) => {
      try {
        return await whatIsUnmanaged(key, await lookAfter({ answered: false, lastAtMs: nowMs }), ports);
      } catch (error) {
        return { decision: openBecause(error), managed: [] };
      }
    },
  };
}

async function whatIsUnmanaged(key: Attributes, { index, complete }: Seen, { journals, isManaged, isMarked }: RecoveryPorts): ReturnType<Recovery["lookFor"]> {
  const others = await journals.madeIds({ isForOthers: true });
  const managed: string[] = [];
  const candidates: LiveObject[] = [];
  for (const object of index.duplicates(key)) {
    const { id } = object;
    if (isManaged(id) || others.has(id) || (await isMarked(id))) managed.push(id);
    else candidates.push(object);
  }
  if (candidates.length > 0) return { decision: { kind: "open", why: "An identical one is live, and not known to be managed", candidates }, managed };
  return { decision: complete ? { kind: "none" } : { kind: "open", why: "The service's list may be truncated", candidates }, managed };
}

/** Decides the members together with all other creates that may have made the same. */
async function decideAmongAll(
  members: readonly LookedFor[],
  seen: Seen,
  { definition, ...ports }: RecoveryPorts & { readonly definition: AnyResource },
): Promise<ReadonlyMap<string, Decision>> {
  if (members.length === 0) return new Map();
  // Another process may have found, or made, one of the listed objects in the meantime.
  await ports.journals.look();
  const { own, ofLiving } = await ports.journals.creates();
  const asked = new Set(members.map(({ name }) => name));
  const rivals = own.filter(({ intent, outcome, name }) => intent.type === definition.type && outcome.kind === "open" && !asked.has(name)).map(lookedFor);
  // A running process finds its own objects. An object that may be from it is left to it.
  const others = ofLiving
    .filter(({ outcome, name }) => outcome.kind === "open" && !asked.has(name))
    .map(lookedFor)
    .map((one) => ({ ...one, intent: { ...one.intent, provider: "another process" } }));
  const creates = [...members, ...rivals, ...others].toSorted(byName);
  const isManaged = await whatIsManaged(creates, seen, ports);
  const lostCreates = await ports.journals.lostCreates();
  const decided = decideCreates(creates, { definition, seen, isManaged, lostCreates });
  for (const { create, decision } of decided) if (decision.kind === "found" && asked.has(create.name)) ports.made(decision.object.id);
  return new Map(decided.map(({ create, decision }) => [create.name, decision]));
}

/** Objects that none of the creates can have made: this process or the plan knows them as managed, or another create made them. */
async function whatIsManaged(
  creates: readonly Pick<LookedFor, "intent">[],
  { index }: Seen,
  { journals, isManaged, isMarked }: Pick<RecoveryPorts, "journals" | "isManaged" | "isMarked">,
): Promise<(id: string) => boolean> {
  const elsewhere = new Set(await journals.madeIds());
  for (const { id } of creates.flatMap(({ intent }) => index.duplicates(intent.key))) if (await isMarked(id)) elsewhere.add(id);
  return (id) => isManaged(id) || elsewhere.has(id);
}
