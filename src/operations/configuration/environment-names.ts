import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { durationMs } from "../../core/model/iso-time.ts";
import type { Ports } from "../context.ts";

/** The environment variables of the service's address and key. */
export const BASE_URL_VARIABLE = "OUTREACH_BASE_URL";
export const API_KEY_VARIABLE = "OUTREACH_API_KEY";
/** The environment variable of the configuration without `-c`. */
export const CONFIG_VARIABLE = "OUTREACH_CONFIG";
/** The environment variables of the database of a fleet, and of the token for changes over HTTP. */
export const DATABASE_VARIABLE = "OUTREACH_DATABASE";
export const TOKEN_VARIABLE = "OUTREACH_CONTROLLER_TOKEN";

/** The prefixes of environment variables that set variables of a configuration or a stack. */
export const VARIABLE_PREFIXES = ["TF_VAR_", "OUTREACH_VAR_"] as const;

/** A duration that an environment variable sets. Throws `setting_invalid`. */
export function duration({ environment }: Ports, name: string, fallbackMs: number): number {
  const text = environment[name];
  if (text === undefined || text === "") return fallbackMs;
  const found = durationMs(text);
  if (found !== null) return found;
  throw DiagnosticsError.of("setting_invalid", "Invalid setting", {
    detail: `${name} is ${JSON.stringify(text)}, which is not a duration.`,
    hint: "Use a number and a unit, as in 10s or 500ms.",
  });
}
