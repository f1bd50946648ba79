import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectTls } from "node:tls";
import type { Certificate } from "../../../src/frontends/terraform/plugin/certificate.ts";
import { type MessageFns, ProviderDefinition } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import type { Handlers } from "../../../src/frontends/terraform/plugin/grpc.ts";

/** What became of a call: gRPC's status, and the bytes of the answers. */
export interface CallResult {
  readonly status: number;
  readonly message: string;
  readonly body: Buffer;
}

/** Terraform's side of the plugin protocol, as far as the tests need it. It shares nothing with the server but the generated messages. */
export class ProtocolClient {
  readonly provider: Handlers<typeof ProviderDefinition>;
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
    const methods = Object.entries(ProviderDefinition.methods).map(
      ([key, { name, requestType, responseType, responseStream }]) => {
        const send = async (request: unknown): Promise<readonly unknown[]> => {
          const bytes = (requestType as MessageFns<unknown>).encode(request).finish();
          const { status, message, body } = await this.call(`/tfplugin6.Provider/${name}`, framed(bytes));
          if (status !== 0) throw new Error(`${name}: status ${String(status)} ${message}`);
          return unframed(body).map((one) => (responseType as MessageFns<unknown>).decode(one));
        };
        async function* each(request: unknown) {
          yield* await send(request);
        }
        return [key, responseStream ? each : async (request: unknown) => (await send(request))[0]];
      },
    );
    this.provider = Object.fromEntries(methods) as Handlers<typeof ProviderDefinition>;
  }

  /** Reads a handshake line and connects as Terraform does: with a certificate of its own, and trusting only the one in the line. */
  static async connect(line: string, own: Pick<Certificate, "key" | "certificate"> | null): Promise<ProtocolClient> {
    const [core, protocol, network, address = "", kind, certificate = ""] = line.trimEnd().split("|");
    if (core !== "1" || protocol !== "6" || kind !== "grpc") throw new Error(`not a handshake: ${line}`);
    const lines =
      Buffer.from(certificate, "base64")
        .toString("base64")
        .match(/.{1,64}/g) ?? [];
    const ca = ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
    const separator = address.lastIndexOf(":");
    const where =
      network === "unix"
        ? { path: address }
        : { host: address.slice(0, separator), port: Number(address.slice(separator + 1)) };
    const socket = connectTls({
      ...where,
      ca,
      servername: "localhost",
      ALPNProtocols: ["h2"],
      ...(own ? { key: own.key, cert: own.certificate } : {}),
    });
    await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
    const session = connect("https://localhost", { createConnection: () => socket });
    session.on("error", () => undefined);
    return new ProtocolClient(session);
  }

  /** Sends one request body as it is. */
  call(path: string, body: Uint8Array): Promise<CallResult> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
        te: "trailers",
      });
      const chunks: Buffer[] = [];
      let status = "";
      let message = "";
      const note = (headers: { readonly [name: string]: unknown }): void => {
        if (headers["grpc-status"] !== undefined) status = String(headers["grpc-status"]);
        if (headers["grpc-message"] !== undefined) message = decodeURIComponent(String(headers["grpc-message"]));
      };
      stream.on("response", note);
      stream.on("trailers", note);
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () =>
        status === ""
          ? reject(new Error("the call ended without a status"))
          : resolve({ status: Number(status), message, body: Buffer.concat(chunks) }),
      );
      stream.end(body);
    });
  }

  /** Opens a call and resolves with its first headers; it may stay open, and does from this side when there is no body. */
  open(
    path: string,
    body?: Uint8Array,
  ): Promise<{ readonly headers: { readonly [name: string]: unknown }; readonly closed: Promise<void> }> {
    const stream = this.#session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const closed = new Promise<void>((resolve) => stream.on("close", resolve));
    stream.on("error", () => undefined);
    stream.resume();
    if (body) stream.end(body);
    return new Promise((resolve, reject) => {
      stream.on("response", (headers) => resolve({ headers, closed }));
      stream.on("error", reject);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** A message with gRPC's five bytes in front. */
export function framed(message: Uint8Array, { compressed = 0 } = {}): Buffer {
  const head = Buffer.alloc(5);
  head[0] = compressed;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The messages of an answer, without the five bytes in front of each. */
export function unframed(body: Buffer): readonly Buffer[] {
  if (body.length === 0) return [];
  const end = 5 + body.readUInt32BE(1);
  return [body.subarray(5, end), ...unframed(body.subarray(end))];
}

/** All the messages of an answer that is a stream. */
export async function eventsOf<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
