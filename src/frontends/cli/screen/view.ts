import type { AppliedRun } from "../../../core/apply/run/apply-run.ts";
import { type Diagnostic, hasErrors } from "../../../core/model/diagnostic.ts";
import { hasChanges } from "../../../core/plan/plan.ts";
import {
  type Ending,
  type FormatContext,
  type InFlight,
  type ProgressCounts,
  type ProgressEvent,
  type RunFormat,
  type ShownApply,
  modeOf,
} from "../../../output/content/output-format.ts";
import type { Planned } from "../../../operations/plan.ts";
import { FORMATS } from "../../../output/formats/formats.ts";
import { plain } from "../../../output/content/paint.ts";
import { appliedText, leftText, summaryText } from "../../../output/content/summary-text.ts";
import { failureOf } from "../../../operations/known-failure.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import { exitCodeOf } from "../exit-code.ts";
import { unexpectedFailure, withoutKept } from "./print-diagnostics.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";

/** How plan and apply show their work, in the format that was asked for. */
export interface View {
  /** Whether the progress of an apply is one line that is redrawn. */
  readonly isLive: boolean;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** A plan with its diagnostics, the errors last, where they are seen. */
  plan(planned: Planned): void;
  /** Words for people: programs read the same elsewhere. */
  say(text: string): void;
  progress(event: ProgressEvent): void;
  still(counts: ProgressCounts, inFlight: readonly InFlight[]): void;
  applied(applied: AppliedRun, shown: Pick<ShownApply, "destroying" | "outputs">): void;
}

/** Gives `work` a view. Its failures are shown in the same format. */
export async function withView(
  context: CommandContext,
  { json = false }: { readonly json?: boolean },
  work: (view: View) => Promise<ExitCode>,
): Promise<ExitCode> {
  const format = await FORMATS[json ? "json" : "text"].load();
  const view = viewOf(context, format.run);
  try {
    return await work(view);
  } catch (error) {
    const known = failureOf(error) ?? (json ? unexpectedFailure(context, error) : null);
    if (!known) throw error;
    view.diagnostics(known.diagnostics);
    return exitCodeOf(known.status);
  }
}

/** A failed check changes nothing about what was done. */
function endingOf(applied: AppliedRun): Ending {
  if (applied.interrupted) return "interrupted";
  if (applied.undecided || hasErrors(applied.diagnostics.filter(({ code }) => code !== "check_failed")))
    return "incomplete";
  return applied.left > 0 ? "stopped" : "complete";
}

function viewOf(context: CommandContext, format: RunFormat): View {
  const { catalog, version, clock } = context;
  const isLive = context.isLive && format.redraws;
  const given = (stream: "out" | "err" = "out"): FormatContext => {
    const paint = stream === "out" ? context.paint : context.paintErrors;
    return {
      catalog,
      version,
      paint,
      isLive,
      columns: stream === "err" ? context.columns : null,
      nowMs: clock.now(),
      mask: (text) => text,
    };
  };
  const diagnostics = (found: readonly Diagnostic[]): void => {
    const stream = format.diagnosticsTo;
    const arranged = arrangedDiagnostics(context, found, { hidesEmails: context.hidesEmails[stream] });
    context[stream](format.diagnostics(stream === "err" ? withoutKept(context, arranged) : arranged, given(stream)));
  };
  let isUnchanged = false;
  context.out(format.begin(given()));
  return {
    isLive,
    diagnostics,
    plan: ({ plan, options, document, diagnostics: found }) => {
      const errors = found.filter(({ severity }) => severity === "error");
      // A plan with errors cannot be applied, but its steps help to understand the errors.
      const isShown = !hasErrors(plan.diagnostics) || plan.steps.some(({ action }) => action !== "keep");
      isUnchanged = !hasChanges(plan) && !hasErrors(plan.diagnostics) && plan.undecided.length === 0;
      // Of hundreds of teams without changes, notes would hide what the others say.
      const isOnlyCounted = isUnchanged && context.isPart && format.diagnosticsTo === "err";
      diagnostics(found.filter(({ severity }) => severity === "warning" || (severity === "note" && !isOnlyCounted)));
      if (isShown) {
        if (isUnchanged) context.summarize("No changes.", "unchanged");
        else
          context.summarize(hasChanges(plan) || hasErrors(plan.diagnostics) ? summaryText(plan, plain) : "No changes.");
        context.out(format.plan(plan, { mode: modeOf(options), outputs: document.outputs }, given()));
        if (errors.length > 0) context.out(format.say("\n"));
      }
      diagnostics(errors);
    },
    say: (text) => context.out(format.say(text)),
    progress: (event) => context.progress(format.progress(event, given())),
    still: (counts, inFlight) => context.progress(format.still(counts, inFlight, given())),
    applied: (applied, shown) => {
      context.out(format.endProgress(given()));
      diagnostics(applied.diagnostics);
      const ending = endingOf(applied);
      const hasNothingToShow =
        isUnchanged && ending === "complete" && Object.values(applied.counts).every((count) => count === 0);
      const left = applied.left > 0 ? ` ${leftText(applied.left)}` : "";
      context.summarize(
        `${appliedText(applied.counts, { destroying: shown.destroying, ending })}${left}`,
        hasNothingToShow ? "unchanged" : undefined,
      );
      context.out(format.applied({ ...shown, ...applied, ending }, given()));
    },
  };
}
