import type { PgConnection } from "../../../../src/core/state/pg/pg-connection.ts";
import { pgServer } from "../../../../src/core/state/pg/pg-server.ts";
import { type PgSession, openSession } from "../../../../src/core/state/pg/pg-session.ts";
import { virtualClock } from "../../virtual-clock.ts";

/** A session of a server whose answers are given, without a database. */
export function answeringSession(query: PgConnection["query"]): PgSession {
  const { value: server } = pgServer("postgres://ada:pw@127.0.0.1/states", {});
  if (!server) throw new Error("not a server");
  const connection: PgConnection = {
    startPid: 7,
    lost: new AbortController().signal,
    listen: () => () => undefined,
    destroy: () => undefined,
    close: () => Promise.resolve(),
    query,
  };
  return openSession({
    name: "states",
    place: { schema: "s", name: "n" },
    server,
    clock: virtualClock(),
    connect: () => Promise.resolve(connection),
  });
}
