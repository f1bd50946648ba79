import { plain } from "../../../../output/content/paint.ts";
import { CHOICE } from "../mcp/tool-schemas.ts";
import type { Diagnostic } from "../../../../core/model/diagnostic.ts";
import { explanationJson } from "./explanation-json.ts";
import { explanationText } from "./explanation-text.ts";
import { explain } from "../../../../operations/explain.ts";
import { withOpenRun } from "../../../../operations/open-run.ts";
import { type ToolDefinition, toolDiagnostics } from "../mcp/tool-call.ts";

export const tool: ToolDefinition = {
  title: "Explain an address",
  description:
    "Shows what is declared, recorded and live at one address, why the plan decides as it does, and what an apply would do. Sends no writes. Secrets are not read.",
  isRemote: true,
  parameters: {
    address: {
      type: "string",
      description: "As in outreach_webhook.crm-replies. The masked form of an email is accepted.",
    },
    ...CHOICE,
  },
  required: ["address"],
  answer: ({ context, options, arguments: given }) =>
    withOpenRun(context, { ...options, operation: "explain", persists: false }, async (run) => {
      const explanation = await explain(run, String(given["address"]));
      const arranged = (found: readonly Diagnostic[]): readonly Diagnostic[] => toolDiagnostics(context, found);
      const shown = {
        ...context,
        paint: plain,
        state: run.store.name,
        arranged,
      };
      return { result: explanationJson(explanation, shown), text: explanationText(explanation, shown) };
    }),
};
