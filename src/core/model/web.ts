/** HTTP with other computers. Redirects are not followed and bodies are not decompressed. */
export interface Web {
  /**
   * Rejects with a `WebFailure` if no complete answer arrives, or with the signal's reason. With `into`, the body of a 200
   * goes there while it arrives, however large it is, and the returned body is empty; then `timeoutMs` limits the time without any progress.
   */
  send(request: WebRequest, signal: AbortSignal, into?: BodySink): Promise<WebResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** Takes the next part of a body. The part after it is read once the promise resolves. */
export type BodySink = (part: Uint8Array) => Promise<void>;

export interface WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array | null;
  /** From the start of the connection to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface WebResponse {
  readonly status: number;
  /** Names in lower case; the first value of a repeated header. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array;
}

/** Why no connection carried a request: in a message, and whether another attempt can help. */
export interface ConnectionProblem {
  readonly kind: "refused" | "unknown-host" | "unreachable" | "no-tls" | "certificate" | "proxy";
  /** What the server does: it is the subject of this text, as in `refused the connection`. A problem of a proxy names the proxy itself. */
  readonly text: string;
  /** What users can do about it; null if the place of the URL says enough. */
  readonly hint: string | null;
  readonly isTemporary: boolean;
}

/** No complete answer. The message is the reason in words, as in `the connection was reset`. */
export class WebFailure extends Error {
  override readonly name = "WebFailure";
  /** False only if not one byte of the request can have reached the server. */
  readonly sent: boolean;
  /** Null if there was a connection, or if nobody knows why there was none. */
  readonly problem: ConnectionProblem | null;

  constructor(
    message: string,
    { sent, problem = null }: { readonly sent: boolean; readonly problem?: ConnectionProblem | null },
  ) {
    super(message);
    this.sent = sent;
    this.problem = problem;
  }
}

/** Why there is no answer, as a clause where the host is not named: `the host refused the connection`. */
export function noAnswerClause({ message, problem }: WebFailure): string {
  return problem === null || problem.kind === "proxy" ? message : `the host ${message}`;
}
