import type { Argument, Block, Configuration, Variable, FanOutPart } from "../../core/config/block.ts";
import type { VariableValue } from "../../core/config/variables/variables.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { definitionOf } from "../../core/config/round.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Result, errorOf, noteOf } from "../../core/model/diagnostic.ts";
import { NO_SCOPE } from "./expanded.ts";
import { repeatedAs, type Repeated } from "./repeated.ts";
import { uniqueName, soleExpression } from "./segments.ts";
import { type Scope, evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import { onOneLine } from "./expression-text.ts";
import { replaceReferences } from "./rewrite.ts";

/** A variable that replaces a secret, and the secret's current source. */
export interface SecretVariable {
  readonly name: string;
  readonly source: SecretSource;
}

export interface PlainConfiguration extends Configuration {
  readonly locals: NonNullable<Configuration["locals"]>;
  readonly secrets: readonly SecretVariable[];
}

interface Layout {
  readonly catalog: Catalog;
  /** The current values of the variables, for names of secrets that depend on them. */
  readonly values: ReadonlyMap<string, VariableValue>;
  /** Whether an expression can span several lines. */
  readonly onLines: boolean;
}

/** Names that Terraform reserves. */
const RESERVED: ReadonlySet<string> = new Set([
  "_",
  "source",
  "version",
  "provider",
  "providers",
  "count",
  "for_each",
  "lifecycle",
  "depends_on",
  "locals",
]);

/**
 * The declarations without YAML's own features: `for_each` instead of fan-outs, and sensitive variables instead of
 * references to secrets. The addresses stay the same; `fanOut` stays too, for
 * forms that can express it. `rotation` and `protect` are still arguments, but with literal
 * values.
 */
export function plainBlocks(
  configuration: Configuration,
  { catalog, values, onLines }: Layout,
): Result<PlainConfiguration> {
  const secrets = new SecretNames(configuration.variables);
  const diagnostics: Diagnostic[] = configuration.variables.flatMap((variable) => [
    ...reservedName(variable),
    ...hiddenDefault(variable),
  ]);
  const sorted = configuration.blocks.toSorted((a, b) => Number(a.mode === "managed") - Number(b.mode === "managed"));
  const isStack = configuration.locals !== undefined;
  const blocks = sorted.map((block) => {
    diagnostics.push(...settingsOf(block));
    return plainBlock(isStack ? inOrder(block, catalog) : block, { catalog, values, onLines, secrets, diagnostics });
  });
  const { apiKey } = configuration.service;
  const isDefaultKey =
    apiKey?.kind === "secret" && apiKey.source.kind === "env" && apiKey.source.name === "OUTREACH_API_KEY";
  const service = {
    ...configuration.service,
    apiKey: isDefaultKey || !apiKey ? null : secrets.instead(apiKey, "api_key"),
  };
  const given = configuration.variables.map((variable) =>
    variable.sensitive ? { ...variable, default: undefined } : variable,
  );
  const variables = [...given, ...secrets.variables()];
  return {
    value: { ...configuration, locals: configuration.locals ?? [], variables, blocks, service, secrets: secrets.found },
    diagnostics,
  };
}

/** The synthesis sorts the keys of a stack. The result has the order of the reference. */
function inOrder(block: Block, catalog: Catalog): Block {
  const names = Object.keys(definitionOf(block, catalog).schema);
  const sorted = Object.entries(block.arguments).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  return { ...block, arguments: Object.fromEntries(sorted) };
}

interface InBlocks extends Layout {
  readonly secrets: SecretNames;
  readonly diagnostics: Diagnostic[];
}

function plainBlock(
  { allowEmpty: _, prune: __, ...block }: Block,
  { catalog, values, onLines, secrets, diagnostics }: InBlocks,
): Block {
  const { fanOut } = block;
  const repeated = fanOut && repeatedAs(fanOut, { schema: definitionOf(block, catalog).schema, onLines });
  const plain = (argument: Argument, otherwise: string): Argument => {
    if (argument.kind !== "secret") return repeated ? withTerraformEach(argument, repeated) : argument;
    if (!repeated || !argument.own) return secrets.instead(argument, otherwise);
    const variableOf = (source: SecretSource, key: string): string => secrets.nameFor(source, `${otherwise}_${key}`);
    const scope = { ...NO_SCOPE, variables: values };
    const found = instanceSecrets({ ...argument, own: argument.own }, { block, repeated, scope, variableOf });
    if (!found) diagnostics.push(unknownSecrets(block, otherwise));
    return found ?? argument;
  };
  const args = Object.fromEntries(
    Object.entries(block.arguments).map(([name, argument]) => [
      name,
      plain(argument, `${block.name.replaceAll("-", "_")}_${name}`),
    ]),
  );
  return repeated
    ? { ...block, repeat: repeated.repeat, arguments: { ...args, ...repeated.own } }
    : { ...block, arguments: args };
}

function unknownSecrets(block: Block, what: string): Diagnostic {
  return errorOf("convert_unsupported", "Conversion not possible", {
    detail: `The name of ${what} depends on values that only a plan reads, but each secret of a Terraform configuration is a declared variable.`,
    hint: "Name the secret without each.campaign_id and each.key, and convert again.",
    place: block.locate([]),
  });
}

/** Assigns each secret a variable; equal secrets share one. */
class SecretNames {
  readonly found: SecretVariable[] = [];
  readonly #taken: Set<string>;

  constructor(variables: readonly Variable[]) {
    this.#taken = new Set([...RESERVED, ...variables.map(({ name }) => name)]);
  }

  instead(argument: Argument, otherwise: string): Argument {
    return argument.kind === "secret"
      ? { kind: "template", text: `\${var.${this.nameFor(argument.source, otherwise)}}` }
      : argument;
  }

  nameFor(source: SecretSource, otherwise: string): string {
    const key = JSON.stringify(source);
    let known = this.found.find((one) => JSON.stringify(one.source) === key);
    if (!known) {
      known = { name: this.#free(source.kind === "env" ? nameOf(source.name) : otherwise), source };
      this.found.push(known);
    }
    return known.name;
  }

  variables(): readonly Variable[] {
    return this.found.map(({ name }) => ({
      name,
      default: undefined,
      sensitive: true,
      type: "string",
      locate: () => undefined,
    }));
  }

  #free(wanted: string): string {
    // Only characters that shells allow in names.
    return uniqueName(wanted.replaceAll(/\W/g, "_").replace(/^(?=\d)/, "_"), this.#taken, "_");
  }
}

/** A secret from one of the prefixed variables keeps its name. */
function nameOf(environment: string): string {
  return environment.startsWith("TF_VAR_") ? environment.slice("TF_VAR_".length) : environment.toLowerCase();
}

function reservedName({ name, locate }: Variable): readonly Diagnostic[] {
  if (!RESERVED.has(name)) return [];
  return [
    errorOf("convert_name", "Reserved variable name", {
      detail: `A variable cannot have the name ${name}, which Terraform reserves.`,
      hint: "Rename the variable, and convert again.",
      place: locate([]),
    }),
  ];
}

/** The default may be a secret, but the conversion is printed. */
function hiddenDefault({ name, default: fallback, sensitive, locate }: Variable): readonly Diagnostic[] {
  if (!sensitive || fallback === undefined) return [];
  return [
    noteOf("convert_default", "Default of a sensitive variable omitted", {
      detail: `The default of ${name} is sensitive, so it is not printed.`,
      hint: `Set TF_VAR_${name}.`,
      place: locate([]),
    }),
  ];
}

/** Reports settings with expressions: Terraform's lifecycle only accepts literal values. */
function settingsOf(block: Block): readonly Diagnostic[] {
  return ["rotation", "protect"].flatMap((name): readonly Diagnostic[] => {
    const argument = block.arguments[name];
    if (!argument || argument.kind === "literal") return [];
    return [
      errorOf("convert_unsupported", "Conversion not possible", {
        detail: `${name} of ${block.type}.${block.name} is an expression, but Terraform's lifecycle block accepts only literal values.`,
        hint: "Write a literal value, and convert again.",
        place: block.locate([name]),
      }),
    ];
  });
}

type Secret = Extract<Argument, { readonly kind: "secret" }>;

/** An argument of a fan-out with Terraform's `each` in place of YAML's: `each.type` becomes `each.key` or `each.value.type`. */
function withTerraformEach(argument: Argument, { own }: Repeated): Argument {
  return replaceReferences(argument, ({ steps: [root, name] }) => {
    const value = root === "each" && name !== "key" ? eachValue(String(name), own) : null;
    return value === null ? null : { steps: 2, by: value };
  });
}

function eachValue(attribute: string, own: Repeated["own"]): string | null {
  const value = own[attribute];
  return value?.kind === "template" ? soleExpression(value.text) : null;
}

/**
 * The secrets of the instances of a fan-out as a map of variables, indexed by what differs: `{ emailsSent = var.a }[each.key]`.
 * Null if they depend on values that only a plan reads. `variableOf` gives each source its variable.
 */
function instanceSecrets(
  { source, own: name }: Secret & { readonly own: Argument },
  {
    block,
    repeated,
    scope,
    variableOf,
  }: {
    readonly block: Block;
    readonly repeated: Repeated;
    readonly scope: Scope;
    readonly variableOf: (source: SecretSource, key: string) => string;
  },
): Argument | null {
  const used = new Set(
    referencesIn(name).flatMap(({ steps: [root, attribute] }) => (root === "each" ? [String(attribute)] : [])),
  );
  const parts = (block.fanOut ?? []).filter(({ attribute }) => used.has(attribute) || used.has("key"));
  const lists = parts.map(literalTexts);
  if (!lists.every((list) => list !== null)) return null;
  const combinations = lists.reduce<readonly (readonly string[])[]>(
    (all, list) => all.flatMap((before) => list.map((text) => [...before, text])),
    [[]],
  );
  const variables = combinations.map((texts): readonly [string, string] | null => {
    const key = texts.join("/");
    const values = new Map(
      parts.map(({ attribute }, index) => [attribute, { value: texts[index] ?? "", sensitive: false }]),
    );
    const { value } = evaluateArgument(name, { ...scope, fanOut: { key, values } });
    if (typeof value !== "string") return null;
    return [key, variableOf(source.kind === "env" ? { kind: "env", name: value } : { kind: "file", path: value }, key)];
  });
  if (!variables.every((one) => one !== null)) return null;
  const [only, ...others] = parts;
  const index = only && others.length === 0 ? eachValue(only.attribute, repeated.own) : "each.key";
  const map: Argument = {
    kind: "object",
    entries: variables.map(([key, variable]) => [
      { kind: "literal", value: key },
      { kind: "template", text: `\${var.${variable}}` },
    ]),
  };
  return { kind: "template", text: `\${${onOneLine(map)}[${index ?? "each.key"}]}` };
}

function literalTexts({ values }: FanOutPart): readonly string[] | null {
  const texts =
    values.kind === "list"
      ? values.items.map((item) => (item.kind === "literal" && typeof item.value === "string" ? item.value : null))
      : [null];
  return texts.every((text) => text !== null) ? [...new Set(texts)] : null;
}
