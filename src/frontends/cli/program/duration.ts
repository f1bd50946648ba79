import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Environment } from "../command-context.ts";
import { parseDurationMs } from "./options.ts";

/** A duration that an environment variable sets. Throws `setting_invalid`. */
export function duration({ environment }: Environment, name: string, fallbackMs: number): number {
  const text = environment[name];
  if (text === undefined || text === "") return fallbackMs;
  try {
    return parseDurationMs(text);
  } catch {
    throw new DiagnosticsError([
      {
        code: "setting_invalid",
        severity: "error",
        summary: "Invalid setting",
        detail: `${name} is ${JSON.stringify(text)}, which is not a duration.`,
        hint: "Use a number and a unit, as in 10s or 500ms.",
      },
    ]);
  }
}
