import { validationJson } from "../../../output/json/diagnostic-json.ts";
import { diagnosticsText } from "../../../output/content/diagnostic-text.ts";
import { plain } from "../../../output/content/paint.ts";
import { checkConfiguration, withoutEnvironment } from "../../../operations/configuration/check-configuration.ts";
import { CHOICE, pageOf } from "./mcp/tool-schemas.ts";
import { type ToolDefinition, toolDiagnostics } from "./mcp/tool-call.ts";

export const tool: ToolDefinition = {
  title: "Validate the configuration",
  description:
    "Checks the configuration, without the network: every mistake with file, line and column, and what to write instead.",
  isRemote: false,
  parameters: CHOICE,
  lists: ["diagnostics"],
  answer: async ({ context, options, arguments: given }) => {
    const found = withoutEnvironment((await checkConfiguration(context, options)).diagnostics);
    const arranged = toolDiagnostics(context, found);
    const shown = pageOf(arranged, given);
    const lead = `${String(arranged.length)} messages, ${String(arranged.filter(({ severity }) => severity === "error").length)} of them errors.`;
    const text = `${shown.length < arranged.length ? `${lead}\n\n` : ""}${diagnosticsText(shown, plain, null)}`;
    return {
      result: validationJson(arranged),
      lead,
      text: arranged.length === 0 ? "The configuration is valid." : text,
    };
  },
};
