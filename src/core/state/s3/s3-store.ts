import { OwnLocks } from "../own-lock.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { type S3Client, type S3Object, s3Client } from "./s3-client.ts";
import { unsuitable } from "./s3-errors.ts";
import { type S3Place, s3Name } from "./s3-place.ts";
import type { StateStore, StorePorts } from "../state-store.ts";
import { stateChanged, lockAbsent, lockMayStay, lockOther, lockUnreadable, stateLocked } from "../store-errors.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { fieldsOf, textIn } from "../http/http-answers.ts";
import { type LockInfo, holderWords, lockInfo } from "../lock-info.ts";
import { type LockRequest, waitForLock } from "../wait-for-lock.ts";

/** A state in a bucket. Its versions are ETags, and each write depends on the one before. */
export function s3Store(place: S3Place, ports: StorePorts): StateStore {
  const name = s3Name(place.bucket, place.key);
  const client = s3Client(place, ports);
  const files = lockObject(place, client);
  const locks = new OwnLocks(name);
  return {
    name,
    isOnThisMachine: false,
    isAtomic: true,
    assertReady: async (signal) => Promise.resolve(signal.throwIfAborted()),
    read: async (signal) => {
      const stored = await storedState(place, client, signal);
      return stored && { bytes: stored.body, version: stored.etag };
    },
    write: async (bytes, expected, signal) => {
      signal.throwIfAborted();
      await locks.assertOwn(signal);
      const written = await writeState(place, client, { bytes, expected, signal });
      if (written !== null) return written;
      // Another run has written: was it allowed to?
      await locks.assertOwn(signal);
      throw new DiagnosticsError([stateChanged(name)]);
    },
    lock: async (holder, timeoutMs, signal, waitsFor = () => undefined) => {
      const own = lockInfo(ports.random.uuid(), holder, `${place.bucket}/${place.key}`);
      await take(own, files, { timeoutMs, signal, waitsFor, ports, place });
      return locks.hold(own.ID, {
        isOwn: async (waits) => (await files.look(waits))?.info?.ID === own.ID,
        remove: async () => {
          await files.remove(own.ID, NEVER_ABORTED).catch((error: unknown) => {
            throw error instanceof DiagnosticsError
              ? new DiagnosticsError([...error.diagnostics, lockMayStay(name, own.ID)])
              : error;
          });
        },
      });
    },
    forceUnlock: async (id, signal) => {
      const left = await files.remove(id, signal);
      if (left === "removed") return;
      if (left === null) throw new DiagnosticsError([lockAbsent(name)]);
      throw new DiagnosticsError([
        left.info ? lockOther(name, { id, held: left.info.ID }) : lockUnreadable(name, files.name),
      ]);
    },
    heldLock: async (signal) => {
      const seen = await files.look(signal);
      if (seen === null) return null;
      const { info } = seen;
      if (!info) throw new DiagnosticsError([lockUnreadable(name, files.name)]);
      const { ID: id, Who: who, Operation: operation, Created: created } = info;
      return { id, who, operation, since: created === "" ? null : created, holder: holderWords(info), fate: "unknown" };
    },
    backup: null,
    journal: null,
    close: () => Promise.resolve(),
  };
}

async function storedState(place: S3Place, client: S3Client, signal: AbortSignal): Promise<S3Object | null> {
  const got = await client.send({ method: "GET", key: place.key }, signal);
  return got.kind === "ok" ? got : null;
}

interface Writing {
  readonly bytes: Uint8Array;
  readonly expected: string | null;
  readonly signal: AbortSignal;
}

/** The new version; null if another version than the expected one is stored. */
async function writeState(
  place: S3Place,
  client: S3Client,
  { bytes, expected, signal }: Writing,
): Promise<string | null> {
  const condition = expected === null ? { "if-none-match": "*" } : { "if-match": expected };
  const headers = { ...place.encryption, "content-type": "application/json", ...condition };
  const put = await client.send({ method: "PUT", key: place.key, headers, body: bytes }, signal);
  if (put.kind === "ok") return put.etag;
  if (put.kind === "unsupported")
    throw new DiagnosticsError([unsuitable(place, "its store has no conditional writes")]);
  // An attempt whose answer was lost may have stored these bytes.
  const stored = await storedState(place, client, signal);
  return stored && Buffer.compare(stored.body, bytes) === 0 ? stored.etag : null;
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
      if (kind === "unsupported")
        throw new DiagnosticsError([unsuitable(place, "its store has no conditional writes")]);
      return kind === "ok";
    },
    /** Removes the lock with this id; else returns what is there. A store that ignores the condition of a DELETE has only the comparison before it. */
    remove: async (id: string, signal: AbortSignal, isLast = false): Promise<SeenLock | "removed" | null> => {
      for (let hasSent = false; ; hasSent = true) {
        const seen = await look(signal, isLast);
        if (seen?.info?.ID !== id) return hasSent ? "removed" : seen;
        const { kind } = await client.send(
          { method: "DELETE", key, headers: { "if-match": seen.etag }, isLast },
          signal,
        );
        if (kind === "unsupported") await client.send({ method: "DELETE", key, isLast }, signal);
        if (kind !== "condition") return "removed";
      }
    },
  };
}

interface Taking extends Omit<LockRequest, "holder"> {
  readonly ports: StorePorts;
  readonly place: S3Place;
}

async function take(
  own: LockInfo,
  files: ReturnType<typeof lockObject>,
  { ports, place, signal, timeoutMs, waitsFor }: Taking,
): Promise<void> {
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
        if (vanished > MAX_VANISHED)
          throw new DiagnosticsError([unsuitable(place, `${files.name} is there for a write, but not for a read`)]);
      }
      const { info } = seen;
      // The answer to the write was lost.
      if (info?.ID === own.ID) return { taken: own };
      const problem = info
        ? stateLocked(name, info.ID, { holder: holderWords(info) })
        : lockUnreadable(name, files.name);
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
async function makeOrClean(
  own: LockInfo,
  files: ReturnType<typeof lockObject>,
  { place, signal, isFirst }: Making,
): Promise<boolean> {
  signal.throwIfAborted();
  const made = await Promise.allSettled(
    isFirst ? [files.make(own, signal), files.make(own, signal)] : [files.make(own, signal)],
  );
  try {
    const results = made.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
    signal.throwIfAborted();
    if (isFirst && results.every(Boolean))
      throw new DiagnosticsError([unsuitable(place, "its store ignores the condition of a write")]);
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
