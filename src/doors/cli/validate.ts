import { DiagnosticsError, type Diagnostic, type Result, hasErrors } from "../../core/model/diagnostic.ts";
import { doubledDeclarations } from "../../core/plan/doubled.ts";
import { baseUrlOf } from "./base-url.ts";
import { type LoadedConfiguration, loadConfiguration, stateSetting } from "./load-configuration.ts";
import type { ConfigOptions, JsonOptions } from "./options.ts";
import { arrangedDiagnostics, printDiagnostics } from "./print-diagnostics.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Checks the configuration without the network: what only the service knows is left open, and so are variables without a value. */
export async function validateCommand(terminal: Terminal, options: JsonOptions): Promise<ExitCode> {
  if (options.json) return validateAsJson(terminal, options);
  const diagnostics = await validated(terminal, options);
  printDiagnostics(terminal, diagnostics);
  if (hasErrors(diagnostics)) return 1;
  terminal.out(`${terminal.paint("green", "Success!")} The configuration is valid.\n`);
  return 0;
}

/** A configuration that cannot be read at all is an answer too. */
async function validateAsJson(terminal: Terminal, options: ConfigOptions): Promise<ExitCode> {
  const [{ validationJson }, { jsonText }] = await Promise.all([import("../../output/diagnostic-json.ts"), import("../../output/json-text.ts")]);
  const diagnostics = await validated(terminal, options).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) return error.diagnostics;
    throw error;
  });
  terminal.out(`${jsonText(validationJson(arrangedDiagnostics(terminal, diagnostics, "out")), { indented: true })}\n`);
  return hasErrors(diagnostics) ? 1 : 0;
}

async function validated(terminal: Terminal, options: ConfigOptions): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await checkConfiguration(terminal, options);
  return diagnostics.filter(({ code }) => code !== "variable_missing");
}

/** Everything that is wrong with a configuration, whatever the environment says of the service. */
export async function checkConfiguration(terminal: Terminal, options: ConfigOptions): Promise<Result<LoadedConfiguration>> {
  const { value, diagnostics } = await loadConfiguration(terminal, options);
  const settings = [...baseUrlOf({ ...terminal, environment: {} }, value).diagnostics, ...stateSetting(value).diagnostics];
  const evaluated = value.evaluate({ known: new Map(), instances: [] });
  const wrong = new Set(evaluated.diagnostics.map(({ address }) => address));
  const declarations = evaluated.declarations.filter(({ address }) => !wrong.has(address.split("[", 1)[0]));
  const doubled = doubledDeclarations({ catalog: terminal.catalog, declarations });
  return { value, diagnostics: [...diagnostics, ...settings, ...evaluated.diagnostics, ...doubled] };
}
