import type { Argument, Block, Check, Configuration } from "../../core/config/block.ts";
import { attributesOf, type Type } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { compareText } from "../../core/model/value.ts";
import { addressText } from "./hcl-text.ts";
import { definitionOf } from "../../core/config/round.ts";
import type { PlainConfiguration } from "./plain-blocks.ts";
import { segmentsOf, soleExpression, type Segment } from "./segments.ts";
import { TsNames, plainText, rawText, textLiteral, withEscapes } from "./ts-text.ts";
import { PROVIDER, providersOf, terraformBlock, validationOf, variableTypeOf } from "./terraform-block.ts";

/** The module with the constructs for cdktn. */
const CONSTRUCTS = "outreach-as-code/cdktn/lib";
const LIST_WIDTH = 100;

/** Constructs by the expressions that their attributes replace, such as `var.stage`. */
type Known = Map<string, { readonly constant: string; readonly attribute: string }>;

interface Scope {
  readonly catalog: Catalog;
  readonly names: TsNames;
  readonly known: Known;
  /** Constants that are lists of strings. */
  readonly lists: Known;
  /** The constants that are used. */
  readonly used: Set<string>;
  readonly imports: Map<string, string>;
}

/** A program for cdktn that synthesises a stack with these declarations. It also works with `outreach-as-code/cdktf`. */
export function cdkText(configuration: PlainConfiguration, catalog: Catalog): string {
  const scope: Scope = { catalog, names: new TsNames(), known: new Map(), lists: new Map(), used: new Set(), imports: new Map() };
  const constructs = [
    ...providers(configuration, scope),
    ...variables(configuration, scope),
    ...configuration.blocks.map((block) => blockConstruct(block, scope)),
    ...outputs(configuration, scope),
  ];
  const lines = constructs.map((one) => constructText(one, scope));
  const body = [...lines, ...statementLines(configuration)];
  const used = [
    "App",
    ...["TerraformOutput", "TerraformVariable"].filter((name) => lines.some((line) => line.includes(`new ${name}(`))),
    "TerraformStack",
  ].toSorted();
  const imports = [...new Set(scope.imports.values())].toSorted(compareText).map((path) => {
    const names = [...scope.imports].flatMap(([name, from]) => (from === path ? [name] : []));
    return `import { ${names.toSorted(compareText).join(", ")} } from "${CONSTRUCTS}/${path}";\n`;
  });
  return `import { ${used.join(", ")} } from "cdktn";
import type { Construct } from "constructs";
${imports.join("")}
class WebhooksStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
${body.map((line) => line.replaceAll(/^(?=.)/gm, "    ")).join("\n")}
  }
}

const app = new App();
new WebhooksStack(app, "webhooks");
app.synth();
`;
}

function providers(configuration: Configuration, scope: Scope): readonly Construction[] {
  scope.imports.set("OutreachProvider", "provider");
  return providersOf(configuration).map(({ settings }) => ({
    type: "OutreachProvider",
    name: PROVIDER.name,
    kind: "provider",
    given: settings.map(([name, argument]) => `${camelCase(name)}: ${rawText(argument)}`),
    constant: scope.names.constant("provider"),
    overrides: [],
  }));
}

function variables({ variables: declared }: Configuration, scope: Scope): readonly Construction[] {
  return declared.map((variable) => {
    const { name, default: fallback, sensitive } = variable;
    const validation = validationOf(variable);
    const given = [
      `type: ${JSON.stringify(variableTypeOf(variable))}`,
      ...(fallback === undefined ? [] : [`default: ${plainText(fallback)}`]),
      ...(sensitive ? ["sensitive: true"] : []),
      ...(validation ? [`validation: [{ condition: ${rawText(validation.condition)}, errorMessage: ${rawText(validation.message)} }]`] : []),
    ];
    const constant = scope.names.constant(name);
    scope.known.set(`var.${name}`, { constant, attribute: "stringValue" });
    return { type: "TerraformVariable", name, kind: "variable", given, constant, overrides: [] };
  });
}

