import type { Before, ListingDelayMs } from "../../../core/apply/recovery/decide-creates.ts";
import type { Clock, ProcessIdentity, ProcessMark } from "../../../core/model/ports.ts";
import { type Hidden, type ProcessFate, fateOf, hiddenBy } from "../../../core/model/process-fate.ts";
import type { Ledger, LedgerCreate, ScopeRecords } from "../../provider-journal/ledger.ts";
import type { JournaledCreate } from "./journaled-create.ts";

/** `own`: this process writes its outcome. `left`: nobody does. */
export type Standing = "own" | "left" | "running" | "hidden";

/** A create of this process's scope, and what is known of the process that writes its outcome. */
export interface KnownCreate {
  readonly create: JournaledCreate;
  readonly standing: Standing;
  readonly process: string | null;
  readonly owner: ProcessMark | null;
  readonly hidden: Hidden | null;
  readonly overAtMs: number | null;
}

/** The clocks of two machines may differ by this much. */
const CLOCK_DIFFERENCE_MS = 120_000;

interface Owner {
  readonly mark: ProcessMark;
  readonly fate: ProcessFate;
  readonly hidden: Hidden | null;
}

export interface ViewPorts {
  readonly clock: Clock;
  readonly process: ProcessIdentity;
  readonly listingDelayMs: ListingDelayMs;
  /** The id of this process in the ledger. */
  readonly own: string;
}

/** Who writes which create of a ledger. */
export interface LedgerView {
  /** Looks which processes of the ledger still run. */
  refresh(ledger: Ledger): Promise<void>;
  creates(records: ScopeRecords): readonly KnownCreate[];
}

export function openLedgerView({ clock, process, listingDelayMs, own }: ViewPorts): LedgerView {
  const owners = new Map<string, Owner>();
  /** When this process first saw that another one is over. Until then, that one may have sent something. */
  const overSinceMs = new Map<string | null, number>();

  function lastAtMs({ process: writer, endsByMs }: LedgerCreate, sentAtMs: number, isOver: boolean): number {
    if (endsByMs === null) return sentAtMs;
    const overMs = overSinceMs.get(writer) ?? clock.now();
    if (isOver) overSinceMs.set(writer, overMs);
    return Math.max(sentAtMs, Math.min(endsByMs, overMs));
  }

  function overAtMs({ endsByMs, outcome }: LedgerCreate): number | null {
    return outcome.kind === "open" && endsByMs !== null ? endsByMs + listingDelayMs.unanswered + CLOCK_DIFFERENCE_MS : null;
  }

  function standingOf(create: LedgerCreate): Standing {
    const writer = create.process;
    if (writer === own) return "own";
    if (writer === null) return "left";
    // An owner that is not known yet is new.
    const fate = owners.get(writer)?.fate ?? "running";
    if (fate !== "unknown") return fate === "ended" ? "left" : "running";
    const over = overAtMs(create);
    return create.outcome.kind !== "open" || (over !== null && clock.now() >= over) ? "left" : "hidden";
  }

  return {
    refresh: async ({ processes }) => {
      for (const [id, mark] of Object.entries(processes)) {
        if (owners.get(id)?.fate === "ended") continue;
        owners.set(id, { mark, fate: await fateOf(mark, process), hidden: hiddenBy(mark, process) });
      }
    },
    creates: (records) => {
      const before = beforeOf(records);
      return Object.entries(records.creates).map(([name, one]): KnownCreate => {
        const { intent, outcome, list } = one;
        const standing = standingOf(one);
        const owner = one.process === null ? undefined : owners.get(one.process);
        const isUnanswered = outcome.kind === "open" && outcome.cause === null && standing !== "own";
        return {
          create: {
            name,
            intent: { ...intent, planned: outcome.kind === "made" ? outcome.record.attributes : intent.planned },
            before: list === null ? undefined : before.get(list),
            outcome: isUnanswered ? { ...outcome, lastAtMs: lastAtMs(one, outcome.lastAtMs, standing === "left") } : outcome,
          },
          standing,
          process: one.process,
          owner: owner?.mark ?? null,
          hidden: owner?.hidden ?? null,
          overAtMs: overAtMs(one),
        };
      });
    },
  };
}

function beforeOf({ lists }: ScopeRecords): ReadonlyMap<string, Before> {
  return new Map(Object.entries(lists).map(([name, { ids, partial = false }]) => [name, { ids: new Set(ids), partial }] as const));
}
