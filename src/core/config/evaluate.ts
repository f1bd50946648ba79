import { checkAttributes } from "../model/check.ts";
import type { Declaration, Evaluate, Evaluation, OutputValue } from "../model/declaration.ts";
import type { AnyDataSource, AnyResource, Catalog } from "../model/definition.ts";
import { type Diagnostic, type Result, checkEnded, hasErrors } from "../model/diagnostic.ts";
import { relocate } from "../model/relocate.ts";
import { type Attributes, UNKNOWN, hasUnknown, isUnknown } from "../model/value.ts";
import type { Block, Configuration, Local, Check } from "./block.ts";
import { declaredAttributes, maskedNames } from "./blocks/declared-attributes.ts";
import {
  type EvaluatedBlock,
  type Scope,
  evaluateBlock,
  evaluateValue,
  hideSensitive,
} from "./blocks/evaluate-block.ts";
import { fanOut } from "./blocks/fan-out-blocks.ts";
import { splitArguments } from "./blocks/own-arguments.ts";
import { impliedMoves, type DeclaredAt, checkMoved, instancesStillDeclared } from "./statements/moved.ts";
import { evaluateImports } from "./statements/imports.ts";
import { type OrderedPart, evaluationOrder } from "./order.ts";
import { evaluateOutputs, resourcesFor } from "./outputs.ts";
import { withLocation, withLocationIn } from "./with-location.ts";
import { isEnded, report, type Round, addressOf, definitionOf, newRound } from "./round.ts";
import { checkRemovals } from "./statements/removals.ts";
import { checkRemoved } from "./statements/removed.ts";
import { type Instance, MAX_INSTANCES_TOGETHER, instancesOf, tooManyTogether } from "./blocks/repeat.ts";
import type { DerivedValue } from "./blocks/resolve-reference.ts";
import { idUnknown, instancesUnknown, knownAfterApply } from "./known-after-apply.ts";
import type { VariableValue } from "./variables/variables.ts";
import type { EvaluatedCheck } from "../model/check-result.ts";
import { checkConditions } from "./conditions.ts";

/** Returns the pure function that turns the blocks and the data read so far into declarations and pending reads. */
export function evaluator(
  configuration: Configuration,
  variables: ReadonlyMap<string, VariableValue>,
  catalog: Catalog,
): Evaluate {
  const order = evaluationOrder(configuration);
  // A missing variable is already reported, and values that depend on it are unknown.
  const hasAllValues = ![...variables.values()].some(({ value }) => isUnknown(value));
  const declaredAt = declaredBlocks(configuration.blocks);
  const moved = checkMoved(configuration.moved, { catalog, declaredAt });
  const removed = checkRemoved(configuration.removed, { catalog, declaredAt });
  const removals = checkRemovals(configuration.removals ?? [], catalog);
  return (seen) => {
    const moves = [
      ...moved.value,
      ...impliedMoves(configuration.blocks, { instances: seen.instances, declared: moved.value }),
    ];
    const { instances } = relocate(seen.instances, moves);
    const round = newRound({ configuration, order, variables, catalog, seen: { ...seen, instances } });
    for (const part of order.parts) {
      if (isEnded(round)) return ended(round, order.diagnostics);
      evaluatePart(part, round);
    }
    checkAll(configuration, round);
    if (isEnded(round)) return ended(round, order.diagnostics);
    const { declarations, reads, waiting } = round;
    const { outputs, checks } = evaluateResults(configuration, round);
    const imports = evaluateImports(configuration.imports, {
      scope: round.scope,
      declared: declarations,
      unknown: unknownBlocks(round),
      catalog,
    });
    const stillThere = instancesStillDeclared(moved.value, { declared: declarations, at: declaredAt });
    // An error makes dependent values unknown: do not report those as well.
    const isComplete = hasAllValues && !hasErrors(round.diagnostics) && reads.every(({ config }) => hasUnknown(config));
    const ids = configuration.locals ? imports.value.filter(({ id }) => isUnknown(id)).map(idUnknown) : [];
    return {
      declarations,
      reads,
      outputs: outputs.value,
      checks: checks.value,
      imports: imports.value,
      moved: moves,
      removed: removed.value,
      ...(removals.value.length === 0 ? {} : { removals: removals.value }),
      diagnostics: [
        ...order.diagnostics,
        ...round.diagnostics,
        ...(isComplete ? [...waiting, ...ids] : []),
        ...outputs.diagnostics,
        ...checks.diagnostics,
        ...imports.diagnostics,
        ...moved.diagnostics,
        ...stillThere,
        ...removed.diagnostics,
        ...removals.diagnostics,
      ],
    };
  };
}

