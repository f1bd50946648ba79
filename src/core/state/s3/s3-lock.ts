import { NEVER_ABORTED } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { fieldsOf, textIn } from "../http/http-answers.ts";
import { type LockInfo, holderWords, lockInfo } from "../lock-info.ts";
import type { S3Client } from "./s3-client.ts";
import { unsuitable } from "./s3-errors.ts";
import { type S3Place, s3Name } from "./s3-place.ts";
import type { HeldLockInfo, StateLock, StorePorts } from "../state-store.ts";
import { type LockRequest, waitForLock } from "../wait-for-lock.ts";
import { lockAbsent, lockLost, lockMayStay, lockOther, lockUnreadable, stateLocked } from "../store-errors.ts";

export interface S3Lock extends StateLock {
  /** Throws `lock_lost`, and aborts `lost`, if the lock object is gone or another run's. */
  assertOwn(signal: AbortSignal): Promise<void>;
}

export interface S3Locks {
  acquire(request: LockRequest): Promise<S3Lock>;
  /** Removes the lock with this id by force. */
  remove(id: string, signal: AbortSignal): Promise<void>;
  held(signal: AbortSignal): Promise<HeldLockInfo | null>;
}

interface SeenLock {
  readonly etag: string;
  /** Null if it cannot be read. */
  readonly info: LockInfo | null;
}

const POLL_MS = 500;
/** How often in a row a lock may be there for a write, but not for the read after it. */
const MAX_VANISHED = 10;

/** The lock of a state is the object KEY.tflock. */
export function s3Locks(place: S3Place, client: S3Client, ports: StorePorts): S3Locks {
  const files = lockObject(place, client);
  const name = s3Name(place.bucket, place.key);
  return {
    acquire: async (request) => {
      const own = lockInfo(ports.random.uuid(), request.holder, `${place.bucket}/${place.key}`);
      await take(own, files, { ...request, ports, place });
      const lost = new AbortController();
      return {
        id: own.ID,
        lost: lost.signal,
        assertOwn: async (signal) => {
          lost.signal.throwIfAborted();
          if ((await files.look(signal))?.info?.ID === own.ID) return;
          lost.abort(new DiagnosticsError([lockLost(name, own.ID)]));
          lost.signal.throwIfAborted();
        },
        release: async () => {
          try {
            await files.remove(own.ID, NEVER_ABORTED);
          } catch (error) {
            throw error instanceof DiagnosticsError ? new DiagnosticsError([...error.diagnostics, lockMayStay(name, own.ID)]) : error;
          }
        },
      };
    },
    remove: async (id, signal) => {
      const left = await files.remove(id, signal);
      if (left === "removed") return;
      if (left === null) throw new DiagnosticsError([lockAbsent(name)]);
      throw new DiagnosticsError([left.info ? lockOther(name, { id, held: left.info.ID }) : lockUnreadable(name, files.name)]);
    },
    held: async (signal) => {
      const seen = await files.look(signal);
      if (seen === null) return null;
      const { info } = seen;
      if (!info) throw new DiagnosticsError([lockUnreadable(name, files.name)]);
      const { ID: id, Who: who, Operation: operation, Created: created } = info;
      return { id, who, operation, since: created === "" ? null : created, holder: holderWords(info), fate: "unknown" };
    },
  };
}

function lockObject(place: S3Place, client: S3Client) {
  const key = `${place.key}.tflock`;
  const look = async (signal: AbortSignal, isLast = false): Promise<SeenLock | null> => {
    const got = await client.send({ method: "GET", key, isLast }, signal);
    return got.kind === "ok" ? { etag: got.etag, info: readInfo(got.body) } : null;
  };
  return {
    name: s3Name(place.bucket, key),
    look,
    /** Whether the object was made; false if there was one already. */
    make: async (info: LockInfo, signal: AbortSignal): Promise<boolean> => {
      const body = new TextEncoder().encode(JSON.stringify(info));
      const headers = { ...place.encryption, "content-type": "application/json", "if-none-match": "*" };
      const { kind } = await client.send({ method: "PUT", key, headers, body, completes: true }, signal);
      if (kind === "unsupported") throw new DiagnosticsError([unsuitable(place, "its store has no conditional writes")]);
      return kind === "ok";
    },
    /** Removes the lock with this id; else returns what is there. A store that ignores the condition of a DELETE has only the comparison before it. */
    remove: async (id: string, signal: AbortSignal, isLast = false): Promise<SeenLock | "removed" | null> => {
      for (let hasSent = false; ; hasSent = true) {
        const seen = await look(signal, isLast);
        if (seen?.info?.ID !== id) return hasSent ? "removed" : seen;
        const { kind } = await client.send({ method: "DELETE", key, headers: { "if-match": seen.etag }, isLast }, signal);
        if (kind === "unsupported") await client.send({ method: "DELETE", key, isLast }, signal);
        if (kind !== "condition") return "removed";
      }
    },
  };
}

interface Taking extends LockRequest {
  readonly ports: StorePorts;
  readonly place: S3Place;
}

async function take(own: LockInfo, files: ReturnType<typeof lockObject>, { ports, place, signal, timeoutMs, waitsFor }: Taking): Promise<void> {
  const name = s3Name(place.bucket, place.key);
  let [isFirst, vanished] = [true, 0];
  let seen: SeenLock | null = null;
  await waitForLock(
    async () => {
      if (seen) seen = await files.look(signal);
      while (!seen) {
        if (await makeOrClean(own, files, { place, signal, isFirst })) return { taken: own };
        isFirst = false;
        seen = await files.look(signal);
        vanished = seen ? 0 : vanished + 1;
        if (vanished > MAX_VANISHED) throw new DiagnosticsError([unsuitable(place, `${files.name} is there for a write, but not for a read`)]);
      }
      const { info } = seen;
      // The answer to the write was lost.
      if (info?.ID === own.ID) return { taken: own };
      const problem = info ? stateLocked(name, info.ID, { holder: holderWords(info) }) : lockUnreadable(name, files.name);
      return { held: { holder: info && holderWords(info), problem, pollMs: POLL_MS } };
    },
    { timeoutMs, signal, waitsFor, clock: ports.clock },
  );
}

interface Making {
  readonly place: S3Place;
  readonly signal: AbortSignal;
  readonly isFirst: boolean;
}

/**
 * Whether the lock was made. What may have been made is removed where this fails. The first time, two equal writes at once
 * prove that the store honours their condition: at most one may be carried out.
 */
async function makeOrClean(own: LockInfo, files: ReturnType<typeof lockObject>, { place, signal, isFirst }: Making): Promise<boolean> {
  signal.throwIfAborted();
  const made = await Promise.allSettled(isFirst ? [files.make(own, signal), files.make(own, signal)] : [files.make(own, signal)]);
  try {
    const results = made.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
    signal.throwIfAborted();
    if (isFirst && results.every(Boolean)) throw new DiagnosticsError([unsuitable(place, "its store ignores the condition of a write")]);
    return results.some(Boolean);
  } catch (error) {
    await files.remove(own.ID, NEVER_ABORTED, true).catch(() => undefined);
    throw error;
  }
}

/** Terraform's own backend writes the same, so each of the two respects the other's lock. */
function readInfo(body: Uint8Array): LockInfo | null {
  const fields = fieldsOf(body);
  const text = (name: keyof LockInfo): string => textIn(fields?.[name]);
  const info = {
    ID: text("ID"),
    Operation: text("Operation"),
    Info: text("Info"),
    Who: text("Who"),
    Version: text("Version"),
    Created: text("Created"),
    Path: text("Path"),
  };
  return info.ID === "" ? null : info;
}
