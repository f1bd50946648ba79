import { printable } from "../../model/words.ts";
import { NEVER_ABORTED } from "../../model/async.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { Random } from "../../model/ports.ts";
import { isRecord, parseJson } from "../../model/shape.ts";
import type { PgConnection, PgConnectionLost, PgRow } from "./pg-connection.ts";
import { lockLostWithSession, pooledConnection } from "./pg-problems.ts";
import { type PgSession, persistently, rowsOf } from "./pg-session.ts";
import { assertDedicated } from "./pg-pool-check.ts";
import { createMissing, statements, unlockChannel } from "./pg-tables.ts";
import type { HeldLockInfo, LockHolder, StoredState } from "../state-store.ts";
import { type LockRequest, waitForLock } from "../wait-for-lock.ts";
import { lockLost, lockUnnamed, stateLocked } from "../store-errors.ts";

const POLL_MS = 500;
/** A session has the lock for a moment before others see whose it is. */
const UNNAMED_MS = 1000;
/** Unlocked by force between two statements, so many times at most. */
const MAX_TRIES = 5;

/** A lock that this process took. */
export interface PgLock {
  readonly id: string;
  /** The key of the advisory lock. */
  readonly key: string;
  readonly connection: PgConnection;
  readonly lost: AbortController;
  /** The state at the time of the lock, if it came with it. */
  readonly found: StoredState | null;
}

/** Waits for the lock, and takes it in the session of the store. `mayTry` is false while this store itself has it. */
export async function acquireLock(
  session: PgSession,
  random: Random,
  { holder, timeoutMs, signal, waitsFor }: LockRequest,
  mayTry: () => boolean,
): Promise<PgLock> {
  const { clock, name } = session;
  const id = random.uuid();
  return waitForLock(
    async () => {
      const lock = mayTry()
        ? await persistently(session, signal, (connection) => tryLock(session, connection, { id, holder, signal }))
        : null;
      if (lock) return { taken: lock };
      const held = await heldLock(session, signal);
      if (held === null)
        return { held: { holder: null, problem: lockUnnamed(name), lastsMs: UNNAMED_MS, pollMs: POLL_MS / 5 } };
      // A session of this run, whose connection was lost, may have taken the lock.
      const isOwn = held.id === id;
      if (isOwn) await giveUp(session, id, signal);
      return {
        held: {
          holder: isOwn ? null : held.holder,
          problem: stateLocked(name, held.id, { holder: held.holder }),
          pollMs: POLL_MS,
        },
      };
    },
    { timeoutMs, signal, waitsFor, clock },
  );
}

interface Try {
  readonly id: string;
  readonly holder: LockHolder;
  readonly signal: AbortSignal;
}

/** Null while another session has the lock. A session that may have taken it, and did not say so, is ended. */
async function tryLock(
  session: PgSession,
  connection: PgConnection,
  { id, holder, signal }: Try,
): Promise<PgLock | null> {
  const of = statements(session.place);
  let startPid: number | null = connection.startPid;
  try {
    for (let tried = 1; tried <= MAX_TRIES; tried++) {
      const [row] = await rowsOf(connection, of.lock({ id, holder: JSON.stringify(holder), startPid }), signal);
      if (!row) await createMissing(connection, session.place, signal);
      else if (row["taken"] === null) {
        await assertDedicated(session, connection, signal);
        startPid = null;
      } else if (row["taken"] === false) return null;
      else if (row["claimed"] === true) return taken(session, connection, { id, row });
      else await connection.query({ text: "SELECT pg_advisory_unlock($1)", values: [String(row["key"])] }, signal);
    }
  } catch (error) {
    session.drop(connection);
    throw error;
  }
  return null;
}

function taken(
  session: PgSession,
  connection: PgConnection,
  { id, row }: { readonly id: string; readonly row: PgRow },
): PgLock {
  const { name, place } = session;
  const lost = new AbortController();
  const lose = (): void => {
    const [why] = (connection.lost.reason as PgConnectionLost).diagnostics;
    lost.abort(
      new DiagnosticsError([lockLostWithSession(name, { id, why: why?.detail ?? "" })], {
        cause: connection.lost.reason,
      }),
    );
  };
  connection.lost.addEventListener("abort", lose, { once: true });
  if (connection.lost.aborted) lose();
  connection.listen(unlockChannel(place), (unlocked) => {
    if (unlocked === id) lost.abort(new DiagnosticsError([lockLost(name, id)]));
  });
  return { id, key: String(row["key"]), connection, lost, found: storedState(row) };
}

export function storedState({ version, bytes }: PgRow): StoredState | null {
  return typeof version === "string" && bytes instanceof Uint8Array ? { version, bytes } : null;
}

/** Who has the lock; null if nobody has it, or nobody yet says so. */
export function heldLock(session: PgSession, signal: AbortSignal): Promise<HeldLockInfo | null> {
  return persistently(session, signal, async (connection) => {
    const [row] = await rowsOf(connection, statements(session.place).holder, signal);
    if (!row) return null;
    const { who, host, pid, operation, since } = holderOf(row);
    const holder = printable(`${who} on ${host} (process ${String(pid)}, ${operation}, since ${String(since)})`);
    // The session of a process that ended has ended, too.
    return {
      id: printable(String(row["lock_id"])),
      who: printable(who),
      operation: printable(operation),
      since,
      holder,
      fate: "running",
    };
  });
}

/** What a row says of the holder. Other programs can write to the table. */
function holderOf(
  row: PgRow,
): Pick<LockHolder, "who" | "host" | "pid" | "operation"> & { readonly since: string | null } {
  const holder = parseJson(String(row["holder"]));
  const read = isRecord(holder) ? holder : {};
  const text = (name: string): string => (typeof read[name] === "string" ? read[name] : "unknown");
  const since = text("since");
  return {
    who: text("who"),
    host: text("host"),
    operation: text("operation"),
    pid: typeof read["pid"] === "number" ? read["pid"] : Number.NaN,
    since: /^[\w:.+-]{10,40}$/.test(since) ? since : null,
  };
}

/** Ends the own lock after its session was lost: the server may not have noticed yet. A write with it that is still under way comes before, or never. */
export async function giveUp(session: PgSession, id: string, signal: AbortSignal): Promise<void> {
  await persistently(session, signal, (connection) => rowsOf(connection, statements(session.place).giveUp(id), signal));
}

/** Releases the lock in its own session. Throws `state_pooled` if that session does not have it. */
export async function releaseLock(session: PgSession, { id, key, connection }: PgLock): Promise<void> {
  const [row] = await rowsOf(connection, statements(session.place).unlock(id, key), NEVER_ABORTED);
  if (row?.["unlocked"] === false) throw new DiagnosticsError([pooledConnection(session.name)]);
}
