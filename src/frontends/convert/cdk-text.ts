import type { Argument, Block, Check, Configuration } from "../../core/config/block.ts";
import { attributesOf, type Type } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { compareText } from "../../core/model/value.ts";
import { addressText } from "./hcl-text.ts";
import { definitionOf } from "../../core/config/round.ts";
import type { PlainConfiguration } from "./plain-blocks.ts";
import { segmentsOf, soleExpression, type Segment } from "./segments.ts";
import { type CdkLanguage, type Fields, rawText } from "./cdk-language.ts";
import { CdkNames } from "./cdk-names.ts";
import { PROVIDER, providersOf, terraformBlock, validationOf, variableTypeOf } from "./terraform-block.ts";

/** Constructs by the expressions that their attributes replace, such as `var.stage`. */
type Known = Map<string, { readonly constant: string; readonly attribute: string }>;

interface Scope {
  readonly catalog: Catalog;
  readonly language: CdkLanguage;
  readonly names: CdkNames;
  readonly known: Known;
  /** Constants that are lists of strings. */
  readonly lists: Known;
  /** The constants that are used. */
  readonly used: Set<string>;
  /** Classes of the provider, with their modules. */
  readonly imports: Map<string, string>;
  /** Classes of the library. */
  readonly library: Set<string>;
}

/** A program that synthesises a stack with these declarations. */
export function cdkText(configuration: PlainConfiguration, catalog: Catalog, language: CdkLanguage): string {
  const names = new CdkNames(language, [
    "OutreachProvider",
    ...catalog.resources.map(({ type }) => pascalCase(moduleOf("managed", type))),
    ...catalog.dataSources.map(({ type }) => pascalCase(moduleOf("data", type))),
  ]);
  const scope: Scope = {
    catalog,
    language,
    names,
    known: new Map(),
    lists: new Map(),
    used: new Set(),
    imports: new Map(),
    library: new Set(),
  };
  const constructs = [
    ...providers(configuration, scope),
    ...variables(configuration, scope),
    ...configuration.blocks.map((block) => blockConstruct(block, scope)),
    ...outputs(configuration, scope),
  ];
  const body = [...constructs.map((one) => constructText(one, scope)), ...statementLines(configuration, language)];
  return language.program({
    library: ["App", "TerraformStack", ...scope.library].toSorted(compareText),
    imports: scope.imports,
    body,
  });
}

function providers(configuration: Configuration, scope: Scope): readonly Construction[] {
  scope.imports.set("OutreachProvider", "provider");
  return providersOf(configuration).map(({ settings }) => ({
    type: "OutreachProvider",
    name: PROVIDER.name,
    kind: "provider",
    given: settings.map(
      ([name, argument]) => [scope.language.property(name), rawText(argument, scope.language)] as const,
    ),
    constant: scope.names.constant("provider"),
    overrides: [],
  }));
}

function variables({ variables: declared }: Configuration, scope: Scope): readonly Construction[] {
  const { language, names, known, library } = scope;
  return declared.map((variable) => {
    const { name, default: fallback, sensitive } = variable;
    const validation = validationOf(variable);
    const given: Fields = [
      ["type", language.text(variableTypeOf(variable))],
      ...(fallback === undefined ? [] : [["default", language.value(fallback)] as const]),
      ...(sensitive ? [["sensitive", language.value(true)] as const] : []),
      ...(validation ? [["validation", `[${validationText(validation, scope)}]`] as const] : []),
    ];
    const constant = names.constant(name);
    known.set(`var.${name}`, { constant, attribute: language.property("string_value") });
    library.add("TerraformVariable");
    return { type: "TerraformVariable", name, kind: "variable", given, constant, overrides: [] };
  });
}

function validationText({ condition, message }: NonNullable<ReturnType<typeof validationOf>>, scope: Scope): string {
  const { language } = scope;
  const fields = [
    ["condition", rawText(condition, language)] as const,
    [language.property("error_message"), rawText(message, language)] as const,
  ];
  return structText("TerraformVariableValidationConfig", fields, scope);
}

