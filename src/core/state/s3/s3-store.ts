import { DiagnosticsError } from "../../model/diagnostic.ts";
import { type S3Client, type S3Object, s3Client } from "./s3-client.ts";
import { unsuitable } from "./s3-errors.ts";
import { type S3Lock, s3Locks } from "./s3-lock.ts";
import { type S3Place, s3Name } from "./s3-place.ts";
import type { StateStore, StorePorts } from "../state-store.ts";
import { stateChanged } from "../store-errors.ts";

/** A state in a bucket. Its versions are ETags, and each write depends on the one before. */
export function s3Store(place: S3Place, ports: StorePorts): StateStore {
  const name = s3Name(place.bucket, place.key);
  const client = s3Client(place, ports);
  const locks = s3Locks(place, client, ports);
  let own: S3Lock | null = null;
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
      const lock = own;
      await lock?.assertOwn(signal);
      const written = await writeState(place, client, { bytes, expected, signal });
      if (written !== null) return written;
      // Another run has written: was it allowed to?
      await lock?.assertOwn(signal);
      throw new DiagnosticsError([stateChanged(name)]);
    },
    lock: async (holder, timeoutMs, signal, waitsFor = () => undefined) => {
      const lock = await locks.acquire({ holder, timeoutMs, signal, waitsFor });
      own = lock;
      return {
        ...lock,
        release: async () => {
          if (own === lock) own = null;
          await lock.release();
        },
      };
    },
    forceUnlock: async (id, signal) => locks.remove(id, signal),
    heldLock: async (signal) => locks.held(signal),
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
async function writeState(place: S3Place, client: S3Client, { bytes, expected, signal }: Writing): Promise<string | null> {
  const condition = expected === null ? { "if-none-match": "*" } : { "if-match": expected };
  const headers = { ...place.encryption, "content-type": "application/json", ...condition };
  const put = await client.send({ method: "PUT", key: place.key, headers, body: bytes }, signal);
  if (put.kind === "ok") return put.etag;
  if (put.kind === "unsupported") throw new DiagnosticsError([unsuitable(place, "its store has no conditional writes")]);
  // An attempt whose answer was lost may have stored these bytes.
  const stored = await storedState(place, client, signal);
  return stored && Buffer.compare(stored.body, bytes) === 0 ? stored.etag : null;
}
