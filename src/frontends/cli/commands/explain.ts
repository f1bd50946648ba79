import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { ExitCode, Output } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StateOptions, withState } from "../program/options.ts";
import { arrangedDiagnostics } from "../screen/print-diagnostics.ts";
import type { ServiceContext } from "../session/connection.ts";
import { explainAddress } from "../session/explain-address.ts";
import { withSession } from "../session/session.ts";

interface ExplainOptions extends StateOptions {
  readonly json: boolean;
  /** False with `--no-secrets`. */
  readonly secrets: boolean;
}

export const explainCommand: CommandDefinition<ExplainOptions, readonly [address: string]> = {
  name: "explain",
  description: "shows what is declared, recorded and live at an address, and why the plan decides as it does; sends no writes",
  example: { lines: ["outreach explain outreach_webhook.crm-replies"] },
  declare: (command) =>
    withState(command)
      .argument("<address>", "as in outreach_webhook.crm-replies")
      .option("--json", "print JSON", false)
      .option("--no-secrets", "resolve no secrets and run no commands; a recorded secret counts as unchanged"),
  run: (context, { options, operands: [address] }) => explainOne(context, address, options),
};

/** Explains one address. An undecided outcome there is exit code 3, as in a plan. */
function explainOne(context: Output & ServiceContext, typed: string, { json, secrets, ...options }: ExplainOptions): Promise<ExitCode> {
  return withSession(context, options, { operation: "explain", persists: false, trusted: secrets }, async (session): Promise<ExitCode> => {
    const { explanation, state, commands } = await explainAddress(context, session, { typed, withSecrets: secrets });
    const { catalog, version, paint } = context;
    const arranged = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => arrangedDiagnostics(context, diagnostics, "out");
    if (json) {
      const [{ explanationJson }, { jsonText }] = await Promise.all([
        import("../../../output/json/explanation-json.ts"),
        import("../../../output/json/json-text.ts"),
      ]);
      context.out(`${jsonText(explanationJson(explanation, { catalog, version, state, commands, arranged }), { indented: true })}\n`);
    } else {
      const { explanationText } = await import("../../../output/text/explanation-text.ts");
      context.out(explanationText(explanation, { catalog, paint, state, commands, arranged }));
    }
    return explanation.isUndecided ? 3 : 0;
  });
}
