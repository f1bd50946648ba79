import { NEVER_ABORTED } from "../model/async.ts";
import { DiagnosticsError } from "../model/diagnostic.ts";
import type { Clock, ProcessMark } from "../model/ports.ts";
import { type StateDocument, encodeState } from "./document.ts";
import { fold } from "./fold.ts";
import type { Intent, Journal, JournalEvent, JournalFact } from "./journal-event.ts";
import type { OpenState } from "./open-state.ts";
import type { StateStore } from "./state-store.ts";

/** The journal of one run, wherever its store keeps intents. */
export interface RunJournal extends Journal {
  /** Waits for running writes, and returns the state with all facts, to store as the last of the run. Afterwards, nothing may begin. */
  end(): Promise<{ readonly open: OpenState; readonly hasFacts: boolean }>;
}

/** How many requests one state write announces. */
const WINDOW_REQUESTS = 20;
/** The next window is written once no more announced requests than this are left to send: none waits for it then. */
const LOW_REQUESTS = WINDOW_REQUESTS / 2;
/** Intents that begin within this time go into one window. */
const JOIN_BATCH_MS = 5;
/** A request is sent within this time of the write that announced it last, or is announced again. Recovery counts its listing delay from then. */
export const SEND_WITHIN_MS = 10_000;

const MAX_RENEWALS = 5;

/** A write that this run has announced in the stored state. */
interface Announced {
  readonly intentSeq: number;
  readonly intent: Intent;
  /** By the monotonic clock. */
  sendByMs: number;
  /** By the local clock; null before it was sent. */
  sentAtMs: number | null;
}

interface Waiting {
  readonly intent: Intent;
  readonly signal: AbortSignal;
  readonly begun: (seq: number) => void;
  readonly failed: (error: unknown) => void;
}

/** A write whose stored intent had no request. */
const NOT_SENT = "not_sent";

/**
 * The journal of a run over a store without a journal: intents go into the state itself, by windows. One state write,
 * conditional on the version before and on the lock, announces up to 20 requests and stores what became of those before.
 * A window is written while the one before it is being sent, so nothing waits for results. When a write fails, every call
 * rejects from then on: nothing more is sent. What `record` gets is stored by the next write, or by the run's last one.
 */
export function openWindowedJournal(
  store: StateStore,
  open: OpenState,
  {
    clock,
    process,
    sendWithinMs,
  }: { readonly clock: Clock; readonly process: ProcessMark; readonly sendWithinMs: number },
): RunJournal {
  const facts = openFacts(open, process);
  const queue = openQueue();
  const { write, writeWhenLow, assertWhole, written } = openWriter(store, { facts, queue }, { clock, sendWithinMs });

  async function beforeRequest(intentSeq: number, signal: AbortSignal): Promise<void> {
    assertWhole();
    for (let times = 0; clock.monotonicMs() > facts.sendByMs(intentSeq); times++) {
      signal.throwIfAborted();
      if (times === MAX_RENEWALS)
        throw new Error(`the state could not be written within ${String(sendWithinMs)} ms, ${String(times)} times`);
      await write();
      assertWhole();
    }
    facts.sent(intentSeq, clock.now());
    writeWhenLow();
  }

  const storeOne = (fact: JournalFact, signal: AbortSignal): Promise<number> => {
    if (fact.kind !== "intent") return Promise.resolve(facts.add(fact));
    const begun = queue.add(fact, signal);
    writeWhenLow();
    return begun;
  };
  return {
    windows: {
      ahead: 2 * WINDOW_REQUESTS,
      withdraw: (intentSeq) => {
        facts.withdraw(intentSeq);
        writeWhenLow();
      },
    },
    begin: async (added, signal) => {
      signal.throwIfAborted();
      assertWhole();
      return Promise.all(added.map((fact) => storeOne(fact, signal)));
    },
    record: (added) => {
      for (const fact of added) facts.add(fact);
      return Promise.resolve();
    },
    beforeRequest,
    end: async () => {
      await written();
      return facts.end();
    },
  };
}

interface Windowed {
  readonly facts: ReturnType<typeof openFacts>;
  readonly queue: ReturnType<typeof openQueue>;
}

/** Writes window after window, one at a time. */
function openWriter(
  store: StateStore,
  { facts, queue }: Windowed,
  { clock, sendWithinMs }: { readonly clock: Clock; readonly sendWithinMs: number },
) {
  let broken: { readonly error: unknown } | null = null;
  let writing: Promise<void> | null = null;

  async function writeWindow(): Promise<void> {
    await clock.sleep(JOIN_BATCH_MS, NEVER_ABORTED);
    const window = queue.take();
    const sendByMs = clock.monotonicMs() + sendWithinMs;
    const added = window.map(({ intent, begun }) => ({ begun, seq: facts.addIntent(intent, sendByMs) }));
    const document = facts.nextVersion(clock.now() + sendWithinMs);
    try {
      facts.stored(
        { document, version: await store.write(encodeState(document), facts.version(), NEVER_ABORTED) },
        sendByMs,
      );
      for (const { begun, seq } of added) begun(seq);
    } catch (error) {
      broken = { error };
      facts.failed(error);
      for (const { failed } of [...window, ...queue.takeAll()]) failed(error);
    }
  }

  function write(): Promise<void> {
    writing ??= writeWindow().finally(() => {
      writing = null;
      writeWhenLow();
    });
    return writing;
  }

  function writeWhenLow(): void {
    if (!broken && !queue.isEmpty() && requestsOf(facts.unsent()) <= LOW_REQUESTS) void write();
  }

  function assertWhole(): void {
    if (broken) throw broken.error;
  }

  return {
    write,
    writeWhenLow,
    assertWhole,
    /** Resolves when no write is under way. */
    written: async (): Promise<void> => (await writing) ?? undefined,
  };
}

