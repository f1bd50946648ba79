import { getOrMake } from "../../model/maps.ts";
import type { ExpressionProblem, Reference, Template, TemplateProblem } from "../../expression/syntax/syntax.ts";
import { parseTemplate, referencesOf } from "../../expression/syntax/template.ts";
import { formatAddress } from "../../model/address.ts";
import type { Type } from "../../model/attribute.ts";
import type { AnyDataSource } from "../../model/definition.ts";
import { nearest } from "../../model/diagnostic.ts";
import type { Attributes } from "../../model/value.ts";
import type { Argument } from "../block.ts";

/** The declared data sources by address. */
export type DataSources = ReadonlyMap<string, AnyDataSource>;

/** The addresses of the data sources that an argument refers to, without duplicates. */
export function dataAddressesIn(argument: Argument): readonly string[] {
  return [...new Set(dataReferences(argument).map(addressOf))];
}

/** References to missing attributes of data sources that are not read yet, according to their schemas. The evaluation checks the others. */
export function unknownAttributes(
  argument: Argument,
  sources: DataSources,
  known: ReadonlyMap<string, Attributes>,
): readonly ExpressionProblem[] {
  return dataReferences(argument).flatMap((reference) => {
    const address = addressOf(reference);
    const source = sources.get(address);
    if (!source || known.has(address)) return [];
    const missing = firstMissing({ object: source.schema }, reference.steps.slice(3));
    if (!missing) return [];
    const { name, has } = missing;
    const suggestion = nearest(name, has);
    return [
      invalid(
        reference,
        `${address} has no attribute ${name}.`,
        suggestion === null ? `It has ${has.join(", ")}.` : `Did you mean ${suggestion}?`,
      ),
    ];
  });
}

/** The blocks of resources that an argument refers to. */
export function resourcesIn(argument: Argument): readonly string[] {
  return referencesIn(argument).map(({ steps: [type, name] }) => `${String(type)}.${String(name)}`);
}

function dataReferences(argument: Argument): readonly Reference[] {
  return referencesIn(argument).filter(({ steps: [root] }) => root === "data");
}

/** All references in an argument. */
export function referencesIn(argument: Argument): readonly Reference[] {
  if (argument.kind === "list") return argument.items.flatMap(referencesIn);
  if (argument.kind === "object") return argument.entries.flat().flatMap(referencesIn);
  if (argument.kind === "secret") return argument.own ? referencesIn(argument.own) : [];
  if (argument.kind !== "template") return [];
  const template = templateOf(argument);
  return "detail" in template ? [] : referencesOf(template);
}

function addressOf({ steps: [, type, name] }: Reference): string {
  return formatAddress({ mode: "data", type: String(type), name: String(name), key: null });
}

/** The first named step into an object without such an attribute. */
function firstMissing(
  type: Type,
  [step, ...rest]: Reference["steps"],
): { readonly name: string; readonly has: readonly string[] } | null {
  if (step === undefined || typeof type === "string") return null;
  if ("list" in type) return typeof step === "number" ? firstMissing(type.list, rest) : null;
  if (typeof step !== "string") return null;
  const attribute = Object.hasOwn(type.object, step) ? type.object[step] : undefined;
  return attribute ? firstMissing(attribute.type, rest) : { name: step, has: Object.keys(type.object) };
}

function invalid({ offset }: Reference, detail: string, hint: string): ExpressionProblem {
  return { code: "reference_invalid", summary: "Invalid reference", detail, hint, offset };
}

type TemplateArgument = Extract<Argument, { readonly kind: "template" }>;

const parsed = new WeakMap<TemplateArgument, Template | TemplateProblem>();

/** The parsed template, cached: it is evaluated again after every round of reads, and for every instance. */
export function templateOf(argument: TemplateArgument): Template | TemplateProblem {
  return getOrMake(parsed, argument, () => parseTemplate(argument.text));
}
