import type { ConnectionProblem } from "./connection-problem.ts";

/** One HTTP exchange. Redirects are not followed and bodies are not decompressed. */
export interface Transport {
  /** Throws `TransportError` if no complete answer arrives. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  close(): void;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  /** From the start of the connection to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; the first value of a repeated header. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** No complete answer. `sent` is false only if not one byte of the request can have reached the service. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly sent: boolean;
  /** Null if there was a connection, or if nobody knows why there was none. */
  readonly problem: ConnectionProblem | null;

  constructor(message: string, { sent, problem = null }: { readonly sent: boolean; readonly problem?: ConnectionProblem | null }) {
    super(message);
    this.sent = sent;
    this.problem = problem;
  }
}
