import { versionOf } from "../checksum.ts";
import { OwnLocks } from "../own-lock.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { WebResponse } from "../../model/web.ts";
import { isGitLab } from "./gitlab.ts";
import {
  hasNoGitLabRecord,
  isConflict,
  isDone,
  isPage,
  mayLackGitLabLock,
  unexpected,
  fieldsOf,
  textIn,
} from "./http-answers.ts";
import { type HttpRequests, httpRequests, shownUrl, type HttpAnswer, Unanswered } from "./http-requests.ts";
import type { HttpSettings } from "./http-settings.ts";
import type { StateStore, StorePorts, StoredState, StateLock, HeldLockInfo } from "../state-store.ts";
import { lockAbsent, lockUnnamed, stateChanged, stateLocked, lockMayStay, lockOther } from "../store-errors.ts";
import { isoTime } from "../../model/iso-time.ts";
import { type LockInfo, lockInfo, holderWords } from "../lock-info.ts";
import { type LockRequest, waitForLock } from "../wait-for-lock.ts";

/**
 * A state on a server that speaks the protocol of Terraform's http backend.
 *
 * - The protocol has no conditional write. A write reads the state first and compares its version, so two writers without a
 *   lock can still overwrite each other.
 * - A write names the lock. Servers that check it, such as GitLab, refuse a write after the lock was lost: `lock_lost`. With
 *   another server, a lost lock shows only once the next holder has written: the version differs, and the lock is looked at.
 * - The protocol cannot read a lock. `heldLock`, and with it `forceUnlock`, tries to take it, and gives it back at once. A run
 *   that asks for the lock in that moment has to wait.
 * - The server keeps the lock of a run that was killed, until it is unlocked by force.
 */
export function httpStore(settings: HttpSettings, ports: StorePorts): StateStore {
  const requests = httpRequests(settings, ports);
  const name = shownUrl(settings.address);
  const locks = new OwnLocks(name);
  const locking = settings.lock && openLocking(settings.lock, { name, ports, locks, send: requests.send });

  /** The error if this run has lost its lock, or another run has the lock; null otherwise. */
  async function lockProblem(signal: AbortSignal): Promise<DiagnosticsError | null> {
    const held = (await locking?.held(signal)) ?? null;
    const own = locks.current;
    if (own) return held?.id === own.id ? null : own.lose();
    return held && new DiagnosticsError([stateLocked(name, held.id, held)]);
  }

  return {
    name,
    isOnThisMachine: false,
    isAtomic: false,
    assertReady: async (signal) => {
      signal.throwIfAborted();
      await requests.prepare();
    },
    read: (signal) => readState(settings.address, requests, signal),
    write: async (bytes, expected, signal) => {
      signal.throwIfAborted();
      await locks.assertOwn(signal);
      const own = locks.current;
      const refused = await writeState(settings, requests, {
        bytes,
        expected,
        lockId: own?.id ?? null,
        signal,
        lockProblem,
      });
      // If this run had the lock, that may be lost.
      if (refused === "overtaken")
        throw (own && (await lockProblem(signal))) ?? new DiagnosticsError([stateChanged(name)]);
      if (refused === "locked") throw own?.lose() ?? new DiagnosticsError([lockUnnamed(name)]);
      return versionOf(bytes);
    },
    lock: async (holder, timeoutMs, signal, waitsFor = () => undefined) => {
      signal.throwIfAborted();
      if (!locking) return { id: ports.random.uuid(), lost: NEVER_ABORTED, release: () => Promise.resolve() };
      return locking.acquire({ holder, timeoutMs, signal, waitsFor });
    },
    forceUnlock: async (id, signal) => {
      signal.throwIfAborted();
      if (!locking) throw new DiagnosticsError([lockAbsent(name)]);
      await locking.force(id, signal);
    },
    locksToLook: true,
    heldLock: async (signal) => {
      signal.throwIfAborted();
      const held = await locking?.held(signal);
      if (!held) return null;
      const { body: _, ...known } = held;
      return known;
    },
    backup: null,
    journal: null,
    close: () => Promise.resolve(),
  };
}

async function readState(url: URL, { send }: HttpRequests, signal: AbortSignal): Promise<StoredState | null> {
  const answer = await send({ method: "GET", url, body: null }, signal);
  const { status, body } = answer;
  if (
    status === 204 ||
    (isGitLab(url) ? hasNoGitLabRecord(answer) : status === 404) ||
    (status === 200 && body.length === 0)
  )
    return null;
  if (status !== 200 || isPage(answer)) throw unexpected(answer);
  return { bytes: body, version: versionOf(body) };
}

interface Write {
  readonly bytes: Uint8Array;
  readonly expected: string | null;
  readonly lockId: string | null;
  readonly signal: AbortSignal;
  readonly lockProblem: (signal: AbortSignal) => Promise<DiagnosticsError | null>;
}

