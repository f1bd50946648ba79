import { validationJson } from "../../output/json/diagnostic-json.ts";
import { checkConfiguration } from "../../operations/configuration/check-configuration.ts";
import { arrangedDiagnostics } from "../../operations/messages/arrange-diagnostics.ts";
import { CHOICE, DIAGNOSTICS } from "./tool-schemas.ts";
import { COUNT, TEXT, record } from "../../output/json/json-schema.ts";
import { type ToolDefinition, diagnosticsTextOf } from "./tool-call.ts";

export const validateTool: ToolDefinition = {
  name: "validate",
  title: "Validate the configuration",
  description: "Checks the configuration, without the network: every mistake with file, line and column, and what to write instead.",
  isRemote: false,
  input: { type: "object", properties: { ...CHOICE }, additionalProperties: false },
  result: record({ format_version: TEXT, valid: { type: "boolean" }, error_count: COUNT, warning_count: COUNT, diagnostics: DIAGNOSTICS }),
  answer: async ({ context, options }) => {
    const found = (await checkConfiguration(context, options)).diagnostics.filter(({ unknown }) => unknown !== "value");
    const text = diagnosticsTextOf(context, found);
    return { result: validationJson(arrangedDiagnostics(context, found, { hidesEmails: true })), text: text === "" ? "The configuration is valid." : text };
  },
};
