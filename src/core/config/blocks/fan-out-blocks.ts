import { formatAddress } from "../../model/address.ts";
import type { Attribute } from "../../model/attribute.ts";
import { checkAttributes } from "../../model/check.ts";
import type { Declaration } from "../../model/declaration.ts";
import { type Diagnostic, MAX_FOUND, type Result, hasErrors, errorOf, noteOf } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Path } from "../../model/path.ts";
import { type Attributes, UNKNOWN, type Value, isUnknown } from "../../model/value.ts";
import type { Argument, Block, FanOutPart } from "../block.ts";
import { type OwnInput, evaluateOwn, onceEach, unknownInstance } from "./own-arguments.ts";
import { dataAddressesIn } from "./references.ts";
import {
  type EvaluatedBlock,
  type EvaluatedValue,
  convert,
  evaluateValue,
  lookupOf,
  uncheckedOf,
  wrongType,
} from "./evaluate-block.ts";

/** Reports at most this many invalid values of one list, and counts the rest. */
const MAX_REPORTED = 50;

interface PartValue {
  readonly value: string;
  /** Equal for values with the same meaning. */
  readonly key: string;
  /** The position in the list; null for a value that is only recorded. */
  readonly index: number | null;
  /** It is recorded, and has left its filter. */
  readonly left?: true;
  /** The data sources that it comes from; none for the result of a filter, which changes. */
  readonly references: readonly string[];
  readonly sensitive: boolean;
  /** What its list says of it. */
  readonly details?: Declaration["details"];
}

