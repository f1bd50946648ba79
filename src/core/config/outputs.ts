import type { Declaration, OutputValue } from "../model/declaration.ts";
import { type Catalog, resourceOf } from "../model/definition.ts";
import type { Result } from "../model/diagnostic.ts";
import { type Attributes, UNKNOWN, type Value } from "../model/value.ts";
import type { Argument, Output } from "./block.ts";
import { resourcesIn } from "./data-references.ts";
import { type Scope, evaluateValue } from "./evaluate-block.ts";
import { placed } from "./placed.ts";

export interface OutputInput {
  readonly scope: Scope;
  /** What is planned, or there, by address; absent while nothing is planned. */
  readonly managed: ReadonlyMap<string, Attributes> | undefined;
  readonly declared: readonly Declaration[];
  /** The addresses of blocks whose instances are not known yet. */
  readonly unknown: ReadonlySet<string>;
  readonly catalog: Catalog;
}

/** The outputs, which may refer to managed objects too. */
export function evaluateOutputs(outputs: readonly Output[], { scope, managed, declared, unknown, catalog }: OutputInput): Result<readonly OutputValue[]> {
  if (outputs.length === 0) return { value: [], diagnostics: [] };
  const referred = new Set(outputs.flatMap(({ value }) => resourcesIn(value)));
  const isReferred = ({ address }: Declaration): boolean => referred.has(address.split("[", 1)[0] ?? address);
  const all: Scope = {
    ...scope,
    managed: new Map(declared.map((one) => [one.address, isReferred(one) ? attributesOf(one, managed, catalog) : {}])),
    masked: new Map(declared.map(({ address, type, masked }) => [address, [...masked, ...sensitiveNames(type, catalog)]])),
  };
  const evaluated = outputs.map(({ name, value: argument, sensitive: declaredSensitive, locate }): Result<OutputValue> => {
    if (argument.kind === "secret") throw new Error("a door let a secret pass as an output");
    const { value, sensitive, problems } = waits(argument, unknown)
      ? { value: UNKNOWN, sensitive: false, problems: [] }
      : evaluateValue(argument, ["value"], all);
    const diagnostics = problems.map((one) => placed(one, { locate }, `output.${name}`));
    return { value: { name, value, sensitive: declaredSensitive || sensitive }, diagnostics };
  });
  return { value: evaluated.map(({ value }) => value), diagnostics: evaluated.flatMap(({ diagnostics }) => diagnostics) };
}

function waits(argument: Argument, unknown: ReadonlySet<string>): boolean {
  return unknown.size > 0 && resourcesIn(argument).some((address) => unknown.has(address));
}

/** What is not planned yet is known as far as it is declared. */
function attributesOf({ address, type, attributes }: Declaration, managed: OutputInput["managed"], catalog: Catalog): Attributes {
  const planned = managed?.get(address);
  if (planned) return planned;
  const { schema } = resourceOf(catalog, type);
  return Object.fromEntries(
    Object.entries(schema).map(([name, { mode, default: fallback }]): readonly [string, Value] => [
      name,
      attributes[name] ?? fallback ?? (mode === "required" || mode === "optional" ? null : UNKNOWN),
    ]),
  );
}

function sensitiveNames(type: string, catalog: Catalog): readonly string[] {
  return Object.entries(resourceOf(catalog, type).schema).flatMap(([name, { sensitive }]) => (sensitive ? [name] : []));
}