function blockConstruct(block: Block, scope: Scope): Construction {
  const set = setOf(block, scope);
  const { mode, type, name, repeat } = set ? { ...block, repeat: undefined } : block;
  const { attributes: all, lifecycle } = terraformBlock(block);
  const attributes = all.filter(([attribute]) => !set?.attributes.includes(attribute));
  const { schema } = definitionOf(block, scope.catalog);
  const bare = type.slice(PROVIDER.name.length + 1);
  const path = mode === "data" ? `data-${PROVIDER.name}-${bare.replaceAll("_", "-")}` : bare.replaceAll("_", "-");
  const module = set?.module ?? path;
  const construction = pascalCase(module);
  scope.imports.set(construction, module);
  const inSet = set?.module === "webhook-set" ? { ...scope, known: new Map([...scope.known, ...eachOf(set)]) } : scope;
  const isProperty = (attribute: string, argument: Argument): boolean => argument.kind === "literal" || isTextual(schema[attribute]?.type);
  const given = attributes
    .filter(([attribute, argument]) => isProperty(attribute, argument))
    .map(([attribute, argument]) => `${camelCase(attribute)}: ${eventTypeText(attribute, argument, { block, scope }) ?? valueText(argument, inSet)}`);
  if (inSet !== scope && scope.used.has("Each")) scope.imports.set("Each", module);
  const flags = lifecycle ? Object.keys(lifecycle).map((flag) => `${camelCase(flag)}: true`) : [];
  const overrides = [
    ...(repeat ? [[repeat.kind, repeat.value] as const] : []),
    ...attributes.filter(([attribute, argument]) => !isProperty(attribute, argument)),
  ].map(([key, value]) => [key, rawText(value)] as const);
  const constant = scope.names.constant(name);
  const properties = [...given, ...(set?.given ?? []), ...(lifecycle ? [`lifecycle: ${objectText(flags)}`] : [])];
  if (mode === "data" && !repeat) {
    for (const [attribute, one] of attributesOf(schema, "terraform").filter(([, { type: kind }]) => isTextual(kind)))
      (one.type === "string" ? scope.known : scope.lists).set(`data.${type}.${name}.${attribute}`, { constant, attribute: camelCase(attribute) });
  }
  const inner = set ? `${constant}.${set.block}` : constant;
  return { type: construction, name, kind: bare.replaceAll("_", "-"), given: properties, constant, inner, overrides };
}

/** The construct for a block and its fan-out. */
interface ConstructSet {
  readonly module: string;
  /** Its property with the block. */
  readonly block: string;
  /** The attributes that the lists replace. */
  readonly attributes: readonly string[];
  readonly given: readonly string[];
}

const SETS: { readonly [type: string]: Pick<ConstructSet, "module" | "block"> & { readonly lists: { readonly [attribute: string]: string } } } = {
  outreach_webhook: { module: "webhook-set", block: "webhooks", lists: { type: "types", campaign_id: "campaigns" } },
  outreach_lead_unsubscription: { module: "suppression-list", block: "unsubscriptions", lists: { campaign_id: "campaigns", email: "emails" } },
};

/** The values of `Each` by Terraform's expressions for them. */
function eachOf({ attributes }: ConstructSet): Known {
  const [only = "", ...others] = attributes;
  const each = (attribute: string): { readonly constant: string; readonly attribute: string } => ({ constant: "Each", attribute: camelCase(attribute) });
  if (others.length === 0) return new Map(["each.key", "each.value"].map((text) => [text, each(only)]));
  return new Map([["each.key", each("key")], ...attributes.map((attribute) => [`each.value.${attribute}`, each(attribute)] as const)]);
}

/** Null if no construct has these lists, or if one of them is not written out and not the list of a data source. */
function setOf(block: Block, scope: Scope): ConstructSet | null {
  const set = SETS[block.type];
  const { fanOut = [] } = block;
  if (!set || fanOut.length === 0 || (block.type === "outreach_lead_unsubscription" && !fanOut.some(({ attribute }) => attribute === "email"))) return null;
  const given = fanOut.map(({ attribute, values }) => {
    const list = set.lists[attribute];
    const written = listText(attribute, values, { block, scope });
    return list === undefined || written === null ? null : `${list}: ${written}`;
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
      return eventTypeText(attribute, item, { block, scope }) ?? rawText(item);
    }
    return item.kind === "template" ? attributeText(soleExpression(item.text) ?? "", scope) : null;
  });
  return items.every((item) => item !== null) && new Set(items).size === items.length ? `[${items.join(", ")}]` : null;
}

/** The constant of an event type. */
function eventTypeText(attribute: string, argument: Argument, { block, scope }: InBlock): string | null {
  const { oneOf } = definitionOf(block, scope.catalog).schema[attribute] ?? {};
  if (block.type !== "outreach_webhook" || attribute !== "type" || argument.kind !== "literal" || typeof argument.value !== "string") return null;
  if (!oneOf?.includes(argument.value)) return null;
  scope.imports.set("EventType", "event-type");
  return `EventType.${argument.value}`;
}

