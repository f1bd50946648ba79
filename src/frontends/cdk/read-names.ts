import type { Local, Output, Variable } from "../../core/config/block.ts";
import { Unfit, type VariableType, parseVariableType } from "../../core/config/variables/variable-type.ts";
import type { Diagnostic, Place, Result } from "../../core/model/diagnostic.ts";
import type { Value } from "../../core/model/value.ts";
import { checkName, mistaken, outside, unknownArgument } from "./outside.ts";
import { argumentOf, isTemplate, normal, readDependsOn, readFlag } from "./read-argument.ts";
import { COMMENT, type Labelled, type Tree, constructPath, isTree } from "./stack-tree.ts";

const VARIABLE = ["type", "default", "sensitive", "nullable", "description"];
const OUTPUT = ["value", "sensitive", "description", "depends_on"];
const ONLY_IN_A_RUN = "it is a value that Terraform forgets when the run is over";
const CONDITION = "only Terraform checks the conditions of a configuration";
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([
  ["validation", CONDITION],
  ["precondition", CONDITION],
  ["ephemeral", ONLY_IN_A_RUN],
]);

export function readVariable({ labels: [name = ""], body }: Labelled, file: string): Result<Variable> {
  const place = { file, construct: constructPath(body) ?? `var.${name}` };
  const type = readType(body["type"], place);
  const { default: fallback } = body;
  const { value: sensitive, diagnostics: inSensitive } = readFlag(body, "sensitive", { place });
  const { value: nullable, diagnostics: inNullable } = readFlag(body, "nullable", { place, absent: true });
  const diagnostics = [...checkVariableName(name, place), ...unknownKeys(body, VARIABLE, place), ...type.diagnostics, ...inSensitive, ...inNullable];
  if (sensitive && (fallback ?? "") !== "") diagnostics.push(literalDefault(name, place));
  if (hasTemplate(fallback))
    diagnostics.push(
      mistaken("Variables not allowed", {
        detail: `The default of ${name} is an expression, but a default is a value.`,
        hint: "Write the value out, or declare a local.",
        place,
      }),
    );
  return {
    value: {
      name,
      default: plain(fallback),
      sensitive,
      ...(type.value === null ? {} : { type: type.value }),
      ...(nullable ? {} : { nullable }),
      locate: () => place,
    },
    diagnostics,
  };
}

/** Names that mean something else in a module. */
const RESERVED = ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

function checkVariableName(name: string, place: Place): readonly Diagnostic[] {
  if (!RESERVED.includes(name)) return checkName(name, place);
  return [
    mistaken("Invalid name", {
      detail: `No variable can be called ${name}: the word means something else to Terraform.`,
      hint: "Give it another name.",
      place,
    }),
  ];
}

function readType(written: unknown, place: Place): Result<VariableType | null> {
  if (written === undefined) return { value: null, diagnostics: [] };
  const type = typeof written === "string" ? parseVariableType(written) : new Unfit("The type is no text.");
  if (!(type instanceof Unfit)) return { value: type, diagnostics: [] };
  return { value: null, diagnostics: [mistaken("Invalid type", { detail: type.detail, hint: "Write it as Terraform does: list(string).", place })] };
}

/** A stack may hold no secret: a sensitive variable's value comes from outside. */
function literalDefault(name: string, place: Place): Diagnostic {
  return {
    code: "secret_literal",
    severity: "error",
    summary: "A secret in plain text",
    detail: `The sensitive variable ${name} has a default, so everybody who can read the stack can read it.`,
    hint: `Take the default out, and give the value with TF_VAR_${name} or OUTREACH_VAR_${name}.`,
    place,
  };
}

/** An output, and what it says to depend on. */
export interface StackOutput extends Output {
  readonly dependsOn: readonly string[];
}

export function readOutput({ labels: [name = ""], body }: Labelled, file: string): Result<StackOutput> {
  const place = { file, construct: constructPath(body) ?? `output.${name}` };
  const { value: sensitive, diagnostics: inSensitive } = readFlag(body, "sensitive", { place });
  const { value: dependsOn, diagnostics: inDependsOn } = readDependsOn(body["depends_on"], place);
  const diagnostics = [...checkName(name, place), ...unknownKeys(body, OUTPUT, place), ...inSensitive, ...inDependsOn];
  if (body["value"] === undefined)
    diagnostics.push(mistaken("Missing required argument", { detail: `The output ${name} has no value.`, hint: "Give it one.", place }));
  return { value: { name, value: argumentOf(body["value"]), sensitive, dependsOn, locate: () => place }, diagnostics };
}

export function readLocals({ body }: Labelled, file: string): Result<readonly Local[]> {
  const locals = Object.entries(body).flatMap(([name, value]) =>
    name === COMMENT ? [] : [{ name, value: argumentOf(value), place: { file, construct: `local.${name}` } }],
  );
  return {
    value: locals.map(({ name, value, place }) => ({ name, value, locate: () => place })),
    diagnostics: locals.flatMap(({ name, place }) => checkName(name, place)),
  };
}

function unknownKeys(body: Tree, known: readonly string[], place: Place): Diagnostic[] {
  return Object.entries(body).flatMap(([key, value]) => {
    if (key === COMMENT || known.includes(key) || (key === "ephemeral" && value === false)) return [];
    const why = TERRAFORM_ONLY.get(key);
    return [why === undefined ? unknownArgument(key, known, place) : outside(key, why, place)];
  });
}

function hasTemplate(value: unknown): boolean {
  if (typeof value === "string") return isTemplate(value);
  if (Array.isArray(value)) return value.some(hasTemplate);
  return isTree(value) && Object.entries(value).some(([key, inner]) => isTemplate(key) || hasTemplate(inner));
}

/** The value itself: a default is no template, so that nothing stands for a literal `${` in it. */
function plain(value: unknown): Value | undefined {
  if (typeof value === "string") return normal(value);
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null);
  if (isTree(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [normal(key), plain(inner) ?? null]));
  return value as Value | undefined;
}
