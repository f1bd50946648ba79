import { DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import { resourceOf } from "../../../core/model/definition.ts";
import type { PlanChoices, Scope } from "../../../core/plan/plan-context.ts";
import { countSteps, hasChanges } from "../../../core/plan/plan.ts";
import { costJson } from "../../../output/json/cost-json.ts";
import { diagnosticJson } from "../../../output/json/diagnostic-json.ts";
import type { JsonObject } from "../../../output/json/escaped-json.ts";
import { actionsOf, replacePaths } from "../../../output/json/step-json.ts";
import { plain } from "../../../output/content/paint.ts";
import { text as textFormat } from "../../../output/text/text-format.ts";
import { summaryText } from "../../../output/content/summary-text.ts";
import { type Planned, plan } from "../../../operations/plan.ts";
import { modeOf } from "../../../output/content/output-format.ts";
import { withOpenRun } from "../../../operations/open-run.ts";
import { CHOICE, scopeArguments, pageOf } from "./mcp/tool-schemas.ts";
import {
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  diagnosticsTextOf,
  errorsTextOf,
  formatFor,
  toolDiagnostics,
} from "./mcp/tool-call.ts";

export const tool: ToolDefinition = {
  title: "Plan",
  description:
    "Shows what outreach apply would do: creates, replaces, deletes, imports, drift, and errors that block it. Sends no writes. Secrets are not read: a recorded secret counts as unchanged. A person applies the plan.",
  isRemote: true,
  parameters: {
    ...CHOICE,
    ...scopeArguments("Plan"),
    destroy: { type: "boolean", description: "Plan to destroy everything that is managed." },
    refresh_only: { type: "boolean", description: "Plan only to update the state from the service." },
  },
  lists: ["changes", "drift", "undecided"],
  answer: ({ context, options, arguments: given }) =>
    withOpenRun(context, { ...options, operation: "plan", persists: false }, async (run) =>
      planResult({ context, given }, await plan(run, { ...choicesOf(given), approval: "open" })),
    ),
};

function choicesOf(given: ToolCall["arguments"]): Partial<PlanChoices> {
  const { refresh_only: refreshOnly = false, ...choices } = given as Partial<Scope> & {
    readonly destroy?: boolean;
    readonly refresh_only?: boolean;
  };
  // A local state is shown, never applied here.
  return { ...choices, refreshOnly, allow: ["local-state"] };
}

interface Asked {
  readonly context: ToolCall["context"];
  readonly given: ToolCall["arguments"];
}

function planResult({ context, given }: Asked, { plan: made, options, document, diagnostics }: Planned): ToolResult {
  if (hasErrors(made.diagnostics) && made.steps.every(({ action }) => action === "keep"))
    throw new DiagnosticsError(diagnostics);
  const format = formatFor(context);
  const steps = made.steps.filter(({ action }) => action !== "keep");
  const summary = summaryText({ ...made, steps }, plain);
  const result: JsonObject = {
    summary,
    counts: { ...countSteps(steps) },
    requests: made.cost ? costJson(made.cost) : null,
    has_changes: hasChanges(made),
    can_apply: !hasErrors(diagnostics),
    secrets_checked: false,
    changes: steps.map((step) => ({
      address: step.address,
      action: step.action,
      actions: actionsOf(resourceOf(context.catalog, step.type), step),
      previous_address: step.movedFrom ?? null,
      replace_paths: replacePaths(step) ?? [],
    })),
    names: made.names ?? {},
    drift: made.drift.map(({ address, after, changed }) => ({ address, missing: after === null, changed })),
    undecided: made.undecided.map(({ address, type }) => address ?? type),
    diagnostics: toolDiagnostics(context, diagnostics).map(diagnosticJson),
  };
  const lead = `${summary}\n${errorsTextOf(context, diagnostics)}`;
  const shown = pageOf(steps, given);
  const part = { ...made, steps: shown };
  const whole = textFormat.run.plan(part, { mode: modeOf(options), outputs: document.outputs }, format);
  // The counts are those of the whole plan.
  const count = `These are ${String(shown.length)} of ${String(steps.length)} changes.`;
  // Without any, the part alone would say that there are none.
  const shownText = shown.length === 0 ? `${count}\n` : whole.replace(summaryText(part, plain), count);
  const text = shown.length === steps.length ? whole : `${lead}\n${shownText}`;
  return { result, lead, text: `${text}\n${diagnosticsTextOf(context, diagnostics)}` };
}
