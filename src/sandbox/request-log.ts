import type { IncomingHttpHeaders } from "node:http";
import type { Operation } from "./choices.ts";

/** One API request, in the order of arrival. */
export type LoggedRequest = {
  /** Counts up from 1, without gaps. */
  readonly id: number;
  /** When its head arrived, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The request target, unchanged. */
  readonly target: string;
  /** The path relative to the base address, unchanged; the whole path if it is outside. */
  readonly path: string;
  /** Query parameters; the last value of a repeated one. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The body: parsed if it is JSON, otherwise its text; null if the request has none. */
  readonly body: unknown;
  /** The API key in the request; null if it has none. */
  readonly key: string | null;
  /** The key's team; null if the key was refused or not checked. */
  readonly team: string | null;
  readonly operation: Operation | null;
  /** Whether the request took effect or got its documented refusal, even if a fault lost the answer. */
  readonly processed: boolean;
  /** The status of the answer; null: no answer (yet). */
  readonly status: number | null;
  /** The body of the answer, whole even if a fault cut it; null: no answer. */
  readonly response: string | null;
  /** Milliseconds until the answer was sent; null before. */
  readonly durationMs: number | null;
  /** The faults that affected it, as text; null: none. */
  readonly fault: string | null;
};

/** A logged request in progress. */
export type OpenRequest = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] };

/** Keeps at most this many characters of bodies in total. */
const MAX_CHARACTERS = 64_000_000;

/** Keeps the last `limit` requests. */
export class RequestLog {
  readonly #limit: number;
  #requests: OpenRequest[] = [];
  #characters = 0;
  #lastId = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The kept requests, oldest first. */
  all(): readonly LoggedRequest[] {
    return [...this.#requests];
  }

  open(request: Omit<LoggedRequest, "id">): OpenRequest {
    const open = { ...request, id: ++this.#lastId };
    this.#requests.push(open);
    return open;
  }

  /** Counts the bodies of a request, and drops the oldest requests above the limits. */
  grow(characters: number): void {
    this.#characters += characters;
    if (this.#requests.length <= this.#limit * 1.25 && this.#characters <= MAX_CHARACTERS) return;
    let kept = 0;
    let from = this.#requests.length;
    while (from > 0 && this.#requests.length - from < this.#limit) {
      const size = this.#requests[from - 1]?.response?.length ?? 0;
      if (kept + size > MAX_CHARACTERS / 2 && kept > 0) break;
      kept += size;
      from--;
    }
    this.#requests = this.#requests.slice(from);
    this.#characters = kept;
  }

  clear(): void {
    this.#requests = [];
    this.#characters = 0;
  }
}
