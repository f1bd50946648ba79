import { NEVER_ABORTED } from "../../model/async.ts";
import { createHmac } from "node:crypto";
import type { Clock } from "../../model/ports.ts";
import { type PgConnection, type PgPorts, connectPg } from "./pg-connection.ts";
import type { PgServer } from "./pg-server.ts";

/** The connections of a process that opens many stores, one after the other: it takes longer to connect than to use them. */
export interface PgConnections {
  /** A connection for one user. `close` keeps it for the next one, if nothing of the user is left in its session. */
  connect(server: PgServer, ports: PgPorts, signal: AbortSignal): Promise<PgConnection>;
  /** Closes those that nobody uses, and keeps no more. */
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
const MAX_IDLE = 64;

interface Idle {
  readonly connection: PgConnection;
  /** Aborted when it is taken. */
  readonly taken: AbortController;
}

/** `key`: random bytes for a digest that identifies each server without storing its password. */
export function keptConnections(clock: Clock, key: Uint8Array): PgConnections {
  const idle = new Map<string, readonly Idle[]>();
  let isClosed = false;
  const remove = (name: string, { connection }: Idle): void => {
    const others = (idle.get(name) ?? []).filter((one) => one.connection !== connection);
    if (others.length > 0) idle.set(name, others);
    else idle.delete(name);
  };
  const keep = async (name: string, connection: PgConnection): Promise<void> => {
    const count = [...idle.values()].reduce((sum, { length }) => sum + length, 0);
    if (isClosed || count >= MAX_IDLE) return connection.close();
    const kept = { connection, taken: new AbortController() };
    idle.set(name, [...(idle.get(name) ?? []), kept]);
    const isOver = await clock.sleep(IDLE_MS, AbortSignal.any([kept.taken.signal, connection.lost])).then(
      () => true,
      () => false,
    );
    if (kept.taken.signal.aborted) return;
    remove(name, kept);
    if (isOver) await connection.close();
  };
  return {
    connect: async (server, { clock: time, files, timeoutMs }, signal) => {
      const name = createHmac("sha256", key)
        .update(JSON.stringify([server, timeoutMs]))
        .digest("base64");
      // The last one first, so that the others get old.
      const found = idle.get(name)?.findLast(({ connection }) => !connection.lost.aborted);
      if (found) {
        found.taken.abort();
        remove(name, found);
      }
      // Nothing else of the ports: they know the secrets of one run.
      const connection = found?.connection ?? (await connectPg(server, { clock: time, files, timeoutMs }, signal));
      return leased(connection, () => void keep(name, connection));
    },
    close: async () => {
      isClosed = true;
      const all = [...idle.values()].flat();
      idle.clear();
      for (const { taken } of all) taken.abort();
      await Promise.all(all.map(({ connection }) => connection.close()));
    },
  };
}

/** A connection for one user, who leaves no listener on it. */
function leased(connection: PgConnection, keep: () => void): PgConnection {
  const lost = new AbortController();
  const lose = (): void => lost.abort(connection.lost.reason);
  connection.lost.addEventListener("abort", lose, { once: true });
  if (connection.lost.aborted) lose();
  const deaf: (() => void)[] = [];
  let [unanswered, isClosed] = [0, false];
  return {
    startPid: connection.startPid,
    lost: lost.signal,
    query: async (statement, signal) => {
      if (isClosed) throw new Error("the connection is another user's now");
      // One that fails may leave a transaction open, or still be carried out: then it counts as unanswered for good.
      unanswered++;
      const rows = await connection.query(statement, signal);
      unanswered--;
      return rows;
    },
    listen: (channel, heard) => {
      const stop = connection.listen(channel, heard);
      deaf.push(stop);
      return stop;
    },
    destroy: () => {
      unanswered++;
      connection.destroy();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      connection.lost.removeEventListener("abort", lose);
      for (const stop of deaf) stop();
      if (unanswered === 0 && !connection.lost.aborted && (await isEmptied(connection))) keep();
      else await connection.close();
    },
  };
}

/** Releases every lock and channel of the session. */
async function isEmptied(connection: PgConnection): Promise<boolean> {
  const statements = ["UNLISTEN *", "SELECT pg_advisory_unlock_all()"];
  return Promise.all(statements.map((text) => connection.query({ text }, NEVER_ABORTED))).then(
    () => true,
    () => false,
  );
}
