import { formatAddress } from "../model/address.ts";
import { checkAttributes } from "../model/check.ts";
import type { Declaration, Evaluate, OutputValue, PendingRead, Seen } from "../model/declaration.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../model/definition.ts";
import type { Diagnostic, Result } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { UNKNOWN } from "../model/value.ts";
import type { Block, Configuration, Output } from "./block.ts";
import { type EvaluatedBlock, type Scope, evaluateBlock, evaluateValue } from "./evaluate-block.ts";
import { fanOut } from "./fan-out.ts";
import type { VariableValue } from "./variables.ts";

/** Makes the pure function that turns the blocks and what was read so far into declarations, and reads that are still to do. */
export function evaluator(configuration: Configuration, variables: ReadonlyMap<string, VariableValue>, catalog: Catalog): Evaluate {
  const blocks = configuration.blocks.map((block) => ({ block, address: addressOf(block), definition: definitionOf(block, catalog) }));
  const data = blocks.filter(({ block }) => block.mode === "data");
  const dataSources = new Map(data.map(({ address, definition }) => [address, definition as AnyDataSource]));
  const dataAddresses = new Set(dataSources.keys());
  return (seen) => {
    const questions = new Map<string, string>();
    const scope: Scope = { variables, dataAddresses, dataSources, known: seen.known, questions, managed: null };
    const reads: PendingRead[] = [];
    const declarations: Declaration[][] = [];
    const diagnostics: Diagnostic[][] = [];
    for (const { block, address, definition } of data) {
      const evaluated = evaluateBlock(block, definition.schema, scope);
      diagnostics.push([...evaluated.diagnostics, ...checkAttributes(definition, evaluated.complete)].map((one) => placed(one, block, address)));
      if (!seen.known.has(address)) reads.push({ address, type: block.type, config: evaluated.attributes, locate: block.locate });
      const question = questionOf(address, evaluated);
      if (question !== null) questions.set(address, question);
    }
    const recorded = recordedByBlock(seen);
    for (const { block, address, definition } of blocks) {
      if (block.mode === "data") continue;
      const declared = declare({ block, address, definition }, { scope, recorded });
      declarations.push([...declared.value]);
      diagnostics.push(declared.diagnostics.map((one) => placed(one, block, address)));
    }
    const outputScope = configuration.outputs.length === 0 ? scope : { ...scope, ...managedScope(declarations.flat(), { seen, catalog }) };
    const outputs = configuration.outputs.map((output) => evaluateOutput(output, outputScope));
    diagnostics.push(outputs.flatMap((output) => output.diagnostics));
    return { declarations: declarations.flat(), reads, outputs: outputs.map(({ value }) => value), diagnostics: diagnostics.flat() };
  };
}

/** Adds the address, and the place in the user's file, to what deeper code has found. */
export function placed(diagnostic: Diagnostic, { locate }: Pick<Block, "locate">, address: string): Diagnostic {
  const place = diagnostic.place ?? locate(diagnostic.path ?? []) ?? locate([]);
  return { ...diagnostic, address, ...(place ? { place } : {}) };
}

function addressOf({ mode, type, name }: Block): string {
  return formatAddress({ mode, type, name, key: null });
}

function definitionOf({ mode, type }: Block, catalog: Catalog): AnyResource | AnyDataSource {
  const definitions: readonly (AnyResource | AnyDataSource)[] = mode === "data" ? catalog.dataSources : catalog.resources;
  const found = definitions.find((definition) => definition.type === type);
  if (!found) throw new Error(`a door let the unknown type ${type} pass`);
  return found;
}

interface KnownBlock {
  readonly block: Block;
  readonly address: string;
  readonly definition: AnyResource | AnyDataSource;
}

function declare(
  { block, address, definition }: KnownBlock,
  { scope, recorded }: { readonly scope: Scope; readonly recorded: (address: string) => readonly RecordedInstance[] },
): Result<readonly Declaration[]> {
  const common = evaluateBlock(block, definition.schema, scope);
  const { type, provider, locate, fanOut: parts } = block;
  const { attributes, secrets, masked, lookups } = common;
  const own = Object.fromEntries((parts ?? []).map(({ attribute }) => [attribute, UNKNOWN]));
  const checked = [...common.diagnostics, ...checkAttributes(definition, { ...common.complete, ...own })];
  if (parts) {
    const { value, diagnostics } = fanOut({ block: { ...block, fanOut: parts }, definition, common, checked, scope, recorded: () => recorded(address) });
    return { value, diagnostics: [...checked, ...diagnostics] };
  }
  const lookedUp = Object.keys(lookups).length === 0 ? {} : { lookups };
  return { value: [{ address, type, provider, attributes, secrets, masked, ...lookedUp, locate }], diagnostics: checked };
}

/** The recorded instances of a block; sorted by block when first asked. */
function recordedByBlock({ instances }: Seen): (address: string) => readonly RecordedInstance[] {
  let sorted: Map<string, RecordedInstance[]> | null = null;
  const sort = (): Map<string, RecordedInstance[]> => {
    const byBlock = new Map<string, RecordedInstance[]>();
    for (const instance of instances) {
      const [block = ""] = instance.address.split("[", 1);
      const others = byBlock.get(block);
      if (others) others.push(instance);
      else byBlock.set(block, [instance]);
    }
    return byBlock;
  };
  return (address) => (sorted ??= sort()).get(address) ?? [];
}

/** What a data source asks the service, as `data.outreach_campaign.q3 (name "Q3 launch")`; null when it asks by an id. */
function questionOf(address: string, { attributes, masked }: EvaluatedBlock): string | null {
  const given = Object.entries(attributes).filter(([, value]) => value !== null);
  if (given.some(([name]) => name === "id")) return null;
  const asked = given.map(([name, value]) => `${name} ${masked.includes(name) ? "(sensitive value)" : JSON.stringify(value)}`);
  return asked.length === 0 ? address : `${address} (${asked.join(", ")})`;
}

/** What outputs can see of the managed objects: what is not there yet is unknown. */
function managedScope(
  declarations: readonly Declaration[],
  { seen, catalog }: { readonly seen: Seen; readonly catalog: Catalog },
): Pick<Scope, "managed" | "masked"> {
  const unseen = new Map(catalog.resources.map(({ type, schema }) => [type, Object.fromEntries(Object.keys(schema).map((name) => [name, UNKNOWN]))]));
  return {
    managed: new Map(declarations.map(({ address, type }) => [address, seen.managed?.get(address) ?? unseen.get(type) ?? {}])),
    masked: new Map(declarations.map(({ address, masked }) => [address, masked])),
  };
}

function evaluateOutput({ name, value: argument, sensitive: declared, locate }: Output, scope: Scope): Result<OutputValue> {
  if (argument.kind === "secret") throw new Error("a door let a secret pass as an output");
  const { value, sensitive, problems } = evaluateValue(argument, [], scope);
  const address = `output.${name}`;
  return { value: { name, value, sensitive: declared || sensitive }, diagnostics: problems.map((one) => placed(one, { locate }, address)) };
}
