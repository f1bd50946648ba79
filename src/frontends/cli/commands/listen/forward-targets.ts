import { type Diagnostic, DiagnosticsError, nearest, errorOf, warningOf } from "../../../../core/model/diagnostic.ts";
import { parseUrl } from "../../../../core/model/parse-url.ts";
import { isSecureUrl } from "../../../../service/api/service-path.ts";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../../../../service/events/event-catalog.ts";
import type { ForwardTarget } from "./forward-event.ts";

/** `3000`, `http://localhost:3000/hooks` or `emailsReplied=http://localhost:3000/replies`, each. Throws the diagnostics of all mistakes. */
export function forwardTargets(texts: readonly string[]): readonly ForwardTarget[] {
  const parsed = texts.map(parseTarget);
  const problems = parsed.flatMap((one) => ("problem" in one ? [one.problem] : []));
  if (problems.length > 0) throw new DiagnosticsError(problems);
  return parsed.flatMap((one) => ("problem" in one ? [] : [one]));
}

function parseTarget(text: string): ForwardTarget | { readonly problem: Diagnostic } {
  const [, type = null, rest = ""] = /^(?:([A-Za-z]\w*)=)?(.*)$/s.exec(text) ?? [];
  const typeProblem = type === null ? null : eventTypeProblem("--forward", type);
  if (typeProblem) return { problem: typeProblem };
  const url = receiverUrl("--forward", rest);
  return "problem" in url ? url : { type, url: url.url };
}

/** A receiver's address: a URL, or a port of this machine, on which a receiver may listen with IPv4 or with IPv6. */
export function receiverUrl(option: string, text: string): { readonly url: URL } | { readonly problem: Diagnostic } {
  const isPort = /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535;
  const full = isPort
    ? `http://localhost:${text}/`
    : /^(?:[\w.-]+|\[[\da-f:.]+\]):\d/i.test(text)
      ? `http://${text}`
      : text;
  const problem = (detail: string, hint: string) => ({
    problem: errorOf("receiver_url_invalid", "Invalid receiver", { detail, hint }),
  });
  const forms = `Use a port, as in ${option} 3000, or a URL, as in ${option} http://localhost:3000/hooks.`;
  const url = parseUrl(full);
  if (url === null || !/^https?:$/.test(url.protocol))
    return problem(`${option} does not accept ${text}: it is not a URL.`, forms);
  if (url.username !== "" || url.password !== "")
    return problem(`${option} does not accept a user name or a password in a URL.`, forms);
  if (!isSecureUrl(url))
    return problem(
      `${option} does not accept ${text}: events contain personal data, and the secret.`,
      "Use https. http is accepted for this machine only.",
    );
  return { url };
}

/** What to say once about a receiver that answered so; null for nothing. `url`: as it was forwarded to. */
export function missingPath(
  option: string,
  { url, status }: { readonly url: string; readonly status: number | null },
): Diagnostic | null {
  if (status !== 404 || new URL(url).pathname !== "/") return null;
  return warningOf("receiver_path_missing", "The receiver has nothing at /", {
    detail: `${url} answered 404, and ${option} names no other path.`,
    hint: `Pass the path of the receiver too, as in ${option} ${new URL("/hooks", url).href}`,
  });
}

/** The problem of an event type that an option names; null if there is none. */
export function eventTypeProblem(option: string, type: string): Diagnostic | null {
  const names = EVENT_TYPES.map(({ name }) => name);
  if (names.some((name) => name === type)) return null;
  const removed = REMOVED_EVENT_TYPES.find(({ name }) => name === type);
  const near = nearest(type, names);
  return errorOf("event_type_unknown", "Unknown event type", {
    detail: removed
      ? `${option} names ${type}, which the service no longer sends: ${removed.note}.`
      : `${option} names ${type}, which is not an event type.`,
    hint: near === null ? "To list the event types, run: outreach events" : `Did you mean ${near}?`,
  });
}
