import type { ConnectionProblem } from "../../core/model/web.ts";

/** Names for the service's documented error messages (Errors). */
export const KNOWN_ERRORS = [
  "bad_team",
  "webhook_not_found",
  "campaign_not_found",
  "lead_not_found",
  "no_key",
  "wrong_key",
  "key_blocked",
  "key_without_user",
  "unauthorized",
] as const;

export type KnownError = (typeof KNOWN_ERRORS)[number];

const MESSAGES: ReadonlyMap<string, KnownError> = new Map(
  Object.entries({
    "Bad team": "bad_team",
    "Webhook not found": "webhook_not_found",
    "Campaign not found": "campaign_not_found",
    "Lead not found": "lead_not_found",
    "No API key provided": "no_key",
    "The authentication you supplied is incorrect": "wrong_key",
    "User linked to this API key is blocked": "key_blocked",
    "No user found for this API key": "key_without_user",
  } as const),
);

/** The documented statuses of an operation's errors. An error without a documented status can have any 4xx. */
export type DocumentedStatuses = { readonly [error in KnownError]?: number };

/**
 * The documented error in an answer. A documented message counts with its documented status, or with any 4xx if none is
 * documented. Everything else is null: never "gone", never "refused".
 */
export function knownError(status: number, message: string, documented: DocumentedStatuses): KnownError | null {
  if (status < 400 || status > 499) return null;
  const error = MESSAGES.get(message);
  if (error !== undefined) return (documented[error] ?? status) === status ? error : null;
  return status === documented.unauthorized ? "unauthorized" : null;
}

/** The message of an error answer: bare text, or a JSON string. */
export function errorMessage(body: string): string {
  const text = body.trim();
  if (!text.startsWith('"')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "string" ? parsed : text;
  } catch {
    return text;
  }
}

/** Whether an answer is a page for people. A service may give its plain words the content type of a page, so only the text decides. */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text);
}

/** Thrown by reads: an error answer, no answer, or an undocumented answer. The message names method, path and status. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly known: KnownError | null;
  /** Why there was no connection. */
  readonly problem: ConnectionProblem | null;
  /** The status of the answer; null where none came, or where it is not one answer that is wrong. */
  readonly status: number | null;

  constructor(
    message: string,
    known: KnownError | null = null,
    problem: ConnectionProblem | null = null,
    status: number | null = null,
  ) {
    super(message);
    this.known = known;
    this.problem = problem;
    this.status = status;
  }
}
