import type { Argument, Block, Check, Configuration, Variable } from "../../core/config/block.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import { type Scope, convert } from "../../core/config/blocks/evaluate-block.ts";
import { instancesOf } from "../../core/config/blocks/repeat.ts";
import type { VariableValue } from "../../core/config/variables/variables.ts";
import type { Reference } from "../../core/expression/syntax/syntax.ts";
import type { Type } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Result, errorOf, noteOf } from "../../core/model/diagnostic.ts";
import { type Value, hasUnknown } from "../../core/model/value.ts";
import { SECTIONS } from "../yaml/sections.ts";
import { type Expanded, NO_SCOPE, expandedBlocks, ofInstance } from "./expanded.ts";
import { expressionText } from "./expression-text.ts";
import { fanOutShape } from "./fan-out-shape.ts";
import { addressOf, definitionOf } from "../../core/config/round.ts";
import { type Replace, replaceReferences, rewriteArgument } from "./rewrite.ts";
import { secretPerInstance } from "./yaml-each.ts";
import { soleExpression } from "./segments.ts";

interface Context {
  readonly configuration: Configuration;
  readonly catalog: Catalog;
  readonly scope: Scope;
  readonly inlined: ReadonlyMap<string, Value>;
  readonly blocks: ReadonlyMap<string, Block>;
  /** By address; expanded blocks are added. */
  readonly expanded: Map<string, Expanded & { readonly block: Block }>;
  readonly taken: Set<string>;
  /** The variables that became secrets. */
  readonly secrets: Set<string>;
  readonly diagnostics: Diagnostic[];
}

/** The declarations with YAML's features only: no locals, no instances except fan-outs, no references between resources. */
export function yamlBlocks(
  configuration: Configuration,
  { catalog, variables }: { readonly catalog: Catalog; readonly variables: ReadonlyMap<string, VariableValue> },
): Result<Configuration> & { /** The variables that became secrets. */ readonly secrets: ReadonlySet<string> } {
  const diagnostics: Diagnostic[] = [];
  const inlined = inlinedVariables(configuration.variables, variables, diagnostics);
  const names = new Map<string, Expanded & { readonly block: Block }>();
  const context: Context = {
    configuration,
    catalog,
    scope: { ...NO_SCOPE, variables },
    inlined,
    blocks: new Map(configuration.blocks.map((block) => [addressOf(block), block])),
    expanded: names,
    taken: new Set(configuration.blocks.map(({ name }) => name)),
    secrets: new Set(),
    diagnostics,
  };
  const shaped = configuration.blocks.map((block) => yamlBlock(block, context));
  const blocks = shaped.flatMap((make) => make());
  const outputs = configuration.outputs.map((output) => ({
    ...output,
    value: rewriteArgument(output.value, replaceUnsupported(context, { inOutput: `output.${output.name}` })),
  }));
  const checks = (configuration.checks ?? []).flatMap((check) => oneByOne(check, context));
  const simplified = (argument: Argument): Argument => rewriteArgument(argument, replaceUnsupported(context, {}));
  const { baseUrl, apiKey, exclusive, mark, locate } = configuration.service;
  const service = {
    ...(exclusive === undefined ? {} : { exclusive }),
    ...(mark === undefined ? {} : { mark }),
    baseUrl: baseUrl && simplified(baseUrl),
    apiKey: apiKey && secretOf(simplified(apiKey), "api_key of the provider", context),
    locate,
  };
  const imports = configuration.imports.map((one) => ({
    ...one,
    to: renamedBy(names, one.to),
    id: simplified(one.id),
  }));
  const used = [
    ...blocks.flatMap(({ arguments: given, fanOut = [] }) => [
      ...Object.values(given),
      ...fanOut.map(({ values }) => values),
    ]),
    ...outputs.map(({ value }) => value),
    ...checks.flatMap(({ asserts }) => asserts.flatMap(({ condition, message }) => [condition, message])),
    ...imports.map(({ id }) => id),
    ...(service.baseUrl ? [service.baseUrl] : []),
  ];
  const named = new Set(used.flatMap(referencesIn).map(({ steps }) => steps.slice(0, 2).join(".")));
  const isKept = ({ name }: Variable): boolean =>
    named.has(`var.${name}`) || !(context.secrets.has(name) || inlined.has(name));
  const { locals: _, ...rest } = configuration;
  const value = {
    ...rest,
    variables: configuration.variables.filter(isKept).map(plainVariable),
    blocks,
    outputs,
    checks,
    imports,
    service,
  };
  return { value, secrets: context.secrets, diagnostics: [...diagnostics, ...expansions(names)] };
}

/** A check in YAML has one condition. */
function oneByOne({ name, severity, asserts }: Check, context: Context): readonly Check[] {
  const replace = replaceUnsupported(context, { inOutput: `check.${name}` });
  return asserts.map(({ condition, message, locate }, index) => ({
    name: index === 0 ? name : `${name}-${String(index + 1)}`,
    ...(severity ? { severity } : {}),
    asserts: [{ condition: rewriteArgument(condition, replace), message: rewriteArgument(message, replace), locate }],
  }));
}

