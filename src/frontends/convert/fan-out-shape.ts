import type { Argument, Block, FanOutPart, Repeat } from "../../core/config/block.ts";
import { refersToEach } from "../../core/config/blocks/own-arguments.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import type { Instance } from "../../core/config/blocks/repeat.ts";
import type { Expression } from "../../core/expression/syntax/syntax.ts";
import type { Schema } from "../../core/model/attribute.ts";
import type { Value } from "../../core/model/value.ts";
import type { FanOutKey } from "../yaml/sections.ts";
import { expressionIn, writtenText } from "./segments.ts";
import { withYamlEach } from "./yaml-each.ts";

/** The short form in YAML of a block's instances, with the same keys. */
export interface Shape {
  readonly parts: readonly FanOutPart[];
  readonly arguments: Block["arguments"];
}

/** Null if no such form exists. `instances` are the block's instances if they depend on nothing. */
export function fanOutShape(
  {
    repeat,
    arguments: given,
    instances,
  }: {
    readonly repeat: Repeat;
    readonly arguments: Block["arguments"];
    readonly instances: readonly Instance[] | null;
  },
  { keys, schema }: { readonly keys: readonly FanOutKey[]; readonly schema: Schema },
): Shape | null {
  if (repeat.kind !== "for_each") return null;
  const own = Object.entries(given).filter(([, argument]) => refersToEach(argument));
  const isPart = ([attribute]: (typeof own)[number]): boolean => keys.some((key) => key.attribute === attribute);
  const takes = new Map(
    own
      .filter(isPart)
      .map(([attribute, argument]) => [
        attribute,
        argument.kind === "template" ? argument.text.replaceAll(/\s/g, "") : "",
      ]),
  );
  const found =
    takes.size === 1 ? overOne(takes, { repeat, instances, schema }) : overSeveral(takes, { repeat, schema });
  const parts = found?.map(([attribute, values]) => partOf(attribute, values, keys));
  const position = ({ attribute }: FanOutPart): number => keys.findIndex((key) => key.attribute === attribute);
  if (
    !parts?.every((part) => part !== null) ||
    parts.some((part, index) => index > 0 && position(part) < position(parts[index - 1] ?? part))
  )
    return null;
  const others = Object.entries(given).flatMap(([attribute, argument]) =>
    takes.has(attribute) ? [] : [[attribute, withYamlEach(argument, takes)] as const],
  );
  return others.every((other): other is [string, Argument] => other[1] !== null)
    ? { parts, arguments: Object.fromEntries(others) }
    : null;
}

type Values = readonly (readonly [attribute: string, values: Argument])[];
/** The expression of each attribute, without white space. */
type Takes = ReadonlyMap<string, string>;

/** Null if YAML has no key for the attribute. */
function partOf(attribute: string, values: Argument, keys: readonly FanOutKey[]): FanOutPart | null {
  const key = keys.find((one) => one.attribute === attribute);
  const isList = values.kind === "list";
  if (!key || (!isList && !isFilter(values, key)) || (key.filter && isList && !values.items.every(isBlock)))
    return null;
  return { attribute, values, filtered: !isList, distinct: key.distinct };
}

interface ShapeOf {
  readonly repeat: Repeat;
  readonly instances: readonly Instance[] | null;
  readonly schema: Schema;
}

function overOne(takes: Takes, { repeat, instances, schema }: ShapeOf): Values | null {
  const [[attribute, taken] = ["", ""]] = takes;
  const { canonical } = schema[attribute] ?? {};
  const listed = referredTo(repeat.value, taken);
  // A set is sorted, but the file keeps the declared order.
  const values =
    instances && !(listed && isOwnKey(listed, canonical)) ? writtenOut(instances, taken, canonical) : listed;
  return values && [[attribute, values]];
}

/** Recognizes a fan-out over several attributes: its converted form, or the synthesised form of this package's constructs. */
function overSeveral(takes: Takes, { repeat: { value }, schema }: Omit<ShapeOf, "instances">): Values | null {
  const expression = value.kind === "template" ? expressionIn(value.text) : null;
  const lists = expression && (convertedLists(expression, schema) ?? constructLists(expression, schema));
  if (lists?.length !== takes.size || !lists.every(([name]) => takes.get(name) === `\${each.value.${name}}`))
    return null;
  return lists.every((pair): pair is readonly [string, Argument] => pair[1] !== null) ? lists : null;
}

