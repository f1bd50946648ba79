import { audit } from "./audit.ts";
import { auditSentences } from "./audit-groups.ts";
import { auditJson } from "./audit-json.ts";
import type { JsonObject } from "../../../../output/json/escaped-json.ts";
import { auditText } from "./audit-text.ts";
import { type ToolDefinition, diagnosticsTextOf, formatFor, toolDiagnostics } from "../mcp/tool-call.ts";
import { CHOICE, pageOf } from "../mcp/tool-schemas.ts";

const DAY_MS = 86_400_000;

export const tool: ToolDefinition = {
  title: "Audit what is live",
  description:
    "Reports every live webhook: managed or not, duplicates, overlaps, dead campaigns, leftovers of automation tools, plain http. Unmanaged does not mean unused. Sends no writes.",
  isRemote: true,
  parameters: {
    ...CHOICE,
    older_than_days: {
      type: "integer",
      minimum: 1,
      maximum: 36_500,
      description: "Also report webhooks that were created longer ago.",
    },
  },
  lists: ["live"],
  answer: async ({ context, options, arguments: given }) => {
    const { older_than_days: days } = given as { readonly older_than_days?: number };
    const found = await audit(context, {
      ...options,
      olderThanMs: days === undefined ? null : days * DAY_MS,
    });
    const shown = { ...found, team: options.team[0] ?? null, diagnostics: toolDiagnostics(context, found.diagnostics) };
    const format = { ...formatFor(context), nowMs: context.clock.now() };
    const part = {
      ...shown,
      reports: found.reports.map((report) => ({ ...report, objects: pageOf(report.objects, given) })),
    };
    const isPart = part.reports.some(
      ({ objects }, index) => objects.length < (found.reports[index]?.objects.length ?? 0),
    );
    const lead = `${auditSentences(shown, context.catalog).join("\n")}\n`;
    const text = `${isPart ? `${lead}\nThe groups show a part of the webhooks.\n` : ""}${auditText(part, format)}\n${diagnosticsTextOf(context, found.diagnostics)}`;
    return { result: JSON.parse(auditJson(shown, format)) as JsonObject, lead, text };
  },
};