function declaredBlocks(blocks: readonly Block[]): DeclaredAt {
  const declared = new Map(blocks.map((block) => [addressOf(block), block]));
  return (address) => {
    const block = declared.get(address);
    return block && { place: block.locate([]) };
  };
}

/** The addresses of blocks with unknown instances. */
function unknownBlocks({ repeated }: Round): ReadonlySet<string> {
  return new Set([...repeated].flatMap(([address, block]) => (block === null ? [address] : [])));
}

function ended({ diagnostics }: Round, before: readonly Diagnostic[]): Evaluation {
  return {
    declarations: [],
    reads: [],
    outputs: [],
    imports: [],
    moved: [],
    removed: [],
    diagnostics: [...before, ...diagnostics, checkEnded()],
  };
}

function evaluatePart(part: OrderedPart, round: Round): void {
  if (part.kind === "local") {
    const { value, problems } = evaluateLocal(part.local, round.scope);
    round.locals.set(part.local.name, value);
    report(round, problems);
    return;
  }
  const { block, name: address } = part;
  const { repeat } = block;
  if (!repeat) {
    if (part.kind === "data") readInstance({ block, key: null, instanceScope: {} }, round);
    else declare({ block, key: null, instanceScope: {} }, round);
    return;
  }
  const isTooMuch = round.instances > MAX_INSTANCES_TOGETHER;
  const { value: instances, diagnostics } = isTooMuch
    ? { value: null, diagnostics: [] }
    : instancesOf(repeat, round.scope);
  report(round, diagnostics, (one) => withLocation(one, block, address));
  round.repeated.set(address, instances && { kind: repeat.kind, keys: instances.map(({ key }) => key) });
  if (!instances && diagnostics.length === 0)
    round.waiting.push(withLocation(instancesUnknown(repeat), block, address));
  if (!instances?.length && diagnostics.length === 0) checkWithoutInstance(block, round);
  round.instances += instances?.length ?? 0;
  if (round.instances > MAX_INSTANCES_TOGETHER) {
    if (!isTooMuch) report(round, [withLocation(tooManyTogether(repeat.kind), block, address)]);
    round.repeated.set(address, null);
    return;
  }
  for (const instance of instances ?? []) {
    if (isEnded(round)) return;
    if (part.kind === "data") readInstance({ block, ...instance }, round);
    else declare({ block, ...instance }, round);
  }
}

/** Outputs and checks: evaluated last, because they can refer to everything. */
function evaluateResults(
  { outputs, checks = [] }: Configuration,
  round: Round,
): { readonly outputs: Result<readonly OutputValue[]>; readonly checks: Result<readonly EvaluatedCheck[]> } {
  if (outputs.length + checks.length === 0)
    return { outputs: { value: [], diagnostics: [] }, checks: { value: [], diagnostics: [] } };
  const conditions = checks.flatMap(({ asserts }) => asserts.flatMap(({ condition, message }) => [condition, message]));
  const { catalog, declarations, order, seen } = round;
  const by = [...outputs.map(({ value }) => value), ...conditions];
  const resources = resourcesFor({
    managed: seen.managed,
    declared: declarations,
    referenced: order.referenced,
    by,
    catalog,
  });
  const scope = outputScope(round, resources);
  return { outputs: evaluateOutputs(outputs, scope), checks: evaluateChecks(checks, scope) };
}

function checkAll({ variables, outputs }: Configuration, round: Round): void {
  const { scope } = round;
  const checked = [
    ...variables.map(({ name, sensitive, validations = [] }) =>
      checkConditions(validations, { kind: "validation", variable: name, sensitive }, scope),
    ),
    ...round.conditions.map((check) => check()),
    ...outputs.map(({ name, preconditions = [] }) =>
      checkConditions(preconditions, { kind: "output", address: `output.${name}` }, scope),
    ),
  ];
  for (const { diagnostics, waiting } of checked) {
    report(round, diagnostics);
    round.waiting.push(...waiting);
  }
}

