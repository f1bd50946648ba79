import { X509Certificate } from "node:crypto";
import type { AddressInfo } from "node:net";
import {
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  createSecureServer,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Certificate } from "./certificate.ts";
import { GRPCBrokerDefinition, GRPCControllerDefinition, GRPCStdioDefinition } from "../generated/plugin.ts";
import { type Route, type Routes, answerCall } from "./grpc.ts";
import { type Endpoint, handshakeLine } from "./handshake.ts";

/** Far above Node's 10 MB, which thousands of concurrent calls would exceed. */
const SESSION_MEMORY_MB = 1024;
const STREAM_WINDOW_BYTES = 1024 * 1024;

/** The plugin's side of the connection with one Terraform process: HTTP/2 over mutual TLS. */
export class PluginServer {
  /**
   * Resolves with `shutdown` when Terraform asks the provider to stop. Resolves with `gone` when the connection is lost, or
   * when Terraform does not wait for an answer, as after a second Ctrl-C. Calls may still be running.
   */
  readonly ended: Promise<"shutdown" | "gone">;
  readonly #server: Http2SecureServer;
  readonly #endpoint: Endpoint;
  readonly #certificate: Certificate;
  readonly #sessions = new Set<ServerHttp2Session>();
  #calls = 0;
  #whenIdle: (() => void)[] = [];

  /** The caller must present `clientCertificate` (PEM). */
  constructor(
    routes: Routes,
    options: { readonly certificate: Certificate; readonly clientCertificate: string; readonly endpoint: Endpoint },
  ) {
    const { certificate, clientCertificate, endpoint } = options;
    const caller = new X509Certificate(clientCertificate).raw;
    this.#certificate = certificate;
    this.#endpoint = endpoint;
    const { promise, resolve } = withResolvers<"shutdown" | "gone">();
    this.ended = promise;
    const all = new Map([...routes, ...lifetimeRoutes(() => resolve(this.#calls > 1 ? "gone" : "shutdown"))]);
    this.#server = createSecureServer({
      key: certificate.key,
      cert: certificate.certificate,
      // The certificate is compared below. With an authority here, Node would load all public ones first.
      ca: [],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: { initialWindowSize: STREAM_WINDOW_BYTES },
    });
    this.#server.on("stream", (stream, headers) => {
      if (!this.#sessions.has(stream.session as ServerHttp2Session)) return void stream.destroy();
      this.#answer(stream, String(headers[":path"]), all);
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

  #answer(stream: ServerHttp2Stream, path: string, routes: Routes): void {
    this.#calls++;
    answerCall(stream, path, routes, () => {
      this.#calls--;
      if (this.#calls === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    });
  }

  /** Starts to listen and returns the handshake line for standard output. */
  async listen(): Promise<string> {
    const endpoint = this.#endpoint;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      if (endpoint.network === "unix") this.#server.listen(endpoint.path, resolve);
      else this.#server.listen(0, endpoint.host, resolve);
    });
    const address =
      endpoint.network === "unix"
        ? endpoint.path
        : `${endpoint.host}:${String((this.#server.address() as AddressInfo).port)}`;
    return handshakeLine(endpoint.network, address, this.#certificate.der);
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    if (this.#calls > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Ends every connection and removes the socket. */
  close(): void {
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    this.#endpoint.dispose();
  }
}

/** The services of every plugin: two streams that stay open, and the shutdown call. */
function lifetimeRoutes(end: () => void): Routes {
  const { name, responseType } = GRPCControllerDefinition.methods.shutdown;
  return new Map<string, Route>([
    [`/${GRPCBrokerDefinition.fullName}/${GRPCBrokerDefinition.methods.startStream.name}`, "open"],
    [`/${GRPCStdioDefinition.fullName}/${GRPCStdioDefinition.methods.streamStdio.name}`, "open"],
    [
      `/${GRPCControllerDefinition.fullName}/${name}`,
      () => {
        end();
        return responseType.encode({}).finish();
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
