/** One HTTP exchange. Redirects are not followed and bodies are not decompressed. */
export interface Transport {
  /** Throws `TransportError` when there is no whole answer. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  close(): void;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  /** From the first step to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; of a repeated header the first value. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** No whole answer came. `sent` is false only when not one byte of the request can have reached the service. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly sent: boolean;
  readonly timedOut: boolean;

  constructor(message: string, { sent, timedOut = false }: { readonly sent: boolean; readonly timedOut?: boolean }) {
    super(message);
    this.sent = sent;
    this.timedOut = timedOut;
  }
}
