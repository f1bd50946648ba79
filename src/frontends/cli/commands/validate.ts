import { DiagnosticsError, type Diagnostic, type Result, hasErrors } from "../../../core/model/diagnostic.ts";
import { duplicateDeclarations } from "../../../core/plan/duplicates.ts";
import { baseUrlOf } from "../configuration/base-url.ts";
import { type LoadedConfiguration, loadConfiguration, stateSetting } from "../configuration/load-configuration.ts";
import type { ConfigOptions, JsonOptions } from "../program/options.ts";
import { arrangedDiagnostics, printDiagnostics } from "../screen/print-diagnostics.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";

/** Checks the configuration without the network: what only the service knows is left open, and so are variables without a value. */
export async function validateCommand(context: CommandContext, options: JsonOptions): Promise<ExitCode> {
  if (options.json) return validateAsJson(context, options);
  const diagnostics = await validated(context, options);
  printDiagnostics(context, diagnostics);
  if (hasErrors(diagnostics)) return 1;
  context.out(`${context.paint("green", "Success!")} The configuration is valid.\n`);
  return 0;
}

/** A configuration that cannot be read at all is an answer too. */
async function validateAsJson(context: CommandContext, options: ConfigOptions): Promise<ExitCode> {
  const [{ validationJson }, { jsonText }] = await Promise.all([
    import("../../../output/json/diagnostic-json.ts"),
    import("../../../output/json/json-text.ts"),
  ]);
  const diagnostics = await validated(context, options).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) return error.diagnostics;
    throw error;
  });
  context.out(`${jsonText(validationJson(arrangedDiagnostics(context, diagnostics, "out")), { indented: true })}\n`);
  return hasErrors(diagnostics) ? 1 : 0;
}

async function validated(context: CommandContext, options: ConfigOptions): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await checkConfiguration(context, options);
  return diagnostics.filter(({ code }) => code !== "variable_missing");
}

/** Everything that is wrong with a configuration, whatever the environment says of the service. */
export async function checkConfiguration(context: CommandContext, options: ConfigOptions): Promise<Result<LoadedConfiguration>> {
  const { value, diagnostics } = await loadConfiguration(context, options);
  const settings = [...baseUrlOf({ ...context, environment: {} }, value).diagnostics, ...stateSetting(value).diagnostics];
  const evaluated = value.evaluate({ known: new Map(), instances: [] });
  const wrong = new Set(evaluated.diagnostics.map(({ address }) => address));
  const declarations = evaluated.declarations.filter(({ address }) => !wrong.has(address.split("[", 1)[0]));
  const doubled = duplicateDeclarations({ catalog: context.catalog, declarations });
  return { value, diagnostics: [...diagnostics, ...settings, ...evaluated.diagnostics, ...doubled] };
}
