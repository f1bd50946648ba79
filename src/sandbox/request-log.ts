import type { IncomingHttpHeaders } from "node:http";
import type { Operation } from "./choices.ts";

/** One request of the API as the sandbox saw it, in the order of arrival. */
export type LoggedRequest = {
  /** Counts up from 1, without gaps. */
  readonly id: number;
  /** When its head arrived, in ms since 1970. */
  readonly at: number;
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** The path relative to the base address, as it was sent; outside of it the whole path. */
  readonly path: string;
  /** Query parameters; of one that is given twice, the last. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The body, parsed if it is JSON, else its text; null without one. */
  readonly body: unknown;
  /** The API key as it was presented; null without one. */
  readonly key: string | null;
  /** The team that the key speaks for; null if it was refused, or if that was not asked. */
  readonly team: string | null;
  readonly operation: Operation | null;
  /** Whether the request took its effect (or its documented refusal), whatever became of the answer. */
  readonly processed: boolean;
  /** The status that was sent; null: not answered (yet). */
  readonly status: number | null;
  /** The body of the answer, whole even if a fault cut it; null without an answer. */
  readonly response: string | null;
  /** Milliseconds until the answer was handed over; null before. */
  readonly durationMs: number | null;
  /** The faults that hit it, in words; null: none. */
  readonly fault: string | null;
};

/** A logged request while it is under way. */
export type OpenRequest = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] };

/** Of all bodies together, at most this many characters are kept. */
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

  /** The kept requests, oldest first, as they are now. */
  all(): readonly LoggedRequest[] {
    return [...this.#requests];
  }

  open(request: Omit<LoggedRequest, "id">): OpenRequest {
    const open = { ...request, id: ++this.#lastId };
    this.#requests.push(open);
    return open;
  }

  /** Says that a request's bodies have come, and forgets the oldest requests where there are too many. */
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