function renamedBy(names: ReadonlyMap<string, Expanded & { readonly block: Block }>, address: string): string {
  const found = names.get(address);
  return found ? addressOf({ ...found.block, name: found.name }) : address;
}

/** Decides the form of a block. The returned function creates it when the names of all blocks are known. */
function yamlBlock(block: Block, context: Context): () => readonly Block[] {
  if (block.ignoreChanges)
    context.diagnostics.push(
      unsupported(block, `${addressOf(block)} has ignore_changes, which YAML does not support.`),
    );
  const { repeat, dependsOn: _, ignoreChanges: __, provider: ___, ...rest } = block;
  const plain: Block = { ...rest, provider: "outreach" };
  if (!repeat) return () => [{ ...plain, arguments: argumentsOf(block, context, replaceUnsupported(context, {})) }];
  const each = { ...repeat, value: replaceReferences(repeat.value, replaceUnsupported(context, {})) };
  const isConstant = referencesIn(each.value).length === 0;
  const { fanOut: keys = [] } = SECTIONS.find(({ type, mode }) => type === block.type && mode === block.mode) ?? {};
  const shape = fanOutShape(
    { repeat: each, arguments: block.arguments, instances: isConstant ? instancesOf(each, NO_SCOPE).value : null },
    { keys, schema: definitionOf(block, context.catalog).schema },
  );
  if (shape) {
    const isEmpty = shape.parts.some(
      ({ values, filtered }) => filtered || (values.kind === "list" && values.items.length === 0),
    );
    const filtered = shape.parts.some((part) => part.filtered);
    const settings = { ...(isEmpty ? { allowEmpty: true } : {}), ...(filtered ? { prune: true } : {}) };
    return () => [
      {
        ...plain,
        ...settings,
        fanOut: shape.parts,
        arguments: argumentsOf({ ...block, arguments: shape.arguments }, context, replaceUnsupported(context, {})),
      },
    ];
  }
  const instances = expandedBlocks({ ...block, repeat: each }, context.scope, context.taken);
  if (!instances) {
    context.diagnostics.push(
      unsupported(
        block,
        `${repeat.kind} of ${addressOf(block)} depends on data that only a plan reads, and YAML has no short form for it.`,
      ),
    );
    return () => [];
  }
  for (const one of instances) context.expanded.set(one.address, { ...one, block });
  return () =>
    instances.map(({ name, instance }) => {
      const own = ofInstance(instance, (text) =>
        context.diagnostics.push(
          unsupported(block, `${text} in ${addressOf(block)} is sensitive, but would become a literal value.`),
        ),
      );
      const instead: Replace = (reference) => own(reference) ?? replaceUnsupported(context, {})(reference);
      return { ...plain, name, arguments: argumentsOf(block, context, instead) };
    });
}

function argumentsOf(block: Block, context: Context, replace: Replace): Block["arguments"] {
  const { schema } = definitionOf(block, context.catalog);
  return Object.fromEntries(
    Object.entries(block.arguments).flatMap(([name, argument]) => {
      if (argument.kind === "literal" && argument.value === null) return [];
      const made = rewriteArgument(argument, replace);
      const attribute = schema[name];
      const secret = attribute?.sensitive ? secretOf(made, `${name} of ${addressOf(block)}`, context, block) : null;
      return [[name, secret ?? (attribute ? withFinalType(made, attribute.type) : made)] as const];
    }),
  );
}

/** Terraform converts numbers to strings and the like; YAML needs the final type. */
function withFinalType(argument: Argument, type: Type): Argument {
  if (argument.kind === "literal") return { kind: "literal", value: convert(argument.value, type) ?? argument.value };
  if (argument.kind === "list" && typeof type === "object" && "list" in type)
    return { kind: "list", items: argument.items.map((item) => withFinalType(item, type.list)) };
  return argument;
}

/** A secret is a sensitive variable in a stack; YAML reads it from the same environment variable. */
function secretOf(
  argument: Argument,
  what: string,
  { configuration, secrets, diagnostics }: Context,
  block?: Block,
): Argument | null {
  const [, name] =
    /^var\.([\p{L}_][\p{L}\p{N}_-]*)$/u.exec((argument.kind === "template" && soleExpression(argument.text)) || "") ??
    [];
  const variable = configuration.variables.find((one) => one.name === name);
  if (variable) {
    secrets.add(variable.name);
    return { kind: "secret", source: { kind: "env", name: `TF_VAR_${variable.name}` } };
  }
  const perInstance = argument.kind === "template" ? secretPerInstance(argument.text) : null;
  if (perInstance) {
    for (const one of perInstance.variables) secrets.add(one);
    return perInstance.secret;
  }
  diagnostics.push(
    unsupported(block, `${what} is more than a sensitive variable, but a secret in YAML has a single source.`),
  );
  return null;
}

