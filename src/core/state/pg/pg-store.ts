import { NEVER_ABORTED } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { type PgConnection, PgConnectionLost, type PgStatement, connectPg } from "./pg-connection.ts";
import { type PgLock, acquireLock, giveUp, heldLock, releaseLock, storedState } from "./pg-lock.ts";
import { pooledConnection } from "./pg-problems.ts";
import type { PgServer } from "./pg-server.ts";
import { type PgSession, openSession, persistently, rowsOf } from "./pg-session.ts";
import { type PgPlace, createMissing, statements } from "./pg-tables.ts";
import type { StateLock, StateStore, StorePorts } from "../state-store.ts";
import { lockAbsent, lockLost, lockOther, stateChanged } from "../store-errors.ts";

/**
 * A state in a PostgreSQL database. One connection does everything. Its session holds the advisory lock of the state, so
 * the lock ends with the process, on whatever machine; a row says whose it is. A write is one statement, conditional on
 * the version before and on that row.
 */
export function pgStore(server: PgServer, place: PgPlace, ports: StorePorts): StateStore {
  const name = `${server.shown}?schema=${encodeURIComponent(place.schema)}&name=${encodeURIComponent(place.name)}`;
  const connect = ports.pgConnections?.connect ?? connectPg;
  const session = openSession({
    name,
    place,
    server,
    clock: ports.clock,
    connect: (signal) => connect(server, ports, signal),
  });
  const of = statements(place);
  let own: PgLock | null = null;
  /** The state that the lock's statement has read, for one read. */
  let found: PgLock["found"] = null;

  /** While this store has the lock, it uses no other session. */
  const run = async (statement: PgStatement, signal: AbortSignal) =>
    own
      ? inOwn(own, (connection) => rowsOf(connection, statement, signal))
      : persistently(session, signal, (connection) => rowsOf(connection, statement, signal));
  const read = async (signal: AbortSignal) => {
    const [row] = await run(of.read, signal);
    return row ? storedState(row) : null;
  };
  return {
    name,
    isOnThisMachine: false,
    isAtomic: true,
    endsLocks: true,
    assertReady: async (signal) => void (await session.connection(signal)),
    read: async (signal) => {
      signal.throwIfAborted();
      own?.lost.signal.throwIfAborted();
      const known = found;
      found = null;
      return known ?? read(signal);
    },
    write: async (bytes, expected, signal) => {
      signal.throwIfAborted();
      found = null;
      const version = ports.random.uuid();
      const write = { bytes: bytes.slice(), expected, version };
      if (own) await writeLocked(session, own, write, signal);
      else await writeUnlocked(session, write, signal);
      return version;
    },
    lock: async (holder, timeoutMs, signal, waitsFor = () => undefined) => {
      signal.throwIfAborted();
      const lock = await acquireLock(
        session,
        ports.random,
        { holder, timeoutMs, signal, waitsFor },
        () => own === null,
      );
      own = lock;
      ({ found } = lock);
      return stateLock(session, lock, () => {
        if (own === lock) own = found = null;
      });
    },
    forceUnlock: (id, signal) => unlockByForce(session, id, signal),
    heldLock: async (signal) => {
      signal.throwIfAborted();
      return heldLock(session, signal);
    },
    backup: null,
    journal: null,
    close: () => session.close(),
  };
}

function stateLock(session: PgSession, lock: PgLock, forget: () => void): StateLock {
  let released: Promise<void> | null = null;
  const release = async (): Promise<void> => {
    forget();
    try {
      await releaseLock(session, lock);
    } catch (error) {
      if (!(error instanceof PgConnectionLost)) throw error;
      // The lock has ended with its session; this makes sure of it where the server has not noticed yet.
      await giveUp(session, lock.id, NEVER_ABORTED).catch(() => undefined);
    }
  };
  return { id: lock.id, lost: lock.lost.signal, release: () => (released ??= release()) };
}

/** Runs a statement in the session of the lock. Throws `lock_lost` once that is gone. */
async function inOwn<T>({ connection, lost }: PgLock, work: (connection: PgConnection) => Promise<T>): Promise<T> {
  lost.signal.throwIfAborted();
  try {
    return await work(connection);
  } catch (error) {
    if (error instanceof PgConnectionLost) lost.signal.throwIfAborted();
    throw error;
  }
}

interface Write {
  readonly bytes: Uint8Array;
  readonly expected: string | null;
  readonly version: string;
}

/** An answer that was lost is looked up after the lock was given up: then the write was carried out, or never will be. */
async function writeLocked(session: PgSession, lock: PgLock, write: Write, signal: AbortSignal): Promise<void> {
  const { id, lost } = lock;
  lost.signal.throwIfAborted();
  try {
    const of = statements(session.place);
    if ((await rowsOf(lock.connection, of.write({ ...write, lockId: id }), signal)).length > 0) return;
    const [head] = await rowsOf(lock.connection, of.head, signal);
    if (head?.["version"] === write.version) return;
    if (head?.["lock_id"] === id && head["same_session"] === true)
      throw new DiagnosticsError([stateChanged(session.name)]);
    lost.abort(
      new DiagnosticsError([head?.["lock_id"] === id ? pooledConnection(session.name) : lockLost(session.name, id)]),
    );
    lost.signal.throwIfAborted();
  } catch (error) {
    if (!(error instanceof PgConnectionLost)) throw error;
    if (await isStoredWithoutLock(session, { id, version: write.version }, signal)) return;
    throw lost.signal.reason;
  }
}

/** May be sent again: the version to replace, and the new one, are always the same. */
async function writeUnlocked(session: PgSession, write: Write, signal: AbortSignal): Promise<void> {
  const of = statements(session.place);
  await persistently(session, signal, async (connection) => {
    const once = async (): Promise<boolean> =>
      (await rowsOf(connection, of.write({ ...write, lockId: null }), signal)).length > 0;
    if (await once()) return;
    const [head] = await rowsOf(connection, of.head, signal);
    if (head?.["version"] === write.version) return;
    if (!head && write.expected === null) {
      await createMissing(connection, session.place, signal);
      if (await once()) return;
    }
    throw new DiagnosticsError([stateChanged(session.name)]);
  });
}

/** False also where the server cannot be asked. */
async function isStoredWithoutLock(
  session: PgSession,
  { id, version }: { readonly id: string; readonly version: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await giveUp(session, id, signal);
    return await persistently(
      session,
      signal,
      async (connection) =>
        (await rowsOf(connection, statements(session.place).head, signal))[0]?.["version"] === version,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PgConnectionLost) return false;
    throw error;
  }
}

async function unlockByForce(session: PgSession, id: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await persistently(session, signal, async (connection, attempt) => {
    const unlocked = await rowsOf(connection, statements(session.place).unlockByForce(id), signal);
    if (unlocked.length > 0) return;
    const held = await heldLock(session, signal);
    if (held !== null) throw new DiagnosticsError([lockOther(session.name, { id, held: held.id })]);
    // The answer to the attempt before may have been lost.
    if (attempt === 1) throw new DiagnosticsError([lockAbsent(session.name)]);
  });
}
