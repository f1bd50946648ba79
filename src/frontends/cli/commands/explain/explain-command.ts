import type { Diagnostic } from "../../../../core/model/diagnostic.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import { arrangedDiagnostics } from "../../../../operations/messages/arrange-diagnostics.ts";

import { explain } from "../../../../operations/explain.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { withOpenRun } from "../../../../operations/open-run.ts";

/** Explains one address. An undecided outcome there is exit code 3, as in a plan. */
export const definition: CommandDefinition<CommandOptions, readonly [address: string]> = {
  description:
    "shows what is declared, recorded and live at an address, and why the plan decides as it does; sends no writes",
  example: { lines: ["outreach explain outreach_webhook.crm-replies"] },
  declare: (command) =>
    withState(command)
      .argument("<address>", "as in outreach_webhook.crm-replies")
      .option("--json", "print JSON", false)
      .option("--no-secrets", "resolve no secrets and run no commands; a recorded secret counts as unchanged"),
  run: (context, { options: { json, ...options }, operands: [typed] }) =>
    withOpenRun(context, { ...options, operation: "explain", persists: false }, async (run): Promise<ExitCode> => {
      const explanation = await explain(run, typed);
      const { catalog, version, paint } = context;
      const shown = {
        catalog,
        state: run.store.name,
        arranged: (found: readonly Diagnostic[]) =>
          arrangedDiagnostics(context, found, { hidesEmails: context.hidesEmails.out }),
      };
      if (json) {
        const [{ explanationJson }, { jsonText }] = await Promise.all([
          import("./explanation-json.ts"),
          import("../../../../output/json/escaped-json.ts"),
        ]);
        context.out(`${jsonText(explanationJson(explanation, { ...shown, version }), { indented: true })}\n`);
      } else {
        const { explanationText } = await import("./explanation-text.ts");
        context.out(explanationText(explanation, { ...shown, paint }));
      }
      return explanation.isUndecided ? exitCodeOf("undecided") : 0;
    }),
};
