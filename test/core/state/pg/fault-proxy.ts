import { type Socket, connect, createServer } from "node:net";

/**
 * What happens to a connection whose client sends a certain text:
 * - `cut`: it is cut before the server gets the message
 * - `cut-answer`: it is cut once the server has answered, and the answer is lost
 * - `freeze`: from the message on nothing comes through, and nothing is closed
 * - `freeze-answer`: the server gets everything, the client nothing more, and nothing is closed
 * - `mute`: the same, but when one side closes its connection, so does the proxy
 */
export type ConnectionFault = "cut" | "cut-answer" | "freeze" | "freeze-answer" | "mute";

/** A TCP proxy of the tests between a client and a server, which fails where they say. */
export interface FaultProxy {
  /** The URL with the proxy in place of the server. */
  through(url: string): string;
  /** Does this to the next connection whose client sends this text. Resolves when the client has sent it. */
  failAt(text: string, fault: ConnectionFault): Promise<void>;
  /** Cuts every connection now. */
  cutAll(): void;
  /** How many connections were made. */
  readonly made: number;
  close(): Promise<void>;
}

interface Rule {
  readonly text: string;
  readonly fault: ConnectionFault;
  readonly met: () => void;
}

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const rules = new Set<Rule>();
  let made = 0;
  const server = createServer((client) => {
    made++;
    const upstream = connect(target, "127.0.0.1");
    const fails = { fault: null as ConnectionFault | null };
    const cut = (): void => {
      for (const one of [client, upstream]) one.destroy();
    };
    for (const one of [client, upstream]) {
      sockets.add(one);
      one
        .on("error", () => one.destroy())
        .on("close", () => {
          sockets.delete(one);
          if (!fails.fault?.startsWith("freeze")) cut();
        });
    }
    client.on("data", (chunk) => {
      const rule = [...rules].find(({ text }) => chunk.includes(text));
      if (rule) {
        rules.delete(rule);
        fails.fault = rule.fault;
        rule.met();
      }
      if (fails.fault === "cut") cut();
      else if (fails.fault !== "freeze") upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (fails.fault === "cut-answer") cut();
      else if (fails.fault === null) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const cutAll = (): void => {
    for (const one of sockets) one.destroy();
  };
  return {
    get made() {
      return made;
    },
    through: (url) => {
      const own = new URL(url);
      own.port = String(address.port);
      return own.href;
    },
    failAt: (text, fault) => new Promise((met) => void rules.add({ text, fault, met })),
    cutAll,
    close: async () => {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
