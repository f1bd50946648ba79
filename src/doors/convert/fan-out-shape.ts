import type { Argument, Block, FanOutPart, Repeat } from "../../core/config/block.ts";
import { referencesIn } from "../../core/config/data-references.ts";
import type { Instance } from "../../core/config/repeat.ts";
import type { Expression } from "../../core/expression/syntax.ts";
import { parseTemplate } from "../../core/expression/template.ts";
import type { Schema } from "../../core/model/attribute.ts";
import type { Value } from "../../core/model/value.ts";
import type { FanOutKey } from "../yaml/sections.ts";

/** A block whose instances YAML has a short form for: the same instances under the same keys. */
export interface Shape {
  readonly parts: readonly FanOutPart[];
  readonly arguments: Block["arguments"];
}

/** Null where there is no such form. `instances` are those of the block where they depend on nothing. */
export function fanOutShape(
  { repeat, arguments: given, instances }: { readonly repeat: Repeat; readonly arguments: Block["arguments"]; readonly instances: readonly Instance[] | null },
  { keys, schema }: { readonly keys: readonly FanOutKey[]; readonly schema: Schema },
): Shape | null {
  if (repeat.kind !== "for_each") return null;
  const own = Object.entries(given).filter(([, argument]) => referencesIn(argument).some(({ steps: [root] }) => root === "each"));
  const [one, ...others] = own;
  const key = keys.find(({ attribute }) => attribute === one?.[0]);
  if (!one || !key || others.length > 0 || one[1].kind !== "template") return null;
  const [attribute, { text }] = [one[0], one[1]];
  const takes = text.replaceAll(/\s/g, "");
  const values = instances ? writtenOut(instances, takes, schema[attribute]?.canonical) : referredTo(repeat.value, takes);
  if (!values || (values.kind !== "list" && !isFilter(values, key)) || (key.filter && values.kind === "list" && !values.items.every(isBlock))) return null;
  const { [attribute]: _, ...rest } = given;
  return { parts: [{ attribute, values, filtered: values.kind !== "list", distinct: key.distinct }], arguments: rest };
}

/** The values of the attribute, where the key of each instance is its value in the one form that it has. */
function writtenOut(instances: readonly Instance[], takes: string, canonical: ((value: Value) => Value) | undefined): Argument | null {
  const values = instances.map(({ key, sees: { each } }) => (takes === "${each.key}" ? key : takes === "${each.value}" ? (each?.value ?? null) : null));
  const isOwn = instances.every(({ key }, index) => typeof values[index] === "string" && (canonical?.(values[index]) ?? values[index]) === key);
  return isOwn ? { kind: "list", items: values.map((value) => ({ kind: "literal", value })) } : null;
}

function referredTo(each: Argument, takes: string): Argument | null {
  return each.kind === "template" && ["${each.key}", "${each.value}"].includes(takes) ? setOf(each.text) : null;
}

/** What `toset` is given, where that is a list that is written out, or a reference. */
function setOf(text: string): Argument | null {
  const template = parseTemplate(text);
  const [call, ...others] = "detail" in template ? [] : template.parts;
  if (typeof call !== "object" || others.length > 0 || call.kind !== "call" || call.name !== "toset" || call.expand) return null;
  const [list, ...more] = call.args;
  if (!list || more.length > 0) return null;
  if (list.kind === "reference") return { kind: "template", text: `\${${list.text}}` };
  const items = list.kind === "tuple" ? list.items.map(itemOf) : [null];
  return items.every((item) => item !== null) ? { kind: "list", items } : null;
}

function itemOf(item: Expression): Argument | null {
  if (item.kind === "reference") return { kind: "template", text: `\${${item.text}}` };
  if (item.kind === "literal" && typeof item.value === "string") return { kind: "literal", value: item.value };
  const [only, ...others]: readonly (string | Expression)[] = item.kind === "template" ? item.parts : [];
  return typeof only === "string" && others.length === 0 ? { kind: "literal", value: only } : null;
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
