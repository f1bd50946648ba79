import { type Socket, createServer } from "node:net";
import pg from "pg";

/** A pooler between clients and a PostgreSQL server. In mode `transaction`, each transaction gets whichever session is free; in mode `session`, a client keeps its own. */
export interface FakePooler {
  readonly port: number;
  /** From now on, every client has another session. Those of before stay open. */
  switchSessions(): void;
  close(): Promise<void>;
}

/** A session of the server, which the pooler itself has opened. */
interface Session {
  readonly client: pg.Client;
  readonly stream: Socket;
}

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const [READY_TYPE, SYNC, QUERY, TERMINATE] = [0x5a, 0x53, 0x51, 0x58];
const IDLE = 0x49;

/** All that PgBouncer takes where a connection starts, as it is shipped. */
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  "application_name",
  "client_encoding",
  "database",
  "datestyle",
  "standard_conforming_strings",
  "timezone",
  "user",
]);

/** Clients are not asked for a password. Like PgBouncer, it tells them a process id of its own, and uses the session first that became free last. */
export async function startPooler(url: string, mode: "transaction" | "session"): Promise<FakePooler> {
  const free: Session[] = [];
  const all: Session[] = [];
  const sockets = new Set<Socket>();
  const switches: (() => void)[] = [];
  const take = async (): Promise<Session> => {
    const before = free.pop();
    if (before) return before;
    const client = new pg.Client(url);
    client.on("error", () => undefined);
    await client.connect();
    const stream = client.connection.stream as Socket;
    stream.removeAllListeners("data");
    const session = { client, stream };
    all.push(session);
    return session;
  };
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    let session: Promise<Session> | null = null;
    let unanswered = 0;
    switches.push(() => (session = null));
    const toServer = messages(false);
    const give = (own: Session): void => {
      own.stream.removeAllListeners("data");
      session = null;
      free.push(own);
    };
    const attached = async (): Promise<Session> => {
      const own = await take();
      const toClient = messages(true);
      own.stream.on("data", (chunk) => {
        for (const message of toClient(chunk)) {
          client.write(message);
          if (message[0] !== READY_TYPE) continue;
          unanswered--;
          if (mode === "transaction" && message[5] === IDLE && unanswered === 0) give(own);
        }
      });
      return own;
    };
    client.on("data", (chunk) => {
      for (const message of toServer(chunk)) {
        if (message[0] === 0) {
          const unknown = parametersOf(message).find((name) => !KNOWN_PARAMETERS.has(name.toLowerCase()));
          if (unknown !== undefined) {
            client.end(fatal(`unsupported startup parameter: ${unknown}`));
            continue;
          }
          client.write(Buffer.concat([AUTHENTICATED, keyData(), READY]));
          continue;
        }
        if (message[0] === TERMINATE) continue;
        if (message[0] === SYNC || message[0] === QUERY) unanswered++;
        session ??= attached();
        void session.then(({ stream }) => stream.write(message));
      }
    });
    // Its transaction may be open.
    client.on("close", () => void session?.then(({ stream }) => stream.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    switchSessions: () => {
      for (const one of switches) one();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      for (const { stream } of all) stream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Cuts a stream into whole messages. A client's first one has no type, and so begins with the zero of its length. */
function messages(isStarted: boolean): (chunk: Buffer) => readonly Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let hasTypes = isStarted;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const whole: Buffer[] = [];
    for (;;) {
      const at = hasTypes ? 1 : 0;
      if (rest.length < at + 4 || rest.length < at + rest.readUInt32BE(at)) return whole;
      const end = at + rest.readUInt32BE(at);
      whole.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      hasTypes = true;
    }
  };
}

/** The names of a client's first message: after its length and version, names and values take turns. */
function parametersOf(first: Buffer): readonly string[] {
  const words = first.subarray(8).toString().split("\0");
  return words.filter((word, index) => index % 2 === 0 && word !== "");
}

function fatal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

let clients = 0;

function keyData(): Buffer {
  const message = Buffer.alloc(13);
  message.write("K");
  message.writeUInt32BE(12, 1);
  message.writeUInt32BE(900_000_000 + ++clients, 5);
  return message;
}
