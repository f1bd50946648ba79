import type { Argument } from "../../core/config/block.ts";
import { evaluateArgument, termOf } from "../../core/config/blocks/evaluate-argument.ts";
import type { Reference, Template } from "../../core/expression/syntax/syntax.ts";
import { hasReferences, parseTemplate, referencesOf } from "../../core/expression/syntax/template.ts";
import { hasUnknown } from "../../core/model/value.ts";
import { expressionText } from "./expression-text.ts";
import { type Segment, escapedText, segmentsOf, soleExpression } from "./segments.ts";

/** What stands in the place of the first steps of a reference. Null leaves it as it is. */
export type Replace = (reference: Reference) => { readonly steps: number; readonly by: Argument | string } | null;

const NOTHING = { variables: new Map(), dataAddresses: new Set<string>(), known: new Map(), managed: null };

/** The same argument with other things in the place of what it refers to. */
export function replacing(argument: Argument, replace: Replace): Argument {
  return mapped(argument, (text) => ({ kind: "template", text: replaced(text, replace) }));
}

/** The same with the value in the place of each expression that refers to nothing. */
export function rewritten(argument: Argument, replace: Replace): Argument {
  return mapped(argument, (text) => folded(replaced(text, replace)));
}

function mapped(argument: Argument, change: (text: string) => Argument): Argument {
  switch (argument.kind) {
    case "literal":
    case "secret":
      return argument;
    case "list":
      return { kind: "list", items: argument.items.map((item) => mapped(item, change)) };
    case "object":
      return { kind: "object", entries: argument.entries.map(([key, value]) => [mapped(key, change), mapped(value, change)]) };
    case "template":
      return change(argument.text);
  }
}

function replaced(text: string, replace: Replace): string {
  const segments = segmentsOf(text);
  return segments.map((segment) => (segment.kind === "text" ? segment.text : inSegment(segment, { replace, isAlone: segments.length === 1 }))).join("");
}

function inSegment({ text }: Segment, { replace, isAlone }: { readonly replace: Replace; readonly isAlone: boolean }): string {
  const whole = `\${${text}}`;
  const references = referencesOf(parsed(whole)).toSorted((a, b) => b.offset - a.offset);
  const [only] = references;
  const instead = only?.text === text ? replace(only) : null;
  // A template in the place of a whole expression needs no signs around it.
  if (instead && instead.steps === only?.steps.length && typeof instead.by !== "string" && instead.by.kind === "template") {
    const inner = segmentsOf(instead.by.text)
      .map((segment) => (segment.kind === "text" ? segment.text : `\${${segment.text}}`))
      .join("");
    if (isAlone || canStandBeside(inner)) return inner;
  }
  return references.reduce((all, reference) => {
    const by = replace(reference);
    if (!by) return all;
    const end = reference.offset + writtenLength(reference, by.steps);
    const inserted = typeof by.by === "string" ? by.by : bracketed(expressionText(by.by), /[.[]/.test(all[end] ?? ""));
    return `${all.slice(0, reference.offset)}${inserted}${all.slice(end)}`;
  }, whole);
}

/** Whether text means the same in a template, whatever stands beside it. */
function canStandBeside(text: string): boolean {
  return !/^\{|[$%]$/.test(text);
}

function parsed(text: string): Template {
  const template = parseTemplate(text);
  if ("detail" in template) throw new Error(`a template that cannot be parsed: ${template.detail}`);
  return template;
}

/** How much of a reference its first steps are. */
function writtenLength({ text, steps }: Reference, count: number): number {
  if (count >= steps.length) return text.length;
  const step = /^\s*(?:\.\s*(?:[\p{ID_Start}_][\p{ID_Continue}-]*|\d+)|\[\s*(?:"(?:[^"\\]|\\.)*"|\d+)\s*\])/u;
  let length = /^[\p{ID_Start}_][\p{ID_Continue}-]*/u.exec(text)?.[0].length ?? 0;
  for (let index = 1; index < count; index++) length += step.exec(text.slice(length))?.[0].length ?? 0;
  return length;
}

function bracketed(expression: string, goesOn: boolean): string {
  return /^(?:[\w.-]+|"(?:[^"\\]|\\.)*")$/.test(expression) && !goesOn ? expression : `(${expression})`;
}

function folded(text: string): Argument {
  const only = soleExpression(text);
  if (only !== null) return constantOf(only) ?? { kind: "template", text };
  const parts = segmentsOf(text).map((segment) => {
    if (segment.kind === "text") return segment.text;
    const constant = constantOf(segment.text);
    const value = constant?.kind === "literal" ? constant.value : null;
    const written = value === null || typeof value === "object" ? null : escapedText(String(value));
    return written === null || !canStandBeside(written) ? `\${${segment.text}}` : written;
  });
  const left = parts.filter((part) => part !== "");
  const all = left.length === 1 && soleExpression(left[0] ?? "") !== null ? text : left.join("");
  return all.includes("${") || all.includes("%{") ? { kind: "template", text: all } : { kind: "literal", value: all };
}

function constantOf(expression: string): Argument | null {
  const text = `\${${expression}}`;
  if (hasReferences(text)) return null;
  const evaluated = evaluateArgument({ kind: "template", text }, NOTHING);
  const { value, sensitive, problems } = evaluated;
  // A set is written like a list, but is none for a for_each.
  return problems.length > 0 || sensitive || hasUnknown(value) || termOf(evaluated).kind === "set" ? null : { kind: "literal", value };
}
