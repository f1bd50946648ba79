import type { Declaration, OutputValue } from "../model/declaration.ts";
import type { Catalog } from "../model/definition.ts";
import type { Result } from "../model/diagnostic.ts";
import type { Attributes } from "../model/value.ts";
import type { Output } from "./block.ts";
import { resourcesIn } from "./blocks/data-references.ts";
import { declaredAttributes, maskedNames } from "./blocks/declared-attributes.ts";
import { type Scope, evaluateValue } from "./blocks/evaluate-block.ts";
import { withLocation } from "./with-location.ts";

export interface OutputInput {
  /** What is planned, or there, by address; absent while nothing is planned. */
  readonly managed: ReadonlyMap<string, Attributes> | undefined;
  readonly declared: readonly Declaration[];
  /** The addresses of blocks that something else than outputs refers to. */
  readonly referred: ReadonlySet<string>;
  readonly catalog: Catalog;
  /** What an output can see, with these resources. */
  readonly seeing: (resources: Pick<Scope, "managed" | "masked">) => Scope;
}

/** The outputs, which may refer to managed objects too. */
export function evaluateOutputs(outputs: readonly Output[], { managed, declared, referred, catalog, seeing }: OutputInput): Result<readonly OutputValue[]> {
  if (outputs.length === 0) return { value: [], diagnostics: [] };
  const named = new Set(outputs.flatMap(({ value }) => resourcesIn(value)));
  const isReferred = ({ address }: Declaration): boolean => [named, referred].some((all) => all.has(address.split("[", 1)[0] ?? address));
  const scope = seeing({
    managed: new Map(declared.map((one) => [one.address, isReferred(one) ? (managed?.get(one.address) ?? declaredAttributes(one, catalog)) : {}])),
    masked: new Map(declared.map((one) => [one.address, maskedNames(one, catalog)])),
  });
  const evaluated = outputs.map(({ name, value: argument, sensitive: declaredSensitive, locate }): Result<OutputValue> => {
    const { value, sensitive, problems } = evaluateValue(argument, ["value"], scope);
    const diagnostics = problems.map((one) => withLocation(one, { locate }, `output.${name}`));
    return { value: { name, value, sensitive: declaredSensitive || sensitive }, diagnostics };
  });
  return { value: evaluated.map(({ value }) => value), diagnostics: evaluated.flatMap(({ diagnostics }) => diagnostics) };
}
