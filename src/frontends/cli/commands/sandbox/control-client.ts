import { NEVER_ABORTED } from "../../../../core/model/async.ts";
import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import { WebFailure } from "../../../../core/model/web.ts";
import type { Ports } from "../../../../operations/context.ts";
import type { CommandContext } from "../../command-context.ts";
import { lazyWeb } from "../../../../operations/service/lazy-web.ts";
import { parseUrl } from "../../../../core/model/parse-url.ts";
import { isLoopback } from "../../../../service/api/service-path.ts";
import { BASE_URL_VARIABLE } from "../../../../operations/configuration/environment-names.ts";

const TIMEOUT_MS = 30_000;

/** The control API of a running sandbox. Each call throws a diagnostic if no sandbox answers. */
export interface ControlClient {
  /** A list. */
  get(route: string): Promise<readonly unknown[]>;
  /** The answer, which has this list. Throws the sandbox's errors as diagnostics with `refused` as their summary. */
  post(route: string, body: unknown, expected: { readonly list: string; readonly refused: string }): Promise<unknown>;
}

/** Finishes a request that was sent, also after an interrupt: otherwise its outcome would be unknown. */
export function controlClient(context: CommandContext, url: URL): ControlClient {
  const open = lazyWeb(context);
  const call = async (
    method: string,
    route: string,
    body: string | null,
  ): Promise<{ readonly status: number; readonly json: unknown }> => {
    const web = await open();
    const target = new URL(`${url.pathname}${route}`, url);
    const headers = body === null ? {} : { "content-type": "application/json" };
    const { status, body: answered } = await web
      .send(
        {
          method,
          url: target,
          headers,
          body: body === null ? null : new TextEncoder().encode(body),
          timeoutMs: TIMEOUT_MS,
        },
        NEVER_ABORTED,
      )
      .catch((error: unknown) => {
        throw error instanceof WebFailure ? unreachable(url, error) : error;
      });
    return { status, json: parsed(answered) };
  };
  return {
    get: async (route) => {
      const { status, json } = await call("GET", route, null);
      if (status !== 200 || !Array.isArray(json)) throw notASandbox(url, status);
      return json;
    },
    post: async (route, body, { list, refused }) => {
      const { status, json } = await call("POST", route, JSON.stringify(body));
      if (status === 200 && Array.isArray(memberOf(json, list))) return json;
      const errors = memberOf(json, "errors");
      if (status < 400 || !isTexts(errors)) throw notASandbox(url, status);
      throw new DiagnosticsError(errors.map((error) => refusal(refused, error)));
    },
  };
}

/** How to reach a sandbox. */
const HINT =
  "Start one in another terminal: outreach sandbox\nFor one on another port, set OUTREACH_BASE_URL to the base URL that it prints.";

function unreachable({ origin }: URL, { message, problem }: WebFailure): DiagnosticsError {
  const detail =
    problem?.kind === "refused" ? `Nothing listens on ${origin}.` : `${origin} does not answer: ${message}.`;
  return DiagnosticsError.of("sandbox_unreachable", "No sandbox", { detail, hint: HINT });
}

function notASandbox({ origin }: URL, status: number): DiagnosticsError {
  const detail = `${origin} answers with ${String(status)}, but not as the control API of a sandbox.`;
  return DiagnosticsError.of("sandbox_unreachable", "Not a sandbox", { detail, hint: HINT });
}

/** The clause behind the last semicolon of an error says what to do, as in `; did you mean emailsReplied?`. */
function refusal(summary: string, error: string): Diagnostic {
  const at = error.lastIndexOf("; ");
  const [detail, hint] = at < 0 ? [error, null] : [error.slice(0, at), error.slice(at + 2)];
  return errorOf("sandbox_refused", summary, {
    detail: sentence(detail),
    ...(hint === null ? {} : { hint: sentence(hint) }),
  });
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

/** A clause of the sandbox as a sentence. A name at its start keeps its case. */
export function sentence(text: string): string {
  const begun = /^[a-z]+ /.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}

const CONTROL_PATH = "/_sandbox";
const DEFAULT_URL = `http://127.0.0.1:4010${CONTROL_PATH}`;

/** The control API of the sandbox that OUTREACH_BASE_URL names, if that is on this machine, else of the one on port 4010. */
export function controlUrl({ environment }: Ports): URL {
  const base = environment[BASE_URL_VARIABLE] ?? "";
  const url = parseUrl(base);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopback(url)
    ? new URL(CONTROL_PATH, url.origin)
    : new URL(DEFAULT_URL);
}
