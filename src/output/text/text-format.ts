import type { OutputFormat } from "../content/output-format.ts";
import { diagnosticsText } from "../content/diagnostic-text.ts";
import { planText } from "./plan-text.ts";
import { CLEAR_LINE } from "../content/paint.ts";
import { liveLine, logLine, progressText } from "../content/progress-text.ts";
import { stateText, outputsText } from "./state-text.ts";
import { appliedText, leftText } from "../content/summary-text.ts";

/** The format for people, with Terraform's symbols and summary lines. */
export const text: OutputFormat = {
  plan: (plan, { mode }, context) => planText(plan, { ...context, mode }),
  state: stateText,
  run: {
    diagnosticsTo: "err",
    redraws: true,
    begin: () => "",
    diagnostics: (diagnostics, { paint, columns }) => diagnosticsText(diagnostics, paint, columns),
    plan: (plan, { mode }, context) => planText(plan, { ...context, mode }),
    say: (words) => words,
    progress: (event, { isLive }) => `${clear(isLive)}${progressText(event)}\n`,
    still: (counts, _inFlight, { isLive, paint }) =>
      isLive ? `${CLEAR_LINE}${paint("dim", liveLine(counts))}` : `${logLine(counts)}\n`,
    endProgress: ({ isLive }) => clear(isLive),
    applied: ({ counts, diagnostics, destroying, ending, left, outputs }, { paint }) => {
      // A diagnostic ends with an empty line of its own.
      const gap = diagnostics.length > 0 ? "" : "\n";
      const summary = `${gap}${paint(ending === "complete" ? "green" : "red", appliedText(counts, { destroying, ending }))}\n`;
      const recorded = outputs.length === 0 ? "" : `\n${paint("bold", "Outputs:")}\n\n${outputsText(outputs)}`;
      return `${summary}${recorded}${left === 0 ? "" : `\n${leftText(left)}\n`}`;
    },
  },
};

function clear(isLive: boolean): string {
  return isLive ? CLEAR_LINE : "";
}
