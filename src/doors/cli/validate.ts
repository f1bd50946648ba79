import { hasErrors } from "../../core/model/diagnostic.ts";
import { loadConfiguration } from "./load-configuration.ts";
import type { ConfigOptions } from "./options.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Checks the configuration without the network: what only the service knows is left open. */
export async function validateCommand(terminal: Terminal, options: ConfigOptions): Promise<ExitCode> {
  const { value: loaded, diagnostics } = await loadConfiguration(terminal, options);
  const all = [...diagnostics, ...loaded.evaluate(new Map()).diagnostics];
  printDiagnostics(terminal, all);
  if (hasErrors(all)) return 1;
  terminal.out(`${terminal.paint("green", "Success!")} The configuration is valid.\n`);
  return 0;
}
