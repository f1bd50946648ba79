/** What a receiver did with one event. */
export interface ReceiverAnswer {
  /** Null: no complete answer came. */
  readonly status: number | null;
  /** Why none came, as a clause; null where one came. */
  readonly problem: string | null;
  readonly ms: number;
}

/** What two events show: one as the service sends it, and for a webhook with a secret one with a wrong secret. */
export type Judgement =
  | { readonly result: "ok"; readonly reason: OkReason }
  | { readonly result: "failed"; readonly reason: FailureReason };

type OkReason = "secret_checked" | "no_secret";

type FailureReason =
  | "no_answer"
  | "redirect"
  /** 401 or 403 to the event with the declared secret, or without one where the webhook has none. */
  | "refused"
  | "status"
  | "accepts_wrong_secret"
  /** Another answer to a wrong secret than 401 or 403: nobody knows what it refuses. */
  | "wrong_secret_status"
  | "wrong_secret_no_answer"
  | "secret_unavailable"
  /** Other receivers took all the time. */
  | "not_asked";

const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/** `second`: the answer to a wrong secret; null for a webhook without a secret. */
export function judgeAnswers(first: ReceiverAnswer, second: ReceiverAnswer | null): Judgement {
  const failed = (reason: FailureReason): Judgement => ({ result: "failed", reason });
  if (first.status === null) return failed("no_answer");
  if (!isAccepted(first))
    return failed(first.status < 400 ? "redirect" : REFUSALS.has(first.status) ? "refused" : "status");
  if (second === null) return { result: "ok", reason: "no_secret" };
  if (second.status === null) return failed("wrong_secret_no_answer");
  if (isAccepted(second)) return failed("accepts_wrong_secret");
  return REFUSALS.has(second.status) ? { result: "ok", reason: "secret_checked" } : failed("wrong_secret_status");
}

export function isAccepted({ status }: ReceiverAnswer): boolean {
  return status !== null && status >= 200 && status < 300;
}