interface EvaluatedPart {
  readonly part: FanOutPart;
  /** Null while the values are unknown, or if they have the wrong type. */
  readonly values: readonly PartValue[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface FanOutInput extends OwnInput {
  readonly block: Block & { readonly fanOut: readonly FanOutPart[] };
  /** The arguments that all instances share. */
  readonly common: EvaluatedBlock;
  /** The problems of the shared arguments. */
  readonly checked: readonly Diagnostic[];
  /** The recorded instances of the block. */
  readonly recorded: () => readonly RecordedInstance[];
}

/** One declaration per combination of the parts' values; null while any part is unknown. */
export function fanOut(input: FanOutInput): Result<readonly Declaration[] | null> {
  const { block, definition, common, checked } = input;
  const parts = block.fanOut.map((part) => evaluatePart(part, input));
  const diagnostics = parts.flatMap((part) => part.diagnostics);
  const lists = parts.flatMap(({ values }) => (values === null ? [] : [values]));
  if (lists.length < parts.length)
    return { value: null, diagnostics: [...diagnostics, ...evaluateOwn(input, unknownInstance(block)).diagnostics] };
  const current = lists.reduce<readonly (readonly PartValue[])[]>(
    (combinations, values) => combinations.flatMap((before) => values.map((value) => before.concat(value))),
    [[]],
  );
  const kept = block.prune ? [] : retained(input, lists);
  const mayBeEmpty = block.allowEmpty === true || block.fanOut.some(({ unread }) => unread);
  if (current.length + kept.length === 0 && !mayBeEmpty && !hasErrors(diagnostics))
    return { value: null, diagnostics: [...diagnostics, empty(parts)] };
  const declarations: Declaration[] = [];
  const own: Diagnostic[] = [];
  const rules: Diagnostic[] = [];
  const seen = new Set(checked.map(({ detail }) => detail));
  const declare = (selected: readonly PartValue[], kind: Pick<Declaration, "retained"> = {}): void => {
    const { declaration, diagnostics: problems } = instance(input, selected, kind);
    declarations.push(declaration);
    own.push(...problems);
    const broken = definition.check ? definition.check({ ...common.complete, ...checkable(declaration, input) }) : [];
    rules.push(...broken.filter(({ detail }) => !seen.has(detail) && seen.add(detail)));
  };
  for (const selected of current) declare(selected);
  for (const selected of kept) declare(selected, { retained: true });
  return { value: declarations, diagnostics: [...diagnostics, ...onceEach(own), ...rules, ...notes(input, kept)] };
}

/** The attributes for checks. */
function checkable({ attributes, masked }: Declaration, { scope }: FanOutInput): Attributes {
  const unchecked = uncheckedOf(masked, scope);
  return unchecked.length === 0
    ? attributes
    : { ...attributes, ...Object.fromEntries(unchecked.map((name) => [name, UNKNOWN])) };
}

function evaluatePart(part: FanOutPart, input: FanOutInput): EvaluatedPart {
  const { attribute: name, distinct, filtered } = part;
  const attribute = input.definition.schema[name];
  const { hide } = input.scope;
  if (!attribute) throw new Error(`the frontend accepted a fan-out over ${name}`);
  const { items, diagnostics: problems } = itemsOf(part, attribute, input);
  if (items === null) return { part, values: null, diagnostics: problems };
  const diagnostics: Diagnostic[] = [...problems];
  const found = new Map<string, PartValue>();
  let isKnown = true;
  for (const [index, { value: raw, sensitive, references }] of items.entries()) {
    const text = raw === null ? undefined : convert(raw, attribute.type);
    if (isUnknown(text)) isKnown = false;
    else if (typeof text !== "string") diagnostics.push({ ...wrongType(name, attribute), path: [name, index] });
    else {
      const key = canonicalText(text, attribute);
      const first = found.get(key);
      if (sensitive && !hide) diagnostics.push(sensitiveKey(name, index));
      if (sensitive) for (const shown of [key, text]) hide?.(shown);
      if (first && distinct) diagnostics.push(duplicate(name, text, { first: first.index, second: index }));
      const details = part.details?.get(text);
      const more = details ? { details } : {};
      if (!first)
        found.set(key, { value: text, key, index, references: filtered ? [] : references, sensitive, ...more });
      else if (!first.details) found.set(key, { ...first, ...more });
    }
  }
  addRecorded(found, part, input);
  const values = [...found.values()];
  const bad = badValues(name, attribute, values);
  const isWorthIt = diagnostics.length < MAX_FOUND && bad.length <= MAX_REPORTED;
  return { part, values: isKnown && isWorthIt ? values : null, diagnostics: [...diagnostics, ...bad] };
}

/** A list that was not read is the one that was read last, as far as it is recorded. */
function addRecorded(
  found: Map<string, PartValue>,
  { attribute: name, unread }: FanOutPart,
  { definition, recorded }: FanOutInput,
): void {
  if (!unread) return;
  for (const { attributes, undeclared } of recorded()) {
    const value = attributes[name];
    if (undeclared || typeof value !== "string") continue;
    const key = canonicalText(value, definition.schema[name]);
    if (!found.has(key)) found.set(key, { value, key, index: null, references: [], sensitive: false });
  }
}

function sensitiveKey(name: string, index: number): Diagnostic {
  return errorOf("fan_out_sensitive", "A sensitive value in an address", {
    detail: `This value of ${name} comes from a sensitive variable, but would be part of the addresses, which are printed everywhere.`,
    hint: "Write the value as a literal, or use a variable that is not sensitive.",
    path: [name, index],
  });
}

type Item = Pick<EvaluatedValue, "value" | "sensitive" | "references">;

/** The single values; null while the list is unknown, or if it is not a list. */
function itemsOf({ attribute: name, values: argument }: FanOutPart, attribute: Attribute, { scope }: FanOutInput) {
  const evaluate = (one: Argument, path: Path): EvaluatedValue => {
    return evaluateValue(one, path, scope);
  };
  if (argument.kind === "list") {
    const items: Item[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const [index, item] of argument.items.entries()) {
      const { problems, ...one } = evaluate(item, [name, index]);
      items.push(one);
      diagnostics.push(...problems);
      if (diagnostics.length >= MAX_FOUND) return { items: null, diagnostics };
    }
    return { items, diagnostics };
  }
  const { value, problems, ...marks } = evaluate(argument, [name]);
  if (isUnknown(value)) return { items: null, diagnostics: problems };
  if (!Array.isArray(value))
    return { items: null, diagnostics: [...problems, wrongType(name, { type: { list: attribute.type } })] };
  return { items: (value as readonly Value[]).map((item): Item => ({ ...marks, value: item })), diagnostics: problems };
}

/** The canonical form of all texts with the same meaning. */
function canonicalText(text: string, attribute: Attribute | undefined): string {
  const canonical = attribute?.canonical?.(text);
  return typeof canonical === "string" ? canonical : text;
}

function badValues(name: string, attribute: Attribute, values: readonly PartValue[]): readonly Diagnostic[] {
  const schema = { [name]: attribute };
  const bad: Diagnostic[] = [];
  for (const { value, index } of values) {
    if (bad.length >= MAX_FOUND) break;
    bad.push(
      ...checkAttributes({ type: name, schema }, { [name]: value }).map((one) => ({
        ...one,
        path: [name, index ?? 0],
      })),
    );
  }
  const [first] = bad;
  if (!first || bad.length <= MAX_REPORTED) return bad;
  const rest = {
    ...first,
    detail: `${bad.length < MAX_FOUND ? "" : "At least "}${String(bad.length - MAX_REPORTED)} more values of ${name} have such a problem.`,
    count: bad.length - MAX_REPORTED,
    path: bad[MAX_REPORTED]?.path ?? [name],
  };
  return [...bad.slice(0, MAX_REPORTED), rest];
}

interface EvaluatedInstance {
  readonly declaration: Declaration;
  /** The problems of the arguments that differ between the instances. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Instances are many: what they have in common with their block is one object for all of them. */
function instance(
  input: FanOutInput,
  selected: readonly PartValue[],
  kind: Pick<Declaration, "retained">,
): EvaluatedInstance {
  const { block, common, scope } = input;
  const { mode, type, name, provider, fanOut: parts } = block;
  const key = keyOf(selected);
  const own = isEmpty(input.own.arguments)
    ? null
    : evaluateOwn(input, {
        key,
        values: new Map(selected.map((one, at) => [parts[at]?.attribute ?? "", one] as const)),
      });
  const attributes: Record<string, Value> = { ...common.attributes, ...own?.attributes };
  const lookups: Record<string, string> = {};
  const sensitive: string[] = [];
  for (const [at, one] of selected.entries()) {
    const attribute = parts[at]?.attribute ?? "";
    attributes[attribute] = one.value;
    const lookup = lookupOf(one.references, scope);
    if (lookup !== null) lookups[attribute] = lookup;
    if (one.sensitive) sensitive.push(attribute);
  }
  const allLookups = joined(joined(common.lookups, own?.lookups), lookups);
  const details = selected.find((one) => one.details !== undefined)?.details;
  const declaration: Declaration = {
    address: formatAddress({ mode, type, name, key }),
    type,
    provider,
    attributes,
    secrets: joined(common.secrets, own?.secrets),
    masked: own || sensitive.length > 0 ? [...common.masked, ...(own?.masked ?? []), ...sensitive] : common.masked,
    ...(isEmpty(allLookups) ? {} : { lookups: allLookups }),
    ...(parts.some(({ filtered }) => filtered) ? { isFiltered: true as const } : {}),
    ...(details ? { details } : {}),
    ...kind,
    locate: locateIn(block, selected),
  };
  return { declaration, diagnostics: own?.diagnostics ?? [] };
}

/** Locates a path in the block, and the value of a list in its line. */
function locateIn(block: FanOutInput["block"], selected: readonly PartValue[]): Declaration["locate"] {
  return ([first, ...rest]) => {
    if (first === undefined) return block.locate([]);
    const index = selected[block.fanOut.findIndex(({ attribute }) => attribute === first)]?.index ?? null;
    return block.locate(index === null ? [first, ...rest] : [first, index, ...rest]);
  };
}

/** Both together: the first one itself where the second one adds nothing. */
function joined<T>(
  first: { readonly [name: string]: T },
  second: { readonly [name: string]: T } = {},
): { readonly [name: string]: T } {
  return isEmpty(second) ? first : { ...first, ...second };
}

function isEmpty(given: object): boolean {
  return Object.keys(given).length === 0;
}

function keyOf(selected: readonly PartValue[]): string {
  return selected.map(({ key }) => key).join("/");
}

/** The recorded instances that differ from the current ones only in a value that left a filter. */
function retained(
  { block, definition, recorded }: FanOutInput,
  lists: readonly (readonly PartValue[])[],
): readonly (readonly PartValue[])[] {
  if (!block.fanOut.some(({ filtered }) => filtered)) return [];
  const byKey = lists.map((values) => new Map(values.map((value) => [value.key, value])));
  return recorded().flatMap(({ address, attributes }) => {
    const selected = block.fanOut.map(({ attribute, filtered }, position): PartValue | null => {
      const value = attributes[attribute];
      if (typeof value !== "string") return null;
      const key = canonicalText(value, definition.schema[attribute]);
      return (
        byKey[position]?.get(key) ??
        (filtered ? { value, key, index: null, left: true, references: [], sensitive: false } : null)
      );
    });
    const whole = selected.filter((one) => one !== null);
    const { mode, type, name } = block;
    const isKept =
      whole.length === selected.length &&
      whole.some(({ left: isGone }) => isGone) &&
      address === formatAddress({ mode, type, name, key: keyOf(whole) });
    return isKept ? [whole] : [];
  });
}

/** One note per value that left a filter. */
function notes({ block }: FanOutInput, kept: readonly (readonly PartValue[])[]): readonly Diagnostic[] {
  const left = new Map<string, { readonly part: FanOutPart; readonly value: string; count: number }>();
  for (const selected of kept) {
    for (const [position, { left: isGone, value }] of selected.entries()) {
      const part = block.fanOut[position];
      if (!isGone || !part) continue;
      const before = left.get(`${part.attribute} ${value}`);
      if (before) before.count++;
      else left.set(`${part.attribute} ${value}`, { part, value, count: 1 });
    }
  }
  return [...left.values()].map(({ part, value, count }) =>
    noteOf("left_filter", "Kept after leaving the filter", {
      detail: `${value} is no longer a result of ${sourceOf(part)}. The ${count === 1 ? "instance" : `${String(count)} instances`} of ${block.type}.${block.name} made for it ${count === 1 ? "is" : "are"} kept.`,
      hint: "To delete instances whose value leaves the filter, set prune: true in the block.",
      path: [part.attribute],
    }),
  );
}

function empty(parts: readonly EvaluatedPart[]): Diagnostic {
  const { part } = parts.find(({ values }) => values?.length === 0) ?? parts[0] ?? {};
  if (!part) throw new Error("a fan-out without parts");
  return errorOf("fan_out_empty", "Empty fan-out", {
    detail: `${part.filtered ? `${sourceOf(part)} finds nothing` : `The list for ${part.attribute} is empty`}, so this block declares nothing.`,
    hint: "If this is intended, set allow_empty: true in the block.",
    path: [part.attribute],
  });
}

function sourceOf({ values, attribute }: FanOutPart): string {
  return dataAddressesIn(values).join(", ") || attribute;
}

function duplicate(
  name: string,
  value: string,
  { first, second }: { readonly first: number | null; readonly second: number },
): Diagnostic {
  return errorOf("value_twice", "Duplicate value", {
    detail: `${JSON.stringify(value)} appears twice in ${name}: as number ${String((first ?? 0) + 1)} and number ${String(second + 1)} of the list.`,
    hint: "Remove one of them.",
    path: [name, second],
  });
}
