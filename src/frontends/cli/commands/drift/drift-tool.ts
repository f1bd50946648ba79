import { CHOICE, scopeArguments, pageOf } from "../mcp/tool-schemas.ts";
import type { Scope } from "../../../../core/plan/plan-context.ts";
import { driftStatus } from "../../../../core/plan/drift-report.ts";
import { driftAdvice } from "../../../../output/content/drift-format.ts";
import { driftReportJson } from "../../../../output/json/drift-json.ts";
import { driftReportText } from "../../../../output/text/drift-text.ts";
import type { JsonObject } from "../../../../output/json/escaped-json.ts";
import { configurationName } from "../../../../operations/configuration/configuration-name.ts";
import { drift } from "../../../../operations/drift.ts";
import { type ToolDefinition, diagnosticsTextOf, errorsTextOf, formatFor, toolDiagnostics } from "../mcp/tool-call.ts";

const LISTS = ["missing", "changed", "unmanaged", "unchecked"] as const;

export const tool: ToolDefinition = {
  title: "Report drift",
  description:
    "Compares the state with the service: webhooks that were changed or deleted outside of outreach, webhooks that are not managed, and values that the service does not show. Sends no writes.",
  isRemote: true,
  parameters: {
    ...CHOICE,
    ...scopeArguments("Compare"),
  },
  lists: LISTS,
  answer: async ({ context, options, arguments: given }) => {
    const { targets = [], excludes = [] } = given as Partial<Scope>;
    const scope = { targets, excludes };
    const { stage, ...found } = await drift(context, { ...options, ...scope });
    const report = { ...found, diagnostics: toolDiagnostics(context, found.diagnostics) };
    const advice = driftAdvice(context);
    const status = driftStatus(report, { failOnUnmanaged: false });
    const shown = {
      name: configurationName(context, options.config, options.team[0]),
      stage,
      scope,
      commit: null,
      report,
      status,
      advice,
    };
    const format = formatFor(context);
    const lead = `Status: ${status}. ${LISTS.map((name) => `${name}: ${String(report[name].length)}`).join(", ")}.\n${errorsTextOf(context, found.diagnostics)}`;
    const part = Object.fromEntries(LISTS.map((name) => [name, pageOf<unknown>(report[name], given)])) as Pick<
      typeof report,
      (typeof LISTS)[number]
    >;
    const isPart = LISTS.some((name) => part[name].length < report[name].length);
    const text = `${isPart ? `${lead}\n` : ""}${driftReportText({ ...shown, report: { ...report, ...part } }, format)}\n${diagnosticsTextOf(context, found.diagnostics)}`;
    return { result: JSON.parse(driftReportJson(shown, format)) as JsonObject, lead, text };
  },
};
