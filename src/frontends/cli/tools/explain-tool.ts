import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { explanationJson } from "../../../output/json/explanation-json.ts";
import { EXPLANATION_SCHEMA } from "../../../output/json/explanation-schema.ts";
import { explanationText } from "../../../output/text/explanation-text.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import { explainAddress } from "../session/explain-address.ts";
import { withSession } from "../session/session.ts";
import { CHOICE } from "./arguments.ts";
import type { ToolDefinition } from "./tool-call.ts";

const { $schema: _, ...RESULT } = EXPLANATION_SCHEMA;

export const explainTool: ToolDefinition = {
  name: "explain",
  title: "Explain an address",
  description:
    "Shows what is declared, recorded and live at one address, why the plan decides as it does, what an apply would do, and which commands a person can run. Sends no writes. Secrets are not read.",
  isRemote: true,
  input: {
    type: "object",
    properties: {
      address: { type: "string", description: "As in outreach_webhook.crm-replies. The masked form of an email is accepted." },
      ...CHOICE,
    },
    required: ["address"],
    additionalProperties: false,
  },
  result: RESULT,
  answer: ({ context, options, arguments: given }) =>
    withSession(context, options, { operation: "explain", persists: false, trusted: false }, async (session) => {
      const { explanation, state, commands } = await explainAddress(context, session, { typed: String(given["address"]), withSecrets: false });
      const arranged = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => arrangedDiagnostics(context, diagnostics, "out");
      const shown = { ...context, state, commands, arranged };
      return { result: explanationJson(explanation, shown), text: explanationText(explanation, shown) };
    }),
};