function blockConstruct(block: Block, scope: Scope): Construction {
  const { language } = scope;
  const set = language.hasOwnConstructs ? setOf(block, scope) : null;
  const { mode, type, name, repeat } = set ? { ...block, repeat: undefined } : block;
  const { attributes: all, lifecycle } = terraformBlock(block);
  const attributes = all.filter(([attribute]) => !set?.attributes.includes(attribute));
  const { schema } = definitionOf(block, scope.catalog);
  const module = set?.module ?? moduleOf(mode, type);
  const construction = pascalCase(module);
  scope.imports.set(construction, module);
  const inSet =
    set?.module === "webhook-set" ? { ...scope, known: new Map([...scope.known, ...eachOf(set, language)]) } : scope;
  const isProperty = (attribute: string, argument: Argument): boolean =>
    argument.kind === "literal" || isTextual(schema[attribute]?.type);
  const given = attributes
    .filter(([attribute, argument]) => isProperty(attribute, argument))
    .map(
      ([attribute, argument]) =>
        [
          language.property(attribute),
          eventTypeText(attribute, argument, { block, scope }) ?? valueText(argument, inSet),
        ] as const,
    );
  if (inSet !== scope && scope.used.has("Each")) scope.imports.set("Each", module);
  const flags = lifecycle
    ? Object.keys(lifecycle).map((flag) => [language.property(flag), language.value(true)] as const)
    : [];
  const overrides = [
    ...(repeat ? [[repeat.kind, repeat.value] as const] : []),
    ...attributes.filter(([attribute, argument]) => !isProperty(attribute, argument)),
  ].map(([key, value]) => [key, rawText(value, language)] as const);
  const constant = scope.names.constant(name);
  const properties = [
    ...given,
    ...(set?.given ?? []),
    ...(lifecycle ? [["lifecycle", structText("TerraformResourceLifecycle", flags, scope)] as const] : []),
  ];
  if (mode === "data" && !repeat) {
    for (const [attribute, one] of attributesOf(schema, "terraform").filter(([, { type: kind }]) => isTextual(kind)))
      (one.type === "string" ? scope.known : scope.lists).set(`data.${type}.${name}.${attribute}`, {
        constant,
        attribute: language.property(attribute),
      });
  }
  const inner = set ? `${constant}.${set.block}` : constant;
  return { type: construction, name, kind: moduleOf("managed", type), given: properties, constant, inner, overrides };
}

function structText(type: string, fields: Fields, { language, library }: Scope): string {
  if (language.namesTypes) library.add(type);
  return language.struct(type, fields);
}

/** The construct for a block and its fan-out. */
interface ConstructSet {
  readonly module: string;
  /** Its property with the block. */
  readonly block: string;
  /** The attributes that the lists replace. */
  readonly attributes: readonly string[];
  readonly given: Fields;
}

const SETS: {
  readonly [type: string]: Pick<ConstructSet, "module" | "block"> & {
    readonly lists: { readonly [attribute: string]: string };
  };
} = {
  outreach_webhook: { module: "webhook-set", block: "webhooks", lists: { type: "types", campaign_id: "campaigns" } },
  outreach_lead_unsubscription: {
    module: "suppression-list",
    block: "unsubscriptions",
    lists: { campaign_id: "campaigns", email: "emails" },
  },
};

/** The values of `Each` by Terraform's expressions for them. */
function eachOf({ attributes }: ConstructSet, { property }: CdkLanguage): Known {
  const [only = "", ...others] = attributes;
  const each = (attribute: string): { readonly constant: string; readonly attribute: string } => ({
    constant: "Each",
    attribute: property(attribute),
  });
  if (others.length === 0) return new Map(["each.key", "each.value"].map((text) => [text, each(only)]));
  return new Map([
    ["each.key", each("key")],
    ...attributes.map((attribute) => [`each.value.${attribute}`, each(attribute)] as const),
  ]);
}

/** Null if no construct has these lists, or if one of them is not written out and not the list of a data source. */
function setOf(block: Block, scope: Scope): ConstructSet | null {
  const set = SETS[block.type];
  const { fanOut = [] } = block;
  if (
    !set ||
    fanOut.length === 0 ||
    (block.type === "outreach_lead_unsubscription" && !fanOut.some(({ attribute }) => attribute === "email"))
  )
    return null;
  const given = fanOut.map(({ attribute, values }) => {
    const list = set.lists[attribute];
    const written = listText(attribute, values, { block, scope });
    return list === undefined || written === null ? null : ([list, written] as const);
  });
  if (!given.every((one) => one !== null)) return null;
  return { module: set.module, block: set.block, attributes: fanOut.map(({ attribute }) => attribute), given };
}

interface InBlock {
  readonly block: Block;
  readonly scope: Scope;
}

/** A list as the constructs accept it: not empty, without duplicates, and every value its own key. */
function listText(attribute: string, values: Argument, { block, scope }: InBlock): string | null {
  if (values.kind === "template") {
    const found = scope.lists.get(soleExpression(values.text) ?? "");
    if (!found) return null;
    scope.used.add(found.constant);
    return `${found.constant}.${found.attribute}`;
  }
  if (values.kind !== "list" || values.items.length === 0) return null;
  const { canonical } = definitionOf(block, scope.catalog).schema[attribute] ?? {};
  const items = values.items.map((item) => {
    if (item.kind === "literal") {
      if (typeof item.value !== "string" || (canonical?.(item.value) ?? item.value) !== item.value) return null;
      return eventTypeText(attribute, item, { block, scope }) ?? rawText(item, scope.language);
    }
    return item.kind === "template" ? attributeText(soleExpression(item.text) ?? "", scope) : null;
  });
  return items.every((item) => item !== null) && new Set(items).size === items.length ? `[${items.join(", ")}]` : null;
}

