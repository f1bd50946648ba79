import type { Clock } from "../../../core/model/ports.ts";
import type { Intent, Journal, JournalEvent } from "../../../core/state/journal-event.ts";
import { type ScopeRecords, withoutCreates } from "../../provider-journal/ledger.ts";
import { nameOfCreate, withCreate, withEvents } from "../../provider-journal/ledger-facts.ts";
import type { ScopedLedger } from "./scoped-ledger.ts";

/** The creates that this process begins. */
export interface OwnCreates {
  readonly journal: Journal;
  isBegun(name: string): boolean;
}

interface OwnPorts {
  readonly ledger: Pick<ScopedLedger, "update" | "owe">;
  /** The id of this process in the ledger. */
  readonly own: string;
  /** For one request. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** An outcome could not be stored. The next update stores it. */
  readonly notStored: (error: unknown) => void;
  readonly notBegun: (error: unknown) => Error;
}

/**
 * A request is sent within this time of its intent, or announced again. So other processes know from which time on it is
 * certainly over, wherever this one runs.
 */
const SEND_WITHIN_MS = 10_000;
const MAX_RENEWALS = 5;

interface Announced {
  readonly sentAtMs: number;
  readonly sendByMs: number;
  readonly sendByMonotonicMs: number;
}

/** Deletes are not recorded: see `withEvents`. */
export function openOwnCreates({ ledger, own, timeoutMs, clock, notStored, notBegun }: OwnPorts): OwnCreates {
  let nextSeq = 1;
  /** The creates by their number. */
  const announced = new Map<number, Announced>();
  /** Stored with the first intent that refers to them. */
  let lists: readonly JournalEvent[] = [];
  const nameOf = (seq: number): string => nameOfCreate({ lineage: own }, seq);
  const names = new Set<string>();

  function announce(): Announced {
    const nowMs = clock.now();
    return { sentAtMs: nowMs, sendByMs: nowMs + SEND_WITHIN_MS, sendByMonotonicMs: clock.monotonicMs() + SEND_WITHIN_MS };
  }
  const adding =
    (events: readonly JournalEvent[], sendByMs = 0) =>
    (records: ScopeRecords): ScopeRecords =>
      withEvents(records, events, { lineage: own, process: own, endsByMs: () => sendByMs + timeoutMs });

  async function renew(of: number): Promise<void> {
    const time = announce();
    await ledger.update((records) => renewed(records, nameOf(of), { own, sentAtMs: time.sentAtMs, endsByMs: time.sendByMs + timeoutMs }));
    announced.set(of, time);
  }

  async function sending(of: number, signal: AbortSignal): Promise<void> {
    for (let times = 0; ; times++) {
      const time = announced.get(of);
      if (!time || (clock.monotonicMs() <= time.sendByMonotonicMs && clock.now() <= time.sendByMs)) return;
      signal.throwIfAborted();
      if (times === MAX_RENEWALS) throw new Error(`the journal could not be written within ${String(SEND_WITHIN_MS)} ms, ${String(times)} times`);
      await renew(of);
    }
  }

  const journal: Journal = {
    begin: async (facts, signal) => {
      signal.throwIfAborted();
      const events = facts.map((fact): JournalEvent => ({ seq: nextSeq++, ...fact }));
      lists = [...lists, ...events.filter(({ kind }) => kind === "listed")];
      const begun = events.filter((event): event is Intent & { readonly seq: number } => event.kind === "intent" && event.op === "create");
      if (begun.length === 0) return events.map(({ seq }) => seq);
      const time = announce();
      const stored = lists;
      for (const { seq } of begun) names.add(nameOf(seq));
      try {
        await ledger.update(adding([...stored, ...begun], time.sendByMs));
      } catch (error) {
        // It may have been stored, but is not sent.
        ledger.owe((records) => withoutCreates(records, new Set(begun.map(({ seq }) => nameOf(seq)))));
        throw signal.aborted ? error : notBegun(error);
      }
      lists = lists.filter((one) => !stored.includes(one));
      for (const { seq } of begun) announced.set(seq, time);
      return events.map(({ seq }) => seq);
    },
    record: async (facts) => {
      const events = facts.flatMap((fact): readonly JournalEvent[] => ("of" in fact && announced.has(fact.of) ? [{ seq: nextSeq++, ...fact }] : []));
      if (events.length === 0) return;
      const change = adding(events);
      await ledger.update(change).catch((error: unknown) => {
        ledger.owe(change);
        notStored(error);
      });
    },
    windows: { ahead: 1, sending, withdraw: () => undefined },
  };
  return { journal, isBegun: (name) => names.has(name) };
}

function renewed(
  records: ScopeRecords,
  name: string,
  { own, sentAtMs, endsByMs }: { readonly own: string; readonly sentAtMs: number; readonly endsByMs: number },
): ScopeRecords {
  const create = records.creates[name];
  if (create?.process !== own || create.outcome.kind !== "open") throw new Error("another process looked for its object in the meantime");
  return withCreate(records, name, { ...create, endsByMs, intent: { ...create.intent, sentAtMs }, outcome: { ...create.outcome, lastAtMs: sentAtMs } });
}
