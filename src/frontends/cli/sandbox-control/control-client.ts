import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { TransportError } from "../../../service/api/transport.ts";
import type { Closing, Environment, Masks, Ports } from "../command-context.ts";
import { lazyWeb } from "../session/lazy-web.ts";

const TIMEOUT_MS = 30_000;

/** The control API of a running sandbox. Each call throws a diagnostic if no sandbox answers. */
export interface ControlClient {
  get(route: string): Promise<unknown>;
  /** Throws the sandbox's errors as diagnostics with `refused` as their summary. */
  post(route: string, body: unknown, refused: string): Promise<unknown>;
}

/** A request that was sent is finished, also after an interrupt: otherwise nobody knows what it did. */
export function controlClient(context: Closing & Environment & Masks & Ports, url: URL): ControlClient {
  const open = lazyWeb(context);
  const never = new AbortController().signal;
  const call = async (method: string, route: string, body: string | null): Promise<{ readonly status: number; readonly json: unknown }> => {
    const web = await open();
    const target = new URL(`${url.pathname}${route}`, url);
    const headers = body === null ? {} : { "content-type": "application/json" };
    const { status, body: answered } = await web.send({ method, url: target, headers, body, timeoutMs: TIMEOUT_MS }, never).catch((error: unknown) => {
      throw error instanceof TransportError ? new DiagnosticsError([unreachable(url, error)]) : error;
    });
    return { status, json: parsed(answered) };
  };
  return {
    get: async (route) => {
      const { status, json } = await call("GET", route, null);
      if (status !== 200) throw new DiagnosticsError([notASandbox(url, status)]);
      return json;
    },
    post: async (route, body, refused) => {
      const { status, json } = await call("POST", route, JSON.stringify(body));
      if (status === 200 && typeof json === "object" && json !== null) return json;
      const errors = errorsIn(json);
      if (errors === null || status < 400) throw new DiagnosticsError([notASandbox(url, status)]);
      throw new DiagnosticsError(errors.map((error) => ({ code: "sandbox_refused", severity: "error", summary: refused, detail: sentence(error) })));
    },
  };
}

/** How to reach a sandbox. */
const HINT = "Start one in another terminal: outreach sandbox\nFor one on another port, pass the control API that it prints, as in --url http://127.0.0.1:PORT/_sandbox";

function unreachable({ origin }: URL, { message, problem }: TransportError): Diagnostic {
  const detail = problem?.kind === "refused" ? `Nothing listens on ${origin}.` : `${origin} does not answer: ${message}.`;
  return { code: "sandbox_unreachable", severity: "error", summary: "No sandbox", detail, hint: HINT };
}

function notASandbox({ origin }: URL, status: number): Diagnostic {
  const detail = `${origin} answers with ${String(status)}, but not as the control API of a sandbox.`;
  return { code: "sandbox_unreachable", severity: "error", summary: "Not a sandbox", detail, hint: HINT };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** The errors of the control API; null if these are not. */
function errorsIn(json: unknown): readonly string[] | null {
  const { errors } = (json ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 && errors.every((error) => typeof error === "string") ? errors : null;
}

/** A clause of the sandbox as a sentence. A name at its start keeps its case. */
export function sentence(text: string): string {
  const begun = /^[a-z]+ /.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}