/** The constant of an event type. */
function eventTypeText(attribute: string, argument: Argument, { block, scope }: InBlock): string | null {
  const { oneOf } = definitionOf(block, scope.catalog).schema[attribute] ?? {};
  if (
    !scope.language.hasOwnConstructs ||
    block.type !== "outreach_webhook" ||
    attribute !== "type" ||
    argument.kind !== "literal" ||
    typeof argument.value !== "string"
  )
    return null;
  if (!oneOf?.includes(argument.value)) return null;
  scope.imports.set("EventType", "event-type");
  return `EventType.${argument.value}`;
}

function outputs({ outputs: declared }: Configuration, scope: Scope): readonly Construction[] {
  const { language, names, library } = scope;
  return declared.map(({ name, value, sensitive }) => {
    library.add("TerraformOutput");
    const given: Fields = [
      ["value", valueText(value, scope)],
      ...(sensitive ? [["sensitive", language.value(true)] as const] : []),
    ];
    return { type: "TerraformOutput", name, kind: "output", given, constant: names.constant(name), overrides: [] };
  });
}

/** The import, moved and removed blocks, which have no constructs. */
function statementLines(
  { imports, moved, removed, checks = [] }: Configuration,
  language: CdkLanguage,
): readonly string[] {
  const { object, text, value } = language;
  const statements = {
    import: imports.map(({ to, id }) =>
      object([
        ["to", text(addressText(to))],
        ["id", rawText(id, language)],
      ]),
    ),
    moved: moved.map(({ from, to }) =>
      object([
        ["from", text(addressText(from))],
        ["to", text(addressText(to))],
      ]),
    ),
    removed: removed.map(({ from, destroy }) =>
      object([
        ["from", text(from)],
        ["lifecycle", object([["destroy", value(destroy)]])],
      ]),
    ),
  };
  return [
    ...Object.entries(statements).flatMap(([kind, items]) =>
      items.length === 0 ? [] : [language.override(null, kind, language.list(items))],
    ),
    ...(checks.length === 0
      ? []
      : [
          language.override(
            null,
            "check",
            object(
              checks.map((check) => [check.name, object([["assert", language.list(assertsOf(check, language))]])]),
            ),
          ),
        ]),
  ];
}

function assertsOf({ asserts }: Check, language: CdkLanguage): readonly string[] {
  return asserts.map(({ condition, message }) =>
    language.object([
      ["condition", rawText(condition, language)],
      ["error_message", rawText(message, language)],
    ]),
  );
}

interface Construction {
  readonly type: string;
  readonly name: string;
  /** Distinguishes constructs with the same name. */
  readonly kind: string;
  readonly given: Fields;
  readonly constant: string;
  /** The expression for its block, if the block is inside the construct. */
  readonly inner?: string;
  readonly overrides: readonly (readonly [key: string, value: string])[];
}

/** Constructs have unique ids in a stack; an override keeps the original name in the synthesised JSON. */
function constructText(
  { type, name, kind, given, constant, inner = constant, overrides }: Construction,
  { language, names, used }: Scope,
): string {
  const id = names.id(name, kind);
  const made = language.construct(type, id, given);
  const isRenamed = type !== "OutreachProvider" && (id !== name || !/^[\w-]+$/.test(name));
  const behind = [
    ...(isRenamed ? [language.rename(inner, name)] : []),
    ...overrides.map(([key, value]) => language.override(inner, key, value)),
  ];
  return [behind.length > 0 || used.has(constant) ? language.constant(constant, made) : made, ...behind].join("\n");
}

/** A value for a property. References to constructs of the program become attributes of the constructs. */
function valueText(argument: Argument, scope: Scope): string {
  if (argument.kind === "list") return `[${argument.items.map((item) => valueText(item, scope)).join(", ")}]`;
  if (argument.kind !== "template") return rawText(argument, scope.language);
  const segments = segmentsOf(argument.text);
  const whole = attributeText(soleExpression(argument.text) ?? "", scope);
  if (whole !== null) return whole;
  if (
    !segments.some((segment) => segment.kind === "expression") ||
    !segments.every((segment) => isMixable(segment, scope))
  )
    return rawText(argument, scope.language);
  return scope.language.mixed(
    segments.map(({ kind, text }) => ({ kind, text: kind === "text" ? text : String(attributeText(text, scope)) })),
  );
}

/** Whether a segment can be in one text with a construct's attribute: the synthesis would not mark the attribute if the text has braces. */
function isMixable({ kind, text: written }: Segment, { known }: Scope): boolean {
  return kind === "text" ? !/[{}]/.test(written) : known.has(written);
}

/** The construct's attribute for an expression; null for other expressions. */
function attributeText(expression: string, { known, used }: Scope): string | null {
  const found = known.get(expression);
  if (!found) return null;
  used.add(found.constant);
  return `${found.constant}.${found.attribute}`;
}

function isTextual(type: Type | undefined): boolean {
  return type === "string" || (typeof type === "object" && "list" in type && type.list === "string");
}

/** The module of a class of the provider. */
function moduleOf(mode: Block["mode"], type: string): string {
  const bare = type.slice(PROVIDER.name.length + 1).replaceAll("_", "-");
  return mode === "data" ? `data-${PROVIDER.name}-${bare}` : bare;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
