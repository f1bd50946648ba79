import type { Clock } from "../../../core/model/ports.ts";
import type { Journal } from "../../../core/state/journal-event.ts";
import { SEND_WITHIN_MS } from "../../../core/state/windowed-journal.ts";
import type { ScopeRecords } from "../../provider-journal/ledger.ts";
import {
  type Answer,
  type IsSameCreate,
  type RecordsChange,
  answer,
  renewIntent,
  storeIntents,
  withdraw,
} from "./ledger-changes.ts";
import { createName } from "./known-creates.ts";

interface OwnPorts {
  readonly ledger: {
    /** Resolves once the change is durable. Throws if the change throws, or if it cannot be stored. */
    update(change: RecordsChange): Promise<void>;
    /** Makes the change here, and stores it with the next update. */
    defer(change: RecordsChange): void;
  };
  /** The id of this process in the ledger. */
  readonly own: string;
  /** How long one request may take. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** An outcome could not be stored. The next update stores it. */
  readonly notStored: (error: unknown) => void;
  readonly notBegun: (error: unknown) => Error;
}

/** A request is sent within `SEND_WITHIN_MS` of its intent, or its intent is renewed: other processes then know when it is over. */
const MAX_RENEWALS = 5;

/** When a create is sent, as its intent says. */
interface SendTime {
  readonly sentAtMs: number;
  readonly sendByMs: number;
  readonly sendByMonotonicMs: number;
}

/** The creates of this process. */
export interface OwnCreates extends Journal {
  /** Throws an error that `isBegunElsewhere` knows, and stores nothing, if another process has begun the same by now. */
  begin(
    facts: Parameters<Journal["begin"]>[0],
    signal: AbortSignal,
    isSame?: IsSameCreate,
  ): ReturnType<Journal["begin"]>;
}

/** Records what this process creates. Deletes are not recorded: Terraform's state has the object until the service has confirmed its delete. */
export function openOwnCreates({ ledger, own, timeoutMs, clock, notStored, notBegun }: OwnPorts): OwnCreates {
  let lastSeq = 0;
  /** The creates that may be sent, by their number. */
  const sendTimes = new Map<number, SendTime>();
  let lists: ScopeRecords["lists"] = {};

  function sendTimeFromNow(): SendTime {
    const nowMs = clock.now();
    return {
      sentAtMs: nowMs,
      sendByMs: nowMs + SEND_WITHIN_MS,
      sendByMonotonicMs: clock.monotonicMs() + SEND_WITHIN_MS,
    };
  }

  async function beforeRequest(intentSeq: number, signal: AbortSignal): Promise<void> {
    for (let times = 0; ; times++) {
      const time = sendTimes.get(intentSeq);
      if (!time || (clock.monotonicMs() <= time.sendByMonotonicMs && clock.now() <= time.sendByMs)) return;
      signal.throwIfAborted();
      if (times === MAX_RENEWALS)
        throw new Error(`the journal could not be written within ${String(SEND_WITHIN_MS)} ms, ${String(times)} times`);
      const later = sendTimeFromNow();
      await ledger.update(
        renewIntent(createName(own, intentSeq), {
          own,
          sentAtMs: later.sentAtMs,
          endsByMs: later.sendByMs + timeoutMs,
        }),
      );
      sendTimes.set(intentSeq, later);
    }
  }

  return {
    begin: async (facts, signal, isSame = () => false) => {
      signal.throwIfAborted();
      const numbers = facts.map(() => ++lastSeq);
      const time = sendTimeFromNow();
      const begun: { [name: string]: Parameters<typeof storeIntents>[1][string] } = {};
      for (const [index, fact] of facts.entries()) {
        const name = createName(own, numbers[index] ?? 0);
        if (fact.kind === "listed")
          lists = { ...lists, [name]: { ids: fact.ids, ...(fact.partial ? { partial: true } : {}) } };
        else if (fact.kind === "intent" && fact.op === "create") {
          const list = fact.listed === null ? null : createName(own, fact.listed);
          begun[name] = { intent: fact, list, endsByMs: time.sendByMs + timeoutMs };
        }
      }
      const names = Object.keys(begun);
      if (names.length === 0) return numbers;
      const used = Object.values(begun).map(({ list }) => list);
      try {
        const needed = Object.fromEntries(Object.entries(lists).filter(([name]) => used.includes(name)));
        await ledger.update(storeIntents(own, begun, { lists: needed, isSame }));
      } catch (error) {
        // It may have been stored, but is not sent.
        ledger.defer(withdraw(names));
        throw signal.aborted ? error : notBegun(error);
      }
      for (const number of numbers) sendTimes.set(number, time);
      return numbers;
    },
    record: async (facts) => {
      const answers = facts.filter(
        (fact): fact is Answer => fact.kind === "done" || fact.kind === "failed" || fact.kind === "undecided",
      );
      const changes = answers.flatMap((fact) =>
        sendTimes.has(fact.of) ? [answer(createName(own, fact.of), own, fact)] : [],
      );
      for (const change of changes) {
        await ledger.update(change).catch((error: unknown) => {
          ledger.defer(change);
          notStored(error);
        });
      }
    },
    beforeRequest,
  };
}
