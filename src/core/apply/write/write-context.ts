import type { AnyResource } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Clock } from "../../model/ports.ts";
import type { Attributes } from "../../model/value.ts";
import { isWhole } from "../../plan/missing.ts";
import type { Journal } from "../../state/journal-event.ts";
import type { StateDocument } from "../../state/document.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import type { LiveList } from "../live/live-list.ts";
import type { Before } from "../recovery/decide-creates.ts";
import type { ListingDelayMs } from "../live/listing-delay.ts";
import type { Wanted } from "./record.ts";

/** Write access to the service: a client sends as many requests as were reserved of the rate limit, back to back. */
export interface WriteAccess {
  /** Waits until `count` requests may be sent at once. */
  reserve(count: number, signal: AbortSignal): Promise<{ readonly client: unknown; release(): void }>;
}

/** The ids that were live before the first write of a run, also as the journal holds them. */
export type Baseline = (
  signal: AbortSignal,
) => Promise<{ readonly listed: number | null; readonly serverDate: string; readonly before: Before }>;

/** Stores the live ids in the journal once, when the first create needs them. */
export function openBaseline(definition: AnyResource, live: LiveList, journal: Journal): Baseline {
  let stored: ReturnType<Baseline> | null = null;
  return (signal) => {
    stored ??= live.get(signal).then(async (listing) => {
      const ids = listing.objects.map(({ id }) => id);
      const partial = !isWhole(definition, listing, []);
      const [listed = null] = await journal.begin([{ kind: "listed", ids, ...(partial ? { partial } : {}) }], signal);
      return { listed, serverDate: listing.serverDate, before: { ids: new Set(ids), partial } };
    });
    stored.catch(() => (stored = null));
    return stored;
  };
}

/** Creates whose answer was lost, or rejected them. */
export interface LostCreates {
  known(): Promise<readonly LostCreate[]>;
  /** Notes one of this run, which the journal stores. */
  add(lost: LostCreate): void;
}

/** The lost creates of a state, and of the run that starts from it. */
export function openLostCreates({ lostCreates }: Pick<StateDocument, "lostCreates">): LostCreates {
  const all = [...lostCreates];
  return { known: () => Promise.resolve(all), add: (lost) => void all.push(lost) };
}

export interface WriteContext {
  readonly access: WriteAccess;
  /** The live list of the type that is written. */
  readonly live: LiveList;
  readonly journal: Journal;
  readonly baseline: Baseline;
  readonly lost: LostCreates;
  /** Whether the service allows one object per value of the type's exclusive attribute, by its setting. */
  readonly exclusive?: boolean;
  /** The address that manages an object. Absent where the frontend does not know addresses. */
  readonly addressOf?: (id: string) => string | null;
  readonly listingDelayMs: ListingDelayMs;
  readonly clock: Clock;
  /** Whether an id belongs to an object that this configuration manages. */
  readonly isManaged: (id: string) => boolean;
  /** Aborted: start nothing more. */
  readonly signal: AbortSignal;
  /** The intent of this write, where it was begun ahead. */
  readonly intentSeq?: number;
  /** Called before it waits for the service's list. */
  readonly waiting?: ((durationMs: number) => void) | undefined;
  /** Called when the last request of a write has ended: only its outcome is still to be stored. */
  readonly answered?: () => void;
}

/** One create, as planned: `attributes` go into plan, state and journal (secrets as digests in the reconciler), `secrets` to the service. */
export interface Creation extends Omit<Wanted, "planned"> {
  readonly attributes: Attributes;
  /** The values that `attributes` holds as digests, or not at all (write-only), by attribute. */
  readonly secrets: { readonly [attribute: string]: string };
  /** Whether an identical unmanaged object may exist. */
  readonly allowDuplicate: boolean;
  /** The service may have carried out an earlier attempt: only of types without a list. */
  readonly attempted?: true;
}

/** The outcome of a write. Only `undecided` leaves open whether the service carried it out, and its intent stays pending. */
export type WriteResult =
  | {
      readonly kind: "done";
      readonly record: RecordedInstance | null;
      readonly warnings: readonly Diagnostic[];
      /**
       * The milliseconds of a delete-first replace from the sending of the delete to the answer of the create. An upper bound of the
       * time in which neither object existed. Absent where the service reported that the old object was already gone.
       */
      readonly gapMs?: number;
    }
  | {
      readonly kind: "failed";
      readonly diagnostic: Diagnostic;
      /** A replace that got as far as the delete. */ readonly gone?: true;
      /** A replace that got as far as the create. */ readonly created?: RecordedInstance;
    }
  /** Nothing can find out the outcome; it is recorded as unconfirmed. */
  | {
      readonly kind: "unconfirmed";
      readonly record: RecordedInstance;
      readonly diagnostic: Diagnostic;
      /** The service answers: it refused the last attempt. */
      readonly refused?: true;
    }
  | {
      readonly kind: "undecided";
      readonly cause: string;
      readonly diagnostic: Diagnostic;
      readonly gone?: true;
      readonly created?: RecordedInstance;
    };
