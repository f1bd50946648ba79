import type { OutputFormat, InFlight, ProgressEvent, ShownApply, ShownPlan } from "../content/output-format.ts";
import { jsonText, type JsonObject } from "./escaped-json.ts";
import { costText } from "../content/cost-text.ts";
import { costJson } from "./cost-json.ts";
import { planJson, TERRAFORM_VERSION } from "./plan-json.ts";
import { stateJson } from "./state-json.ts";
import { recordedAddress } from "../../core/model/address.ts";
import type { OutputValue } from "../../core/model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import {
  type Drift,
  type Plan,
  type PlanCounts,
  type Step,
  countSteps,
  isMove,
  isRemoval,
} from "../../core/plan/plan.ts";
import { diagnosticJson } from "./diagnostic-json.ts";
import { knownJson, typeJson } from "./json-value.ts";
import { outputRows } from "./output-json.ts";
import { plain } from "../content/paint.ts";
import { progressText } from "../content/progress-text.ts";
import { actionsOf, importingJson, listedDrift, listedSteps, previousAddress, reasonFinder } from "./step-json.ts";
import { appliedText, leftText, summaryText } from "../content/summary-text.ts";

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

/** One message of Terraform's machine-readable UI (version 1.2), without its time. */
export interface Line {
  readonly type: string;
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly body: JsonObject;
}

/** A message as one printed line. */
export function lineText({ type, level, message, body }: Line, nowMs: number): string {
  return `${jsonText({ "@level": level, "@message": message, "@module": "outreach.ui", "@timestamp": isoTime(nowMs), ...body, type })}\n`;
}

/** The first message of every command. */
export function versionLine(version: string): Line {
  return info("version", `outreach ${version}`, { terraform: TERRAFORM_VERSION, outreach: version, ui: "1.2" });
}

interface PlanLinesContext extends Pick<ShownPlan, "mode" | "outputs"> {
  readonly catalog: Catalog;
}

/** The messages of a plan: drift, one a change, the summary, the outputs, and what an apply costs. */
export function planLines(plan: Plan, { catalog, mode, outputs }: PlanLinesContext): readonly Line[] {
  const rows = outputRows(plan, outputs);
  const steps = listedSteps(plan, mode).filter(({ action }) => action !== "keep");
  const reasonOf = reasonFinder(plan, mode);
  const actions = Object.fromEntries(
    rows.map(({ name, sensitive, action }) => [name, { sensitive, action: action === "no-op" ? "noop" : action }]),
  );
  return [
    ...listedDrift(plan, mode).map(driftLine),
    ...steps.map((step) => stepLine(step, reasonOf(step), { catalog, mode })),
    info("change_summary", summaryText({ ...plan, steps }, plain), { changes: changesJson(countSteps(steps), "plan") }),
    ...(rows.length === 0 ? [] : [info("outputs", `Outputs: ${String(rows.length)}`, { outputs: actions })]),
    ...(plan.cost ? [info("log", costText(plan.cost), { requests: costJson(plan.cost) })] : []),
  ];
}

function driftLine({ address, after }: Drift): Line {
  const action = after === null ? "delete" : "update";
  return info("resource_drift", `${address}: Drift detected (${action})`, {
    change: { resource: resourceJson(address), action },
  });
}

function stepLine(
  step: Step,
  reason: string | undefined,
  { catalog, mode }: Pick<PlanLinesContext, "catalog" | "mode">,
): Line {
  const definition = resourceOf(catalog, step.type);
  const action = lineAction(definition, step);
  const previous = previousAddress(step, mode);
  const change = {
    resource: resourceJson(step.address),
    ...(previous === undefined ? {} : { previous_resource: resourceJson(previous) }),
    action,
    ...(reason === undefined ? {} : { reason: REPLACE_REASONS[reason] ?? reason }),
    ...importingJson(definition, step),
    ...(isRemoval(step) ? { removal_reason: step.removal.reason } : {}),
  };
  return info("planned_change", `${step.address}: Plan to ${action}`, { change });
}

