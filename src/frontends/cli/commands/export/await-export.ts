import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { durationText } from "../../../../output/content/progress-text.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import { type ExportStatusAnswer, readExportStatus } from "./export-status.ts";
import { ServiceError } from "../../../../service/api/service-errors.ts";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
const PAUSE_GROWTH = 1.5;
const LONGEST_WAIT_MS = 60 * 60 * 1000;
/** A new export may not be found everywhere at once, and a long wait meets restarts of the service. */
const MAX_MISSES = 5;

/** The export that is awaited. */
export interface AwaitedExport {
  readonly campaignId: string;
  readonly exportId: string;
  /** The name in messages, as in `Export axp_1 of "Q3 launch"`. */
  readonly title: string;
  /** The command that starts another one, as a hint. */
  readonly another: string;
}

/** A hint for an export that is pending. */
export const GOES_ON = "The service continues the export. Open it in the application.";

type ExportNow = Extract<ExportStatusAnswer, { readonly kind: "export" }>;

/**
 * Asks for the status of an export until it is no longer `pending`, and returns the last answer. Passes each answer to
 * `report`. Throws `DiagnosticsError` if the service does not report the status, or after an hour.
 */
export async function awaitExport(
  caller: CallerOptions,
  awaited: AwaitedExport,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (now: ExportNow) => void },
): Promise<ExportNow> {
  const { clock } = caller;
  const begunMs = clock.monotonicMs();
  let isKnown = false;
  for (let pauseMs = FIRST_PAUSE_MS, misses = 0; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    if (clock.monotonicMs() - begunMs >= LONGEST_WAIT_MS) throw tooLong(awaited);
    await clock.sleep(pauseMs, signal);
    const answer = await ask(caller, awaited, signal);
    if (answer.kind === "export") {
      report(answer);
      if (answer.status !== "pending") return answer;
      isKnown = true;
      misses = 0;
      continue;
    }
    if (answer.kind === "no-path" && !isKnown) throw noStatus(awaited, answer.cause);
    misses++;
    if (answer.kind === "unclear" || misses >= MAX_MISSES) throw notFollowed(awaited, answer.cause);
  }
}

type Asked = ExportStatusAnswer | { readonly kind: "failed"; readonly cause: string };

async function ask(
  caller: CallerOptions,
  { campaignId, exportId }: AwaitedExport,
  signal: AbortSignal,
): Promise<Asked> {
  try {
    return await readExportStatus(caller, { campaignId, exportId }, signal);
  } catch (error) {
    // A documented error, such as a wrong key, does not pass.
    if (!(error instanceof ServiceError) || error.known !== null) throw error;
    return { kind: "failed", cause: error.message };
  }
}

function noStatus({ title }: AwaitedExport, cause: string): DiagnosticsError {
  const detail = `${title} was started. ${cause}.`;
  return DiagnosticsError.of("export_status_unknown", "This service does not tell an export's status", {
    detail,
    hint: GOES_ON,
  });
}

function notFollowed({ title, another }: AwaitedExport, cause: string): DiagnosticsError {
  const detail = `${title} was started. ${cause}.`;
  return DiagnosticsError.of("export_not_followed", "The export could not be followed", {
    detail,
    hint: `${GOES_ON}\n${another}`,
  });
}

function tooLong({ title, another }: AwaitedExport): DiagnosticsError {
  const detail = `${title} is still pending after ${durationText(LONGEST_WAIT_MS)}. outreach stops waiting.`;
  return DiagnosticsError.of("export_timeout", "The export takes too long", { detail, hint: `${GOES_ON}\n${another}` });
}
