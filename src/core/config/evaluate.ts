import { formatAddress } from "../model/address.ts";
import { checkAttributes } from "../model/check.ts";
import type { Declaration, Evaluate, PendingRead, Seen } from "../model/declaration.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../model/definition.ts";
import type { Diagnostic, Result } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { relocate } from "../model/relocate.ts";
import { UNKNOWN } from "../model/value.ts";
import type { Block, Configuration } from "./block.ts";
import { type EvaluatedBlock, type Scope, evaluateBlock } from "./evaluate-block.ts";
import { fanOut } from "./fan-out.ts";
import { evaluateImports } from "./imports.ts";
import { type DeclaredAt, checkMoved, instancesStillDeclared } from "./moved.ts";
import { evaluateOutputs } from "./outputs.ts";
import { placed } from "./placed.ts";
import { checkRemoved } from "./removed.ts";
import type { VariableValue } from "./variables.ts";

/** Makes the pure function that turns the blocks and what was read so far into declarations, and reads that are still to do. */
export function evaluator(configuration: Configuration, variables: ReadonlyMap<string, VariableValue>, catalog: Catalog): Evaluate {
  const blocks = configuration.blocks.map((block) => ({ block, address: addressOf(block), definition: definitionOf(block, catalog) }));
  const data = blocks.filter(({ block }) => block.mode === "data");
  const dataSources = new Map(data.map(({ address, definition }) => [address, definition as AnyDataSource]));
  const dataAddresses = new Set(dataSources.keys());
  const declaredAt = declaredBlocks(blocks);
  const moved = checkMoved(configuration.moved, { catalog, declaredAt });
  const removed = checkRemoved(configuration.removed, { catalog, declaredAt });
  return (seen) => {
    const questions = new Map<string, string>();
    const scope: Scope = { variables, dataAddresses, dataSources, known: seen.known, questions, managed: null };
    const reads: PendingRead[] = [];
    const declarations: (readonly Declaration[])[] = [];
    const diagnostics: Diagnostic[][] = [];
    for (const { block, address, definition } of data) {
      const evaluated = evaluateBlock(block, definition.schema, scope);
      diagnostics.push([...evaluated.diagnostics, ...checkAttributes(definition, evaluated.complete)].map((one) => placed(one, block, address)));
      if (!seen.known.has(address)) reads.push({ address, type: block.type, config: evaluated.attributes, locate: block.locate });
      const question = questionOf(address, evaluated);
      if (question !== null) questions.set(address, question);
    }
    const recorded = recordedByBlock(relocate(seen.instances, moved.value));
    const unknown = new Set<string>();
    for (const { block, address, definition } of blocks) {
      if (block.mode === "data") continue;
      const declared = declare({ block, address, definition }, { scope, recorded });
      if (declared.value) declarations.push(declared.value);
      else unknown.add(address);
      diagnostics.push(declared.diagnostics.map((one) => placed(one, block, address)));
    }
    const declared = declarations.flat();
    const outputs = evaluateOutputs(configuration.outputs, { scope, managed: seen.managed, declared, unknown, catalog });
    const imports = evaluateImports(configuration.imports, { scope, declared, unknown, catalog });
    const stillThere = instancesStillDeclared(moved.value, { declared, at: declaredAt });
    return {
      declarations: declared,
      reads,
      outputs: outputs.value,
      imports: imports.value,
      moved: moved.value,
      removed: removed.value,
      diagnostics: [...diagnostics.flat(), ...outputs.diagnostics, ...imports.diagnostics, ...moved.diagnostics, ...stillThere, ...removed.diagnostics],
    };
  };
}

function declaredBlocks(blocks: readonly KnownBlock[]): DeclaredAt {
  const declared = new Map(blocks.map(({ block, address }) => [address, block]));
  return (address) => {
    const block = declared.get(address);
    return block && { place: block.locate([]) };
  };
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

/** Null while the fan-out of the block is not known. */
function declare(
  { block, address, definition }: KnownBlock,
  { scope, recorded }: { readonly scope: Scope; readonly recorded: (address: string) => readonly RecordedInstance[] },
): Result<readonly Declaration[] | null> {
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
function recordedByBlock({ instances }: Pick<Seen, "instances">): (address: string) => readonly RecordedInstance[] {
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
