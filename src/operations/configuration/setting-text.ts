import type { Argument } from "../../core/config/block.ts";
import { evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { type Diagnostic, type Place, type Result, type Written, errorOf } from "../../core/model/diagnostic.ts";
import { type Value, isUnknown } from "../../core/model/value.ts";
import type { SettledConfiguration } from "../context.ts";

/** The text of one of the settings (`base_url`, `state.path`), which may use variables but no data. */
export function settingText(
  argument: Argument,
  settled: SettledConfiguration,
  locate: (written?: Written) => Place | undefined,
): Result<string | null> {
  const { value, diagnostics } = settingValue(argument, settled, locate);
  if (value === null || typeof value === "string") return { value, diagnostics };
  return typeof value === "object"
    ? { value: null, diagnostics: [emptySetting(locate())] }
    : { value: String(value), diagnostics };
}

/** The value of a setting. Null with an error, or if it is unknown, which was reported before. */
export function settingValue(
  argument: Argument,
  { settings }: SettledConfiguration,
  locate: (written?: Written) => Place | undefined,
): Result<Value> {
  const { value, problems } = evaluateArgument(argument, settings);
  if (problems.length === 0 && value !== null && value !== "" && !isUnknown(value)) return { value, diagnostics: [] };
  const place = locate();
  const diagnostics = problems.map(({ offset = 0, text: written, ...said }): Diagnostic => {
    const at = written === undefined ? place : locate({ text: written, offset });
    return { severity: "error", ...said, ...(at ? { place: at } : {}) };
  });
  return { value: null, diagnostics: diagnostics.length > 0 || isUnknown(value) ? diagnostics : [emptySetting(place)] };
}

function emptySetting(place: Place | undefined): Diagnostic {
  return errorOf("setting_empty", "Setting without a value", {
    detail: "This setting must be a non-empty string.",
    hint: "Set it, or set the variable that it refers to.",
    place,
  });
}
