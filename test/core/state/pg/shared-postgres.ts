import { connect, createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port on which vitest's own process tells the URL of the one PostgreSQL server, which it starts for the first who asks. */
    readonly postgresPort: number;
  }
}

/** Runs once for all test files, in vitest's own process. The server is started when the first test needs it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<PostgresServer> | null = null;
  const asked = createServer((socket) => {
    starting ??= startPostgres();
    starting.then(
      ({ url }) => socket.end(url),
      (error: unknown) => socket.end(`! ${error instanceof Error ? error.message : String(error)}`),
    );
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => asked.listen(0, "127.0.0.1", resolve));
  const address = asked.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  project.provide("postgresPort", address.port);
  return async () => {
    asked.close();
    await (await starting?.catch(() => null))?.stop();
  };
}

/** What tests have of the server. */
export interface Postgres {
  /** Of the user `postgres`, who may do everything. */
  readonly url: string;
  /** A new database, with the URL of its owner, a new user without other rights. */
  database(): Promise<{
    readonly url: string;
    readonly name: string;
    readonly user: string;
    readonly password: string;
  }>;
  /** Runs a statement as the user `postgres`, in the database of a URL. */
  query(text: string, url?: string): Promise<readonly pg.QueryResultRow[]>;
}

let databases = 0;

/** Gives the tests of a file the one server. They fail where there is none. */
export function usePostgres(): Postgres {
  let url = "";
  beforeAll(async () => {
    url = await sharedUrl();
  }, 120_000);
  const made: string[] = [];
  const query: Postgres["query"] = async (text, of = url) => {
    const client = new pg.Client({ connectionString: withDatabase(url, new URL(of).pathname.slice(1)) });
    await client.connect();
    try {
      return (await client.query(text)).rows as readonly pg.QueryResultRow[];
    } finally {
      await client.end();
    }
  };
  afterAll(async () => {
    for (const name of made) await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return {
    get url() {
      return url;
    },
    query,
    database: async () => {
      const name = `test_${String(process.pid)}_${String(++databases)}`;
      const [user, password] = [`${name}_owner`, `secret-of-${name}`];
      await query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`);
      await query(`CREATE DATABASE ${name} OWNER ${user}`);
      made.push(name);
      const own = new URL(withDatabase(url, name));
      own.username = user;
      own.password = password;
      return { url: own.href, name, user, password };
    },
  };
}

function withDatabase(url: string, database: string): string {
  const own = new URL(url);
  own.pathname = `/${database}`;
  return own.href;
}

async function sharedUrl(): Promise<string> {
  const socket = connect(inject("postgresPort"), "127.0.0.1");
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  if (!text.startsWith("postgres://")) throw new Error(text.slice(2));
  return text;
}
