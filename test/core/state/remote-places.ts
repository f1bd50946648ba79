import pg from "pg";
import { pgServer } from "../../../src/core/state/pg/pg-server.ts";
import { pgStore } from "../../../src/core/state/pg/pg-store.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { nodeRandom } from "../../../src/platform/node-random.ts";
import { startHttpStateServer } from "./http/http-state-server.ts";
import { startS3Server } from "./s3/s3-server.ts";
import { NEVER, processOf, storePorts } from "./state-fixtures.ts";

/** A state on a server of the tests, as a CI job names it. */
export interface RemotePlace {
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
  /** The same, where it can be looked at while a request is on its way. */
  stateNow?(): string;
  /** Stores the first state. */
  begin(state: Uint8Array): Promise<void>;
  /** What a client did that the protocol of the store does not allow. */
  violations?(): readonly string[];
}

interface RemoteServer {
  place(name: string): RemotePlace;
  close(): Promise<void>;
}

/** A server for each backend whose states outlive the machine. `postgres` gives the URL of a database. */
const SERVERS = { http: httpServer, s3: s3Server, pg: pgPlaces };

export type RemoteBackend = keyof typeof SERVERS;
export const REMOTE_BACKENDS = Object.keys(SERVERS) as readonly RemoteBackend[];

export function openRemote(backend: RemoteBackend, postgres: () => Promise<string>): Promise<RemoteServer> {
  return SERVERS[backend](postgres);
}

async function httpServer(): Promise<RemoteServer> {
  const server = await startHttpStateServer("gitlab");
  return {
    place: (name) => {
      const { TF_HTTP_ADDRESS: url = "", ...environment } = server.environment(name);
      const stateNow = (): string => server.state(name)?.toString() ?? "";
      return {
        url,
        environment,
        port: Number(new URL(url).port),
        stored: () => Promise.resolve(`${stateNow()} ${JSON.stringify(server.lock(name))}`),
        state: () => Promise.resolve(stateNow()),
        stateNow,
        begin: (state) => Promise.resolve(server.setState(Buffer.from(state), name)),
        violations: () => server.violations,
      };
    },
    close: () => server.close(),
  };
}

async function s3Server(): Promise<RemoteServer> {
  const server = await startS3Server({ nowMs: null });
  const environment = {
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: server.region,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
  return {
    place: (name) => {
      const key = `crm/${name}.json`;
      const stateNow = (): string => server.objects.get(key)?.body.toString() ?? "";
      const own = (): readonly string[] =>
        [...server.objects].flatMap(([at, { body }]) => (at.startsWith(key) ? [body.toString()] : []));
      return {
        url: `s3://${server.bucket}/${key}`,
        environment,
        port: server.port,
        stored: () => Promise.resolve(own().join(" ")),
        state: () => Promise.resolve(stateNow()),
        stateNow,
        begin: (state) =>
          Promise.resolve(void server.objects.set(key, { body: Buffer.from(state), etag: `"${name}"`, headers: {} })),
      };
    },
    close: () => server.close(),
  };
}

async function pgPlaces(postgres: () => Promise<string>): Promise<RemoteServer> {
  const url = await postgres();
  const row = async (name: string): Promise<{ readonly text: string } | undefined> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ text: string }>(
        `SELECT lock_holder::text, convert_from(bytes, 'UTF8') AS text FROM outreach.managed_states WHERE name = $1`,
        [name],
      );
      return rows[0];
    } finally {
      await client.end();
    }
  };
  return {
    place: (name) => ({
      url: `${url}?name=${name}`,
      environment: {},
      port: Number(new URL(url).port),
      stored: async () => JSON.stringify(await row(name)),
      state: async () => (await row(name))?.text ?? "",
      begin: async (state) => {
        const { value: server, diagnostics } = pgServer(url, {});
        if (!server) throw new Error(JSON.stringify(diagnostics));
        const ports = storePorts({ clock: nodeClock, files: nodeFiles(), random: nodeRandom, process: processOf() });
        const store = pgStore(server, { schema: "outreach", name }, ports);
        await store.write(state, null, NEVER);
        await store.close();
      },
    }),
    close: () => Promise.resolve(),
  };
}
