import type { OwnLocks } from "../own-lock.ts";
import { dirname } from "node:path";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { fateOf, hiddenBy } from "../../model/process-fate.ts";
import { isoTime } from "../../model/iso-time.ts";
import { type Lock, LockFiles, type LockContent } from "./lock-file.ts";
import type { HeldLockInfo, StateLock, LocalPorts } from "../state-store.ts";
import { type HeldByOther, type LockRequest, waitForLock } from "../wait-for-lock.ts";
import { lockAbsent, lockOther, lockUnreadable, stateLocked } from "../store-errors.ts";

const POLL_MS = 200;
/** How long a lock file may lack its content: without hard links, others see the file first. */
const UNFINISHED_MS = 1000;

/** Locks the state in the file `PATH`, with the file `PATH.lock`. */
export async function acquireLock(path: string, ports: LocalPorts, request: LockRequest & { readonly locks: OwnLocks }): Promise<StateLock> {
  request.signal.throwIfAborted();
  const own: Lock = { id: ports.random.uuid(), ...request.holder };
  await ports.files.makeFolder(dirname(path));
  const lock = lockFiles(path, own, ports);
  try {
    await lock.sweep(async (other) => (await fateOf(other, ports.process)) === "running");
    await takeLock(lock, path, ports, request);
  } finally {
    await lock.tidy();
  }
  return request.locks.hold(own.id, { isOwn: () => lock.isOwn(), remove: () => lock.release() });
}

/** Removes the lock with this id by force. */
export async function removeLock(path: string, ports: LocalPorts, { id, signal }: { readonly id: string; readonly signal: AbortSignal }): Promise<void> {
  signal.throwIfAborted();
  const lock = lockFiles(path, ownLock(ports, "unlock"), ports);
  try {
    for (;;) {
      const seen = await lock.look();
      if (seen.kind === "free") throw new DiagnosticsError([lockAbsent(path)]);
      if (seen.kind === "unreadable") throw new DiagnosticsError([lockUnreadable(path, seen.file)]);
      if (seen.last.id !== id) throw new DiagnosticsError([lockOther(path, { id, held: seen.last.id })]);
      // Its holder releases it right now: two must not do it at once.
      if (seen.claims > 0 && (await fateOf(seen.last, ports.process)) === "running") await ports.clock.sleep(POLL_MS, signal);
      else if (await lock.remove(seen)) return;
    }
  } finally {
    await lock.tidy();
  }
}

/** The lock file's content. Throws `state_locked` if it cannot be read. */
export async function seenLock(path: string, ports: LocalPorts, signal: AbortSignal): Promise<HeldLockInfo | null> {
  signal.throwIfAborted();
  const seen = await lockFiles(path, ownLock(ports, "state lock"), ports).look();
  if (seen.kind === "free") return null;
  if (seen.kind === "unreadable") throw new DiagnosticsError([lockUnreadable(path, seen.file)]);
  const { id, who, operation, since } = seen.last;
  return { id, who, operation, since, holder: holderText(seen.last), fate: await fateOf(seen.last, ports.process) };
}

function ownLock({ process, clock, random }: LocalPorts, operation: string): Lock {
  const { who, host, bootId, pidNamespace, pid, startedAt } = process;
  return { id: random.uuid(), operation, who, host, bootId, pidNamespace, pid, startedAt, since: isoTime(clock.now()) };
}

function lockFiles(path: string, own: Lock, { files }: LocalPorts): LockFiles {
  return new LockFiles(`${path}.lock`, own, files);
}

async function takeLock(lock: LockFiles, path: string, { clock, process }: LocalPorts, request: LockRequest): Promise<void> {
  await waitForLock(
    async () => {
      for (;;) {
        const seen = await lock.look();
        const isEnded = seen.kind === "held" && (await fateOf(seen.last, process)) === "ended";
        if (seen.kind !== "free" && !isEnded) return { held: heldByOther(path, seen, process) };
        if (seen.kind === "free" ? await lock.create() : await lock.replace(seen)) return { taken: lock };
      }
    },
    { ...request, clock },
  );
}

function heldByOther(path: string, seen: Exclude<LockContent, { kind: "free" }>, process: LocalPorts["process"]): HeldByOther {
  if (seen.kind === "unreadable") return { holder: null, problem: lockUnreadable(path, seen.file), lastsMs: UNFINISHED_MS, pollMs: POLL_MS };
  const holder = holderText(seen.last);
  return { holder, problem: stateLocked(path, seen.last.id, { holder, hidden: hiddenBy(seen.last, process) }), pollMs: POLL_MS };
}

function holderText({ who, host, pid, operation, since }: Lock): string {
  return `${who} on ${host} (process ${String(pid)}, ${operation}, since ${since})`;
}