const REPLACE_REASONS: { readonly [reason: string]: string } = {
  replace_because_cannot_update: "cannot_update",
  replace_by_request: "requested",
};

function lineAction(definition: AnyResource, step: Step): string {
  switch (step.action) {
    case "update-state":
      return isMove(step) ? "move" : "update";
    case "adopt":
      return actionsOf(definition, step).includes("update") ? "update" : "import";
    case "forget":
      return "remove";
    default:
      return step.action;
  }
}

/** The message about one address during an apply. */
export function progressLine(event: ProgressEvent): Line {
  const { kind, phase, address, id, elapsedMs, gapMs } = event;
  const hook = {
    resource: resourceJson(address),
    action: phase,
    ...(id === null ? {} : { id_key: "id", id_value: id }),
    ...(kind === "start" ? {} : { elapsed_seconds: Math.round(elapsedMs / 1000) }),
    ...(gapMs === undefined ? {} : { gap_ms: Math.ceil(gapMs) }),
  };
  return info(`apply_${kind === "unsure" ? "errored" : kind}`, progressText(event), { hook });
}

/** The message about an operation in flight, every ten seconds. */
export function stillLine({ phase, address, elapsedMs }: InFlight): Line {
  const seconds = Math.round(elapsedMs / 1000);
  const message = `${address}: ${STILL[phase]}... [${String(seconds)}s elapsed]`;
  return info("apply_progress", message, {
    hook: { resource: resourceJson(address), action: phase, elapsed_seconds: seconds },
  });
}

const STILL = { create: "Still creating", delete: "Still destroying" } as const;

/** The last messages of an apply: the summary and the recorded outputs. */
export function appliedLines(
  counts: PlanCounts,
  {
    destroying,
    ending,
    outputs,
    left = 0,
  }: Pick<ShownApply, "destroying" | "ending" | "outputs"> & Partial<Pick<ShownApply, "left">>,
): readonly Line[] {
  const values = outputs.map(({ name, value, sensitive }) => [name, outputJson(value, sensitive)] as const);
  return [
    info("change_summary", appliedText(counts, { destroying, ending }), {
      changes: changesJson(counts, destroying ? "destroy" : "apply"),
    }),
    info("outputs", `Outputs: ${String(values.length)}`, { outputs: Object.fromEntries(values) }),
    ...(left === 0 ? [] : [info("log", leftText(left), { left })]),
  ];
}

function outputJson(value: OutputValue["value"], sensitive: boolean): JsonObject {
  const shown = knownJson(value);
  return { sensitive, type: typeJson(shown), ...(sensitive ? {} : { value: shown }) };
}

/** Notes are messages of type `log`: Terraform's diagnostics are errors and warnings. */
export function diagnosticLine(diagnostic: Diagnostic): Line {
  const { severity, summary, detail } = diagnostic;
  if (severity === "note") return info("log", `${summary}: ${detail}`, {});
  const [level, title] = severity === "error" ? (["error", "Error"] as const) : (["warn", "Warning"] as const);
  return {
    type: "diagnostic",
    level,
    message: `${title}: ${summary}`,
    body: { diagnostic: diagnosticJson(diagnostic) },
  };
}

function info(type: string, message: string, body: JsonObject): Line {
  return { type, level: "info", message, body };
}

/** Counts under Terraform's names. `forget` appears only when something is forgotten. */
function changesJson(
  { add, change, destroy, import: imported, forget }: PlanCounts,
  operation: "plan" | "apply" | "destroy",
): JsonObject {
  return { add, change, import: imported, remove: destroy, ...(forget > 0 ? { forget } : {}), operation };
}

function resourceJson(address: string): JsonObject {
  const { type, name, key } = recordedAddress(address);
  const provider = type.split("_")[0] ?? type;
  return {
    addr: address,
    module: "",
    resource: address,
    implied_provider: provider,
    resource_type: type,
    resource_name: name,
    resource_key: key,
  };
}