function evaluateLocal(
  { name, value: argument, locate }: Local,
  scope: Scope,
): { readonly value: DerivedValue; readonly problems: readonly Diagnostic[] } {
  const { problems, ...value } = evaluateValue(argument, [name], scope);
  return { value, problems: problems.map((one) => withLocationIn(one, locate)) };
}

/** The scope of outputs and checks: the resources, and the locals evaluated again, because they may depend on resources. */
function outputScope(
  { scope, order, locals: before, managed: inBlocks, maskedData }: Round,
  resources: Pick<Scope, "managed" | "masked">,
): Scope {
  const locals = new Map(before);
  const all: Scope = { ...scope, ...resources, maskedData, wholeBlocks: new Map(), ...(inBlocks ? { locals } : {}) };
  for (const part of order.parts)
    if (part.kind === "local") locals.set(part.local.name, evaluateLocal(part.local, all).value);
  return all;
}

/** Checks a block without any instance. */
function checkWithoutInstance(block: Block, round: Round): void {
  const { scope, catalog } = round;
  const instanceScope =
    block.repeat?.kind === "count" ? { countIndex: UNKNOWN } : { each: { key: UNKNOWN, value: UNKNOWN } };
  const definition = definitionOf(block, catalog);
  const evaluated = evaluateBlock(block, definition.schema, { ...scope, ...instanceScope });
  const problems = [
    ...evaluated.diagnostics,
    ...hideSensitive(evaluated, checkAttributes(definition, evaluated.complete)),
  ];
  report(round, problems, (one) => withLocation(one, block, addressOf(block)));
}

interface BlockInstance {
  readonly block: Block;
  readonly key: string | number | null;
  readonly instanceScope: Instance["instanceScope"];
}

function readInstance({ block, key, instanceScope }: BlockInstance, round: Round): void {
  const { scope, seen, reads, lookupTexts } = round;
  const definition = definitionOf(block, round.catalog);
  const address = addressOf(block, key);
  const evaluated = evaluateBlock(block, definition.schema, { ...scope, ...instanceScope });
  const problems = [
    ...evaluated.diagnostics,
    ...hideSensitive(evaluated, checkAttributes(definition, evaluated.complete)),
  ];
  report(round, problems, (one) => withLocation(one, block, address));
  round.dataAddresses.add(address);
  const isHidden = scope.hide && evaluated.masked.length > 0;
  // What is found says something about the sensitive value.
  if (isHidden) round.maskedData.set(address, Object.keys(seen.known.get(address) ?? {}));
  const isReadable = !isHidden || !hasErrors(checkAttributes(definition, evaluated.attributes));
  if (!seen.known.has(address) && isReadable)
    reads.push({
      address,
      type: block.type,
      config: evaluated.attributes,
      masked: evaluated.masked,
      locate: block.locate,
    });
  const lookupText = lookupTextOf(address, evaluated);
  if (lookupText !== null) lookupTexts.set(address, lookupText);
  round.waiting.push(...knownAfterApply(evaluated.waiting).map((one) => withLocation(one, block, address)));
  const read = seen.known.get(address);
  addConditions({ block, key, instanceScope }, read && { address, attributes: read, masked: [] }, round);
}

/** A postcondition of a data source waits for its read. */
function addConditions({ block, key, instanceScope }: BlockInstance, self: Scope["self"], round: Round): void {
  const { preconditions = [], postconditions = [] } = block;
  const address = addressOf(block, key);
  const scope = { ...round.scope, ...instanceScope, maskedData: round.maskedData };
  if (preconditions.length > 0)
    round.conditions.push(() => checkConditions(preconditions, { kind: "precondition", address }, scope));
  if (postconditions.length > 0 && self)
    round.conditions.push(() =>
      checkConditions(postconditions, { kind: "postcondition", address }, { ...scope, self }),
    );
}