/** The list of each attribute; null for one that YAML cannot express. */
type Lists = readonly (readonly [attribute: string, values: Argument | null])[];

/** The lists of an object with all combinations and their values. */
function convertedLists(expression: Expression, schema: Schema): Lists | null {
  const found = levelsOf(expression);
  if (!found || found.levels.length < 2) return null;
  const { levels, key } = found;
  const wanted = levels
    .map(({ name }) => (schema[name]?.canonical?.("Aa") === "aa" ? `lower(${name})` : name))
    .join("/");
  return key === wanted ? levels.map(({ name, collection }) => [name, listOf(collection)]) : null;
}

/** The lists of the synthesised form of the constructs, with the order of their lists. */
function constructLists(expression: Expression, schema: Schema): Lists | null {
  const levels = constructLevels(expression);
  return (
    levels?.map(({ name, values }) => {
      const list: Argument | null =
        "kind" in values
          ? listOf(values)
          : { kind: "list", items: values.map((one) => ({ kind: "literal", value: one })) };
      const { canonical } = schema[name] ?? {};
      return [name, list && (!canonical || isOwnKey(list, canonical)) ? list : null];
    }) ?? null
  );
}

/** Whether all values are literal, different, and their own keys. */
function isOwnKey(values: Argument, canonical: ((value: Value) => Value) | undefined): boolean {
  if (values.kind !== "list") return false;
  const texts = values.items.map((item) =>
    item.kind === "literal" && typeof item.value === "string" ? item.value : null,
  );
  return (
    texts.every((text) => text !== null && (canonical?.(text) ?? text) === text) && new Set(texts).size === texts.length
  );
}

interface Levels {
  readonly levels: readonly { readonly name: string; readonly collection: Expression }[];
  /** Expression of the key, such as `type/lower(email)`. */
  readonly key: string;
}

function levelsOf(expression: Expression): Levels | null {
  if (
    expression.kind === "call" &&
    expression.name === "merge" &&
    expression.expand &&
    expression.args.length === 1 &&
    expression.args[0]
  )
    return levelsOf(expression.args[0]);
  if (expression.kind !== "for" || expression.keyName !== null || expression.condition || expression.group) return null;
  const { valueName: name, collection, key, value } = expression;
  if (key) return isEachItself(value) ? { levels: [{ name, collection }], key: keyText(key) } : null;
  const inner = levelsOf(value);
  return inner && { levels: [{ name, collection }, ...inner.levels], key: inner.key };
}

/** Whether an object has the form `{ type = type, … }`, in which each value has the attribute's name. */
function isEachItself(value: Expression): boolean {
  return (
    value.kind === "object" &&
    value.entries.every(([key, one]) => key.kind === "literal" && one.kind === "reference" && one.text === key.value)
  );
}

function keyText(key: Expression): string {
  if (key.kind !== "template") return "";
  return key.parts
    .map((part) =>
      typeof part === "string"
        ? part
        : part.kind === "call" && part.args[0]?.kind === "reference"
          ? `${part.name}(${part.args[0].text})`
          : part.kind === "reference"
            ? part.text
            : "?",
    )
    .join("");
}

/** The attribute's values, if each instance's key is its canonical value. */
function writtenOut(
  instances: readonly Instance[],
  takes: string,
  canonical: ((value: Value) => Value) | undefined,
): Argument | null {
  const values = instances.map(({ key, instanceScope: { each } }) =>
    takes === "${each.key}" ? key : takes === "${each.value}" ? (each?.value ?? null) : null,
  );
  const isOwn = instances.every(
    ({ key }, index) => typeof values[index] === "string" && (canonical?.(values[index]) ?? values[index]) === key,
  );
  return isOwn ? { kind: "list", items: values.map((value) => ({ kind: "literal", value })) } : null;
}

function referredTo(each: Argument, takes: string): Argument | null {
  return each.kind === "template" && ["${each.key}", "${each.value}"].includes(takes) ? setOf(each.text) : null;
}

