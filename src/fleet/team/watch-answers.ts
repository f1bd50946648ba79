import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import { durationText } from "../../output/content/progress-text.ts";
import type { SharedByRuns } from "./team-run.ts";

interface Watching {
  readonly clock: Clock;
  readonly hangsAfterMs: number;
  readonly signal: AbortSignal;
}

/** What one run uses of the process. Its signal is aborted if the service has answered nothing `hangsAfterMs` after the first request. */
export function watchAnswers(
  shared: SharedByRuns,
  { clock, hangsAfterMs, signal }: Watching,
): { readonly shared: SharedByRuns; readonly signal: AbortSignal; readonly end: () => void } {
  const [hangs, isOver] = [new AbortController(), new AbortController()];
  let isWatched = false;
  const begin = (): void => {
    if (isWatched) return;
    isWatched = true;
    void clock.sleep(hangsAfterMs, AbortSignal.any([isOver.signal, signal])).then(
      () => hangs.abort(new DiagnosticsError([serviceHangs(hangsAfterMs)])),
      () => undefined,
    );
  };
  const openTransport: SharedByRuns["openTransport"] = (proxy) => {
    const transport = shared.openTransport(proxy);
    return {
      ...transport,
      send: async (...request) => {
        begin();
        const answer = await transport.send(...request);
        isOver.abort();
        return answer;
      },
    };
  };
  return {
    shared: { ...shared, openTransport },
    signal: AbortSignal.any([signal, hangs.signal]),
    end: () => isOver.abort(),
  };
}

function serviceHangs(hangsAfterMs: number): Diagnostic {
  return {
    code: "service_hangs",
    severity: "error",
    summary: "The service does not answer",
    detail: `The service has answered no request of this run within ${durationText(hangsAfterMs)}. The run ended, so that other teams get their turn.`,
    hint: "Check the service, and the network and proxy on the way to it. The next run tries again.",
  };
}
