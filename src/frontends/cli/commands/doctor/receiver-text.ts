import { countOf } from "../../../../core/model/words.ts";

/** What `doctor --receivers` has found out about one receiver. */
export interface ShownReceiver {
  readonly address: string;
  readonly host: string;
  readonly result: "ok" | "failed" | "skipped";
  readonly reason: keyof typeof REASONS;
  readonly detail: string | null;
  readonly status: number | null;
  readonly ms: number | null;
  readonly wrongSecretStatus: number | null;
}

const REASONS = {
  secret_checked: "accepts the secret, refuses a wrong one",
  no_secret: "accepts the event; the webhook has no secret",
  no_answer: "no answer",
  redirect: "answers with a redirect, which is not followed",
  refused: "refuses the event",
  status: "does not accept the event",
  accepts_wrong_secret: "accepts events without the right secret",
  wrong_secret_status: "does not answer 401 or 403 to a wrong secret",
  wrong_secret_no_answer: "no answer to a wrong secret",
  secret_unavailable: "its secret is not available",
  not_asked: "not asked, because others took too long",
  host_not_allowed: "its host is not allowed",
  apply_first: "apply first: its secret has changed",
  not_declared: "the configuration does not declare it, so its secret is not known",
  secret_unknown: "it was imported, and its secret is not known: declare it, then apply",
  missing: "the service does not list the webhook",
  undecided: "the outcome of an earlier write is undecided",
} as const;

/** What was found out, as a clause behind the result. */
export function receiverText({ result, reason, detail, wrongSecretStatus }: ShownReceiver): string {
  const answered = reason === "wrong_secret_status" ? `it answers ${String(wrongSecretStatus)}` : detail;
  return `${result}: ${REASONS[reason]}${answered === null ? "" : ` (${answered.replace(/\.$/, "")})`}`;
}

/** The receiver, and its answer to an event as the service sends it, as in `crm.example.com, 204 in 12 ms`. */
export function answerText({ host, status, ms }: ShownReceiver): string {
  return `${host}${status === null ? "" : `, ${String(status)} in ${String(ms)} ms`}`;
}

/** The line about events that are on their way: of a terminal, or of a log. */
export function verifyingText(
  { done, total, elapsed }: { readonly done: number; readonly total: number; readonly elapsed: string },
  isLive: boolean,
): string {
  return isLive
    ? `Verifying receivers: ${String(done)}/${String(total)} · ${elapsed}`
    : `Still verifying: ${String(done)} of ${countOf(total, "receiver")}, ${elapsed} elapsed`;
}

/** The counts, in a sentence. */
export function receiversSummary(receivers: readonly ShownReceiver[]): string {
  if (receivers.length === 0) return "Nothing to verify: the state has no webhook.";
  const counts = (["ok", "failed", "skipped"] as const).flatMap((result) => {
    const count = receivers.filter((one) => one.result === result).length;
    return count === 0 ? [] : [`${String(count)} ${result}`];
  });
  const isIdle = receivers.every(({ result }) => result === "skipped");
  return `${countOf(receivers.length, "receiver")}: ${counts.join(", ")}.${isIdle ? " Nothing was verified." : ""}`;
}

/** Whether at least one receiver works, and none fails. */
export function isProven(receivers: readonly Pick<ShownReceiver, "result">[]): boolean {
  return receivers.some(({ result }) => result === "ok") && receivers.every(({ result }) => result !== "failed");
}
