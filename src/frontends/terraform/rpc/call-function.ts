import type { Catalog, FunctionDefinition } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { UNKNOWN, hasUnknown } from "../../../core/model/value.ts";
import { diagnosticsOf } from "../wire/wire-diagnostics.ts";
import {
  type CallFunction_Request,
  type CallFunction_Response,
  type FunctionMessage as WireFunction,
  type FunctionError,
  StringKind,
} from "../generated/tfplugin6.ts";
import { wireType } from "../wire/wire-schema.ts";
import { decodeTyped, encodeTyped } from "../wire/terraform-values.ts";

/** Calls a function of the configuration language, which needs no configured provider. */
export function callFunction({ functions = [] }: Catalog, request: CallFunction_Request): CallFunction_Response {
  try {
    return call(functions, request);
  } catch (error) {
    return { error: functionError(diagnosticsOf(error)) };
  }
}

/** Functions as Terraform asks for them, by their names. */
export function wireFunctions(functions: readonly FunctionDefinition[]): { [name: string]: WireFunction } {
  return Object.fromEntries(functions.map((definition) => [definition.name, wireFunction(definition)]));
}

/** Terraform does not call with null or unknown arguments: null is an error, and unknown makes the result unknown. */
function wireFunction({ summary, docs, parameters, returns }: FunctionDefinition): WireFunction {
  return {
    parameters: parameters.map(({ name, type, docs: description }) => ({
      name,
      type: wireType(type),
      allowNullValue: false,
      allowUnknownValues: false,
      description,
      descriptionKind: StringKind.MARKDOWN,
    })),
    return: { type: wireType(returns) },
    summary,
    description: docs,
    descriptionKind: StringKind.MARKDOWN,
  };
}

function call(
  functions: readonly FunctionDefinition[],
  { name, arguments: given }: CallFunction_Request,
): CallFunction_Response {
  const definition = functions.find((one) => one.name === name);
  if (!definition) throw new Error(`no function ${name}`);
  const { parameters, returns } = definition;
  if (given.length !== parameters.length)
    throw new Error(`${name} takes ${String(parameters.length)} arguments, and got ${String(given.length)}`);
  const args = parameters.map(({ name: parameter, type }, index) => decodeTyped(given[index], type, parameter));
  const nothing = args.indexOf(null);
  if (nothing >= 0)
    return { error: { text: `${parameters[nothing]?.name ?? ""} must not be null`, functionArgument: nothing } };
  if (args.some(hasUnknown)) return { result: encodeTyped(UNKNOWN, returns) };
  const { value, diagnostics } = definition.call(args);
  return diagnostics.length > 0 ? { error: functionError(diagnostics) } : { result: encodeTyped(value, returns) };
}

/** A function reports one error at a time. Terraform adds the final full stop. */
function functionError([first]: readonly Diagnostic[]): FunctionError {
  const argument = first?.path?.[0];
  return {
    text: [first?.detail, first?.hint].filter(Boolean).join(" ").replace(/\.$/, ""),
    functionArgument: typeof argument === "number" ? argument : undefined,
  };
}
