import { CHOICE } from "./tool-schemas.ts";
import { driftStatus } from "../../core/plan/drift-report.ts";
import { driftAdvice } from "../../output/content/drift-format.ts";
import { driftReportJson } from "../../output/json/drift-json.ts";
import { DRIFT_SCHEMA } from "../../output/json/drift-schema.ts";
import { driftReportText } from "../../output/text/drift-text.ts";
import type { Json } from "../../output/json/escaped-json.ts";
import { arrangedDiagnostics } from "../../operations/messages/arrange-diagnostics.ts";
import { configurationName } from "../../operations/configuration/configuration-name.ts";
import { drift } from "../../operations/drift.ts";
import { type ToolDefinition, diagnosticsTextOf, formatFor } from "./tool-call.ts";

const { $schema: _, $id: __, ...RESULT } = DRIFT_SCHEMA;

export const driftTool: ToolDefinition = {
  name: "drift",
  title: "Report drift",
  description:
    "Compares the state with the service: webhooks that were changed or deleted outside of outreach, webhooks that are not managed, and values that the service does not show. Sends no writes.",
  isRemote: true,
  input: { type: "object", properties: { ...CHOICE }, additionalProperties: false },
  result: RESULT,
  answer: async ({ context, options }) => {
    const { stage, ...found } = await drift(context, { ...options, trusted: false });
    const report = { ...found, diagnostics: arrangedDiagnostics(context, found.diagnostics, { hidesEmails: true }) };
    const advice = driftAdvice((command, words = "") => context.asCalled(`outreach ${command} ${context.given}${words}`.trimEnd()));
    const status = driftStatus(report, { failOnUnmanaged: false });
    const shown = { name: configurationName(context, options.config, options.team[0]), stage, commit: null, report, status, advice };
    const format = formatFor(context);
    const text = `${driftReportText(shown, format)}\n${diagnosticsTextOf(context, found.diagnostics)}`;
    return { result: JSON.parse(driftReportJson(shown, format)) as Json, text };
  },
};
