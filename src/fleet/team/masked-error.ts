import { DiagnosticsError, type Place } from "../../core/model/diagnostic.ts";
import { arrangedDiagnostics } from "../../operations/messages/arrange-diagnostics.ts";
import { messagesOf } from "./team-result.ts";
import type { TeamRun } from "./team-run.ts";

/** Mistakes without what others must not see; and without their cause, which is not masked. */
export function maskedError(run: TeamRun, error: unknown): unknown {
  if (!(error instanceof DiagnosticsError)) return error;
  const found = arrangedDiagnostics(run.context, error.diagnostics, { hidesEmails: true });
  const places = found.map(({ place }) => (place ? { place: withoutText(place) } : {}));
  return new DiagnosticsError(messagesOf(run, found).map((message, index) => ({ ...message, ...places[index] })));
}

/** The text of the line is not masked. */
function withoutText({ text: _, caret: __, ...place }: Place): Place {
  return place;
}
