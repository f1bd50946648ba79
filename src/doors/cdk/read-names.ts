import type { Local, Output, Variable } from "../../core/config/block.ts";
import { Unfit, type VariableType, parseVariableType } from "../../core/config/variable-type.ts";
import type { Diagnostic, Place, Result } from "../../core/model/diagnostic.ts";
import type { Value } from "../../core/model/value.ts";
import { mistaken, outside, unknownArgument } from "./outside.ts";
import { argumentOf, isTemplate } from "./read-argument.ts";
import { COMMENT, type Labelled, type Tree, constructPath, isTree } from "./stack-tree.ts";

const VARIABLE = ["type", "default", "sensitive", "nullable", "description"];
const OUTPUT = ["value", "sensitive", "description", "depends_on", "type"];
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
  const { default: fallback, nullable } = body;
  const sensitive = isTrue(body["sensitive"]);
  const diagnostics = [...unknownKeys(body, VARIABLE, place), ...type.diagnostics];
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
      ...(nullable === undefined ? {} : { nullable: isTrue(nullable) }),
      locate: () => place,
    },
    diagnostics,
  };
}

function readType(written: unknown, place: Place): Result<VariableType | null> {
  if (written === undefined || written === null) return { value: null, diagnostics: [] };
  const text = typeof written === "string" ? (/^\$\{(.*)\}$/s.exec(written)?.[1] ?? written) : "";
  const type = parseVariableType(text);
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

export function readOutput({ labels: [name = ""], body }: Labelled, file: string): Result<Output> {
  const place = { file, construct: constructPath(body) ?? `output.${name}` };
  const diagnostics = unknownKeys(body, OUTPUT, place);
  if (body["value"] === undefined)
    diagnostics.push(mistaken("Missing required argument", { detail: `The output ${name} has no value.`, hint: "Give it one.", place }));
  return { value: { name, value: argumentOf(body["value"]), sensitive: isTrue(body["sensitive"]), locate: () => place }, diagnostics };
}

export function readLocals({ body }: Labelled, file: string): readonly Local[] {
  return Object.entries(body).flatMap(([name, value]) =>
    name === COMMENT ? [] : [{ name, value: argumentOf(value), locate: () => ({ file, construct: `local.${name}` }) }],
  );
}

function unknownKeys(body: Tree, known: readonly string[], place: Place): Diagnostic[] {
  return Object.entries(body).flatMap(([key, value]) => {
    if (key === COMMENT || known.includes(key) || value === null || value === false) return [];
    const why = TERRAFORM_ONLY.get(key);
    return [why === undefined ? unknownArgument(key, known, place) : outside(key, why, place)];
  });
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

function hasTemplate(value: unknown): boolean {
  if (typeof value === "string") return isTemplate(value);
  if (Array.isArray(value)) return value.some(hasTemplate);
  return isTree(value) && Object.entries(value).some(([key, inner]) => isTemplate(key) || hasTemplate(inner));
}

/** The value itself, with what is written for a literal `${` as that. */
function plain(value: unknown): Value | undefined {
  if (typeof value === "string") return value.replaceAll("$${", "${").replaceAll("%%{", "%{");
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null);
  if (isTree(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner) ?? null]));
  return value as Value | undefined;
}
