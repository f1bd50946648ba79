import type { OwnLocks } from "../own-lock.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { type Diagnostic, DiagnosticsError } from "../../model/diagnostic.ts";
import { isoTime } from "../../model/iso-time.ts";
import { isConflict, isDone, isPage, unexpected, fieldsOf, textIn } from "./http-answers.ts";
import { type HttpAnswer, type HttpRequests, Unanswered } from "./http-requests.ts";
import type { HttpSettings } from "./http-settings.ts";
import { type LockInfo, lockInfo, holderWords } from "../lock-info.ts";
import type { StateLock, StorePorts, HeldLockInfo } from "../state-store.ts";
import { type LockRequest, waitForLock } from "../wait-for-lock.ts";
import { lockAbsent, lockMayStay, lockOther, lockUnnamed, stateLocked } from "../store-errors.ts";

interface LockingPorts extends Pick<HttpRequests, "send"> {
  /** The state's. */
  readonly name: string;
  readonly ports: StorePorts;
  readonly locks: OwnLocks;
}

const POLL_MS = 1000;

/** Locks and unlocks. Neither sends an unlock without an id: it would release any run's lock. */
export function openLocking(settings: NonNullable<HttpSettings["lock"]>, { name, ports, locks, send }: LockingPorts) {
  const unlock = async (body: Uint8Array, signal: AbortSignal): Promise<HttpAnswer> =>
    send({ method: settings.unlockMethod, url: settings.unlockAddress, body }, signal);

  const stays = ({ ID }: LockInfo): Diagnostic => lockMayStay(name, ID);

  /** Takes the lock and returns null, or returns whose it is. A refusal that names this very lock means that an answer was lost. */
  async function take(lock: LockInfo, signal: AbortSignal): Promise<OtherLock | null> {
    const answer = await send({ method: settings.method, url: settings.address, body: encoded(lock), isSettled: true }, signal);
    if (!isTaken(answer) && !isConflict(answer)) throw answer.inDoubt ? withDoubt(unexpected(answer), stays(lock)) : unexpected(answer);
    const other = isTaken(answer) ? null : holderIn(answer.body, lock);
    const isOwn = other === null || other.id === lock.ID;
    if (signal.aborted && isOwn) await unlock(encoded(lock), NEVER_ABORTED);
    signal.throwIfAborted();
    return isOwn ? null : other;
  }

  async function attempt(lock: LockInfo, signal: AbortSignal): Promise<OtherLock | null> {
    try {
      return await take(lock, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof Unanswered && error.inDoubt ? withDoubt(error, stays(lock)) : error;
    }
  }

  /** The lock of another run, or null: tries to take the lock, and gives it back. Throws `state_locked` if the server does not name the holder. */
  async function held(signal: AbortSignal): Promise<OtherLock | null> {
    const { clock, process, random } = ports;
    const own = lockInfo(random.uuid(), { ...process, operation: "look at the lock", since: isoTime(clock.now()) });
    const other = await attempt(own, signal);
    if (other?.id === "") throw new DiagnosticsError([lockUnnamed(name)]);
    if (other === null) await giveBack(own);
    return other;
  }

  /** A server that refuses may have another lock, or none: only a lock that stays is an error. */
  async function giveBack(lock: LockInfo): Promise<void> {
    const answer = await unlock(encoded(lock), NEVER_ABORTED).catch((error: unknown) => {
      throw error instanceof DiagnosticsError ? withDoubt(error, stays(lock)) : error;
    });
    if (!isDone(answer) && !isConflict(answer) && !(answer.inDoubt && answer.status < 500)) throw withDoubt(unexpected(answer), stays(lock));
  }

  return {
    held,
    /** Takes the lock, as `StateStore.lock` does. */
    acquire: async (request: LockRequest): Promise<StateLock> => {
      const lock = lockInfo(ports.random.uuid(), request.holder);
      return waitForLock(
        async () => {
          const other = await attempt(lock, request.signal);
          if (!other) return { taken: locks.hold(lock.ID, { remove: () => giveBack(lock) }) };
          return { held: { holder: other.holder, problem: other.id === "" ? lockUnnamed(name) : stateLocked(name, other.id, other), pollMs: POLL_MS } };
        },
        { ...request, clock: ports.clock },
      );
    },
    /** Removes a lock, as `StateStore.forceUnlock` does. */
    force: async (id: string, signal: AbortSignal): Promise<void> => {
      const before = await held(signal);
      if (!before) throw new DiagnosticsError([lockAbsent(name)]);
      if (before.id !== id) throw new DiagnosticsError([lockOther(name, { id, held: before.id })]);
      const answer = await unlock(before.body, signal);
      if (isDone(answer)) return;
      const now = await held(signal);
      if (now?.id === id) throw unexpected(answer);
      if (now) throw new DiagnosticsError([lockOther(name, { id, held: now.id })]);
    },
  };
}

function isTaken(answer: HttpAnswer): boolean {
  return answer.status === 200 && !isPage(answer);
}

function withDoubt({ diagnostics }: DiagnosticsError, doubt: Diagnostic): DiagnosticsError {
  return new DiagnosticsError([...diagnostics, doubt]);
}

function encoded(lock: LockInfo): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(lock));
}

/** The lock that another run holds, and its JSON as the server sent it. */
interface OtherLock extends HeldLockInfo {
  readonly body: Uint8Array;
}

const UNKNOWN = "unknown";
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(Z|[+-]\d\d:?\d\d)$/;

/**
 * The holder in the answer to a refused lock. Its id is empty if the answer names none. GitLab answers with the fields of the refused
 * request, and replaces only `ID`, `Who` and `Created`: the rest then says nothing about the holder.
 */
export function holderIn(body: Uint8Array, refused: LockInfo): OtherLock {
  const fields = fieldsOf(body);
  const text = (name: keyof LockInfo): string => textIn(fields?.[name]);
  const isEcho = text("Info") === refused.Info && text("Operation") === refused.Operation && text("Version") === refused.Version;
  const since = ISO_TIME.test(text("Created")) ? text("Created") : null;
  const operation = isEcho ? "" : text("Operation");
  const who = text("Who") || "an unknown run";
  const holder = holderWords({ Who: who, Operation: operation, Info: isEcho ? "" : text("Info"), Created: since ?? "" });
  return { id: text("ID"), who, operation: operation || UNKNOWN, since, holder, fate: "unknown", body };
}
