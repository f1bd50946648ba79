import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { durationMs } from "../../core/model/time.ts";
import type { Environment } from "../context.ts";

/** A duration that an environment variable sets. Throws `setting_invalid`. */
export function duration({ environment }: Environment, name: string, fallbackMs: number): number {
  const text = environment[name];
  if (text === undefined || text === "") return fallbackMs;
  const found = durationMs(text);
  if (found !== null) return found;
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
