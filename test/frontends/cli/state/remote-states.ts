import { afterAll, beforeAll } from "vitest";
import { startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { usePgStores } from "../../../core/state/pg/pg-fixtures.ts";
import { usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import { NEVER } from "../../../core/state/state-fixtures.ts";
import { startS3Server } from "../../../core/state/s3/s3-server.ts";

export const REMOTE_BACKENDS = ["http", "s3", "pg"] as const;
export type RemoteBackend = (typeof REMOTE_BACKENDS)[number];

/** A state on a server of the tests, as a CI job names it. */
export interface RemoteState {
  /** As `OUTREACH_STATE` and `--from` have it. */
  readonly url: string;
  /** The credentials, and what the URL does not say. */
  readonly environment: { readonly [variable: string]: string };
  /** The server's. */
  readonly port: number;
  /** Everything that the server has of it: the state and the lock. */
  stored(): Promise<string>;
  /** The state alone; empty if there is none. */
  state(): Promise<string>;
  /** Stores the first state. */
  begin(state: Uint8Array): Promise<void>;
}

/** Gives each test states of its own. The servers are those of the file. */
export function useRemoteStates(): (backend: RemoteBackend) => Promise<RemoteState> {
  const postgres = usePostgres();
  const openPg = usePgStores();
  let servers: readonly [Awaited<ReturnType<typeof startHttpStateServer>>, Awaited<ReturnType<typeof startS3Server>>];
  let database: Awaited<ReturnType<typeof postgres.database>>;
  let states = 0;
  beforeAll(async () => {
    servers = [await startHttpStateServer("gitlab"), await startS3Server({ nowMs: null })];
    database = await postgres.database();
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });
  return async (backend) => {
    const name = `state-${String(++states)}`;
    const [http, s3] = servers;
    switch (backend) {
      case "http": {
        const { TF_HTTP_ADDRESS: url = "", ...environment } = http.environment(name);
        return {
          url,
          environment,
          port: Number(new URL(url).port),
          stored: () => Promise.resolve(`${String(http.state(name))} ${JSON.stringify(http.lock(name))}`),
          state: () => Promise.resolve(http.state(name)?.toString() ?? ""),
          begin: (state) => Promise.resolve(http.setState(Buffer.from(state), name)),
        };
      }
      case "s3": {
        const key = `crm/${name}.json`;
        const environment = {
          AWS_ENDPOINT_URL_S3: s3.url,
          AWS_REGION: s3.region,
          AWS_ACCESS_KEY_ID: s3.accessKeyId,
          AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
        };
        const own = (): readonly string[] =>
          [...s3.objects].flatMap(([at, { body }]) => (at.startsWith(key) ? [body.toString()] : []));
        return {
          url: `s3://${s3.bucket}/${key}`,
          environment,
          port: s3.port,
          stored: () => Promise.resolve(own().join(" ")),
          state: () => Promise.resolve(s3.objects.get(key)?.body.toString() ?? ""),
          begin: (state) =>
            Promise.resolve(void s3.objects.set(key, { body: Buffer.from(state), etag: `"${name}"`, headers: {} })),
        };
      }
      case "pg": {
        const rows = `SELECT lock_holder::text, convert_from(bytes, 'UTF8') AS text FROM outreach.managed_states WHERE name = '${name}'`;
        const found = (): Promise<readonly { readonly text?: string }[]> => postgres.query(rows, database.url);
        return {
          url: `${database.url}?name=${name}`,
          environment: {},
          port: Number(new URL(database.url).port),
          stored: async () => JSON.stringify(await found()),
          state: async () => (await found())[0]?.text ?? "",
          begin: async (state) => {
            const store = openPg(database.url, { schema: "outreach", name });
            await store.write(state, null, NEVER);
            await store.close();
          },
        };
      }
    }
  };
}
