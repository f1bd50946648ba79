import type { Declaration, OutputValue } from "../model/declaration.ts";
import type { Catalog } from "../model/definition.ts";
import { type Diagnostic, MAX_FOUND, type Result, checkEnded } from "../model/diagnostic.ts";
import { type Attributes, UNKNOWN, hasUnknown } from "../model/value.ts";
import type { Argument, Output } from "./block.ts";
import { resourcesIn } from "./blocks/references.ts";
import { declaredAttributes, maskedNames, unknownAttributes } from "./blocks/declared-attributes.ts";
import { type Scope, evaluateValue } from "./blocks/evaluate-block.ts";
import { withLocation } from "./with-location.ts";

export interface ResourceInput {
  /** The planned or existing resources by address; absent while nothing is planned. */
  readonly managed: ReadonlyMap<string, Attributes> | undefined;
  readonly declared: readonly Declaration[];
  /** The addresses of blocks that anything else refers to. */
  readonly referenced: ReadonlySet<string>;
  /** What refers to resources. */
  readonly by: readonly Argument[];
  readonly catalog: Catalog;
}

/** The resources that outputs and checks can refer to: those that nothing refers to have no attributes. */
export function resourcesFor({
  managed,
  declared,
  referenced,
  by,
  catalog,
}: ResourceInput): Pick<Scope, "managed" | "masked"> {
  const named = new Set(by.flatMap(resourcesIn));
  const isReferenced = ({ address }: Declaration): boolean =>
    [named, referenced].some((all) => all.has(address.split("[", 1)[0] ?? address));
  // What is neither planned nor recorded is not there: a plan has left it out, or its create has failed.
  const attributesOf = (one: Declaration): Attributes =>
    managed ? (managed.get(one.address) ?? unknownAttributes(one, catalog)) : declaredAttributes(one, catalog);
  return {
    managed: new Map(declared.map((one) => [one.address, isReferenced(one) ? attributesOf(one) : {}])),
    masked: new Map(declared.map((one) => [one.address, maskedNames(one, catalog)])),
  };
}

const HIDDEN = "(sensitive value)";

/** Evaluates the outputs, which can refer to resources. */
export function evaluateOutputs(outputs: readonly Output[], scope: Scope): Result<readonly OutputValue[]> {
  const values: OutputValue[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { name, value: argument, sensitive: declaredSensitive, locate } of outputs) {
    if (diagnostics.length >= MAX_FOUND) return { value: values, diagnostics: [...diagnostics, checkEnded()] };
    const { value, sensitive, problems } = evaluateValue(argument, ["value"], scope);
    diagnostics.push(...problems.map((one) => withLocation(one, { locate }, `output.${name}`)));
    // A state keeps outputs, and no secret, whatever an expression makes of it: only an output that says so keeps such a value.
    const isShown = declaredSensitive || !sensitive || (value === null && !scope.hide);
    const kept = isShown ? value : hasUnknown(value) ? UNKNOWN : HIDDEN;
    values.push({ name, value: kept, sensitive: declaredSensitive || sensitive });
  }
  return { value: values, diagnostics };
}
