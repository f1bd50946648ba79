import { ERROR_MESSAGES } from "./choices.ts";
import type { ErrorName, Operation, SandboxChoices } from "./choices.ts";
import type { ListProfile } from "./list-profile.ts";

/** The response to one request. */
export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** A JSON body; status 200 by default. */
export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(value) };
}

/** A plain text body. */
export function textAnswer(status: number, body: string): Answer {
  return { status, contentType: TEXT_TYPE, body };
}

/**
 * A documented error (section "Errors"): a bare message, as plain text or as a JSON string. Adding a
 * webhook always uses its documented statuses 400, 401 and 404.
 */
export function errorAnswer(name: ErrorName, operation: Operation, choices: SandboxChoices): Answer {
  const status = (operation === "addWebhook" ? ADD_WEBHOOK_STATUSES[name] : undefined) ?? choices.statuses[name];
  return messageAnswer(status, ERROR_MESSAGES[name], operation, choices);
}

/** Any other error, in the form of the operation's errors. The specification shows no validation bodies: the wording is ours. */
export function messageAnswer(status: number, message: string, operation: Operation, choices: SandboxChoices): Answer {
  return choices.errorForms[operation] === "json" ? jsonAnswer(message, status) : textAnswer(status, message);
}

/** `answer` with the byte order mark and the forms of values that the profile has. Text answers stay as they are. */
export function formedAnswer(answer: Answer, { bom, values }: ListProfile): Answer {
  if (answer.contentType !== JSON_TYPE) return answer;
  const body = values === "text" ? JSON.stringify(JSON.parse(answer.body, otherType)) : answer.body;
  return { ...answer, body: bom ? `\uFEFF${body}` : body };
}

function otherType(name: string, value: unknown): unknown {
  if (name === "contactId") return Number(/\d+$/.exec(String(value))?.[0] ?? 0);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

const ADD_WEBHOOK_STATUSES: Readonly<Partial<Record<ErrorName, number>>> = {
  badTeam: 400,
  webhookNotFound: 404,
  noKey: 401,
  wrongKey: 401,
  blockedUser: 401,
  noUser: 401,
};
