import { NEVER_ABORTED, semaphore } from "../../../../core/model/async.ts";
import type { Clock } from "../../../../core/model/ports.ts";
import type { Web, WebFailure } from "../../../../core/model/web.ts";
import type { Delivery } from "./listener.ts";
import type { Forwarded } from "./received-event.ts";

/** Where events go. */
export interface ForwardTarget {
  /** The only event type that goes there; null: all. */
  readonly type: string | null;
  readonly url: URL;
}

/** What forwarding needs. */
export interface ForwardPorts {
  readonly send: Web["send"];
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** A receiver that takes longer counts as failed. As long as the sandbox waits for an answer. */
export const FORWARD_TIMEOUT_MS = 15_000;
/** Requests to one target at the same time; further ones wait. */
const MAX_PARALLEL = 8;

/** Headers of a single connection. All others are passed on unchanged. `accept-encoding` would ask for a compressed answer, which nothing decompresses. */
const NOT_FORWARDED = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The answer of one receiver. */
export interface ForwardAnswer extends Forwarded {
  /** Its header, to be passed on. */
  readonly retryAfter: string | null;
  /** Whether it took too long. */
  readonly isLate: boolean;
}

/** Sends deliveries to one target: the same bytes, secret included, so that the receiver can verify them. */
export function forwarder(
  { url }: ForwardTarget,
  timeoutMs: number,
  { send, clock }: ForwardPorts,
): (delivery: Delivery) => Promise<ForwardAnswer> {
  const slots = semaphore(MAX_PARALLEL);
  const shown = `${url.origin}${url.pathname}`;
  return async ({ body, headers }) => {
    const leave = await slots.enter();
    const startedMs = clock.monotonicMs();
    const ended = (): Pick<Forwarded, "url" | "durationMs"> => ({
      url: shown,
      durationMs: Math.round(clock.monotonicMs() - startedMs),
    });
    const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name)));
    try {
      const answer = await send({ method: "POST", url, headers: passed, body, timeoutMs }, NEVER_ABORTED);
      return {
        ...ended(),
        status: answer.status,
        problem: null,
        retryAfter: answer.headers["retry-after"] ?? null,
        isLate: false,
      };
    } catch (error) {
      const isLate = clock.monotonicMs() - startedMs >= timeoutMs;
      return { ...ended(), status: null, problem: noAnswerText(url, error), retryAfter: null, isLate };
    } finally {
      leave();
    }
  };
}

/** Why a receiver gave no answer, as a clause: `http://127.0.0.1:3000 refused the connection`. */
function noAnswerText({ origin }: URL, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { problem = null } = error as Partial<WebFailure>;
  return problem === null || problem.kind === "proxy" ? error.message : `${origin} ${error.message}`;
}

/** The answer to the sender: the worst of the receivers' answers, so that it retries an event that one of them did not accept. */
export function worstAnswer(answers: readonly ForwardAnswer[]): {
  readonly status: number;
  readonly retryAfter: string | null;
} {
  const [worst] = answers
    .map(({ status, retryAfter, isLate }) => ({ status: status ?? (isLate ? 504 : 502), retryAfter }))
    .toSorted((a, b) => b.status - a.status);
  return worst ?? { status: 200, retryAfter: null };
}