/** Null once the bytes are stored, else why the server does not take them. Where an answer was lost, what is stored decides. */
async function writeState(
  { address, updateMethod }: HttpSettings,
  requests: HttpRequests,
  { bytes, expected, lockId, signal, lockProblem }: Write,
): Promise<"overtaken" | "locked" | null> {
  const versionNow = async (): Promise<string | null> => (await readState(address, requests, signal))?.version ?? null;
  if ((await versionNow()) !== expected) return "overtaken";
  const version = versionOf(bytes);
  const url = new URL(address);
  if (lockId !== null) url.searchParams.set("ID", lockId);
  const onRefused = async (answer: WebResponse): Promise<void> => {
    const problem =
      isGitLab(address) && mayLackGitLabLock(answer) && (await versionNow()) !== version
        ? await lockProblem(signal)
        : null;
    if (problem) throw problem;
  };
  const answer = await requests
    .send({ method: updateMethod, url, body: bytes, onRefused }, signal)
    .catch(async (error: unknown) => {
      if (signal.aborted || (await versionNow().catch(() => null)) !== version) throw error;
      return null;
    });
  // GitLab shows the version with the highest serial. It also accepts a lower one that is still free: then the state that was read was old.
  if (answer !== null && isDone(answer) && isGitLab(address) && (await versionNow()) !== version) return "overtaken";
  if (answer === null || isDone(answer) || ((answer.inDoubt || isPage(answer)) && (await versionNow()) === version))
    return null;
  if (isConflict(answer)) return "locked";
  // GitLab refuses a serial that it has seen: another run may have written it after the first read.
  if (answer.status === 422 && (await versionNow()) !== expected) return "overtaken";
  throw unexpected(answer);
}

interface LockingPorts extends Pick<HttpRequests, "send"> {
  /** The state's. */
  readonly name: string;
  readonly ports: StorePorts;
  readonly locks: OwnLocks;
}

const POLL_MS = 1000;

/** Locks and unlocks. Neither sends an unlock without an id: it would release any run's lock. */
function openLocking(settings: NonNullable<HttpSettings["lock"]>, { name, ports, locks, send }: LockingPorts) {
  const unlock = async (body: Uint8Array, signal: AbortSignal): Promise<HttpAnswer> =>
    send({ method: settings.unlockMethod, url: settings.unlockAddress, body }, signal);

  const inDoubt = ({ diagnostics }: DiagnosticsError, { ID }: LockInfo) =>
    new DiagnosticsError([...diagnostics, lockMayStay(name, ID)]);

  /** Takes the lock and returns null, or returns whose it is. A refusal that names this very lock means that an answer was lost. */
  async function take(lock: LockInfo, signal: AbortSignal): Promise<OtherLock | null> {
    try {
      const answer = await send(
        { method: settings.method, url: settings.address, body: encoded(lock), isSettled: true },
        signal,
      );
      if (!isTaken(answer) && !isConflict(answer))
        throw answer.inDoubt ? inDoubt(unexpected(answer), lock) : unexpected(answer);
      const other = isTaken(answer) ? null : holderIn(answer.body, lock);
      const isOwn = other === null || other.id === lock.ID;
      if (signal.aborted && isOwn) await unlock(encoded(lock), NEVER_ABORTED);
      signal.throwIfAborted();
      return isOwn ? null : other;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof Unanswered && error.inDoubt ? inDoubt(error, lock) : error;
    }
  }

  /** The lock of another run, or null: tries to take the lock, and gives it back. Throws `state_locked` if the server does not name the holder. */
  async function held(signal: AbortSignal): Promise<OtherLock | null> {
    const { clock, process, random } = ports;
    const own = lockInfo(random.uuid(), { ...process, operation: "look at the lock", since: isoTime(clock.now()) });
    const other = await take(own, signal);
    if (other?.id === "") throw new DiagnosticsError([lockUnnamed(name)]);
    if (other === null) await giveBack(own);
    return other;
  }

  /** A server that refuses may have another lock, or none: only a lock that stays is an error. */
  async function giveBack(lock: LockInfo): Promise<void> {
    const answer = await unlock(encoded(lock), NEVER_ABORTED).catch((error: unknown) => {
      throw error instanceof DiagnosticsError ? inDoubt(error, lock) : error;
    });
    if (!isDone(answer) && !isConflict(answer) && !(answer.inDoubt && answer.status < 500))
      throw inDoubt(unexpected(answer), lock);
  }

  return {
    held,
    /** Takes the lock, as `StateStore.lock` does. */
    acquire: async (request: LockRequest): Promise<StateLock> => {
      const lock = lockInfo(ports.random.uuid(), request.holder);
      return waitForLock(
        async () => {
          const other = await take(lock, request.signal);
          if (!other) return { taken: locks.hold(lock.ID, { remove: () => giveBack(lock) }) };
          return {
            held: {
              holder: other.holder,
              problem: other.id === "" ? lockUnnamed(name) : stateLocked(name, other.id, other),
              pollMs: POLL_MS,
            },
          };
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
  const isEcho =
    text("Info") === refused.Info && text("Operation") === refused.Operation && text("Version") === refused.Version;
  const since = ISO_TIME.test(text("Created")) ? text("Created") : null;
  const operation = isEcho ? "" : text("Operation");
  const who = text("Who") || "an unknown run";
  const holder = holderWords({
    Who: who,
    Operation: operation,
    Info: isEcho ? "" : text("Info"),
    Created: since ?? "",
  });
  return { id: text("ID"), who, operation: operation || UNKNOWN, since, holder, fate: "unknown", body };
}
