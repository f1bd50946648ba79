import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A TCP proxy of the tests in front of a PostgreSQL server, as if it were far away. */
export interface SlowProxy {
  /** The URL with the proxy in place of the server. */
  through(url: string): string;
  /** When each round trip of statements began. Statements that are under way together are one; connecting is none. */
  readonly tripsAtMs: number[];
  close(): Promise<void>;
}

/** The first byte of a message with a password. The very first message begins with a zero. */
const CONNECTING: readonly (number | undefined)[] = [0, 0x70];

export async function startSlowProxy(target: number, roundTripMs: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const tripsAtMs: number[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    let isAnswered = true;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => from.destroy()).on("close", () => setTimeout(() => to.destroy(), roundTripMs / 2));
      from.on("data", (chunk) => setTimeout(() => to.write(chunk), roundTripMs / 2));
    }
    client.on("data", (chunk: Buffer) => {
      if (isAnswered && !CONNECTING.includes(chunk[0]) && chunk[0] !== TERMINATE) tripsAtMs.push(performance.now());
      isAnswered = false;
    });
    upstream.on("data", () => (isAnswered = true));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    tripsAtMs,
    through: (url) => {
      const own = new URL(url);
      own.port = String(port);
      return own.href;
    },
    close: async () => {
      for (const one of sockets) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const TERMINATE = 0x58;