/** The facts of a run, on top of the stored state. */
function openFacts(open: OpenState, process: ProcessMark) {
  let stored: Pick<OpenState, "document" | "version"> = open;
  /** Grows with every attempt: an attempt that failed may have been stored. */
  let { serial } = open.document;
  let nextSeq = open.document.journalSeq + 1;
  let since: JournalEvent[] = [];
  const announced = new Map<number, Announced>();
  let mayBeStored = false;

  function add(fact: JournalFact): number {
    const seq = nextSeq++;
    since.push({ seq, ...fact });
    if (fact.kind === "done" || fact.kind === "failed") announced.delete(fact.of);
    return seq;
  }

  /** A request under way counts as sent at the latest possible time. */
  function current(latestMs: number | null): StateDocument {
    const { run: _, sender: __, ...folded } = fold(stored.document, since);
    const timed = (intent: Intent & { readonly seq: number }): JournalEvent => {
      const sentAtMs = announced.get(intent.seq)?.sentAtMs;
      if (sentAtMs === undefined) return intent;
      // The second half of a replace may be sent later than the first.
      const isSent = sentAtMs !== null && intent.op !== "replace";
      return { ...intent, sentAtMs: (isSent ? null : latestMs) ?? sentAtMs ?? intent.sentAtMs };
    };
    return {
      ...folded,
      serial,
      pending: folded.pending.map((event) => (event.kind === "intent" ? timed(event) : event)),
    };
  }

  const unsent = (): readonly Announced[] => [...announced.values()].filter(({ sentAtMs }) => sentAtMs === null);
  function withdraw(intentSeq: number): void {
    if (announced.get(intentSeq)?.sentAtMs === null) add({ kind: "failed", of: intentSeq, code: NOT_SENT });
  }

  return {
    add,
    unsent: (): readonly Intent[] => unsent().map(({ intent }) => intent),
    withdraw,
    addIntent: (intent: Intent, sendByMs: number): number => {
      const intentSeq = add({ ...intent, ahead: true });
      announced.set(intentSeq, { intentSeq, intent, sendByMs, sentAtMs: null });
      return intentSeq;
    },
    /** Never for what was not announced. */
    sendByMs: (intentSeq: number): number => announced.get(intentSeq)?.sendByMs ?? Number.NEGATIVE_INFINITY,
    sent: (intentSeq: number, nowMs: number): void => {
      const own = announced.get(intentSeq);
      if (own) own.sentAtMs = nowMs;
    },
    version: (): string | null => stored.version,
    nextVersion: (latestMs: number): StateDocument => {
      serial++;
      return withSender(current(latestMs), open, process);
    },
    /** A window whose write failed. */
    failed: (error: unknown): void => {
      mayBeStored ||= !isRefusal(error);
    },
    stored: (now: Pick<OpenState, "document" | "version">, sendByMs: number): void => {
      stored = now;
      since = since.filter(({ seq }) => seq > now.document.journalSeq);
      for (const own of announced.values()) own.sendByMs = sendByMs;
    },
    end: (): { readonly open: OpenState; readonly hasFacts: boolean } => {
      for (const { intentSeq } of unsent()) withdraw(intentSeq);
      return {
        hasFacts: stored !== open || mayBeStored || since.some(tells),
        open: { ...open, ...stored, document: current(null) },
      };
    },
  };
}

/** An earlier run may still send what it left open: its process is not known. */
function withSender(
  document: StateDocument,
  { run, document: { journalSeq } }: OpenState,
  process: ProcessMark,
): StateDocument {
  const isAllOwn = document.pending.every(({ kind, seq }) => kind !== "intent" || seq > journalSeq);
  const { host, bootId, pidNamespace, pid, startedAt } = process;
  return { ...document, run, ...(isAllOwn ? { sender: { host, bootId, pidNamespace, pid, startedAt } } : {}) };
}

/** Whether the store certainly has not taken what was written. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof DiagnosticsError &&
    error.diagnostics.some(({ code }) => code === "state_changed" || code === "lock_lost")
  );
}

/** Whether an event tells more than what was to be sent, and was not. */
function tells(event: JournalEvent): boolean {
  return event.kind === "failed" ? event.code !== NOT_SENT : event.kind !== "intent" && event.kind !== "listed";
}

/** Intents that wait for a window, in the order in which they came. */
function openQueue() {
  let waiting: Waiting[] = [];
  /** One listener a signal, however many wait. */
  const watched = new WeakSet<AbortSignal>();

  /** What waits when the run is interrupted is not begun. */
  function leave(signal: AbortSignal): void {
    const left = waiting.filter((one) => one.signal === signal);
    waiting = waiting.filter((one) => one.signal !== signal);
    for (const { failed } of left) failed(signal.reason);
  }
  return {
    isEmpty: (): boolean => waiting.length === 0,
    add: (intent: Intent, signal: AbortSignal): Promise<number> =>
      new Promise((begun, failed) => {
        if (!watched.has(signal)) signal.addEventListener("abort", () => leave(signal), { once: true });
        watched.add(signal);
        waiting.push({ intent, signal, begun, failed });
      }),
    /** The first that wait, up to a window full of requests. */
    take: (): readonly Waiting[] => {
      const end = waiting.findIndex(
        (_, index) => requestsOf(waiting.slice(0, index + 1).map(({ intent }) => intent)) > WINDOW_REQUESTS,
      );
      return waiting.splice(0, end < 0 ? waiting.length : end);
    },
    takeAll: (): readonly Waiting[] => waiting.splice(0),
  };
}

function requestsOf(intents: readonly Intent[]): number {
  return intents.reduce((sum, { op }) => sum + (op === "replace" ? 2 : 1), 0);
}
