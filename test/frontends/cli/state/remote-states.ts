import { afterAll, beforeAll } from "vitest";
import { usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import {
  REMOTE_BACKENDS,
  type RemoteBackend,
  type RemotePlace,
  openRemote,
} from "../../../core/state/remote-places.ts";

/** Gives each test states of its own. The servers are those of the file. */
export function useRemoteStates(): (backend: RemoteBackend) => Promise<RemotePlace> {
  const postgres = usePostgres();
  const servers = new Map<RemoteBackend, Awaited<ReturnType<typeof openRemote>>>();
  let states = 0;
  beforeAll(async () => {
    const { url } = await postgres.database();
    for (const backend of REMOTE_BACKENDS) servers.set(backend, await openRemote(backend, () => Promise.resolve(url)));
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.close();
  });
  return (backend) => {
    const place = servers.get(backend)?.place(`state-${String(++states)}`);
    return place ? Promise.resolve(place) : Promise.reject(new Error(`no server of ${backend}`));
  };
}
