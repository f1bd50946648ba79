import { DiagnosticsError, type Diagnostic, hasErrors } from "../../../core/model/diagnostic.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { checkConfiguration, withoutEnvironment } from "../../../operations/configuration/check-configuration.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type CommandOptions, withConfig } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";

/** Checks the configuration without the network. Values from the service, and variables without a value, count as unknown. */
export const definition: CommandDefinition<CommandOptions> = {
  description: "checks the configuration, without the network",
  example: { lines: ["outreach validate -c outreach.yaml"] },
  declare: (command) => withConfig(command).option("--json", "print Terraform's validate format", false),
  forTeams: { json: "document", runsNoCommands: true },
  run: async (context, { options }) => {
    if (options.json) return validateAsJson(context, options);
    const diagnostics = await validated(context, options);
    printDiagnostics(context, diagnostics);
    if (hasErrors(diagnostics)) return 1;
    context.out(`${context.paint("green", "Success!")} The configuration is valid.\n`);
    return 0;
  },
};

/** A configuration that cannot be read is reported as JSON too. */
async function validateAsJson(context: CommandContext, options: CommandOptions): Promise<ExitCode> {
  const [{ validationJson }, { jsonText }] = await Promise.all([
    import("../../../output/json/diagnostic-json.ts"),
    import("../../../output/json/escaped-json.ts"),
  ]);
  const diagnostics = await validated(context, options).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) return error.diagnostics;
    throw error;
  });
  context.out(
    `${jsonText(validationJson(arrangedDiagnostics(context, diagnostics, { hidesEmails: context.hidesEmails.out })), { indented: true })}\n`,
  );
  return hasErrors(diagnostics) ? 1 : 0;
}

async function validated(context: CommandContext, options: CommandOptions): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await checkConfiguration(context, options);
  return withoutEnvironment(diagnostics);
}
