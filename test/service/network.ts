import { createServer } from "node:http";
import { type AddressInfo, type Server, type Socket, connect } from "node:net";
import { PassThrough, Transform } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { type Certificate, createCertificate } from "../../src/frontends/terraform/plugin/certificate.ts";

/** A name that nothing resolves: only a proxy reaches it. */
export const HIDDEN_HOST = "service.test";

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** TLS with a self-signed certificate in front of a server of this machine, which it calls by its own name, as reverse proxies do. */
export async function startTlsFront(
  target: number,
  host = HIDDEN_HOST,
): Promise<Listening & { readonly certificate: Certificate }> {
  const made = createCertificate(host);
  const server = createTlsServer({ key: made.key, cert: made.certificate }, (socket) =>
    join(socket, connect(target, "127.0.0.1"), withOwnHost()),
  );
  // A client that does not trust the certificate.
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return { certificate: made, ...(await listening(server)) };
}

/** A proxy that opens tunnels to this machine whatever the host, and nothing else. `credentials` are `user:password`. */
export async function startProxy({
  credentials,
  answer = "HTTP/1.1 200 OK",
}: { readonly credentials?: string; /** Null: none. */ readonly answer?: string | null } = {}) {
  const tunnels: string[] = [];
  const server = createServer((_request, response) => void response.writeHead(501).end());
  server.on("connect", ({ url = "", headers }, socket: Socket) => {
    tunnels.push(url);
    if (answer === null) return;
    const given = /^Basic (.*)$/.exec(headers["proxy-authorization"] ?? "")?.[1] ?? "";
    if (credentials !== undefined && Buffer.from(given, "base64").toString() !== credentials)
      return void socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="p"\r\n\r\n',
      );
    if (!answer.includes(" 200 ")) return void socket.end(`${answer}\r\n\r\n`);
    socket.write(`${answer}\r\n\r\n`);
    join(socket, connect(Number(url.split(":").at(-1)), "127.0.0.1"));
  });
  return { tunnels: tunnels as readonly string[], ...(await listening(server)) };
}

/** The sandbox answers only to names of this machine. */
function withOwnHost(): Transform {
  return new Transform({
    transform: (chunk: Buffer, _, done) =>
      done(null, Buffer.from(chunk.toString("latin1").replace(/^host: .*$/im, "Host: 127.0.0.1"), "latin1")),
  });
}

function join(one: Socket, other: Socket, forwards: Transform = new PassThrough()): void {
  one.pipe(forwards).pipe(other).pipe(one);
  for (const [socket, partner] of [
    [one, other],
    [other, one],
  ] as const)
    socket.on("error", () => partner.destroy()).on("close", () => partner.destroy());
}

async function listening(server: Server): Promise<Listening> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => open.add(socket.on("close", () => open.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
