import { groupBy } from "../model/maps.ts";
import { sharedSteps } from "../expression/budget.ts";
import { formatAddress, blockOf } from "../model/address.ts";
import type { Declaration, PendingRead, EvaluationInput } from "../model/declaration.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../model/definition.ts";
import { type Diagnostic, MAX_FOUND } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Attributes, UNKNOWN } from "../model/value.ts";
import type { Block, Configuration } from "./block.ts";
import type { RepeatedBlock } from "./blocks/block-root.ts";
import type { Scope } from "./blocks/evaluate-block.ts";
import type { DerivedValue } from "./blocks/resolve-reference.ts";
import type { CheckedConditions } from "./conditions.ts";
import type { EvaluationOrder } from "./order.ts";
import type { VariableValue } from "./variables/variables.ts";

/** One evaluation. Each evaluated part is added, so that later parts can refer to it. */
export interface Round extends Reported {
  readonly catalog: Catalog;
  readonly seen: EvaluationInput;
  readonly order: EvaluationOrder;
  readonly scope: Scope;
  readonly locals: Map<string, DerivedValue>;
  readonly dataAddresses: Set<string>;
  readonly lookupTexts: Map<string, string>;
  /** The resources that others refer to; null if blocks cannot refer to resources. */
  readonly managed: Map<string, Attributes> | null;
  readonly masked: Map<string, readonly string[]>;
  /** What an untrusted configuration has looked up by something sensitive. */
  readonly maskedData: Map<string, readonly string[]>;
  readonly repeated: Map<string, RepeatedBlock>;
  readonly declarations: Declaration[];
  readonly reads: PendingRead[];
  readonly recorded: (address: string) => readonly RecordedInstance[];
  /** The instances of all blocks with `count` or `for_each` so far. */
  instances: number;
  /** The problems to report if nothing is left to read. */
  readonly waiting: Diagnostic[];
  /** The conditions of the instances, to check once everything is evaluated. */
  readonly conditions: (() => CheckedConditions)[];
}

export function newRound({
  configuration,
  order,
  variables,
  catalog,
  seen,
}: Pick<Round, "catalog" | "seen" | "order"> & {
  readonly configuration: Configuration;
  readonly variables: ReadonlyMap<string, VariableValue>;
}): Round {
  const data = configuration.blocks.filter(({ mode, repeat }) => mode === "data" && !repeat);
  const dataSources = new Map(data.map((block) => [addressOf(block), definitionOf(block, catalog) as AnyDataSource]));
  const parts = {
    locals: new Map<string, DerivedValue>(
      [...order.cyclic]
        .filter((name) => name.startsWith("local."))
        .map((name) => [name.slice(6), { value: UNKNOWN, sensitive: false }]),
    ),
    dataAddresses: new Set([...dataSources.keys()].filter((address) => !order.cyclic.has(address))),
    lookupTexts: new Map<string, string>(),
    managed: configuration.locals ? new Map<string, Attributes>() : null,
    masked: new Map<string, readonly string[]>(),
    // A cycle is already reported: its values are unknown.
    repeated: new Map<string, RepeatedBlock>([...order.cyclic].map((name) => [name, null])),
  };
  const { locals, ...others } = parts;
  const scope: Scope = {
    ...others,
    variables,
    dataSources,
    known: seen.known,
    wholeBlocks: new Map(),
    steps: sharedSteps(),
    ...(configuration.team === undefined ? {} : { team: configuration.team }),
    ...(configuration.hide ? { hide: configuration.hide } : {}),
    ...(configuration.locals ? { locals, wholeData: true } : {}),
  };
  const made = { declarations: [], reads: [], diagnostics: [], errors: 0, instances: 0, waiting: [], conditions: [] };
  return { ...parts, ...made, maskedData: new Map(), catalog, seen, order, scope, recorded: recordedByBlock(seen) };
}

/** The recorded instances of a block. Groups all instances at the first call. */
function recordedByBlock({ instances }: EvaluationInput): (address: string) => readonly RecordedInstance[] {
  let byBlock: Map<string, readonly RecordedInstance[]> | null = null;
  return (block) => (byBlock ??= groupBy(instances, ({ address }) => blockOf(address))).get(block) ?? [];
}

export function addressOf({ mode, type, name }: Block, key: string | number | null = null): string {
  return formatAddress({ mode, type, name, key });
}

export function definitionOf(
  { mode, type }: Pick<Block, "mode" | "type">,
  catalog: Catalog,
): AnyResource | AnyDataSource {
  const definitions: readonly (AnyResource | AnyDataSource)[] =
    mode === "data" ? catalog.dataSources : catalog.resources;
  const found = definitions.find((definition) => definition.type === type);
  if (!found) throw new Error(`the frontend accepted the unknown type ${type}`);
  return found;
}

/** The problems that an evaluation has found so far. */
interface Reported {
  readonly diagnostics: Diagnostic[];
  /** How many of them are errors. */
  errors: number;
}

/** Adds problems, each as `located` returns it, until the evaluation ends. */
export function report(
  reported: Reported,
  problems: readonly Diagnostic[],
  located: (one: Diagnostic) => Diagnostic = (one) => one,
): void {
  for (const one of problems) {
    if (isEnded(reported)) return;
    reported.diagnostics.push(located(one));
    if (one.severity === "error") reported.errors++;
  }
}

/** Whether there are so many errors that finding all of them is not worth the time. */
export function isEnded({ errors }: Reported): boolean {
  return errors >= MAX_FOUND;
}
