import type { Clock } from "../../core/model/ports.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { withoutEmails } from "./wire/wire-diagnostics.ts";

type Level = "debug" | "warn";
type Fields = { readonly [name: string]: string | number };

/** Writes log lines as Terraform expects them from a plugin on stderr. Terraform shows those of the level in `TF_LOG`. */
export type Log = (level: Level, message: string, fields: Fields) => void;

/** Null if nobody asked for a log. */
export function openLog(
  environment: { readonly [variable: string]: string | undefined },
  { clock, write }: { readonly clock: Pick<Clock, "now">; readonly write: (line: string) => void },
): Log | null {
  const isWanted = ["TF_LOG", "TF_LOG_PROVIDER", "OUTREACH_LOG"].some(
    (name) => !["", "off"].includes((environment[name] ?? "").toLowerCase()),
  );
  if (!isWanted) return null;
  return (level, message, fields) => {
    // Terraform reads exactly six digits after the second.
    const timestamp = isoTime(clock.now()).replace("Z", "000Z");
    write(
      `${JSON.stringify({ "@level": level, "@message": message, "@module": "outreach", "@timestamp": timestamp, ...fields })}\n`,
    );
  };
}

interface Request {
  readonly method: string;
  readonly url: URL;
}

type Send<Q extends Request, A extends { readonly status: number }> = (request: Q, signal: AbortSignal) => Promise<A>;

const TOO_MANY = 429;

/** Logs each request: method, path, status and duration. Headers and bodies can contain the key and secrets, and paths the addresses of leads. */
export function loggedSend<Q extends Request, A extends { readonly status: number }>(
  send: Send<Q, A>,
  log: Log,
  clock: Pick<Clock, "monotonicMs">,
): Send<Q, A> {
  return async (request, signal) => {
    const begunMs = clock.monotonicMs();
    const asked = { method: request.method, path: withoutEmails(pathOf(request.url)) };
    const took = (): Fields => ({ duration_ms: Math.round(clock.monotonicMs() - begunMs) });
    try {
      const answer = await send(request, signal);
      log(answer.status === TOO_MANY ? "warn" : "debug", "request", { ...asked, status: answer.status, ...took() });
      return answer;
    } catch (error) {
      log("warn", "request without an answer", {
        ...asked,
        error: withoutEmails(error instanceof Error ? error.message : String(error)),
        ...took(),
      });
      throw error;
    }
  };
}

/** Decoded, so that addresses are recognised. */
function pathOf({ pathname, search }: URL): string {
  try {
    return decodeURIComponent(pathname) + search;
  } catch {
    return pathname + search;
  }
}
