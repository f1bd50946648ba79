import type { OutputValue } from "../../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, nearest, warningOf } from "../../../core/model/diagnostic.ts";
import { jsonText } from "../../../output/json/escaped-json.ts";
import { knownJson, typeJson } from "../../../output/json/json-value.ts";
import { wholeText } from "../../../output/content/value-text.ts";
import type { OperationContext } from "../../../operations/context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { readRecords } from "../../../operations/state/records.ts";
import { outputsText } from "../../../output/text/state-text.ts";

interface OutputOptions extends CommandOptions {
  readonly raw: boolean;
}

/** Prints the output values of the last apply: one, or all of them with sensitive values hidden. */
export const definition: CommandDefinition<OutputOptions, readonly [name: string | undefined]> = {
  description: "prints the output values of the last apply",
  example: { purpose: "in a script", lines: ["outreach output --raw q3_id"] },
  declare: (command) =>
    withStatePath(command)
      .argument("[name]", "print only this value, even if it is sensitive")
      .option("--json", "print JSON", false)
      .option("--raw", "print the value alone, without quotes or a line end", false),
  run: async (context, { options: { json = false, raw, ...options }, operands: [name] }) => {
    if (json && raw) throw formats("--json and --raw conflict.", "Pass one of them.");
    if (raw && name === undefined)
      throw formats("--raw prints one value.", "Name the output: outreach output --raw NAME");
    const { outputs } = (await readRecords(context, options)).open.document;
    if (name !== undefined) {
      const found = outputs.find((output) => output.name === name);
      if (!found) throw unknownOutput(name, outputs, applyOf(context));
      context.out(oneText(found, { json, raw }));
    } else if (json) context.out(`${jsonText(Object.fromEntries(outputs.map(entry)), { indented: true })}\n`);
    else if (outputs.length === 0) printDiagnostics(context, [noOutputs(applyOf(context))]);
    else context.out(outputsText(outputs));
    return 0;
  },
};

function entry({ name, value, sensitive }: OutputValue) {
  const known = knownJson(value);
  return [name, { sensitive, type: typeJson(known), value: known }] as const;
}

function oneText(
  { name, value }: OutputValue,
  { json, raw }: { readonly json: boolean; readonly raw: boolean },
): string {
  if (json) return `${jsonText(knownJson(value))}\n`;
  if (!raw) return `${wholeText(value)}\n`;
  if (value === null || typeof value === "object")
    throw formats(`${name} is not a string, number or boolean.`, "Print it with --json.");
  return String(value);
}

function formats(detail: string, hint: string): DiagnosticsError {
  return DiagnosticsError.of("output_format", "Unsupported output format", { detail, hint });
}

function applyOf({ given }: OperationContext): string {
  return `outreach apply ${given}`.trimEnd();
}

function unknownOutput(name: string, outputs: readonly OutputValue[], apply: string): DiagnosticsError {
  const names = outputs.map((output) => output.name);
  const meant = nearest(name, names);
  const known = names.length === 0 ? "It has none." : `It has ${names.join(", ")}.`;
  return DiagnosticsError.of("output_unknown", `Output not found`, {
    detail: `The state has no output ${JSON.stringify(name)}.${meant === null ? ` ${known}` : ""}`,
    hint: `${meant === null ? "" : `Did you mean ${meant}? `}If it was declared after the last apply: ${apply}`,
  });
}

function noOutputs(apply: string): Diagnostic {
  return warningOf("outputs_none", "No outputs found", {
    detail: "The state has no outputs: the configuration declares none, or they have not been applied yet.",
    hint: `Declare them under outputs in YAML, or as TerraformOutput in a stack, and apply: ${apply}`,
  });
}
