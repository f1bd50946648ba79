import type { Declaration, OutputValue } from "../model/declaration.ts";
import type { Catalog } from "../model/definition.ts";
import { type Diagnostic, MAX_FOUND, type Result, checkEnded } from "../model/diagnostic.ts";
import type { Attributes } from "../model/value.ts";
import type { Output } from "./block.ts";
import { resourcesIn } from "./blocks/references.ts";
import { declaredAttributes, maskedNames } from "./blocks/declared-attributes.ts";
import { type Scope, evaluateValue } from "./blocks/evaluate-block.ts";
import { withLocation } from "./with-location.ts";

export interface OutputInput {
  /** The planned or existing resources by address; absent while nothing is planned. */
  readonly managed: ReadonlyMap<string, Attributes> | undefined;
  readonly declared: readonly Declaration[];
  /** The addresses of blocks that anything except outputs refers to. */
  readonly referenced: ReadonlySet<string>;
  readonly catalog: Catalog;
  /** The scope of an output, with these resources. */
  readonly scopeWith: (resources: Pick<Scope, "managed" | "masked">) => Scope;
}

/** Evaluates the outputs, which can refer to resources. */
export function evaluateOutputs(
  outputs: readonly Output[],
  { managed, declared, referenced, catalog, scopeWith }: OutputInput,
): Result<readonly OutputValue[]> {
  if (outputs.length === 0) return { value: [], diagnostics: [] };
  const named = new Set(outputs.flatMap(({ value }) => resourcesIn(value)));
  const isReferenced = ({ address }: Declaration): boolean => [named, referenced].some((all) => all.has(address.split("[", 1)[0] ?? address));
  const scope = scopeWith({
    managed: new Map(declared.map((one) => [one.address, isReferenced(one) ? (managed?.get(one.address) ?? declaredAttributes(one, catalog)) : {}])),
    masked: new Map(declared.map((one) => [one.address, maskedNames(one, catalog)])),
  });
  const values: OutputValue[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { name, value: argument, sensitive: declaredSensitive, locate } of outputs) {
    if (diagnostics.length >= MAX_FOUND) return { value: values, diagnostics: [...diagnostics, checkEnded()] };
    const { value, sensitive, problems } = evaluateValue(argument, ["value"], scope);
    diagnostics.push(...problems.map((one) => withLocation(one, { locate }, `output.${name}`)));
    values.push({ name, value, sensitive: declaredSensitive || sensitive });
  }
  return { value: values, diagnostics };
}
