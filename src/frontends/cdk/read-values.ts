import type { Local, Output, Variable } from "../../core/config/block.ts";
import { TypeMismatch, type VariableType, parseVariableType } from "../../core/config/variables/variable-type.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import type { Value } from "../../core/model/value.ts";
import { readConditions } from "./read-lifecycle.ts";
import { checkName, saidOf, stackMistake, requiresTerraform, unknownArgument } from "./stack-problems.ts";
import { argumentOf, isTemplate, normal, readDependsOn, readFlag } from "./read-argument.ts";
import { COMMENT, type Labelled, type Tree, constructPath, isTree } from "./stack-tree.ts";

const VARIABLE = ["type", "default", "sensitive", "nullable", "description", "validation"];
const OUTPUT = ["value", "sensitive", "description", "depends_on", "precondition"];
const ONLY_IN_A_RUN = "only Terraform has values that exist only during a run";
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([["ephemeral", ONLY_IN_A_RUN]]);

export function readVariable({ labels: [name = ""], body }: Labelled, file: string): Result<Variable> {
  const place = { file, construct: constructPath(body) ?? `var.${name}` };
  const type = readType(body["type"], place);
  const { default: fallback } = body;
  const sensitive = readFlag(body, "sensitive", { place });
  const nullable = readFlag(body, "nullable", { place, absent: true });
  const validations = readConditions(body["validation"], "validation", place);
  const diagnostics = [
    ...checkVariableName(name, place),
    ...unknownKeys(body, VARIABLE, place),
    ...saidOf(type, sensitive, nullable, validations),
  ];
  if (sensitive.value && (fallback ?? "") !== "") diagnostics.push(literalDefault(name, place));
  if (hasTemplate(fallback))
    diagnostics.push(
      stackMistake("Variables not allowed", {
        detail: `The default of ${name} is an expression, but a default must be a literal value.`,
        hint: "Write a literal value, or declare a local.",
        place,
      }),
    );
  return {
    value: {
      name,
      default: plainValue(fallback),
      sensitive: sensitive.value,
      ...(type.value === null ? {} : { type: type.value }),
      ...(nullable.value ? {} : { nullable: false }),
      validations: validations.value,
      locate: () => place,
    },
    diagnostics,
  };
}

/** Names with another meaning in modules. */
const RESERVED = ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

function checkVariableName(name: string, place: Place): readonly Diagnostic[] {
  if (!RESERVED.includes(name)) return checkName(name, place);
  return [
    stackMistake("Invalid name", {
      detail: `A variable cannot have the name ${name}, which Terraform reserves.`,
      hint: "Use another name.",
      place,
    }),
  ];
}

function readType(written: unknown, place: Place): Result<VariableType | null> {
  if (written === undefined) return { value: null, diagnostics: [] };
  const type =
    typeof written === "string" ? parseVariableType(written) : new TypeMismatch("The type must be a string.");
  if (!(type instanceof TypeMismatch)) return { value: type, diagnostics: [] };
  return {
    value: null,
    diagnostics: [
      stackMistake("Invalid type", {
        detail: type.detail,
        hint: "Write it in Terraform's syntax, such as list(string).",
        place,
      }),
    ],
  };
}

/** A stack must not contain secrets: the value of a sensitive variable comes from outside. */
function literalDefault(name: string, place: Place): Diagnostic {
  return errorOf("secret_literal", "A secret in plain text", {
    detail: `The sensitive variable ${name} has a default, so anyone who can read the stack can read it.`,
    hint: `Remove the default, and set the value with TF_VAR_${name} or OUTREACH_VAR_${name}.`,
    place,
  });
}

/** An output with its `depends_on`. */
interface StackOutput extends Output {
  readonly dependsOn: readonly string[];
}

export function readOutput({ labels: [name = ""], body }: Labelled, file: string): Result<StackOutput> {
  const place = { file, construct: constructPath(body) ?? `output.${name}` };
  const sensitive = readFlag(body, "sensitive", { place });
  const dependsOn = readDependsOn(body["depends_on"], place);
  const preconditions = readConditions(body["precondition"], "precondition", place);
  const diagnostics = [
    ...checkName(name, place),
    ...unknownKeys(body, OUTPUT, place),
    ...saidOf(sensitive, dependsOn, preconditions),
  ];
  if (body["value"] === undefined)
    diagnostics.push(
      stackMistake("Missing required argument", {
        detail: `The output ${name} has no value.`,
        hint: "Add a value.",
        place,
      }),
    );
  const value = {
    name,
    value: argumentOf(body["value"]),
    sensitive: sensitive.value,
    dependsOn: dependsOn.value,
    preconditions: preconditions.value,
  };
  return { value: { ...value, locate: () => place }, diagnostics };
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
    return [why === undefined ? unknownArgument(key, known, place) : requiresTerraform(key, why, place)];
  });
}

function hasTemplate(value: unknown): boolean {
  if (typeof value === "string") return isTemplate(value);
  if (Array.isArray(value)) return value.some(hasTemplate);
  return isTree(value) && Object.entries(value).some(([key, inner]) => isTemplate(key) || hasTemplate(inner));
}

/** The value, unchanged: a default is not a template, so it has no escapes. */
function plainValue(value: unknown): Value | undefined {
  if (typeof value === "string") return normal(value);
  if (Array.isArray(value)) return value.map((one) => plainValue(one) ?? null);
  if (isTree(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [normal(key), plainValue(inner) ?? null]));
  return value as Value | undefined;
}
