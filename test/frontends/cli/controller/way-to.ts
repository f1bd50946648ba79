import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { afterEach } from "vitest";

/** A way to a database that can be cut, and lead to another server. */
export interface Way {
  readonly url: string;
  /** Cuts all connections. New ones go to this server; null: nowhere. */
  lead(to: string | null): void;
}

/** Gives each test ways of its own. */
export function useWays(): (url: string, options?: { readonly isCut?: boolean }) => Promise<Way> {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  return async (url, { isCut = false } = {}) => {
    const sockets = new Set<Socket>();
    let to = isCut ? null : url;
    const server = createServer((client) => {
      const both = to === null ? [client] : [client, connect(Number(new URL(to).port), "127.0.0.1")];
      for (const one of both) sockets.add(one.on("error", () => undefined));
      const [, database] = both;
      if (database) client.pipe(database).pipe(client);
      else client.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const lead = (next: string | null): void => {
      to = next;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    };
    closing.push(() => {
      server.close();
      lead(null);
    });
    const { port } = server.address() as AddressInfo;
    return { url: Object.assign(new URL(url), { port: String(port) }).href, lead };
  };
}
