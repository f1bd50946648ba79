import { X509Certificate } from "node:crypto";
import { type Http2SecureServer, type ServerHttp2Session, createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Certificate } from "./certificate.ts";
import { GRPCBrokerDefinition, GRPCControllerDefinition, GRPCStdioDefinition } from "./generated/plugin.ts";
import { type Route, type Routes, answerCall } from "./grpc.ts";
import { type Endpoint, handshakeLine } from "./handshake.ts";

/** Far above Node's 10 MB, which thousands of concurrent calls would exceed. */
const SESSION_MEMORY_MB = 1024;
const STREAM_WINDOW_BYTES = 1024 * 1024;

/** The plugin's side of the connection with one Terraform process: HTTP/2 over mutual TLS. */
export class PluginServer {
  /**
   * Resolves when Terraform has asked for the end, or is `gone`: its connection is, or it did not wait for an answer, as
   * after a second Ctrl-C. Calls may still be under way.
   */
  readonly ended: Promise<"shutdown" | "gone">;
  readonly #server: Http2SecureServer;
  readonly #endpoint: Endpoint;
  readonly #certificate: Certificate;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #calls = new Set<Promise<void>>();

  /** `clientCertificate` is the one that the caller must show, PEM. */
  constructor(routes: Routes, options: { readonly certificate: Certificate; readonly clientCertificate: string; readonly endpoint: Endpoint }) {
    const { certificate, clientCertificate, endpoint } = options;
    const caller = new X509Certificate(clientCertificate).raw;
    this.#certificate = certificate;
    this.#endpoint = endpoint;
    this.#server = createSecureServer({
      key: certificate.key,
      cert: certificate.certificate,
      // The one certificate that is let in is compared below. As an authority it would have Node read all of the Web's first.
      ca: [],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: { initialWindowSize: STREAM_WINDOW_BYTES },
    });
    const { promise, resolve } = withResolvers<"shutdown" | "gone">();
    this.ended = promise;
    const all = new Map([...routes, ...lifetimeRoutes(() => resolve(this.#calls.size > 1 ? "gone" : "shutdown"))]);
    this.#server.on("stream", (stream, headers) => {
      if (!this.#sessions.has(stream.session as ServerHttp2Session)) return void stream.destroy();
      const call = answerCall(stream, headers, all).finally(() => this.#calls.delete(call));
      this.#calls.add(call);
    });
    this.#server.on("session", (session) => {
      session.on("error", () => undefined);
      if (!(session.socket as TLSSocket).getPeerX509Certificate()?.raw.equals(caller)) return session.destroy();
      this.#sessions.add(session);
      session.on("close", () => {
        this.#sessions.delete(session);
        if (this.#sessions.size === 0) resolve("gone");
      });
    });
  }

  /** Starts to listen; the answer is the handshake line for the standard output. */
  async listen(): Promise<string> {
    const endpoint = this.#endpoint;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      if (endpoint.network === "unix") this.#server.listen(endpoint.path, resolve);
      else this.#server.listen(0, endpoint.host, resolve);
    });
    const address = endpoint.network === "unix" ? endpoint.path : `${endpoint.host}:${String((this.#server.address() as AddressInfo).port)}`;
    return handshakeLine(endpoint.network, address, this.#certificate.der);
  }

  /** Resolves when no call is under way. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
  }

  /** Ends every connection and removes the socket. */
  close(): void {
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    this.#endpoint.dispose();
  }
}

/** The services beside the provider's own: two streams that are only held, and the order to end. */
function lifetimeRoutes(end: () => void): Routes {
  const { name, responseType } = GRPCControllerDefinition.methods.shutdown;
  return new Map<string, Route>([
    [`/${GRPCBrokerDefinition.fullName}/${GRPCBrokerDefinition.methods.startStream.name}`, "held"],
    [`/${GRPCStdioDefinition.fullName}/${GRPCStdioDefinition.methods.streamStdio.name}`, "held"],
    [
      `/${GRPCControllerDefinition.fullName}/${name}`,
      () => {
        end();
        return Promise.resolve(responseType.encode({}).finish());
      },
    ],
  ]);
}

function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
