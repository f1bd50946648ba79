import { parseTemplate, referencesOf } from "../expression/syntax/template.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import type { Configuration } from "./block.ts";

/** Warns about variables that no text of the configuration refers to. */
export function unusedVariables(configuration: Configuration): readonly Diagnostic[] {
  const { variables, ...rest } = configuration;
  const validations = variables.map((variable) => variable.validations);
  const used = new Set(textsIn([rest, validations]).flatMap(variablesIn));
  return variables.flatMap(({ name, locate }) =>
    used.has(name)
      ? []
      : [
          warningOf("unused_variable", "Unused variable", {
            detail: `Nothing refers to the variable ${name}, so its value has no effect.`,
            hint: `Remove it, or refer to it as in \${var.${name}}.`,
            place: locate([]),
          }),
        ],
  );
}

/** Every text in a value that can contain a reference. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("{") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function variablesIn(text: string): readonly string[] {
  const template = parseTemplate(text);
  return "detail" in template
    ? []
    : referencesOf(template).flatMap(({ steps: [root, name] }) => (root === "var" ? [String(name)] : []));
}
