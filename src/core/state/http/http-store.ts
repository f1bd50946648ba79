import { versionOf } from "../checksum.ts";
import { OwnLocks } from "../own-lock.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { WebResponse } from "../../model/web.ts";
import { isGitLab } from "./gitlab.ts";
import { hasNoGitLabRecord, isConflict, isDone, isPage, mayLackGitLabLock, unexpected } from "./http-answers.ts";
import { openLocking } from "./http-locking.ts";
import { type HttpRequests, httpRequests, shownUrl } from "./http-requests.ts";
import type { HttpSettings } from "./http-settings.ts";
import type { StateStore, StorePorts, StoredState } from "../state-store.ts";
import { lockAbsent, lockUnnamed, stateChanged, stateLocked } from "../store-errors.ts";

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
      const refused = await writeState(settings, requests, { bytes, expected, lockId: own?.id ?? null, signal, lockProblem });
      // If this run had the lock, that may be lost.
      if (refused === "overtaken") throw (own && (await lockProblem(signal))) ?? new DiagnosticsError([stateChanged(name)]);
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
  if (status === 204 || (isGitLab(url) ? hasNoGitLabRecord(answer) : status === 404) || (status === 200 && body.length === 0)) return null;
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
    const problem = isGitLab(address) && mayLackGitLabLock(answer) && (await versionNow()) !== version ? await lockProblem(signal) : null;
    if (problem) throw problem;
  };
  const answer = await requests.send({ method: updateMethod, url, body: bytes, onRefused }, signal).catch(async (error: unknown) => {
    if (signal.aborted || (await versionNow().catch(() => null)) !== version) throw error;
    return null;
  });
  // GitLab shows the version with the highest serial. It also accepts a lower one that is still free: then the state that was read was old.
  if (answer !== null && isDone(answer) && isGitLab(address) && (await versionNow()) !== version) return "overtaken";
  if (answer === null || isDone(answer) || ((answer.inDoubt || isPage(answer)) && (await versionNow()) === version)) return null;
  if (isConflict(answer)) return "locked";
  // GitLab refuses a serial that it has seen: another run may have written it after the first read.
  if (answer.status === 422 && (await versionNow()) !== expected) return "overtaken";
  throw unexpected(answer);
}