/** The argument of `toset`, if it is a literal list or a reference. */
function setOf(text: string): Argument | null {
  const call = expressionIn(text);
  if (call?.kind !== "call" || call.name !== "toset" || call.expand) return null;
  const [list, ...more] = call.args;
  return list && more.length === 0 ? listOf(list) : null;
}

/** A literal list, or a reference to one. */
function listOf(list: Expression): Argument | null {
  if (list.kind === "reference") return { kind: "template", text: `\${${list.text}}` };
  const items = list.kind === "tuple" ? list.items.map(itemOf) : [null];
  return items.every((item) => item !== null) ? { kind: "list", items } : null;
}

function itemOf(item: Expression): Argument | null {
  if (item.kind === "reference") return { kind: "template", text: `\${${item.text}}` };
  const value = writtenText(item);
  return value === null ? null : { kind: "literal", value };
}

function isFilter(values: Argument, { filter }: FanOutKey): boolean {
  if (!filter || values.kind !== "template") return false;
  const [reference, ...others] = referencesIn(values);
  const [root, type, , ids, ...rest] = reference?.steps ?? [];
  return others.length === 0 && rest.length === 0 && root === "data" && type === filter.type && ids === filter.ids;
}

/** The id of one data source, which YAML names by its block. */
function isBlock(item: Argument): boolean {
  return item.kind === "template" && /^\$\{data\.outreach_campaign\.[\p{L}_][\p{L}\p{N}_-]*\.id\}$/u.test(item.text);
}

/** One list of a fan-out over two attributes: literal values, or an expression for a list. */
interface Level {
  readonly name: string;
  readonly values: readonly string[] | Expression;
}

/**
 * Recognizes the synthesised form of `WebhookSet` and `SuppressionList` over two lists, with the levels in the order of the
 * key: `{ for key, val in flatten([for key, val in LIST : [{ type = "a", campaign_id = val }, …]]) : join("/", [val.type, val.campaign_id]) => val }`.
 */
function constructLevels(expression: Expression): readonly Level[] | null {
  if (
    expression.kind !== "for" ||
    !expression.key ||
    expression.condition ||
    expression.group ||
    !isReference(expression.value, [expression.valueName])
  )
    return null;
  const rows = argumentsOf(expression.collection, "flatten");
  const [inner] = rows ?? [];
  if (rows?.length !== 1 || inner?.kind !== "for" || inner.key || inner.condition || inner.value.kind !== "tuple")
    return null;
  const known = new Map<string, string[]>();
  const listed = new Set<string>();
  for (const row of inner.value.items) {
    if (row.kind !== "object") return null;
    for (const [key, value] of row.entries) {
      const [name, text] = [writtenText(key), writtenText(value)];
      if (name === null) return null;
      if (text !== null) known.set(name, [...(known.get(name) ?? []), text]);
      else if (isReference(value, [inner.valueName])) listed.add(name);
      else return null;
    }
  }
  const names = keyNames(expression.key, expression.valueName);
  const [[knownName, values] = ["", []]] = known;
  const [listName = ""] = listed;
  if (
    known.size !== 1 ||
    listed.size !== 1 ||
    names?.length !== 2 ||
    !names.includes(knownName) ||
    !names.includes(listName)
  )
    return null;
  return names.map((name) => ({ name, values: name === knownName ? values : inner.collection }));
}

/** The attributes in `join("/", [val.type, val.campaign_id])`. */
function keyNames(key: Expression, variable: string): readonly string[] | null {
  const [separator, list] = argumentsOf(key, "join") ?? [];
  if (!separator || writtenText(separator) !== "/" || list?.kind !== "tuple") return null;
  const names = list.items.map((item) =>
    item.kind === "reference" && item.steps.length === 2 && item.steps[0] === variable ? String(item.steps[1]) : null,
  );
  return names.every((name) => name !== null) ? names : null;
}

function argumentsOf(expression: Expression, name: string): readonly Expression[] | null {
  return expression.kind === "call" && expression.name === name && !expression.expand ? expression.args : null;
}

function isReference(expression: Expression, steps: readonly string[]): boolean {
  return expression.kind === "reference" && expression.steps.join("\n") === steps.join("\n");
}
