import type { OutputFormat } from "./format.ts";
import { appliedLines, diagnosticLine, type Line, lineText, planLines, progressLine, stillLine, versionLine } from "./json/json-lines.ts";
import { jsonText } from "./json/json-text.ts";
import { planJson } from "./json/plan-json.ts";
import { stateJson } from "./json/state-json.ts";

/** Terraform's JSON: documents as `terraform show -json` prints them, and machine-readable lines while a command runs. */
export const json: OutputFormat = {
  plan: (plan, shown, context) => `${jsonText(planJson(plan, { ...shown, ...context }))}\n`,
  state: (state, context) => `${jsonText(stateJson(state, context))}\n`,
  run: {
    diagnosticsTo: "out",
    redraws: false,
    begin: ({ version, nowMs }) => lineText(versionLine(version), nowMs),
    diagnostics: (diagnostics, { nowMs }) => linesText(diagnostics.map(diagnosticLine), nowMs),
    plan: (plan, shown, { catalog, nowMs }) => linesText(planLines(plan, { catalog, ...shown }), nowMs),
    say: () => "",
    progress: (event, { nowMs }) => lineText(progressLine(event), nowMs),
    still: (_counts, inFlight, { nowMs }) => linesText(inFlight.map(stillLine), nowMs),
    endProgress: () => "",
    applied: (applied, { nowMs }) => linesText(appliedLines(applied.counts, applied), nowMs),
  },
};

function linesText(lines: readonly Line[], nowMs: number): string {
  return lines.map((line) => lineText(line, nowMs)).join("");
}
