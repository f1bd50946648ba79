import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { MAX_BYTES } from "../../../../service/receiver/parse-event.ts";

/** One delivery, as it was sent. */
export interface Delivery {
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
}

export interface Answer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  /** Text for a person who reads the answers; empty for none. */
  readonly text: string;
}

interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Must not reject. */
  readonly receive: (delivery: Delivery) => Promise<Answer>;
  /** How long a request may take to arrive, in milliseconds. Default: 15,000. Slower ones are answered with 408. */
  readonly arrivalTimeoutMs?: number;
}

export interface Listener {
  /** Address such as `http://127.0.0.1:4020`. */
  readonly url: string;
  /** How many requests have arrived and are not answered yet. */
  working(): number;
  /** Accepts no more requests, finishes those that have arrived, and frees the port. */
  close(): Promise<void>;
}

/** The largest accepted body, in bytes: what `parseEvent` accepts. Larger ones are answered with 413. */
export const MAX_BODY_BYTES = MAX_BYTES;
/** Bounds the memory for bodies. Further connections are closed. */
const MAX_CONNECTIONS = 256;
const ARRIVAL_TIMEOUT_MS = 15_000;

/** Listens for events over HTTP, on any path. Rejects if the address cannot be listened on. */
export async function startListener({
  host,
  port,
  receive,
  arrivalTimeoutMs = ARRIVAL_TIMEOUT_MS,
}: ListenerOptions): Promise<Listener> {
  const working = new Set<Promise<void>>();
  let isClosing = false;
  const server = createServer(
    {
      requestTimeout: arrivalTimeoutMs,
      headersTimeout: arrivalTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, arrivalTimeoutMs),
    },
    (request, response) => {
      const refusal = isClosing ? STOPPING : refusalOf(request);
      if (refusal) return send(response, refusal);
      void readBody(request, MAX_BODY_BYTES).then((read) => {
        if (read.kind === "gone") return;
        const answer =
          read.kind === "too-large"
            ? Promise.resolve(TOO_LARGE)
            : receive({ body: read.body, headers: joined(request.headers) });
        const work = answer.then((made) => sendWhole(response, made));
        working.add(work);
        void work.finally(() => working.delete(work));
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, port, host);
  return {
    url: urlOf(host, portOf(server)),
    working: () => working.size,
    close: async () => {
      isClosing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      while (working.size > 0) await Promise.all(working);
      server.closeAllConnections();
      await closed;
    },
  };
}

const STOPPING: Answer = { status: 503, text: "outreach listen is stopping.", headers: { connection: "close" } };
const TOO_LARGE: Answer = { status: 413, text: "The body is larger than 1 MiB." };
const NO_POST: Answer = { status: 405, text: "Events are sent with POST.", headers: { allow: "POST" } };
/** Only browsers send `Origin`: without this, every page that the developer visits could send events. */
const WEB_PAGE: Answer = {
  status: 403,
  text: "outreach listen accepts no events from web pages: the request has an Origin header.",
};

/** The answer to a request whose body need not be read; null if it must be. */
function refusalOf({ method, headers }: IncomingMessage): Answer | null {
  if (method !== "POST") return NO_POST;
  if (headers.origin !== undefined) return WEB_PAGE;
  return Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES ? TOO_LARGE : null;
}

function joined(headers: IncomingMessage["headers"]): Delivery["headers"] {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]],
    ),
  );
}

function send(response: ServerResponse, { status, headers, text }: Answer): void {
  const body = text === "" ? "" : `${text}\n`;
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** Resolves when the answer was handed to the system, or its reader has gone. */
function sendWhole(response: ServerResponse, answer: Answer): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", () => resolve());
    response.once("finish", () => resolve());
    if (response.destroyed) return resolve();
    send(response, answer);
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** An address that means every address of this machine is reached by the loopback one. */
function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${String(port)}`;
}

/** `gone`: the sender disconnected before the end. */
type ReadBody =
  | { readonly kind: "body"; readonly body: Uint8Array }
  | { readonly kind: "too-large" }
  | { readonly kind: "gone" };

/** Reads a body of at most `maxBytes`. The rest of a larger one is discarded. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      resolve({ kind: "too-large" });
    });
    request.on("end", () => resolve({ kind: "body", body: Buffer.concat(chunks) }));
    request.on("close", () => resolve({ kind: "gone" }));
    request.on("error", () => resolve({ kind: "gone" }));
  });
}
