import { parseTemplate, referencesOf } from "../expression/syntax/template.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import type { Configuration } from "./block.ts";

/** Warns about variables that no text of the configuration refers to. */
export function unusedVariables(configuration: Configuration): readonly Diagnostic[] {
  const { variables, teams, ...rest } = configuration;
  if (variables.length === 0) return [];
  const used = usedIn([rest, variables.map(({ validations }) => validations)]);
  // Each of thousands of teams asks, and the teams are searched only for a variable that nothing else refers to.
  const usedByTeams = variables.every(({ name }) => used.has(name)) ? used : usedIn(teams);
  return variables.flatMap(({ name, locate }) =>
    used.has(name) || usedByTeams.has(name)
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

const usedIn = (value: unknown): ReadonlySet<string> => new Set(textsIn(value).flatMap(variablesIn));

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
