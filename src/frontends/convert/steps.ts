import type { SecretSource } from "../../core/model/declaration.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import type { Handover } from "./handover.ts";
import type { SecretVariable } from "./plain-blocks.ts";
import type { Variable } from "../../core/config/block.ts";
import type { VariableValue } from "../../core/config/variables/variables.ts";
import { hasUnknown } from "../../core/model/value.ts";
import { escapedText } from "./segments.ts";

/** One side of a conversion, as text for the steps. */
export interface Side {
  /** The file with its declarations, such as `outreach.yaml`. */
  readonly file: string;
  /** The file for imports, where they can have one of their own. */
  readonly importsFile?: string;
  /** The commands to plan and apply. */
  readonly plan: readonly string[];
  readonly apply: string;
}

export interface Steps {
  /** The command line of the conversion, to write its output to a file. */
  readonly command: string;
  readonly from: Side & { readonly form: "yaml" | "cdk"; readonly releaseText: string };
  readonly to: Side;
  /** Shell lines that set up the target's environment. */
  readonly environment: readonly string[];
  /** Null if no state was found. */
  readonly handover: Handover | null;
  readonly state: string;
}

/** The steps to move the declarations to the other side. They recreate nothing, and no object ever has two owners. */
export function stepsText({ command, from, to, environment, handover, state }: Steps): string {
  if (!handover || handover.imports.length === 0) {
    const why = handover ? `${state} records nothing` : `The state ${state} does not exist`;
    return `${why}: nothing is imported.${from.form === "cdk" ? ownedByTerraform(to) : ""}\n${numbered([
      writeOutput(command, to, false),
      ["Check the planned creates:", ...indented([...environment, ...to.plan])],
    ])}`;
  }
  const count = String(handover.imports.length);
  return `${state} records ${count === "1" ? "1 object" : `${count} objects`}. Nothing was sent, and nothing was changed. To move the recorded\nobjects without recreating them, and without two owners at any time:\n${numbered(
    [
      [
        `Check that nothing is pending: ${from.plan.join(" && ")} prints "No changes". Otherwise apply first, and convert again.`,
      ],
      writeOutput(command, to, true),
      [
        "Plan on the target side, which is read-only so far:",
        "",
        ...indented([...environment, ...to.plan]),
        "",
        `It must print ${count} to import, 0 to add and 0 to destroy. Otherwise stop. Changes only update the state; they send nothing.`,
      ],
      [
        `Release the objects here. ${from.releaseText}`,
        "",
        ...indented(removedLines(from.form, handover)),
        "",
        `Then ${from.apply} prints: 0 to add, 0 to change, 0 to destroy, ${count} to forget. The live objects do not change.`,
      ],
      [`Import the objects there: ${to.apply}`],
      [`Now the plan prints "No changes", and you can remove ${to.importsFile ?? "the import blocks"}.`],
    ],
  )}`;
}

/** outreach cannot read Terraform's state. */
function ownedByTerraform({ file }: Side): string {
  return file === "outreach.yaml"
    ? ` If Terraform has applied this stack, Terraform owns the objects. Release them there first,
with removed blocks and destroy = false in their lifecycle. Then outreach apply --adopt takes over the live objects.`
    : ` If Terraform has applied this stack, Terraform owns the objects and keeps them:
add the stack's backend to ${file}, so that Terraform finds its state. Then its plan must print 0 to add and 0 to destroy.`;
}

function writeOutput(command: string, { file, importsFile }: Side, hasImports: boolean): readonly string[] {
  if (!hasImports || importsFile === undefined)
    return [`Write the output to a new file. It does not contain comments and descriptions: ${command} > ${file}`];
  return [
    "Write the output to two new files, the second with the imports. They do not contain comments and descriptions:",
    "",
    `  ${command} | awk '/^# ${importsFile}/ { i = 1 } { print > (i ? "${importsFile}" : "${file}") }'`,
    "",
  ];
}

/** Shell lines that set the variables for secrets from their current sources. `inside` is the base of relative paths; null for the working folder. */
export function exportsOf(secrets: readonly SecretVariable[], inside: string | null): readonly string[] {
  const isThere = ({ name, source }: SecretVariable): boolean =>
    source.kind === "env" && source.name === `TF_VAR_${name}`;
  return secrets
    .filter((one) => !isThere(one))
    .map(({ name, source }) => `export TF_VAR_${name}=${valueOf(source, inside)}`);
}

/** The removed blocks in the source's form. */
function removedLines(form: Steps["from"]["form"], { removed }: Handover): readonly string[] {
  if (form === "yaml") return ["removed:", ...removed.map(({ from }) => `  - { from: ${from}, destroy: false }`)];
  return [
    'this.addOverride("removed", [',
    ...removed.map(({ from }) => `  { from: "${from}", lifecycle: { destroy: false } },`),
    "]);",
  ];
}

const SHELL_NAME = /^[A-Za-z_]\w*$/;

function valueOf(source: SecretSource, inside: string | null): string {
  switch (source.kind) {
    case "env":
      return SHELL_NAME.test(source.name) ? `"$${source.name}"` : `"$(printenv ${shellWord(source.name)})"`;
    case "file":
      return `"$(cat ${shellWord(inside === null || source.path.startsWith("/") ? source.path : `${inside}/${source.path}`)})"`;
    case "command":
      return `"$(${inside === null ? "" : `cd ${shellWord(inside)} && `}${source.command.map(shellWord).join(" ")})"`;
    case "value":
      throw new Error("a secret that is known");
  }
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function numbered(steps: readonly (readonly string[])[]): string {
  return steps
    .map(
      ([first = "", ...lines], index) =>
        `\n${String(index + 1)}. ${first}\n${lines.map((line) => (line === "" ? "\n" : `   ${line}\n`)).join("")}`,
    )
    .join("");
}

/** The prefixes of environment variables with values of variables, on both sides. */
const PREFIXES = ["TF_VAR_", "OUTREACH_VAR_"] as const;

/** The prefix that wins if both are set. */
const WINNING_PREFIX = "OUTREACH_VAR_";

interface Given {
  readonly values: ReadonlyMap<string, VariableValue>;
  readonly to: (typeof PREFIXES)[number];
  /** Whether an environment variable is set. */
  readonly isSet: (name: string) => boolean;
}

/** Shell lines that pass the current values of variables to the other side, unless it reads them anyway. */
export function variableExports(variables: readonly Variable[], { values, to, isSet }: Given): readonly string[] {
  const [from = to] = PREFIXES.filter((prefix) => prefix !== to);
  return variables.flatMap(({ name, default: fallback, sensitive }) => {
    const value = values.get(name)?.value;
    if (value === undefined || hasUnknown(value) || JSON.stringify(value) === JSON.stringify(fallback)) return [];
    const isSetThere = isSet(`${to}${name}`);
    if (isSet(`${from}${name}`) && (!isSetThere || from === WINNING_PREFIX))
      return [`export ${to}${name}="$${from}${name}"`];
    if (isSetThere) return [];
    if (sensitive)
      return [`read -rs ${to}${name} && export ${to}${name}   # ${name} is sensitive: type its current value`];
    const text =
      typeof value === "object"
        ? JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "string" ? escapedText(inner) : inner))
        : String(value);
    return [`export ${to}${name}=${shellWord(text)}`];
  });
}