function declare({ block, key, instanceScope }: BlockInstance, round: Round): void {
  const { catalog, recorded, declarations } = round;
  const definition = definitionOf(block, catalog);
  const address = addressOf(block, key);
  const scope = { ...round.scope, ...instanceScope };
  const { shared, own } = splitArguments(block);
  const common = evaluateBlock(shared, definition.schema, scope);
  const declared = declarationsOf({ block, own, address, definition }, { scope, common, recorded });
  report(round, declared.diagnostics, (one) => withLocation(one, block, address));
  round.waiting.push(...knownAfterApply(common.waiting).map((one) => withLocation(one, block, address)));
  if (!declared.value) round.repeated.set(address, null);
  const [first] = declared.value ?? [];
  const self = first && {
    address,
    attributes: { ...declaredAttributes(first, catalog), ...knownSecrets(first) },
    masked: maskedNames(first, catalog),
  };
  addConditions({ block, key, instanceScope }, self, round);
  // The instances of a `for_each` over what a data source has found come and go like those of a filter.
  const isFiltered = instanceScope.each?.references?.some((reference) => reference.startsWith("data.")) === true;
  for (const one of declared.value ?? []) {
    declarations.push(isFiltered ? { ...one, isFiltered } : one);
    if (!round.managed || !round.order.referenced.has(addressOf(block))) continue;
    round.managed.set(one.address, { ...declaredAttributes(one, catalog), ...knownSecrets(one) });
    round.masked.set(one.address, maskedNames(one, catalog));
  }
}

/** Secrets from variables are known here; those from files and commands are not. */
function knownSecrets({ secrets }: Declaration): Attributes {
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([name, source]) => (source.kind === "value" ? [[name, source.value]] : [])),
  );
}

interface KnownBlock {
  readonly block: Block;
  /** The block with only the arguments that differ between the instances of a fan-out. */
  readonly own: Block;
  readonly address: string;
  readonly definition: AnyResource | AnyDataSource;
}

/** Null while the block's fan-out is unknown. */
function declarationsOf(
  { block, own, address, definition }: KnownBlock,
  { scope, common, recorded }: Pick<Round, "scope" | "recorded"> & { readonly common: EvaluatedBlock },
): Result<readonly Declaration[] | null> {
  const { type, provider, locate, fanOut: parts, ignoreChanges = [] } = block;
  const { attributes, secrets, masked, lookups } = common;
  const differing = [...(parts ?? []).map(({ attribute }) => attribute), ...Object.keys(own.arguments)];
  const unknown = Object.fromEntries(differing.map((name) => [name, UNKNOWN]));
  const checked = [
    ...common.diagnostics,
    ...hideSensitive(common, checkAttributes(definition, { ...common.complete, ...unknown })),
  ];
  if (parts) {
    const { value, diagnostics } = fanOut({
      block: { ...block, fanOut: parts },
      own,
      definition,
      common,
      checked,
      scope,
      recorded: () => recorded(address),
    });
    return { value, diagnostics: [...checked, ...diagnostics] };
  }
  const lookedUp = Object.keys(lookups).length === 0 ? {} : { lookups };
  const ignored = ignoreChanges.length === 0 ? {} : { ignoreChanges };
  return {
    value: [{ address, type, provider, attributes, secrets, masked, ...lookedUp, ...ignored, locate }],
    diagnostics: checked,
  };
}

/** The lookup of a data source, as `data.TYPE.NAME (name "Q3 launch")`; null for a lookup by id. */
function lookupTextOf(address: string, { attributes, masked }: EvaluatedBlock): string | null {
  const given = Object.entries(attributes).filter(([, value]) => value !== null);
  if (given.some(([name]) => name === "id")) return null;
  const asked = given.map(
    ([name, value]) => `${name} ${masked.includes(name) ? "(sensitive value)" : JSON.stringify(value)}`,
  );
  return asked.length === 0 ? address : `${address} (${asked.join(", ")})`;
}

/** Evaluates the checks, which can refer to resources. The diagnostics of the result are the mistakes in the checks themselves. */
function evaluateChecks(checks: readonly Check[], scope: Scope): Result<readonly EvaluatedCheck[]> {
  const evaluated = checks.map((check) => evaluateCheck(check, scope));
  return { value: evaluated, diagnostics: evaluated.flatMap(({ mistakes }) => mistakes) };
}

function evaluateCheck({ name, severity = "warning", asserts }: Check, scope: Scope): EvaluatedCheck {
  const checked = checkConditions(asserts, { kind: "check", name, severity }, scope);
  const isFailure = ({ code }: Diagnostic): boolean => code === "check_failed";
  const diagnostics = checked.diagnostics.filter(isFailure);
  const mistakes = checked.diagnostics.filter((one) => !isFailure(one));
  const messages = checked.diagnostics.map(({ detail }) => detail);
  const status = messages.length > 0 ? "fail" : checked.isUnknown ? "unknown" : "pass";
  return { name, severity, status, messages, diagnostics, mistakes };
}