/** Replaces locals, attributes of other resources, and variables that YAML does not support. */
function replaceUnsupported(context: Context, { inOutput }: { readonly inOutput?: string }): Replace {
  const { configuration, inlined, blocks } = context;
  const replace: Replace = (reference) => {
    const { steps } = reference;
    const [root, second] = steps;
    if (root === "local") {
      const local = configuration.locals?.find(({ name }) => name === second);
      return local ? { steps: 2, by: rewriteArgument(local.value, replace) } : null;
    }
    if (root === "var") {
      const value = inlined.get(String(second));
      if (value === undefined) return null;
      const { type } = configuration.variables.find(({ name }) => name === second) ?? {};
      const literal = { kind: "literal", value } as const;
      return {
        steps: 2,
        by: typeof type === "object" && type.kind === "set" ? `toset(${expressionText(literal)})` : literal,
      };
    }
    if (root === "terraform") return { steps: steps.length, by: { kind: "literal", value: "default" } };
    const depth = root === "data" ? 3 : 2;
    const block = blocks.get(steps.slice(0, depth).join("."));
    return block ? toBlock(reference, { block, depth, context, replace, inOutput }) : null;
  };
  return replace;
}

interface BlockReference {
  readonly block: Block;
  readonly depth: number;
  readonly context: Context;
  readonly replace: Replace;
  readonly inOutput: string | undefined;
}

function toBlock(
  { steps, text }: Reference,
  { block, depth, context, replace, inOutput }: BlockReference,
): ReturnType<Replace> {
  const { expanded, diagnostics } = context;
  const isExpanded = block.repeat !== undefined && [...expanded.values()].some((one) => one.block === block);
  const address = addressOf(block, steps[depth] ?? null);
  const instance = isExpanded ? expanded.get(address) : undefined;
  if (isExpanded && !instance) {
    diagnostics.push(
      unsupported(
        block,
        `${text} refers to all instances of ${addressOf(block)}, which become separate blocks in YAML.`,
      ),
    );
    return null;
  }
  if (block.mode === "data" || inOutput !== undefined)
    return instance ? { steps: depth + 1, by: renamedBy(expanded, instance.address) } : null;
  const attribute = steps[instance ? depth + 1 : depth];
  const argument = typeof attribute === "string" ? block.arguments[attribute] : undefined;
  if (!argument || (block.repeat && !instance)) {
    diagnostics.push(unsupported(block, `${text} refers to a resource, but in YAML only outputs can.`));
    return null;
  }
  const own = instance ? ofInstance(instance.instance, () => undefined) : () => null;
  return {
    steps: (instance ? depth + 1 : depth) + 1,
    by: rewriteArgument(argument, (reference) => own(reference) ?? replace(reference)),
  };
}

const UNSUPPORTED_TYPE = "Variable type not supported in YAML";

/** Variables with types that YAML does not support, with their current values. */
function inlinedVariables(
  variables: readonly Variable[],
  values: ReadonlyMap<string, VariableValue>,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>();
  for (const { name, type = "string", default: fallback, sensitive, locate } of variables) {
    const isPlain =
      typeof type === "string" && (fallback === undefined || (fallback !== null && typeof fallback !== "object"));
    if (isPlain) continue;
    const what = `Variables in YAML are text, numbers, true or false. ${name} has another type,`;
    const value = values.get(name)?.value;
    const isKnown = !sensitive && value !== undefined && !hasUnknown(value);
    found.set(name, isKnown ? value : null);
    diagnostics.push(
      isKnown
        ? noteOf("convert_variable", UNSUPPORTED_TYPE, {
            detail: `${what} so its current value is inlined.`,
            place: locate([]),
          })
        : errorOf("convert_variable", UNSUPPORTED_TYPE, {
            detail: `${what} ${sensitive ? "and is sensitive, so its value cannot be inlined" : "and has no value to inline"}.`,
            hint: sensitive ? "Split it into plain variables, and convert again." : `Pass --var ${name}=VALUE.`,
            place: locate([]),
          }),
    );
  }
  return found;
}

function plainVariable({ name, default: fallback, sensitive, type, locate }: Variable): Variable {
  const isTyped = type === "string" || type === "number" || type === "bool";
  const converted = isTyped && fallback !== undefined ? (convert(fallback, type) ?? fallback) : fallback;
  return { name, default: converted, sensitive, locate };
}

function expansions(names: ReadonlyMap<string, Expanded & { readonly block: Block }>): readonly Diagnostic[] {
  const blocks = new Map<Block, string[]>();
  for (const { block, name } of names.values()) blocks.set(block, [...(blocks.get(block) ?? []), name]);
  return [...blocks].map(([block, made]) => {
    return noteOf("convert_expanded", "Instances become separate blocks", {
      detail: `YAML has no short form for the ${block.repeat?.kind ?? "instances"} of ${addressOf(block)}. Each current instance becomes a block: ${made.join(", ")}.`,
      place: block.locate([]),
    });
  });
}

function unsupported(block: Block | undefined, detail: string): Diagnostic {
  return errorOf("convert_unsupported", "Conversion not possible", {
    detail,
    hint: "Rewrite it, and convert again.",
    place: block?.locate([]),
  });
}
