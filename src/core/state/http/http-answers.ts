import { isRecord, parseJson } from "../../model/shape.ts";
import { printable } from "../../model/words.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { HttpAnswer } from "./http-requests.ts";
import { storeAnswer } from "../store-errors.ts";

/** Whether a write or an unlock was carried out. */
export function isDone(answer: HttpAnswer): boolean {
  return [200, 201, 204].includes(answer.status) && !isPage(answer);
}

/** Whether the server refused because of a lock. */
export function isConflict({ status }: HttpAnswer): boolean {
  return status === 409 || status === 423;
}

/** Whether the answer is a page: of a login or a proxy in place of the server. Its type does not tell: servers of files name any. */
export function isPage({ body }: Pick<HttpAnswer, "body">): boolean {
  return new TextDecoder().decode(body.subarray(0, 200)).trimStart().startsWith("<");
}

/** GitLab's answer for a state without a record: nobody has locked or written it yet. A missing project is `404 Project Not Found`. */
export function hasNoGitLabRecord({ status, body }: HttpAnswer): boolean {
  return status === 404 && fieldsOf(body)?.["message"] === "404 Not found";
}

/** GitLab answers a write that does not name the lock as any fault of its own: only a look at the lock tells. */
export function mayLackGitLabLock({ status }: Pick<HttpAnswer, "status">): boolean {
  return status === 500;
}

/** An answer that the protocol does not provide for. */
export function unexpected(answer: HttpAnswer): DiagnosticsError {
  const { request, status, body } = answer;
  const isOther = status < 300 && isPage(answer);
  const words = isOther ? "a web page" : serverWords(body);
  const detail = `${request} was answered with status ${String(status)}${words === "" ? "" : `: ${words}`}.`;
  return new DiagnosticsError([
    storeAnswer(status === 401 || status === 403, { detail, hint: isOther ? OTHER_SERVER : hintFor(status, request) }),
  ]);
}

function hintFor(status: number, request: string): string {
  if ([404, 405, 501].includes(status) && /^(?:UN)?LOCK /.test(request))
    return "Check lock_address, lock_method and unlock_method of the state backend.";
  if (status === 401)
    return "Check username and password of the state backend, or TF_HTTP_USERNAME and TF_HTTP_PASSWORD.";
  if (status === 403) return "Check the role of the user and the scope of the access token.";
  if (status === 404) return "Check the address. GitLab also answers 404 for a project that the user may not see.";
  if (status === 405 || status === 501)
    return "Check lock_method, unlock_method and update_method of the state backend.";
  if (status >= 300 && status < 400) return "Redirects are not followed. Set the address that the server redirects to.";
  return status === 429 || status >= 500 ? "Run the command again later." : "Check the settings of the state backend.";
}

const OTHER_SERVER =
  "Something else answers there, such as a login page or a proxy. Check the address, and what the network asks for.";

/** The fields of a JSON object; null for anything else. */
export function fieldsOf(body: Uint8Array): { readonly [name: string]: unknown } | null {
  const value = parseJson(new TextDecoder().decode(body));
  return isRecord(value) ? value : null;
}

/** A server's text, safe to show; empty for anything but a text. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? printable(value) : "";
}

/** What an error answer says: its `message` or `error`, or its text if that is not a page. */
function serverWords(body: Uint8Array): string {
  const fields = fieldsOf(body);
  const words = fields ? textIn(fields["message"]) || textIn(fields["error"]) : textIn(new TextDecoder().decode(body));
  return words.startsWith("<") ? "" : words;
}
