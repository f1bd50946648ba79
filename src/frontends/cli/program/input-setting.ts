import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Environment } from "../../../operations/context.ts";

/** As in Terraform, whose TF_INPUT takes the same values. */
const VALUES: { readonly [text: string]: boolean } = { "": true, 1: true, true: true, 0: false, false: false };

type Surroundings = Environment & { readonly stdin: { readonly isTTY?: boolean } };

/** Why no question may be asked, as a clause; null if one may. `input` is false with `--input=false`. */
export function whyNotAsked({ environment, stdin }: Surroundings, input: boolean): string | null {
  if (!input) return "--input=false forbids questions";
  if (VALUES[environment["OUTREACH_INPUT"] ?? ""] === false) return "OUTREACH_INPUT forbids questions";
  return stdin.isTTY ? null : "the input is not a terminal";
}

/** Throws `setting_invalid` for a value of OUTREACH_INPUT that means nothing. */
export function assertInputSetting({ environment }: Environment): void {
  const text = environment["OUTREACH_INPUT"] ?? "";
  if (Object.hasOwn(VALUES, text)) return;
  throw new DiagnosticsError([
    {
      code: "setting_invalid",
      severity: "error",
      summary: "Invalid setting",
      detail: `OUTREACH_INPUT is ${JSON.stringify(text)}, which is neither true nor false.`,
      hint: "Set it to 0 to forbid questions, or unset it.",
    },
  ]);
}
