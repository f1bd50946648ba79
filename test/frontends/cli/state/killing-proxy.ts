import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A TCP proxy of the tests that can stop the world before an answer arrives. */
export interface KillingProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Calls `answers` before each part of an answer goes on to the client; where that returns false, nothing goes on any more. */
export async function startKillingProxy(target: number, answers: () => boolean): Promise<KillingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => one.destroy())
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
    }
    client.on("data", (chunk) => void upstream.write(chunk));
    upstream.on("data", (chunk) => {
      if (answers()) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const one of sockets) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
