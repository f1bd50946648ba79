import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import { type Web, WebFailure } from "../../core/model/web.ts";
import type { OperationContext, Ports } from "../context.ts";
import { LOG_LEVELS, type LogLevel } from "../run-event.ts";

/** Reports what may help to find a problem. `OUTREACH_LOG` sets the level; the default, error, reports nothing, because errors are diagnostics. */
export type Log = (level: LogLevel, text: string) => void;

/** Masks emails of leads in every line. Throws `setting_invalid` for an unknown level. */
export function openLog(context: OperationContext): Log {
  const { personal, notify } = context;
  const shown = loggedLevels(context);
  return (level, text) => {
    if (shown.includes(level)) notify({ kind: "log", level, text: personal.mask(text) });
  };
}

/** The levels of what is logged. Throws `setting_invalid` for an unknown one. */
export function loggedLevels(environment: Ports): readonly LogLevel[] {
  return LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(logLevel(environment) ?? "error") + 1);
}

/** The level that `OUTREACH_LOG` sets; null if it is not set. Throws `setting_invalid` for an unknown one. */
export function logLevel({ environment }: Ports): LogLevel | null {
  const wanted = environment["OUTREACH_LOG"] ?? "";
  const level = LOG_LEVELS.find((one) => one === wanted.toLowerCase()) ?? null;
  if (wanted !== "" && level === null) throw unknownLevel(wanted);
  return level;
}

/** A transport that logs each request, its status and its duration, without headers and bodies. */
export function loggedTransport(transport: Web, log: Log, clock: Clock): Web {
  return {
    send: (request, signal) =>
      logged(`${request.method} ${decoded(request.url)}`, { log, clock }, () => transport.send(request, signal)),
    close: () => transport.close(),
  };
}

/** Logs a request, its status and its duration. */
export async function logged<Response extends { readonly status: number }>(
  asked: string,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
  send: () => Promise<Response>,
): Promise<Response> {
  const begunMs = clock.monotonicMs();
  const took = (): string => `${String(Math.round(clock.monotonicMs() - begunMs))} ms`;
  try {
    const response = await send();
    log(response.status === 429 ? "warn" : "debug", `${asked}: ${String(response.status)}, ${took()}`);
    return response;
  } catch (error) {
    log("warn", `${asked}: ${error instanceof WebFailure ? error.message : "no answer"}, ${took()}`);
    throw error;
  }
}

/** Decoded, so that the mask recognises the emails in it. */
function decoded({ pathname, search }: URL): string {
  try {
    return decodeURIComponent(pathname) + search;
  } catch {
    return pathname + search;
  }
}

function unknownLevel(given: string): DiagnosticsError {
  return DiagnosticsError.of("setting_invalid", "Invalid setting", {
    detail: `OUTREACH_LOG is ${JSON.stringify(given)}, which is not a log level.`,
    hint: `Use one of ${LOG_LEVELS.join(", ")}.`,
  });
}
