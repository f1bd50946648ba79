import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { pgServer } from "../../src/core/state/pg/pg-server.ts";
import { pgStore } from "../../src/core/state/pg/pg-store.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { nodeFiles } from "../../src/platform/node-files.ts";
import { nodeRandom } from "../../src/platform/node-random.ts";
import { startHttpStateServer } from "../core/state/http/http-state-server.ts";
import { startS3Server } from "../core/state/s3/s3-server.ts";
import { NEVER, processOf, storePorts } from "../core/state/state-fixtures.ts";

export const STORES = ["local", "http", "s3", "pg"] as const;
export type StoreName = (typeof STORES)[number];
export const STATE_FILE = "outreach.state.json";

/** Where one project keeps its state. */
export interface StatePlace {
  /** Whether the state outlives the machine. */
  readonly isRemote: boolean;
  readonly environment: { readonly [variable: string]: string };
  /** The state, and the journal if there is one; null: none yet. */
  read(): Promise<{ readonly state: string | null; readonly journal: string | null }>;
  /** Everything durable in one text, where it can be looked at while a request is on its way. */
  durable?(): string;
  begin(state: string): Promise<void>;
  /** What a client did that the protocol of the store does not allow. */
  violations?(): readonly string[];
}

export interface Store {
  open(folder: string, name: string): StatePlace;
  close(): Promise<void>;
}

/** `postgres` gives the URL of a server. */
export async function openStore(name: StoreName, postgres: () => Promise<string>): Promise<Store> {
  switch (name) {
    case "local":
      return { open: localPlace, close: () => Promise.resolve() };
    case "http": {
      const server = await startHttpStateServer("gitlab");
      return {
        open: (_folder, state) => {
          const { TF_HTTP_ADDRESS: url = "", ...environment } = server.environment(state);
          const durable = () => server.state(state)?.toString() ?? "";
          return {
            isRemote: true,
            environment: { ...environment, OUTREACH_STATE: url },
            durable,
            read: () => Promise.resolve({ state: durable() || null, journal: null }),
            begin: (text) => Promise.resolve(server.setState(Buffer.from(text), state)),
            violations: () => server.violations,
          };
        },
        close: () => server.close(),
      };
    }
    case "s3": {
      const server = await startS3Server({ nowMs: null });
      return {
        open: (_folder, state) => {
          const key = `crm/${state}.json`;
          const durable = () => server.objects.get(key)?.body.toString() ?? "";
          return {
            isRemote: true,
            environment: {
              OUTREACH_STATE: `s3://${server.bucket}/${key}`,
              AWS_ENDPOINT_URL_S3: server.url,
              AWS_REGION: server.region,
              AWS_ACCESS_KEY_ID: server.accessKeyId,
              AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
            },
            durable,
            read: () => Promise.resolve({ state: durable() || null, journal: null }),
            begin: (text) =>
              Promise.resolve(
                void server.objects.set(key, { body: Buffer.from(text), etag: `"${state}"`, headers: {} }),
              ),
          };
        },
        close: () => server.close(),
      };
    }
    case "pg": {
      const url = await postgres();
      return { open: (_folder, state) => pgPlace(url, state), close: () => Promise.resolve() };
    }
  }
}

function localPlace(folder: string): StatePlace {
  const file = path.join(folder, STATE_FILE);
  const textOf = (name: string): string | null => (existsSync(name) ? readFileSync(name, "utf8") : null);
  const read = () => ({ state: textOf(file), journal: textOf(`${file}.journal`) });
  return {
    isRemote: false,
    environment: {},
    durable: () => Object.values(read()).join("\n"),
    read: () => Promise.resolve(read()),
    begin: (text) => Promise.resolve(writeFileSync(file, text, { mode: 0o600 })),
  };
}

function pgPlace(url: string, name: string): StatePlace {
  return {
    isRemote: true,
    environment: { OUTREACH_STATE: `${url}?name=${name}`, OUTREACH_TORTURE_SOCKETS: "1" },
    read: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const { rows } = await client.query<{ text: string }>(
          `SELECT convert_from(bytes, 'UTF8') AS text FROM outreach.managed_states WHERE name = $1`,
          [name],
        );
        return { state: rows[0]?.text ?? null, journal: null };
      } finally {
        await client.end();
      }
    },
    begin: async (text) => {
      const { value: server, diagnostics } = pgServer(url, {});
      if (!server) throw new Error(JSON.stringify(diagnostics));
      const ports = storePorts({ clock: nodeClock, files: nodeFiles(), random: nodeRandom, process: processOf() });
      const store = pgStore(server, { schema: "outreach", name }, ports);
      await store.write(Buffer.from(text), null, NEVER);
      await store.close();
    },
  };
}