function outputs({ outputs: declared }: Configuration, scope: Scope): readonly Construction[] {
  return declared.map(({ name, value, sensitive }) => {
    const given = [`value: ${valueText(value, scope)}`, ...(sensitive ? ["sensitive: true"] : [])];
    return { type: "TerraformOutput", name, kind: "output", given, constant: scope.names.constant(name), overrides: [] };
  });
}

/** The import, moved and removed blocks, which have no constructs. */
function statementLines({ imports, moved, removed, checks = [] }: Configuration): readonly string[] {
  const statements = {
    import: imports.map(({ to, id }) => `{ to: ${JSON.stringify(addressText(to))}, id: ${rawText(id)} }`),
    moved: moved.map(({ from, to }) => `{ from: ${JSON.stringify(addressText(from))}, to: ${JSON.stringify(addressText(to))} }`),
    removed: removed.map(({ from, destroy }) => `{ from: ${JSON.stringify(from)}, lifecycle: { destroy: ${String(destroy)} } }`),
  };
  return [
    ...Object.entries(statements).flatMap(([kind, items]) =>
      items.length === 0 ? [] : [`this.addOverride("${kind}", [\n${items.map((item) => `  ${item},\n`).join("")}]);`],
    ),
    ...(checks.length === 0 ? [] : [`this.addOverride("check", {\n${checks.map(checkText).join("")}});`]),
  ];
}

function checkText({ name, asserts }: Check): string {
  const texts = asserts.map(({ condition, message }) => `      { condition: ${rawText(condition)}, error_message: ${rawText(message)} },\n`);
  return `  ${textLiteral(name)}: {\n    assert: [\n${texts.join("")}    ],\n  },\n`;
}

interface Construction {
  readonly type: string;
  readonly name: string;
  /** Distinguishes constructs with the same name. */
  readonly kind: string;
  readonly given: readonly string[];
  readonly constant: string;
  /** The expression for its block, if the block is inside the construct. */
  readonly inner?: string;
  readonly overrides: readonly (readonly [key: string, value: string])[];
}

/** Constructs have unique ids in a stack; an override keeps the original name in the synthesised JSON. */
function constructText({ type, name, kind, given, constant, inner = constant, overrides }: Construction, { names, used }: Scope): string {
  const id = names.id(name, kind);
  const properties = given.length === 0 ? (type === "OutreachProvider" ? "" : ", {}") : `, ${objectText(given)}`;
  const made = `new ${type}(this, ${textLiteral(id)}${properties});`;
  const isRenamed = type !== "OutreachProvider" && (id !== name || !/^[\w-]+$/.test(name));
  const behind = [
    ...(isRenamed ? [`${inner}.overrideLogicalId(${textLiteral(name)});`] : []),
    ...overrides.map(([key, value]) => `${inner}.addOverride(${textLiteral(key)}, ${value});`),
  ];
  return [behind.length > 0 || used.has(constant) ? `const ${constant} = ${made}` : made, ...behind].join("\n");
}

function objectText(fields: readonly string[]): string {
  const short = `{ ${fields.join(", ")} }`;
  if (fields.length === 0) return "{}";
  return fields.length < 3 && short.length <= LIST_WIDTH && !short.includes("\n")
    ? short
    : `{\n${fields.map((field) => `${field},\n`.replaceAll(/^(?=.)/gm, "  ")).join("")}}`;
}

/** A value for a property. References to constructs of the program become attributes of the constructs. */
function valueText(argument: Argument, scope: Scope): string {
  if (argument.kind === "list") return `[${argument.items.map((item) => valueText(item, scope)).join(", ")}]`;
  if (argument.kind !== "template") return rawText(argument);
  const segments = segmentsOf(argument.text);
  const whole = attributeText(soleExpression(argument.text) ?? "", scope);
  if (whole !== null) return whole;
  if (!segments.some((segment) => segment.kind === "expression") || !segments.every((segment) => isMixable(segment, scope))) return rawText(argument);
  const parts = segments.map((segment) =>
    segment.kind === "text" ? withEscapes(segment.text.replaceAll(/[`\\]/g, "\\$&")) : `\${${String(attributeText(segment.text, scope))}}`,
  );
  return `\`${parts.join("")}\``;
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

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
