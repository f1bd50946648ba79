import type { CommandContext, ExitCode } from "../command-context.ts";
import { printFailure } from "./print-diagnostics.ts";

/** Prints a failure, as JSON where the results are JSON, and returns the exit code. */
export async function showFailure(context: CommandContext, format: string, error: unknown): Promise<ExitCode> {
  if (format !== "json") return printFailure(context, error);
  const { withView } = await import("./view.ts");
  return withView(context, { json: true }, () => Promise.reject(error));
}
