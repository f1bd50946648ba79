import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import { type Plan, countSteps, hasChanges } from "../../../core/plan/plan.ts";
import type { ShownPlan } from "../../../output/format.ts";
import { diagnosticJson } from "../../../output/json/diagnostic-json.ts";
import type { JsonObject } from "../../../output/json/json-text.ts";
import { actionsOf, replacePaths } from "../../../output/json/step-json.ts";
import { plain } from "../../../output/text/paint.ts";
import { text as textFormat } from "../../../output/text.ts";
import { summaryText } from "../../../output/text/summary-text.ts";
import { DEFAULT_PLANNING, type PlanningOptions, type StateOptions } from "../program/options.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import type { View } from "../screen/view.ts";
import { planAndShow, planRequest } from "../session/plan-and-show.ts";
import { documentContext } from "../session/show-documents.ts";
import { withSession } from "../session/session.ts";
import { CHOICE } from "./arguments.ts";
import { DIAGNOSTICS, TEXT, TEXTS, record } from "./result-schemas.ts";
import { type ToolCall, type ToolDefinition, type ToolResult, diagnosticsTextOf } from "./tool-call.ts";

const COUNT = { type: "integer", minimum: 0 } as const;

export const planTool: ToolDefinition = {
  name: "plan",
  title: "Plan",
  description:
    "Shows what outreach apply would do: creates, replaces, deletes, imports, drift, and errors that block it. Sends no writes. Secrets are not read: a recorded secret counts as unchanged. A person applies the plan.",
  isRemote: true,
  input: {
    type: "object",
    properties: {
      ...CHOICE,
      targets: { type: "array", items: { type: "string" }, maxItems: 100, description: "Plan only these addresses, or all instances of these blocks." },
      destroy: { type: "boolean", description: "Plan to destroy everything that is managed." },
      refresh_only: { type: "boolean", description: "Plan only to update the state from the service." },
    },
    additionalProperties: false,
  },
  result: record({
    summary: { ...TEXT, description: "Terraform's summary line." },
    counts: record({ import: COUNT, add: COUNT, change: COUNT, destroy: COUNT, forget: COUNT }),
    has_changes: { type: "boolean" },
    can_apply: { type: "boolean", description: "false if an error blocks the apply." },
    secrets_checked: { const: false },
    changes: {
      type: "array",
      items: record({
        address: TEXT,
        action: TEXT,
        actions: TEXTS,
        previous_address: { type: ["string", "null"] },
        replace_paths: { type: "array", items: TEXTS },
      }),
      description: "The addresses that change. explain tells why.",
    },
    drift: { type: "array", items: record({ address: TEXT, missing: { type: "boolean" }, changed: TEXTS }) },
    undecided: { ...TEXTS, description: "Addresses whose earlier outcome is undecided: outreach resolve." },
    diagnostics: DIAGNOSTICS,
  }),
  answer: ({ context, options, arguments: given }) =>
    withSession(context, options, { operation: "plan", persists: false, trusted: false }, async (session) => {
      const request = planRequest(context, session, planningOptions(options, given), { approval: "open", withSecrets: false });
      const seen = collectingView();
      // A local state is shown, never applied here.
      await planAndShow(context, session, { view: seen.view, request, allowLocalState: true });
      return planResult(context, seen);
    }),
};

function planningOptions(options: StateOptions, given: ToolCall["arguments"]): PlanningOptions {
  const {
    targets = [],
    destroy = false,
    refresh_only: refreshOnly = false,
  } = given as {
    readonly targets?: readonly string[];
    readonly destroy?: boolean;
    readonly refresh_only?: boolean;
  };
  return { ...options, ...DEFAULT_PLANNING, target: targets, destroy, refreshOnly };
}

interface Seen {
  readonly view: View;
  readonly diagnostics: Diagnostic[];
  plan: { readonly plan: Plan; readonly shown: Pick<ShownPlan, "mode" | "outputs"> } | null;
}

/** Collects what a plan shows. */
function collectingView(): Seen {
  const nothing = (): void => undefined;
  const seen: Seen = {
    plan: null,
    diagnostics: [],
    view: {
      isLive: false,
      diagnostics: (found) => void seen.diagnostics.push(...found),
      plan: (plan, shown) => void (seen.plan = { plan, shown }),
      say: nothing,
      progress: nothing,
      still: nothing,
      applied: nothing,
    },
  };
  return seen;
}

function planResult(context: ToolCall["context"], { plan: made, diagnostics }: Seen): ToolResult {
  if (made === null) throw new DiagnosticsError(diagnostics);
  const { plan } = made;
  const format = documentContext(context);
  const steps = plan.steps.filter(({ action }) => action !== "keep");
  const result: JsonObject = {
    summary: summaryText({ ...plan, steps }, plain),
    counts: { ...countSteps(steps) },
    has_changes: hasChanges(plan),
    can_apply: !hasErrors(diagnostics),
    secrets_checked: false,
    changes: steps.map((step) => ({
      address: step.address,
      action: step.action,
      actions: actionsOf(step),
      previous_address: step.movedFrom ?? null,
      replace_paths: replacePaths(step) ?? [],
    })),
    drift: plan.drift.map(({ address, after, changed }) => ({ address, missing: after === null, changed })),
    undecided: plan.undecided.map(({ address, type }) => address ?? type),
    diagnostics: arrangedDiagnostics(context, diagnostics, "out").map(diagnosticJson),
  };
  return { result, text: `${textFormat.run.plan(plan, made.shown, format)}\n${diagnosticsTextOf(context, diagnostics)}` };
}
